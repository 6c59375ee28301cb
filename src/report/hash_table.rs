//! The use of a transposition table: how often it helped, and how reliable its counts are.

use perft_count::TableStatistics;
use serde::Serialize;

use super::grouped;

/// The use of a transposition table since it was made.
///
/// It includes earlier positions: a wrong count from the table can be part of counts that are stored later.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HashTableReport {
    /// The seed of the hash keys.
    pub seed: u64,
    /// The number of lookups.
    pub probes: u64,
    /// The number of lookups that found a count.
    pub hits: u64,
    /// The part of the table that is in use, from 0 to 1, estimated from a sample.
    pub fill: f64,
    /// An upper bound for the expected number of counts that belong to another position: see
    /// [`TableStatistics::expected_false_hits`].
    pub expected_false_hits: f64,
}

impl HashTableReport {
    /// Describes the use of a table whose hash keys have this seed.
    pub fn new(seed: u64, statistics: &TableStatistics) -> HashTableReport {
        HashTableReport {
            seed,
            probes: statistics.probes,
            hits: statistics.hits,
            fill: statistics.fill,
            expected_false_hits: statistics.expected_false_hits(),
        }
    }

    /// Returns one line for people.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_hits_fill_and_false_hits() {
        let statistics = TableStatistics { probes: 2_000_000_000, hits: 500_000_000, fill: 0.25 };
        assert_eq!(
            HashTableReport::new(7, &statistics).line(),
            "seed 7, 2,000,000,000 probes, 25.0% hits, 25% full, at most 8.7e-10 false hits expected"
        );
    }
}
