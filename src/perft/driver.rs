//! The recursion above the leaf counter, and how it is set up.
//!
//! The tree has three storeys. In the *trunk* totals have 128 bits, work is shared between threads and can be
//! interrupted. Below it hang the *units*, subtrees of a few plies that one thread counts in a millisecond or so. The
//! last two plies of each belong to the leaf counter.
//!
//! ```text
//!   root                    trunk: split at every node, all the way down, so that the last second is shared too
//!     |  |  |
//!     o  o  o  ...
//!    /|\ ...
//!   o o o         UNIT_DEPTH plies from the leaves: units, one thread each
//!   ......... 2 plies from the leaves: the leaf counter
//! ```

use rayon::ThreadPool;
use rayon::prelude::*;

use super::cpu_path::{CpuPath, PathUnavailable, Visitor};
use super::leaf::{EveryLeaf, LeafCounter};
use super::progress::{Progress, Share};
use super::table::{Table, TableStatistics};
use super::unit;
use crate::chess::position::{Key, Position};
use crate::chess::types::Move;

/// The greatest depth in plies; deeper ones would only exhaust the stack.
pub const MAX_DEPTH: u32 = 255;

/// The greatest number of threads.
pub const MAX_THREADS: usize = 1024;

/// Plies from the leaves at which a subtree is no longer split or interrupted.
pub(super) const UNIT_DEPTH: u32 = 4;

/// Room for a trunk of [`MAX_DEPTH`] plies on every worker.
const STACK_BYTES: usize = 16 << 20;

/// Counts trees: the modes, chosen once.
///
/// # Examples
/// ```
/// use perft::chess::position::Position;
/// use perft::perft::{Perft, Progress};
/// let perft = Perft::new().threads(2)?;
/// let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
/// let position = Position::from_fen(kiwipete).unwrap();
/// assert_eq!(perft.count(&position, 4, &Progress::default()), Ok(4_085_603));
/// # Ok::<(), perft::perft::ThreadsError>(())
/// ```
#[derive(Debug)]
pub struct Perft {
    path: CpuPath,
    leaf_mode: LeafMode,
    pool: Option<ThreadPool>,
    table: Option<Table>,
}

/// What happens at the leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeafMode {
    /// Bulk counting: the moves of the last ply are counted, not made.
    #[default]
    Bulk,
    /// Every move of the last ply is made, for comparison with generators that do so.
    EveryLeaf,
}

/// The count was told to stop before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

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

/// A move at the root and the leaf nodes below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub played: Move,
    /// The leaf nodes of the subtree that it leads to.
    pub nodes: u128,
}

impl Default for Perft {
    fn default() -> Perft {
        Perft::new()
    }
}

impl Perft {
    /// The fastest path of this machine, bulk counting, one thread, no table.
    pub fn new() -> Perft {
        Perft { path: CpuPath::best(), leaf_mode: LeafMode::Bulk, pool: None, table: None }
    }

    /// Counts on this CPU path.
    ///
    /// # Errors
    /// This machine cannot run it.
    pub fn cpu_path(self, path: CpuPath) -> Result<Perft, PathUnavailable> {
        if path.is_available() { Ok(Perft { path, ..self }) } else { Err(PathUnavailable(path)) }
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
    /// use perft::chess::position::Position;
    /// use perft::perft::{Perft, Progress, Table};
    /// let perft = Perft::new().table(Table::new(1 << 20, 0)?);
    /// perft.count(&Position::start(), 6, &Progress::default()).unwrap();
    /// let statistics = perft.table_statistics().unwrap();
    /// assert!(0 < statistics.hits && statistics.hits < statistics.probes);
    /// assert!(statistics.expected_false_hits() < 1e-12);
    /// # Ok::<(), perft::perft::TableError>(())
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
        self.run(CountTree(position), depth, progress)
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
        self.run(DivideTree(position), depth, progress)
    }

    /// Runs work on the threads of this driver, and tells it whether they are more than one.
    pub(crate) fn in_pool<R: Send>(&self, work: impl FnOnce(bool) -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(|| work(true)),
            None => work(false),
        }
    }

    /// Does a job behind the door of the CPU path.
    pub(super) fn run<J: Job>(&self, job: J, depth: u32, progress: &Progress) -> J::Output {
        assert!(depth <= MAX_DEPTH, "a depth of {depth} plies is above {MAX_DEPTH}");
        progress.restart();
        let door = Door {
            job,
            depth,
            leaf_mode: self.leaf_mode,
            table: self.table.as_ref(),
            parallel: self.pool.is_some(),
            progress,
        };
        self.in_pool(|_| match self.path.visit(door) {
            Ok(output) => output,
            Err(PathUnavailable(path)) => unreachable!("{path} was available when it was chosen"),
        })
    }
}

