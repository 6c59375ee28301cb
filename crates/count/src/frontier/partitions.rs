//! The hash tables of a frontier. They compare positions in full, and many threads fill them at once.
//!
//! The positions are divided into *partitions* by a hash of their family (see `merged.rs`). Each partition is a hash
//! table with its own lock. A thread collects the positions for each partition in its *outbox* and takes the lock once
//! for a whole batch. So threads hardly ever wait for a lock, and the cache misses of a batch overlap.
//!
//! ```text
//!   hash              | hash prefix: which slice |       slot in the table           |
//!                     63                        48                                   0
//!   hash of family                                          | which partition |
//! ```
//!
//! The hash only says where to look. Two positions are equal only if all their bits are equal. So a bad hash could make
//! this slow but never wrong.

use std::hint::black_box;
use std::ops::Range;
use std::sync::Mutex;

use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;
use perft_core::Position;
use perft_core::internals::PackedPosition;

use super::budget::{Budget, Full};
use super::slice::SliceBy;

/// The number of hash prefixes, which are the upper 16 bits of a hash.
pub(super) const HASH_PREFIXES: u32 = 1 << 16;

/// The number of positions that are delivered to a partition together. Larger batches, up to 2048, were not faster.
const BATCH: usize = 32;

/// The number of slots of an empty partition after it has grown.
const MIN_SLOTS: usize = 8;

/// A packed position and its multiplicity. In a hash table, multiplicity 0 means a free slot.
#[derive(Clone, Copy, Debug, Zeroable)]
pub(super) struct CountedPosition {
    words: [u64; 4],
    multiplicity: u64,
}

/// The size of a slot in bytes.
pub(super) const SLOT_BYTES: usize = size_of::<CountedPosition>();

impl CountedPosition {
    /// Packs a position.
    #[inline(always)]
    pub(super) fn new(position: &Position, multiplicity: u64) -> CountedPosition {
        CountedPosition { words: PackedPosition::from(position).to_words(), multiplicity }
    }

    /// Returns the unpacked position and its multiplicity, or `None` if the slot is free.
    #[inline(always)]
    pub(super) fn get(&self) -> Option<(Position, u64)> {
        let position = || PackedPosition::from_words(self.words).unpack();
        (self.multiplicity != 0).then(|| (position(), self.multiplicity))
    }

    /// Returns the number of ways to reach the position, or 0 if the slot is free.
    #[inline(always)]
    pub(super) const fn multiplicity(&self) -> u64 {
        self.multiplicity
    }

    /// Changes the multiplicity, as a memory error could do.
    #[cfg(test)]
    pub(super) fn corrupt(&mut self) {
        self.multiplicity += u64::from(self.multiplicity != 0);
    }

    /// Returns the packed position of a slot in use.
    #[inline(always)]
    pub(super) fn packed(&self) -> PackedPosition {
        PackedPosition::from_words(self.words)
    }

    /// Returns a hash of the position.
    #[inline(always)]
    fn hash(&self) -> u64 {
        self.packed().hash()
    }

    /// Returns a hash of the family of the position.
    #[inline(always)]
    fn family_hash(&self) -> u64 {
        self.packed().family_hash()
    }

    /// Returns the hash prefix, which decides to which slice the position belongs.
    #[inline(always)]
    fn hash_prefix(&self, by: SliceBy) -> u32 {
        let prefix = match by {
            SliceBy::Position => self.hash() >> 48,
            SliceBy::Family => (self.family_hash() >> 56 << 8) | (self.hash() >> 56),
        };
        prefix as u32
    }
}

/// A hash table with linear probing.
#[derive(Debug, Default)]
pub(super) struct Partition {
    slots: Vec<CountedPosition>,
    positions: usize,
}

impl Partition {
    /// Returns a partition that has one position.
    pub(super) fn with_one(position: CountedPosition) -> Partition {
        Partition { slots: vec![position], positions: 1 }
    }

    /// Returns all slots, including free ones.
    pub(super) fn slots(&self) -> &[CountedPosition] {
        &self.slots
    }

    /// Returns the number of positions.
    pub(super) const fn positions(&self) -> usize {
        self.positions
    }

    #[cfg(test)]
    pub(super) fn slots_mut(&mut self) -> &mut [CountedPosition] {
        &mut self.slots
    }

    /// Returns the number of slots that are needed for this many positions. At most three quarters of the slots are in
    /// use.
    pub(super) const fn slots_for(positions: usize) -> usize {
        positions + positions.div_ceil(3)
    }

    /// Adds a position. If the position is already stored, adds to its multiplicity.
    #[inline(always)]
    fn add(&mut self, new: &CountedPosition, budget: &Budget) -> Result<(), Full> {
        if Partition::slots_for(self.positions + 1) > self.slots.len() {
            self.grow(budget)?;
        }
        self.put(new);
        Ok(())
    }

    #[inline(always)]
    fn put(&mut self, new: &CountedPosition) {
        let mut index = self.first_index(new);
        loop {
            let slot = &mut self.slots[index];
            if slot.multiplicity == 0 {
                *slot = *new;
                self.positions += 1;
                return;
            }
            if slot.words == new.words {
                slot.multiplicity += new.multiplicity;
                return;
            }
            index += 1;
            if index == self.slots.len() {
                index = 0;
            }
        }
    }

    /// Returns the index at which the search for a position begins. It is the middle bits of the hash, as a fraction of
    /// 2^64, times the number of slots. So the number of slots need not be a power of two.
    #[inline(always)]
    fn first_index(&self, position: &CountedPosition) -> usize {
        ((u128::from(position.hash() << 16) * self.slots.len() as u128) >> 64) as usize
    }

