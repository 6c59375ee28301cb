//! A report in words and as a table: as text, Markdown and comma-separated values.
//!
//! Problems come first, then the verdicts of the gate, then the figures. The last line is a sentence: the conclusion.

use std::io::{self, Write};

use super::contenders::Contender;
use super::report::BenchReport;
use crate::output::numbers::{duration, join_names, mega, with_margin};
use crate::output::table::{WIDTH, escape_markdown};
use crate::output::{Digits, INCOMPLETE, Report, Table, folded};
use crate::timing::{Failure, GateResult, Measurement, Outcome, Ratio, Task};

/// Names in the text are shortened until the table fits, but never to fewer letters than this.
const LEAST_LETTERS: usize = 8;

impl Report for BenchReport {
    const NAME: &'static str = "bench";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let lines =
            |lines: &[String]| lines.iter().map(|line| folded(line, 2)).collect::<Vec<_>>().join("\n");
        let fits = |letters: &usize| self.figures(*letters).text_width() <= WIDTH;
        let table = self.figures((LEAST_LETTERS..=WIDTH).rev().find(fits).unwrap_or(LEAST_LETTERS));
        let table = if table.rows.is_empty() { String::new() } else { table.text() };
        let parts = [lines(&self.problems()), lines(&self.settings()), table, folded(&self.conclusion(), 0)];
        writeln!(out, "{}", joined(parts))
    }

    fn table(&self, _: Digits) -> Option<Table> {
        let measured = self.results.iter().map(|result| COLUMNS.map(|(_, cell)| cell(result)).into());
        let failed = self.failures.iter();
        let failed = failed.map(|failure| COLUMNS.map(|(column, _)| failed_cell(failure, column)).into());
        Some(Table::new(COLUMNS.map(|(column, _)| column), measured.chain(failed)))
    }

    fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let item = |line: &String| format!("- {}", escape_markdown(line));
        let problems = self.problems().iter().map(item).collect::<Vec<_>>().join("\n");
        let settings = escape_markdown(&format!("{}.", self.settings().join("; ")));
        let conclusion = escape_markdown(&self.conclusion());
        let table = self.figures(usize::MAX);
        let table = if table.rows.is_empty() { String::new() } else { table.markdown() };
        writeln!(out, "{}", joined([problems, table, settings, conclusion]))
    }
}

/// Returns the parts that are not empty, with an empty line between them.
fn joined(parts: [String; 4]) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

impl BenchReport {
    /// Returns what is wrong with the report: missing runs, failures, and then the verdicts of the gate.
    pub fn problems(&self) -> Vec<String> {
        let incomplete = (!self.complete).then(|| INCOMPLETE.to_owned());
        let failures = self.failures.iter();
        let failures = failures.map(|failure| format!("{}: {}", failure.outcome.name(), failure.error));
        let verdicts = self.contenders.iter().filter_map(|contender| self.verdict(contender));
        incomplete.into_iter().chain(failures).chain(verdicts).collect()
    }

    /// Returns in words whether a contender is slower than allowed; `None` if it is not judged.
    fn verdict(&self, contender: &Contender) -> Option<String> {
        let allowed = (self.max_regression? * 1e5).round() / 1e3;
        let slower = format!("slower than {} by more than {allowed} %", self.reference_name.as_ref()?);
        let said = match contender.gate? {
            GateResult::Slower => format!("is {slower}{}", self.slow_positions(contender)),
            GateResult::Fine => format!("is not {slower}"),
            GateResult::Unsure => format!("is not shown to be {slower}; make more --runs"),
        };
        Some(format!("gate: {} {said}", contender.name))
    }

    /// Returns the positions in which a contender is too slow, if it is not too slow in the mean.
    fn slow_positions(&self, contender: &Contender) -> String {
        let allowed = self.max_regression.unwrap_or_default();
        let is_slow = |ratio: Ratio| ratio.gate(allowed) == GateResult::Slower;
        if contender.overall.is_some_and(is_slow) {
            return String::new();
        }
        let own = self.results.iter().filter(|result| result.contender == contender.name);
        let slow = own.filter(|result| result.gate == Some(GateResult::Slower));
        format!(" in {}", join_names(&slow.map(|result| result.task.name()).collect::<Vec<_>>()))
    }

