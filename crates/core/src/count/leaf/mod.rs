//! The last plies of the tree, where all the time goes.
//!
//! A [`LeafCounter`] answers the last one, two or three plies for a driver that is generic over it. Counting several plies
//! in one call is what gives it room: the moves need no list, and nodes and leaf parents can be taken several at once.
//!
//! There are two: `scalar` counts one leaf parent at a time, `batch` three plies in the lanes of vectors. Both are written
//! once, generic and inlined, and compiled for each CPU path behind a few doors, which is why the ordinary build is as fast
//! as one for the native CPU.

#[cfg(vector_paths)]
mod avx2;
#[cfg(vector_paths)]
mod avx512;
#[cfg(vector_paths)]
mod batch;
mod paths;
mod scalar;

#[cfg(vector_paths)]
pub use avx2::Avx2;
#[cfg(vector_paths)]
pub use avx512::Avx512;
#[cfg(vector_paths)]
pub use paths::Bmi2;
pub use paths::{Bmi2Features, Portable, scalar_counter};

use crate::position::Position;
use crate::types::MoveList;

/// What happens at the leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeafMode {
    /// Bulk counting: the moves of the last ply are counted, not made.
    #[default]
    Bulk,
    /// Every move of the last ply is made, for comparison with generators that do so.
    EveryLeaf,
}

/// Counts the last plies below a position.
///
/// The rest of the tree calls it through `&dyn LeafCounter`. That costs one indirect call for two or three plies, a few
/// millionths of the instructions, and saves a copy of the drivers for each CPU path.
pub trait LeafCounter: Send + Sync {
    /// The smallest depth, in plies from the leaves, at which the transposition table is probed. Below it, counting is
    /// as fast as a probe. Measured: see the book's chapter "Methodology".
    fn min_table_depth(&self) -> u32 {
        2
    }

    /// Returns the legal moves, for the plies further up.
    fn moves(&self, position: &Position) -> MoveList;

    /// Returns the number of legal moves: perft to depth 1.
    fn one_ply(&self, position: &Position) -> u64;

    /// Returns the number of replies to all legal moves: perft to depth 2.
    fn two_plies(&self, position: &Position) -> u64;

    /// Returns perft to depth 3.
    fn three_plies(&self, position: &Position) -> u64 {
        let moves = self.moves(position);
        moves.iter().map(|played| self.two_plies(&position.play_unchecked(*played))).sum()
    }

    /// As [`LeafCounter::one_ply`], but every move is played.
    fn one_ply_played(&self, position: &Position) -> u64;

    /// As [`LeafCounter::two_plies`], but every move is played, on the last ply too.
    fn two_plies_played(&self, position: &Position) -> u64;
}

/// The same counts without bulk counting: every leaf's move is played.
pub struct EveryLeaf<'a>(pub &'a dyn LeafCounter);

impl LeafCounter for EveryLeaf<'_> {
    fn moves(&self, position: &Position) -> MoveList {
        self.0.moves(position)
    }

    fn one_ply(&self, position: &Position) -> u64 {
        self.0.one_ply_played(position)
    }

    fn two_plies(&self, position: &Position) -> u64 {
        self.0.two_plies_played(position)
    }

    fn one_ply_played(&self, position: &Position) -> u64 {
        self.0.one_ply_played(position)
    }

    fn two_plies_played(&self, position: &Position) -> u64 {
        self.0.two_plies_played(position)
    }
}
