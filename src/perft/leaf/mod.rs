//! The last plies of the tree, where all the time goes.
//!
//! A [`LeafCounter`] answers the last one, two or three plies for a driver that is generic over it. Counting several plies
//! in one call is what gives it room: the moves need no list, and nodes and leaf parents can be taken several at once.
//!
//! There are two: `scalar` counts one leaf parent at a time, `batch` three plies in the lanes of vectors. Both are written
//! once, generic and inlined, and compiled for each CPU path behind a few doors, which is why the ordinary build is as fast
//! as one for the native CPU.

#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
mod avx512;
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
mod batch;
mod by_pointer;
mod paths;
mod scalar;

#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
pub use avx2::Avx2;
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
pub use avx512::Avx512;
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
pub use paths::Bmi2;
pub use paths::Portable;

pub(super) use by_pointer::ByPointer;

use crate::chess::position::Position;
use crate::chess::types::MoveList;

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
pub trait LeafCounter: Copy + Send + Sync {
    /// Plies from the leaves below which a table is not asked, since counting is as fast. Measured: see
    /// `METHODOLOGY.md`.
    const MIN_TABLE_DEPTH: u32;

    /// The legal moves, for the plies further up.
    fn moves(self, position: &Position) -> MoveList;

    /// The number of legal moves: perft to depth 1.
    fn one_ply(self, position: &Position) -> u64;

    /// The number of replies to all legal moves: perft to depth 2.
    fn two_plies(self, position: &Position) -> u64;

    /// Perft to depth 3.
    fn three_plies(self, position: &Position) -> u64 {
        let moves = self.moves(position);
        moves.iter().map(|played| self.two_plies(&position.play_unchecked(*played))).sum()
    }

    /// As [`LeafCounter::one_ply`], but every move is played.
    fn one_ply_played(self, position: &Position) -> u64;

    /// As [`LeafCounter::two_plies`], but every move is played, on the last ply too.
    fn two_plies_played(self, position: &Position) -> u64;
}

/// The same counts without bulk counting: every leaf's move is played.
#[derive(Clone, Copy, Debug)]
pub struct EveryLeaf<C>(pub C);

impl<C: LeafCounter> LeafCounter for EveryLeaf<C> {
    const MIN_TABLE_DEPTH: u32 = 2;

    fn moves(self, position: &Position) -> MoveList {
        self.0.moves(position)
    }

    fn one_ply(self, position: &Position) -> u64 {
        self.0.one_ply_played(position)
    }

    fn two_plies(self, position: &Position) -> u64 {
        self.0.two_plies_played(position)
    }

    fn one_ply_played(self, position: &Position) -> u64 {
        self.0.one_ply_played(position)
    }

    fn two_plies_played(self, position: &Position) -> u64 {
        self.0.two_plies_played(position)
    }
}