    /// Returns the table of all figures, with a row for each position and contender. Names have at most `letters`
    /// letters.
    fn figures(&self, letters: usize) -> Table {
        let row = |position: &str, contender: &Contender, [time, speed, ratio, runs]: [String; 4]| {
            let program = shorten_start(&contender.name, letters);
            self.columns([position.to_owned(), program, time, speed, ratio, runs])
        };
        let mut rows: Vec<Vec<String>> = Vec::new();
        for task in self.tasks.iter().filter(|task| self.results.iter().any(|result| result.task == **task)) {
            let position = format!("{} {}", shorten_end(task.position.label(), letters), task.depth);
            rows.extend(self.contenders.iter().map(|contender| match self.measurement(contender, task) {
                Ok(result) => {
                    let time = duration(result.timings.spread.median);
                    let ratio = self.ratio_cell(contender, result.ratio);
                    row(&position, contender, [time, speed(result), ratio, result.runs.to_string()])
                }
                Err(reason) => row(&position, contender, ["", reason, "", ""].map(str::to_owned)),
            }));
        }
        if self.tasks.len() > 1 && !rows.is_empty() {
            rows.extend(self.contenders.iter().map(|contender| {
                let mean = contender.nodes_per_second.map_or_else(|| "-".to_owned(), mega);
                let ratio = self.ratio_cell(contender, contender.overall);
                row("geometric mean", contender, [String::new(), mean, ratio, String::new()])
            }));
        }
        let header = self.columns(["position", "program", "time", "Mnps", "ratio", "runs"]);
        Table::new(header, rows).named_by(if self.contenders.len() > 1 { 2 } else { 1 })
    }

    /// Leaves out the columns that compare, if there is nothing to compare.
    fn columns<T>(&self, [position, program, time, speed, ratio, runs]: [T; 6]) -> Vec<T> {
        match self.contenders.len() {
            1 => vec![position, time, speed, runs],
            _ => vec![position, program, time, speed, ratio, runs],
        }
    }

    fn ratio_cell(&self, contender: &Contender, ratio: Option<Ratio>) -> String {
        match ratio {
            _ if self.is_reference(&contender.name) => "1".to_owned(),
            Some(Ratio { value, interval }) => with_margin(value, interval.margin(value)),
            None => "-".to_owned(),
        }
    }

    /// Returns the conclusion as a sentence: the speed of a single contender, or which one ran how many times as fast
    /// as another.
    pub fn conclusion(&self) -> String {
        let [only] = self.contenders.as_slice() else { return self.comparison() };
        let name = &only.name;
        match (only.nodes_per_second, self.tasks.as_slice()) {
            (None, _) => format!("{name} has no speed, because it failed."),
            (Some(_), [task]) => {
                let speed = self.measurement(only, task).map_or_else(str::to_owned, speed);
                let Task { position, depth, .. } = task;
                let place = format!("{} at depth {depth}", position.label());
                format!("{name} counted {speed} million nodes per second in {place}.")
            }
            (Some(mean), tasks) => format!(
                "{name} counted {} million nodes per second in the geometric mean of {} positions.",
                mega(mean),
                tasks.len()
            ),
        }
    }

    fn comparison(&self) -> String {
        let mut ranked: Vec<(f64, &Contender)> = self
            .contenders
            .iter()
            .filter_map(|contender| Some((contender.overall?.value, contender)))
            .collect();
        ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let is_reference = |contender: &Contender| self.is_reference(&contender.name);
        let reference = ranked.iter().find(|(_, contender)| is_reference(contender));
        let (Some((_, fastest)), Some((_, second)), Some((_, reference))) =
            (ranked.first(), ranked.get(1), reference)
        else {
            return self.no_comparison();
        };
        let [name, second_name] = [fastest, second].map(|contender| &contender.name);
        let (ratio, other) = match is_reference(fastest) {
            true => (second.overall.map(|ratio| ratio.inverse()), second_name),
            false => (fastest.overall, &reference.name),
        };
        let Some(ratio) = ratio else { return self.no_comparison() };
        let lead = times_as_fast(&ratio, other);
        match ranked.len() {
            _ if ratio.value - ratio.interval.margin(ratio.value) <= 1.0 => {
                format!("No difference was shown: {name} ran {lead}.")
            }
            2 => format!("{name} ran {lead}."),
            _ => format!("{name} was the fastest and ran {lead}."),
        }
    }

    fn no_comparison(&self) -> String {
        let names: Vec<&str> = self.contenders.iter().map(|contender| contender.name.as_str()).collect();
        let names = join_names(&names);
        let reason = match self.failures.first() {
            Some(Failure { contender, outcome, task, .. }) => {
                let failed = if *outcome == Outcome::Wrong { "has a wrong count" } else { "failed" };
                format!("{contender} {failed} in {}", task.name())
            }
            None => "a speed is missing".to_owned(),
        };
        format!("{names} are not compared, because {reason}.")
    }

