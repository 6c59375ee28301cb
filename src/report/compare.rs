//! The report of `perft compare`: one row per contender, one column per position.
//!
//! The JSON has the same `results` as that of a benchmark, one for each position and contender, so that the same tools
//! can read it. `contenders` describes the contenders and compares each with the reference: see [`super::contender`].

use std::io::{self, Write};

use serde::Serialize;

use super::bench_result::{BenchResult, write_results_csv};
use super::contender::{Contender, ContenderResult, MeasureOutcome, PositionResult, Runs, known_measure};
use super::environment::Environment;
use super::numbers::mega;
use super::page::Page;
use super::plot::{Bar, Panel, Plot};
use super::reference_comparison::measure_name;
use super::table::Table;
use super::trackers::{write_bmf, write_github};
use super::{INCOMPLETE, Provenance, Report, folded};
use crate::bench::{GateResult, Interval, Measure, Measured, Ratio, Task};

/// A comparison of several contenders.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CompareReport {
    /// The machine and how leaves were counted. The settings of each contender are in `contenders`.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The build and the state of the machine.
    pub environment: Environment,
    /// The name of the contender that ratios are computed to.
    pub reference_name: String,
    /// The time that ratios are computed from: `wall`, or `processor` if all contenders are built in and have one thread.
    pub measure: &'static str,
    /// How much slower than the reference the others may be: 0.05 for five percent. `None` if no bound was given.
    pub max_regression: Option<f64>,
    /// Whether all runs were made. `false` if the command was interrupted.
    pub complete: bool,
    /// The contenders, in the order of the command line.
    pub contenders: Vec<ContenderResult>,
    /// The results, one for each position and contender that counts it.
    pub results: Vec<BenchResult>,
}

impl Report for CompareReport {
    const NAME: &'static str = "compare";
}

impl CompareReport {
    /// Makes a report of the runs of several contenders. `reference` is the index of the reference.
    ///
    /// # Panics
    /// There is no contender with that index, or a position without its runs.
    pub fn new(
        provenance: Provenance,
        environment: Environment,
        contenders: Vec<Contender>,
        tasks: &[Task],
        measured: &[Measured],
        reference: usize,
        measure: Measure,
    ) -> CompareReport {
        let measure = known_measure(measured, measure);
        let runs = Runs { contenders: &contenders, tasks, measured, reference, measure };
        let (compared, results): (Vec<_>, Vec<_>) =
            (0..contenders.len()).map(|contender| runs.results(contender)).unzip();
        CompareReport {
            provenance,
            environment,
            reference_name: contenders[reference].name.clone(),
            measure: measure_name(measure),
            max_regression: None,
            complete: measured.iter().all(Measured::is_complete),
            contenders: compared,
            results: results.concat(),
        }
    }

    /// Says if it is slower than allowed, for each contender except the reference. `allowed` says how much slower they
    /// may be: 0.05 for five percent.
    pub fn judged(mut self, allowed: f64) -> CompareReport {
        let reference = &self.reference_name;
        for result in self.contenders.iter_mut().filter(|result| result.contender.name != *reference) {
            result.gate = result.overall.map(|ratio| ratio.gate(allowed));
        }
        CompareReport { max_regression: Some(allowed), ..self }
    }

    /// Whether a contender is certainly slower than allowed.
    pub fn has_slower(&self) -> bool {
        self.contenders.iter().any(|result| result.gate == Some(GateResult::Slower))
    }

    /// Whether a contender counted wrong.
    pub fn has_wrong_counts(&self) -> bool {
        self.has_outcome(MeasureOutcome::Wrong)
    }

    /// Whether a contender gave no count.
    pub fn has_failures(&self) -> bool {
        self.has_outcome(MeasureOutcome::Failed)
    }

    fn has_outcome(&self, outcome: MeasureOutcome) -> bool {
        let mut positions = self.contenders.iter().flat_map(|result| &result.results);
        positions.any(|position| position.outcome == outcome)
    }

