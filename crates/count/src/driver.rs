//! [`Perft`]: the settings of a count and the functions that count, and [`check_suite`].

use std::fmt;

use perft_core::suite::{Case, KnownCount, Limits, Suite};
use perft_core::{Interrupted, LeafCounter, MAX_DEPTH, Position, RootMove, StopSignal};
use perft_leaf::{CpuPath, EveryLeaf, PathUnavailable};
use rayon::ThreadPool;

use crate::merged;
use crate::progress::{Progress, Share};
use crate::table::{Table, TableStatistics};
use crate::trunk::{PositionTree, Threads, Trunk};

/// Whether the moves of the last ply are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeafMode {
    /// Bulk counting: the moves of the last ply are generated and counted, but not made.
    #[default]
    Bulk,
    /// Every move of the last ply is made. This is slower, and comparable with programs that do the same.
    EveryLeaf,
}

/// The greatest number of threads.
pub const MAX_THREADS: usize = 1024;

/// The stack size of each thread in bytes: enough for a trunk of [`MAX_DEPTH`] plies.
const STACK_BYTES: usize = 16 << 20;

/// Counts leaf nodes with chosen settings: CPU path, leaf mode, threads and table.
///
/// Start with [`Perft::new`], which counts on one thread without a table. Each other setting has a method. The same
/// value can be used for any number of counts.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_count::{Perft, Progress};
///
/// let perft = Perft::new().threads(2)?;
/// let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
/// let position = Position::from_fen(kiwipete).unwrap();
/// assert_eq!(perft.count_with_progress(&position, 4, &Progress::default()), Ok(4_085_603));
/// # Ok::<(), perft_count::ThreadsError>(())
/// ```
pub struct Perft {
    path: CpuPath,
    counter: Box<dyn LeafCounter>,
    leaf_mode: LeafMode,
    /// Whether the counter belongs to the CPU path. Otherwise it was set with [`Perft::leaf_counter`].
    is_own_counter: bool,
    /// The threads, if there is more than one.
    pool: Option<ThreadPool>,
    table: Option<Table>,
}

/// The error when the requested number of threads cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ThreadsError {
    /// The number is 0 or above [`MAX_THREADS`].
    #[error("cannot use {0} threads: choose from 1 to {MAX_THREADS}")]
    OutOfRange(usize),
    /// The system refused to start the threads.
    #[error("cannot start {0} threads: {1}")]
    Refused(usize, String),
}

impl Default for Perft {
    fn default() -> Perft {
        Perft::new()
    }
}

/// The settings.
impl Perft {
    /// Returns a driver with the fastest CPU path of this machine, bulk counting, one thread and no table.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_count::{Perft, Progress};
    ///
    /// assert_eq!(Perft::new().count_with_progress(&Position::start(), 3, &Progress::default()), Ok(8_902));
    /// ```
    pub fn new() -> Perft {
        let path = CpuPath::best();
        let counter = path.counter().expect("the best path is available");
        Perft { path, counter, leaf_mode: LeafMode::Bulk, is_own_counter: true, pool: None, table: None }
    }

    /// Uses this counter, such as one of `perft-lab`, instead of the counter of the CPU path.
    ///
    /// The counter finds all moves, and counts the last plies. Above them, the moves are made on a [`Position`].
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_count::Perft;
    /// use perft_lab::generators::Generator;
    ///
    /// let perft = Perft::new().leaf_counter(Generator::Mailbox0x88.counter(None));
    /// assert_eq!(perft.count(&Position::start(), 5), 4_865_609);
    /// ```
    pub fn leaf_counter(self, counter: Box<dyn LeafCounter>) -> Perft {
        Perft { counter, is_own_counter: false, ..self }
    }

    /// Counts with the code compiled for a CPU path, and with the slider lookup of that path.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_count::{CpuPath, Perft, Progress};
    ///
    /// let perft = Perft::new().cpu_path(CpuPath::Portable)?;
    /// assert_eq!(perft.count_with_progress(&Position::start(), 3, &Progress::default()), Ok(8_902));
    /// # Ok::<(), perft_count::PathUnavailable>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if this machine or this build does not have the path.
    pub fn cpu_path(self, path: CpuPath) -> Result<Perft, PathUnavailable> {
        let counter = path.counter().ok_or(PathUnavailable(path))?;
        Ok(Perft { path, counter, is_own_counter: true, ..self })
    }

