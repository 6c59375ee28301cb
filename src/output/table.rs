//! Tables: the same rows as aligned text, Markdown or comma-separated values. And texts that are folded between words.

use std::io::{self, Write};

use comfy_table::{CellAlignment, TableStyle, presets};
use console::Term;
use perft_core::Position;
use perft_diagnosis::lines::visible;

/// The blanks between two columns of text.
const GAP: usize = 2;

/// A table with a header. The columns that name a row are aligned to the left, the others to the right.
#[derive(Clone, Debug)]
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// The number of columns at the left that name a row.
    pub names: usize,
}

impl Table {
    pub fn new<H: Into<String>>(
        header: impl IntoIterator<Item = H>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Table {
        Table {
            header: header.into_iter().map(H::into).collect(),
            rows: rows.into_iter().collect(),
            names: 1,
        }
    }

    /// Returns the table with this number of columns at the left that name a row.
    pub fn named_by(self, names: usize) -> Table {
        Table { names, ..self }
    }

    /// Returns aligned columns without borders. Columns that do not fit into the width of a text follow in further
    /// tables, each with the names of the rows.
    pub fn text(&self) -> String {
        let parts: Vec<String> =
            self.parts().iter().map(|columns| self.only(columns).text_in_one()).collect();
        parts.join("\n\n")
    }

    /// Returns the columns of each table of [`Table::text`].
    fn parts(&self) -> Vec<Vec<usize>> {
        let names: Vec<usize> = (0..self.names).collect();
        let names_width: usize = names.iter().map(|&column| self.width(column)).sum();
        let mut parts = vec![names.clone()];
        let mut width = names_width;
        for column in self.names..self.header.len() {
            let is_first = parts.last().is_some_and(|part| part.len() == self.names);
            if width + self.width(column) > text_width() + GAP && !is_first {
                parts.push(names.clone());
                width = names_width;
            }
            width += self.width(column);
            parts.last_mut().expect("there is always a part").push(column);
        }
        parts
    }

    pub fn text_width(&self) -> usize {
        (0..self.header.len()).map(|column| self.width(column)).sum::<usize>() - GAP
    }

    /// Returns the width of a column of text, including the blanks after it.
    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| &row[column]).chain([&self.header[column]]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0) + GAP
    }

    fn only(&self, columns: &[usize]) -> Table {
        let chosen = |cells: &[String]| columns.iter().map(|&column| cells[column].clone()).collect();
        let rows = self.rows.iter().map(|row| chosen(row)).collect();
        Table { header: chosen(&self.header), rows, names: self.names }
    }

    /// Returns aligned columns without borders, of any width.
    pub fn text_in_one(&self) -> String {
        let mut table = self.aligned(presets::NOTHING);
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_padding((if index == 0 { 0 } else { 1 }, 1));
        }
        table.trim_fmt()
    }

    pub fn markdown(&self) -> String {
        let escaped = |cells: &[String]| cells.iter().map(|cell| escape_markdown(cell)).collect();
        let rows = self.rows.iter().map(|row| escaped(row)).collect();
        let table = Table { header: escaped(&self.header), rows, names: self.names };
        table.aligned(presets::ASCII_MARKDOWN).to_string()
    }

    fn aligned(&self, style: TableStyle) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        table.load_style(style).set_header(&self.header).add_rows(&self.rows);
        for column in table.column_iter_mut().skip(self.names) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }

    /// Returns the table with a first column for the position that its rows are about.
    pub fn of_position(mut self, position: &Position) -> Table {
        self.header.insert(0, "fen".to_owned());
        self.rows.iter_mut().for_each(|row| row.insert(0, position.to_string()));
        self
    }

    /// Writes comma-separated values with a header.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        csv::Writer::from_writer(&mut *out).write_record(&self.header)?;
        self.write_csv_rows(out)
    }

    /// Writes comma-separated values without a header.
    pub fn write_csv_rows(&self, out: &mut impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        self.rows.iter().try_for_each(|row| csv.write_record(row.iter().map(|cell| csv_cell(cell))))?;
        csv.flush()
    }
}

/// Returns a cell of comma-separated values. A spreadsheet would evaluate a text that begins like a formula, so an
/// apostrophe is put before it.
fn csv_cell(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
    let mark = if is_formula { "'" } else { "" };
    format!("{mark}{}", visible(cell))
}

/// Escapes the characters that have a meaning in Markdown, in a line or in the cell of a table. An empty comment breaks
/// addresses, and names of users and issues, which would become links.
pub fn escape_markdown(text: &str) -> String {
    let mut escaped = String::new();
    for letter in visible(text).chars() {
        if "\\`|<>&[]*~".contains(letter) {
            escaped.push('\\');
        }
        if letter == '/' && escaped.ends_with(':') || letter == '.' && escaped.ends_with("www") {
            escaped += "<!-- -->";
        }
        escaped.push(if letter == '\n' { ' ' } else { letter });
        if "@#".contains(letter) {
            escaped += "<!-- -->";
        }
    }
    escaped
}

