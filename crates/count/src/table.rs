//! The transposition table. It stores the counts of subtrees, so that a position that several orders of moves reach is
//! counted once.
//!
//! All threads share one table without locks. A key has two independent words. The first selects a bucket of four
//! slots. The second, the check word, is stored in the slot and identifies the position and depth.
//!
//! # Buckets
//!
//! A bucket is four slots that share a cache line. A new count replaces the smallest count of its bucket, which is the
//! fastest to count again.
//!
//! A slot has two words. The first is the check word of the key, combined with the count by exclusive or. If two
//! threads write to a slot at the same time, it can contain one word of each. Such a torn slot matches neither key, so
//! it is ignored (Hyatt and Mann, "A lock-less transposition table implementation for parallel search chess engines",
//! 2002).
//!
//! ```text
//!   one cache line   | check ^ nodes | nodes | check ^ nodes | nodes | ... 4 slots |
//! ```
//!
//! # False hits
//!
//! A *false hit* returns the count of a different position. It happens if the slot of that position is in the bucket
//! that is read and has the same check word. The two words of a key are independent. So in any bucket, the check word
//! of a different position matches with a probability of at most 2^-63 over the random constants of the keys (see
//! `keys.rs`). For a torn slot, the probability is not higher. A probe compares at most four slots. By linearity of
//! expectation:
//!
//! ```text
//!   expected false hits of a run  <=  probes * 4 * 2^-63  =  probes / 2^61
//! ```
//!
//! For 10^9 probes, that is 4 * 10^-10. The expectation is also an upper bound of the probability of any false hit.

use std::ops::Deref;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use memmap2::{MmapMut, MmapRaw};
use perft_core::Position;

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
    /// WebAssembly never does.
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
        let ProbeCounts { probes, hits } = self.probes.add(ProbeCounts::default());
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

    #[inline]
    pub(super) fn key(&self, position: &Position, depth: u32) -> Key {
        self.keys.key(position, depth)
    }

    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch(self.bucket(key));
    }

    /// The caller records the probe.
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

    /// Two kinds of counts are not stored: 0, because it marks an empty slot, and counts above 64 bits. Counting 0
    /// nodes again takes no longer than a probe.
    #[inline]
    pub(super) fn put(&self, key: Key, nodes: u128) {
        if let Some(nodes) = u64::try_from(nodes).ok().filter(|&nodes| nodes != 0) {
            self.bucket(key).put(key.check, nodes);
        }
    }

    /// If there were more counts than expected, more of the table is used from then on.
    pub(super) fn add(&self, probes: ProbeCounts) {
        let ProbeCounts { probes, hits } = self.probes.add(probes);
        let stored = probes - hits;
        if stored > (self.in_use.load(Relaxed) * Bucket::SLOTS) as u64 {
            self.expect(stored as f64 * GROWTH);
        }
    }

    /// The index is the first word of the key, as a fraction of 2^64, times the number of buckets in use. So this
    /// number need not be a power of two.
    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        let index = (u128::from(key.slot) * self.in_use.load(Relaxed) as u128) >> 64;
        &self.buckets[index as usize]
    }
}

/// Four slots in one cache line. A bucket whose bits are all zero is empty.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Bucket {
    slots: [Slot; Bucket::SLOTS],
}

#[derive(Debug, Default)]
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

/// The statistics of a [`Table`] since it was created.
///
/// # Examples
/// ```
/// use perft_count::TableStatistics;
///
/// let statistics = TableStatistics { probes: 1 << 30, hits: 1 << 29, fill: 0.25 };
/// assert_eq!(statistics.expected_false_hits(), (-31f64).exp2());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TableStatistics {
    /// The number of probes.
    pub probes: u64,
    /// The number of probes that found a count.
    pub hits: u64,
    /// The fraction of the table in use, from 0 to 1, estimated from a sample.
    pub fill: f64,
}

impl TableStatistics {
    /// Returns an upper bound of the expected number of false hits: probes that returned the count of a different
    /// position because the keys were equal. The bound is probes * 4 * 2^-63, where the expectation is over all seeds.
    pub fn expected_false_hits(&self) -> f64 {
        Bucket::SLOTS as f64 * self.probes as f64 * (-63f64).exp2()
    }
}

/// The probes and hits of one thread. They are added to those of the table from time to time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProbeCounts {
    probes: u64,
    hits: u64,
}

impl ProbeCounts {
    #[inline(always)]
    pub(super) fn record(&mut self, found: Option<u64>) -> Option<u64> {
        self.probes += 1;
        self.hits += u64::from(found.is_some());
        found
    }
}

/// The probes and hits of all threads. They have a separate cache line, because threads that write here would slow down
/// reads of other data in the same cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct SharedProbeCounts {
    probes: AtomicU64,
    hits: AtomicU64,
}

impl SharedProbeCounts {
    /// Returns the sums. Even while other threads add theirs, there are at least as many probes as hits.
    fn add(&self, counts: ProbeCounts) -> ProbeCounts {
        let hits = self.hits.fetch_add(counts.hits, Relaxed) + counts.hits;
        let probes = self.probes.fetch_add(counts.probes, Relaxed) + counts.probes;
        ProbeCounts { probes: probes.max(hits), hits }
    }
}

/// A slice of buckets in its own memory mapping.
#[derive(Debug)]
pub struct Buckets {
    map: MmapRaw,
    count: usize,
}

impl Buckets {
    /// Returns `count` empty buckets, or `None` if the system does not provide the memory. `count` must be at least 1.
    pub fn new(count: usize) -> Option<Buckets> {
        let map = MmapMut::map_anon(count.checked_mul(size_of::<Bucket>())?).ok()?;
        advise_huge_pages(&map);
        Some(Buckets { map: MmapRaw::from(map), count })
    }
}

/// If the system refuses huge pages, the table is only slower.
#[cfg(target_os = "linux")]
fn advise_huge_pages(map: &MmapMut) {
    let _ = map.advise(memmap2::Advice::HugePage);
}

/// Does nothing: other systems choose the page size themselves.
#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: &MmapMut) {}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline(always)]
    fn deref(&self) -> &[Bucket] {
        let start = self.map.as_ptr().cast::<Bucket>();
        debug_assert!(start.is_aligned() && self.map.len() == self.count * size_of::<Bucket>());
        // SAFETY: the map begins at a page boundary, so it is aligned to the 64 bytes of a bucket. It has `count` * 64
        // bytes, which is at most `isize::MAX`, because a larger map cannot be created. It lives as long as `self`. All
        // its bytes start as 0, which is a valid empty bucket. A bucket consists of atomics only, so threads may write
        // to it through shared references, and nothing else has access to the map.
        unsafe { std::slice::from_raw_parts(start, self.count) }
    }
}

/// Tells the CPU to load the cache line in which a value begins, without waiting for it. This affects only the time of
/// a later access.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the instruction belongs to SSE, which every x86-64 CPU has. It never faults and has no visible effect,
    // and the address comes from a reference.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
}

/// Does nothing in other builds. There, memory is loaded when it is read.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn prefetch<T>(_: &T) {}
