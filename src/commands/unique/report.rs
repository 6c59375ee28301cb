//! The report of `perft unique`: the number of distinct positions per depth.

use std::time::Duration;

use perft_count::PlyCount;
use serde::Serialize;

use crate::output::numbers::in_column;
use crate::output::{Nodes, PositionInfo, Provenance, Report, Table, grouped};

/// The number of distinct positions below one position, by depth.
#[derive(Clone, Debug, Serialize)]
pub struct UniqueReport {
    /// How the positions were counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Whether all depths were counted. Otherwise the last ones are missing.
    pub complete: bool,
    /// The root position.
    pub position: PositionInfo,
    /// The last depth that was counted, in plies.
    pub depth: u32,
    /// The number of distinct positions at that depth.
    pub positions: u64,
    /// All depths from 0.
    pub results: Vec<PlyResult>,
}

/// The number of distinct positions at one depth.
#[derive(Clone, Debug, Serialize)]
pub struct PlyResult {
    /// The depth in plies.
    pub depth: u32,
    /// The number of distinct positions.
    pub positions: u64,
    /// The number of nodes of the tree.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The time of the depth in seconds.
    pub seconds: f64,
}

const HEADER: [&str; 4] = ["depth", "positions", "nodes", "seconds"];

impl PlyResult {
    pub fn new(count: PlyCount, elapsed: Duration) -> PlyResult {
        let PlyCount { ply, positions, nodes } = count;
        PlyResult { depth: ply, positions, nodes: Nodes(nodes), seconds: elapsed.as_secs_f64() }
    }

    /// Returns a line of text. With `is_grouped`, the digits are grouped by three for people.
    pub fn line(&self, is_grouped: bool) -> String {
        let &PlyResult { depth, positions, nodes: Nodes(nodes), seconds } = self;
        let (positions, nodes) = (in_column(positions.into(), is_grouped), in_column(nodes, is_grouped));
        format!("unique({depth:2})= {positions} of {nodes} nodes ({seconds:6.3} sec)")
    }
}

impl Report for UniqueReport {
    const NAME: &'static str = "unique";

    fn exact_table(&self) -> Option<Table> {
        let rows = self.results.iter().map(|result| {
            let (depth, positions) = (result.depth.to_string(), result.positions.to_string());
            vec![depth, positions, result.nodes.0.to_string(), format!("{:.6}", result.seconds)]
        });
        Some(Table::new(HEADER, rows))
    }

    fn table(&self) -> Option<Table> {
        let rows = self.results.iter().map(|result| {
            let seconds = format!("{:.3}", result.seconds);
            let (depth, positions) = (result.depth.to_string(), grouped(result.positions.into()));
            vec![depth, positions, grouped(result.nodes.0), seconds]
        });
        Some(Table::new(HEADER, rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_positions_nodes_and_time() {
        let count = PlyCount { ply: 4, positions: 72_078, nodes: 197_281 };
        let result = PlyResult::new(count, Duration::from_millis(13));
        assert_eq!(result.line(false), "unique( 4)=        72078 of       197281 nodes ( 0.013 sec)");
        assert_eq!(result.line(true), "unique( 4)=           72,078 of          197,281 nodes ( 0.013 sec)");
    }
}
