//! The distinct positions a ply, each with its *multiplicity*: the number of ways to reach it.
//!
//! Different orders of moves lead to the same position: ply 6 of the start position has 119,060,324 nodes, but only
//! 9,417,681 positions. A [`Frontier`] is a ply without the repetitions; its multiplicities add up to the nodes. The next
//! one is made from it by playing every move of every position once and merging what is equal:
//!
//! ```text
//!   ply 0           start x 1
//!                  /        \
//!   ply 1     e4 x 1        d4 x 1     ...
//!                |            |
//!   ply 2     e4 e5 x 1    d4 e5 x 1   ...
//!                 \          /
//!   ply 3       e4 e5 d4 x 2          one position, reached in two orders of moves
//! ```
//!
//! Positions are kept packed and are compared in full, in the hash tables of `shards`. What is made keeps to a number of
//! bytes: if a ply would not fit, that is found out before it is made, or at the latest when its share of the memory is
//! used up, and the frontier that was there remains. A ply that is larger than the memory can be counted
//! ([`Frontier::count_next`]) or written down ([`Frontier::next_in_slices`]): its positions are made in slices of the
//! hash, one after the other.
//!
//! Counting by levels with multiplicities is how the larger published perft numbers of the start position were made.

mod shards;

use std::ops::{Add, Range};

use rayon::prelude::*;

use self::shards::{Budget, Full, Outbox, SLICES, SLOT_BYTES, Shard, Shards, Slot};
use super::driver::Perft;
use super::progress::{Interrupted, Progress, Share};
use super::trunk::{PositionTree, Trunk};
use crate::position::Position;

/// Slots that are worked through between two looks at the stop signal.
const PIECE_SLOTS: usize = 64;

/// Children a shard, about: many enough that batches fill.
const CHILDREN_A_SHARD: u64 = 4096;

/// The greatest number of shards: the batches of one thread fit into its cache.
const MAX_SHARDS: u64 = 1024;

/// Parts that the shards of a frontier are divided into for each thread, so that all end at about the same time.
const PARTS_A_THREAD: usize = 32;

/// A ply is compared with a plain count if that is no more work than making the ply: so many nodes a child.
const CHECKED_NODES_A_CHILD: u128 = 256;

/// The slice of the hash from which the size of a ply is estimated: one part in 64.
const SAMPLE: Range<u32> = 0..SLICES / 64;

/// The distinct positions at a ply below a root, with the number of ways to reach each.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_core::{Frontier, Perft, Progress};
/// let (perft, progress) = (Perft::new(), Progress::default());
/// let mut frontier = Frontier::new(&Position::start());
/// while frontier.ply() < 3 {
///     frontier = frontier.next(&perft, 1 << 20, &progress)?;
/// }
/// assert_eq!((frontier.positions(), frontier.nodes()), (5_362, 8_902));
/// let below: u128 = frontier.iter().map(|(position, ways)| u128::from(ways) * crate::count::perft(&position, 2)).sum();
/// assert_eq!(below, 4_865_609); // perft(5)
/// # Ok::<(), crate::count::FrontierError>(())
/// ```
#[derive(Debug)]
pub struct Frontier {
    root: Position,
    ply: u32,
    shards: Vec<Shard>,
    count: Count,
    /// The positions that were merged into these.
    arrived: u64,
    checked_ply: u32,
}

/// How many positions a ply has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyCount {
    /// The ply, from 0.
    pub ply: u32,
    /// The distinct positions.
    pub positions: u64,
    /// The nodes of the tree: the sum of the multiplicities, which is perft of the ply.
    pub nodes: u128,
}

/// Why there is no next frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrontierError {
    /// The stop signal was raised.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// It does not fit into the memory that it may use.
    #[error("the positions at ply {ply} do not fit into {memory_bytes} bytes")]
    NoRoom {
        /// Its ply.
        ply: u32,
        /// The bytes that it may use, together with the frontier before it.
        memory_bytes: usize,
    },
    /// Its nodes are too many for multiplicities of 64 bits.
    #[error("ply {ply} has more than 2^64 nodes")]
    TooManyNodes {
        /// Its ply.
        ply: u32,
    },
    /// It was made, and is wrong.
    #[error(transparent)]
    WrongSum(#[from] WrongSum),
}

