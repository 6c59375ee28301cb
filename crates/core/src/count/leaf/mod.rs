//! Leaf counters: they count the last plies of a tree, where nearly all of the time is spent.
//!
//! A [`LeafCounter`] counts the last one, two or three plies in one call. Counting several plies at once is what makes it
//! fast: the moves need no list, and several nodes or leaf parents can be counted together.
//!
//! There are two kinds:
//!
//! - `scalar.rs` counts one leaf parent at a time. `paths.rs` compiles it for [`Portable`] and [`Bmi2`].
//! - `batch/` counts three plies of many sibling nodes in vector lanes. `vector.rs` compiles it for [`Avx2`],
//!   [`Avx512`], and the vectors of 128 bits of ARM and WebAssembly.
//!
//! Both kinds are generic code that is inlined into a few *entry points*. An entry point is a function that is compiled
//! for the features of one CPU path. This makes the ordinary build as fast as a build for the native CPU.

#[cfg(vector_paths)]
mod batch;
mod paths;
mod scalar;
#[cfg(vector_paths)]
mod vector;

#[cfg(x86_paths)]
pub use paths::Bmi2;
pub use paths::{Bmi2Features, Portable, scalar_counter};
#[cfg(two_lane_paths)]
pub use vector::Paired;
#[cfg(x86_paths)]
pub use vector::{Avx2, Avx512};

use crate::position::Position;
use crate::types::MoveList;

/// Whether the moves of the last ply are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeafMode {
    /// Bulk counting: the moves of the last ply are generated and counted, but not made.
    #[default]
    Bulk,
    /// Every move of the last ply is made. It is slower, and comparable to programs that do the same.
    EveryLeaf,
}

/// Counts the last plies below a position.
///
/// The drivers call it through `&dyn LeafCounter`. The indirect call costs a few millionths of the instructions, because
/// one call counts two or three plies. In return, the drivers are compiled once and not once for each CPU path.
pub trait LeafCounter: Send + Sync {
    /// Returns the legal moves, for the plies above the last ones.
    fn moves(&self, position: &Position) -> MoveList;

    /// Returns the number of legal moves: perft to depth 1.
    fn one_ply(&self, position: &Position) -> u64;

    /// Returns the number of legal replies to all legal moves: perft to depth 2.
    fn two_plies(&self, position: &Position) -> u64;

    /// Returns perft to depth 3.
    fn three_plies(&self, position: &Position) -> u64 {
        let moves = self.moves(position);
        moves.iter().map(|played| self.two_plies(&position.play_unchecked(*played))).sum()
    }

    /// Returns the smallest depth, in plies from the leaves, at which the transposition table is probed: 2 or 3. Below
    /// it, counting is as fast as a probe. The value was measured: see the chapter "Methodology" of the book.
    fn min_table_depth(&self) -> u32 {
        2
    }

    /// Writes perft to depth 2 of each node into `counts`, which has an element for each node.
    ///
    /// The nodes belong to a *family*, so that they can be counted together. In all of them, the same side is to move.
    /// `family` is a position in which this side has the same king's square and castling rights, and the same pieces on
    /// the same squares, but may have more of them. The other side has a castling right in a node if it has it in
    /// `family`, and king and rook are on their squares. All children of a position belong to its family.
    fn two_plies_each(&self, family: &Position, nodes: &[Position], counts: &mut [u64]) {
        let _ = family;
        for (node, count) in nodes.iter().zip(counts) {
            *count = self.two_plies(node);
        }
    }

    /// Returns the same as [`LeafCounter::one_ply`], but makes every move.
    fn one_ply_played(&self, position: &Position) -> u64;

    /// Returns the same as [`LeafCounter::two_plies`], but makes every move, also on the last ply.
    fn two_plies_played(&self, position: &Position) -> u64;
}

/// Wraps a leaf counter so that it makes every move: [`LeafMode::EveryLeaf`].
pub struct EveryLeaf<'a>(pub &'a dyn LeafCounter);

impl LeafCounter for EveryLeaf<'_> {
    fn min_table_depth(&self) -> u32 {
        self.0.min_table_depth()
    }

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
