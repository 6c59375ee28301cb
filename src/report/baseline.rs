//! Reads a saved benchmark, so that a new one can be compared with it.
//!
//! The input is the JSON that [`super::bench`] writes. The settings of the two benchmarks must be the same: the speed of a
//! count with a table, or on another machine, says nothing about a plain count on this machine.

use serde::Deserialize;

use super::{Provenance, SCHEMA_VERSION};

/// The name of this program in a benchmark of two builds.
pub const THIS_PROGRAM: &str = "this program";

/// A saved benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// The settings that it was made with.
    pub settings: RecordedSettings,
    /// The results of the positions.
    pub results: Vec<BaselineResult>,
}

/// The times of a position in a saved benchmark.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct BaselineResult {
    /// The name of the position.
    pub position: String,
    /// The FEN of the position.
    pub fen: String,
    /// The depth in plies.
    pub depth: u32,
    /// The time of each run in seconds.
    pub times: Vec<f64>,
    /// The processor time of each run in seconds; `None` if it is unknown.
    #[serde(default)]
    pub processor_times: Option<Vec<f64>>,
    #[serde(default)]
    program: Option<String>,
}

/// The settings in a saved report that must be the same for speeds to be comparable.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RecordedSettings {
    schema_version: u32,
    machine: RecordedMachine,
    generator: String,
    cpu_path: String,
    #[serde(default)]
    sliders: Option<String>,
    threads: usize,
    table_bytes: usize,
    bulk: bool,
    mode: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct RecordedMachine {
    cpu: Option<String>,
}

/// Why a text is not a usable benchmark.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaselineError {
    /// It is not JSON, or a field of a benchmark is missing.
    #[error("not a report of perft: {0}")]
    NotABenchmark(String),
    /// A later version wrote it.
    #[error(
        "the report has schema version {0}, but this version of perft reads versions up to {SCHEMA_VERSION}"
    )]
    TooNew(u32),
    /// The benchmark was interrupted.
    #[error("the benchmark was interrupted, so its figures are incomplete")]
    Incomplete,
    /// Times are missing or not positive.
    #[error("'{0}' at depth {1} has no times, or times that are not above 0")]
    BadTimes(String, u32),
}

impl RecordedSettings {
    /// Reads the settings from any JSON report.
    ///
    /// # Errors
    /// A field is missing, or a later version wrote the report.
    pub fn read(json: &str) -> Result<RecordedSettings, BaselineError> {
        let settings: RecordedSettings = from_json(json)?;
        if settings.schema_version > SCHEMA_VERSION {
            return Err(BaselineError::TooNew(settings.schema_version));
        }
        Ok(settings)
    }

    /// Returns the differences that make speeds incomparable, each as text: `threads: 1 there, 2 here`.
    pub fn differences(&self, here: &Provenance) -> Vec<String> {
        let or = |text: Option<&str>, absent: &str| text.unwrap_or(absent).to_owned();
        let leaves = |bulk| if bulk { "bulk counting" } else { "every leaf made" }.to_owned();
        let pairs = [
            ("CPU", or(self.machine.cpu.as_deref(), "unknown"), or(here.machine.cpu.as_deref(), "unknown")),
            ("generator", self.generator.clone(), here.generator.to_owned()),
            ("CPU path", self.cpu_path.clone(), here.cpu_path.to_owned()),
            ("slider lookup", or(self.sliders.as_deref(), "none"), or(here.sliders, "none")),
            ("threads", self.threads.to_string(), here.threads.to_string()),
            ("bytes of the table", self.table_bytes.to_string(), here.table_bytes.to_string()),
            ("leaves", leaves(self.bulk), leaves(here.bulk)),
            ("mode", self.mode.clone(), here.mode.name().to_owned()),
        ];
        let differ = pairs.into_iter().filter(|(_, there, here)| there != here);
        differ.map(|(what, there, here)| format!("{what}: {there} there, {here} here")).collect()
    }
}