/// A frontier failed its own check: a fault of the program, or of the machine's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the multiplicities at ply {ply} add up to {found}, not to the {expected} nodes of that ply")]
pub struct WrongSum {
    /// The ply.
    pub ply: u32,
    /// Its nodes, counted in another way.
    pub expected: u128,
    /// The sum of its multiplicities.
    pub found: u128,
}

/// Distinct positions, and all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    positions: u64,
    nodes: u128,
}

impl Add for Count {
    type Output = Count;

    fn add(self, other: Count) -> Count {
        Count { positions: self.positions + other.positions, nodes: self.nodes + other.nodes }
    }
}

/// Some positions of a frontier, with their multiplicities.
pub(super) struct Positions<'a>(std::slice::Iter<'a, Slot>);

impl Iterator for Positions<'_> {
    type Item = (Position, u64);

    #[inline(always)]
    fn next(&mut self) -> Option<(Position, u64)> {
        self.0.by_ref().find_map(Slot::get)
    }
}

impl Positions<'_> {
    /// Counts them without unpacking any.
    fn count_packed(self) -> Count {
        self.0
            .map(Slot::multiplicity)
            .filter(|&multiplicity| multiplicity != 0)
            .fold(Count::default(), |count, multiplicity| {
                count + Count { positions: 1, nodes: multiplicity.into() }
            })
    }
}

/// Why making a part of a ply ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halt {
    Interrupted,
    Full,
}

impl From<Full> for Halt {
    fn from(_: Full) -> Halt {
        Halt::Full
    }
}

impl From<Interrupted> for Halt {
    fn from(_: Interrupted) -> Halt {
        Halt::Interrupted
    }
}

impl Frontier {
    /// The root alone, at ply 0.
    pub fn new(root: &Position) -> Frontier {
        let slot = Slot::new(root, 1);
        Frontier {
            root: *root,
            ply: 0,
            shards: vec![Shard::of(slot)],
            count: Count { positions: 1, nodes: 1 },
            arrived: 1,
            checked_ply: 0,
        }
    }

    /// How many plies below the root the positions are.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// The number of distinct positions.
    pub const fn positions(&self) -> u64 {
        self.count.positions
    }

    /// The sum of the multiplicities, which is perft of the ply.
    pub const fn nodes(&self) -> u128 {
        self.count.nodes
    }

    /// How many positions there are.
    pub const fn count(&self) -> PlyCount {
        PlyCount { ply: self.ply, positions: self.count.positions, nodes: self.count.nodes }
    }

    /// The last ply, on the way here, whose nodes were compared with a plain count.
    pub const fn checked_ply(&self) -> u32 {
        self.checked_ply
    }

