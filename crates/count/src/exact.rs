//! Exact mode: counts without a transposition table that are still many times faster than plain counting.
//!
//! The upper plies are made breadth first, as far as the memory allows. Each ply is a [`Frontier`]: its distinct
//! positions, each with its multiplicity, which is the number of ways to reach it. Then the rest of the tree is counted
//! once below each position:
//!
//! ```text
//!                     /\
//!                    /  \            upper plies: equal positions are merged
//!                   /____\
//!   perft(n) = sum  m x perft(rest)  remaining plies: counted below each position, times its multiplicity m
//!                  /\/\/\/\
//! ```
//!
//! Equal positions of the first of the remaining plies are merged too, as far as their parents are of one family, but
//! this ply is not stored (`frontier/families.rs`). Counters without vectors merge all of them, and count the rest below
//! some before the others are made (`frontier/next_ply.rs`).
//!
//! If the last of the upper plies does not fit into the memory, it is made in parts. The rest is counted below the
//! positions of one part before the next part is made.
//!
//! Positions are compared in full. So there are no hash collisions, which are possible in a count with a table.

use perft_core::{Interrupted, LeafStatistics, Move, Position, RootMove};

use crate::driver::Perft;
use crate::frontier::{CountedPosition, Frontier, FrontierError, Parts, PlyCount};
use crate::merged::FAMILY_PLIES;
use crate::progress::{Progress, Share};
use crate::trunk::{Total, Tree, Trunk};

/// The result of an exact count, and how it was made: the number of leaf nodes, or their [`LeafStatistics`].
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_count::{Perft, Progress};
///
/// let exact = Perft::new().count_exact(&Position::start(), 5, 1 << 20, &Progress::default())?;
/// assert_eq!(exact.total, 4_865_609);
/// assert_eq!((exact.split().ply, exact.split().positions), (2, 400));
/// # Ok::<(), perft_count::FrontierError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactCount<T = u128> {
    /// The sum over the leaf nodes: their number, or their statistics.
    pub total: T,
    /// The counts of each merged ply, from ply 0 on. Plain counting starts at the last one.
    pub plies: Vec<PlyCount>,
    /// The last ply whose multiplicities were compared with a plain count.
    pub checked_ply: u32,
}

impl<T> ExactCount<T> {
    /// Returns the counts of the last merged ply, at which plain counting starts.
    ///
    /// # Panics
    /// Panics if `plies` is empty. The result of [`Perft::count_exact`] always has ply 0.
    pub fn split(&self) -> PlyCount {
        *self.plies.last().expect("an exact count has ply 0")
    }
}

