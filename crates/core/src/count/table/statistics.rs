//! How often a table was asked, how often it knew the answer, and how often that answer may have been another's.
//!
//! A *false hit* gives one position the count of another. For that the other's entry must lie in the bucket that is
//! read, and have the same check word. The two words of a key are independent, so wherever the entry lies, its check
//! word is the right one with a probability of at most 2^-63 over the constants of the keys (see
//! [`crate::position::KeyMaker`]); an entry torn between two threads is a check word like any other.
//! A probe compares at most four entries. By the linearity of expectation:
//!
//! ```text
//!   expected false hits of a run  <=  probes * 4 * 2^-63  =  probes / 2^61
//! ```
//!
//! A thousand million probes: 4 in 10^10. The expectation also bounds the probability that there was any false hit.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::bucket::Bucket;

/// What a table was asked since it was made.
///
/// # Examples
/// ```
/// use perft_core::TableStatistics;
/// let statistics = TableStatistics { probes: 1 << 30, hits: 1 << 29, fill: 0.25 };
/// assert_eq!(statistics.expected_false_hits(), (-31f64).exp2());
/// assert_eq!(statistics.hit_rate(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TableStatistics {
    /// How often a count was looked for.
    pub probes: u64,
    /// How often it was found.
    pub hits: u64,
    /// The part of the entries that are in use, from 0 to 1, judged by a sample.
    pub fill: f64,
}

impl TableStatistics {
    /// An upper bound of the number of counts that were taken for those of another position, as expected over all
    /// seeds; the file of this function derives it: entries compared a probe, times probes, times 2^-63.
    pub fn expected_false_hits(&self) -> f64 {
        Bucket::ENTRIES as f64 * self.probes as f64 * (-63f64).exp2()
    }

    /// The part of the probes that were hits; 0 without any.
    pub fn hit_rate(&self) -> f64 {
        self.hits as f64 / self.probes.max(1) as f64
    }
}

/// Probes and hits of one thread, to be added to those of the table now and then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub probes: u64,
    pub hits: u64,
}

impl Tally {
    /// Notes a probe that gave this, and gives it on.
    #[inline(always)]
    pub fn note(&mut self, found: Option<u64>) -> Option<u64> {
        self.probes += 1;
        self.hits += u64::from(found.is_some());
        found
    }
}

/// The tallies of all threads, in a cache line of their own: what else is read often must not wait for it.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct SharedTally {
    probes: AtomicU64,
    hits: AtomicU64,
}

impl SharedTally {
    pub fn add(&self, tally: Tally) {
        self.probes.fetch_add(tally.probes, Relaxed);
        self.hits.fetch_add(tally.hits, Relaxed);
    }

    pub fn read(&self) -> Tally {
        Tally { probes: self.probes.load(Relaxed), hits: self.hits.load(Relaxed) }
    }
}