    /// The memory that the positions take, in bytes.
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.slots().len() * SLOT_BYTES).sum()
    }

    /// The positions and their multiplicities, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = (Position, u64)> {
        self.shards.iter().flat_map(|shard| Positions(shard.slots().iter()))
    }

    /// The frontier of the next ply, made on the threads of a driver. This one and that one, and what is needed to make
    /// it, stay below so many bytes together.
    ///
    /// The new multiplicities must add up to the legal moves of this frontier, each as often as its position is
    /// reached. They are also compared with a plain count of the tree ([`Frontier::checked_ply`]), for as long as that
    /// takes no more time than making the ply.
    ///
    /// # Errors
    /// The stop signal of `progress` was raised; the ply does not fit into the memory or has more than 2^64 nodes; or the
    /// check failed.
    ///
    /// # Panics
    /// The ply would be above [`MAX_DEPTH`](super::MAX_DEPTH).
    pub fn next(
        &self,
        perft: &Perft,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<Frontier, FrontierError> {
        progress.restart();
        perft.on_trunk(self.ply + 1, progress, |trunk| self.next_on(trunk, memory_bytes, Share::WHOLE))
    }

    /// The number of distinct positions of the next ply, which are not kept. If they do not fit into so many bytes,
    /// together with this frontier, they are made slice by slice, each slice from all positions of this frontier.
    ///
    /// # Errors
    /// As for [`Frontier::next`]; there is no room if this frontier itself takes nearly all of the memory.
    ///
    /// # Panics
    /// The ply would be above [`MAX_DEPTH`](super::MAX_DEPTH).
    pub fn count_next(
        &self,
        perft: &Perft,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<PlyCount, FrontierError> {
        self.next_in_slices(perft, memory_bytes, progress, |_| Ok(()))
    }

    /// Makes the next ply as [`Frontier::count_next`] does, and shows its positions as they come: frontiers of that ply
    /// that have no position in common and together have all. What is done with them takes no memory of the budget.
    ///
    /// The check comes last, so what is made of the positions is worth nothing if there is an error.
    ///
    /// # Errors
    /// As for [`Frontier::count_next`], and whatever the function refuses.
    ///
    /// # Panics
    /// The ply would be above [`MAX_DEPTH`](super::MAX_DEPTH).
    pub fn next_in_slices<E: From<FrontierError> + Send>(
        &self,
        perft: &Perft,
        memory_bytes: usize,
        progress: &Progress,
        take: impl FnMut(&Frontier) -> Result<(), E> + Send,
    ) -> Result<PlyCount, E> {
        progress.restart();
        perft.on_trunk(self.ply + 1, progress, |trunk| self.slices_of_next_on(trunk, memory_bytes, take))
    }
}

/// On the trunk of a driver.
impl Frontier {
    /// As [`Frontier::next`]; making it is this share of the work in progress.
    pub(super) fn next_on(
        &self,
        trunk: &Trunk<PositionTree>,
        memory_bytes: usize,
        share: Share,
    ) -> Result<Frontier, FrontierError> {
        let children = self.children(trunk)?;
        let budget = self.budget(memory_bytes);
        let made = self.size_of_next(trunk, children, &budget).and_then(|size| {
            let whole = Slice { range: 0..SLICES, children: children.positions, size };
            self.make(trunk, whole, &budget, share)
        });
        let next = made.map_err(|halt| self.failure(halt, memory_bytes))?;
        let checked_ply = self.check(next.count, children, trunk)?;
        Ok(Frontier { arrived: children.positions, checked_ply, ..next })
    }

    fn slices_of_next_on<E: From<FrontierError>>(
        &self,
        trunk: &Trunk<PositionTree>,
        memory_bytes: usize,
        mut take: impl FnMut(&Frontier) -> Result<(), E>,
    ) -> Result<PlyCount, E> {
        let children = self.children(trunk)?;
        let room = self.budget(memory_bytes).room();
        let fits = bytes_while_growing(children.positions) <= room;
        let mut range = if fits { 0..SLICES } else { SAMPLE };
        let mut found = Count::default();
        while !range.is_empty() {
            let (from, width) = (range.start, range.len() as u32);
            let size = match from {
                0 => part(self.merged(children.positions), width, SLICES),
                made => part(found.positions, width, made),
            };
            let slice =
                Slice { range: range.clone(), children: part(children.positions, width, SLICES), size };
            // What a slice has taken is free again for the next.
            let budget = self.budget(memory_bytes);
            match self.make(trunk, slice, &budget, Share::WHOLE.part(width.into(), SLICES.into())) {
                Ok(made) => {
                    take(&made)?;
                    found = found + made.count;
                    range = next_range(range.end, found.positions, room);
                }
                Err(Halt::Full) if width > 1 => range.end = from + width / 2,
                Err(halt) => return Err(self.failure(halt, memory_bytes).into()),
            }
        }
        self.check(found, children, trunk)?;
        Ok(PlyCount { ply: self.ply + 1, positions: found.positions, nodes: found.nodes })
    }

    /// What the positions have as children, merged or not, without making them.
    fn children(&self, trunk: &Trunk<PositionTree>) -> Result<Count, FrontierError> {
        let children = self.sum(trunk, |positions| {
            let of_one = |(position, multiplicity): (Position, u64)| {
                let moves = trunk.tree.counter.one_ply(&position);
                Count { positions: moves, nodes: u128::from(moves) * u128::from(multiplicity) }
            };
            Ok(positions.map(of_one).fold(Count::default(), Count::add))
        })?;
        // Every multiplicity of the next ply is a part of this sum: if the sum fits into 64 bits, none overflows.
        if children.nodes > u64::MAX.into() {
            return Err(FrontierError::TooManyNodes { ply: self.ply + 1 });
        }
        Ok(children)
    }

    /// What is left of so many bytes beside this frontier.
    fn budget(&self, memory_bytes: usize) -> Budget {
        Budget::new(memory_bytes.saturating_sub(self.bytes()))
    }

    /// About how many positions of the next ply to make room for at once. If there is room for all children anyway, as
    /// many are expected to be merged as the last time; tables grow if it is fewer. Otherwise a sample tells, and of a
    /// ply that is much too large no more is made than a part of the sample.
    fn size_of_next(
        &self,
        trunk: &Trunk<PositionTree>,
        children: Count,
        budget: &Budget,
    ) -> Result<u64, Halt> {
        if bytes_while_growing(children.positions) <= budget.room() {
            return Ok(self.merged(children.positions));
        }
        let width = SAMPLE.len() as u32;
        // While it grows the sample takes up to half as much again as its part of the whole, made in one go.
        let sample_budget = Budget::new(budget.room() / (SLICES / width) as usize * 3 / 2);
        let sample = Slice { range: SAMPLE, children: part(children.positions, width, SLICES), size: 0 };
        let sample = self.make(trunk, sample, &sample_budget, Share::NONE)?;
        Ok(part(sample.positions(), SLICES, width))
    }

    /// About how many are left of so many children if as many are merged as the last time, and some more: growing the
    /// tables costs more than room that is left over.
    fn merged(&self, children: u64) -> u64 {
        (children as f64 * self.count.positions as f64 / self.arrived.max(1) as f64 * 1.125) as u64
    }

    /// Makes a slice of the next ply.
    fn make(
        &self,
        trunk: &Trunk<PositionTree>,
        slice: Slice,
        budget: &Budget,
        share: Share,
    ) -> Result<Frontier, Halt> {
        let next = Shards::new(slice.shards(), slice.range, slice.size, budget)?;
        let share_of = |shards: &[Shard]| share.part(shards.len() as u64, self.shards.len() as u64);
        let fill = |shards: &[Shard]| fill(&next, shards, trunk, share_of(shards));
        if trunk.parallel {
            let part = self.shards.len().div_ceil(PARTS_A_THREAD * rayon::current_num_threads());
            self.shards.par_chunks(part).with_max_len(1).try_for_each(fill)?;
        } else {
            fill(&self.shards)?;
        }
        let shards = next.into_inner();
        let mut made = Frontier { ply: self.ply + 1, shards, count: Count::default(), ..*self };
        made.count = made.recount(trunk)?;
        Ok(made)
    }

    /// Counts the positions and adds up the multiplicities.
    fn recount(&self, trunk: &Trunk<PositionTree>) -> Result<Count, Interrupted> {
        self.sum(trunk, |positions| Ok(positions.count_packed()))
    }

    /// Compares the nodes of the next ply with the children they must be, and, while that is cheap, with a plain count.
    /// Returns the last ply for which that was done.
    fn check(&self, next: Count, children: Count, trunk: &Trunk<PositionTree>) -> Result<u32, FrontierError> {
        let ply = self.ply + 1;
        let compare = |expected: u128| match next.nodes {
            found if found == expected => Ok(()),
            found => Err(WrongSum { ply, expected, found }),
        };
        compare(children.nodes)?;
        if next.nodes > u128::from(children.positions) * CHECKED_NODES_A_CHILD {
            return Ok(self.checked_ply);
        }
        let plain = Trunk { progress: &trunk.progress.detached(), ..trunk.without_table() };
        compare(plain.count(&self.root, ply, Share::WHOLE)?)?;
        Ok(ply)
    }

    fn failure(&self, halt: Halt, memory_bytes: usize) -> FrontierError {
        match halt {
            Halt::Interrupted => Interrupted.into(),
            Halt::Full => FrontierError::NoRoom { ply: self.ply + 1, memory_bytes },
        }
    }

    /// Adds up what a function says of all positions, a few at a time, on all threads.
    pub(super) fn sum<T: Add<Output = T> + Default + Send>(
        &self,
        trunk: &Trunk<PositionTree>,
        of: impl Fn(Positions) -> Result<T, Interrupted> + Sync,
    ) -> Result<T, Interrupted> {
        let of = |slots: &[Slot]| match trunk.progress.is_stopped() {
            true => Err(Interrupted),
            false => of(Positions(slots.iter())),
        };
        if trunk.parallel {
            let pieces = self
                .shards
                .par_iter()
                .flat_map(|shard| shard.slots().par_chunks(PIECE_SLOTS).with_max_len(1));
            pieces.map(of).try_reduce(T::default, |a, b| Ok(a + b))
        } else {
            let mut pieces = self.shards.iter().flat_map(|shard| shard.slots().chunks(PIECE_SLOTS));
            pieces.try_fold(T::default(), |sum, slots| Ok(sum + of(slots)?))
        }
    }
}

#[cfg(test)]
impl Frontier {
    /// Makes one multiplicity wrong, as if memory had failed.
    pub(super) fn corrupt_one(&mut self) {
        let mut slots = self.shards.iter_mut().flat_map(Shard::slots_mut);
        slots.find(|slot| slot.multiplicity() > 0).expect("there is a position").corrupt();
    }
}

/// A part of a ply to be made.
struct Slice {
    /// Which hashes.
    range: Range<u32>,
    /// How many children will arrive, about.
    children: u64,
    /// How many positions to make room for from the start.
    size: u64,
}

impl Slice {
    fn shards(&self) -> usize {
        (self.children / CHILDREN_A_SHARD).clamp(1, MAX_SHARDS).next_power_of_two() as usize
    }
}

/// Sends all children of the positions in some shards to their shards of the next ply.
fn fill(next: &Shards, shards: &[Shard], trunk: &Trunk<PositionTree>, share: Share) -> Result<(), Halt> {
    let mut outbox = Outbox::new(next)?;
    for shard in shards {
        for slots in shard.slots().chunks(PIECE_SLOTS) {
            if trunk.progress.is_stopped() {
                return Err(Halt::Interrupted);
            }
            for (position, multiplicity) in Positions(slots.iter()) {
                for played in trunk.tree.counter.moves(&position) {
                    outbox.send(Slot::new(&position.play_unchecked(played), multiplicity))?;
                }
            }
        }
        trunk.progress.add(0, share.split(shards.len()));
    }
    Ok(outbox.finish()?)
}

/// So many of a number as a part is of a whole, rounded up a little.
fn part(number: u64, part: u32, whole: u32) -> u64 {
    (number as f64 * f64::from(part) / f64::from(whole) * 1.01) as u64
}

/// The memory that so many positions may need in tables that have just grown.
fn bytes_while_growing(positions: u64) -> usize {
    positions.saturating_mul(2 * SLOT_BYTES as u64).try_into().unwrap_or(usize::MAX)
}

/// The slices from here on that fit into so many bytes if the rest of the ply is as dense as what was found so far; not
/// fewer in the last passes than in others.
fn next_range(from: u32, found: u64, room: usize) -> Range<u32> {
    let rest = SLICES - from;
    let bytes_a_slice = Shard::slots_for(found as usize) as f64 * SLOT_BYTES as f64 / f64::from(from);
    // The rest of the room is for outboxes, for slices that are larger than others, and for tables that grow.
    let passes = (f64::from(rest) * bytes_a_slice / (room as f64 * 0.9)).ceil().max(1.0);
    from..from + (f64::from(rest) / passes).ceil() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::StopSignal;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn frontier(root: &Position, ply: u32) -> Frontier {
        (0..ply).fold(Frontier::new(root), |frontier, _| {
            frontier.next(&Perft::new(), 1 << 28, &Progress::default()).unwrap()
        })
    }

    #[test]
    fn a_multiplicity_that_is_wrong_is_found_one_ply_later() {
        let mut frontier = frontier(&Position::start(), 2);
        frontier.corrupt_one();
        let error = frontier.next(&Perft::new(), 1 << 28, &Progress::default()).unwrap_err();
        let FrontierError::WrongSum(wrong) = error else { panic!("{error}") };
        assert_eq!((wrong.ply, wrong.expected), (3, 8_902));
        assert!(wrong.found > 8_902);
        let counted = frontier.count_next(&Perft::new(), 1 << 28, &Progress::default());
        assert_eq!(counted, Err(error));
    }

    #[test]
    fn positions_are_kept_once() {
        let frontier = frontier(&Position::from_fen(KIWIPETE).unwrap(), 2);
        let mut fens: Vec<String> = frontier.iter().map(|(position, _)| position.to_string()).collect();
        assert_eq!(fens.len() as u64, frontier.positions());
        fens.sort();
        fens.dedup();
        assert_eq!(fens.len() as u64, frontier.positions());
        assert_eq!(frontier.iter().map(|(_, ways)| u128::from(ways)).sum::<u128>(), 2_039);
    }

    #[test]
    fn memory_is_kept_to() {
        let root = frontier(&Position::start(), 3);
        for memory_bytes in [0, 1_000, root.bytes(), 1 << 20, 3 << 20, 8 << 20] {
            match root.next(&Perft::new(), memory_bytes, &Progress::default()) {
                Ok(next) => assert!(root.bytes() + next.bytes() <= memory_bytes),
                Err(error) => assert_eq!(error, FrontierError::NoRoom { ply: 4, memory_bytes }),
            }
        }
        assert!(root.next(&Perft::new(), 8 << 20, &Progress::default()).is_ok());
    }

    #[test]
    fn a_ply_larger_than_the_memory_is_counted_in_slices() {
        let (root, progress) = (frontier(&Position::start(), 4), Progress::default());
        for threads in [1, 3] {
            let perft = Perft::new().threads(threads).unwrap();
            let memory_bytes = 16 << 20;
            assert!(matches!(root.next(&perft, memory_bytes, &progress), Err(FrontierError::NoRoom { .. })));
            let count = PlyCount { ply: 5, positions: 822_518, nodes: 4_865_609 };
            assert_eq!(root.count_next(&perft, memory_bytes, &progress), Ok(count));
        }
    }

    #[test]
    fn a_stop_is_heard() {
        let (root, stop) = (frontier(&Position::start(), 2), StopSignal::default());
        stop.raise();
        let progress = Progress::new(stop);
        let next = root.next(&Perft::new(), 1 << 20, &progress);
        assert_eq!(next.unwrap_err(), FrontierError::Interrupted(Interrupted));
        assert!(root.count_next(&Perft::new(), 1 << 20, &progress).is_err());
    }

    #[test]
    fn nodes_beyond_64_bits_are_refused() {
        // Two kings reach few positions, in more ways than can be counted.
        let mut frontier = Frontier::new(&Position::from_fen("8/8/8/8/8/8/8/k1K5 w - - 0 1").unwrap());
        let error = loop {
            match frontier.next(&Perft::new(), 1 << 22, &Progress::default()) {
                Ok(next) => frontier = next,
                Err(error) => break error,
            }
        };
        assert_eq!(error, FrontierError::TooManyNodes { ply: frontier.ply() + 1 });
        assert!(frontier.checked_ply() >= 4 && frontier.checked_ply() < frontier.ply());
    }
}