    /// Increases the number of slots by half. The old slots stay in memory until all positions have moved.
    #[cold]
    fn grow(&mut self, budget: &Budget) -> Result<(), Full> {
        self.resize((self.slots.len() * 3 / 2).max(MIN_SLOTS), budget)
    }

    fn resize(&mut self, count: usize, budget: &Budget) -> Result<(), Full> {
        budget.take(count * SLOT_BYTES)?;
        let slots = try_zeroed_vec(count).map_err(|()| Full)?;
        let old = std::mem::replace(self, Partition { slots, positions: 0 });
        old.slots.iter().filter(|slot| slot.multiplicity != 0).for_each(|slot| self.put(slot));
        budget.give_back(old.slots.len() * SLOT_BYTES);
        Ok(())
    }

    /// Reads the first slot of each position of a batch, so that all of them are loaded into the cache at the same
    /// time. Otherwise the delays of the cache misses would add up. A slot can lie across two cache lines, so its first
    /// and last words are read. With this, ply 6 of the start position on one thread takes 2.5 s instead of 3.1 s.
    #[inline(always)]
    fn touch(&self, batch: &[CountedPosition]) {
        if !self.slots.is_empty() {
            let first_and_last_word = |slot: &CountedPosition| slot.words[0] ^ slot.multiplicity;
            let slots = batch.iter().map(|new| &self.slots[self.first_index(new)]);
            black_box(slots.fold(0, |sum, slot| sum ^ first_and_last_word(slot)));
        }
    }
}

/// The partitions of a slice while threads fill them.
#[derive(Debug)]
pub(super) struct Partitions<'a> {
    partitions: Vec<Mutex<Partition>>,
    /// The hash prefixes of the slice.
    prefixes: Range<u32>,
    /// The hash whose upper bits are the prefixes.
    by: SliceBy,
    budget: &'a Budget,
}

impl<'a> Partitions<'a> {
    /// Returns `count` partitions, a power of two, with room for `positions` positions in all.
    pub(super) fn new(
        count: usize,
        prefixes: Range<u32>,
        by: SliceBy,
        positions: u64,
        budget: &'a Budget,
    ) -> Result<Partitions<'a>, Full> {
        assert!(count.is_power_of_two(), "the number of partitions, {count}, is not a power of two");
        let mut partitions = Vec::with_capacity(count);
        for _ in 0..count {
            let mut partition = Partition::default();
            partition.resize(Partition::slots_for(positions as usize / count), budget)?;
            partitions.push(Mutex::new(partition));
        }
        Ok(Partitions { partitions, prefixes, by, budget })
    }

    /// Returns the partitions. Call it when all outboxes are finished.
    pub(super) fn into_inner(self) -> Vec<Partition> {
        let unlock = |partition: Mutex<Partition>| {
            partition.into_inner().expect("no thread panicked while it held the lock")
        };
        self.partitions.into_iter().map(unlock).collect()
    }
}

/// The positions that a thread has found for each partition and has not delivered yet.
pub(super) struct Outbox<'a> {
    to: &'a Partitions<'a>,
    batches: Vec<ArrayVec<CountedPosition, BATCH>>,
    /// The number of delivered positions that were new since the last call of [`Outbox::take_new_positions`].
    new_positions: u64,
}

impl<'a> Outbox<'a> {
    /// Returns an empty outbox.
    pub(super) fn new(to: &'a Partitions<'a>) -> Result<Outbox<'a>, Full> {
        let count = to.partitions.len();
        to.budget.take(Outbox::bytes(count))?;
        Ok(Outbox { to, batches: (0..count).map(|_| ArrayVec::new()).collect(), new_positions: 0 })
    }

    /// Returns the size of an outbox for this many partitions, in bytes.
    pub(super) const fn bytes(partitions: usize) -> usize {
        partitions * size_of::<ArrayVec<CountedPosition, BATCH>>()
    }

    /// Sends a position to its partition, or drops it if it belongs to another slice.
    #[inline(always)]
    pub(super) fn send(&mut self, position: CountedPosition) -> Result<(), Full> {
        if !self.to.prefixes.contains(&position.hash_prefix(self.to.by)) {
            return Ok(());
        }
        let partition = position.family_hash() as usize & (self.batches.len() - 1);
        let batch = &mut self.batches[partition];
        batch.push(position);
        if batch.is_full() { self.deliver(partition) } else { Ok(()) }
    }

    /// Returns the number of delivered positions that were new since the last call.
    pub(super) fn take_new_positions(&mut self) -> u64 {
        std::mem::take(&mut self.new_positions)
    }

    /// Delivers all remaining positions.
    pub(super) fn deliver_all(&mut self) -> Result<(), Full> {
        (0..self.batches.len()).try_for_each(|partition| self.deliver(partition))
    }

    fn deliver(&mut self, index: usize) -> Result<(), Full> {
        let batch = &mut self.batches[index];
        let mut partition =
            self.to.partitions[index].lock().expect("no thread panicked while it held the lock");
        partition.touch(batch);
        let before = partition.positions;
        for position in batch.iter() {
            partition.add(position, self.to.budget)?;
        }
        self.new_positions += (partition.positions - before) as u64;
        batch.clear();
        Ok(())
    }
}

impl Drop for Outbox<'_> {
    fn drop(&mut self) {
        self.to.budget.give_back(Outbox::bytes(self.batches.len()));
    }
}
