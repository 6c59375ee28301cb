//! A frontier: the positions of a ply in lists, the limit of their memory, and the check of their multiplicities.
//!
//! A hash of one of the two armies decides in which list a position is. Threads fill the lists together: each collects
//! positions in its [`Outbox`], and hands over a whole chunk at a time. A full chunk is moved, not copied.

use std::ops::{Add, Range};
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use perft_core::internals::PackedPosition;
use perft_core::{Interrupted, Position};

use crate::progress::Share;
use crate::trunk::{PositionTree, Trunk};

/// The distinct positions of a ply below a root, each with its multiplicity: the number of ways to reach it.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_count::{Frontier, Perft, Progress};
///
/// let mut frontier = Frontier::new(&Position::start());
/// while frontier.ply() < 3 {
///     frontier = frontier.next(&Perft::new(), 1 << 20, &Progress::default())?;
/// }
/// assert_eq!((frontier.positions(), frontier.nodes()), (5_362, 8_902));
///
/// let below: u128 = frontier.iter().map(|(position, ways)| u128::from(ways) * position.perft(2)).sum();
/// assert_eq!(below, 4_865_609); // perft(5)
/// # Ok::<(), perft_count::FrontierError>(())
/// ```
#[derive(Debug)]
pub struct Frontier {
    /// The root; `None` if there are several.
    pub(super) root: Option<Position>,
    pub(super) ply: u32,
    pub(super) lists: Lists,
    pub(super) counts: Counts,
    pub(super) checked_ply: u32,
}

/// The number of positions and nodes of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyCount {
    /// The ply. The root is ply 0.
    pub ply: u32,
    /// The number of distinct positions.
    pub positions: u64,
    /// The number of nodes of the tree: the sum of the multiplicities, which is perft of the ply.
    pub nodes: u128,
}

/// The reason why the next frontier could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrontierError {
    /// The stop signal was raised.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The ply does not fit into the allowed memory.
    #[error("the positions at ply {ply} do not fit into {memory_bytes} bytes")]
    NoRoom {
        /// The ply that was to be made.
        ply: u32,
        /// The memory limit in bytes, for this ply and the previous one together.
        memory_bytes: usize,
    },
    /// The ply has too many nodes for multiplicities of 64 bits.
    #[error("ply {ply} has more than 2^64 nodes")]
    TooManyNodes {
        /// The ply that was to be made.
        ply: u32,
    },
    /// The ply was made, but it failed its check.
    #[error(transparent)]
    WrongSum(#[from] WrongSum),
}

impl FrontierError {
    /// Whether the error only says that no further ply can be merged.
    pub(crate) const fn ends_merging(&self) -> bool {
        matches!(self, FrontierError::NoRoom { .. } | FrontierError::TooManyNodes { .. })
    }
}

/// A number of positions, and the sum of their multiplicities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) positions: u64,
    pub(super) nodes: u128,
}

impl Counts {
    pub(super) fn of(multiplicities: impl ExactSizeIterator<Item = u64>) -> Counts {
        let positions = multiplicities.len() as u64;
        Counts { positions, nodes: multiplicities.map(u128::from).sum() }
    }
}

impl Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts { positions: self.positions + other.positions, nodes: self.nodes + other.nodes }
    }
}

/// The number of positions in a chunk.
const CHUNK: usize = 64;

/// The approximate number of moves that lead to the positions of one list.
const CHILDREN_PER_LIST: u64 = 1024;

/// The greatest number of lists. The open chunks of a thread for this many lists still fit into its cache.
const MAX_LISTS: u64 = 1024;

/// A limit of the memory that all threads use together, in bytes.
#[derive(Debug)]
pub(super) struct Budget {
    limit: usize,
    used: AtomicUsize,
    /// The error if more bytes are needed.
    pub(super) no_room: FrontierError,
}

impl Budget {
    pub(super) const fn new(limit: usize, no_room: FrontierError) -> Budget {
        Budget { limit, used: AtomicUsize::new(0), no_room }
    }

