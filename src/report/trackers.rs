//! Speeds for services that keep their history: one figure a position and program, the more the better.
//!
//! [`write_github`] is the custom JSON of github-action-benchmark (`tool: customBiggerIsBetter`), [`write_bmf`] the Bencher
//! Metric Format. The depth is part of every name: the same position to another depth is another figure.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::bench::BenchResult;
use super::write_json;
use crate::bench::Interval;

#[derive(Serialize)]
struct GithubEntry {
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

/// For github-action-benchmark; `extra` is what the figures hold for.
///
/// # Errors
/// The writer failed.
pub(super) fn write_github(
    results: &[BenchResult],
    extra: &[String],
    out: &mut impl Write,
) -> io::Result<()> {
    let entry = |result: &BenchResult| {
        let Interval { low, high } = result.nodes_per_second_interval;
        GithubEntry {
            name: result.timings.name.clone(),
            unit: "Mnps",
            value: result.nodes_per_second / 1e6,
            range: format!("± {:.1}", (high - low) / 2e6),
            extra: [format!("{} runs", result.runs)]
                .iter()
                .chain(extra)
                .cloned()
                .collect::<Vec<_>>()
                .join("\n"),
        }
    };
    write_json(&results.iter().map(entry).collect::<Vec<_>>(), false, out)
}

/// For Bencher: `throughput` in leaf nodes a second, `latency` in nanoseconds a run.
///
/// # Errors
/// The writer failed.
pub(super) fn write_bmf(results: &[BenchResult], out: &mut impl Write) -> io::Result<()> {
    let metric = |value: f64, interval: Interval, factor: f64| BmfMetric {
        value: value * factor,
        lower_value: interval.low * factor,
        upper_value: interval.high * factor,
    };
    let entry = |result: &BenchResult| {
        let throughput = metric(result.nodes_per_second, result.nodes_per_second_interval, 1.0);
        let latency = metric(result.timings.median, result.median_interval, 1e9);
        (result.timings.name.clone(), BTreeMap::from([("throughput", throughput), ("latency", latency)]))
    };
    write_json(&results.iter().map(entry).collect::<BTreeMap<_, _>>(), false, out)
}
