//! Reads a saved report, so that a new benchmark can be compared with it.
//!
//! The input is the JSON that `--export-json` writes. The settings must be the same: the speed of a count with a table,
//! or on another machine, says nothing about a plain count on this machine.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::output::{CliError, Machine, SCHEMA_VERSION, Settings};
use crate::system::files::{self, Kind};
use crate::timing::{Measure, Measurement, Sample, Task};

/// The largest baseline that is read, in bytes. It has room for thousands of runs of each position.
const MAX_BYTES: u64 = 16 << 20;

#[derive(Clone, Debug, Deserialize)]
pub struct SavedReport {
    machine: Machine,
    complete: bool,
    /// Only the program to compare with, after [`SavedReport::open`].
    pub contenders: Vec<SavedContender>,
    results: Vec<Measurement>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct SavedContender {
    pub name: String,
    pub command: String,
    #[serde(flatten)]
    settings: Option<Settings>,
}

impl SavedReport {
    /// Reads the benchmark of a program from a file. The only program of a file may have another name.
    ///
    /// # Errors
    /// A usage error if the file cannot be read, or has no benchmark to compare with.
    pub fn open(path: &Path, program: &str) -> Result<SavedReport, CliError> {
        let refused = |verb: &str| {
            CliError::usage(format!("cannot {verb} the baseline '{}'", path.display()))
                .help("give a file that perft bench --export-json wrote")
        };
        let text = files::read_text(path, Kind::Any, MAX_BYTES);
        let text = text.map_err(|error| refused("read").because(error))?;
        SavedReport::read_benchmark(&text, program).map_err(|error| refused("use").because(error))
    }

    /// Only the results of `program` are kept.
    fn read_benchmark(json: &str, program: &str) -> Result<SavedReport, String> {
        let document: Value =
            serde_json::from_str(json).map_err(|error| format!("not a report of perft: {error}"))?;
        let version = &document["schema_version"];
        if version.is_number() && *version != SCHEMA_VERSION {
            return Err(format!(
                "the report has schema version {version}, but this version of perft reads version {SCHEMA_VERSION}"
            ));
        }
        let report = serde_json::from_value(document);
        let mut report: SavedReport =
            report.map_err(|error| format!("not a report of perft bench: {error}"))?;
        if !report.complete {
            return Err("the benchmark was interrupted, so its figures are incomplete".to_owned());
        }
        let programs: BTreeSet<String> =
            report.results.iter().map(|result| result.contender.clone()).collect();
        let programs = Vec::from_iter(programs);
        let saved = if let [only] = &programs[..] { only } else { program };
        report.contenders.retain(|contender| contender.name == saved);
        report.results.retain(|result| result.contender == saved);
        if report.results.is_empty() || report.contenders.is_empty() {
            return Err(format!("it has no results of {program}, but of: {}", programs.join(", ")));
        }
        // From a nanosecond to three years.
        let is_possible = |run: &Sample| (1e-9..1e8).contains(&run.seconds());
        let has_times = |result: &&Measurement| {
            let runs = &result.timings.measurements;
            !runs.is_empty() && runs.iter().all(is_possible)
        };
        match report.results.iter().find(|result| !has_times(result)) {
            Some(Measurement { task: Task { position, depth, .. }, .. }) => {
                Err(format!("'{}' at depth {depth} has no times, or impossible ones", position.label()))
            }
            None => Ok(report),
        }
    }

    /// Returns the differences that make speeds incomparable, each as text: `threads: 1 there, 2 here`.
    pub fn differences(&self, machine: &Machine, settings: Option<&Settings>) -> Vec<String> {
        let saved = self.contenders.first().and_then(|contender| contender.settings.as_ref());
        let cpu = |cpu: &Option<String>| cpu.clone().unwrap_or_else(|| "unknown".to_owned());
        let cpus = ("CPU", cpu(&self.machine.cpu), cpu(&machine.cpu));
        let [there, here] = [saved, settings].map(Settings::values);
        let settings = there.into_iter().zip(here).map(|((name, there), (_, here))| (name, there, here));
        let differ = [cpus].into_iter().chain(settings).filter(|(_, there, here)| there != here);
        differ.map(|(setting, there, here)| format!("{setting}: {there} there, {here} here")).collect()
    }

