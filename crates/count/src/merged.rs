//! Counts below many positions together, and merges equal positions among their descendants.
//!
//! The children of the positions are put into a list, each of them once. Every position stores the list indices of its
//! children. Then the children are counted in the same way, and the counts of the positions are sums:
//!
//! ```text
//!   positions       P1        P2        P3          count of P2 = count of C2 + count of C3
//!                  /  \      /  \      /  \
//!   children     C1    C2 --    C3 --    C4         each once, and counted together
//! ```
//!
//! # Families
//!
//! A *family* is a set of positions that differ only in the pieces of the side to move. The other pieces and all
//! castling rights are the same. Without captures, two positions have a child in common only if they are of one family.
//! So positions that are near each other in the list should be of one family, or of similar ones.
//!
//! Three plies above the leaves ([`FAMILY_PLIES`]), each family is counted separately. Its children differ in little
//! more than the pieces that moved, and stay in the cache. They are counted in vector lanes: see
//! [`LeafCounter::two_plies_each`]. The positions of a small family have few children in common, so each of them is
//! counted separately.

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use perft_core::internals::{ChildPacker, PackedPosition};
use perft_core::{Interrupted, LeafCounter, MAX_MOVES, Move, Position};

use crate::progress::Share;
use crate::table::prefetch;
use crate::trunk::{PositionTree, Trunk};

/// The number of plies above the leaves at which each family is counted separately.
pub(super) const FAMILY_PLIES: u32 = 3;

/// The depths to which [`count_each`] counts, in plies. At a smaller depth, there are no children to merge above the
/// families. At a greater depth, an interrupted count would lose much work, and even a few positions have millions of
/// descendants to merge.
pub(super) const DEPTHS: RangeInclusive<u32> = FAMILY_PLIES + 1..=6;

/// The largest number of positions whose children are merged together. More positions have more children in common, but
/// take more memory.
const MAX_POSITIONS: usize = 1 << 16;

/// The largest number of positions of one family whose children are merged together. The children should stay in the
/// cache.
const MAX_OF_FAMILY: usize = 1 << 14;

/// The smallest number of positions of one family whose children are merged. With fewer, merging takes more time than
/// it saves.
const MIN_OF_FAMILY: usize = 256;

/// The largest number of children that are counted together.
const FAMILY_BATCH: usize = 64;

/// The number of positions after which the progress is reported.
const POSITIONS_PER_REPORT: usize = 1024;

/// The number of tasks for each thread in [`count_each`]. More tasks keep all threads busy until the end, but merge
/// less.
const TASKS_PER_THREAD: usize = 4;

/// The number of distinct children for which there is room at first, for each position.
const EXPECTED_PER_PARENT: usize = 8;

/// Returns the number of leaf nodes `depth` plies below each position. The threads share the positions. The depth is
/// one of [`DEPTHS`]. More children are merged if neighbouring positions are of one family.
pub(super) fn count_each(
    positions: &[Position],
    depth: u32,
    trunk: &Trunk<PositionTree>,
    share: Share,
) -> Result<Vec<u128>, Interrupted> {
    let count = |task: &[Position]| {
        let packed: Vec<PackedPosition> = task.iter().map(PackedPosition::from).collect();
        let share = share.part(task.len() as u64, positions.len() as u64);
        let counts = count_packed(&packed, depth, trunk, share)?;
        trunk.progress.add(counts.iter().sum(), Share::NONE);
        Ok(counts)
    };
    let tasks = match trunk.threads.count() {
        1 => 1,
        threads => TASKS_PER_THREAD * threads,
    };
    let per_task = positions.len().div_ceil(tasks).clamp(1, MAX_POSITIONS);
    let tasks: Vec<&[Position]> = positions.chunks(per_task).collect();
    Ok(trunk.threads.map(tasks, count)?.concat())
}

