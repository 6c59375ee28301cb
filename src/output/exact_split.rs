//! How an exact count was made.

use crate::output::error::say;
use crate::output::number_of;
use perft_count::{ExactCount, PlyCount};
use serde::Serialize;

use super::Nodes;

/// How an exact count was divided between merging positions and plain counting.
#[derive(Clone, Debug, Serialize)]
pub struct ExactSplit {
    /// The last ply at which equal positions were merged.
    pub split_ply: u32,
    /// The last ply at which the number of nodes was compared with a plain count.
    pub checked_ply: u32,
    /// The plies from 0 to the split.
    pub plies: Vec<PlyPositions>,
}

impl ExactSplit {
    /// Prints to standard error how the count to a depth was made.
    pub fn print(&self, depth: u32) {
        let split = self.plies.last().expect("an exact count has ply 0");
        let (positions, nodes) = (number_of(split.positions, "position"), number_of(split.nodes.0, "node"));
        let (ply, rest, checked) = (self.split_ply, depth - self.split_ply, self.checked_ply);
        say(format_args!(
            "perft({depth}): merged {nodes} at ply {ply} into {positions}, then counted {} below each; checked against plain counts up to ply {checked}",
            number_of(rest, "ply")
        ));
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct PlyPositions {
    /// The ply.
    pub ply: u32,
    /// The number of distinct positions.
    pub positions: u64,
    /// The number of nodes of the tree.
    #[serde(flatten)]
    pub nodes: Nodes,
}

impl From<&PlyCount> for PlyPositions {
    fn from(count: &PlyCount) -> PlyPositions {
        PlyPositions { ply: count.ply, positions: count.positions, nodes: Nodes(count.nodes) }
    }
}

impl<T> From<&ExactCount<T>> for ExactSplit {
    fn from(count: &ExactCount<T>) -> ExactSplit {
        ExactSplit {
            split_ply: count.split().ply,
            checked_ply: count.checked_ply,
            plies: count.plies.iter().map(PlyPositions::from).collect(),
        }
    }
}
