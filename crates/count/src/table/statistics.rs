//! Statistics of a table: the probes, the hits, the fill, and the expected number of false hits.
//!
//! A *false hit* returns the count of a different position. It happens if the slot of that position is in the bucket
//! that is read and has the same check word. The two words of a key are independent. So in any bucket, the check word
//! of a different position matches with a probability of at most 2^-63 over the random constants of the keys (see
//! `keys.rs`). A torn slot has a check word like any other slot. A probe compares at most four slots. By linearity of
//! expectation:
//!
//! ```text
//!   expected false hits of a run  <=  probes * 4 * 2^-63  =  probes / 2^61
//! ```
//!
//! For 10^9 probes, that is 4 * 10^-10. The expectation is also an upper bound of the probability of any false hit.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::bucket::Bucket;

/// The statistics of a [`Table`](super::Table) since it was created.
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
pub struct ProbeCounts {
    pub probes: u64,
    pub hits: u64,
}

impl ProbeCounts {
    /// Records the result of a probe, and returns it.
    #[inline(always)]
    pub fn record(&mut self, found: Option<u64>) -> Option<u64> {
        self.probes += 1;
        self.hits += u64::from(found.is_some());
        found
    }
}

/// The probes and hits of all threads. They have a separate cache line, because threads that write here would slow down
/// reads of other data in the same cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct SharedProbeCounts {
    probes: AtomicU64,
    hits: AtomicU64,
}

impl SharedProbeCounts {
    /// Adds the probes and hits of a thread, and returns the sums. Even while other threads add theirs, there are at
    /// least as many probes as hits.
    pub fn add(&self, counts: ProbeCounts) -> ProbeCounts {
        let hits = self.hits.fetch_add(counts.hits, Relaxed) + counts.hits;
        let probes = self.probes.fetch_add(counts.probes, Relaxed) + counts.probes;
        ProbeCounts { probes: probes.max(hits), hits }
    }

    pub fn read(&self) -> ProbeCounts {
        ProbeCounts { probes: self.probes.load(Relaxed), hits: self.hits.load(Relaxed) }
    }
}