/// Returns the number of leaf nodes `depth` plies below each position, counted on one thread. The depth is at least
/// [`FAMILY_PLIES`]. The count is this share of the whole. The nodes are not added to the progress, because a position
/// may represent several nodes of the tree.
fn count_packed(
    positions: &[PackedPosition],
    depth: u32,
    trunk: &Trunk<PositionTree>,
    share: Share,
) -> Result<Vec<u128>, Interrupted> {
    if positions.is_empty() {
        // The positions above have no moves, so there is nothing to count.
        trunk.progress.add(0, share);
        return Ok(Vec::new());
    }
    if depth == FAMILY_PLIES {
        return count_families(positions, trunk, share);
    }
    let mut counts = Vec::with_capacity(positions.len());
    let mut children = MergedChildren::default();
    for chunk in positions.chunks(MAX_POSITIONS) {
        children.replace(chunk.iter(), trunk.tree.counter);
        let share = share.part(chunk.len() as u64, positions.len() as u64);
        let below = count_packed(children.set.positions(), depth - 1, trunk, share)?;
        counts.extend(children.sums(&below));
    }
    Ok(counts)
}

/// Returns the number of leaf nodes [`FAMILY_PLIES`] plies below each position.
fn count_families(
    positions: &[PackedPosition],
    trunk: &Trunk<PositionTree>,
    share: Share,
) -> Result<Vec<u128>, Interrupted> {
    let counter = trunk.tree.counter;
    let order = order_by_family(positions);
    let families = order.chunk_by(|a, b| positions[*a as usize].family() == positions[*b as usize].family());
    let mut counts = vec![0; positions.len()];
    let (mut children, mut below) = (MergedChildren::default(), Vec::new());
    let mut unreported = 0;
    for family in families.flat_map(|family| family.chunks(MAX_OF_FAMILY)) {
        if trunk.progress.is_stopped() {
            return Err(Interrupted);
        }
        let members = family.iter().map(|index| &positions[*index as usize]);
        if family.len() < MIN_OF_FAMILY {
            for (index, member) in family.iter().zip(members) {
                counts[*index as usize] = counter.count(&member.unpack(), FAMILY_PLIES).into();
            }
        } else {
            children.replace(members, counter);
            let first = positions[family[0] as usize].unpack();
            count_children(&first, children.set.positions(), counter, &mut below);
            for (index, count) in family.iter().zip(children.sums(&below)) {
                counts[*index as usize] = count;
            }
        }
        unreported += family.len();
        if unreported >= POSITIONS_PER_REPORT {
            trunk.progress.add(0, share.part(unreported as u64, positions.len() as u64));
            unreported = 0;
        }
    }
    trunk.progress.add(0, share.part(unreported as u64, positions.len() as u64));
    Ok(counts)
}

/// Returns the indices of the positions, family by family.
///
/// Within a family, positions with the same pawns are next to each other. Most moves do not change the pawns, so equal
/// children are found while they are in the cache.
fn order_by_family(positions: &[PackedPosition]) -> Vec<u32> {
    let key =
        |(position, index): (&PackedPosition, u32)| (position.family_hash(), position.pawns().bits(), index);
    let mut keyed: Vec<(u64, u64, u32)> = positions.iter().zip(0..).map(key).collect();
    keyed.sort_unstable_by_key(|(hash, pawns, _)| (*hash, *pawns));
    keyed.into_iter().map(|(.., index)| index).collect()
}

/// Puts the number of leaf nodes two plies below each child into `below`. `family` is a position of the family of the
/// parents.
fn count_children(
    family: &Position,
    children: &[PackedPosition],
    counter: &dyn LeafCounter,
    below: &mut Vec<u64>,
) {
    below.clear();
    below.resize(children.len(), 0);
    for (children, counts) in children.chunks(FAMILY_BATCH).zip(below.chunks_mut(FAMILY_BATCH)) {
        let children: ArrayVec<Position, FAMILY_BATCH> =
            children.iter().map(PackedPosition::unpack).collect();
        counter.two_plies_each(family, &children, counts);
    }
}

/// The children of some positions, each of them once, in the order in which they were first added.
#[derive(Default)]
struct MergedChildren {
    set: PositionSet,
    /// The indices of the children of all parents, one parent after the other.
    of_parents: Vec<u32>,
    /// For each parent, the index in `of_parents` at which its children end.
    ends: Vec<usize>,
}

