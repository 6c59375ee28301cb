//! Reads a saved benchmark, so that a new one can be compared with it.
//!
//! The input is the JSON that `--export-json` writes. The settings of the two benchmarks must be the same: the speed
//! of a count with a table, or on another machine, says nothing about a plain count on this machine.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use crate::output::error::CliError;
use crate::output::{Provenance, SCHEMA_VERSION};
use crate::system::files;
use crate::timing::{Sample, Task};

/// The largest baseline that is read, in bytes. It has room for thousands of runs of each position.
const MAX_BYTES: u64 = 16 << 20;

/// A saved benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// The settings that it was made with.
    pub settings: RecordedSettings,
    /// The results of one program in the positions.
    results: Vec<RecordedResult>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct RecordedResult {
    position: RecordedPosition,
    depth: u32,
    measurements: Vec<RecordedRun>,
    contender: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct RecordedRun {
    time_wall_clock: RecordedTime,
    time_cpu: Option<RecordedTime>,
}

/// A time in a saved benchmark, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct RecordedTime {
    value: f64,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct RecordedPosition {
    name: String,
    fen: String,
}

/// The settings in a saved report that must be the same for speeds to be comparable.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RecordedSettings {
    schema_version: u32,
    machine: RecordedMachine,
    generator: String,
    cpu_path: String,
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
    /// It has another version of the schema.
    #[error("the report has schema version {0}, but this version of perft reads version {SCHEMA_VERSION}")]
    OtherVersion(u32),
    /// It has results of other programs only.
    #[error("it has no results of {0}, but of: {1}")]
    OtherPrograms(String, String),
    /// The benchmark was interrupted.
    #[error("the benchmark was interrupted, so its figures are incomplete")]
    Incomplete,
    /// Times are missing or not positive.
    #[error("'{0}' at depth {1} has no times, or impossible ones")]
    BadTimes(String, u32),
}

