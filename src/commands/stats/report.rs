//! The report of `perft stats`: how many leaf nodes are captures, checks and so on, by depth.

use std::io::{self, Write};
use std::time::Duration;

use perft_count::LeafStatistics;
use serde::{Serialize, Serializer};

use crate::output::numbers::{digits, is_output_grouped};
use crate::output::terminal::incomplete_line;
use crate::output::{ExactSplit, Nodes, PositionInfo, Provenance, Report, Table, grouped};

/// The statistics of several depths.
#[derive(Clone, Debug, Serialize)]
pub struct StatisticsReport {
    /// How the nodes were counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Whether all depths were counted. Otherwise the last ones are missing.
    pub complete: bool,
    /// The root position.
    pub position: PositionInfo,
    /// The statistics of each depth.
    pub results: Vec<DepthStatistics>,
}

/// The statistics of one depth. [`LeafStatistics`] explains the numbers.
#[derive(Clone, Debug, Serialize)]
pub struct DepthStatistics {
    pub depth: u32,
    #[serde(flatten)]
    pub nodes: Nodes,
    #[serde(flatten, serialize_with = "serialize_kinds")]
    pub leaves: LeafStatistics,
    /// The time of the depth in seconds.
    pub seconds: f64,
    /// How an exact count was made; `None` for other counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactSplit>,
}

/// A kind of leaf node.
pub struct Kind {
    /// The name in JSON and CSV.
    pub name: &'static str,
    /// The name in tables for people.
    label: &'static str,
    /// Returns the number of leaf nodes of this kind.
    count: fn(&LeafStatistics) -> u128,
}

impl Kind {
    const fn new(name: &'static str, label: &'static str, count: fn(&LeafStatistics) -> u128) -> Kind {
        Kind { name, label, count }
    }
}

/// All kinds of leaf nodes, in the order of the reports.
pub const KINDS: [Kind; 15] = [
    Kind::new("captures", "captures", |leaves| leaves.captures),
    Kind::new("en_passant", "en passant", |leaves| leaves.en_passant),
    Kind::new("castles", "castles", |leaves| leaves.castles),
    Kind::new("promotions", "promotions", |leaves| leaves.promotions),
    Kind::new("checks", "checks", |leaves| leaves.checks.total()),
    Kind::new("direct_checks", "  direct", |leaves| leaves.checks.direct),
    Kind::new("discovered_checks", "  discovered", |leaves| leaves.checks.discovered),
    Kind::new("direct_and_discovered_checks", "  direct and discovered", |leaves| {
        leaves.checks.direct_and_discovered
    }),
    Kind::new("double_discovered_checks", "  double discovered", |leaves| leaves.checks.double_discovered),
    Kind::new("checkmates", "checkmates", |leaves| leaves.checkmates.total()),
    Kind::new("direct_checkmates", "  direct", |leaves| leaves.checkmates.direct),
    Kind::new("discovered_checkmates", "  discovered", |leaves| leaves.checkmates.discovered),
    Kind::new("direct_and_discovered_checkmates", "  direct and discovered", |leaves| {
        leaves.checkmates.direct_and_discovered
    }),
    Kind::new("double_discovered_checkmates", "  double discovered", |leaves| {
        leaves.checkmates.double_discovered
    }),
    Kind::new("stalemates", "stalemates", |leaves| leaves.stalemates),
];

/// Writes one field per kind.
pub fn serialize_kinds<S: Serializer>(leaves: &LeafStatistics, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(KINDS.iter().map(|kind| (kind.name, (kind.count)(leaves))))
}

impl DepthStatistics {
    pub fn new(depth: u32, leaves: &LeafStatistics, elapsed: Duration) -> DepthStatistics {
        let (nodes, seconds) = (Nodes(leaves.nodes), elapsed.as_secs_f64());
        DepthStatistics { depth, nodes, leaves: *leaves, seconds, exact: None }
    }

    /// Returns the cells of this depth: the depth, the nodes, and the number of each kind.
    fn cells(&self, format: impl Fn(u128) -> String) -> Vec<String> {
        [vec![self.depth.to_string()], cells(&self.leaves, format)].concat()
    }
}

/// Returns the cells of some leaf nodes: their number, and the number of each kind.
pub fn cells(leaves: &LeafStatistics, format: impl Fn(u128) -> String) -> Vec<String> {
    let kinds = KINDS.iter().map(|kind| (kind.count)(leaves));
    [leaves.nodes].into_iter().chain(kinds).map(format).collect()
}

impl Report for StatisticsReport {
    const NAME: &'static str = "stats";

    /// One line per depth.
    fn exact_table(&self) -> Option<Table> {
        let names = KINDS.iter().map(|kind| kind.name);
        let header = ["depth", "nodes"].into_iter().chain(names).chain(["seconds"]);
        let rows = self.results.iter().map(|result| {
            let seconds = format!("{:.6}", result.seconds);
            [result.cells(|number| number.to_string()), vec![seconds]].concat()
        });
        Some(Table::new(header, rows))
    }

    /// One row per depth.
    fn table(&self) -> Option<Table> {
        let names = KINDS.iter().map(|kind| kind.name.replace('_', " "));
        let header = ["depth", "nodes"].map(String::from).into_iter().chain(names);
        let rows = self.results.iter().map(|result| result.cells(grouped));
        Some(Table::new(header, rows))
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.complete {
            writeln!(out, "{}", incomplete_line())?;
        }
        writeln!(out, "{}", text_table(&self.results).text())
    }
}

/// Returns one column per depth, and one row per kind.
pub fn text_table(results: &[DepthStatistics]) -> Table {
    let is_grouped = is_output_grouped();
    let format = |number| digits(number, is_grouped);
    let columns: Vec<Vec<String>> = results
        .iter()
        .map(|result| [result.cells(format), vec![format!("{:.3}", result.seconds)]].concat())
        .collect();
    let labels = KINDS.iter().map(|kind| kind.label);
    let labels = ["depth", "nodes"].into_iter().chain(labels).chain(["seconds"]);
    let mut rows = labels.enumerate().map(|(index, label)| {
        let cells = columns.iter().map(|column| column[index].clone());
        [label.to_owned()].into_iter().chain(cells).collect()
    });
    let header: Vec<String> = rows.next().expect("there is a row of depths");
    Table::new(header, rows)
}
