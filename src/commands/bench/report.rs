//! The report of `perft bench`: the speed of each position, and the comparison with a reference.
//!
//! The same JSON document is printed by `--format json`, written by `--export-json` and saved as a baseline, which
//! [`super::baseline`] reads. The objects in its `results` begin with the fields of hyperfine: see
//! [`crate::output::hyperfine`].

pub use super::bench_result::BenchResult;

use std::io::{self, Write};

use serde::Serialize;

use super::baseline::THIS_PROGRAM;
use super::bench_result::write_results_csv;
use super::page::Page;
use super::plot::{Bar, Panel, Plot};
use super::reference_comparison::ReferenceComparison;
use super::title::title;
use super::trackers::{write_bmf, write_github};
use crate::output::environment::Environment;
use crate::output::numbers::{duration, mega, ratio_text};
use crate::output::table::{Table, escape_markdown};
use crate::output::{INCOMPLETE, Provenance, Report, folded, grouped};
use crate::timing::{Interval, Measure, geometric_mean};

/// A benchmark.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BenchReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The build and the state of the machine.
    pub environment: Environment,
    /// The kind of all times, speeds and ratios: `processor` with one thread, if it is known for every run and in the baseline;
    /// otherwise `wall`.
    pub measure: Measure,
    /// Whether all runs were made. `false` if the command was interrupted.
    pub complete: bool,
    /// Warnings that the figures may be wrong, with advice.
    pub warnings: Vec<String>,
    /// The results, one for each position and contender.
    pub results: Vec<BenchResult>,
    /// The comparison with the reference, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<ReferenceComparison>,
}

impl Report for BenchReport {
    const NAME: &'static str = "bench";
}

