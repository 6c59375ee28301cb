//! The record of a measurement: the runs of one contender in one position. All tables, plots and files are written from
//! such records.

use std::collections::BTreeMap;

use perft_core::suite::KnownCount;
use serde::Serialize;

use super::contender::Contender;
use super::tasks::TaskInfo;
use crate::output::Nodes;
use crate::output::hyperfine::Timings;
use crate::output::numbers::duration;
use crate::timing::{
    Bootstrap, GateResult, Interval, Measured, Ratio, RunFailure, Spread, Task, nodes_per_second, outliers,
};

/// The runs of one contender in one position.
///
/// The JSON has the fields of hyperfine first, and then the other fields.
#[derive(Clone, Debug, Serialize)]
pub struct Measurement {
    /// The command that makes the same count once, and its runs.
    #[serde(flatten)]
    pub timings: Timings,
    /// The count that was timed.
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
    /// The ratio of the speed to that of the reference: above 1 is faster. The confidence intervals of all positions
    /// hold together. `None` if the reference has no speed here, or if there is no reference.
    pub ratio: Option<Ratio>,
    /// Whether it is slower than allowed; `None` if no bound was given, and for the reference itself.
    pub gate: Option<GateResult>,
}

/// A position in which a contender has no speed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// The count that was asked for.
    #[serde(flatten)]
    pub task: TaskInfo,
    /// The name of the contender.
    pub contender: String,
    /// The kind of failure.
    pub outcome: Outcome,
    /// The problem.
    pub error: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A count was wrong.
    Wrong,
    /// There was no count.
    Failed,
}

impl Outcome {
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Wrong => "wrong",
            Outcome::Failed => "failed",
        }
    }
}

impl Measurement {
    /// Makes the record of a contender's times, without a ratio. `is_alone` says that there is no other contender, so
    /// the name of the measurement need not contain that of the contender. Returns `None` if there are no runs.
    pub fn new(
        measured: &Measured,
        index: usize,
        contender: &Contender,
        is_alone: bool,
    ) -> Option<Measurement> {
        let series = Some(&measured.series[index]).filter(|series| !series.is_empty())?;
        let task = &measured.task;
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
        let timings = Timings::new(name, command_line, parameters, series, measured.measure);
        let median_interval = Bootstrap::default().median_interval(&timings.times);
        Some(Measurement {
            task: info,
            contender: contender.name.clone(),
            nodes: Nodes(nodes),
            runs: series.len(),
            nodes_per_second: nodes_per_second(nodes, timings.spread.median),
            nodes_per_second_interval: Interval {
                low: nodes_per_second(nodes, median_interval.high),
                high: nodes_per_second(nodes, median_interval.low),
            },
            median_interval,
            mean_interval: Bootstrap::default().mean_interval(&timings.times),
            outliers: outliers(&timings.times),
            precise: measured.is_precise,
            complete: measured.is_complete,
            ratio: None,
            gate: None,
            timings,
        })
    }

    /// Returns the speed of each run in leaf nodes per second.
    pub fn run_speeds(&self) -> Vec<f64> {
        self.timings.times.iter().map(|&seconds| nodes_per_second(self.nodes.0, seconds)).collect()
    }

    /// Returns the mean time and the standard deviation: `1.234 s ± 5.678 ms`.
    pub fn mean_and_deviation(&self) -> String {
        let Spread { mean, stddev, .. } = self.timings.spread;
        match stddev {
            Some(stddev) => format!("{} ± {}", duration(mean), duration(stddev)),
            None => duration(mean),
        }
    }
}

impl Failure {
    /// Describes a failure of the contender with this name.
    pub fn new(task: &Task, failure: &RunFailure, contender: &str) -> Failure {
        let Task { name, expected: KnownCount { depth, nodes }, .. } = task;
        let (outcome, error) = match failure {
            RunFailure::Wrong(found) => {
                let wrong =
                    format!("{contender} counts {found} nodes in {name} at depth {depth}, not {nodes}");
                (Outcome::Wrong, wrong)
            }
            RunFailure::Failed(error) => {
                (Outcome::Failed, format!("{contender} does not count {name}: {error}"))
            }
        };
        Failure { task: TaskInfo::new(task), contender: contender.to_owned(), outcome, error }
    }
}
