//! The counts of depths and moves, as several commands report them.

use std::io::{self, Write};

use perft_count::LeafKind;
use serde::Serialize;

use crate::output::{Digits, ExactSplit, Leaves, Nodes, Table, per_second};
use crate::timing::Timings;

#[derive(Clone, Debug, Serialize)]
pub struct DepthResult {
    /// The depth in plies.
    pub depth: u32,
    /// The distinct positions, if they are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    #[serde(flatten)]
    pub leaves: Leaves,
    /// The time of the count in seconds.
    pub seconds: f64,
    /// The speed in leaf nodes per second.
    pub nodes_per_second: f64,
    /// The processor time of the count in seconds, on all threads together; `None` if the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor_seconds: Option<f64>,
    /// How an exact count was made; `None` for other counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactSplit>,
    /// The count as a benchmark of one run.
    #[serde(flatten)]
    pub timings: Option<Timings>,
}

impl DepthResult {
    pub fn new(depth: u32, leaves: Leaves, seconds: f64) -> DepthResult {
        DepthResult {
            depth,
            positions: None,
            leaves,
            seconds,
            nodes_per_second: per_second(leaves.nodes.0, seconds),
            processor_seconds: None,
            exact: None,
            timings: None,
        }
    }

    /// Returns the line that qperft prints: `perft( 6)=    119060324 ( 0.625 sec)`, or a similar one with the distinct
    /// positions.
    pub fn line(&self, digits: Digits) -> String {
        let DepthResult { depth, positions, seconds, .. } = *self;
        let nodes = digits.in_column(self.leaves.nodes.0);
        match positions.map(|positions| digits.in_column(positions)) {
            Some(positions) => {
                format!("unique({depth:2})= {positions} of {nodes} nodes ({seconds:6.3} sec)")
            }
            None => format!("perft({depth:2})= {nodes} ({seconds:6.3} sec)"),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct MoveCount {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The leaf nodes below it.
    #[serde(flatten)]
    pub leaves: Leaves,
}

pub fn write_stockfish(moves: &[MoveCount], Nodes(total): Nodes, out: &mut impl Write) -> io::Result<()> {
    for MoveCount { played, leaves } in moves {
        writeln!(out, "{played}: {}", leaves.nodes.0)?;
    }
    writeln!(out, "\nNodes searched: {total}\n")
}

/// Returns one column per depth, and one row per kind.
pub fn text_table(results: &[DepthResult]) -> Table {
    let column = |result: &DepthResult| {
        let (depth, time) = (result.depth.to_string(), Digits::Grouped.seconds(result.seconds));
        [vec![depth], result.leaves.cells(Digits::of_output()), vec![time]].concat()
    };
    let columns: Vec<Vec<String>> = results.iter().map(column).collect();
    let labels = LeafKind::ALL.iter().map(|kind| kind.label);
    let labels = ["depth", "nodes"].into_iter().chain(labels).chain(["seconds"]);
    let mut rows = labels.enumerate().map(|(index, label)| {
        let cells = columns.iter().map(|column| column[index].clone());
        [label.to_owned()].into_iter().chain(cells).collect()
    });
    let header: Vec<String> = rows.next().expect("there is a row of depths");
    Table::new(header, rows)
}