impl Perft {
    /// Returns the number of leaf nodes `depth` plies below a position, counted without hash keys that could collide.
    /// The table of this driver is not used.
    ///
    /// Equal positions of the upper plies are merged as long as they fit into `memory_bytes`. The last of these plies,
    /// three plies above the leaves, may be larger than the memory. Then it is made in parts. If even the first ply
    /// does not fit, the result is a plain count.
    ///
    /// # Examples
    /// See [`ExactCount`].
    ///
    /// # Errors
    /// Returns [`FrontierError::Interrupted`] if the stop signal of `progress` was raised, or
    /// [`FrontierError::WrongSum`] if a ply failed its check (see [`Frontier::next`]).
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
    pub fn count_exact(
        &self,
        position: &Position,
        depth: u32,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<ExactCount, FrontierError> {
        progress.restart();
        self.on_trunk(depth, progress, |trunk| {
            count_from(Frontier::new(position), &trunk.plain(), depth, memory_bytes, Share::WHOLE)
        })
    }

    /// Returns the statistics of the leaf nodes `depth` plies below a position, counted as [`Perft::count_exact`]
    /// counts the leaf nodes.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_count::{Perft, Progress};
    ///
    /// let exact = Perft::new().statistics_exact(&Position::start(), 5, 1 << 20, &Progress::default())?;
    /// assert_eq!((exact.total.captures, exact.total.en_passant), (82_719, 258));
    /// # Ok::<(), perft_count::FrontierError>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`Perft::count_exact`].
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
    pub fn statistics_exact(
        &self,
        position: &Position,
        depth: u32,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<ExactCount<LeafStatistics>, FrontierError> {
        progress.restart();
        self.on_statistics_trunk(depth, None, progress, |trunk| {
            count_from(Frontier::new(position), trunk, depth, memory_bytes, Share::WHOLE)
        })
    }

    /// Returns the sum over some distinct positions: multiplicity times the statistics of the leaf nodes below. The
    /// same side must be to move in all of them. Equal positions below different ones are merged. This is one share of
    /// a larger count: it adds to `progress` and does not restart it.
    ///
    /// # Errors
    /// The same as for [`Perft::count_exact`].
    #[doc(hidden)]
    pub fn statistics_of_all(
        &self,
        positions: &[(Position, u64)],
        depth: u32,
        memory_bytes: usize,
        progress: &Progress,
        share: Share,
    ) -> Result<LeafStatistics, FrontierError> {
        self.on_statistics_trunk(depth, None, progress, |trunk| {
            Ok(count_from(Frontier::of_roots(positions), trunk, depth, memory_bytes, share)?.total)
        })
    }

    /// Returns the exact number of leaf nodes below each legal move, in the order in which the moves are generated. The
    /// result is empty at depth 0.
    ///
    /// This takes somewhat longer than [`Perft::count_exact`]. Each move is counted separately, so equal positions
    /// below different moves are not merged.
    ///
    /// # Errors
    /// The same as for [`Perft::count_exact`].
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
    pub fn divide_exact(
        &self,
        position: &Position,
        depth: u32,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<Vec<RootMove>, FrontierError> {
        progress.restart();
        let divided =
            self.on_trunk(depth, progress, |trunk| divide(position, &trunk.plain(), depth, memory_bytes))?;
        Ok(divided.into_iter().map(|(played, nodes)| RootMove { played, nodes }).collect())
    }

    /// Returns the statistics of the leaf nodes below each legal move, counted as [`Perft::divide_exact`] counts the
    /// leaf nodes.
    ///
    /// # Errors
    /// The same as for [`Perft::count_exact`].
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
    pub fn divide_statistics_exact(
        &self,
        position: &Position,
        depth: u32,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<Vec<(Move, LeafStatistics)>, FrontierError> {
        if depth == 1 {
            return Ok(self.divide_statistics(position, depth, None, progress)?);
        }
        progress.restart();
        self.on_statistics_trunk(depth, None, progress, |trunk| divide(position, trunk, depth, memory_bytes))
    }
}

fn divide<T: Tree>(
    position: &Position,
    trunk: &Trunk<T>,
    depth: u32,
    memory_bytes: usize,
) -> Result<Vec<(Move, T::Total)>, FrontierError> {
    let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
    let moves = trunk.tree.counter().moves(position);
    let share = Share::WHOLE.split(moves.len());
    let count = |played: &Move| {
        let child = Frontier::new(&position.play_legal(*played));
        Ok((*played, count_from(child, trunk, below, memory_bytes, share)?.total))
    };
    moves.iter().map(count).collect()
}

/// Counts below a frontier. It merges further plies while this saves time and they fit into the memory. Then it counts
/// below each position.
fn count_from<T: Tree>(
    root: Frontier,
    trunk: &Trunk<T>,
    depth: u32,
    memory_bytes: usize,
    share: Share,
) -> Result<ExactCount<T::Total>, FrontierError> {
    // The first of the remaining plies is merged too, but not stored. Storing it would take ten times the memory.
    let split_ply = depth.saturating_sub(FAMILY_PLIES);
    // Each ply takes several times the work of the ply before. The last one takes an eighth of the whole or less.
    let share_of_ply = |ply: u32, share: Share| share.part(1, 4 << (split_ply - ply).min(32));
    let mut share_left = share;
    let mut frontier = root;
    let mut plies = vec![frontier.count()];
    while frontier.ply() < split_ply {
        let share = share_of_ply(frontier.ply(), share_left);
        match frontier.next_on(&trunk.plain(), memory_bytes, share) {
            Ok(next) => frontier = next,
            Err(error) if error.ends_merging() => break,
            Err(error) => return Err(error),
        }
        share_left = share_left.without(share);
        plies.push(frontier.count());
    }
    if frontier.ply() + 1 == split_ply && has_room_for_parts(&frontier, memory_bytes) {
        let making = share_of_ply(frontier.ply(), share_left);
        let parts = Parts { memory_bytes, making, taking: share_left.without(making) };
        let before = trunk.progress.save();
        match count_parts(&frontier, trunk, parts) {
            Ok((total, ply, checked_ply)) => {
                plies.push(ply);
                return Ok(ExactCount { total, plies, checked_ply });
            }
            Err(error) if error.ends_merging() => trunk.progress.restore(before),
            Err(error) => return Err(error),
        }
    }
    let total = match depth - frontier.ply() {
        FAMILY_PLIES => frontier.count_three_plies(trunk, memory_bytes, share_left)?,
        rest => count_below(&frontier, trunk, rest, share_left)?,
    };
    Ok(ExactCount { total, plies, checked_ply: frontier.checked_ply() })
}

/// Whether it saves time to make the next ply, which is too large for the memory, in parts.
///
/// Each part plays all moves of this frontier again, and a ply has about ten to forty times the positions of the ply
/// before. With the room that is required here, there are at most some dozens of parts. Making that many takes a third
/// of the whole time. Counting below this frontier without parts takes even longer.
fn has_room_for_parts(frontier: &Frontier, memory_bytes: usize) -> bool {
    memory_bytes.saturating_sub(frontier.bytes()) >= frontier.bytes()
}

/// Counts below the positions of the next ply, which is made in parts. Also returns the count of that ply and its last
/// checked ply.
fn count_parts<T: Tree>(
    frontier: &Frontier,
    trunk: &Trunk<T>,
    parts: Parts,
) -> Result<(T::Total, PlyCount, u32), FrontierError> {
    let mut total = T::Total::default();
    let memory_bytes = parts.memory_bytes - frontier.bytes();
    let (ply, checked_ply) = frontier.next_in_parts(&trunk.plain(), parts, |part, share| {
        total = total + part.count_three_plies(trunk, memory_bytes, share)?;
        Ok(())
    })?;
    Ok((total, ply, checked_ply))
}

/// Returns the sum over all positions of a frontier: multiplicity times the total `rest` plies below.
///
/// The sum cannot overflow. The multiplicities add up to less than 2^64, and counting 2^64 nodes below one position
/// would take centuries.
fn count_below<T: Tree>(
    frontier: &Frontier,
    trunk: &Trunk<T>,
    rest: u32,
    share: Share,
) -> Result<T::Total, Interrupted> {
    let share = share.part(1, frontier.positions());
    frontier.sum(trunk, |positions| {
        let mut sum = T::Total::default();
        for (position, multiplicity) in positions.iter().map(CountedPosition::unpack) {
            let total = trunk.count(&position, rest, share)?;
            trunk.progress.add(total.nodes() * u128::from(multiplicity - 1), Share::NONE);
            sum = sum + total * u128::from(multiplicity);
        }
        Ok(sum)
    })
}
