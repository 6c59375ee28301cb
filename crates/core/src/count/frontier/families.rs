//! Counts the plies below a frontier, family by family.
//!
//! A *family* is a set of positions that differ only in the pieces of the side to move: the other pieces and all castling rights are
//! the same. Two positions have a child in common only if their other pieces are the same, unless a piece is captured. So the
//! children of a family can be merged while they are in the cache, and the merged ply never has to be in memory as a whole.
//!
//! ```text
//!   a family:     P1 x 2     P2 x 1     P3 x 4      the side to move has different pieces, the other side the same
//!                   \  \     /  \       /  |
//!   children:     C1 x 2   C2 x 3   C3 x 5 ...      merged in a small hash table, then counted together
//! ```
//!
//! The partition of a position depends only on its family, so a family is always in one partition.

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::Frontier;
use super::partitions::{CountedPosition, Partition};
use crate::count::leaf::LeafCounter;
use crate::count::progress::{Interrupted, Share};
use crate::count::trunk::{PositionTree, Trunk};
use crate::position::Position;

/// The largest number of positions whose children are merged together. More positions have more children in common, but take more
/// memory.
const MAX_POSITIONS: usize = 1 << 14;

/// The number of slots of the hash table for each position whose children are merged, before it grows.
const SLOTS_PER_PARENT: usize = 16;

/// The number of nodes that are counted together.
const BATCH: usize = 64;

/// The number of plies that [`Frontier::count_families`] counts below the positions.
pub(in crate::count) const FAMILY_PLIES: u32 = 3;

impl Frontier {
    /// Returns the sum over all positions: multiplicity times the leaf nodes [`FAMILY_PLIES`] plies below. The count is this share of
    /// the whole.
    pub(in crate::count) fn count_families(
        &self,
        trunk: &Trunk<PositionTree>,
        share: Share,
    ) -> Result<u128, Interrupted> {
        let count = |partition: &Partition| {
            let share = share.part(partition.positions() as u64, self.positions());
            FamilyCounter::new(trunk.tree.counter).count(partition.slots(), trunk, share)
        };
        if trunk.parallel {
            let counts = self.partitions.par_iter().with_max_len(1).map(count);
            counts.try_reduce(|| 0, |sum, nodes| Ok(sum + nodes))
        } else {
            self.partitions.iter().try_fold(0, |sum, partition| Ok(sum + count(partition)?))
        }
    }
}

/// Counts below the families of a partition.
struct FamilyCounter<'a> {
    counter: &'a dyn LeafCounter,
    /// The children of the positions that are being counted.
    children: Children,
}

impl<'a> FamilyCounter<'a> {
    /// Returns a counter that has not counted yet.
    fn new(counter: &'a dyn LeafCounter) -> FamilyCounter<'a> {
        FamilyCounter { counter, children: Children::default() }
    }

    /// Counts below all positions in these slots.
    fn count(
        &mut self,
        slots: &[CountedPosition],
        trunk: &Trunk<PositionTree>,
        share: Share,
    ) -> Result<u128, Interrupted> {
        // Positions with the same pawns come one after the other, because most moves do not change them. So equal children are
        // found while they are in the cache.
        let mut order: Vec<(u64, u64, &CountedPosition)> = Vec::new();
        order.extend(
            slots
                .iter()
                .filter(|slot| slot.multiplicity() != 0)
                .map(|slot| (slot.family_hash(), slot.pawns(), slot)),
        );
        order.sort_unstable_by_key(|(hash, pawns, _)| (*hash, *pawns));
        let share_of = |positions: usize| share.part(positions as u64, order.len() as u64);
        let mut sum = 0;
        for family in order.chunk_by(|(_, _, a), (_, _, b)| a.family() == b.family()) {
            for positions in family.chunks(MAX_POSITIONS) {
                if trunk.progress.is_stopped() {
                    return Err(Interrupted);
                }
                let nodes = self.count_family(positions.iter().map(|(_, _, position)| *position));
                trunk.progress.add(nodes, share_of(positions.len()));
                sum += nodes;
            }
        }
        Ok(sum)
    }

    /// Counts below some positions of a family.
    fn count_family<'b>(&mut self, positions: impl ExactSizeIterator<Item = &'b CountedPosition>) -> u128 {
        self.children.clear_for(positions.len());
        let mut family = None;
        for (position, multiplicity) in positions.filter_map(CountedPosition::get) {
            for played in self.counter.moves(&position) {
                let child = CountedPosition::new(&position.play_unchecked(played), multiplicity);
                self.children.add(&child);
            }
            family = Some(position);
        }
        let Some(family) = family else { return 0 };
        self.count_children(&family)
    }

    /// Counts below the merged children.
    fn count_children(&self, family: &Position) -> u128 {
        let mut sum = 0;
        let mut nodes: ArrayVec<Position, BATCH> = ArrayVec::new();
        let mut multiplicities: ArrayVec<u64, BATCH> = ArrayVec::new();
        let mut count = |nodes: &[Position], multiplicities: &[u64]| {
            let mut counts = [0; BATCH];
            let counts = &mut counts[..nodes.len()];
            self.counter.two_plies_each(family, nodes, counts);
            let products = counts.iter().zip(multiplicities).map(|(n, m)| u128::from(*n) * u128::from(*m));
            sum += products.sum::<u128>();
        };
        for (node, multiplicity) in self.children.positions.iter().filter_map(CountedPosition::get) {
            nodes.push(node);
            multiplicities.push(multiplicity);
            if nodes.is_full() {
                count(&nodes, &multiplicities);
                nodes.clear();
                multiplicities.clear();
            }
        }
        count(&nodes, &multiplicities);
        sum
    }
}

/// Different positions, each with its multiplicity, in the order in which they were added first.
#[derive(Default)]
struct Children {
    positions: Vec<CountedPosition>,
    /// A hash table with linear probing. Each slot has the number of a position plus 1, or 0. Their number is a power of two, and
    /// at most half of them are in use.
    slots: Vec<u32>,
}

impl Children {
    /// Removes all positions, and makes room for the children of so many parents.
    fn clear_for(&mut self, parents: usize) {
        self.positions.clear();
        self.slots.clear();
        self.slots.resize((parents * SLOTS_PER_PARENT).next_power_of_two(), 0);
    }

    /// Adds a position. If it is already here, adds to its multiplicity.
    #[inline(always)]
    fn add(&mut self, new: &CountedPosition) {
        let slot = self.slot(new);
        if self.slots[slot] == 0 {
            self.positions.push(*new);
            self.slots[slot] = self.positions.len() as u32;
            if self.positions.len() * 2 > self.slots.len() {
                self.grow();
            }
        } else {
            self.positions[self.slots[slot] as usize - 1].add_multiplicity(new);
        }
    }

    /// Returns the slot of a position, or the free slot where it belongs.
    #[inline(always)]
    fn slot(&self, position: &CountedPosition) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = position.hash() as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                number if self.positions[number as usize - 1].is_same_position(position) => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Doubles the number of slots.
    #[cold]
    fn grow(&mut self) {
        let count = self.slots.len() * 2;
        self.slots.clear();
        self.slots.resize(count, 0);
        for number in 0..self.positions.len() {
            let slot = self.slot(&self.positions[number]);
            self.slots[slot] = number as u32 + 1;
        }
    }
}
