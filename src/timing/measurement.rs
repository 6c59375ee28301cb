//! The runs of a contender in a position, with their statistics. Reports show this record, and a saved benchmark is a
//! list of them.
//!
//! The record begins with the fields of hyperfine, so tools for hyperfine can read reports of perft. The JSON of
//! hyperfine 1 has fields like `mean` and `times` for each command. That of hyperfine 2 has a list of `measurements`, one
//! per run, and a `summary` of each metric. A record has the fields of both versions. They disagree only about
//! `parameters`: text in version 1, objects with a `value` in version 2. Here they are text.
//!
//! Source: the JSON that hyperfine 1.20 and 2.0 write, and the scripts that come with them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::source::{Measure, Quantity, Sample, Task, nodes_per_second};
use super::statistics::{GateResult, Interval, Ratio, Spread, median, median_interval};
use crate::output::Nodes;

/// The runs of one contender in one position.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Measurement {
    /// The runs, in the fields of hyperfine.
    #[serde(flatten)]
    pub timings: Timings,
    #[serde(flatten)]
    pub task: Task,
    pub contender: String,
    #[serde(flatten, skip_deserializing)]
    pub nodes: Nodes,
    pub runs: usize,
    /// The speed in leaf nodes per second: of processor time if that is measured, and otherwise of elapsed time. It is
    /// that of the median run.
    pub nodes_per_second: f64,
    /// The 99 % confidence interval of the speed; `None` if there are too few runs.
    pub nodes_per_second_interval: Option<Interval>,
    /// The 99 % confidence interval of the median elapsed time; `None` if there are too few runs.
    pub median_interval: Option<Interval>,
    /// Whether all runs were made. `false` if the command was interrupted.
    pub complete: bool,
    /// The ratio of the speed to that of the reference: above 1 is faster. The confidence intervals of all positions
    /// hold together. `None` if the reference has no speed here, or if there is no reference.
    pub ratio: Option<Ratio>,
    /// Whether it is slower than allowed; `None` if no bound was given, and for the reference itself.
    pub gate: Option<GateResult>,
}

/// The runs of a command. All times are in seconds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Timings {
    /// The name in plots, as in a document of hyperfine with `--command-name`. Its scripts take labels from here.
    pub command: String,
    /// The same name, which hyperfine 2 reads.
    pub name: String,
    /// The command that repeats the count.
    pub command_line: String,
    /// The location and the spread of the times.
    #[serde(flatten)]
    pub spread: Spread,
    /// The mean processor time in user mode, on all threads; `None` if the system does not say.
    pub user: Option<f64>,
    /// The mean processor time in the kernel, on all threads; `None` if the system does not say.
    pub system: Option<f64>,
    /// The times, in the order of the runs.
    pub times: Vec<f64>,
    /// The peak memory of the process up to the end of each run, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_usage_byte: Option<Vec<u64>>,
    /// The exit code of each run: always 0, because runs that fail are not timed.
    pub exit_codes: Vec<i32>,
    /// The parameters that distinguish the commands.
    pub parameters: BTreeMap<String, String>,
    pub measurements: Vec<Sample>,
    /// The summary of each metric whose value is known for all runs.
    #[serde(skip_deserializing)]
    pub summary: BTreeMap<&'static str, Summary>,
}

/// The summary of a metric.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Summary {
    unit: &'static str,
    count: usize,
    #[serde(flatten)]
    spread: Spread,
}

type Metric = (&'static str, fn(&Sample) -> Option<Quantity>);

const METRICS: [Metric; 6] = [
    ("instructions", |run| run.instructions),
    ("time_wall_clock", |run| Some(run.time_wall_clock)),
    ("time_cpu", |run| run.time_cpu),
    ("time_user", |run| run.time_user),
    ("time_system", |run| run.time_system),
    ("memory_peak_resident", |run| run.memory_peak_resident),
];

impl Timings {
    /// Describes the runs of a command.
    ///
    /// # Panics
    /// There are no runs.
    pub fn new(
        name: String,
        command_line: String,
        parameters: BTreeMap<String, String>,
        samples: &[Sample],
    ) -> Timings {
        let times: Vec<f64> = samples.iter().map(Sample::seconds).collect();
        let summary = |&(metric, value): &Metric| {
            let all: Vec<Quantity> = samples.iter().map(value).collect::<Option<_>>()?;
            let values: Vec<f64> = all.iter().map(|quantity| quantity.value).collect();
            let spread = Spread::of(&values)?;
            Some((metric, Summary { unit: all[0].unit, count: all.len(), spread }))
        };
        let summary: BTreeMap<_, _> = METRICS.iter().filter_map(summary).collect();
        let mean = |metric| summary.get(metric).map(|summary: &Summary| summary.spread.mean);
        let bytes = |sample: &Sample| Some(sample.memory_peak_resident?.value as u64);
        Timings {
            command: name.clone(),
            name,
            command_line,
            spread: Spread::of(&times).expect("a timed command has runs"),
            user: mean("time_user"),
            system: mean("time_system"),
            memory_usage_byte: samples.iter().map(bytes).collect(),
            exit_codes: vec![0; times.len()],
            parameters,
            measurements: samples.to_vec(),
            summary,
            times,
        }
    }
}

impl Measurement {
    /// Makes the record of the runs of a count by a contender. The ratio to a reference is not known yet.
    pub fn new(timings: Timings, task: &Task, contender: &str, measure: Measure) -> Measurement {
        let of_speed = if measure == Measure::Cpu { measure } else { Measure::Time };
        let costs: Vec<f64> = timings.measurements.iter().filter_map(|run| run.cost(of_speed)).collect();
        let speed = |seconds| nodes_per_second(task.nodes, seconds);
        let speeds = |Interval { low, high }| Interval { low: speed(high), high: speed(low) };
        Measurement {
            task: task.clone(),
            contender: contender.to_owned(),
            nodes: Nodes(task.nodes),
            runs: costs.len(),
            nodes_per_second: speed(median(&costs)),
            nodes_per_second_interval: median_interval(&costs, 1).map(speeds),
            median_interval: median_interval(&timings.times, 1),
            timings,
            ..Measurement::default()
        }
    }

    pub fn median_cost(&self, measure: Measure) -> f64 {
        median(&self.timings.measurements.iter().filter_map(|run| run.cost(measure)).collect::<Vec<f64>>())
    }
}