impl RecordedSettings {
    /// Reads the settings from any JSON report.
    ///
    /// # Errors
    /// A field is missing, or the report has another version of the schema.
    pub fn read(json: &str) -> Result<RecordedSettings, BaselineError> {
        let settings: RecordedSettings = from_json(json)?;
        match settings.schema_version {
            SCHEMA_VERSION => Ok(settings),
            other => Err(BaselineError::OtherVersion(other)),
        }
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
    /// Reads the results of the program with this name from a file.
    ///
    /// # Errors
    /// A usage error if the file cannot be read, or has no benchmark to compare with.
    pub fn open(path: &Path, program: &str) -> Result<Baseline, CliError> {
        let name = path.display();
        let text = files::read_text(path, MAX_BYTES)
            .map_err(|error| CliError::usage(format!("cannot read the baseline '{name}': {error}")));
        let baseline = text.and_then(|text| {
            Baseline::read(&text, program)
                .map_err(|error| CliError::usage(format!("cannot use the baseline '{name}': {error}")))
        });
        baseline.map_err(|error| error.help("give a file that perft bench --export-json wrote"))
    }

    /// Reads a benchmark. Only the results of this program are kept.
    ///
    /// # Errors
    /// The text is not a benchmark, it does not have the program, it was interrupted, or it has another version of the
    /// schema.
    fn read(json: &str, program: &str) -> Result<Baseline, BaselineError> {
        #[derive(Deserialize)]
        struct Results {
            results: Vec<RecordedResult>,
            complete: Option<bool>,
        }
        let settings = RecordedSettings::read(json)?;
        let Results { mut results, complete } = from_json(json)?;
        if complete == Some(false) {
            return Err(BaselineError::Incomplete);
        }
        let others: BTreeSet<String> = results.iter().map(|result| result.contender.clone()).collect();
        results.retain(|result| result.contender == program);
        match results.iter().find(|result| !result.has_times()) {
            Some(bad) => Err(BaselineError::BadTimes(bad.position.name.clone(), bad.depth)),
            None if results.is_empty() => {
                let others = Vec::from_iter(others).join(", ");
                Err(BaselineError::OtherPrograms(program.to_owned(), others))
            }
            None => Ok(Baseline { settings, results }),
        }
    }

    pub fn has_processor_times(&self) -> bool {
        let mut runs = self.results.iter().flat_map(|result| &result.measurements);
        runs.all(|run| run.time_cpu.is_some_and(RecordedTime::is_possible))
    }

    /// Returns the runs of a task; none if the benchmark does not have it.
    pub fn samples(&self, task: &Task) -> Vec<Sample> {
        let fen = task.position.to_string();
        let is_of_task =
            |result: &&RecordedResult| result.position.fen == fen && result.depth == task.expected.depth;
        let runs = self.results.iter().find(is_of_task).map(|result| result.measurements.as_slice());
        let sample = |run: &RecordedRun| Sample {
            nodes: task.expected.nodes,
            wall_seconds: run.time_wall_clock.value,
            processor_seconds: run.time_cpu.map(|time| time.value),
            usage: None,
        };
        runs.unwrap_or_default().iter().map(sample).collect()
    }

    pub fn depth(&self, fen: &str) -> Option<u32> {
        self.results.iter().find(|result| result.position.fen == fen).map(|result| result.depth)
    }
}

impl RecordedResult {
    /// Whether there are runs, and the time of each is possible.
    fn has_times(&self) -> bool {
        let mut runs = self.measurements.iter();
        runs.len() > 0 && runs.all(|run| run.time_wall_clock.is_possible())
    }
}

impl RecordedTime {
    /// Whether the time is between a nanosecond and three years.
    fn is_possible(self) -> bool {
        (1e-9..1e8).contains(&self.value)
    }
}

fn from_json<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, BaselineError> {
    serde_json::from_str(json).map_err(|error| BaselineError::NotABenchmark(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r#"{
        "schema_version": 4, "program": "perft", "machine": {"cpu": "A CPU", "cores": 2}, "generator": "bitboard",
        "cpu_path": "bmi2", "sliders": "pext", "threads": 1, "table_bytes": 0, "bulk": true, "mode": "plain",
        "results": [
            {"position": {"name": "start", "fen": "F"}, "depth": 6, "contender": "this program", "measurements": [
                {"time_wall_clock": {"value": 1.0}, "time_cpu": {"value": 0.5}}, {"time_wall_clock": {"value": 1.1}, "time_cpu": {"value": 0.6}}]},
            {"position": {"name": "start", "fen": "F"}, "depth": 6, "contender": "../old/perft", "measurements": [
                {"time_wall_clock": {"value": 2.0}}]}
        ]
    }"#;

    const NAME: &str = "this program";

    const RUNS: &str = r#"[
                {"time_wall_clock": {"value": 1.0}, "time_cpu": {"value": 0.5}}, {"time_wall_clock": {"value": 1.1}, "time_cpu": {"value": 0.6}}]"#;

    const POSITION: &str = r#"{"name": "start", "fen": "F"}"#;

    #[test]
    fn other_texts_are_refused() {
        let refused = |from: &str, to: &str| Baseline::read(&DOCUMENT.replace(from, to), NAME).unwrap_err();
        for version in [3, 7] {
            let text = format!("\"schema_version\": {version}");
            assert_eq!(refused("\"schema_version\": 4", &text), BaselineError::OtherVersion(version));
        }
        let others = Baseline::read(DOCUMENT, "new").unwrap_err();
        assert_eq!(others.to_string(), "it has no results of new, but of: ../old/perft, this program");
        assert_eq!(refused("\"results\"", "\"complete\": false, \"results\""), BaselineError::Incomplete);
        assert!(matches!(refused(POSITION, "\"start\""), BaselineError::NotABenchmark(_)));
        assert_eq!(refused(RUNS, "[]"), BaselineError::BadTimes("start".to_owned(), 6));
        assert_eq!(refused("1.1", "1e308"), BaselineError::BadTimes("start".to_owned(), 6));
        assert_eq!(refused("1.1", "0.0"), BaselineError::BadTimes("start".to_owned(), 6));
        assert!(matches!(refused("\"measurements\"", "\"measured\""), BaselineError::NotABenchmark(_)));
        assert!(matches!(refused("\"threads\": 1,", ""), BaselineError::NotABenchmark(_)));
        assert!(matches!(refused("}\n", ""), BaselineError::NotABenchmark(_)));
        assert!(matches!(Baseline::read("{}", NAME), Err(BaselineError::NotABenchmark(_))));
    }
}
