//! The transposition table. It stores the counts of subtrees, so that a position that several orders of moves reach is
//! counted once.
//!
//! All threads share one table without locks. A key has two independent words. The first selects a [`bucket`] of four
//! slots. The second, the check word, is stored in the slot and identifies the position and depth. [`statistics`]
//! computes how often two positions can be confused.

mod bucket;
#[cfg_attr(target_family = "wasm", path = "allocated.rs")]
mod memory;
mod statistics;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub use statistics::TableStatistics;

use bucket::Bucket;
use memory::Buckets;
use perft_core::Position;
pub(super) use statistics::ProbeCounts;
use statistics::SharedProbeCounts;

use super::prefetch::prefetch;
use crate::keys::{Key, KeyMaker};

/// The size of the smallest table, in bytes.
pub const MIN_TABLE_BYTES: usize = size_of::<Bucket>();

/// The number of buckets from which the fill of a table is estimated.
const SAMPLE_BUCKETS: usize = 1 << 12;

/// The number of buckets that a table uses before it knows how many counts to expect: 1 MiB.
const FIRST_BUCKETS: usize = 1 << 14;

/// The number of slots for each expected count. The estimate does not know which positions are reached more than once,
/// so about half of the slots stay empty.
const SLOTS_PER_COUNT: f64 = 1.0;

/// The factor by which the expected number of counts grows if there were more counts than expected. The stored counts
/// are lost each time, so this must not happen often.
const GROWTH: f64 = 8.0;

/// A transposition table: stores the counts of subtrees by position and depth.
///
/// Give it to a driver with [`Perft::table`](super::Perft::table). A driver uses only as much of the table as its
/// counts need. The system provides memory when it is first written, so a short count with a large table takes little
/// memory.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_count::{Perft, Progress, Table};
///
/// let perft = Perft::new().table(Table::new(16 << 20, 0)?);
/// assert_eq!(perft.count_with_progress(&Position::start(), 5, &Progress::default()), Ok(4_865_609));
/// # Ok::<(), perft_count::TableError>(())
/// ```
#[derive(Debug)]
pub struct Table {
    buckets: Buckets,
    /// The number of buckets in use. It only grows. When it grows, the counts that are already stored can no longer be
    /// found.
    in_use: AtomicUsize,
    keys: KeyMaker,
    probes: SharedProbeCounts,
}

/// The error when a table of the requested size cannot be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The size is below [`MIN_TABLE_BYTES`].
    #[error("a table of {0} bytes is too small: use {MIN_TABLE_BYTES} bytes or more")]
    TooSmall(usize),
    /// The system does not provide the memory.
    #[error("not enough memory for a table of {0} bytes: use a smaller table")]
    NoMemory(usize),
}

impl Table {
    /// Returns an empty table of `bytes` bytes, rounded down to a multiple of 64.
    ///
    /// Different seeds give independent keys. If a count is the same with two seeds, it is most unlikely to be wrong.
    ///
    /// # Errors
    /// Returns an error if the size is below [`MIN_TABLE_BYTES`], or if the system does not provide the memory.
    pub fn new(bytes: usize, seed: u64) -> Result<Table, TableError> {
        let count = bytes / size_of::<Bucket>();
        if count == 0 {
            return Err(TableError::TooSmall(bytes));
        }
        let buckets = Buckets::new(count).ok_or(TableError::NoMemory(bytes))?;
        let in_use = AtomicUsize::new(count.min(FIRST_BUCKETS));
        Ok(Table { buckets, in_use, keys: KeyMaker::new(seed), probes: SharedProbeCounts::default() })
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Returns the statistics of the table since it was created. While a count is running, the latest probes of each
    /// thread are missing.
    pub fn statistics(&self) -> TableStatistics {
        let ProbeCounts { probes, hits } = self.probes.read();
        TableStatistics { probes, hits, fill: self.fill() }
    }

    /// Returns the fraction of the slots in use, from 0 to 1. It looks only at the first buckets. Keys are spread
    /// evenly, so these are a good sample.
    fn fill(&self) -> f64 {
        let in_use = self.in_use.load(Relaxed);
        let sample = &self.buckets[..in_use.min(SAMPLE_BUCKETS)];
        let used: usize = sample.iter().map(Bucket::used).sum();
        let fill_of_sample = used as f64 / (sample.len() * Bucket::SLOTS) as f64;
        fill_of_sample * in_use as f64 / self.buckets.len() as f64
    }

    /// Uses at least as many buckets as this number of counts needs, if the table has enough of them.
    pub(super) fn expect(&self, counts: f64) {
        let buckets = counts * SLOTS_PER_COUNT / Bucket::SLOTS as f64;
        self.in_use.fetch_max((buckets as usize).min(self.buckets.len()), Relaxed);
    }

    /// Returns the key of a position that is counted to a depth.
    #[inline]
    pub(super) fn key(&self, position: &Position, depth: u32) -> Key {
        self.keys.key(position, depth)
    }

    /// Prefetches the bucket of a key.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch(self.bucket(key));
    }

