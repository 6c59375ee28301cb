//! How a result was made. The reports of counts begin with these fields.

use std::time::SystemTime;

use perft_count::{ExactCount, PlyCount, TableStatistics};
use serde::{Deserialize, Serialize};

use super::error::say;
use super::{Nodes, grouped, number_of};

/// How a result was made: the program, the machine and the settings of the count.
#[derive(Clone, Debug, Serialize)]
pub struct Provenance {
    /// The program that wrote the report, and the time.
    #[serde(flatten)]
    pub header: Header,
    pub machine: Machine,
    /// The generator that counted: the name of a built-in one, or `engine`.
    pub generator: &'static str,
    /// The CPU path: the CPU features that the generator was compiled for.
    pub cpu_path: &'static str,
    pub threads: usize,
    /// The size of the transposition table in bytes; 0 without a table.
    pub table_bytes: usize,
    /// The use of the transposition table, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<HashTableReport>,
    /// Whether bulk counting was used: the moves of the last ply are counted and not made.
    pub bulk: bool,
    pub mode: CountMode,
    /// The memory for merging equal positions in bytes; 0 if positions are not merged.
    pub memory_bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CountMode {
    /// A plain count, without a transposition table.
    Plain,
    /// A count with a transposition table.
    Hashed,
    /// An exact count that merges equal positions.
    Exact,
    /// A count of distinct positions.
    Unique,
    /// A count of captures, checks, mates and other kinds of moves.
    Statistics,
    /// An estimate from random walks.
    Estimate,
    /// A search for bugs of an engine, in known or random positions.
    Hunt,
    /// A search for the mistakes that explain a wrong number.
    Diagnose,
}

/// The properties of a machine that affect the speed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// The model of the CPU; `None` if the system does not say.
    pub cpu: Option<String>,
    /// The number of logical cores that this process may use.
    pub cores: usize,
    /// The architecture that the program was compiled for.
    pub arch: &'static str,
    /// The operating system that the program was compiled for.
    pub os: &'static str,
}

/// The version of the JSON that this build writes. It is increased when a field is renamed or changes its meaning.
///
/// The first version was 2, because benchmarks have the fields of hyperfine 2, which uses the same name for its own
/// version.
pub const SCHEMA_VERSION: u32 = 4;

/// The program that wrote a report, and the time.
#[derive(Clone, Debug, Serialize)]
pub struct Header {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The name of the program that wrote the report: `perft`.
    pub program: &'static str,
    pub version: &'static str,
    /// The time at which the command started, in UTC: `2026-11-30T18:05:00Z`.
    pub timestamp: String,
}

impl Header {
    /// Makes the header of a report of this build.
    pub fn new(started: SystemTime) -> Header {
        Header {
            schema_version: SCHEMA_VERSION,
            program: crate::system::NAME,
            version: env!("CARGO_PKG_VERSION"),
            timestamp: humantime::format_rfc3339_seconds(started).to_string(),
        }
    }

    /// Returns the time at which the command started, for people: `2026-11-30 18:05 UTC`.
    pub fn date(&self) -> String {
        format!("{} {} UTC", &self.timestamp[..10], &self.timestamp[11..16])
    }
}

/// The use of a transposition table since it was made.
///
/// It includes earlier positions: a wrong count from the table can be part of counts that are stored later.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
        let &TableStatistics { probes, hits, fill } = statistics;
        HashTableReport { seed, probes, hits, fill, expected_false_hits: statistics.expected_false_hits() }
    }

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

/// How an exact count was divided between merging positions and plain counting.
#[derive(Clone, Debug, Serialize)]
pub struct ExactSplit {
    /// The last ply at which equal positions were merged.
    pub split_ply: u32,
    /// The last ply at which the number of nodes was compared with a plain count.
    pub checked_ply: u32,
    /// The plies from 0 to the split.
    pub plies: Vec<PlyPositions>,
}

impl ExactSplit {
    /// Prints to standard error how the count to a depth was made.
    pub fn print(&self, depth: u32) {
        let split = self.plies.last().expect("an exact count has ply 0");
        let (positions, nodes) = (number_of(split.positions, "position"), number_of(split.nodes.0, "node"));
        let (ply, rest, checked) = (self.split_ply, depth - self.split_ply, self.checked_ply);
        say(format_args!(
            "perft({depth}): merged {nodes} at ply {ply} into {positions}, then counted {} below each; checked against plain counts up to ply {checked}",
            number_of(rest, "ply")
        ));
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct PlyPositions {
    pub ply: u32,
    /// The number of distinct positions.
    pub positions: u64,
    /// The number of nodes of the tree.
    #[serde(flatten)]
    pub nodes: Nodes,
}

impl From<&PlyCount> for PlyPositions {
    fn from(count: &PlyCount) -> PlyPositions {
        PlyPositions { ply: count.ply, positions: count.positions, nodes: Nodes(count.nodes) }
    }
}

impl<T> From<&ExactCount<T>> for ExactSplit {
    fn from(count: &ExactCount<T>) -> ExactSplit {
        ExactSplit {
            split_ply: count.split().ply,
            checked_ply: count.checked_ply,
            plies: count.plies.iter().map(PlyPositions::from).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_report_has_its_time() {
        let header = Header::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_061_900));
        assert_eq!((&*header.timestamp, &*header.date()), ("2026-11-30T18:05:00Z", "2026-11-30 18:05 UTC"));
    }
}
