//! An HTML page with a conclusion, a plot, tables and notes, in one file. It fits screens and phones, light and dark.

use std::io::{self, Write};

use super::plot::Layout;
use super::report::BenchReport;
use super::text::Block;
use crate::output::table::escape_markup;

const STYLE: &str = include_str!("page.css");

impl BenchReport {
    /// Writes the page.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_page(&self, out: &mut impl Write) -> io::Result<()> {
        let plot = self.plot();
        let title = escape_markup(&plot.title);
        writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
        writeln!(out, "<p class=\"conclusion\">{}</p>", escape_markup(&self.conclusions().join(" ")))?;
        for warning in &self.warnings {
            writeln!(out, "<p class=\"warning\">Warning: {}.</p>", escape_markup(warning))?;
        }
        let settings: Vec<String> = plot.caption.iter().map(|line| escape_markup(line)).collect();
        writeln!(out, "<p class=\"settings\">{}</p>", settings.join("<br>"))?;
        // Screen readers skip the plot: the tables contain the same data.
        for (class, layout) in [("wide", Layout::WIDE), ("narrow", Layout::NARROW)] {
            let svg = plot.svg(layout);
            writeln!(out, "<figure class=\"{class}\" aria-hidden=\"true\">\n{svg}</figure>")?;
        }
        let mut notes = Vec::new();
        for block in self.blocks() {
            match block {
                Block::Table(table) => table.write_html(out)?,
                Block::List(lines) => notes.extend(lines),
                Block::Paragraph(_) => {}
            }
        }
        writeln!(out, "<ul>")?;
        for note in notes.iter().chain(&self.environment.details()) {
            writeln!(out, "<li>{}</li>", escape_markup(note))?;
        }
        writeln!(out, "</ul>\n</body>\n</html>")
    }
}