    /// Chooses whether the moves of the last ply are counted in bulk or all made. The counts are the same.
    pub fn leaf_mode(self, leaf_mode: LeafMode) -> Perft {
        Perft { leaf_mode, ..self }
    }

    /// Counts on this number of threads. One thread means the thread of the caller.
    ///
    /// # Examples
    /// ```
    /// use perft_count::{Perft, ThreadsError};
    ///
    /// assert!(Perft::new().threads(4).is_ok());
    /// assert_eq!(Perft::new().threads(0).unwrap_err(), ThreadsError::OutOfRange(0));
    /// ```
    ///
    /// # Errors
    /// Returns an error if the number is 0 or above [`MAX_THREADS`], or if the system does not start the threads.
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

    /// Stores the counts of subtrees in a table, so that a position that is reached again need not be counted again.
    /// The table keeps its contents between counts.
    ///
    /// A count with a table can be wrong if two positions have the same key. This is extremely unlikely: see
    /// [`TableStatistics::expected_false_hits`]. [`Perft::count_exact`] does not have this risk.
    ///
    /// # Examples
    /// See [`Table`].
    pub fn table(self, table: Table) -> Perft {
        Perft { table: Some(table), ..self }
    }

    /// Returns the probes and hits of the table in all counts of this driver so far, or `None` without a table.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_count::{Perft, Progress, Table};
    ///
    /// let perft = Perft::new().table(Table::new(1 << 20, 0)?);
    /// perft.count(&Position::start(), 6);
    /// let statistics = perft.table_statistics().unwrap();
    /// assert!(0 < statistics.hits && statistics.hits < statistics.probes);
    /// assert!(statistics.expected_false_hits() < 1e-12);
    /// # Ok::<(), perft_count::TableError>(())
    /// ```
    pub fn table_statistics(&self) -> Option<TableStatistics> {
        self.table.as_ref().map(Table::statistics)
    }
}