/// What is asked of a tree.
pub(super) trait Job: Send + Sync {
    type Output: Send;

    fn run<C: LeafCounter>(self, trunk: &Trunk<C>, depth: u32) -> Self::Output;
}

#[derive(Clone, Copy)]
struct CountTree<'a>(&'a Position);

impl Job for CountTree<'_> {
    type Output = Result<u128, Interrupted>;

    fn run<C: LeafCounter>(self, trunk: &Trunk<C>, depth: u32) -> Self::Output {
        trunk.count(self.0, depth, Share::WHOLE)
    }
}

#[derive(Clone, Copy)]
struct DivideTree<'a>(&'a Position);

impl Job for DivideTree<'_> {
    type Output = Result<Vec<RootMove>, Interrupted>;

    fn run<C: LeafCounter>(self, trunk: &Trunk<C>, depth: u32) -> Self::Output {
        trunk.divide(self.0, depth)
    }
}

/// Where the leaf counter is chosen.
struct Door<'a, J> {
    job: J,
    depth: u32,
    leaf_mode: LeafMode,
    table: Option<&'a Table>,
    parallel: bool,
    progress: &'a Progress,
}

impl<J: Job> Door<'_, J> {
    fn enter(self, counter: impl LeafCounter) -> J::Output {
        let trunk = Trunk { counter, table: self.table, parallel: self.parallel, progress: self.progress };
        self.job.run(&trunk, self.depth)
    }
}

impl<J: Job> Visitor for Door<'_, J> {
    type Output = J::Output;

    fn visit(self, counter: impl LeafCounter) -> Self::Output {
        match self.leaf_mode {
            LeafMode::Bulk => self.enter(counter),
            LeafMode::EveryLeaf => self.enter(EveryLeaf(counter)),
        }
    }
}

/// The recursion, with everything that was chosen at the door.
pub(super) struct Trunk<'a, C> {
    pub(super) counter: C,
    pub(super) table: Option<&'a Table>,
    pub(super) parallel: bool,
    pub(super) progress: &'a Progress,
}

impl<C: LeafCounter> Trunk<'_, C> {
    fn divide(&self, position: &Position, depth: u32) -> Result<Vec<RootMove>, Interrupted> {
        let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        let moves = self.counter.moves(position);
        let share = Share::WHOLE.split(moves.len());
        let count = |played: &Move| {
            let nodes = self.count(&position.play_unchecked(*played), below, share)?;
            Ok(RootMove { played: *played, nodes })
        };
        if self.parallel {
            moves.par_iter().with_max_len(1).map(count).collect()
        } else {
            moves.iter().map(count).collect()
        }
    }

    /// A node of the trunk; further down, a unit.
    pub(super) fn count(&self, position: &Position, depth: u32, share: Share) -> Result<u128, Interrupted> {
        if self.progress.is_stopped() {
            return Err(Interrupted);
        }
        if depth <= UNIT_DEPTH {
            let nodes = u128::from(unit::count(self.counter, self.table, position, depth));
            self.progress.add(nodes, share);
            return Ok(nodes);
        }
        let key = self.key(position, depth);
        if let Some(nodes) = self.find(key) {
            self.progress.add(nodes.into(), share);
            return Ok(nodes.into());
        }
        let moves = self.counter.moves(position);
        let child_share = share.split(moves.len());
        let count = |played: &Move| self.count(&position.play_unchecked(*played), depth - 1, child_share);
        // One move a piece: larger ones leave a thread without work for as long as another takes to finish its own.
        let nodes = if self.parallel {
            moves.par_iter().with_max_len(1).map(count).try_reduce(|| 0, |a, b| Ok(a + b))?
        } else {
            moves.iter().map(count).sum::<Result<u128, Interrupted>>()?
        };
        self.store(key, nodes);
        Ok(nodes)
    }

    fn key(&self, position: &Position, depth: u32) -> Option<Key> {
        self.table.map(|table| table.key(position, depth))
    }

    fn find(&self, key: Option<Key>) -> Option<u64> {
        self.table?.probe(key?)
    }

    fn store(&self, key: Option<Key>, nodes: u128) {
        if let (Some(table), Some(key)) = (self.table, key) {
            table.put(key, nodes);
        }
    }
}
