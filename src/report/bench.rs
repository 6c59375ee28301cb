//! A benchmark: one result a position and program, and how it compares with another.
//!
//! The JSON is one document for everything: what `--format json` prints, what `--export-json` writes and what a baseline
//! is. Its `results` have the fields that hyperfine's have ([`super::hyperfine`]); the fields of our own come behind them. [`super::baseline`] reads it again.

use std::collections::BTreeMap;
use std::io::{self, Write};

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use super::comparison::{COMPARISON_HEADER, Comparison};
use super::hyperfine::Timings;
use super::page::{Page, PageTable};
use super::plot::{Panel, Plot, Row};
use super::trackers::{write_bmf, write_github};
use super::{Context, Nodes, grouped, markdown_table};
use crate::bench::{Bootstrap, Interval, Measured, Summary, Task, geometric_mean};

/// A benchmark.
#[derive(Clone, Debug, Serialize)]
pub struct BenchReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub context: Context,
    /// Where and by what.
    pub environment: Environment,
    /// One result a position and program.
    pub results: Vec<BenchResult>,
    /// How this compares with another benchmark or program, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// What else matters for speed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Environment {
    /// The build that was timed.
    pub build: Build,
    /// The CPU features that matter here and that the CPU has.
    pub cpu_features: Vec<&'static str>,
    /// The cores that the program was kept to, if it was.
    pub pinned_to: Option<Vec<usize>>,
    /// How the system chooses the frequency of the CPU, if it says so.
    pub governor: Option<String>,
    /// The operating system and its version, if it says them.
    pub os_version: Option<String>,
    /// How many threads wanted to run just before, on average over 1, 5 and 15 minutes; `None` if the system does not say.
    pub load_average: Option<[f64; 3]>,
}

impl Environment {
    /// The build and the machine, a line each.
    pub(super) fn head(&self, context: &Context) -> Vec<String> {
        let Context { program, version, machine, .. } = context;
        let Build { profile, compiler, flags, commit, .. } = &self.build;
        let commit = commit.map_or_else(String::new, |commit| format!(" ({commit})"));
        let flags = if flags.is_empty() { String::new() } else { format!(", {flags}") };
        let cpu = machine.cpu.as_deref().unwrap_or("unknown CPU");
        let pinned = self.pinned_to.as_ref().map_or_else(String::new, |cores| {
            let cores: Vec<String> = cores.iter().map(usize::to_string).collect();
            format!(", pinned to {}", cores.join(","))
        });
        vec![
            format!("{program} {version}{commit}, {profile} build, {compiler}{flags}"),
            format!("{cpu}, {} core(s){pinned}", machine.cores),
        ]
    }
}

impl Environment {
    /// What else is known of the machine, a line each.
    pub(super) fn details(&self) -> Vec<String> {
        let os = self.os_version.as_ref().map(|os| format!("operating system: {os}"));
        let features = format!("CPU features: {}", self.cpu_features.join(" "));
        let governor = self.governor.as_ref().map(|governor| format!("CPU frequency governor: {governor}"));
        let load = self
            .load_average
            .map(|[one, five, fifteen]| format!("load average just before: {one:.2} {five:.2} {fifteen:.2}"));
        os.into_iter().chain([features]).chain(governor).chain(load).collect()
    }
}

/// How the program was compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Build {
    /// `release` or `debug`.
    pub profile: &'static str,
    /// The level of optimisation.
    pub opt_level: &'static str,
    /// The target.
    pub target: &'static str,
    /// The compiler and its version.
    pub compiler: &'static str,
    /// Flags for the compiler.
    pub flags: &'static str,
    /// The commit, with `-dirty` behind it if files differed from it; `None` if it is not known.
    pub commit: Option<&'static str>,
}

