//! A bucket of the table: four slots that share a cache line. A new count replaces the smallest count of its bucket,
//! because counting that one again costs least.
//!
//! A slot has two words. The first is the check word of the key, combined with the count by exclusive or. If two
//! threads write to a slot at the same time, it can contain one word of each. Such a torn slot matches neither key, so
//! it is ignored (Hyatt and Mann, "A lock-less transposition table implementation for parallel search chess engines",
//! 2002).
//!
//! ```text
//!   one cache line   | check ^ nodes | nodes | check ^ nodes | nodes | ... 4 slots |
//! ```

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

/// Four slots in one cache line. A bucket whose bits are all zero is empty.
#[derive(Debug, Default, Zeroable)]
#[repr(C, align(64))]
pub struct Bucket {
    slots: [Slot; Bucket::SLOTS],
}

#[derive(Debug, Default, Zeroable)]
#[repr(C)]
struct Slot {
    /// The check word of the key, combined with `nodes` by exclusive or.
    guarded_check: AtomicU64,
    /// The count. It is 0 in an empty slot.
    nodes: AtomicU64,
}

// A bucket fills a cache line exactly.
const _: () = assert!(size_of::<Bucket>() == 64 && size_of::<Slot>() * Bucket::SLOTS == 64);

impl Bucket {
    /// The number of slots in a bucket.
    pub const SLOTS: usize = 4;

    /// Returns the count that was stored with a check word.
    #[inline]
    pub fn get(&self, check: u64) -> Option<u64> {
        let mut slots = self.slots.iter().map(Slot::read);
        slots.find(|&(found, nodes)| found == check && nodes != 0).map(|(_, nodes)| nodes)
    }

    /// Stores a count, which must not be 0. It replaces the smallest count of the bucket.
    #[inline]
    pub fn put(&self, check: u64, nodes: u64) {
        debug_assert_ne!(nodes, 0, "a count of 0 means an empty slot");
        let least = self.slots.iter().min_by_key(|slot| slot.nodes.load(Relaxed));
        if let Some(slot) = least {
            slot.write(check, nodes);
        }
    }

    /// Returns the number of slots in use.
    pub fn used(&self) -> usize {
        self.slots.iter().filter(|slot| slot.nodes.load(Relaxed) != 0).count()
    }
}

impl Slot {
    #[inline]
    fn read(&self) -> (u64, u64) {
        let nodes = self.nodes.load(Relaxed);
        (self.guarded_check.load(Relaxed) ^ nodes, nodes)
    }

    #[inline]
    fn write(&self, check: u64, nodes: u64) {
        self.guarded_check.store(check ^ nodes, Relaxed);
        self.nodes.store(nodes, Relaxed);
    }
}