    /// Returns the count that was stored with a key. The caller records the probe.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<u64> {
        self.bucket(key).get(key.check)
    }

    /// Returns the count that was stored with a key, and records the probe immediately. This is for the trunk, where
    /// probes are few.
    pub(super) fn probe(&self, key: Key) -> Option<u64> {
        let mut probes = ProbeCounts::default();
        let found = probes.record(self.get(key));
        self.add(probes);
        found
    }

    /// Stores a count with a key. Two kinds of counts are not stored: 0, because it marks an empty slot, and counts
    /// above 64 bits. Counting 0 nodes again takes no longer than a probe.
    #[inline]
    pub(super) fn put(&self, key: Key, nodes: u128) {
        if let Some(nodes) = u64::try_from(nodes).ok().filter(|&nodes| nodes != 0) {
            self.bucket(key).put(key.check, nodes);
        }
    }

    /// Adds the probes of a thread. If there were more counts than expected, more of the table is used from then on.
    pub(super) fn add(&self, probes: ProbeCounts) {
        let ProbeCounts { probes, hits } = self.probes.add(probes);
        let stored = probes - hits;
        if stored > (self.in_use.load(Relaxed) * Bucket::SLOTS) as u64 {
            self.expect(stored as f64 * GROWTH);
        }
    }

    /// Returns the bucket of a key. Its index is the first word of the key, as a fraction of 2^64, times the number of
    /// buckets in use. So this number need not be a power of two.
    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        let index = (u128::from(key.slot) * self.in_use.load(Relaxed) as u128) >> 64;
        &self.buckets[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use perft_core::legal_moves;

    use super::*;

    #[test]
    fn a_count_is_found_with_its_key_only() {
        let table = Table::new(1 << 12, 0).unwrap();
        let key = table.key(&Position::start(), 5);
        assert_eq!(table.get(key), None);
        table.put(key, 4_865_609);
        assert_eq!(table.get(key), Some(4_865_609));
        assert_eq!(table.get(Key { check: key.check ^ 1, ..key }), None);
        assert_eq!(table.get(table.key(&Position::start(), 4)), None);
    }

    #[test]
    fn sizes_are_rounded_down_or_refused() {
        for (bytes, rounded) in
            [(64, 64), (1000, 960), (1 << 20, 1 << 20), ((1 << 21) + 4096, (1 << 21) + 4096)]
        {
            assert_eq!(Table::new(bytes, 0).unwrap().bytes(), rounded);
        }
        assert_eq!(Table::new(63, 0).unwrap_err(), TableError::TooSmall(63));
        let absurd = usize::MAX / 2;
        assert_eq!(Table::new(absurd, 0).unwrap_err(), TableError::NoMemory(absurd));
    }

    #[test]
    fn every_key_has_a_bucket() {
        for buckets in [1, 3, 1000] {
            let table = Table::new(buckets * MIN_TABLE_BYTES, 0).unwrap();
            let bucket = |slot| std::ptr::from_ref(table.bucket(Key { slot, check: 0 }));
            assert_eq!(bucket(0), std::ptr::from_ref(&table.buckets[0]));
            assert_eq!(bucket(u64::MAX), std::ptr::from_ref(&table.buckets[buckets - 1]));
            table.prefetch(Key { slot: u64::MAX, check: 0 });
        }
    }

    #[test]
    fn a_table_uses_no_more_than_it_expects_to_need() {
        let table = Table::new(64 << 20, 0).unwrap();
        let last_bucket = || {
            let bucket = std::ptr::from_ref(table.bucket(Key { slot: u64::MAX, check: 0 })).addr();
            (bucket - std::ptr::from_ref(&table.buckets[0]).addr()) / MIN_TABLE_BYTES
        };
        assert_eq!(last_bucket(), FIRST_BUCKETS - 1);
        table.expect(1.0);
        assert_eq!(last_bucket(), FIRST_BUCKETS - 1);
        table.expect(100_000.0);
        assert_eq!(last_bucket(), 25_000 - 1);
        table.add(ProbeCounts { probes: 100_500, hits: 500 });
        assert_eq!(last_bucket(), 25_000 - 1);
        // There are more counts than slots, so the estimate was too low.
        table.add(ProbeCounts { probes: 300_000, hits: 0 });
        assert_eq!(last_bucket(), 800_000 - 1);
        table.expect(f64::INFINITY);
        assert_eq!(last_bucket(), (1 << 20) - 1);
    }

    #[test]
    fn zero_and_counts_above_64_bits_are_not_stored() {
        let table = Table::new(MIN_TABLE_BYTES, 0).unwrap();
        let key = table.key(&Position::start(), 14);
        table.put(key, 61_885_021_521_585_529_237);
        assert_eq!(table.get(key), None);
        table.put(key, 0);
        assert_eq!(table.statistics().fill, 0.0);
    }

    #[test]
    fn statistics_add_up_probes_and_fill() {
        let table = Table::new(4 * MIN_TABLE_BYTES, 0).unwrap();
        let mut probes = ProbeCounts::default();
        assert_eq!([None, Some(7), None].map(|found| probes.record(found)), [None, Some(7), None]);
        table.add(probes);
        table.add(probes);
        for check in 0..6 {
            table.put(Key { slot: check << 62, check }, 20);
        }
        assert_eq!(table.statistics(), TableStatistics { probes: 6, hits: 2, fill: 6.0 / 16.0 });
    }

    /// Both words of a key are spread evenly and are independent. Among the keys of 5362 positions, all 256
    /// combinations of the first four bits of both words occur about equally often.
    #[test]
    fn slot_and_check_are_independent() {
        let keys = KeyMaker::new(0);
        let mut combinations = [0u32; 256];
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
            combinations[(key.slot >> 60 << 4 | key.check >> 60) as usize] += 1;
        }
        // The mean is 5362 / 256 = 21 and the standard deviation is below 5. The limit is six standard deviations away.
        assert!(combinations.iter().all(|&count| count < 50), "{combinations:?}");
    }
}