impl Baseline {
    /// Reads a benchmark. If it has the results of two builds, only those of the build that ran it are kept.
    ///
    /// # Errors
    /// The text is not a benchmark, it was interrupted, or a later version wrote it.
    pub fn read(json: &str) -> Result<Baseline, BaselineError> {
        #[derive(Deserialize)]
        struct Results {
            results: Vec<BaselineResult>,
            complete: Option<bool>,
        }
        let settings = RecordedSettings::read(json)?;
        let Results { mut results, complete } = from_json(json)?;
        if complete == Some(false) {
            return Err(BaselineError::Incomplete);
        }
        results.retain(|result| result.program.as_deref().is_none_or(|program| program == THIS_PROGRAM));
        let is_time = |seconds: &f64| *seconds > 0.0 && seconds.is_finite();
        let is_bad = |times: &Vec<f64>| times.is_empty() || !times.iter().all(is_time);
        let is_wrong = |result: &&BaselineResult| {
            is_bad(&result.times) || result.processor_times.as_ref().is_some_and(is_bad)
        };
        match results.iter().find(is_wrong) {
            Some(bad) => Err(BaselineError::BadTimes(bad.position.clone(), bad.depth)),
            None if results.is_empty() => Err(BaselineError::NotABenchmark("it has no results".to_owned())),
            None => Ok(Baseline { settings, results }),
        }
    }

    /// Returns the result of a position at a depth.
    pub fn find(&self, fen: &str, depth: u32) -> Option<&BaselineResult> {
        self.results.iter().find(|result| result.fen == fen && result.depth == depth)
    }

    /// Returns the depth at which a position was counted.
    pub fn depth(&self, fen: &str) -> Option<u32> {
        self.results.iter().find(|result| result.fen == fen).map(|result| result.depth)
    }
}

fn from_json<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, BaselineError> {
    serde_json::from_str(json).map_err(|error| BaselineError::NotABenchmark(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{CountMode, Machine};

    const DOCUMENT: &str = r#"{
        "schema_version": 2, "program": "perft", "machine": {"cpu": "A CPU", "cores": 2}, "generator": "bitboard",
        "cpu_path": "bmi2", "sliders": "pext", "threads": 1, "table_bytes": 0, "bulk": true, "mode": "plain",
        "results": [
            {"position": "start", "fen": "F", "depth": 6, "times": [1.0, 1.1], "program": "this program"},
            {"position": "start", "fen": "F", "depth": 6, "times": [2.0], "program": "../old/perft"}
        ]
    }"#;

    fn here() -> Provenance {
        let machine = Machine { cpu: Some("A CPU".to_owned()), cores: 8, arch: "x86_64", os: "linux" };
        Provenance {
            schema_version: SCHEMA_VERSION,
            program: "perft",
            version: "9.9",
            machine,
            generator: "bitboard",
            cpu_path: "bmi2",
            sliders: Some("pext"),
            threads: 1,
            table_bytes: 0,
            table: None,
            bulk: true,
            mode: CountMode::Plain,
            memory_bytes: 0,
        }
    }

    #[test]
    fn times_of_this_program_are_found_by_position_and_depth() {
        let baseline = Baseline::read(DOCUMENT).unwrap();
        assert_eq!(baseline.find("F", 6).unwrap().times, [1.0, 1.1]);
        assert_eq!((baseline.find("F", 5), baseline.depth("F"), baseline.depth("G")), (None, Some(6), None));
    }

    #[test]
    fn all_differences_are_listed() {
        let baseline = Baseline::read(DOCUMENT).unwrap();
        assert_eq!(baseline.settings.differences(&here()), [""; 0]);
        let other = Provenance { cpu_path: "portable", threads: 2, bulk: false, ..here() };
        assert_eq!(
            baseline.settings.differences(&other),
            [
                "CPU path: bmi2 there, portable here",
                "threads: 1 there, 2 here",
                "leaves: bulk counting there, every leaf made here"
            ]
        );
    }

    #[test]
    fn other_texts_are_refused() {
        let refused = |from: &str, to: &str| Baseline::read(&DOCUMENT.replace(from, to)).unwrap_err();
        assert_eq!(refused("\"schema_version\": 2", "\"schema_version\": 7"), BaselineError::TooNew(7));
        assert_eq!(refused("\"results\"", "\"complete\": false, \"results\""), BaselineError::Incomplete);
        assert_eq!(refused("[1.0, 1.1]", "[]"), BaselineError::BadTimes("start".to_owned(), 6));
        assert_eq!(refused("[1.0, 1.1]", "[0.0]"), BaselineError::BadTimes("start".to_owned(), 6));
        assert!(matches!(refused("\"times\"", "\"tomes\""), BaselineError::NotABenchmark(_)));
        assert!(matches!(refused("\"threads\": 1,", ""), BaselineError::NotABenchmark(_)));
        assert!(matches!(refused("}\n", ""), BaselineError::NotABenchmark(_)));
        assert!(matches!(Baseline::read("{}"), Err(BaselineError::NotABenchmark(_))));
    }
}
