//! Exact mode: counting without a transposition table, and still many times faster than plain counting.
//!
//! From the root, breadth first, as long as the memory lasts: the distinct positions a ply and the number of ways to
//! reach each (a [`Frontier`]). Then the rest of the tree is counted once below each position:
//!
//! ```text
//!                     /\
//!                    /  \            breadth first: one position where the tree has many nodes
//!                   /____\
//!   perft(n) = sum  m x perft(rest)  plain counting below each position, times its multiplicity m
//!                  /\/\/\/\
//! ```
//!
//! Positions are compared in full, so unlike with a table there is no chance of a collision.

use super::driver::Perft;
use super::frontier::{Frontier, FrontierError, PlyCount, Positions, WrongSum};
use super::progress::{Interrupted, Progress, Share};
use super::subtree;
use super::trunk::{PositionTree, RootMove, SUBTREE_DEPTH, Trunk};
use crate::position::Position;
use crate::types::Move;

/// Plies that are left to plain counting. Merging one ply more takes as long as it saves, and ten times the memory: on
/// the AVX-512 path, in seconds of CPU time, start depth 8 4.4 with two plies left and 4.3 with three, endgame depth 9
/// 1.7 and 1.4, kiwipete depth 6 0.75 and 0.88.
const REST_PLIES: u32 = 3;

/// A count that is free of collisions, and how it was made.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_core::{Perft, Progress};
/// let exact = Perft::new().count_exact(&Position::start(), 5, 1 << 20, &Progress::default())?;
/// assert_eq!(exact.nodes, 4_865_609);
/// assert_eq!((exact.split().ply, exact.split().positions), (2, 400));
/// # Ok::<(), crate::count::ExactError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactCount {
    /// The leaf nodes.
    pub nodes: u128,
    /// The distinct positions of each ply from 0 to the last that was merged, below which plain counting went on.
    pub plies: Vec<PlyCount>,
    /// The last ply whose multiplicities were compared with a plain count of the tree.
    pub checked_ply: u32,
}

impl ExactCount {
    /// The last ply whose positions were merged.
    ///
    /// # Panics
    /// There is no ply; every count has ply 0.
    pub fn split(&self) -> PlyCount {
        *self.plies.last().expect("there is ply 0")
    }
}

/// Why there is no exact count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExactError {
    /// The stop signal was raised.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The count failed its own check.
    #[error(transparent)]
    WrongSum(#[from] WrongSum),
}

