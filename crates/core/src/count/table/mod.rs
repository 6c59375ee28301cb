//! The transposition table: counts of subtrees that were counted before.
//!
//! A position reached by two orders of moves is counted once. All threads share one table without locks. A key says
//! with one word in which bucket its entry belongs ([`bucket`]), and with the other, which is independent, whose entry
//! it is. [`statistics`] says how often that goes wrong.

mod bucket;
mod memory;
mod prefetch;
mod statistics;

pub use statistics::TableStatistics;

use bucket::Bucket;
use memory::Buckets;
use prefetch::prefetch;
use statistics::SharedTally;
pub(super) use statistics::Tally;

use crate::position::{Key, KeyMaker, Position};

/// Below this many bytes there is no table.
pub const MIN_TABLE_BYTES: usize = size_of::<Bucket>();

/// Buckets that are looked at to judge how full a table is.
const SAMPLE: usize = 1 << 12;

/// Counts of subtrees, found by position and depth.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_core::{Perft, Progress, Table};
/// let perft = Perft::new().table(Table::new(16 << 20, 0)?);
/// assert_eq!(perft.count(&Position::start(), 5, &Progress::default()), Ok(4_865_609));
/// # Ok::<(), crate::count::TableError>(())
/// ```
#[derive(Debug)]
pub struct Table {
    buckets: Buckets,
    keys: KeyMaker,
    tally: SharedTally,
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
        let buckets = Buckets::new(count).ok_or(TableError::NoMemory(bytes))?;
        Ok(Table { buckets, keys: KeyMaker::new(seed), tally: SharedTally::default() })
    }

    /// The size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// What the table was asked since it was made. While a count is running, what its threads have not yet handed in
    /// is missing.
    pub fn statistics(&self) -> TableStatistics {
        let Tally { probes, hits } = self.tally.read();
        TableStatistics { probes, hits, fill: self.fill() }
    }

    /// Keys go to all buckets alike, so the first ones are as good a sample as any.
    fn fill(&self) -> f64 {
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let used: usize = sample.iter().map(Bucket::used).sum();
        used as f64 / (sample.len() * Bucket::ENTRIES) as f64
    }

    /// The key of a position to be counted to a depth.
    #[inline]
    pub(super) fn key(&self, position: &Position, depth: u32) -> Key {
        self.keys.key(position, depth)
    }

    /// Fetches what will be read for a key.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch(self.bucket(key));
    }

    /// The count that was stored under a key.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<u64> {
        self.bucket(key).get(key.check)
    }

    /// As [`Table::get`], noted at once; for probes so far from the leaves that they are few.
    pub(super) fn probe(&self, key: Key) -> Option<u64> {
        let mut tally = Tally::default();
        let found = tally.note(self.get(key));
        self.add(tally);
        found
    }

    /// Stores a count. One of 0 is as quickly found again as looked up, and one beyond 64 bits has no room: neither is
    /// stored.
    #[inline]
    pub(super) fn put(&self, key: Key, nodes: u128) {
        if let Some(nodes) = u64::try_from(nodes).ok().filter(|&nodes| nodes != 0) {
            self.bucket(key).put(key.check, nodes);
        }
    }

    /// Adds what a thread has noted of its probes.
    pub(super) fn add(&self, tally: Tally) {
        self.tally.add(tally);
    }

    /// Any number of buckets can be addressed: the slot word, read as a fraction of 2^64, times their number.
    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        let index = (u128::from(key.slot) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;

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
    fn sizes_are_honoured_or_refused() {
        for (bytes, honoured) in
            [(64, 64), (1000, 960), (1 << 20, 1 << 20), ((1 << 21) + 4096, (1 << 21) + 4096)]
        {
            assert_eq!(Table::new(bytes, 0).unwrap().bytes(), honoured);
        }
        assert_eq!(Table::new(63, 0).unwrap_err(), TableError::TooSmall(63));
        let absurd = usize::MAX / 2;
        assert_eq!(Table::new(absurd, 0).unwrap_err(), TableError::NoMemory(absurd));
    }

    #[test]
    fn every_slot_has_a_bucket() {
        for buckets in [1, 3, 1000] {
            let table = Table::new(buckets * MIN_TABLE_BYTES, 0).unwrap();
            let bucket = |slot| std::ptr::from_ref(table.bucket(Key { slot, check: 0 }));
            assert_eq!(bucket(0), std::ptr::from_ref(&table.buckets[0]));
            assert_eq!(bucket(u64::MAX), std::ptr::from_ref(&table.buckets[buckets - 1]));
            table.prefetch(Key { slot: u64::MAX, check: 0 });
        }
    }

    #[test]
    fn counts_that_do_not_fit_are_not_stored() {
        let table = Table::new(MIN_TABLE_BYTES, 0).unwrap();
        let key = table.key(&Position::start(), 14);
        table.put(key, 61_885_021_521_585_529_237);
        assert_eq!(table.get(key), None);
        table.put(key, 0);
        assert_eq!(table.statistics().fill, 0.0);
    }

    #[test]
    fn statistics_are_what_was_added_and_stored() {
        let table = Table::new(4 * MIN_TABLE_BYTES, 0).unwrap();
        let mut tally = Tally::default();
        assert_eq!([None, Some(7), None].map(|found| tally.note(found)), [None, Some(7), None]);
        table.add(tally);
        table.add(tally);
        for check in 0..6 {
            table.put(Key { slot: check << 62, check }, 20);
        }
        assert_eq!(table.statistics(), TableStatistics { probes: 6, hits: 2, fill: 6.0 / 16.0 });
    }

    /// Both words of a key are spread evenly and know nothing of each other: among the keys of 5362 positions, two
    /// groups of four bits of the slot and of the check meet in all 256 ways about equally often.
    #[test]
    fn slot_and_check_are_independent() {
        let keys = KeyMaker::new(0);
        let mut meetings = [0u32; 256];
        let mut positions = vec![Position::start()];
        for _ in 0..3 {
            let children = |position: &Position| {
                let position = *position;
                legal_moves(&position).into_iter().map(move |played| position.play_unchecked(played))
            };
            positions = positions.iter().flat_map(children).collect();
        }
        let distinct: std::collections::HashSet<Key> = positions.iter().map(|p| keys.key(p, 3)).collect();
        assert_eq!(distinct.len(), 5362);
        for key in &distinct {
            meetings[(key.slot >> 60 << 4 | key.check >> 60) as usize] += 1;
        }
        // 5362 / 256 is 21, with a standard deviation below 5: six of them are never seen.
        assert!(meetings.iter().all(|&count| count < 50), "{meetings:?}");
    }
}
