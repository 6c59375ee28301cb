//! The record of a measurement: the runs of one contender in one position. All tables, plots and files are written from
//! such records.

use std::collections::BTreeMap;

use serde::Serialize;

use super::contender::Contender;
use crate::output::hyperfine::Timings;
use crate::output::numbers::duration;
use crate::output::{Nodes, PositionInfo, Table};
use crate::timing::{Bootstrap, GateResult, Interval, Measure, Measured, Ratio, RunFailure, Summary, Task};

/// What is counted: a position, to a depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TaskInfo {
    /// The position.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
}

/// The runs of one contender in one position.
///
/// The JSON has the fields of hyperfine first, and then the other fields.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Measurement {
    /// The command that makes the same count once, and its runs.
    #[serde(flatten)]
    pub timings: Timings,
    /// What was counted.
    #[serde(flatten)]
    pub task: TaskInfo,
    /// The name of the contender.
    pub contender: String,
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
    /// The ratio of the speed to that of the reference: above 1 is faster. The confidence intervals of all positions hold
    /// together. `None` if the reference has no speed here, or if there is no reference.
    pub ratio: Option<Ratio>,
    /// Whether it is slower than allowed; `None` if no bound was given, and for the reference itself.
    pub gate: Option<GateResult>,
}

/// A position in which a contender has no speed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failure {
    /// What was to be counted.
    #[serde(flatten)]
    pub task: TaskInfo,
    /// The name of the contender.
    pub contender: String,
    /// The kind of failure.
    pub outcome: Outcome,
    /// The problem.
    pub error: String,
}

/// A kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A count was wrong.
    Wrong,
    /// There was no count.
    Failed,
}

impl Outcome {
    /// Returns the name in JSON, CSV and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Wrong => "wrong",
            Outcome::Failed => "failed",
        }
    }
}

impl TaskInfo {
    /// Describes a task.
    pub fn new(task: &Task) -> TaskInfo {
        TaskInfo { position: PositionInfo::named(&task.name, &task.position), depth: task.expected.depth }
    }

    /// Returns the position and the depth: `kiwipete 5`.
    pub fn name(&self) -> String {
        format!("{} {}", self.position.label(), self.depth)
    }
}

impl Measurement {
    /// Makes the record of a contender's times, without a ratio. `is_alone` says that there is no other contender, so
    /// the name of the measurement need not contain that of the contender. Returns `None` if there are no runs.
    pub fn new(
        task: &Task,
        measured: &Measured,
        index: usize,
        contender: &Contender,
        is_alone: bool,
    ) -> Option<Measurement> {
        let times = measured.seconds(index);
        let Summary { spread, median_interval, mean_interval, outliers } =
            Summary::of(&times, &Bootstrap::default())?;
        let nodes = task.expected.nodes;
        let info = TaskInfo::new(task);
        let depth = info.depth.to_string();
        let mut parameters = BTreeMap::from([("position", task.name.clone()), ("depth", depth)]);
        let mut name = format!("{}, depth {}", task.name, info.depth);
        if !is_alone {
            name = format!("{}: {name}", contender.name);
            parameters.insert("contender", contender.name.clone());
        }
        let command_line = contender.command_line(&info);
        let series = &measured.series[index];
        Some(Measurement {
            timings: Timings::new(name, command_line, parameters, series, measured.measure),
            task: info,
            contender: contender.name.clone(),
            nodes: Nodes(nodes),
            runs: times.len(),
            nodes_per_second: speed(nodes, spread.median),
            nodes_per_second_interval: Interval {
                low: speed(nodes, median_interval.high),
                high: speed(nodes, median_interval.low),
            },
            median_interval,
            mean_interval,
            outliers,
            precise: measured.is_precise,
            complete: measured.is_complete(),
            ratio: None,
            gate: None,
        })
    }

    /// Returns the speed of each run in leaf nodes per second.
    pub fn run_speeds(&self) -> Vec<f64> {
        self.timings.times.iter().map(|&seconds| speed(self.nodes.0, seconds)).collect()
    }

    /// Returns the mean time and the standard deviation: `1.234 s ± 5.678 ms`.
    pub fn mean_and_deviation(&self) -> String {
        let Timings { mean, stddev, .. } = self.timings;
        match stddev {
            Some(stddev) => format!("{} ± {}", duration(mean), duration(stddev)),
            None => duration(mean),
        }
    }

    fn csv_cells(&self) -> Cells {
        let Timings { command, mean, stddev, median, user, system, min, max, .. } = &self.timings;
        let seconds = |value: f64| format!("{value:.9}");
        let nodes_per_second = |value: f64| format!("{value:.0}");
        let known = [
            ("mean", Some(seconds(*mean))),
            ("stddev", stddev.map(seconds)),
            ("median", Some(seconds(*median))),
            ("user", user.map(seconds)),
            ("system", system.map(seconds)),
            ("min", Some(seconds(*min))),
            ("max", Some(seconds(*max))),
            ("nodes", Some(self.nodes.0.to_string())),
            ("runs", Some(self.runs.to_string())),
            ("nodes_per_second", Some(nodes_per_second(self.nodes_per_second))),
            ("nodes_per_second_low", Some(nodes_per_second(self.nodes_per_second_interval.low))),
            ("nodes_per_second_high", Some(nodes_per_second(self.nodes_per_second_interval.high))),
            ("outliers", Some(self.outliers.len().to_string())),
        ];
        let outcome = if self.complete { "measured" } else { "incomplete" };
        let known = known.into_iter().filter_map(|(column, cell)| Some((column, cell?)));
        cells(command, &self.task, &self.contender, outcome).into_iter().chain(known).collect()
    }
}

impl Failure {
    /// Describes a failure of the contender with this name.
    pub fn new(task: &Task, failure: &RunFailure, contender: &str) -> Failure {
        let outcome = match failure {
            RunFailure::Wrong { .. } => Outcome::Wrong,
            RunFailure::Failed { .. } => Outcome::Failed,
        };
        Failure {
            task: TaskInfo::new(task),
            contender: contender.to_owned(),
            outcome,
            error: failure.to_string(),
        }
    }

    fn csv_cells(&self) -> Cells {
        let name = format!("{}: {}, depth {}", self.contender, self.task.position.label(), self.task.depth);
        let runs = [("runs", "0".to_owned())];
        cells(&name, &self.task, &self.contender, self.outcome.name()).into_iter().chain(runs).collect()
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

/// The cells of a row that are not empty, by the names of their columns.
type Cells = BTreeMap<&'static str, String>;

/// Returns the cells that every row has.
fn cells(name: &str, task: &TaskInfo, contender: &str, outcome: &str) -> Cells {
    BTreeMap::from([
        ("command", name.to_owned()),
        ("position", task.position.label().to_owned()),
        ("contender", contender.to_owned()),
        ("depth", task.depth.to_string()),
        ("outcome", outcome.to_owned()),
    ])
}

/// Returns the rows of the comma-separated values: first those with times, then the failures.
pub fn csv_table(results: &[Measurement], failures: &[Failure], measure: Measure) -> Table {
    let rows = results.iter().map(Measurement::csv_cells).chain(failures.iter().map(Failure::csv_cells));
    let row = |mut known: Cells| -> Vec<String> {
        known.insert("measure", measure.name().to_owned());
        CSV_HEADER.iter().map(|column| known.remove(column).unwrap_or_default()).collect()
    };
    Table::new(CSV_HEADER, rows.map(row))
}