    /// Returns lines about the build, the machine, and the contenders with their settings.
    pub fn settings(&self) -> Vec<String> {
        let has_built_in = self.contenders.iter().any(Contender::is_built_in);
        let mut lines = self.environment.summary(&self.header, &self.machine, has_built_in);
        lines.push("Mnps: million leaf nodes a second; ±: 95 % interval".to_owned());
        lines.extend(self.contenders.iter().map(Contender::line));
        lines
    }
}

impl Contender {
    fn line(&self) -> String {
        let mebibytes = |bytes: u64| format!(", {:.1} MiB at most", bytes as f64 / f64::from(1 << 20));
        let memory = self.peak_memory_bytes.map_or_else(String::new, mebibytes);
        format!("{}: {}{memory}", self.name, self.description())
    }
}

pub fn speed(result: &Measurement) -> String {
    let Measurement { nodes_per_second: speed, nodes_per_second_interval: interval, .. } = result;
    with_margin(speed / 1e6, interval.margin(*speed) / 1e6)
}

/// Returns a ratio to a program for sentences: `1.16 ± 0.02 times as fast as old`.
pub fn times_as_fast(ratio: &Ratio, name: &str) -> String {
    format!("{} times as fast as {name}", with_margin(ratio.value, ratio.interval.margin(ratio.value)))
}

/// Shortens the name of a program that is too long. It keeps the end, because commands differ there.
fn shorten_start(name: &str, letters: usize) -> String {
    match name.chars().count() {
        length if length > letters => {
            format!("…{}", name.chars().skip(length + 1 - letters).collect::<String>())
        }
        _ => name.to_owned(),
    }
}

/// Shortens the name of a position that is too long. It keeps the beginning, because FENs differ there.
fn shorten_end(name: &str, letters: usize) -> String {
    console::truncate_str(name, letters, "…").into_owned()
}

/// A column: its name, and its cell for a measurement.
type Column = (&'static str, fn(&Measurement) -> String);

/// The columns of the CSV output. The first eight are those of hyperfine.
const COLUMNS: [Column; 18] = [
    ("command", |row| row.timings.command.clone()),
    ("mean", |row| seconds(Some(row.timings.spread.mean))),
    ("stddev", |row| seconds(row.timings.spread.stddev)),
    ("median", |row| seconds(Some(row.timings.spread.median))),
    ("user", |row| seconds(row.timings.user)),
    ("system", |row| seconds(row.timings.system)),
    ("min", |row| seconds(Some(row.timings.spread.min))),
    ("max", |row| seconds(Some(row.timings.spread.max))),
    ("position", |row| row.task.position.label().to_owned()),
    ("contender", |row| row.contender.clone()),
    ("depth", |row| row.task.depth.to_string()),
    ("nodes", |row| row.nodes.0.to_string()),
    ("runs", |row| row.runs.to_string()),
    ("nodes_per_second", |row| format!("{:.0}", row.nodes_per_second)),
    ("nodes_per_second_low", |row| format!("{:.0}", row.nodes_per_second_interval.low)),
    ("nodes_per_second_high", |row| format!("{:.0}", row.nodes_per_second_interval.high)),
    ("outliers", |row| row.outliers.len().to_string()),
    ("outcome", |row| if row.complete { "measured" } else { "incomplete" }.to_owned()),
];

/// Returns the cell of a position in which a contender has no speed. The columns of figures are empty.
fn failed_cell(Failure { task, contender, outcome, .. }: &Failure, column: &str) -> String {
    let position = task.position.label();
    match column {
        "command" => format!("{contender}: {position}, depth {}", task.depth),
        "position" => position.to_owned(),
        "contender" => contender.clone(),
        "depth" => task.depth.to_string(),
        "runs" => "0".to_owned(),
        "outcome" => outcome.name().to_owned(),
        _ => String::new(),
    }
}

fn seconds(time: Option<f64>) -> String {
    time.map_or_else(String::new, |time| format!("{time:.9}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_shortened() {
        assert_eq!(join_names::<&str>(&[]), "");
        assert_eq!(join_names(&["a"]), "a");
        assert_eq!(join_names(&["a", "b", "c"]), "a, b and c");
        assert_eq!(join_names(&["a", "b", "c", "d", "e"]), "a, b, c, d and e");
        assert_eq!(join_names(&["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e and 2 more");
    }

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(shorten_start("stockfish", 9), "stockfish");
        assert_eq!(shorten_start("../a/long/path/to/some/engine", 18), "…th/to/some/engine");
        assert_eq!(shorten_end("r3k2r/8/8/8 w - -", 8), "r3k2r/8…");
    }
}