    /// Writes text: the speeds, the times, the contenders, and what went wrong.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for line in self.settings() {
            writeln!(out, "{}", folded(&line, 2))?;
        }
        writeln!(out, "\n{}\n\n{}\n", self.speeds().text(), folded(&self.legend(), 0))?;
        writeln!(out, "{}\n", self.times().text())?;
        self.notes().iter().try_for_each(|note| writeln!(out, "{}", folded(note, 2)))
    }

    /// Writes comma-separated values, one line for each contender and position.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let untimed = self.contenders.iter().flat_map(ContenderResult::untimed_rows).collect();
        write_results_csv(&self.results, untimed, out)
    }

    /// Writes Markdown with the same tables as the text.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.speeds().markdown())?;
        writeln!(out, "{} {}.\n", self.legend(), self.settings().join("; "))?;
        writeln!(out, "{}\n", self.times().markdown())?;
        self.notes().iter().try_for_each(|note| writeln!(out, "- {note}"))
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
        Page {
            conclusion: self.conclusions(),
            plot: self.plot(),
            tables: vec![self.speeds(), self.times()],
            notes: [vec![self.legend()], self.notes(), self.environment.details()].concat(),
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

    /// Returns what the comparison shows: which contender is the fastest, and by how much.
    fn conclusions(&self) -> Vec<String> {
        let mut timed: Vec<(&ContenderResult, f64)> =
            self.contenders.iter().filter_map(|result| Some((result, result.nodes_per_second?))).collect();
        timed.sort_by(|a, b| b.1.total_cmp(&a.1));
        let [(first, speed), others @ ..] = &timed[..] else { return Vec::new() };
        let over = match self.columns().len() {
            1 => String::new(),
            several => format!(" in the geometric mean of {several} positions"),
        };
        let mut all = vec![format!("{} is the fastest: {} Mnps{over}.", first.contender.name, mega(*speed))];
        if let Some((second, other)) = others.first() {
            let name = &second.contender.name;
            all.push(format!(
                "It is {} times as fast as {name}{}.",
                factor(speed / other),
                self.bounds(first, second)
            ));
        }
        if let [.., (last, slowest)] = others
            && others.len() > 1
        {
            all.push(format!(
                "It is {} times as fast as {}, the slowest.",
                factor(speed / slowest),
                last.contender.name
            ));
        }
        all
    }

    /// Returns the 95 % interval of the ratio of a contender to another, in brackets, if one of them is the reference.
    fn bounds(&self, first: &ContenderResult, second: &ContenderResult) -> String {
        let is_reference = |result: &ContenderResult| result.contender.name == self.reference_name;
        let interval = match (first.overall, second.overall) {
            (Some(ratio), _) if is_reference(second) => ratio.interval,
            (_, Some(ratio)) if is_reference(first) => {
                let Interval { low, high } = ratio.interval;
                Interval { low: 1.0 / high, high: 1.0 / low }
            }
            _ => return String::new(),
        };
        format!(" (95 % interval: {:.3} to {:.3})", interval.low, interval.high)
    }

    /// Returns a plot with a panel of mean speeds, and then one panel per position. The fastest bar of each is first.
    fn plot(&self) -> Plot {
        let panel = |title: String, bar: &dyn Fn(&ContenderResult) -> Bar| {
            let bars = self.contenders.iter().enumerate().map(|(color, result)| Bar { color, ..bar(result) });
            Panel::sorted(title, bars.collect())
        };
        let means = panel("geometric mean".to_owned(), &mean_bar);
        let positions = self.columns().into_iter().enumerate().map(|(index, title)| {
            panel(title, &|result: &ContenderResult| self.position_bar(result, &result.results[index]))
        });
        Plot {
            title: "Speed of perft: comparison".to_owned(),
            caption: self.settings(),
            panels: [means].into_iter().chain(positions).collect(),
        }
    }

    /// Returns the bar of a contender in a position.
    fn position_bar(&self, of: &ContenderResult, position: &PositionResult) -> Bar {
        let name = &of.contender.name;
        let found = self.results.iter().find(|result| {
            (result.contender.as_ref(), &result.position, result.depth)
                == (Some(name), &position.position, position.depth)
        });
        match found {
            Some(result) => Bar::new(name.clone(), 0, result),
            None => Bar { speed: None, remark: position.outcome.name().to_owned(), ..mean_bar(of) },
        }
    }

    /// Returns lines about the build, the machine and the settings that all contenders share. The first one says so if runs
    /// are missing.
    fn settings(&self) -> Vec<String> {
        let leaves =
            if self.provenance.bulk { "bulk counting, no table" } else { "every leaf made, no table" };
        let incomplete = (!self.complete).then(|| INCOMPLETE.to_owned());
        let settings = self.environment.summary(&self.provenance);
        incomplete.into_iter().chain(settings).chain([leaves.to_owned()]).collect()
    }

    /// Returns the explanation of the columns.
    fn legend(&self) -> String {
        format!(
            "Mnps: millions of leaf nodes per second, from the median time. Ratio: of speeds by {} time to {}, above 1 is \
             faster.",
            self.measure, self.reference_name
        )
    }

    /// Returns lines that describe the contenders, what went wrong, and who is slower than allowed.
    fn notes(&self) -> Vec<String> {
        let of_contender = |result: &ContenderResult| {
            let conclusion = result.gate.map(|gate| self.conclusion(&result.contender.name, gate));
            result.notes().into_iter().chain(conclusion)
        };
        self.contenders.iter().flat_map(of_contender).collect()
    }

    /// Returns in words whether a contender is slower than allowed.
    fn conclusion(&self, name: &str, gate: GateResult) -> String {
        let conclusion = match gate {
            GateResult::Slower => "slower",
            GateResult::Unsure => "not shown to be slower",
            GateResult::Fine => "not slower",
        };
        let percent = 100.0 * self.max_regression.unwrap_or_default();
        format!("{name}: {conclusion} than {} by more than {percent} %", self.reference_name)
    }

    /// Returns the positions with their depths.
    fn columns(&self) -> Vec<String> {
        let positions = self.contenders.first().map_or(&[][..], |result| &result.results);
        positions.iter().map(|position| format!("{} {}", position.position.label(), position.depth)).collect()
    }

    /// Returns the table of speeds and ratios.
    fn speeds(&self) -> Table {
        let means = ["geometric mean", "ratio", "95 % interval"].map(str::to_owned);
        let header = ["Mnps".to_owned()].into_iter().chain(self.columns()).chain(means);
        let row = |result: &ContenderResult| {
            let cell = |position: &PositionResult| {
                position.nodes_per_second.map_or_else(|| position.outcome.name().to_owned(), mega)
            };
            let (ratio, interval) = match result.overall {
                Some(_) if result.contender.name == self.reference_name => ("1".to_owned(), String::new()),
                Some(Ratio { value, interval }) => {
                    (format!("{value:.4}"), format!("{:.4} .. {:.4}", interval.low, interval.high))
                }
                None => ("-".to_owned(), String::new()),
            };
            let mean = result.nodes_per_second.map_or_else(|| "-".to_owned(), mega);
            [result.contender.name.clone()]
                .into_iter()
                .chain(result.results.iter().map(cell))
                .chain([mean, ratio, interval])
                .collect()
        };
        Table::new(header, self.contenders.iter().map(row))
    }

    /// Returns the table of times.
    fn times(&self) -> Table {
        let row = |result: &ContenderResult| {
            let times = result.results.iter().map(|position| position.time.clone());
            [result.contender.name.clone()].into_iter().chain(times).collect()
        };
        let header = ["mean time ± sd".to_owned()].into_iter().chain(self.columns());
        Table::new(header, self.contenders.iter().map(row))
    }
}

/// Returns a factor with three digits.
fn factor(factor: f64) -> String {
    match factor {
        ..10.0 => format!("{factor:.2}"),
        10.0..100.0 => format!("{factor:.1}"),
        _ => format!("{factor:.0}"),
    }
}

/// Returns the bar of the mean speed of a contender.
fn mean_bar(result: &ContenderResult) -> Bar {
    Bar {
        label: result.contender.name.clone(),
        color: 0,
        speed: result.nodes_per_second,
        interval: None,
        runs: Vec::new(),
        remark: "not in all positions".to_owned(),
    }
}
