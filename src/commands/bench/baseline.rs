//! Reads a saved report, so that a new benchmark can be compared with it.
//!
//! The input is the JSON that `--export-json` writes, or the report of a count by another build. The settings must be
//! the same: the speed of a count with a table, or on another machine, says nothing about a plain count on this machine.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::output::error::CliError;
use crate::output::{Provenance, SCHEMA_VERSION};
use crate::system::files;
use crate::timing::{Measurement, Sample, Task};

/// The largest baseline that is read, in bytes. It has room for thousands of runs of each position.
const MAX_BYTES: u64 = 16 << 20;

/// The settings that must be the same for speeds to be comparable, and their places in a report.
const SETTINGS: [(&str, &str); 7] = [
    ("CPU", "/machine/cpu"),
    ("generator", "/generator"),
    ("CPU path", "/cpu_path"),
    ("threads", "/threads"),
    ("bytes of the table", "/table_bytes"),
    ("bulk counting", "/bulk"),
    ("mode", "/mode"),
];

/// A saved report: the fields that it begins with, and the measurements of a benchmark.
#[derive(Clone, Debug)]
pub struct SavedReport {
    head: Value,
    results: Vec<Measurement>,
}

impl SavedReport {
    /// Reads the fields that a JSON report begins with.
    ///
    /// # Errors
    /// It is not JSON, a field is missing, or it has another version of the schema.
    pub fn read_head(json: &str) -> Result<Value, String> {
        let report: Value =
            serde_json::from_str(json).map_err(|error| format!("not a report of perft: {error}"))?;
        let missing = SETTINGS.iter().find(|(_, place)| report.pointer(place).is_none());
        match (&report["schema_version"], missing) {
            (version, None) if *version == SCHEMA_VERSION => Ok(report),
            (Value::Number(version), _) if *version != SCHEMA_VERSION.into() => Err(format!(
                "the report has schema version {version}, but this version of perft reads version {SCHEMA_VERSION}"
            )),
            (_, Some((setting, _))) => Err(format!("not a report of perft: it has no {setting}")),
            _ => Err("not a report of perft".to_owned()),
        }
    }

    /// Reads the benchmark of a program from a file.
    ///
    /// # Errors
    /// A usage error if the file cannot be read, or has no benchmark to compare with.
    pub fn open(path: &Path, program: &str) -> Result<SavedReport, CliError> {
        let text = files::read_text(path, MAX_BYTES).map_err(|error| ("read", error.to_string()));
        let report = text
            .and_then(|text| SavedReport::read_benchmark(&text, program).map_err(|error| ("use", error)))
            .map_err(|(verb, error)| {
                CliError::usage(format!("cannot {verb} the baseline '{}': {error}", path.display()))
            });
        report.map_err(|error| error.help("give a file that perft bench --export-json wrote"))
    }

    /// Reads a benchmark. Only the results of this program are kept.
    fn read_benchmark(json: &str, program: &str) -> Result<SavedReport, String> {
        let mut head = SavedReport::read_head(json)?;
        let results = serde_json::from_value(head["results"].take());
        let results = results.map_err(|error| format!("not a report of perft: {error}"))?;
        let mut report = SavedReport { head, results };
        if report.head["complete"] == false {
            return Err("the benchmark was interrupted, so its figures are incomplete".to_owned());
        }
        let programs: BTreeSet<String> =
            report.results.iter().map(|result| result.contender.clone()).collect();
        report.results.retain(|result| result.contender == program);
        if report.results.is_empty() {
            let others = Vec::from_iter(programs).join(", ");
            return Err(format!("it has no results of {program}, but of: {others}"));
        }
        let is_possible = |run: &Sample| is_possible(run.time_wall_clock.value);
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
    pub fn differences(&self, here: &Provenance) -> Vec<String> {
        let here = serde_json::to_value(here).expect("a report can be written");
        let text = |report: &Value, place| match report.pointer(place) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => "none".to_owned(),
            Some(value) => value.to_string(),
        };
        let both =
            SETTINGS.iter().map(|(setting, place)| (setting, text(&self.head, place), text(&here, place)));
        let differ = both.filter(|(_, there, here)| there != here);
        differ.map(|(setting, there, here)| format!("{setting}: {there} there, {here} here")).collect()
    }

    /// Returns the runs of a task; none if the benchmark does not have it.
    pub fn samples(&self, task: &Task) -> &[Sample] {
        let is_of_task = |result: &&Measurement| {
            result.task.position.fen == task.position.fen && result.task.depth == task.depth
        };
        self.results.iter().find(is_of_task).map_or(&[], |result| &result.timings.measurements)
    }

    pub fn depth(&self, fen: &str) -> Option<u32> {
        self.results
            .iter()
            .map(|result| &result.task)
            .find(|task| task.position.fen == fen)
            .map(|task| task.depth)
    }
}

/// Whether a time is between a nanosecond and three years.
fn is_possible(seconds: f64) -> bool {
    (1e-9..1e8).contains(&seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r#"{
        "schema_version": 4, "program": "perft", "machine": {"cpu": "A CPU", "cores": 2}, "generator": "bitboard",
        "cpu_path": "bmi2", "threads": 1, "table_bytes": 0, "bulk": true, "mode": "plain",
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
        assert!(refused("\"results\"", "\"complete\": false, \"results\"").contains("was interrupted"));
        let bad_times = "'start' at depth 6 has no times, or impossible ones";
        for (from, to) in
            [(RUNS, "[]"), ("1.1", "1e308"), ("1.1", "0.0"), ("\"measurements\"", "\"measured\"")]
        {
            assert_eq!(refused(from, to), bad_times, "{from}");
        }
        for (from, to) in [(POSITION, "\"start\""), ("\"threads\": 1,", ""), ("}\n", ""), (DOCUMENT, "{}")] {
            assert!(refused(from, to).starts_with("not a report of perft: "), "{from}");
        }
    }
}
