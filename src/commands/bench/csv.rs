//! The measurements as comma-separated values.

use super::measurement::{Failure, Measurement};
use crate::output::Table;
use crate::timing::Measure;

/// A column: its name, and its cell for a measurement.
type Column = (&'static str, fn(&Measurement) -> String);

/// The columns. The first eight are those of hyperfine.
const COLUMNS: [Column; 18] = [
    ("command", |of| of.timings.command.clone()),
    ("mean", |of| seconds(Some(of.timings.mean))),
    ("stddev", |of| seconds(of.timings.stddev)),
    ("median", |of| seconds(Some(of.timings.median))),
    ("user", |of| seconds(of.timings.user)),
    ("system", |of| seconds(of.timings.system)),
    ("min", |of| seconds(Some(of.timings.min))),
    ("max", |of| seconds(Some(of.timings.max))),
    ("position", |of| of.task.position.label().to_owned()),
    ("contender", |of| of.contender.clone()),
    ("depth", |of| of.task.depth.to_string()),
    ("nodes", |of| of.nodes.0.to_string()),
    ("runs", |of| of.runs.to_string()),
    ("nodes_per_second", |of| format!("{:.0}", of.nodes_per_second)),
    ("nodes_per_second_low", |of| format!("{:.0}", of.nodes_per_second_interval.low)),
    ("nodes_per_second_high", |of| format!("{:.0}", of.nodes_per_second_interval.high)),
    ("outliers", |of| of.outliers.len().to_string()),
    ("outcome", |of| if of.complete { "measured" } else { "incomplete" }.to_owned()),
];

fn seconds(time: Option<f64>) -> String {
    time.map_or_else(String::new, |time| format!("{time:.9}"))
}

impl Failure {
    /// Returns the cell of a column. Cells that need a time are empty.
    fn cell(&self, column: &str) -> String {
        let (position, depth) = (self.task.position.label(), self.task.depth);
        match column {
            "command" => format!("{}: {position}, depth {depth}", self.contender),
            "position" => position.to_owned(),
            "contender" => self.contender.clone(),
            "depth" => depth.to_string(),
            "runs" => "0".to_owned(),
            "outcome" => self.outcome.name().to_owned(),
            _ => String::new(),
        }
    }
}

/// Returns the rows of the comma-separated values: first those with times, then the failures. The last column is the
/// kind of the times.
pub fn csv_table(results: &[Measurement], failures: &[Failure], measure: Measure) -> Table {
    let measured = results.iter().map(|result| COLUMNS.map(|(_, cell)| cell(result)));
    let failed = failures.iter().map(|failure| COLUMNS.map(|(column, _)| failure.cell(column)));
    let row = |cells: [String; 18]| cells.into_iter().chain([measure.name().to_owned()]).collect();
    let header = COLUMNS.into_iter().map(|(column, _)| column).chain(["measure"]);
    Table::new(header, measured.chain(failed).map(row))
}
