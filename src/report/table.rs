//! Tables: the same rows as aligned text, Markdown, HTML or comma-separated values.

use std::io::{self, Write};

use comfy_table::{CellAlignment, TableStyle, presets};

/// A table with a header. The first column is aligned to the left, the others to the right.
pub(super) struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Makes a table of these rows.
    pub fn new<H: Into<String>>(
        header: impl IntoIterator<Item = H>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Table {
        Table { header: header.into_iter().map(H::into).collect(), rows: rows.into_iter().collect() }
    }

    /// Returns aligned columns without borders.
    pub fn text(&self) -> String {
        let mut table = self.aligned(presets::NOTHING);
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_padding((if index == 0 { 0 } else { 1 }, 1));
        }
        table.trim_fmt()
    }

    /// Returns a Markdown table.
    pub fn markdown(&self) -> String {
        self.aligned(presets::ASCII_MARKDOWN).to_string()
    }

    fn aligned(&self, style: TableStyle) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        table.load_style(style).set_header(&self.header).add_rows(&self.rows);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }

    /// Writes an HTML table.
    pub fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        let row = |cells: &[String], tag: &str| {
            let cells: Vec<String> =
                cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape_markup(cell))).collect();
            format!("<tr>{}</tr>", cells.concat())
        };
        writeln!(out, "<div class=\"table\"><table>\n{}", row(&self.header, "th"))?;
        self.rows.iter().try_for_each(|cells| writeln!(out, "{}", row(cells, "td")))?;
        writeln!(out, "</table></div>")
    }

    /// Writes comma-separated values with a header.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(&self.header)?;
        self.rows.iter().try_for_each(|row| csv.write_record(row))?;
        csv.flush()
    }
}

/// Escapes the characters that have a meaning in HTML and XML, and removes the control characters that XML does not allow.
pub(super) fn escape_markup(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\u{FFFE}' | '\u{FFFF}' => {}
            _ if letter.is_ascii_control() => {}
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table::new(["move", "nodes"], [vec!["a2a3".to_owned(), "8,902".to_owned()]])
    }

    #[test]
    fn numbers_are_aligned_to_the_right() {
        let table = Table::new(["m", "nodes"], [vec!["a2a3".to_owned(), "20".to_owned()]]);
        assert_eq!(table.text(), "m     nodes\na2a3     20");
        assert_eq!(table.markdown(), "| m    | nodes |\n|------|-------|\n| a2a3 |    20 |");
    }

    #[test]
    fn markup_is_escaped_and_control_characters_are_removed() {
        assert_eq!(escape_markup("\u{1b}<a> & \"b\"\n"), "&lt;a&gt; &amp; &quot;b&quot;&#10;");
    }

    #[test]
    fn values_with_a_comma_are_quoted() {
        let mut out = Vec::new();
        table().write_csv(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "move,nodes\na2a3,\"8,902\"\n");
    }
}
