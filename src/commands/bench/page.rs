//! An HTML page in one file, light or dark, for every width: the conclusion, what limits it, and the charts.

use std::io::{self, Write};

use super::report::BenchReport;
use super::text::{interval_text, ratio_text};
use crate::output::chart::{Row, chart};
use crate::output::join_names;
use crate::output::table::escape_markup;
use crate::timing::{Interval, Measure, Measurement, Ratio, Task};

const STYLE: &str = include_str!("page.css");

const LEGEND: &str = "A small dot is a run; a hollow one at the end of the axis is beyond it. A large dot is the median, \
                      and the whiskers are its 99 % interval. The axes are logarithmic.";

impl BenchReport {
    pub fn write_page(&self, out: &mut impl Write) -> io::Result<()> {
        let title = escape_markup(&self.title());
        writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
        writeln!(out, "<p class=\"conclusion\">{}</p>", marked(&self.conclusion()))?;
        let warnings = self.warnings.iter().map(|warning| format!("warning: {warning}"));
        for problem in self.problems().into_iter().chain(warnings) {
            writeln!(out, "<p class=\"problem\">{}</p>", marked(&problem))?;
        }
        if let Some(reference) = &self.reference_name {
            let line =
                format!("<p class=\"legend\">Above 1 is faster than {}.</p>", escape_markup(reference));
            write_section("Ratios of the speeds", &line, &self.ratio_rows(), Some(1.0), out)?;
        }
        for task in &self.tasks {
            let unit = format!("<p class=\"legend\">{}</p>", self.unit());
            write_section(&task.name(), &unit, &self.speed_rows(task), None, out)?;
        }
        writeln!(out, "<p class=\"legend\">{LEGEND}</p>")?;
        let lines = self.settings().into_iter().chain([self.header.date()]);
        let lines: Vec<String> = lines.map(|line| escape_markup(&line)).collect();
        writeln!(out, "<p class=\"settings\">{}</p>\n</body>\n</html>", lines.join("<br>"))
    }

    fn title(&self) -> String {
        let names: Vec<&str> = self.contenders.iter().map(|contender| contender.name.as_str()).collect();
        format!("Speed of {}", join_names(&names))
    }

    const fn unit(&self) -> &'static str {
        match self.measure {
            Measure::Time => "Million leaf nodes per second",
            Measure::Cpu => "Million leaf nodes per second of processor time",
            Measure::Instructions => "Leaf nodes per instruction",
        }
    }

    fn ratio_rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let several = self.contenders.len() > 2;
        for place in self.tasks.iter().map(Some).chain((self.tasks.len() > 1).then_some(None)) {
            for (colour, contender) in self.contenders.iter().enumerate() {
                let ratio = match place {
                    Some(task) => self.measurement(contender, task).ok().and_then(|result| result.ratio),
                    None => contender.overall,
                };
                let place = place.map_or_else(|| "geometric mean".to_owned(), Task::name);
                let name = if several { format!("{place}, {}", contender.name) } else { place };
                rows.extend(ratio.map(|ratio| ratio_row(name, &ratio, colour)));
            }
        }
        rows
    }

    fn speed_rows(&self, task: &Task) -> Vec<Row> {
        let row = |(colour, result): (usize, &Measurement)| {
            let nodes = result.nodes.0 as f64;
            let scale = if self.measure == Measure::Instructions { 1.0 } else { 1e6 };
            let costs = result.timings.measurements.iter().filter_map(|run| run.cost(self.measure));
            let [cost, speed] = self.cost_cells(result);
            let interval = result.nodes_per_second_interval.filter(|_| scale > 1.0);
            Row {
                name: result.contender.clone(),
                figures: format!("{speed} ({cost})"),
                colour,
                runs: costs.map(|cost| nodes / cost.max(1e-9) / scale).collect(),
                median: nodes / result.median_cost(self.measure).max(1e-9) / scale,
                interval: interval.map(|Interval { low, high }| (low / scale, high / scale)),
            }
        };
        let contenders = self.contenders.iter().enumerate();
        let results = contenders
            .filter_map(|(colour, contender)| Some((colour, self.measurement(contender, task).ok()?)));
        results.map(row).collect()
    }
}

fn ratio_row(name: String, ratio: &Ratio, colour: usize) -> Row {
    let interval =
        ratio.interval.map_or_else(String::new, |interval| format!(" ({})", interval_text(interval)));
    Row {
        name,
        figures: ratio_text(ratio) + &interval,
        colour,
        runs: Vec::new(),
        median: ratio.value,
        interval: ratio.interval.map(|Interval { low, high }| (low, high)),
    }
}

fn write_section(
    title: &str,
    line: &str,
    rows: &[Row],
    marked: Option<f64>,
    out: &mut impl Write,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let svg = chart(rows, marked, title);
    writeln!(out, "<section>\n<h2>{}</h2>\n{line}\n{svg}</section>", escape_markup(title))
}

/// Returns text as markup that keeps the parts of a flag on one line.
fn marked(text: &str) -> String {
    let whole = |word: &str| match word.starts_with("--") {
        true => format!("<span class=\"flag\">{word}</span>"),
        false => word.to_owned(),
    };
    escape_markup(text).split(' ').map(whole).collect::<Vec<String>>().join(" ")
}
