//! The runs of one position by one contender: the type that all formats of a benchmark are written from.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::output::hyperfine::Timings;
use crate::output::numbers::duration;
use crate::output::table::Table;
use crate::output::{Nodes, PositionInfo};
use crate::system::command_line;
use crate::timing::{Bootstrap, Interval, Measure, Measured, Summary, Task};

/// The runs of one position by one contender.
///
/// The JSON has the fields of hyperfine first, and then the other fields.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BenchResult {
    /// The command that makes the same count once, and its runs.
    #[serde(flatten)]
    pub timings: Timings,
    /// The position.
    pub position: PositionInfo,
    /// The name of the contender, if several were timed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contender: Option<String>,
    /// The depth in plies.
    pub depth: u32,
    /// The leaf nodes.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The number of runs.
    pub runs: usize,
    /// The speed in leaf nodes per second, from the median time.
    pub nodes_per_second: f64,
    /// The 95 % confidence interval of the speed.
    pub nodes_per_second_interval: Interval,
    /// The 95 % confidence interval of the median time.
    pub median_interval: Interval,
    /// The 95 % confidence interval of the mean time.
    pub mean_interval: Interval,
    /// The indices of the runs that are outliers.
    pub outliers: Vec<usize>,
    /// Whether the interval became as narrow as was asked for.
    pub precise: bool,
    /// Whether all runs were made. `false` if the command was interrupted.
    pub complete: bool,
}

impl BenchResult {
    /// Makes the result of a task, as measured with one of the sources. `command` is the command line without the
    /// position: `perft --threads 2`.
    ///
    /// # Panics
    /// The source was never run.
    pub fn new(
        task: &Task,
        measured: &Measured,
        source: usize,
        contender: Option<&str>,
        command: &str,
    ) -> BenchResult {
        let times = measured.seconds(source);
        let Summary { median_interval, mean_interval, outliers, .. } =
            Summary::of(&times, &Bootstrap::default()).expect("every task is run");
        let position = PositionInfo::named(&task.name, &task.position);
        let (depth, nodes) = (task.expected.depth, task.expected.nodes);
        let mut parameters = BTreeMap::from([("position", task.name.clone()), ("depth", depth.to_string())]);
        parameters.extend(contender.map(|contender| ("contender", contender.to_owned())));
        let prefix = contender.map_or_else(String::new, |contender| format!("{contender}: "));
        let timings = Timings::new(
            format!("{prefix}{}, depth {depth}", task.name),
            format!("{command} --fen {} --depth {depth} --single", command_line::quoted(&position.fen)),
            parameters,
            &measured.series[source],
            measured.measure,
        );
        let speed = |seconds| speed(nodes, seconds);
        BenchResult {
            position,
            contender: contender.map(str::to_owned),
            depth,
            nodes: Nodes(nodes),
            runs: times.len(),
            nodes_per_second: speed(timings.median),
            nodes_per_second_interval: Interval {
                low: speed(median_interval.high),
                high: speed(median_interval.low),
            },
            median_interval,
            mean_interval,
            outliers,
            precise: measured.is_precise,
            complete: measured.is_complete(),
            timings,
        }
    }

    /// Returns the speed of a run of this time, in leaf nodes per second.
    pub fn speed(&self, seconds: f64) -> f64 {
        speed(self.nodes.0, seconds)
    }

    /// Returns the position and the depth: `kiwipete 5`.
    pub fn name(&self) -> String {
        format!("{} {}", self.position.label(), self.depth)
    }

    /// Returns the mean time and the standard deviation: `1.234 s ± 5.678 ms`.
    pub fn mean_and_deviation(&self) -> String {
        let Timings { mean, stddev, .. } = self.timings;
        match stddev {
            Some(stddev) => format!("{} ± {}", duration(mean), duration(stddev)),
            None => duration(mean),
        }
    }

    /// Returns the cells of [`CSV_HEADER`] without the last.
    fn csv_cells(&self) -> Vec<String> {
        let Timings { command, mean, stddev, median, user, system, min, max, .. } = &self.timings;
        let seconds = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.9}"));
        let nodes_per_second = |value: f64| format!("{value:.0}");
        vec![
            command.clone(),
            seconds(Some(*mean)),
            seconds(*stddev),
            seconds(Some(*median)),
            seconds(*user),
            seconds(*system),
            seconds(Some(*min)),
            seconds(Some(*max)),
            self.position.label().to_owned(),
            self.contender.clone().unwrap_or_default(),
            self.depth.to_string(),
            self.nodes.0.to_string(),
            self.runs.to_string(),
            nodes_per_second(self.nodes_per_second),
            nodes_per_second(self.nodes_per_second_interval.low),
            nodes_per_second(self.nodes_per_second_interval.high),
            self.outliers.len().to_string(),
            if self.complete { "measured" } else { "incomplete" }.to_owned(),
        ]
    }
}

/// Returns a speed in leaf nodes per second. It is finite, even if the time is too short for the clock.
fn speed(nodes: u128, seconds: f64) -> f64 {
    nodes as f64 / seconds.max(1e-9)
}

/// The columns of the comma-separated values. The first eight are those of hyperfine.
const CSV_HEADER: [&str; 19] = [
    "command",
    "mean",
    "stddev",
    "median",
    "user",
    "system",
    "min",
    "max",
    "position",
    "contender",
    "depth",
    "nodes",
    "runs",
    "nodes_per_second",
    "nodes_per_second_low",
    "nodes_per_second_high",
    "outliers",
    "outcome",
    "measure",
];

/// A row of the comma-separated values for a contender that gave no correct count in a position.
pub struct UntimedRow {
    pub command: String,
    pub position: String,
    pub contender: String,
    pub depth: u32,
    /// The outcome: `wrong` or `failed`.
    pub outcome: &'static str,
}

impl UntimedRow {
    /// Returns the cells of [`CSV_HEADER`] without the last. Cells that need a time are empty.
    fn csv_cells(self) -> Vec<String> {
        let known = BTreeMap::from([
            ("command", self.command),
            ("position", self.position),
            ("contender", self.contender),
            ("depth", self.depth.to_string()),
            ("runs", "0".to_owned()),
            ("outcome", self.outcome.to_owned()),
        ]);
        CSV_HEADER[..CSV_HEADER.len() - 1]
            .iter()
            .map(|column| known.get(column).cloned().unwrap_or_default())
            .collect()
    }
}

/// Writes results as comma-separated values, and then the rows without times.
///
/// # Errors
/// The writer failed.
pub fn write_results_csv(
    results: &[BenchResult],
    untimed: Vec<UntimedRow>,
    measure: Measure,
    out: &mut impl Write,
) -> io::Result<()> {
    let untimed = untimed.into_iter().map(UntimedRow::csv_cells);
    let rows = results.iter().map(BenchResult::csv_cells).chain(untimed);
    let with_measure = |cells: Vec<String>| [cells, vec![measure.name().to_owned()]].concat();
    Table::new(CSV_HEADER, rows.map(with_measure)).write_csv(out)
}