    /// Whether it is known what each run has cost.
    pub fn tells(&self, measure: Measure) -> bool {
        let runs = self.results.iter().flat_map(|result| &result.timings.measurements);
        runs.into_iter().all(|run| run.cost(measure).is_some())
    }

    /// Returns the largest number of runs of a position.
    pub fn runs(&self) -> usize {
        self.results.iter().map(|result| result.timings.measurements.len()).max().unwrap_or(0)
    }

    /// Returns the runs of a task; none if the benchmark does not have it.
    pub fn samples(&self, task: &Task) -> &[Sample] {
        let is_of_task = |result: &&Measurement| {
            result.task.position.fen == task.position.fen && result.task.depth == task.depth
        };
        self.results.iter().find(is_of_task).map_or(&[], |result| &result.timings.measurements)
    }

    pub fn depth(&self, fen: &str) -> Option<u32> {
        let result = self.results.iter().find(|result| result.task.position.fen == fen)?;
        Some(result.task.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r#"{
        "schema_version": 4, "program": "perft", "machine": {"cpu": "A CPU", "cores": 2, "arch": "a", "os": "o"}, "complete": true,
        "contenders": [{"name": "this program", "command": "perft", "generator": "bitboard", "cpu_path": "bmi2", "threads": 1,
            "table_bytes": 0, "bulk": true, "mode": "plain"}],
        "results": [
            {"position": {"name": "start", "fen": "F", "chess960": false}, "depth": 6, "contender": "this program", "measurements": [
                {"time_wall_clock": {"value": 1.0}, "time_cpu": {"value": 0.5}}, {"time_wall_clock": {"value": 1.1}, "time_cpu": {"value": 0.6}}]},
            {"position": {"name": "start", "fen": "F", "chess960": false}, "depth": 6, "contender": "../old/perft", "measurements": [
                {"time_wall_clock": {"value": 2.0}}]}
        ]
    }"#;

    const NAME: &str = "this program";

    const RUNS: &str = r#"[
                {"time_wall_clock": {"value": 1.0}, "time_cpu": {"value": 0.5}}, {"time_wall_clock": {"value": 1.1}, "time_cpu": {"value": 0.6}}]"#;

    const POSITION: &str = r#"{"name": "start", "fen": "F", "chess960": false}"#;

    #[test]
    fn other_texts_are_refused() {
        let refused = |from: &str, to: &str| {
            SavedReport::read_benchmark(&DOCUMENT.replace(from, to), NAME).unwrap_err()
        };
        for version in ["3", "7"] {
            let text = format!("\"schema_version\": {version}");
            assert!(refused("\"schema_version\": 4", &text).contains(&format!("schema version {version},")));
        }
        let others = SavedReport::read_benchmark(DOCUMENT, "new").unwrap_err();
        assert_eq!(others, "it has no results of new, but of: ../old/perft, this program");
        assert!(refused("true,", "false,").contains("was interrupted"));
        let bad_times = "'start' at depth 6 has no times, or impossible ones";
        for (from, to) in
            [(RUNS, "[]"), ("1.1", "1e308"), ("1.1", "0.0"), ("\"measurements\"", "\"measured\"")]
        {
            assert_eq!(refused(from, to), bad_times, "{from}");
        }
        for (from, to) in
            [(POSITION, "\"start\""), ("\"complete\": true,", ""), ("}\n", ""), (DOCUMENT, "{}")]
        {
            assert!(refused(from, to).starts_with("not a report of perft"), "{from}");
        }
    }
}
