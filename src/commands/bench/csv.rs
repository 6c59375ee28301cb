//! The measurements as comma-separated values.

use super::measurement::{Failure, Measurement};
use crate::output::Table;
use crate::timing::Measure;

/// A column: its name, its cell for a measurement, and its cell for a failure.
type Column = (&'static str, fn(&Measurement) -> String, fn(&Failure) -> String);

/// The columns. The first eight are those of hyperfine.
const COLUMNS: [Column; 18] = [
    ("command", |of| of.timings.command.clone(), failed_command),
    ("mean", |of| seconds(Some(of.timings.spread.mean)), empty),
    ("stddev", |of| seconds(of.timings.spread.stddev), empty),
    ("median", |of| seconds(Some(of.timings.spread.median)), empty),
    ("user", |of| seconds(of.timings.user), empty),
    ("system", |of| seconds(of.timings.system), empty),
    ("min", |of| seconds(Some(of.timings.spread.min)), empty),
    ("max", |of| seconds(Some(of.timings.spread.max)), empty),
    ("position", |of| of.task.position.label().to_owned(), |of| of.task.position.label().to_owned()),
    ("contender", |of| of.contender.clone(), |of| of.contender.clone()),
    ("depth", |of| of.task.depth.to_string(), |of| of.task.depth.to_string()),
    ("nodes", |of| of.nodes.0.to_string(), empty),
    ("runs", |of| of.runs.to_string(), |_| "0".to_owned()),
    ("nodes_per_second", |of| format!("{:.0}", of.nodes_per_second), empty),
    ("nodes_per_second_low", |of| format!("{:.0}", of.nodes_per_second_interval.low), empty),
    ("nodes_per_second_high", |of| format!("{:.0}", of.nodes_per_second_interval.high), empty),
    ("outliers", |of| of.outliers.len().to_string(), empty),
    (
        "outcome",
        |of| if of.complete { "measured" } else { "incomplete" }.to_owned(),
        |of| of.outcome.name().to_owned(),
    ),
];

fn seconds(time: Option<f64>) -> String {
    time.map_or_else(String::new, |time| format!("{time:.9}"))
}

fn failed_command(of: &Failure) -> String {
    format!("{}: {}, depth {}", of.contender, of.task.position.label(), of.task.depth)
}

fn empty(_: &Failure) -> String {
    String::new()
}

/// Returns the rows of the comma-separated values: first those with times, then the failures. The last column is the
/// kind of the times.
pub fn csv_table(results: &[Measurement], failures: &[Failure], measure: Measure) -> Table {
    let measured = results.iter().map(|result| COLUMNS.map(|(_, cell, _)| cell(result)));
    let failed = failures.iter().map(|failure| COLUMNS.map(|(.., cell)| cell(failure)));
    let row = |cells: [String; 18]| cells.into_iter().chain([measure.name().to_owned()]).collect();
    let header = COLUMNS.into_iter().map(|(column, ..)| column).chain(["measure"]);
    Table::new(header, measured.chain(failed).map(row))
}