/// The runs of a position.
#[derive(Clone, Debug, Serialize)]
pub struct BenchResult {
    /// The command that counts the same once, and its runs.
    #[serde(flatten)]
    pub timings: Timings,
    /// What processors spent on each run, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor_times: Option<Vec<f64>>,
    /// What the position is called.
    pub position: String,
    /// Which of several programs counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The position.
    pub fen: String,
    /// The depth in plies.
    pub depth: u32,
    #[serde(flatten)]
    nodes_field: Nodes,
    #[serde(skip)]
    nodes: u128,
    /// The number of runs.
    pub runs: usize,
    /// Leaf nodes a second: of the median time.
    pub nodes_per_second: f64,
    /// Where they lie, with a confidence of 95 %.
    pub nodes_per_second_interval: Interval,
    /// Where the median time lies.
    pub median_interval: Interval,
    /// Where the mean time lies.
    pub mean_interval: Interval,
    /// Which runs do not belong to the others, counted from 0.
    pub outliers: Vec<usize>,
    /// True if the interval became as narrow as was wanted.
    pub is_precise: bool,
}

impl BenchResult {
    /// The runs of a task on one of the subjects. `command` says how it counts: `perft --threads 2`.
    ///
    /// # Panics
    /// The subject was never run.
    pub fn new(
        task: &Task,
        measured: &Measured,
        subject: usize,
        program: Option<&str>,
        command: &str,
    ) -> BenchResult {
        let times = measured.seconds(subject);
        let Summary { median_interval, mean_interval, outliers, .. } =
            Summary::of(&times, &Bootstrap::default()).expect("every task is run");
        let (fen, depth, nodes) = (task.position.to_string(), task.expected.depth, task.expected.nodes);
        let mut parameters = BTreeMap::from([("position", task.name.clone()), ("depth", depth.to_string())]);
        parameters.extend(program.map(|program| ("program", program.to_owned())));
        let of_program = program.map_or_else(String::new, |program| format!("{program}: "));
        let timings = Timings::new(
            format!("{of_program}{}, depth {depth}", task.name),
            format!("{command} --fen '{fen}' --depth {depth} --single"),
            parameters,
            &measured.series[subject],
        );
        let rate = |seconds: f64| nodes as f64 / seconds.max(1e-9);
        BenchResult {
            processor_times: measured.processor_seconds(subject),
            position: task.name.clone(),
            program: program.map(str::to_owned),
            fen,
            depth,
            nodes_field: nodes.into(),
            nodes,
            runs: times.len(),
            nodes_per_second: rate(timings.median),
            nodes_per_second_interval: Interval {
                low: rate(median_interval.high),
                high: rate(median_interval.low),
            },
            median_interval,
            mean_interval,
            outliers,
            is_precise: measured.is_precise,
            timings,
        }
    }

    /// The mean time and its deviation.
    pub(super) fn mean_and_deviation(&self) -> String {
        let Timings { mean, stddev, .. } = self.timings;
        match stddev {
            Some(stddev) => format!("{} ± {}", duration(mean), duration(stddev)),
            None => duration(mean),
        }
    }

    fn cells(&self, has_programs: bool) -> Vec<String> {
        let interval = self.nodes_per_second_interval;
        let mean = self.mean_and_deviation();
        let program = has_programs.then(|| self.program.clone().unwrap_or_default());
        [self.position.clone()]
            .into_iter()
            .chain(program)
            .chain([
                self.depth.to_string(),
                duration(self.timings.median),
                mean,
                duration(self.timings.min),
                duration(self.timings.max),
                format!("{:.1}", self.nodes_per_second / 1e6),
                format!("{:.1} .. {:.1}", interval.low / 1e6, interval.high / 1e6),
                self.runs.to_string(),
                self.outliers.len().to_string(),
            ])
            .collect()
    }
}

