//! The runs of a command in the JSON format of hyperfine, so that tools for hyperfine can read reports of perft.
//!
//! The JSON of hyperfine 1 has fields like `mean` and `times` for each command. That of hyperfine 2 has a list of
//! `measurements`, one per run, and a `summary` of each metric. An object here has the fields of both versions. The
//! versions disagree only about `parameters`: text in version 1, objects with a `value` in version 2. Here they are
//! text.
//!
//! hyperfine measures elapsed time. Here `times` and the values that are computed from it are of the kind that the
//! report names in `measure`. `measurements` and `summary` contain both kinds, under their names.
//!
//! Source: the JSON that hyperfine 1.20 and 2.0 write, and the scripts that come with them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::timing::{Measure, Sample, Spread};

/// The runs of a command. All times are in seconds. They are of the kind in `measure` of the report; without that
/// field, elapsed times.
#[derive(Clone, Debug, Serialize)]
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
    pub parameters: BTreeMap<&'static str, String>,
    measurements: Vec<Run>,
    summary: BTreeMap<&'static str, MetricSummary>,
}

/// A quantity that is measured for each run.
struct Metric {
    name: &'static str,
    unit: &'static str,
    /// Returns the value for a run, if it is known.
    of: fn(&Sample) -> Option<f64>,
}

const METRICS: [Metric; 5] = [
    Metric { name: "time_wall_clock", unit: SECOND, of: |sample| Some(sample.wall_seconds) },
    Metric {
        name: "time_cpu",
        unit: SECOND,
        of: |sample| {
            let usage = || Some(sample.usage?.processor_time().as_secs_f64());
            sample.processor_seconds.or_else(usage)
        },
    },
    Metric { name: "time_user", unit: SECOND, of: |sample| Some(sample.usage?.user.as_secs_f64()) },
    Metric { name: "time_system", unit: SECOND, of: |sample| Some(sample.usage?.system.as_secs_f64()) },
    Metric {
        name: "memory_peak_resident",
        unit: "byte",
        of: |sample| Some(sample.usage?.peak_memory_bytes? as f64),
    },
];
const SECOND: &str = "second";

#[derive(Clone, Debug, Serialize)]
struct Run {
    #[serde(flatten)]
    metrics: BTreeMap<&'static str, Quantity>,
    exit_code: i32,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Quantity {
    value: f64,
    unit: &'static str,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct MetricSummary {
    unit: &'static str,
    count: usize,
    #[serde(flatten)]
    spread: Spread,
}

impl Timings {
    /// Describes the runs of a command.
    ///
    /// # Panics
    /// There are no runs.
    pub fn new(
        name: String,
        command_line: String,
        parameters: BTreeMap<&'static str, String>,
        samples: &[Sample],
        measure: Measure,
    ) -> Timings {
        let times: Vec<f64> = samples.iter().map(|sample| sample.seconds(measure)).collect();
        let summary: BTreeMap<_, _> =
            METRICS.iter().filter_map(|metric| Some((metric.name, metric.summary(samples)?))).collect();
        let spread = |metric: &str| summary.get(metric).map(|summary| summary.spread);
        let of_times = match measure {
            Measure::Wall => spread("time_wall_clock"),
            Measure::Processor => spread("time_cpu"),
        };
        Timings {
            command: name.clone(),
            name,
            command_line,
            spread: of_times.expect("a timed command has runs"),
            user: spread("time_user").map(|spread| spread.mean),
            system: spread("time_system").map(|spread| spread.mean),
            memory_usage_byte: samples.iter().map(|sample| sample.usage?.peak_memory_bytes).collect(),
            exit_codes: vec![0; times.len()],
            parameters,
            measurements: samples.iter().map(Run::of).collect(),
            summary,
            times,
        }
    }
}

impl Metric {
    /// Returns the summary; `None` if the value of a run is unknown.
    fn summary(&self, samples: &[Sample]) -> Option<MetricSummary> {
        let values: Vec<f64> = samples.iter().map(self.of).collect::<Option<_>>()?;
        Some(MetricSummary { unit: self.unit, count: values.len(), spread: Spread::of(&values)? })
    }
}

impl Run {
    fn of(sample: &Sample) -> Run {
        let quantity = |metric: &Metric| {
            Some((metric.name, Quantity { value: (metric.of)(sample)?, unit: metric.unit }))
        };
        Run { metrics: METRICS.iter().filter_map(quantity).collect(), exit_code: 0 }
    }
}
