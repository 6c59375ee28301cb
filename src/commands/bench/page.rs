//! An HTML page with a conclusion, a plot, tables and notes, in one file, light or dark. On a small screen, the plot
//! and the tables can be scrolled.

use std::io::{self, Write};

use super::listed::listed;
use super::report::BenchReport;
use super::tasks::TaskInfo;
use super::text::Block;
use crate::output::table::escape_markup;

const STYLE: &str = include_str!("page.css");

impl BenchReport {
    pub fn write_page(&self, out: &mut impl Write) -> io::Result<()> {
        let title = escape_markup(&self.title());
        writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
        writeln!(out, "<p class=\"conclusion\">{}</p>", escape_markup(&self.conclusions().join(" ")))?;
        for warning in &self.warnings {
            writeln!(out, "<p class=\"warning\">Warning: {}.</p>", escape_markup(warning))?;
        }
        let legend = (self.contenders.len() > 1).then(|| self.legend());
        let lines = self.settings().into_iter().chain([self.provenance.header.date()]).chain(legend);
        let lines: Vec<String> = lines.map(|line| escape_markup(&line)).collect();
        writeln!(out, "<p class=\"settings\">{}</p>", lines.join("<br>"))?;
        // Screen readers skip the plot: the tables contain the same data.
        writeln!(out, "<figure aria-hidden=\"true\">\n{}</figure>", self.plot().svg())?;
        let mut notes = Vec::new();
        for block in self.blocks() {
            match block {
                Block::Table(table) => table.write_html(out)?,
                Block::List(lines) => notes.extend(lines),
                Block::Paragraph(_) => {}
            }
        }
        writeln!(out, "<ul>")?;
        for note in &notes {
            writeln!(out, "<li>{}</li>", escape_markup(note))?;
        }
        writeln!(out, "</ul>\n</body>\n</html>")
    }

    fn title(&self) -> String {
        let positions: Vec<String> = self.tasks.iter().map(TaskInfo::name).collect();
        let names: Vec<&str> = self.contenders.iter().map(|of| of.contender.name.as_str()).collect();
        let programs = if names.len() == 1 { "perft".to_owned() } else { listed(&names) };
        format!("Speed of {programs}: {}", listed(&positions))
    }
}