impl MergedChildren {
    fn replace<'a>(
        &mut self,
        parents: impl ExactSizeIterator<Item = &'a PackedPosition>,
        counter: &dyn LeafCounter,
    ) {
        self.set.clear_for(parents.len() * EXPECTED_PER_PARENT);
        self.of_parents.clear();
        self.ends.clear();
        for parent in parents {
            let of_parents = &mut self.of_parents;
            let add = |index| of_parents.push(index as u32);
            self.set.add_children_of(&parent.unpack(), counter, |_| true, |_, _| true, add);
            self.ends.push(self.of_parents.len());
        }
    }

    fn sums<T: Copy + Into<u128>>(&self, counts: &[T]) -> impl Iterator<Item = u128> {
        let mut from = 0;
        self.ends.iter().map(move |end| {
            let children = &self.of_parents[std::mem::replace(&mut from, *end)..*end];
            children.iter().map(|child| counts[*child as usize].into()).sum()
        })
    }
}

/// Distinct positions, in the order in which they were first added.
#[derive(Default)]
pub(super) struct PositionSet {
    positions: Vec<PackedPosition>,
    /// A hash table with linear probing. Each slot has the index of a position plus 1, or 0. The number of slots is a
    /// power of two, and at most half of them are in use.
    slots: Vec<u32>,
}

/// The children of a position, each with its hash.
type Children = ArrayVec<(PackedPosition, u64), MAX_MOVES>;

impl PositionSet {
    pub(super) fn positions(&self) -> &[PackedPosition] {
        &self.positions
    }

    pub(super) fn clear_for(&mut self, positions: usize) {
        self.positions.clear();
        self.slots.clear();
        self.slots.resize((positions * 2).next_power_of_two(), 0);
    }

    /// Adds the children of a position, and calls `each` with the index of each of them. Only moves that `is_wanted`
    /// accepts are played. Only children that `is_kept` accepts, given their hashes, are added.
    ///
    /// It first prefetches all slots, then all positions to which the slots refer. Otherwise the delays of the cache
    /// misses would add up.
    #[inline(always)]
    pub(super) fn add_children_of(
        &mut self,
        parent: &Position,
        counter: &dyn LeafCounter,
        is_wanted: impl Fn(Move) -> bool,
        is_kept: impl Fn(&PackedPosition, u64) -> bool,
        mut each: impl FnMut(usize),
    ) {
        let packer = ChildPacker::new(parent);
        let mut children = Children::new();
        for &played in counter.moves(parent).iter().filter(|played| is_wanted(**played)) {
            let child = packer.child(played);
            let hash = child.hash();
            prefetch(&self.slots[self.first_slot(hash)]);
            if is_kept(&child, hash) {
                children.push((child, hash));
            }
        }
        for (_, hash) in &children {
            let number = self.slots[self.first_slot(*hash)] as usize;
            if number > 0 {
                prefetch(&self.positions[number - 1]);
            }
        }
        children.iter().for_each(|(child, hash)| each(self.add(child, *hash)));
    }

    /// Adds a position if it is not in the set yet, and returns its index.
    #[inline(always)]
    pub(super) fn add(&mut self, position: &PackedPosition, hash: u64) -> usize {
        let slot = self.slot(position, hash);
        if self.slots[slot] > 0 {
            return self.slots[slot] as usize - 1;
        }
        self.positions.push(*position);
        let count = self.positions.len();
        self.slots[slot] = count as u32;
        if count * 2 > self.slots.len() {
            self.grow();
        }
        count - 1
    }

    #[inline(always)]
    fn first_slot(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    /// Returns the slot of a position, or the free slot where it belongs.
    #[inline(always)]
    fn slot(&self, position: &PackedPosition, hash: u64) -> usize {
        let mut slot = self.first_slot(hash);
        loop {
            match self.slots[slot] {
                0 => return slot,
                number if self.positions[number as usize - 1] == *position => return slot,
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let count = self.slots.len() * 2;
        self.slots.clear();
        self.slots.resize(count, 0);
        for number in 0..self.positions.len() {
            let position = &self.positions[number];
            let slot = self.slot(position, position.hash());
            self.slots[slot] = number as u32 + 1;
        }
    }
}
