//! What shares a cache line: four entries, of which the one that was the least work gives way.
//!
//! An entry is two words, of which the first is the key's check word combined with the second by exclusive or. A torn
//! entry, half from one thread and half from another, so belongs to no key and is never believed (Hyatt and Mann, "A
//! lock-less transposition table implementation for parallel search chess engines", 2002).
//!
//! ```text
//!   one cache line   | check ^ nodes | nodes | check ^ nodes | nodes | ... 4 entries |
//! ```

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts that are found together. All bits zero is an empty one.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Bucket {
    entries: [Entry; Bucket::ENTRIES],
}

#[derive(Debug, Default)]
#[repr(C)]
struct Entry {
    /// The key's check word, exclusive or the nodes.
    guarded_check: AtomicU64,
    /// The count; 0 in an empty entry.
    nodes: AtomicU64,
}

// A bucket is a cache line, without a gap.
const _: () = assert!(size_of::<Bucket>() == 64 && size_of::<Entry>() * Bucket::ENTRIES == 64);

impl Bucket {
    /// Entries a bucket.
    pub const ENTRIES: usize = 4;

    /// The count that was stored under a check word.
    #[inline]
    pub fn get(&self, check: u64) -> Option<u64> {
        let mut entries = self.entries.iter().map(Entry::read);
        entries.find(|&(found, nodes)| found == check && nodes != 0).map(|(_, nodes)| nodes)
    }

    /// Stores a count, which is not 0, in place of the smallest.
    #[inline]
    pub fn put(&self, check: u64, nodes: u64) {
        debug_assert_ne!(nodes, 0, "a count of 0 is an empty entry");
        let least = self.entries.iter().min_by_key(|entry| entry.nodes.load(Relaxed));
        if let Some(entry) = least {
            entry.write(check, nodes);
        }
    }

    /// The number of entries that are not empty.
    pub fn used(&self) -> usize {
        self.entries.iter().filter(|entry| entry.nodes.load(Relaxed) != 0).count()
    }
}

impl Entry {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_under_its_check_only() {
        let bucket = Bucket::default();
        assert_eq!((bucket.get(0), bucket.used()), (None, 0));
        bucket.put(7, 4_865_609);
        assert_eq!((bucket.get(7), bucket.get(6), bucket.used()), (Some(4_865_609), None, 1));
    }

    #[test]
    fn a_full_bucket_gives_up_its_smallest_count() {
        let bucket = Bucket::default();
        for (check, nodes) in [30, 10, 20, 40, 50].into_iter().enumerate() {
            bucket.put(check as u64, nodes);
        }
        let kept = [0, 1, 2, 3, 4].map(|check| bucket.get(check));
        assert_eq!(kept, [Some(30), None, Some(20), Some(40), Some(50)]);
        assert_eq!(bucket.used(), Bucket::ENTRIES);
    }

    #[test]
    fn a_torn_entry_is_not_believed() {
        let bucket = Bucket::default();
        bucket.put(7, 1000);
        let entry = bucket.entries.iter().find(|entry| entry.read() == (7, 1000)).unwrap();
        entry.nodes.store(1001, Relaxed);
        assert_eq!(bucket.get(7), None);
    }
}
