//! An HTML page with a conclusion, a plot, tables and notes, in one file. It fits screens and phones, light and dark.

use std::io::{self, Write};

use super::plot::{Layout, Plot};
use crate::output::table::{Table, escape_markup};

/// The content of a page.
pub struct Page {
    /// The conclusions from the measurement, as sentences.
    pub conclusion: Vec<String>,
    /// The reasons to doubt the conclusions, as sentences without a full stop.
    pub warnings: Vec<String>,
    /// The plot. Its title is that of the page, and its caption is below the conclusion.
    pub plot: Plot,
    pub tables: Vec<Table>,
    /// The items of the list below the tables.
    pub notes: Vec<String>,
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
       color: #24292f; background: #fff; }
h1 { line-height: 1.2; font-size: 1.7em; overflow-wrap: anywhere; }
.conclusion { font-size: 1.2em; max-width: 46rem; overflow-wrap: anywhere; }
.warning { border-left: 4px solid #d29922; padding-left: .75rem; max-width: 46rem; overflow-wrap: anywhere; }
.settings { opacity: .75; overflow-wrap: anywhere; }
figure { margin: 1.5rem 0; break-inside: avoid; }
svg { display: block; max-width: 100%; height: auto; }
.narrow { display: none; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1.5rem 0;
        display: block; overflow-x: auto; }
th, td { padding: .25rem .5rem; text-align: right; border-bottom: 1px solid #8886; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
ul { padding-left: 1.2rem; }
li { overflow-wrap: anywhere; }
@media (max-width: 760px) {
  body { margin: 1rem auto; }
  .wide { display: none; }
  .narrow { display: block; }
}
/* Each row is a list with the names of the columns, so that no column is cut off. */
@media screen and (max-width: 900px) {
  thead { display: none; }
  table, tbody, tr { display: block; }
  tr { padding: .5rem 0; border-bottom: 1px solid #8886; }
  td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: 0;
       white-space: normal; overflow-wrap: anywhere; }
  td::before { content: attr(data-column); opacity: .75; white-space: nowrap; }
  td:empty { display: none; }
}
@media print {
  body { margin: 0; max-width: none; }
  .wide { display: block; }
  .narrow { display: none; }
  table { break-inside: avoid; }
  th, td { white-space: normal; }
}
@media screen and (prefers-color-scheme: dark) { body { color: #e6edf3; background: #0d1117; } }
";

impl Page {
    /// Writes the page.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let title = escape_markup(&self.plot.title);
        writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
        writeln!(out, "<p class=\"conclusion\">{}</p>", escape_markup(&self.conclusion.join(" ")))?;
        for warning in &self.warnings {
            writeln!(out, "<p class=\"warning\">Warning: {}.</p>", escape_markup(warning))?;
        }
        let settings: Vec<String> = self.plot.caption.iter().map(|line| escape_markup(line)).collect();
        writeln!(out, "<p class=\"settings\">{}</p>", settings.join("<br>"))?;
        // Screen readers skip the plot: the tables contain the same data.
        for (class, layout) in [("wide", Layout::WIDE), ("narrow", Layout::NARROW)] {
            let svg = self.plot.svg_without_title(layout);
            writeln!(out, "<figure class=\"{class}\" aria-hidden=\"true\">\n{svg}</figure>")?;
        }
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
        let plot =
            Plot { title: "a < b".to_owned(), caption: vec!["<machine>".to_owned()], panels: Vec::new() };
        let page = Page {
            conclusion: vec!["a is > b".to_owned()],
            warnings: vec!["<busy>".to_owned()],
            plot,
            tables: vec![Table::new(["<h>"], [vec!["a & b".to_owned()]])],
            notes: vec!["\"x\"".to_owned()],
        };
        let mut out = Vec::new();
        page.write(&mut out).unwrap();
        let html = String::from_utf8(out).unwrap();
        for part in [
            "<h1>a &lt; b</h1>",
            "<p class=\"conclusion\">a is &gt; b</p>",
            "<title>a &lt; b</title>",
            "<p class=\"warning\">Warning: &lt;busy&gt;.</p>",
            "<p class=\"settings\">&lt;machine&gt;</p>",
            "<th>&lt;h&gt;</th>",
            "<td data-column=\"&lt;h&gt;\">a &amp; b</td>",
            "<li>&quot;x&quot;</li>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
