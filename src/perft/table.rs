//! The transposition table: counts of subtrees that were counted before.
//!
//! A position reached by two orders of moves is counted once. All threads share one table without locks: an entry is
//! two words, of which the first is the key's check word combined with the second by exclusive or. A torn entry, half
//! from one thread and half from another, so belongs to no key and is never believed (Hyatt and Mann, "A lock-less
//! transposition table implementation for parallel search chess engines", 2002).
//!
//! ```text
//!   bucket, one cache line   | check ^ nodes | nodes | check ^ nodes | nodes | ... 4 entries |
//! ```

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use crate::chess::position::{Key, KeyMaker, Position};

/// Below this many bytes there is no table.
pub const MIN_TABLE_BYTES: usize = size_of::<Bucket>();

/// Counts of subtrees, found by position and depth.
///
/// # Examples
/// ```
/// use perft::chess::position::Position;
/// use perft::perft::{Perft, Progress, Table};
/// let perft = Perft::new().table(Table::new(16 << 20, 0)?);
/// assert_eq!(perft.count(&Position::start(), 5, &Progress::default()), Ok(4_865_609));
/// # Ok::<(), perft::perft::TableError>(())
/// ```
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    keys: KeyMaker,
}

/// A table of this size cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// Not even one bucket.
    #[error("a table of {0} bytes is too small: it takes {MIN_TABLE_BYTES}")]
    TooSmall(usize),
    /// The system gives no such amount of memory.
    #[error("there is no memory for a table of {0} bytes")]
    NoMemory(usize),
}

/// What shares a cache line.
#[derive(Debug, Zeroable)]
#[repr(C, align(64))]
struct Bucket {
    entries: [Entry; 4],
}

#[derive(Debug, Zeroable)]
#[repr(C)]
struct Entry {
    /// The key's check word, exclusive or the nodes.
    guarded_check: AtomicU64,
    /// The count; 0 in an empty entry.
    nodes: AtomicU64,
}

impl Entry {
    fn read(&self) -> (u64, u64) {
        let nodes = self.nodes.load(Relaxed);
        (self.guarded_check.load(Relaxed) ^ nodes, nodes)
    }

    fn write(&self, check: u64, nodes: u64) {
        self.guarded_check.store(check ^ nodes, Relaxed);
        self.nodes.store(nodes, Relaxed);
    }
}

impl Table {
    /// An empty table of this many bytes, rounded down to whole cache lines. Another seed gives independent keys.
    ///
    /// # Errors
    /// The size is below [`MIN_TABLE_BYTES`], or there is no such amount of memory.
    pub fn new(bytes: usize, seed: u64) -> Result<Table, TableError> {
        let count = bytes / size_of::<Bucket>();
        if count == 0 {
            return Err(TableError::TooSmall(bytes));
        }
        let buckets =
            bytemuck::allocation::try_zeroed_slice_box(count).map_err(|()| TableError::NoMemory(bytes))?;
        Ok(Table { buckets: buckets.into_vec(), keys: KeyMaker::new(seed) })
    }

    /// The size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// The key of a position to be counted to a depth.
    pub(super) fn key(&self, position: &Position, depth: u32) -> Key {
        self.keys.key(position, depth)
    }

    /// The count that was stored under a key.
    pub(super) fn get(&self, key: Key) -> Option<u64> {
        let mut entries = self.bucket(key).entries.iter().map(Entry::read);
        entries.find(|&(check, nodes)| check == key.check && nodes != 0).map(|(_, nodes)| nodes)
    }

    /// Stores a count, in place of the one in its bucket that was the least work. A count of 0 is as quickly found
    /// again as looked up, and one beyond 64 bits has no room: neither is stored.
    pub(super) fn put(&self, key: Key, nodes: u128) {
        let Some(nodes) = u64::try_from(nodes).ok().filter(|&nodes| nodes != 0) else { return };
        let least = self.bucket(key).entries.iter().min_by_key(|entry| entry.nodes.load(Relaxed));
        if let Some(entry) = least {
            entry.write(key.check, nodes);
        }
    }

    /// Any number of buckets can be addressed: the slot word, read as a fraction of 2^64, times their number.
    fn bucket(&self, key: Key) -> &Bucket {
        let index = (u128::from(key.slot) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_under_its_key_only() {
        let table = Table::new(1 << 12, 0).unwrap();
        let key = table.key(&Position::start(), 5);
        assert_eq!(table.get(key), None);
        table.put(key, 4_865_609);
        assert_eq!(table.get(key), Some(4_865_609));
        assert_eq!(table.get(Key { check: key.check ^ 1, ..key }), None);
        assert_eq!(table.get(table.key(&Position::start(), 4)), None);
    }

    #[test]
    fn a_full_bucket_gives_up_its_smallest_count() {
        let table = Table::new(MIN_TABLE_BYTES, 0).unwrap();
        let keys: Vec<Key> = (0..5).map(|depth| table.key(&Position::start(), depth)).collect();
        for (key, nodes) in keys.iter().zip([30, 10, 20, 40, 50]) {
            table.put(*key, nodes);
        }
        let kept: Vec<Option<u64>> = keys.iter().map(|key| table.get(*key)).collect();
        assert_eq!(kept, [Some(30), None, Some(20), Some(40), Some(50)]);
    }

    #[test]
    fn a_torn_entry_is_not_believed() {
        let table = Table::new(MIN_TABLE_BYTES, 0).unwrap();
        let key = table.key(&Position::start(), 5);
        table.put(key, 1000);
        let entry = table.buckets[0].entries.iter().find(|entry| entry.read().1 == 1000).unwrap();
        entry.nodes.store(1001, Relaxed);
        assert_eq!(table.get(key), None);
    }

    #[test]
    fn sizes_are_honoured_or_refused() {
        assert_eq!(Table::new(1000, 0).unwrap().bytes(), 960);
        assert_eq!(Table::new(63, 0).unwrap_err(), TableError::TooSmall(63));
        let absurd = usize::MAX / 2;
        assert_eq!(Table::new(absurd, 0).unwrap_err(), TableError::NoMemory(absurd));
    }

    #[test]
    fn counts_that_do_not_fit_are_not_stored() {
        let table = Table::new(MIN_TABLE_BYTES, 0).unwrap();
        let key = table.key(&Position::start(), 14);
        table.put(key, 61_885_021_521_585_529_237);
        assert_eq!(table.get(key), None);
    }
}
