//! Hash tables that compare positions in full, filled from many threads within a budget of memory.
//!
//! A set of positions is cut into shards by some bits of a hash; each shard is a table of its own behind its own lock.
//! A thread puts what it has for a shard into an *outbox* and takes the lock for a whole batch, so locks are hardly ever
//! waited for, and the cache misses of a batch overlap.
//!
//! ```text
//!   hash    | which slice of a ply  |        slot in the table         | which shard |
//!           63                    48                                                0
//! ```
//!
//! The hash only says where to look. Whether two positions are one is decided by comparing all of both, so no two are
//! ever taken for each other, however bad the hash.

use std::hint::black_box;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;

use crate::position::{PackedPosition, Position};

/// Slices of the hash space: each can be made on its own.
pub(super) const SLICES: u32 = 1 << 16;

/// Arrivals for a shard that are delivered together. Larger batches, up to 2048, were not faster.
const BATCH: usize = 32;

/// Slots of a shard that has just got its first position.
const MIN_SLOTS: usize = 8;

/// A position and the number of ways to reach it; free if that is 0.
#[derive(Clone, Copy, Debug, Zeroable)]
pub(super) struct Slot {
    words: [u64; 4],
    multiplicity: u64,
}

/// Bytes of a place for one position.
pub(super) const SLOT_BYTES: usize = size_of::<Slot>();

impl Slot {
    /// A position that is reached in so many ways.
    #[inline(always)]
    pub(super) fn new(position: &Position, multiplicity: u64) -> Slot {
        Slot { words: PackedPosition::from(position).to_words(), multiplicity }
    }

    /// The position, unless the slot is free, and its multiplicity.
    #[inline(always)]
    pub(super) fn get(&self) -> Option<(Position, u64)> {
        let position = || PackedPosition::from_words(self.words).unpack();
        (self.multiplicity != 0).then(|| (position(), self.multiplicity))
    }

    /// The number of ways to reach the position; 0 in a free slot.
    #[inline(always)]
    pub(super) const fn multiplicity(&self) -> u64 {
        self.multiplicity
    }

    /// For tests: as if memory had failed.
    #[cfg(test)]
    pub(super) fn corrupt(&mut self) {
        self.multiplicity += u64::from(self.multiplicity != 0);
    }

    #[inline(always)]
    fn hash(&self) -> u64 {
        let [a, b, c, d] = self.words;
        let sum = fold(a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xbf58_476d_1ce4_e5b9)
            ^ fold(c ^ 0x94d0_49bb_1331_11eb, d ^ 0xd6e8_feb8_6659_fd93);
        fold(sum, 0x9e37_79b9_7f4a_7c15)
    }
}

/// The two halves of a 128-bit product, folded into one word.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// No room is left in the budget, or in the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

/// A number of bytes that may be in use at once.
#[derive(Debug)]
pub(super) struct Budget {
    limit: usize,
    used: AtomicUsize,
}

impl Budget {
    /// So many bytes, none in use.
    pub(super) const fn new(limit: usize) -> Budget {
        Budget { limit, used: AtomicUsize::new(0) }
    }

    /// The bytes that are not in use.
    pub(super) fn room(&self) -> usize {
        self.limit.saturating_sub(self.used.load(Relaxed))
    }

    /// Takes bytes into use.
    pub(super) fn take(&self, bytes: usize) -> Result<(), Full> {
        if self.used.fetch_add(bytes, Relaxed).saturating_add(bytes) <= self.limit {
            return Ok(());
        }
        self.give(bytes);
        Err(Full)
    }

    /// Gives bytes back.
    fn give(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Relaxed);
    }
}

/// A hash table with linear probing.
#[derive(Debug, Default)]
pub(super) struct Shard {
    slots: Vec<Slot>,
    positions: usize,
}

impl Shard {
    /// A shard of one position.
    pub(super) fn of(slot: Slot) -> Shard {
        Shard { slots: vec![slot], positions: 1 }
    }

    /// The slots, free ones between the others.
    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// For tests.
    #[cfg(test)]
    pub(super) fn slots_mut(&mut self) -> &mut [Slot] {
        &mut self.slots
    }

    /// Slots for so many positions: three quarters are filled at most.
    pub(super) const fn slots_for(positions: usize) -> usize {
        positions + positions.div_ceil(3)
    }

    /// Adds a position, or its multiplicity to what is there of it.
    #[inline(always)]
    fn add(&mut self, arrival: &Slot, budget: &Budget) -> Result<(), Full> {
        if Shard::slots_for(self.positions + 1) > self.slots.len() {
            self.grow(budget)?;
        }
        self.put(arrival);
        Ok(())
    }

    #[inline(always)]
    fn put(&mut self, arrival: &Slot) {
        let mut index = self.first_index(arrival);
        loop {
            let slot = &mut self.slots[index];
            if slot.multiplicity == 0 {
                *slot = *arrival;
                self.positions += 1;
                return;
            }
            if slot.words == arrival.words {
                slot.multiplicity += arrival.multiplicity;
                return;
            }
            index += 1;
            if index == self.slots.len() {
                index = 0;
            }
        }
    }

