//! The driver: how a count is set up, and its doors.
//!
//! The tree has three storeys: the trunk, split between threads; the units that hang from it; and the last plies of each,
//! which belong to a leaf counter. Which code counts them is chosen once, here: by CPU path, by generator, by
//! slider look-up, by what happens at the leaves.

use rayon::ThreadPool;
use rayon::prelude::*;

use super::boards::BoardTree;
use super::cpu_path::{CpuPath, PathUnavailable, SlidersError, Visitor};
use super::leaf::{EveryLeaf, LeafCounter, LeafMode};
use super::progress::{Interrupted, Progress, Share};
use super::table::{Table, TableStatistics};
use super::trunk::{PositionTree, RootMove, Tree, Trunk};
use crate::chess::attacks::sliders::SliderMethod;
use crate::chess::position::Position;
use crate::generators::{Board, BoardVisitor, Generator};

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
    generator: Generator,
    path: CpuPath,
    /// How our own generator looks sliders up on this path.
    sliders: Option<SliderMethod>,
    leaf_mode: LeafMode,
    pool: Option<ThreadPool>,
    table: Option<Table>,
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
        Perft {
            generator: Generator::Bitboard,
            path,
            sliders: path.own_sliders(),
            leaf_mode: LeafMode::Bulk,
            pool: None,
            table: None,
        }
    }

    /// Counts with this generator of the laboratory. All but our own, which is the default, are compiled for BMI2 or
    /// for every CPU; a path with wider vectors stands for the former. They ask no table and cannot merge positions.
    ///
    /// # Examples
    /// ```
    /// use perft::chess::position::Position;
    /// use perft::generators::Generator;
    /// use perft::perft::{Perft, Progress};
    /// for generator in Generator::ALL {
    ///     let perft = Perft::new().generator(*generator);
    ///     assert_eq!(perft.count(&Position::start(), 3, &Progress::default()), Ok(8902));
    /// }
    /// ```
    pub fn generator(self, generator: Generator) -> Perft {
        Perft { generator, ..self }
    }

    /// Counts on this CPU path, with the path's own slider look-up.
    ///
    /// # Errors
    /// This machine cannot run it.
    pub fn cpu_path(self, path: CpuPath) -> Result<Perft, PathUnavailable> {
        if !path.is_available() {
            return Err(PathUnavailable(path));
        }
        Ok(Perft { path, sliders: path.own_sliders(), ..self })
    }

    /// Looks sliders up by this method, for comparison. Only our own generator is told; the others have their own
    /// look-ups.
    ///
    /// # Examples
    /// ```
    /// use perft::chess::attacks::sliders::SliderMethod;
    /// use perft::chess::position::Position;
    /// use perft::perft::{CpuPath, Perft, Progress};
    /// let perft = Perft::new().cpu_path(CpuPath::Portable).unwrap();
    /// let perft = perft.sliders(SliderMethod::Kindergarten).unwrap();
    /// assert_eq!(perft.count(&Position::start(), 4, &Progress::default()), Ok(197_281));
    /// ```
    ///
    /// # Errors
    /// The CPU path, to be chosen before, looks nothing up or cannot do so by this method; or this machine cannot.
    pub fn sliders(self, method: SliderMethod) -> Result<Perft, SlidersError> {
        self.path.check_sliders(method)?;
        Ok(Perft { sliders: Some(method), ..self })
    }

    /// How sliders are looked up; `None` where the CPU path looks nothing up, or the generator has its own look-up.
    pub fn slider_method(&self) -> Option<SliderMethod> {
        self.sliders.filter(|_| self.generator == Generator::Bitboard)
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
        self.walk(CountTree, position, depth, progress)
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
        self.walk(DivideTree, position, depth, progress)
    }

    /// The leaf nodes at a depth below each of several positions, which the threads share out among themselves.
    ///
    /// # Examples
    /// ```
    /// use perft::chess::position::Position;
    /// use perft::perft::{Perft, Progress};
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
    pub(crate) fn count_each_as(
        &self,
        positions: &[Position],
        depth: u32,
        progress: &Progress,
        share: Share,
    ) -> Result<Vec<u128>, Interrupted> {
        let share = share.split(positions.len());
        if self.generator == Generator::Bitboard {
            return self.run_further(CountEach { positions, share }, depth, progress);
        }
        let count = |position: &Position| {
            let nodes = self.count(position, depth, &progress.unseen())?;
            progress.add(nodes, share);
            Ok(nodes)
        };
        positions.iter().map(count).collect()
    }

    /// Runs work on the threads of this driver, and tells it whether they are more than one.
    pub(crate) fn in_pool<R: Send>(&self, work: impl FnOnce(bool) -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(|| work(true)),
            None => work(false),
        }
    }

    /// Does a job with the generator of this driver.
    fn walk<J: TreeJob>(&self, job: J, root: &Position, depth: u32, progress: &Progress) -> J::Output {
        if self.generator == Generator::Bitboard {
            return self.run(FromPosition { job, root }, depth, progress);
        }
        assert!(depth <= MAX_DEPTH, "a depth of {depth} plies is above {MAX_DEPTH}");
        progress.restart();
        let (path, leaf_mode, parallel) = (self.path, self.leaf_mode, self.pool.is_some());
        let door = BoardDoor { job, root, depth, path, leaf_mode, parallel, progress };
        self.in_pool(|_| self.generator.visit(door))
    }

    /// Does a job with our own generator, behind the door of the CPU path.
    pub(super) fn run<J: Job>(&self, job: J, depth: u32, progress: &Progress) -> J::Output {
        progress.restart();
        self.run_further(job, depth, progress)
    }

    /// As [`Perft::run`], for a job that is a part of the work in progress.
    fn run_further<J: Job>(&self, job: J, depth: u32, progress: &Progress) -> J::Output {
        assert!(depth <= MAX_DEPTH, "a depth of {depth} plies is above {MAX_DEPTH}");
        let door = Door {
            job,
            depth,
            leaf_mode: self.leaf_mode,
            table: self.table.as_ref(),
            parallel: self.pool.is_some(),
            progress,
        };
        self.in_pool(|_| match self.path.visit(self.sliders, door) {
            Some(output) => output,
            None => unreachable!("path and look-up were available when they were chosen"),
        })
    }
}

