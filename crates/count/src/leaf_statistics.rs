//! Leaf statistics: captures, checks, mates and other kinds of leaf nodes, counted separately.
//!
//! The leaf counter finds the statistics of the last plies. The trunk is the same as in plain counting. A
//! [`StatisticsTable`] stores the statistics of subtrees, as the transposition table stores their counts.

use std::collections::TryReserveError;
use std::sync::{Mutex, PoisonError};

use perft_core::internals::statistics_of_move;
use perft_core::{Interrupted, LeafCounter, LeafStatistics, Move, Position};

use crate::driver::Perft;
use crate::keys::{Key, KeyMaker};
use crate::progress::{Progress, Share};
use crate::trunk::{Total, Tree, Trunk};

impl Total for LeafStatistics {
    fn nodes(self) -> u128 {
        self.nodes
    }
}

impl Perft {
    /// Returns the number of leaf nodes `depth` plies below a position, in total and by kind: captures, checks, mates
    /// and others.
    ///
    /// A table stores the statistics of subtrees, and keeps them between calls. With a table, even depths whose numbers
    /// do not fit into 128 bits can be counted. Then `nodes` is [`u128::MAX`] (see [`LeafStatistics`]).
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_count::{Perft, Progress};
    ///
    /// let statistics = Perft::new().statistics(&Position::start(), 4, None, &Progress::default())?;
    /// assert_eq!((statistics.nodes, statistics.captures), (197_281, 1576));
    /// assert_eq!((statistics.checks.total(), statistics.checkmates.total()), (469, 8));
    /// # Ok::<(), perft_core::Interrupted>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`Interrupted`] if the stop signal of `progress` was raised.
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
    pub fn statistics(
        &self,
        position: &Position,
        depth: u32,
        table: Option<&StatisticsTable>,
        progress: &Progress,
    ) -> Result<LeafStatistics, Interrupted> {
        progress.restart();
        self.on_statistics_trunk(depth, table, progress, |trunk| trunk.count(position, depth, Share::WHOLE))
    }

    /// Returns the statistics of the leaf nodes below each legal move, in the order in which the moves are generated.
    /// At depth 1, the only leaf node of a move is the move itself. The result is empty at depth 0.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_count::{Perft, Progress};
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -").unwrap();
    /// let moves = Perft::new().divide_statistics(&position, 1, None, &Progress::default())?;
    /// let castling = moves.iter().find(|(_, leaves)| leaves.castles == 1);
    /// assert!(castling.is_some() && moves.iter().any(|(_, leaves)| leaves.checks.direct == 1));
    /// # Ok::<(), perft_core::Interrupted>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`Interrupted`] if the stop signal of `progress` was raised.
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
    pub fn divide_statistics(
        &self,
        position: &Position,
        depth: u32,
        table: Option<&StatisticsTable>,
        progress: &Progress,
    ) -> Result<Vec<(Move, LeafStatistics)>, Interrupted> {
        if depth == 1 {
            let moves = position.legal_moves().into_iter();
            return Ok(moves.map(|played| (played, statistics_of_move(position, played))).collect());
        }
        progress.restart();
        self.on_statistics_trunk(depth, table, progress, |trunk| trunk.divide(position, depth))
    }

    pub(crate) fn on_statistics_trunk<R: Send>(
        &self,
        depth: u32,
        table: Option<&StatisticsTable>,
        progress: &Progress,
        count: impl FnOnce(&Trunk<StatisticsTree>) -> R + Send,
    ) -> R {
        self.on_trunk(depth, progress, |trunk| {
            let tree = StatisticsTree { counter: trunk.tree.counter, table };
            count(&Trunk { tree, threads: trunk.threads, progress })
        })
    }
}

/// The tree of positions whose leaf nodes are counted by kind.
pub(crate) struct StatisticsTree<'a> {
    counter: &'a dyn LeafCounter,
    table: Option<&'a StatisticsTable>,
}

/// The smallest depth, in plies from the leaves, at which the table is probed. At smaller depths, counting is as fast.
const MIN_TABLE_DEPTH: u32 = 3;

impl Tree for StatisticsTree<'_> {
    type Total = LeafStatistics;

    fn counter(&self) -> &dyn LeafCounter {
        self.counter
    }

    fn subtree(&self, position: &Position, depth: u32) -> LeafStatistics {
        if self.table.is_none() || depth < MIN_TABLE_DEPTH {
            return self.counter.statistics(position, depth);
        }
        if let Some(known) = self.get(position, depth) {
            return known;
        }
        let below = |played: Move| self.subtree(&position.play_legal(played), depth - 1);
        let total = self.counter.moves(position).into_iter().map(below).sum();
        self.put(position, depth, total);
        total
    }

    fn three_plies_of_family(&self, _: &[(Position, u64)]) -> Option<LeafStatistics> {
        None
    }

    fn get(&self, position: &Position, depth: u32) -> Option<LeafStatistics> {
        let table = self.table?;
        table.get(table.keys.key(position, depth))
    }

    fn put(&self, position: &Position, depth: u32, statistics: LeafStatistics) {
        if let Some(table) = self.table {
            table.put(table.keys.key(position, depth), statistics);
        }
    }
}

/// Stores the statistics of subtrees by position and depth.
///
/// Each slot has a key of 128 bits, and new statistics always replace those in their slot. Each slot has its own lock.
/// Threads hardly ever wait for a lock, because examining a subtree takes much longer than writing a slot.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_count::{Perft, Progress, StatisticsTable};
///
/// let table = StatisticsTable::new(1 << 20, 0)?;
/// let statistics = Perft::new().statistics(&Position::start(), 4, Some(&table), &Progress::default());
/// assert_eq!(statistics.unwrap().checkmates.total(), 8);
/// # Ok::<(), std::collections::TryReserveError>(())
/// ```
#[derive(Debug)]
pub struct StatisticsTable {
    slots: Vec<Slot>,
    keys: KeyMaker,
}

type Slot = Mutex<Option<(Key, LeafStatistics)>>;

impl StatisticsTable {
    /// Returns an empty table of at most `bytes` bytes, but at least one slot. Different seeds give independent keys.
    ///
    /// # Errors
    /// Returns an error if the system does not provide the memory.
    pub fn new(bytes: usize, seed: u64) -> Result<StatisticsTable, TryReserveError> {
        let count = (bytes / size_of::<Slot>()).max(1);
        let mut slots = Vec::new();
        slots.try_reserve_exact(count)?;
        slots.resize_with(count, Mutex::default);
        Ok(StatisticsTable { slots, keys: KeyMaker::new(seed) })
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>()
    }

    fn get(&self, key: Key) -> Option<LeafStatistics> {
        let slot = self.slot(key).lock().unwrap_or_else(PoisonError::into_inner);
        slot.filter(|(found, _)| *found == key).map(|(_, statistics)| statistics)
    }

    fn put(&self, key: Key, statistics: LeafStatistics) {
        *self.slot(key).lock().unwrap_or_else(PoisonError::into_inner) = Some((key, statistics));
    }

    /// The index is the first word of the key, as a fraction of 2^64, times the number of slots.
    fn slot(&self, key: Key) -> &Slot {
        let index = (u128::from(key.slot) * self.slots.len() as u128) >> 64;
        &self.slots[index as usize]
    }
}