    pub(super) fn room(&self) -> usize {
        self.limit.saturating_sub(self.used.load(Relaxed))
    }

    pub(super) fn take(&self, bytes: usize) -> Result<(), FrontierError> {
        if self.used.fetch_add(bytes, Relaxed).saturating_add(bytes) <= self.limit {
            return Ok(());
        }
        self.give_back(bytes);
        Err(self.no_room)
    }

    pub(super) fn take_anyway(&self, bytes: usize) {
        self.used.fetch_add(bytes, Relaxed);
    }

    pub(super) fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Relaxed);
    }
}

/// A packed position and its multiplicity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedPosition {
    pub(crate) position: PackedPosition,
    pub(crate) multiplicity: u64,
}

impl CountedPosition {
    #[inline(always)]
    pub(crate) fn unpack(&self) -> (Position, u64) {
        (self.position.unpack(), self.multiplicity)
    }
}

/// A part of a list.
pub(super) type Chunk = Vec<CountedPosition>;

/// The hash that decides in which list a position is.
pub(super) type ListHash = fn(&PackedPosition) -> u64;

pub(super) type Lists = Vec<Vec<Chunk>>;

pub(super) fn bytes_of_lists(lists: &Lists) -> usize {
    lists.iter().flatten().map(bytes_of).sum()
}

pub(super) fn lists_for(moves: u64) -> usize {
    (moves / CHILDREN_PER_LIST).clamp(1, MAX_LISTS).next_power_of_two() as usize
}

fn bytes_of(chunk: &Chunk) -> usize {
    chunk.capacity() * size_of::<CountedPosition>()
}

/// Lists that threads are filling.
#[derive(Debug)]
pub(super) struct GrowingLists<'a> {
    lists: Vec<Mutex<Vec<Chunk>>>,
    hash: ListHash,
    /// The lists that are kept. Positions of other lists are dropped.
    kept: Range<usize>,
    budget: &'a Budget,
}

impl<'a> GrowingLists<'a> {
    pub(super) fn new(
        count: usize,
        hash: ListHash,
        kept: Range<usize>,
        budget: &'a Budget,
    ) -> GrowingLists<'a> {
        assert!(count.is_power_of_two(), "the number of lists, {count}, is not a power of two");
        GrowingLists { lists: (0..count).map(|_| Mutex::default()).collect(), hash, kept, budget }
    }

    pub(super) fn into_lists(self) -> Lists {
        let unlock =
            |list: Mutex<Vec<Chunk>>| list.into_inner().expect("no thread panicked while it held the lock");
        self.lists.into_iter().map(unlock).collect()
    }

    #[inline(always)]
    pub(super) fn keeps(&self, position: &PackedPosition) -> bool {
        self.kept.len() == self.lists.len() || self.kept.contains(&self.list_of(position))
    }

    #[inline(always)]
    fn list_of(&self, position: &PackedPosition) -> usize {
        (self.hash)(position) as usize & (self.lists.len() - 1)
    }

    fn add(&self, list: usize, chunk: Chunk) -> Result<(), FrontierError> {
        self.budget.take(bytes_of(&chunk))?;
        self.lists[list].lock().expect("no thread panicked while it held the lock").push(chunk);
        Ok(())
    }
}

/// The positions that a thread has found for each list and has not handed over yet.
pub(super) struct Outbox<'a> {
    to: &'a GrowingLists<'a>,
    chunks: Vec<Chunk>,
}

impl<'a> Outbox<'a> {
    pub(super) fn new(to: &'a GrowingLists<'a>) -> Outbox<'a> {
        Outbox { to, chunks: vec![Vec::new(); to.lists.len()] }
    }

    /// Adds a position to its list, or drops it if the list is not kept.
    #[inline(always)]
    pub(super) fn send(&mut self, position: CountedPosition) -> Result<(), FrontierError> {
        if !self.to.keeps(&position.position) {
            return Ok(());
        }
        let list = self.to.list_of(&position.position);
        let chunk = &mut self.chunks[list];
        if chunk.capacity() == 0 {
            chunk.reserve_exact(CHUNK);
        }
        chunk.push(position);
        if chunk.len() == CHUNK { self.to.add(list, std::mem::take(chunk)) } else { Ok(()) }
    }

    pub(super) fn finish(self) -> Result<(), FrontierError> {
        for (list, mut chunk) in self.chunks.into_iter().enumerate().filter(|(_, chunk)| !chunk.is_empty()) {
            chunk.shrink_to_fit();
            self.to.add(list, chunk)?;
        }
        Ok(())
    }
}

