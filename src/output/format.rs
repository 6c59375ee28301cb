//! The formats of reports: the arguments that choose one, and printing a report in it.

use std::io;
use std::io::Write;

use clap::{Args, ValueEnum};
use console::Term;

use super::{Report, Table, write_json};

/// The format of a report that is text or JSON.
#[derive(Clone, Copy, Debug, Args)]
pub struct JsonArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The format of a report that is a table.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct FormatArgs {
    /// Format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    Text,
    /// One JSON object; one per line if positions come from standard input
    Json,
    /// Comma-separated values
    Csv,
    /// A Markdown table
    Markdown,
}

impl JsonArgs {
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { Format::Text }
    }
}

impl FormatArgs {
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    pub fn is_text(self) -> bool {
        self.format() == Format::Text
    }
}

/// Prints a report in a format.
///
/// # Panics
/// Panics if the report is no table, and the format is one for tables.
pub fn emit(report: &impl Report, format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Text => report.write_text(out)?,
        Format::Json => write_json(report, false, out)?,
        Format::Csv => tabular(report.exact_table()).write_csv(out)?,
        Format::Markdown => report.write_markdown(out)?,
    }
    out.flush()
}

/// Returns the table of a report in a format for tables.
///
/// # Panics
/// Panics if the report is no table.
pub fn tabular(table: Option<Table>) -> Table {
    table.expect("only reports with a table offer its formats")
}

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
mod fold_tests {
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