    /// Where a position stands if nothing else came first. Any number of slots can be addressed: the middle bits of
    /// the hash, read as a fraction of 2^64, times their number.
    #[inline(always)]
    fn first_index(&self, slot: &Slot) -> usize {
        ((u128::from(slot.hash() << 16) * self.slots.len() as u128) >> 64) as usize
    }

    /// Half as many slots again. The old ones stay in use until all have moved.
    #[cold]
    fn grow(&mut self, budget: &Budget) -> Result<(), Full> {
        self.resize((self.slots.len() * 3 / 2).max(MIN_SLOTS), budget)
    }

    fn resize(&mut self, count: usize, budget: &Budget) -> Result<(), Full> {
        budget.take(count * SLOT_BYTES)?;
        let slots = try_zeroed_vec(count).map_err(|()| Full)?;
        let old = std::mem::replace(self, Shard { slots, positions: 0 });
        old.slots.iter().filter(|slot| slot.multiplicity != 0).for_each(|slot| self.put(slot));
        budget.give(old.slots.len() * SLOT_BYTES);
        Ok(())
    }

    /// Has the slots that a batch will need first brought into the cache, all at once: most are in memory, and their
    /// delays would add up. (A slot may lie across two cache lines. Ply 6 of the start position, one thread: 3.1 to
    /// 2.5 s.)
    #[inline(always)]
    fn touch(&self, batch: &[Slot]) {
        if !self.slots.is_empty() {
            let first_and_last_word = |slot: &Slot| slot.words[0] ^ slot.multiplicity;
            let slots = batch.iter().map(|arrival| &self.slots[self.first_index(arrival)]);
            black_box(slots.fold(0, |sum, slot| sum ^ first_and_last_word(slot)));
        }
    }
}

/// The shards of a slice of a ply while they are filled.
#[derive(Debug)]
pub(super) struct Shards<'a> {
    shards: Vec<Mutex<Shard>>,
    slice: Range<u32>,
    budget: &'a Budget,
}

impl<'a> Shards<'a> {
    /// So many shards, a power of two, with room for so many positions in all.
    pub(super) fn new(
        count: usize,
        slice: Range<u32>,
        positions: u64,
        budget: &'a Budget,
    ) -> Result<Shards<'a>, Full> {
        assert!(count.is_power_of_two(), "{count} shards: not a power of two");
        let mut shards = Vec::with_capacity(count);
        for _ in 0..count {
            let mut shard = Shard::default();
            shard.resize(Shard::slots_for(positions as usize / count), budget)?;
            shards.push(Mutex::new(shard));
        }
        Ok(Shards { shards, slice, budget })
    }

    /// The shards, filled.
    pub(super) fn into_inner(self) -> Vec<Shard> {
        let open = |shard: Mutex<Shard>| shard.into_inner().expect("nobody panicked over a shard");
        self.shards.into_iter().map(open).collect()
    }
}

/// What a thread has found for each shard and not yet delivered.
pub(super) struct Outbox<'a> {
    shards: &'a Shards<'a>,
    batches: Vec<ArrayVec<Slot, BATCH>>,
}

impl<'a> Outbox<'a> {
    /// An empty outbox.
    pub(super) fn new(shards: &'a Shards<'a>) -> Result<Outbox<'a>, Full> {
        let count = shards.shards.len();
        shards.budget.take(Outbox::bytes(count))?;
        Ok(Outbox { shards, batches: (0..count).map(|_| ArrayVec::new()).collect() })
    }

    /// The size of an outbox for so many shards.
    pub(super) const fn bytes(shards: usize) -> usize {
        shards * size_of::<ArrayVec<Slot, BATCH>>()
    }

    /// Sends a position to its shard, if it is of the slice that is being made.
    #[inline(always)]
    pub(super) fn send(&mut self, slot: Slot) -> Result<(), Full> {
        let hash = slot.hash();
        if !self.shards.slice.contains(&((hash >> 48) as u32)) {
            return Ok(());
        }
        let shard = hash as usize & (self.batches.len() - 1);
        let batch = &mut self.batches[shard];
        batch.push(slot);
        if batch.is_full() { self.deliver(shard) } else { Ok(()) }
    }

    /// Delivers everything.
    pub(super) fn finish(mut self) -> Result<(), Full> {
        (0..self.batches.len()).try_for_each(|shard| self.deliver(shard))
    }

    fn deliver(&mut self, index: usize) -> Result<(), Full> {
        let batch = &mut self.batches[index];
        let mut shard = self.shards.shards[index].lock().expect("nobody panicked over a shard");
        shard.touch(batch);
        for slot in batch.iter() {
            shard.add(slot, self.shards.budget)?;
        }
        batch.clear();
        Ok(())
    }
}

impl Drop for Outbox<'_> {
    fn drop(&mut self) {
        self.shards.budget.give(Outbox::bytes(self.batches.len()));
    }
}