impl BenchReport {
    /// For people: how it was made, a row a position, the mean, and the comparison.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for line in self.head() {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "\n{}", text_table(&self.header(), self.rows()))?;
        for (program, mean) in self.means() {
            let of = program.map_or_else(String::new, |program| format!(" of {program}"));
            writeln!(out, "\ngeometric mean{of}: {:.1} Mnps", mean / 1e6)?;
        }
        let Some(comparison) = &self.comparison else { return Ok(()) };
        writeln!(
            out,
            "\nCompared with {} by {} time, above 1 is faster:\n",
            comparison.with, comparison.measure
        )?;
        writeln!(out, "{}", text_table(&COMPARISON_HEADER, comparison.rows()))?;
        writeln!(out, "\n{}", comparison.conclusion())
    }

    /// Comma-separated values; the first columns are hyperfine's.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        write_results_csv(&self.results, Vec::new(), out)
    }

    /// Markdown: a table of the results, and one of the comparison.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", markdown_table(&self.header(), self.rows()))?;
        writeln!(out, "\n{}.", self.head().join("; "))?;
        let Some(comparison) = &self.comparison else { return Ok(()) };
        writeln!(out, "\n{}", markdown_table(&COMPARISON_HEADER, comparison.rows()))?;
        writeln!(
            out,
            "\nCompared with {} by {} time: {}.",
            comparison.with,
            comparison.measure,
            comparison.conclusion()
        )
    }

    /// A plot of all runs as SVG.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_svg(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(self.plot().svg().as_bytes())
    }

    /// The plot, the tables and the environment as one page.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        let mut tables = vec![PageTable { header: owned(&self.header()), rows: self.rows() }];
        let mut notes = Vec::new();
        if let Some(comparison) = &self.comparison {
            tables.push(PageTable { header: owned(&COMPARISON_HEADER), rows: comparison.rows() });
            let Comparison { with, measure, .. } = comparison;
            notes.push(format!("Compared with {with} by {measure} time: {}.", comparison.conclusion()));
        }
        notes.extend(self.head());
        notes.extend(self.environment.details());
        Page { title: "perft bench".to_owned(), svg: self.plot().svg(), tables, notes }.write(out)
    }

    /// The JSON of github-action-benchmark: `customBiggerIsBetter`.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_github(&self, out: &mut impl Write) -> io::Result<()> {
        write_github(&self.results, &self.head(), out)
    }

    /// The Bencher Metric Format.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_bmf(&self, out: &mut impl Write) -> io::Result<()> {
        write_bmf(&self.results, out)
    }

    /// A panel for all positions; with several programs, a panel a position.
    fn plot(&self) -> Plot {
        let position = |result: &BenchResult| format!("{} {}", result.position, result.depth);
        let mut panels: Vec<Panel> = Vec::new();
        for result in &self.results {
            let (title, label) = match &result.program {
                Some(program) => (position(result), program.clone()),
                None => ("positions, to a depth".to_owned(), position(result)),
            };
            let row = Row::of(label, result);
            match panels.iter_mut().find(|panel| panel.title == title) {
                Some(panel) => panel.rows.push(row),
                None => panels.push(Panel { title, rows: vec![row] }),
            }
        }
        Plot { title: "perft bench".to_owned(), caption: self.head(), panels }
    }

    /// What the figures hold for.
    fn head(&self) -> Vec<String> {
        let Context { generator, cpu_path, threads, .. } = &self.context;
        let sliders =
            self.context.sliders.map_or_else(String::new, |method| format!(", sliders by {method}"));
        let table = match self.context.table_bytes {
            0 => "no table".to_owned(),
            bytes => format!("a table of {} bytes, empty before each run", grouped(bytes as u128)),
        };
        let leaves = if self.context.bulk { "bulk counting" } else { "every leaf made" };
        let mut head = self.environment.head(&self.context);
        head.push(format!(
            "{generator}, CPU path {cpu_path}{sliders}, {threads} thread(s), {leaves}, {table}"
        ));
        head
    }

    fn has_programs(&self) -> bool {
        self.results.iter().any(|result| result.program.is_some())
    }

    fn header(&self) -> Vec<&'static str> {
        let program = self.has_programs().then_some("program");
        let rest =
            ["depth", "median", "mean ± sd", "min", "max", "Mnps", "95 % interval", "runs", "outliers"];
        ["position"].into_iter().chain(program).chain(rest).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        self.results.iter().map(|result| result.cells(self.has_programs())).collect()
    }

    /// The geometric mean of the rates of each program that counted several positions.
    fn means(&self) -> Vec<(Option<&str>, f64)> {
        let mut programs: Vec<Option<&str>> = Vec::new();
        for result in &self.results {
            if !programs.contains(&result.program.as_deref()) {
                programs.push(result.program.as_deref());
            }
        }
        let mean = |program: Option<&'_ str>| {
            let of_program = |result: &&BenchResult| result.program.as_deref() == program;
            geometric_mean(self.results.iter().filter(of_program).map(|result| result.nodes_per_second))
        };
        let has_several = self.results.len() > programs.len();
        programs.into_iter().filter(|_| has_several).map(|program| (program, mean(program))).collect()
    }
}

