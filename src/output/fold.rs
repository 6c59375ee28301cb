//! Folds long texts between words.

use console::Term;

/// The width to which results are folded, in columns.
pub const WIDTH: usize = 80;

/// Returns a text folded at blanks to [`WIDTH`] columns. All lines after the first begin with `indent` blanks. Nothing
/// is cut: a word that is too long gets its own line.
pub fn folded(text: &str, indent: usize) -> String {
    folded_to(text, indent, WIDTH)
}

/// Like [`folded`], to this number of columns.
pub fn folded_to(text: &str, indent: usize, columns: usize) -> String {
    let options = textwrap::Options::new(columns.saturating_sub(indent))
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    let lines: Vec<_> = text.lines().flat_map(|paragraph| textwrap::wrap(paragraph, &options)).collect();
    lines.join(&format!("\n{:indent$}", ""))
}

/// Returns a message on standard error folded to the width of the terminal or to the variable `COLUMNS`, less the
/// `taken` columns before it. Without a terminal and the variable, the message is not folded, because a program may
/// read it.
pub fn folded_message(text: &str, taken: usize) -> String {
    let terminal = Term::stderr().size_checked().map(|(_, columns)| usize::from(columns));
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    let columns: Option<usize> = terminal.or_else(variable);
    columns.map_or(text.to_owned(), |columns| folded_to(text, 0, columns.saturating_sub(taken)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_folded_and_nothing_is_cut() {
        let text = format!("{} end\nlast line", "word ".repeat(30).trim_end());
        let shown = folded(&text, 10);
        assert!(shown.lines().count() == 4 && shown.lines().all(|line| line.len() <= WIDTH), "{shown}");
        assert!(
            shown.lines().skip(1).all(|line| line.starts_with("          ") && !line[10..].starts_with(' '))
        );
        assert!(shown.ends_with("\n          last line"));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        assert_eq!(words(&shown), words(&text));
        assert_eq!(folded(&"x".repeat(300), 4).len(), 300);
    }
}
