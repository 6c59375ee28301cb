//! The counts of a depth and of a move, and leaf nodes by kind.

use std::io::{self, Write};
use std::time::Duration;

use perft_count::{LeafKind, LeafStatistics};
use serde::{Serialize, Serializer};

use crate::output::{Digits, ExactSplit, Nodes, Table, per_second};
use crate::timing::Timings;

#[derive(Clone, Debug, Serialize)]
pub struct DepthResult {
    /// The depth in plies.
    pub depth: u32,
    #[serde(flatten)]
    pub nodes: Nodes,
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
    pub fn new(depth: u32, nodes: u128, elapsed: Duration) -> DepthResult {
        let seconds = elapsed.as_secs_f64();
        DepthResult {
            depth,
            nodes: Nodes(nodes),
            seconds,
            nodes_per_second: per_second(nodes, seconds),
            processor_seconds: None,
            exact: None,
            timings: None,
        }
    }

    /// Returns the line that qperft prints: `perft( 6)=    119060324 ( 0.625 sec)`.
    pub fn qperft_line(&self, digits: Digits) -> String {
        let nodes = digits.in_column(self.nodes.0);
        format!("perft({:2})= {nodes} ({:6.3} sec)", self.depth, self.seconds)
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct MoveCount {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The leaf nodes below it.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// With `--stats`, these nodes by kind.
    #[serde(flatten)]
    pub kinds: Option<Kinds>,
}

pub fn write_stockfish(moves: &[MoveCount], Nodes(total): Nodes, out: &mut impl Write) -> io::Result<()> {
    for MoveCount { played, nodes, .. } in moves {
        writeln!(out, "{played}: {}", nodes.0)?;
    }
    writeln!(out, "\nNodes searched: {total}\n")
}

/// The statistics of one depth. [`LeafStatistics`] explains the numbers.
#[derive(Clone, Debug, Serialize)]
pub struct DepthStatistics {
    pub depth: u32,
    #[serde(flatten)]
    pub leaves: LeafKinds,
    /// The time of the depth in seconds.
    pub seconds: f64,
    /// How an exact count was made; `None` for other counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactSplit>,
}

/// A number of leaf nodes, and the number of each kind of them.
#[derive(Clone, Debug, Serialize)]
pub struct LeafKinds {
    #[serde(flatten)]
    nodes: Nodes,
    #[serde(flatten)]
    pub kinds: Kinds,
}

impl LeafKinds {
    pub fn new(leaves: LeafStatistics) -> LeafKinds {
        LeafKinds { nodes: Nodes(leaves.nodes), kinds: Kinds(leaves) }
    }
}

/// Leaf nodes, which are written with one field per kind.
#[derive(Clone, Copy, Debug)]
pub struct Kinds(pub LeafStatistics);

impl Serialize for Kinds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(LeafKind::ALL.iter().map(|kind| (kind.name, (kind.count)(&self.0))))
    }
}

impl DepthStatistics {
    pub fn new(depth: u32, leaves: LeafKinds, elapsed: Duration) -> DepthStatistics {
        DepthStatistics { depth, leaves, seconds: elapsed.as_secs_f64(), exact: None }
    }

    /// Returns the depth, the nodes, the number of each kind, and the time.
    pub fn cells(&self, digits: Digits, time: String) -> Vec<String> {
        [vec![self.depth.to_string()], cells(self.leaves.kinds, digits), vec![time]].concat()
    }
}

/// Returns the cells of some leaf nodes: their number, and the number of each kind.
pub fn cells(Kinds(leaves): Kinds, digits: Digits) -> Vec<String> {
    let kinds = LeafKind::ALL.iter().map(|kind| (kind.count)(&leaves));
    [leaves.nodes].into_iter().chain(kinds).map(|number| digits.count(number)).collect()
}

/// Returns one column per depth, and one row per kind.
pub fn text_table(results: &[DepthStatistics]) -> Table {
    let digits = Digits::of_output();
    let column = |result: &DepthStatistics| result.cells(digits, Digits::Grouped.seconds(result.seconds));
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
