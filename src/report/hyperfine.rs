//! The runs of a command in the words of hyperfine, so that whatever reads its JSON reads ours.
//!
//! hyperfine 1 has what is known of a command side by side, `mean`, `times` and so on. hyperfine 2 has a list of
//! `measurements`, one a run, and a `summary`, one an item measured. One object holds both. Only `parameters` is in both and
//! not the same: text in 1, an object with a `value` in 2; here it is text. Source: the JSON that hyperfine 1.20 and 2.0
//! write, and the scripts that come with them; `scripts/check-hyperfine` runs those.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::bench::{Sample, Spread};

/// The runs of a command.
#[derive(Clone, Debug, Serialize)]
pub struct Timings {
    /// The command.
    pub command: String,
    /// What it is called in plots.
    pub name: String,
    /// The mean time of a run in seconds, as all times are.
    pub mean: f64,
    /// The standard deviation; `None` of a single run.
    pub stddev: Option<f64>,
    /// The middle time.
    pub median: f64,
    /// The mean processor time spent in the program, on all threads; `None` if the system does not say.
    pub user: Option<f64>,
    /// The mean processor time spent in the system; `None` if the system does not say.
    pub system: Option<f64>,
    /// The least time.
    pub min: f64,
    /// The greatest time.
    pub max: f64,
    /// Every time, in the order of the runs.
    pub times: Vec<f64>,
    /// The most memory that the process had occupied until the end of each run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_usage_byte: Option<Vec<u64>>,
    /// 0 for every run: one that fails ends the benchmark.
    pub exit_codes: Vec<i32>,
    /// What distinguishes the commands, as text.
    pub parameters: BTreeMap<&'static str, String>,
    measurements: Vec<Measurement>,
    summary: BTreeMap<&'static str, MetricSummary>,
}

/// What is measured: its name and unit, and what a run says of it.
struct Metric {
    name: &'static str,
    unit: &'static str,
    of: fn(&Sample) -> Option<f64>,
}

const METRICS: [Metric; 5] = [
    Metric { name: "time_wall_clock", unit: SECOND, of: |sample| Some(sample.seconds) },
    Metric {
        name: "time_cpu",
        unit: SECOND,
        of: |sample| Some(sample.usage?.processor_time().as_secs_f64()),
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

/// A run.
#[derive(Clone, Debug, Serialize)]
struct Measurement {
    #[serde(flatten)]
    metrics: BTreeMap<&'static str, Quantity>,
    exit_code: i32,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Quantity {
    value: f64,
    unit: &'static str,
}

/// All runs.
#[derive(Clone, Copy, Debug, Serialize)]
struct MetricSummary {
    unit: &'static str,
    count: usize,
    mean: f64,
    stddev: Option<f64>,
    median: f64,
    min: f64,
    max: f64,
}

impl Timings {
    /// The runs of a command.
    ///
    /// # Panics
    /// There are none.
    pub fn new(
        name: String,
        command: String,
        parameters: BTreeMap<&'static str, String>,
        samples: &[Sample],
    ) -> Timings {
        let times: Vec<f64> = samples.iter().map(|sample| sample.seconds).collect();
        let spread = Spread::of(&times).expect("a command that was timed was run");
        let summary: BTreeMap<_, _> =
            METRICS.iter().filter_map(|metric| Some((metric.name, metric.summary(samples)?))).collect();
        let mean = |metric: &str| summary.get(metric).map(|summary| summary.mean);
        Timings {
            command,
            name,
            mean: spread.mean,
            stddev: spread.standard_deviation,
            median: spread.median,
            user: mean("time_user"),
            system: mean("time_system"),
            min: spread.min,
            max: spread.max,
            memory_usage_byte: samples.iter().map(|sample| sample.usage?.peak_memory_bytes).collect(),
            exit_codes: vec![0; times.len()],
            parameters,
            measurements: samples.iter().map(Measurement::of).collect(),
            summary,
            times,
        }
    }
}

impl Metric {
    /// `None` if it is not known of every run.
    fn summary(&self, samples: &[Sample]) -> Option<MetricSummary> {
        let values: Vec<f64> = samples.iter().map(self.of).collect::<Option<_>>()?;
        let Spread { mean, standard_deviation, median, min, max } = Spread::of(&values)?;
        let count = values.len();
        Some(MetricSummary { unit: self.unit, count, mean, stddev: standard_deviation, median, min, max })
    }
}

impl Measurement {
    fn of(sample: &Sample) -> Measurement {
        let quantity = |metric: &Metric| {
            Some((metric.name, Quantity { value: (metric.of)(sample)?, unit: metric.unit }))
        };
        Measurement { metrics: METRICS.iter().filter_map(quantity).collect(), exit_code: 0 }
    }
}
