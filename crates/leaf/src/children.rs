//! Counts with any leaf counter, where the counter has no code of its own.

use perft_core::internals::{LeafCounter, LeafStatistics};
use perft_core::{MoveList, Position};

/// Counts below each child of a position.
pub fn count_children(counter: &dyn LeafCounter, position: &Position, depth: u32) -> u64 {
    let moves = counter.moves(position);
    moves.iter().map(|played| counter.count(&position.play_unchecked(*played), depth - 1)).sum()
}

/// Returns the sum of the statistics below each child of a position.
pub fn statistics_of_children(counter: &dyn LeafCounter, position: &Position, depth: u32) -> LeafStatistics {
    let below = |&played| counter.statistics(&position.play_unchecked(played), depth - 1);
    counter.moves(position).iter().map(below).sum()
}

/// Wraps a leaf counter so that it makes every move.
pub struct EveryLeaf<'a>(pub &'a dyn LeafCounter);

impl LeafCounter for EveryLeaf<'_> {
    fn moves(&self, position: &Position) -> MoveList {
        self.0.moves(position)
    }

    fn count(&self, position: &Position, depth: u32) -> u64 {
        self.0.count_played(position, depth)
    }

    fn count_played(&self, position: &Position, depth: u32) -> u64 {
        self.0.count_played(position, depth)
    }

    fn min_table_depth(&self) -> u32 {
        self.0.min_table_depth()
    }

    fn statistics(&self, position: &Position, depth: u32) -> LeafStatistics {
        self.0.statistics(position, depth)
    }
}