impl BenchReport {
    /// Writes text: the settings, a table of the results, the mean speed and the comparison.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for line in self.settings() {
            writeln!(out, "{}", folded(&line, 2))?;
        }
        writeln!(out, "\n{}", self.table().text())?;
        for (contender, mean) in self.mean_speeds() {
            let of = contender.map_or_else(String::new, |contender| format!(" of {contender}"));
            writeln!(out, "\ngeometric mean{of}: {} Mnps", mega(mean))?;
        }
        let Some(comparison) = &self.comparison else { return Ok(()) };
        let compared = format!("Compared with {}, above 1 is faster:", comparison.reference_name);
        writeln!(out, "\n{}\n", folded(&compared, 2))?;
        writeln!(out, "{}\n\n{}", comparison.table().text(), comparison.conclusion())
    }

    /// Writes comma-separated values. The first columns are those of hyperfine.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        write_results_csv(&self.results, Vec::new(), self.measure, out)
    }

    /// Writes Markdown: a table of the results and a table of the comparison.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", self.table().markdown())?;
        writeln!(out, "\n{}.", escape_markdown(&self.settings().join("; ")))?;
        let Some(comparison) = &self.comparison else { return Ok(()) };
        let sentence = escape_markdown(&comparison.sentence());
        writeln!(out, "\n{}\n\n{sentence}", comparison.table().markdown())
    }

    /// Writes a plot of all runs as SVG.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_svg(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(self.plot().svg().as_bytes())
    }

    /// Writes an HTML page with the plot, the tables and the environment.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        let comparison = self.comparison.iter();
        let tables = [self.table()].into_iter().chain(comparison.clone().map(ReferenceComparison::table));
        let compared = comparison.map(ReferenceComparison::sentence);
        Page {
            conclusion: self.conclusions().into_iter().chain(compared).collect(),
            warnings: self.warnings.clone(),
            plot: self.plot(),
            tables: tables.collect(),
            notes: self.environment.details(),
        }
        .write(out)
    }

    /// Writes the speeds as JSON for github-action-benchmark.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_github(&self, out: &mut impl Write) -> io::Result<()> {
        write_github(&self.results, &self.settings(), out)
    }

    /// Writes the speeds in the Bencher Metric Format.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_bmf(&self, out: &mut impl Write) -> io::Result<()> {
        write_bmf(&self.results, out)
    }

    /// Returns the speeds as sentences.
    fn conclusions(&self) -> Vec<String> {
        let means = self.mean_speeds();
        if let ([], [only]) = (&means[..], &self.results[..]) {
            let (position, depth, Interval { low, high }) =
                (only.position.label(), only.depth, only.nodes_per_second_interval);
            let speed = mega(only.nodes_per_second);
            return vec![format!(
                "{position} {depth}: {speed} Mnps (95 % interval: {} to {}).",
                mega(low),
                mega(high)
            )];
        }
        let positions = self.results.len() / means.len().max(1);
        let sentence = |(contender, mean): (Option<&str>, f64)| {
            let of = contender.map_or_else(String::new, |contender| format!("{contender}: "));
            format!("{of}{} Mnps in the geometric mean of {positions} positions.", mega(mean))
        };
        means.into_iter().map(sentence).collect()
    }

    /// Returns a plot with one panel for all positions, or one panel per position if there are several contenders.
    fn plot(&self) -> Plot {
        let mut panels: Vec<Panel> = Vec::new();
        for result in &self.results {
            let position = result.name();
            let (title, label) = match &result.contender {
                Some(contender) => (position, contender.clone()),
                None => ("positions and depths".to_owned(), position),
            };
            match panels.iter_mut().find(|panel| panel.title == title) {
                Some(panel) => {
                    let color = if result.contender.is_some() { panel.bars.len() } else { 0 };
                    panel.bars.push(self.bar(label, color, result));
                }
                None => panels.push(Panel { title, bars: vec![self.bar(label, 0, result)] }),
            }
        }
        let caption = [self.settings(), vec![self.provenance.header.date()]].concat();
        Plot { title: self.title(), caption, panels }
    }

    /// Returns the bar of a result, with its ratio if it is one of two builds.
    fn bar(&self, label: String, color: usize, result: &BenchResult) -> Bar {
        let ratio = |comparison: &ReferenceComparison| match result.contender.as_deref()? {
            THIS_PROGRAM => Some(ratio_text(comparison.ratio(&result.position, result.depth)?.value)),
            _ => Some("1".to_owned()),
        };
        Bar { ratio: self.comparison.as_ref().and_then(ratio), ..Bar::new(label, color, result) }
    }

    fn title(&self) -> String {
        let reference = self.comparison.as_ref().map(|comparison| comparison.reference_name.as_str());
        let programs: Vec<&str> = ["perft"].into_iter().chain(reference).collect();
        let mut positions: Vec<String> = self.results.iter().map(BenchResult::name).collect();
        positions.dedup();
        title(&programs, &positions)
    }

    /// Returns lines about the build, the machine and the settings of the count. The first one says so if runs are
    /// missing.
    fn settings(&self) -> Vec<String> {
        let Provenance { generator, cpu_path, sliders, threads, table_bytes, bulk, .. } = &self.provenance;
        let sliders = sliders.map_or_else(String::new, |method| format!(", sliders by {method}"));
        let table = match *table_bytes {
            0 => "no table".to_owned(),
            bytes => format!("a table of {} bytes, empty before each run", grouped(bytes as u128)),
        };
        let leaves = if *bulk { "bulk counting" } else { "every leaf made" };
        let count =
            format!("{generator}, CPU path {cpu_path}{sliders}, {threads} thread(s), {leaves}, {table}");
        let times = format!("all times are {} time", self.measure.name());
        let incomplete = (!self.complete).then(|| INCOMPLETE.to_owned());
        incomplete
            .into_iter()
            .chain(self.environment.summary(&self.provenance))
            .chain([count, times])
            .collect()
    }

    /// Returns the table of the results. It has a column for the program if there are several.
    fn table(&self) -> Table {
        let has_several = self.results.iter().any(|result| result.contender.is_some());
        let contender = has_several.then_some("program");
        let columns =
            ["depth", "median", "mean ± sd", "min", "max", "Mnps", "95 % interval", "runs", "outliers"];
        let header = ["position"].into_iter().chain(contender).chain(columns);
        let table = Table::new(header, self.results.iter().map(|result| cells(result, has_several)));
        table.named_by(if has_several { 3 } else { 2 })
    }

    /// Returns the geometric mean of the speeds of each contender. Empty if there is only one position.
    fn mean_speeds(&self) -> Vec<(Option<&str>, f64)> {
        let mut contenders: Vec<Option<&str>> = Vec::new();
        for result in &self.results {
            if !contenders.contains(&result.contender.as_deref()) {
                contenders.push(result.contender.as_deref());
            }
        }
        if self.results.len() == contenders.len() {
            return Vec::new();
        }
        let mean = |contender: Option<&'_ str>| {
            let own = self.results.iter().filter(|result| result.contender.as_deref() == contender);
            geometric_mean(own.map(|result| result.nodes_per_second))
        };
        contenders.into_iter().map(|contender| (contender, mean(contender))).collect()
    }
}

/// Returns the row of a result.
fn cells(result: &BenchResult, has_several: bool) -> Vec<String> {
    let speed = result.nodes_per_second_interval;
    let contender = has_several.then(|| result.contender.clone().unwrap_or_default());
    let measured = [
        result.depth.to_string(),
        duration(result.timings.median),
        result.mean_and_deviation(),
        duration(result.timings.min),
        duration(result.timings.max),
        mega(result.nodes_per_second),
        format!("{} .. {}", mega(speed.low), mega(speed.high)),
        result.runs.to_string(),
        result.outliers.len().to_string(),
    ];
    [result.position.label().to_owned()].into_iter().chain(contender).chain(measured).collect()
}
