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

pub use bucket::Bucket;
pub use statistics::TableStatistics;

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
