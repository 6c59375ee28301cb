//! An HTML page with a plot, tables and notes, in one file.

use std::io::{self, Write};

use super::table::{Table, escape_markup};

/// The content of a page.
pub(super) struct Page {
    pub title: String,
    /// The plot as SVG.
    pub svg: String,
    pub tables: Vec<Table>,
    /// The items of the list below the tables.
    pub notes: Vec<String>,
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
        let title = escape_markup(&self.title);
        writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
        writeln!(out, "<figure>\n{}</figure>", self.svg)?;
        self.tables.iter().try_for_each(|table| table.write_html(out))?;
        writeln!(out, "<ul>")?;
        for note in &self.notes {
            writeln!(out, "<li>{}</li>", escape_markup(note))?;
        }
        writeln!(out, "</ul>\n</body>\n</html>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let page = Page {
            title: "a < b".to_owned(),
            svg: "<svg/>\n".to_owned(),
            tables: vec![Table::new(["<h>"], [vec!["a & b".to_owned()]])],
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