impl Perft {
    /// The leaf nodes at a depth in plies below a position, counted without a table, even if this driver has one, and
    /// without hash keys that could collide.
    ///
    /// The positions of the upper plies are merged as long as they fit into so many bytes; with too few for any, all is
    /// counted plainly. (Sums cannot overflow: multiplicities add up to less than 2^64, and counting 2^64 nodes below
    /// one position would take centuries.)
    ///
    /// # Errors
    /// The stop signal of `progress` was raised, or a ply failed its check (see [`Frontier::next`]).
    ///
    /// # Panics
    /// The depth is above [`MAX_DEPTH`](super::MAX_DEPTH).
    pub fn count_exact(
        &self,
        position: &Position,
        depth: u32,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<ExactCount, ExactError> {
        self.count_exact_from(Frontier::new(position), depth, memory_bytes, progress)
    }

    /// As [`Perft::count_exact`], below each legal move, in the order in which the moves are generated. Positions are
    /// merged below one move at a time, so it takes somewhat longer.
    ///
    /// # Errors
    /// As for [`Perft::count_exact`].
    ///
    /// # Panics
    /// As for [`Perft::count_exact`].
    pub fn divide_exact(
        &self,
        position: &Position,
        depth: u32,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<Vec<RootMove>, ExactError> {
        let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        progress.restart();
        self.on_trunk(depth, progress, |trunk| {
            let trunk = trunk.without_table();
            let moves = trunk.tree.counter.moves(position);
            let share = Share::WHOLE.split(moves.len());
            let count = |played: &Move| {
                let child = Frontier::new(&position.play_unchecked(*played));
                let nodes = count_from(child, &trunk, below, memory_bytes, share)?.nodes;
                Ok(RootMove { played: *played, nodes })
            };
            moves.iter().map(count).collect()
        })
    }

    fn count_exact_from(
        &self,
        root: Frontier,
        depth: u32,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<ExactCount, ExactError> {
        progress.restart();
        self.on_trunk(depth, progress, |trunk| {
            count_from(root, &trunk.without_table(), depth, memory_bytes, Share::WHOLE)
        })
    }
}

/// Counts from a frontier on: ply by ply as far as that pays and fits, then the rest below each position.
fn count_from(
    root: Frontier,
    trunk: &Trunk<PositionTree>,
    depth: u32,
    memory_bytes: usize,
    share: Share,
) -> Result<ExactCount, ExactError> {
    let split_ply = depth.saturating_sub(REST_PLIES);
    let mut share_left = share;
    let mut frontier = root;
    let mut plies = vec![frontier.count()];
    while frontier.ply() < split_ply {
        // Each ply is several times the work of the one before; the last is an eighth of the whole, or less.
        let share = share.part(1, 4 << (split_ply - frontier.ply()).min(32));
        match frontier.next_on(trunk, memory_bytes, share) {
            Ok(next) => frontier = next,
            Err(FrontierError::NoRoom { .. } | FrontierError::TooManyNodes { .. }) => break,
            Err(FrontierError::Interrupted(interrupted)) => return Err(interrupted.into()),
            Err(FrontierError::WrongSum(wrong)) => return Err(wrong.into()),
        }
        share_left = share_left.without(share);
        plies.push(frontier.count());
    }
    let nodes = count_below(&frontier, trunk, depth - frontier.ply(), share_left)?;
    Ok(ExactCount { nodes, plies, checked_ply: frontier.checked_ply() })
}

/// The sum over all positions of a frontier: multiplicity times the leaf nodes so many plies below.
fn count_below(
    frontier: &Frontier,
    trunk: &Trunk<PositionTree>,
    rest: u32,
    share: Share,
) -> Result<u128, Interrupted> {
    let share_of = |positions: u64| share.part(positions, frontier.positions());
    frontier.sum(trunk, |positions| {
        if rest <= SUBTREE_DEPTH {
            Ok(count_units(positions, trunk, rest, share_of))
        } else {
            count_trees(positions, trunk, rest, share_of(1))
        }
    })
}

/// Below some positions, each a unit of work that is too small to be noted by itself.
fn count_units(
    positions: Positions,
    trunk: &Trunk<PositionTree>,
    rest: u32,
    share_of: impl Fn(u64) -> Share,
) -> u128 {
    let (mut nodes, mut done) = (0, 0);
    for (position, multiplicity) in positions {
        nodes +=
            u128::from(multiplicity) * u128::from(subtree::count(trunk.tree.counter, None, &position, rest));
        done += 1;
    }
    trunk.progress.add(nodes, share_of(done));
    nodes
}

/// Below some positions, each a tree that is itself split between the threads.
fn count_trees(
    mut positions: Positions,
    trunk: &Trunk<PositionTree>,
    rest: u32,
    share: Share,
) -> Result<u128, Interrupted> {
    positions.try_fold(0, |sum, (position, multiplicity)| {
        let nodes = trunk.count(&position, rest, share)?;
        let repeated = nodes * u128::from(multiplicity - 1);
        trunk.progress.add(repeated, Share::NONE);
        Ok(sum + nodes + repeated)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

    #[test]
    fn little_memory_means_an_early_split() {
        let position = Position::from_fen(ENDGAME).unwrap();
        let split_of = |memory_bytes| {
            let count = Perft::new().count_exact(&position, 6, memory_bytes, &Progress::default()).unwrap();
            assert_eq!(count.nodes, 11_030_083);
            (count.split().ply, count.checked_ply)
        };
        assert_eq!(split_of(0), (0, 0));
        assert_eq!(split_of(3_000), (1, 1));
        assert_eq!(split_of(1 << 20), (3, 3));
    }

    #[test]
    fn a_count_that_fails_its_check_has_no_result() {
        let mut root = Frontier::new(&Position::start());
        root.corrupt_one();
        let error = Perft::new().count_exact_from(root, 6, 1 << 20, &Progress::default()).unwrap_err();
        assert_eq!(error, ExactError::WrongSum(WrongSum { ply: 1, expected: 20, found: 40 }));
    }

    #[test]
    fn progress_ends_at_the_end() {
        for (depth, threads, memory_bytes) in [(0, 1, 0), (3, 1, 1 << 20), (6, 2, 1 << 20), (6, 2, 0)] {
            let progress = Progress::default();
            let perft = Perft::new().threads(threads).unwrap();
            let count = perft.count_exact(&Position::start(), depth, memory_bytes, &progress).unwrap();
            assert_eq!(u128::from(progress.nodes()), count.nodes, "depth {depth}");
            assert!((0.99..=1.0).contains(&progress.fraction()), "depth {depth}: {}", progress.fraction());
        }
    }
}
