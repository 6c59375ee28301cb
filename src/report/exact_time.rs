//! How long an exact count would take, predicted from the plies whose merging takes a fraction of a second.

use perft_core::{Position, StopSignal};
use perft_count::{Frontier, FrontierError, Perft, PlyCount, Progress};
use serde::Serialize;

use crate::input::merging_memory;

/// The memory for merging the upper plies, in bytes. It is enough for ply 5 of the start position or ply 4 of kiwipete.
/// Merging them takes a fraction of a second.
const MEMORY_BYTES: usize = 64 << 20;

/// The number of plies that are counted below the positions of the last merged ply that is stored.
pub const REST: u32 = 3;

/// An exact count also merges most of the first of these plies, without storing it. Making such a node and counting
/// below it takes about this many times as long as below a node of a plain count. Measured: 1.2 to 1.9.
const COST_OF_MERGED_NODE: f64 = 1.6;

/// The memory of a stored position.
const BYTES_PER_POSITION: f64 = 40.0;

/// The predicted time of an exact count on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExactTime {
    /// The predicted time in seconds.
    pub seconds: f64,
    /// The speed of plain counting in nodes per second.
    pub nodes_per_second: f64,
    /// The last ply at which equal positions are merged.
    pub split_ply: u32,
    /// The average number of nodes per distinct position at that ply.
    pub nodes_per_position: f64,
}

impl ExactTime {
    /// Predicts the time of an exact count of `nodes` leaf nodes on this machine, where plain counting has this speed.
    pub fn of(
        position: &Position,
        depth: u32,
        nodes: f64,
        nodes_per_second: f64,
        perft: &Perft,
        stop: &StopSignal,
    ) -> Result<ExactTime, FrontierError> {
        let plies = upper_plies(position, depth, perft, stop)?;
        let memory_bytes = merging_memory(None).unwrap_or_default();
        Ok(ExactTime::predict(&plies, depth, nodes, nodes_per_second, memory_bytes))
    }

    /// Predicts the time of an exact count of `nodes` leaf nodes with this amount of memory. In each ply below `plies`,
    /// the number of positions and the number of nodes that share one grow as in the ply before.
    fn predict(
        plies: &[PlyCount],
        depth: u32,
        nodes: f64,
        nodes_per_second: f64,
        memory_bytes: usize,
    ) -> ExactTime {
        let of_ply = |ply: &PlyCount| (ply.positions as f64, ply.nodes as f64 / ply.positions.max(1) as f64);
        let (last, before) = (plies.last(), plies.iter().rev().nth(1));
        let (mut positions, mut sharing) = last.map_or((1.0, 1.0), of_ply);
        let (fewer, shared_less) = before.map_or((positions, sharing), of_ply);
        let (growth, more_sharing) = (positions / fewer, sharing / shared_less);
        let mut split_ply = last.map_or(0, |last| last.ply);
        // A ply that is made in parts needs as much memory as the ply before, which is stored.
        let has_room = |positions: f64| 2.0 * positions * BYTES_PER_POSITION <= memory_bytes as f64;
        while split_ply + REST < depth && has_room(positions) {
            (split_ply, positions, sharing) = (split_ply + 1, positions * growth, sharing * more_sharing);
        }
        let mut cost = 1.0;
        if split_ply + REST == depth {
            (split_ply, sharing, cost) = (split_ply + 1, sharing * more_sharing, COST_OF_MERGED_NODE);
        }
        let seconds = cost * nodes / sharing / nodes_per_second;
        ExactTime { seconds, nodes_per_second, split_ply, nodes_per_position: sharing }
    }
}

/// Merges equal positions of the upper plies, as far as a small memory allows. At least three plies stay below. Returns
/// the counts of all these plies; the root is the first one.
pub fn upper_plies(
    position: &Position,
    depth: u32,
    perft: &Perft,
    stop: &StopSignal,
) -> Result<Vec<PlyCount>, FrontierError> {
    let mut frontier = Frontier::new(position);
    let mut plies = vec![frontier.count()];
    while frontier.ply() + REST < depth {
        match frontier.next(perft, MEMORY_BYTES, &Progress::new(stop.clone())) {
            Ok(next) => frontier = next,
            Err(FrontierError::NoRoom { .. } | FrontierError::TooManyNodes { .. }) => break,
            Err(error) => return Err(error),
        }
        plies.push(frontier.count());
    }
    Ok(plies)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distinct positions and the nodes of the plies 4 and 5 of the start position.
    const START: [(u32, u64, u128); 2] = [(4, 72_078, 197_281), (5, 822_518, 4_865_609)];

    #[test]
    fn the_sharing_of_deeper_plies_is_predicted_and_the_memory_limits_them() {
        let plies = START.map(|(ply, positions, nodes)| PlyCount { ply, positions, nodes });
        let predict = |depth, memory_bytes| ExactTime::predict(&plies, depth, 1e12, 1e9, memory_bytes);
        // Ply 7 has 3,195,901,860 nodes and 96,400,068 positions.
        let found = predict(9, 1 << 30);
        assert_eq!(found.split_ply, 7);
        assert!(
            (0.7..1.1).contains(&(found.nodes_per_position / (3_195_901_860.0 / 96_400_068.0))),
            "{found:?}"
        );
        assert!((found.seconds / (1.6e3 / found.nodes_per_position) - 1.0).abs() < 1e-9);
        // Ply 5 takes 33 MB.
        let small = predict(9, 32 << 20);
        assert_eq!((small.split_ply, small.nodes_per_position), (5, 4_865_609.0 / 822_518.0));
        assert_eq!(predict(9, 70 << 20).split_ply, 7, "ply 6 is made in parts");
        assert_eq!(predict(12, 70 << 20).split_ply, 6);
    }
}
