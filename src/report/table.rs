//! What came of a table: how often it helped, and how far its answers can be trusted.

use serde::Serialize;

use super::grouped;
use perft_core::TableStatistics;

/// A table, from when it was made until the report. (A false hit lasts: its count is stored with others. So what was
/// probed for earlier positions counts too.)
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TableReport {
    /// The seed of the keys.
    pub seed: u64,
    /// How often a count was looked for.
    pub probes: u64,
    /// How often it was found.
    pub hits: u64,
    /// The part of the entries that are in use, from 0 to 1, judged by a sample.
    pub fill: f64,
    /// At most so many counts, as expected over all seeds, were taken for those of another position: see
    /// [`TableStatistics::expected_false_hits`].
    pub expected_false_hits: f64,
}

impl TableReport {
    /// A report of a table whose keys have this seed.
    pub fn new(seed: u64, statistics: &TableStatistics) -> TableReport {
        TableReport {
            seed,
            probes: statistics.probes,
            hits: statistics.hits,
            fill: statistics.fill,
            expected_false_hits: statistics.expected_false_hits(),
        }
    }

    /// One line for people.
    ///
    /// # Examples
    /// ```
    /// use perft_core::TableStatistics;
    /// use crate::report::TableReport;
    /// let statistics = TableStatistics { probes: 2_000_000_000, hits: 500_000_000, fill: 0.25 };
    /// assert_eq!(
    ///     TableReport::new(7, &statistics).line(),
    ///     "seed 7, 2,000,000,000 probes, 25.0% hits, 25% full, at most 8.7e-10 false hits expected"
    /// );
    /// ```
    pub fn line(&self) -> String {
        let hits = 100.0 * self.hits as f64 / self.probes.max(1) as f64;
        format!(
            "seed {}, {} probes, {hits:.1}% hits, {:.0}% full, at most {:.1e} false hits expected",
            self.seed,
            grouped(self.probes.into()),
            100.0 * self.fill,
            self.expected_false_hits
        )
    }
}
