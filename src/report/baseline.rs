//! Reading a benchmark again, to compare a new one with it; and what must not be compared.
//!
//! What is read is the JSON that [`super::bench`] writes. Of the head only that is read which decides whether speeds can
//! be compared at all: a hashed count says nothing about a plain one, nor does another machine.

use serde::Deserialize;

use super::{Context, SCHEMA_VERSION};

/// The name under which a benchmark of two programs files the one that ran it.
pub const THIS_PROGRAM: &str = "this program";

/// A benchmark that was written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// How it was made.
    pub head: Head,
    /// The times of every position.
    pub results: Vec<BaselineResult>,
}

/// The times of a position.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct BaselineResult {
    /// What it is called.
    pub position: String,
    /// Its FEN.
    pub fen: String,
    /// The depth in plies.
    pub depth: u32,
    /// The time of every run in seconds.
    pub times: Vec<f64>,
    /// What processors spent on every run, if that was known.
    #[serde(default)]
    pub processor_times: Option<Vec<f64>>,
    #[serde(default)]
    program: Option<String>,
}

/// What must be the same on both sides.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Head {
    schema_version: u32,
    machine: HeadMachine,
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
struct HeadMachine {
    cpu: Option<String>,
}

/// A text is no benchmark.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaselineError {
    /// No JSON, or not with the fields of a benchmark.
    #[error("this is no report of perft: {0}")]
    NotABenchmark(String),
    /// Written by a later version.
    #[error("this was written by a later version, whose schema is {0}; this one knows {SCHEMA_VERSION}")]
    TooNew(u32),
    /// A time that is none.
    #[error("'{0}' at depth {1} has no times, or some that are not above 0")]
    BadTimes(String, u32),
}

impl Head {
    /// Reads the head of any report.
    ///
    /// # Errors
    /// It has none, or one of a later version.
    pub fn read(json: &str) -> Result<Head, BaselineError> {
        let head: Head = from_json(json)?;
        if head.schema_version > SCHEMA_VERSION {
            return Err(BaselineError::TooNew(head.schema_version));
        }
        Ok(head)
    }

    /// What differs from another head so that speeds must not be compared, each as a sentence: there, here.
    pub fn differences(&self, here: &Context) -> Vec<String> {
        let or = |text: Option<&str>, absent: &str| text.unwrap_or(absent).to_owned();
        let leaves = |bulk| if bulk { "bulk counting" } else { "every leaf made" }.to_owned();
        let pairs = [
            ("CPU", or(self.machine.cpu.as_deref(), "unknown"), or(here.machine.cpu.as_deref(), "unknown")),
            ("generator", self.generator.clone(), here.generator.to_owned()),
            ("CPU path", self.cpu_path.clone(), here.cpu_path.to_owned()),
            ("slider look-up", or(self.sliders.as_deref(), "none"), or(here.sliders, "none")),
            ("threads", self.threads.to_string(), here.threads.to_string()),
            ("bytes of the table", self.table_bytes.to_string(), here.table_bytes.to_string()),
            ("leaves", leaves(self.bulk), leaves(here.bulk)),
            ("mode", self.mode.clone(), here.mode.to_owned()),
        ];
        let differ = pairs.into_iter().filter(|(_, there, here)| there != here);
        differ.map(|(what, there, here)| format!("{what}: {there} there, {here} here")).collect()
    }
}

impl Baseline {
    /// Reads a benchmark; of one that compared two programs, the results of the one that ran it.
    ///
    /// # Examples
    /// ```
    /// use crate::report::baseline::{Baseline, BaselineError};
    /// let error = Baseline::read("{}").unwrap_err();
    /// assert!(matches!(error, BaselineError::NotABenchmark(_)));
    /// ```
    ///
    /// # Errors
    /// It is none, or one of a later version.
    pub fn read(json: &str) -> Result<Baseline, BaselineError> {
        #[derive(Deserialize)]
        struct Results {
            results: Vec<BaselineResult>,
        }
        let head = Head::read(json)?;
        let Results { mut results } = from_json(json)?;
        results.retain(|result| result.program.as_deref().is_none_or(|program| program == THIS_PROGRAM));
        let is_time = |seconds: &f64| *seconds > 0.0 && seconds.is_finite();
        let is_bad = |times: &Vec<f64>| times.is_empty() || !times.iter().all(is_time);
        let is_wrong = |result: &&BaselineResult| {
            is_bad(&result.times) || result.processor_times.as_ref().is_some_and(is_bad)
        };
        match results.iter().find(is_wrong) {
            Some(bad) => Err(BaselineError::BadTimes(bad.position.clone(), bad.depth)),
            None if results.is_empty() => Err(BaselineError::NotABenchmark("it has no results".to_owned())),
            None => Ok(Baseline { head, results }),
        }
    }

    /// The times of a position at a depth.
    pub fn find(&self, fen: &str, depth: u32) -> Option<&BaselineResult> {
        self.results.iter().find(|result| result.fen == fen && result.depth == depth)
    }

    /// The depth to which a position was counted.
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
    use crate::report::Machine;

    const DOCUMENT: &str = r#"{
        "schema_version": 2, "program": "perft", "machine": {"cpu": "A CPU", "cores": 2}, "generator": "bitboard",
        "cpu_path": "bmi2", "sliders": "pext", "threads": 1, "table_bytes": 0, "bulk": true, "mode": "plain",
        "results": [
            {"position": "start", "fen": "F", "depth": 6, "times": [1.0, 1.1], "program": "this program"},
            {"position": "start", "fen": "F", "depth": 6, "times": [2.0], "program": "../old/perft"}
        ]
    }"#;

    fn here() -> Context {
        let machine = Machine { cpu: Some("A CPU".to_owned()), cores: 8, arch: "x86_64", os: "linux" };
        Context {
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
            mode: "plain",
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
    fn every_difference_is_said() {
        let baseline = Baseline::read(DOCUMENT).unwrap();
        assert_eq!(baseline.head.differences(&here()), [""; 0]);
        let other = Context { cpu_path: "portable", threads: 2, bulk: false, ..here() };
        assert_eq!(
            baseline.head.differences(&other),
            [
                "CPU path: bmi2 there, portable here",
                "threads: 1 there, 2 here",
                "leaves: bulk counting there, every leaf made here"
            ]
        );
    }

    #[test]
    fn what_is_no_benchmark_is_refused() {
        let refused = |from: &str, to: &str| Baseline::read(&DOCUMENT.replace(from, to)).unwrap_err();
        assert_eq!(refused("\"schema_version\": 2", "\"schema_version\": 7"), BaselineError::TooNew(7));
        assert_eq!(refused("[1.0, 1.1]", "[]"), BaselineError::BadTimes("start".to_owned(), 6));
        assert_eq!(refused("[1.0, 1.1]", "[0.0]"), BaselineError::BadTimes("start".to_owned(), 6));
        assert!(matches!(refused("\"times\"", "\"tomes\""), BaselineError::NotABenchmark(_)));
        assert!(matches!(refused("\"threads\": 1,", ""), BaselineError::NotABenchmark(_)));
        assert!(matches!(refused("}\n", ""), BaselineError::NotABenchmark(_)));
    }
}