/// What is asked of any tree.
trait TreeJob: Send {
    type Output: Send;

    fn run<T: Tree<Total = u128>>(self, trunk: &Trunk<T>, root: &T::Node, depth: u32) -> Self::Output;
}

struct CountTree;

impl TreeJob for CountTree {
    type Output = Result<u128, Interrupted>;

    fn run<T: Tree<Total = u128>>(self, trunk: &Trunk<T>, root: &T::Node, depth: u32) -> Self::Output {
        trunk.count(root, depth, Share::WHOLE)
    }
}

struct DivideTree;

impl TreeJob for DivideTree {
    type Output = Result<Vec<RootMove>, Interrupted>;

    fn run<T: Tree<Total = u128>>(self, trunk: &Trunk<T>, root: &T::Node, depth: u32) -> Self::Output {
        trunk.divide(root, depth)
    }
}

/// What is asked of a tree of positions.
pub(super) trait Job: Send {
    type Output: Send;

    fn run<C: LeafCounter>(self, trunk: &Trunk<PositionTree<C>>, depth: u32) -> Self::Output;
}

/// A count below each of several positions.
struct CountEach<'a> {
    positions: &'a [Position],
    /// What each is of the work in progress.
    share: Share,
}

impl Job for CountEach<'_> {
    type Output = Result<Vec<u128>, Interrupted>;

    fn run<C: LeafCounter>(self, trunk: &Trunk<PositionTree<C>>, depth: u32) -> Self::Output {
        let count = |position: &Position| trunk.count(position, depth, self.share);
        if trunk.parallel {
            self.positions.par_iter().with_max_len(1).map(count).collect()
        } else {
            self.positions.iter().map(count).collect()
        }
    }
}

/// A job for any tree, on that of a position.
struct FromPosition<'a, J> {
    job: J,
    root: &'a Position,
}

impl<J: TreeJob> Job for FromPosition<'_, J> {
    type Output = J::Output;

    fn run<C: LeafCounter>(self, trunk: &Trunk<PositionTree<C>>, depth: u32) -> Self::Output {
        self.job.run(trunk, self.root, depth)
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
        let tree = PositionTree { counter, table: self.table };
        let trunk = Trunk { tree, parallel: self.parallel, progress: self.progress };
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

/// Where a generator of the laboratory is chosen.
struct BoardDoor<'a, J> {
    job: J,
    root: &'a Position,
    depth: u32,
    path: CpuPath,
    leaf_mode: LeafMode,
    parallel: bool,
    progress: &'a Progress,
}

impl<J: TreeJob> BoardVisitor for BoardDoor<'_, J> {
    type Output = J::Output;

    fn visit<B: Board>(self) -> Self::Output {
        let tree = BoardTree::<B>::new(self.path, self.leaf_mode);
        let trunk = Trunk { tree, parallel: self.parallel, progress: self.progress };
        self.job.run(&trunk, &B::new(self.root), self.depth)
    }
}