/// The counts.
impl Perft {
    /// Returns the number of leaf nodes `depth` plies below a position. At depth 0 it is 1.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_count::Perft;
    ///
    /// assert_eq!(Perft::new().count(&Position::start(), 6), 119_060_324);
    /// ```
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`].
    pub fn count(&self, position: &Position, depth: u32) -> u128 {
        let counted = self.count_with_progress(position, depth, &Progress::default());
        counted.expect("nothing raises this stop signal")
    }

    /// Does the same as [`Perft::count`]. Another thread may read `progress` and stop the count.
    ///
    /// # Examples
    /// See [`Progress`].
    ///
    /// # Errors
    /// Returns [`Interrupted`] if the stop signal of `progress` was raised.
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`].
    pub fn count_with_progress(
        &self,
        position: &Position,
        depth: u32,
        progress: &Progress,
    ) -> Result<u128, Interrupted> {
        progress.restart();
        self.prepare_table(position, depth, 1);
        self.on_trunk(depth, progress, |trunk| trunk.count(position, depth, Share::WHOLE))
    }

    /// Returns the number of leaf nodes below each legal move, in the order in which the moves are generated. The
    /// result is empty at depth 0.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_count::Perft;
    ///
    /// let counts = Perft::new().divide(&Position::start(), 3);
    /// assert_eq!(counts.len(), 20);
    /// assert_eq!(counts.iter().map(|root_move| root_move.nodes).sum::<u128>(), 8_902);
    /// ```
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`].
    pub fn divide(&self, position: &Position, depth: u32) -> Vec<RootMove> {
        let counted = self.divide_with_progress(position, depth, &Progress::default());
        counted.expect("nothing raises this stop signal")
    }

    /// Does the same as [`Perft::divide`]. Another thread may read `progress` and stop the count.
    ///
    /// # Errors
    /// Returns [`Interrupted`] if the stop signal of `progress` was raised.
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`].
    pub fn divide_with_progress(
        &self,
        position: &Position,
        depth: u32,
        progress: &Progress,
    ) -> Result<Vec<RootMove>, Interrupted> {
        progress.restart();
        self.prepare_table(position, depth, 1);
        let counts = self.on_trunk(depth, progress, |trunk| trunk.divide(position, depth))?;
        Ok(counts.into_iter().map(|(played, nodes)| RootMove { played, nodes }).collect())
    }

    /// Returns the number of leaf nodes `depth` plies below each of several positions, in their order. The threads
    /// share the positions.
    ///
    /// Without a table and at depths 4 to 6, equal positions below the given ones are merged. This saves most time if
    /// neighbours differ only in the pieces of the side to move. It takes up to about 150 MB for each thread.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_count::{Perft, Progress};
    ///
    /// let endgame = Position::from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -").unwrap();
    /// let counts = Perft::new().count_each(&[Position::start(), endgame], 4, &Progress::default());
    /// assert_eq!(counts, Ok(vec![197_281, 43_238]));
    /// ```
    ///
    /// # Errors
    /// Returns [`Interrupted`] if the stop signal of `progress` was raised.
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`].
    pub fn count_each(
        &self,
        positions: &[Position],
        depth: u32,
        progress: &Progress,
    ) -> Result<Vec<u128>, Interrupted> {
        progress.restart();
        self.count_each_as(positions, depth, progress, Share::WHOLE)
    }

    /// Does the same as [`Perft::count_each`], as one share of a larger count. It adds to `progress` and does not
    /// restart it.
    #[doc(hidden)]
    pub fn count_each_as(
        &self,
        positions: &[Position],
        depth: u32,
        progress: &Progress,
        share: Share,
    ) -> Result<Vec<u128>, Interrupted> {
        if let Some(first) = positions.first() {
            self.prepare_table(first, depth, positions.len());
        }
        self.on_trunk(depth, progress, |trunk| {
            if self.is_own_counter && self.table.is_none() && merged::DEPTHS.contains(&depth) {
                return merged::count_each(positions, depth, trunk, share);
            }
            let share = share.split(positions.len());
            trunk.threads.map(positions, |position| trunk.count(position, depth, share))
        })
    }

    /// Tells the table how many subtrees to expect below `positions` positions similar to this one.
    fn prepare_table(&self, position: &Position, depth: u32, positions: usize) {
        let Some(table) = &self.table else { return };
        let Some(plies) = depth.checked_sub(self.counter.min_table_depth()) else { return };
        let counter = &self.counter;
        let nodes = [0, 1, 2, 3].map(|depth| counter.count(position, depth).into());
        table.expect(forecast(&nodes, plies) * positions as f64);
    }

    /// Returns the results for all items, in the order of the items, or an error if there is one. The threads of this
    /// driver share the items.
    #[doc(hidden)]
    pub fn map<T: Sync, R: Send, E: Send>(
        &self,
        items: &[T],
        result_of: impl Fn(&T) -> Result<R, E> + Sync + Send,
    ) -> Result<Vec<R>, E> {
        self.in_pool(|threads| threads.map(items, result_of))
    }

    /// Runs `work` on the threads of this driver. In WebAssembly, that is always the caller's: the page starts a worker for
    /// each thread, and does not load a pool of threads.
    pub(super) fn in_pool<R: Send>(&self, work: impl FnOnce(Threads) -> R + Send) -> R {
        match &self.pool {
            #[cfg(not(target_family = "wasm"))]
            Some(pool) => pool.install(|| work(Threads::Pool)),
            _ => work(Threads::Caller),
        }
    }

    pub(super) fn on_trunk<R: Send>(
        &self,
        depth: u32,
        progress: &Progress,
        work: impl FnOnce(&Trunk<PositionTree>) -> R + Send,
    ) -> R {
        assert!(depth <= MAX_DEPTH, "the depth {depth} is above the maximum of {MAX_DEPTH} plies");
        let every_leaf = EveryLeaf(&*self.counter);
        let counter: &dyn LeafCounter = match self.leaf_mode {
            LeafMode::Bulk => &*self.counter,
            LeafMode::EveryLeaf => &every_leaf,
        };
        let tree = PositionTree { counter, table: self.table.as_ref() };
        self.in_pool(|threads| work(&Trunk { tree, threads, progress }))
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

/// A known count and the count that was found.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The case.
    pub case: &'a Case,
    /// The known count.
    pub expected: KnownCount,
    /// The number of leaf nodes that was found.
    pub nodes: u128,
    /// Whether [`Outcome::nodes`] is only a lower bound, because the count was stopped above [`Limits::max_nodes`].
    pub is_lower_bound: bool,
}

impl Outcome<'_> {
    /// Whether the count that was found is the known count.
    pub fn is_right(&self) -> bool {
        self.nodes == self.expected.nodes && !self.is_lower_bound
    }
}

/// Counts every case within the limits with a [`Perft`], and returns the outcomes in the order of the suite.
///
/// If the [`Perft`] has several threads, they count several cases at once. Each outcome is also passed to `report` as
/// soon as it is known, so that it is not lost if the check is stopped. A count that exceeds [`Limits::max_nodes`] is
/// stopped soon after that.
///
/// # Examples
/// ```
/// use perft_core::StopSignal;
/// use perft_core::suite::{self, Limits};
/// use perft_count::{Outcome, Perft, check_suite};
///
/// let (perft, stop) = (Perft::new().threads(2)?, StopSignal::default());
/// let outcomes = check_suite(suite::named(), &Limits::max_nodes(100_000), &perft, &stop, |_| {});
/// assert!(outcomes.unwrap().iter().all(Outcome::is_right));
/// # Ok::<(), perft_count::ThreadsError>(())
/// ```
///
/// # Errors
/// Returns [`Interrupted`] if the stop signal was raised.
pub fn check_suite<'a>(
    suite: &'a Suite,
    limits: &Limits,
    perft: &Perft,
    stop: &StopSignal,
    report: impl Fn(&Outcome<'a>) + Sync,
) -> Result<Vec<Outcome<'a>>, Interrupted> {
    let checks = suite.known_counts(limits);
    let check = |&(case, expected): &(&'a Case, KnownCount)| {
        let progress = Progress::limited(stop.clone(), limits.max_nodes);
        let (nodes, is_lower_bound) =
            match perft.count_with_progress(&case.position, expected.depth, &progress) {
                Err(Interrupted) if stop.is_raised() => return Err(Interrupted),
                Err(Interrupted) => (progress.nodes().into(), true),
                Ok(nodes) => (nodes, false),
            };
        let outcome = Outcome { case, expected, nodes, is_lower_bound };
        report(&outcome);
        Ok(outcome)
    };
    perft.map(&checks, check)
}

/// Returns an estimate of the number of leaf nodes at `depth`, where `counts[d]` is the exact count at depth `d`.
///
/// The last count is multiplied by the mean growth of the last two plies, once for each missing ply. Only the order of
/// magnitude of the result is right. The result is 0 if there are no counts or if the game ends within them.
///
/// # Examples
/// ```
/// use perft_count::internals::forecast;
///
/// let estimate = forecast(&[1, 20, 400, 8_902, 197_281], 6);
/// let exact = 119_060_324.0;
/// assert!((exact / 2.0..exact * 2.0).contains(&estimate));
/// ```
pub fn forecast(counts: &[u128], depth: u32) -> f64 {
    let Some(&last) = counts.last() else { return 0.0 };
    let missing_plies = f64::from(depth) - (counts.len() - 1) as f64;
    let plies_back = 2.min(counts.len() - 1);
    let before = counts[counts.len() - 1 - plies_back];
    if plies_back == 0 || before == 0 || last == 0 {
        return last as f64;
    }
    let growth = (last as f64 / before as f64).powf(1.0 / plies_back as f64);
    last as f64 * growth.powf(missing_plies)
}
