//! The driver: how a count is set up, and where it starts.
//!
//! A tree has three levels: the trunk, which is split between threads; the subtrees that hang from it; and the last
//! plies of each subtree, which a leaf counter counts. [`Perft`] holds what was chosen for all three.

use std::fmt;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::cpu_path::{CpuPath, PathUnavailable};
use super::leaf::{EveryLeaf, LeafCounter, LeafMode};
use super::progress::{Interrupted, Progress, Share};
use super::table::{Table, TableStatistics};
use super::trunk::{PositionTree, RootMove, Trunk};
use crate::position::Position;

/// The greatest depth in plies; deeper ones would only exhaust the stack.
pub const MAX_DEPTH: u32 = 255;

/// The greatest number of threads.
pub const MAX_THREADS: usize = 1024;

/// Room for a trunk of [`MAX_DEPTH`] plies on every worker.
const STACK_BYTES: usize = 16 << 20;

/// Counts trees: the modes, chosen once.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_core::{Perft, Progress};
/// let perft = Perft::new().threads(2)?;
/// let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
/// let position = Position::from_fen(kiwipete).unwrap();
/// assert_eq!(perft.count(&position, 4, &Progress::default()), Ok(4_085_603));
/// # Ok::<(), crate::count::ThreadsError>(())
/// ```
pub struct Perft {
    path: CpuPath,
    counter: Box<dyn LeafCounter>,
    leaf_mode: LeafMode,
    /// Walks the tree in place of this crate's own generator.
    other_walk: Option<Box<dyn TreeWalk>>,
    pool: Option<ThreadPool>,
    table: Option<Table>,
}

/// Walks whole trees with another move generator: the laboratory has some.
pub trait TreeWalk: Send + Sync {
    /// Returns the leaf nodes at a depth in plies below a position.
    fn count(&self, root: &Position, depth: u32, options: &WalkOptions) -> Result<u128, Interrupted>;

    /// Returns the leaf nodes below each legal move.
    fn divide(
        &self,
        root: &Position,
        depth: u32,
        options: &WalkOptions,
    ) -> Result<Vec<RootMove>, Interrupted>;
}

/// What a driver tells a [`TreeWalk`].
#[derive(Clone, Copy, Debug)]
pub struct WalkOptions<'a> {
    /// The CPU path whose scalar instructions may be used.
    pub path: CpuPath,
    /// What happens at the leaves.
    pub leaf_mode: LeafMode,
    /// Whether the work is split between the threads of the current pool.
    pub parallel: bool,
    /// Where progress is noted, and where the stop signal comes from.
    pub progress: &'a Progress,
}

/// So many threads cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThreadsError {
    /// None, or more than [`MAX_THREADS`].
    #[error("{0} threads: from 1 to {MAX_THREADS} are possible")]
    OutOfRange(usize),
    /// The system does not start them.
    #[error("the system does not start {0} threads: {1}")]
    Refused(usize, String),
}

impl Default for Perft {
    fn default() -> Perft {
        Perft::new()
    }
}

impl Perft {
    /// The fastest path of this machine, bulk counting, one thread, no table.
    pub fn new() -> Perft {
        let path = CpuPath::best();
        let counter = path.counter().expect("the best path is available");
        Perft { path, counter, leaf_mode: LeafMode::Bulk, other_walk: None, pool: None, table: None }
    }

    /// Walks trees with another generator, which probes no table and cannot merge positions.
    #[doc(hidden)]
    pub fn tree_walk(self, walk: Box<dyn TreeWalk>) -> Perft {
        Perft { other_walk: Some(walk), ..self }
    }

    /// Counts the last plies with this counter instead of the one of the CPU path.
    #[doc(hidden)]
    pub fn leaf_counter(self, counter: Box<dyn LeafCounter>) -> Perft {
        Perft { counter, ..self }
    }

    /// Counts on this CPU path, with the path's own slider look-up.
    ///
    /// # Errors
    /// This machine cannot run it.
    pub fn cpu_path(self, path: CpuPath) -> Result<Perft, PathUnavailable> {
        let counter = path.counter().ok_or(PathUnavailable(path))?;
        Ok(Perft { path, counter, ..self })
    }

    /// Counts the leaves in this way.
    pub fn leaf_mode(self, leaf_mode: LeafMode) -> Perft {
        Perft { leaf_mode, ..self }
    }

