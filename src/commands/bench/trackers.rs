//! Speeds for services that track benchmarks over time: one value for each position and program.
//!
//! [`write_github`] writes the JSON of github-action-benchmark (`tool: customBiggerIsBetter`), and [`write_bmf`] the
//! Bencher Metric Format. Each name includes the depth, because speeds at different depths cannot be compared.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::measurement::Measurement;
use crate::output::numbers::mega;
use crate::output::write_value;
use crate::timing::Interval;

#[derive(Serialize)]
struct GithubBenchmark {
    name: String,
    unit: &'static str,
    value: f64,
    range: String,
    extra: String,
}

#[derive(Serialize)]
struct BmfMetric {
    value: f64,
    lower_value: f64,
    upper_value: f64,
}

/// Writes JSON for github-action-benchmark. `settings` are lines that are shown with each value.
///
/// # Errors
/// The writer failed.
pub fn write_github(results: &[Measurement], settings: &[String], out: &mut impl Write) -> io::Result<()> {
    let benchmark = |result: &Measurement| {
        let Interval { low, high } = result.nodes_per_second_interval;
        GithubBenchmark {
            name: result.timings.name.clone(),
            unit: "Mnps",
            value: result.nodes_per_second / 1e6,
            range: format!("± {}", mega((high - low) / 2.0)),
            extra: [&[format!("{} runs", result.runs)], settings].concat().join("\n"),
        }
    };
    write_value(&results.iter().map(benchmark).collect::<Vec<_>>(), false, out)
}

/// Writes the Bencher Metric Format: `throughput` in leaf nodes per second and `latency` in nanoseconds per run.
///
/// The format has no place to say that runs are missing, so incomplete results are left out.
///
/// # Errors
/// The writer failed.
pub fn write_bmf(results: &[Measurement], out: &mut impl Write) -> io::Result<()> {
    let metric = |value: f64, interval: Interval, factor: f64| BmfMetric {
        value: value * factor,
        lower_value: interval.low * factor,
        upper_value: interval.high * factor,
    };
    let metrics = |result: &Measurement| {
        let throughput = metric(result.nodes_per_second, result.nodes_per_second_interval, 1.0);
        let latency = metric(result.timings.spread.median, result.median_interval, 1e9);
        (result.timings.name.clone(), BTreeMap::from([("throughput", throughput), ("latency", latency)]))
    };
    let complete = results.iter().filter(|result| result.complete);
    write_value(&complete.map(metrics).collect::<BTreeMap<_, _>>(), false, out)
}
