//! A result as one page of HTML that needs nothing else: the plot, the tables, and what the figures hold for.

use std::io::{self, Write};

/// What is on the page.
pub(super) struct Page {
    pub title: String,
    /// The plot.
    pub svg: String,
    pub tables: Vec<PageTable>,
    /// What else is to be said, an item a line.
    pub notes: Vec<String>,
}

/// A table: a row a line, numbers to the right.
pub(super) struct PageTable {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
       color: #24292f; background: #fff; }
figure { margin: 0; overflow-x: auto; }
.table { overflow-x: auto; margin: 1.5rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; text-align: right; border-bottom: 1px solid #8886; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
li { overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { body { color: #e6edf3; background: #0d1117; } }
";

impl Page {
    /// Writes the page.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let title = escaped(&self.title);
        writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
        writeln!(out, "<figure>\n{}</figure>", self.svg)?;
        self.tables.iter().try_for_each(|table| table.write(out))?;
        writeln!(out, "<ul>")?;
        for note in &self.notes {
            writeln!(out, "<li>{}</li>", escaped(note))?;
        }
        writeln!(out, "</ul>\n</body>\n</html>")
    }
}

impl PageTable {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let row = |cells: &[String], tag: &str| {
            let cells: Vec<String> =
                cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
            format!("<tr>{}</tr>", cells.concat())
        };
        writeln!(out, "<div class=\"table\"><table>\n{}", row(&self.header, "th"))?;
        self.rows.iter().try_for_each(|cells| writeln!(out, "{}", row(cells, "td")))?;
        writeln!(out, "</table></div>")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let table = PageTable { header: vec!["<h>".to_owned()], rows: vec![vec!["a & b".to_owned()]] };
        let page = Page {
            title: "a < b".to_owned(),
            svg: "<svg/>\n".to_owned(),
            tables: vec![table],
            notes: vec!["\"x\"".to_owned()],
        };
        let mut out = Vec::new();
        page.write(&mut out).unwrap();
        let html = String::from_utf8(out).unwrap();
        for part in [
            "<h1>a &lt; b</h1>",
            "<svg/>",
            "<th>&lt;h&gt;</th>",
            "<td>a &amp; b</td>",
            "<li>&quot;x&quot;</li>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