/// Words of a header, for a table of one's own.
pub(super) fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Results as comma-separated values, the first columns of which are hyperfine's; and rows without a time, which only say
/// in which position a program did what instead of counting.
pub(super) fn write_results_csv(
    results: &[BenchResult],
    without_time: Vec<RowWithoutTime>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "command",
        "mean",
        "stddev",
        "median",
        "user",
        "system",
        "min",
        "max",
        "position",
        "program",
        "depth",
        "nodes",
        "runs",
        "nodes_per_second",
        "nodes_per_second_low",
        "nodes_per_second_high",
        "outliers",
        "outcome",
    ])?;
    let seconds = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.9}"));
    for result in results {
        csv.write_record([
            result.timings.command.clone(),
            seconds(Some(result.timings.mean)),
            seconds(result.timings.stddev),
            seconds(Some(result.timings.median)),
            seconds(result.timings.user),
            seconds(result.timings.system),
            seconds(Some(result.timings.min)),
            seconds(Some(result.timings.max)),
            result.position.clone(),
            result.program.clone().unwrap_or_default(),
            result.depth.to_string(),
            result.nodes.to_string(),
            result.runs.to_string(),
            format!("{:.0}", result.nodes_per_second),
            format!("{:.0}", result.nodes_per_second_interval.low),
            format!("{:.0}", result.nodes_per_second_interval.high),
            result.outliers.len().to_string(),
            MEASURED.to_owned(),
        ])?;
    }
    for row in without_time {
        let mut fields = vec![String::new(); 18];
        fields[0] = row.command;
        fields[8] = row.position;
        fields[9] = row.program;
        fields[10] = row.depth.to_string();
        fields[12] = "0".to_owned();
        fields[17] = row.outcome.to_owned();
        csv.write_record(fields)?;
    }
    csv.flush()
}

/// A row of the comma-separated values in which nothing was timed.
pub(super) struct RowWithoutTime {
    pub command: String,
    pub position: String,
    pub program: String,
    pub depth: u32,
    pub outcome: &'static str,
}

/// The outcome of runs whose counts are all right.
pub(super) const MEASURED: &str = "measured";

/// Columns side by side; the first to the left, the others to the right.
pub(super) fn text_table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec()).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if index == 0 { 0 } else { 1 }, 1));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// Seconds in the unit in which they read best: `1.234 s`, `56.70 ms`, `8.900 µs`.
pub(super) fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        1.0.. => (seconds, "s"),
        0.001.. => (seconds * 1e3, "ms"),
        _ => (seconds * 1e6, "µs"),
    };
    let digits = match value {
        100.0.. => 1,
        10.0.. => 2,
        _ => 3,
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_four_digits_and_a_unit() {
        let texts = [1.2345, 56.78, 0.567_89, 0.005_678, 0.000_008_9].map(duration);
        assert_eq!(texts, ["1.234 s", "56.78 s", "567.9 ms", "5.678 ms", "8.900 µs"]);
    }
}