/// A ply is compared with a plain count if it has at most this many nodes for each move that was played to make it.
/// Then the plain count takes no more work than making the ply.
const CHECKED_NODES_PER_CHILD: u128 = 256;

/// The error of a frontier that failed its own check. The cause is a bug in the program or faulty memory of the
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the multiplicities at ply {ply} add up to {found}, not to the {expected} nodes of that ply")]
pub struct WrongSum {
    /// The ply.
    pub ply: u32,
    /// The number of nodes of the ply, counted in another way.
    pub expected: u128,
    /// The sum of the multiplicities.
    pub found: u128,
}

impl Frontier {
    /// Returns the root if the next ply, which has these children, is compared with a plain count.
    fn compared_root(&self, children: Counts) -> Option<&Position> {
        let is_cheap = children.nodes <= u128::from(children.positions) * CHECKED_NODES_PER_CHILD;
        self.root.as_ref().filter(|_| is_cheap)
    }

    /// Returns the share of the check of the next ply. It is half of the share of the ply if there is a plain count,
    /// and otherwise nothing.
    pub(super) fn share_of_check(&self, children: Counts, share: Share) -> Share {
        if self.compared_root(children).is_some() { share.part(1, 2) } else { Share::NONE }
    }

    /// Returns the number of legal moves of all positions, and the same number weighted by multiplicity, which is the
    /// number of nodes of the next ply.
    pub(super) fn count_children(&self, trunk: &Trunk<PositionTree>) -> Result<Counts, FrontierError> {
        let children = trunk.progress.while_merging(self.ply + 1, || self.count_moves(trunk))?;
        // Every multiplicity of the next ply is a part of this sum. If the sum fits into 64 bits, none overflows.
        if children.nodes > u64::MAX.into() {
            return Err(FrontierError::TooManyNodes { ply: self.ply + 1 });
        }
        Ok(children)
    }

    fn count_moves(&self, trunk: &Trunk<PositionTree>) -> Result<Counts, Interrupted> {
        self.sum(trunk, |positions| {
            let of_one = |counted: &CountedPosition| {
                let moves = trunk.tree.counter.count(&counted.position.unpack(), 1);
                Counts { positions: moves, nodes: u128::from(moves) * u128::from(counted.multiplicity) }
            };
            Ok(positions.iter().map(of_one).fold(Counts::default(), Counts::add))
        })
    }

    pub(super) fn recount(&self, trunk: &Trunk<PositionTree>) -> Result<Counts, Interrupted> {
        self.sum(trunk, |positions| Ok(Counts::of(positions.iter().map(|counted| counted.multiplicity))))
    }

    /// Compares the next ply with the number of children of this frontier, and with a plain count of the tree if that
    /// is cheap. Returns the last ply that was compared with a plain count. `share` is the share of the check in the
    /// whole count.
    pub(super) fn check(
        &self,
        next: Counts,
        children: Counts,
        trunk: &Trunk<PositionTree>,
        share: Share,
    ) -> Result<u32, FrontierError> {
        let ply = self.ply + 1;
        let compare = |expected: u128| match next.nodes {
            found if found == expected => Ok(()),
            found => Err(WrongSum { ply, expected, found }),
        };
        compare(children.nodes)?;
        let Some(root) = self.compared_root(children) else { return Ok(self.checked_ply) };
        let plain = trunk.plain();
        compare(trunk.progress.while_checking(ply, || plain.count(root, ply, share))?)?;
        Ok(ply)
    }
}