/// Escapes the characters that have a meaning in the text of HTML.
pub fn escape_markup(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The largest width of a text, in columns. Longer lines are hard to read.
const WIDTH: usize = 80;

/// Returns the width to which results are folded: that of the terminal, up to [`WIDTH`] columns.
pub fn text_width() -> usize {
    width_of(&Term::stdout()).map_or(WIDTH, |columns| columns.min(WIDTH))
}

/// Returns the width of a terminal in columns. Without a terminal, the variable `COLUMNS` has it, if it is set.
fn width_of(terminal: &Term) -> Option<usize> {
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.size_checked().map(|(_, columns)| usize::from(columns)).or_else(variable)
}

/// Returns a text folded at blanks to [`text_width`] columns. All lines after the first begin with `indent` blanks. Nothing
/// is cut: a word that is too long gets its own line.
pub fn folded(text: &str, indent: usize) -> String {
    folded_to(text, indent, text_width())
}

/// Like [`folded`], to this number of columns.
pub fn folded_to(text: &str, indent: usize, columns: usize) -> String {
    let options = textwrap::Options::new(columns.saturating_sub(indent))
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    let lines: Vec<_> = text.lines().flat_map(|paragraph| textwrap::wrap(paragraph, &options)).collect();
    lines.join(&format!("\n{:indent$}", "")).replace(UNBROKEN, " ")
}

/// A blank at which a text is not folded.
const UNBROKEN: char = '\u{a0}';

/// Returns a text that stays on one line when it is folded, such as a FEN, so that it can be copied.
pub fn unbroken(text: &str) -> String {
    text.replace(' ', &UNBROKEN.to_string())
}

/// Returns a message on standard error folded to the width of the terminal or to the variable `COLUMNS`, less the
/// `taken` columns before it. Without a terminal and the variable, the message is not folded, because a program may
/// read it.
pub fn folded_message(text: &str, taken: usize) -> String {
    width_of(&Term::stderr())
        .map_or(text.to_owned(), |columns| folded_to(text, 0, columns.saturating_sub(taken)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_to_the_right() {
        let table = Table::new(["m", "nodes"], [vec!["a2a3".to_owned(), "20".to_owned()]]);
        assert_eq!(table.text(), "m     nodes\na2a3     20");
        assert_eq!(table.markdown(), "| m    | nodes |\n|------|-------|\n| a2a3 |    20 |");
    }

    #[test]
    fn columns_beyond_the_width_follow_in_another_table() {
        let row =
            |name: &str, cell: &str| vec![name.to_owned(), cell.repeat(40), cell.repeat(31), cell.repeat(9)];
        let table = Table::new(["name", "a", "b", "c"], [row("x", "1"), row("y", "2")]);
        let text = table.text();
        assert_eq!(text.lines().map(|line| line.chars().count()).max(), Some(79), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[3..], ["", "name          c", "x     111111111", "y     222222222"]);
        let named = table.named_by(2).text();
        assert!(named.lines().last().unwrap().starts_with(&format!("y     {}  ", "2".repeat(40))), "{named}");
        assert!(!named.contains(&"1".repeat(32)) || named.matches(&"1".repeat(40)).count() == 2, "{named}");
    }

    #[test]
    fn markup_is_escaped_and_control_characters_are_visible() {
        assert_eq!(escape_markup("\u{1b}<a> & b"), "\\x1b&lt;a&gt; &amp; b");
    }

    #[test]
    fn markdown_keeps_its_columns_and_has_no_links() {
        let table = Table::new(["a|b"], [vec!["[x](y) <img> `".to_owned()]]).markdown();
        assert!(table.contains("| a\\|b ") && table.contains("| \\[x\\](y) \\<img\\> \\` |"), "{table}");
        let text = escape_markdown("https://a.b www.c.d @octocat owner/repo#1");
        assert_eq!(text, "https:<!-- -->//a.b www<!-- -->.c.d @<!-- -->octocat owner/repo#<!-- -->1");
    }

    #[test]
    fn texts_are_no_formulas() {
        for (cell, written) in
            [("=1+1", "'=1+1"), ("@a", "'@a"), ("-x", "'-x"), ("-1.5", "-1.5"), ("+20", "+20")]
        {
            assert_eq!(csv_cell(cell), written);
        }
    }

    #[test]
    fn values_with_a_comma_are_quoted() {
        let table = Table::new(["move", "nodes"], [vec!["a2a3".to_owned(), "8,902".to_owned()]]);
        let mut out = Vec::new();
        table.write_csv(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "move,nodes\na2a3,\"8,902\"\n");
    }
}

#[cfg(test)]
mod fold_tests {
    use super::*;

    #[test]
    fn texts_are_folded_and_nothing_is_cut() {
        let text = format!("{} end\nlast line", "word ".repeat(30).trim_end());
        let shown = folded_to(&text, 10, WIDTH);
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
