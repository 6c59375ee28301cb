//! A set of packed positions: a list, and a hash table of the indices in it.
//!
//! Positions are compared in full. So a bad hash could make this slow but never wrong.

use arrayvec::ArrayVec;
use perft_core::internals::{ChildPacker, LeafCounter, PackedPosition};
use perft_core::{MAX_MOVES, Move, Position};

use super::prefetch::prefetch;

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
    /// Returns the positions.
    pub(super) fn positions(&self) -> &[PackedPosition] {
        &self.positions
    }

    /// Removes all positions, and makes room for this number of positions.
    pub(super) fn clear_for(&mut self, positions: usize) {
        self.positions.clear();
        self.slots.clear();
        self.slots.resize((positions * 2).next_power_of_two(), 0);
    }

    /// Adds the children of a position, and calls `each` with the index of each of them. It leaves out the moves that
    /// `is_wanted` refuses, and the children that `is_kept` refuses, which is given their hashes too.
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

    /// Returns the slot at which the search for a position with this hash begins.
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

    /// Doubles the number of slots.
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