    /// Counts on so many threads; with one, on the caller's.
    ///
    /// # Errors
    /// The number is 0 or above [`MAX_THREADS`], or the system does not start the threads.
    pub fn threads(self, threads: usize) -> Result<Perft, ThreadsError> {
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(ThreadsError::OutOfRange(threads));
        }
        if threads == 1 {
            return Ok(Perft { pool: None, ..self });
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("perft-{index}"))
            .build()
            .map_err(|error| ThreadsError::Refused(threads, error.to_string()))?;
        Ok(Perft { pool: Some(pool), ..self })
    }

    /// Remembers the counts of subtrees in this table, from one count to the next.
    pub fn table(self, table: Table) -> Perft {
        Perft { table: Some(table), ..self }
    }

    /// What the table was asked since it was made, in all counts of this driver; `None` without one.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_core::{Perft, Progress, Table};
    /// let perft = Perft::new().table(Table::new(1 << 20, 0)?);
    /// perft.count(&Position::start(), 6, &Progress::default()).unwrap();
    /// let statistics = perft.table_statistics().unwrap();
    /// assert!(0 < statistics.hits && statistics.hits < statistics.probes);
    /// assert!(statistics.expected_false_hits() < 1e-12);
    /// # Ok::<(), crate::count::TableError>(())
    /// ```
    pub fn table_statistics(&self) -> Option<TableStatistics> {
        self.table.as_ref().map(Table::statistics)
    }

    /// The leaf nodes at a depth in plies below a position; 1 at depth 0.
    ///
    /// # Errors
    /// The stop signal of `progress` was raised.
    ///
    /// # Panics
    /// The depth is above [`MAX_DEPTH`].
    pub fn count(&self, position: &Position, depth: u32, progress: &Progress) -> Result<u128, Interrupted> {
        progress.restart();
        if let Some(walk) = &self.other_walk {
            return self.in_pool(|parallel| {
                walk.count(position, depth, &self.walk_options(parallel, depth, progress))
            });
        }
        self.on_trunk(depth, progress, |trunk| trunk.count(position, depth, Share::WHOLE))
    }

    /// The leaf nodes below each legal move, in the order in which the moves are generated; none at depth 0, which has
    /// no moves.
    ///
    /// # Errors
    /// The stop signal of `progress` was raised.
    ///
    /// # Panics
    /// The depth is above [`MAX_DEPTH`].
    pub fn divide(
        &self,
        position: &Position,
        depth: u32,
        progress: &Progress,
    ) -> Result<Vec<RootMove>, Interrupted> {
        progress.restart();
        if let Some(walk) = &self.other_walk {
            return self.in_pool(|parallel| {
                walk.divide(position, depth, &self.walk_options(parallel, depth, progress))
            });
        }
        self.on_trunk(depth, progress, |trunk| trunk.divide(position, depth))
    }

    /// The leaf nodes at a depth below each of several positions, which the threads share out among themselves.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_core::{Perft, Progress};
    /// let positions = [Position::start(), Position::from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -").unwrap()];
    /// let counts = Perft::new().count_each(&positions, 4, &Progress::default());
    /// assert_eq!(counts, Ok(vec![197_281, 43_238]));
    /// ```
    ///
    /// # Errors
    /// The stop signal of `progress` was raised.
    ///
    /// # Panics
    /// The depth is above [`MAX_DEPTH`].
    pub fn count_each(
        &self,
        positions: &[Position],
        depth: u32,
        progress: &Progress,
    ) -> Result<Vec<u128>, Interrupted> {
        progress.restart();
        self.count_each_as(positions, depth, progress, Share::WHOLE)
    }

    /// As [`Perft::count_each`], where the positions are a share of a greater work in progress.
    #[doc(hidden)]
    pub fn count_each_as(
        &self,
        positions: &[Position],
        depth: u32,
        progress: &Progress,
        share: Share,
    ) -> Result<Vec<u128>, Interrupted> {
        let share = share.split(positions.len());
        if self.other_walk.is_some() {
            let count = |position: &Position| {
                let nodes = self.count(position, depth, &progress.detached())?;
                progress.add(nodes, share);
                Ok(nodes)
            };
            return positions.iter().map(count).collect();
        }
        self.on_trunk(depth, progress, |trunk| {
            let count = |position: &Position| trunk.count(position, depth, share);
            if trunk.parallel {
                positions.par_iter().with_max_len(1).map(count).collect()
            } else {
                positions.iter().map(count).collect()
            }
        })
    }

    /// Runs work on the threads of this driver, and tells it whether they are more than one.
    #[doc(hidden)]
    pub fn in_pool<R: Send>(&self, work: impl FnOnce(bool) -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(|| work(true)),
            None => work(false),
        }
    }

    /// Runs work on the trunk of a tree of positions, on the threads of this driver.
    pub(super) fn on_trunk<R: Send>(
        &self,
        depth: u32,
        progress: &Progress,
        work: impl FnOnce(&Trunk<PositionTree>) -> R + Send,
    ) -> R {
        assert!(depth <= MAX_DEPTH, "a depth of {depth} plies is above {MAX_DEPTH}");
        let every_leaf = EveryLeaf(&*self.counter);
        let counter: &dyn LeafCounter = match self.leaf_mode {
            LeafMode::Bulk => &*self.counter,
            LeafMode::EveryLeaf => &every_leaf,
        };
        let tree = PositionTree { counter, table: self.table.as_ref() };
        self.in_pool(|parallel| work(&Trunk { tree, parallel, progress }))
    }

    fn walk_options<'a>(&self, parallel: bool, depth: u32, progress: &'a Progress) -> WalkOptions<'a> {
        assert!(depth <= MAX_DEPTH, "a depth of {depth} plies is above {MAX_DEPTH}");
        WalkOptions { path: self.path, leaf_mode: self.leaf_mode, parallel, progress }
    }
}

impl fmt::Debug for Perft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Perft")
            .field("path", &self.path)
            .field("leaf_mode", &self.leaf_mode)
            .finish_non_exhaustive()
    }
}
