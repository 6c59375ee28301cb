//! A report in words and as a table: as text, Markdown and comma-separated values.
//!
//! Problems come first, then the verdicts of the gate, then the figures. The last line is a sentence: the conclusion.

use std::io::{self, Write};

use super::report::{BenchReport, Contender};
use crate::output::numbers::{duration, rounded};
use crate::output::table::{escape_markdown, text_width};
use crate::output::{
    Digits, INCOMPLETE, Report, Table, agreeing, folded, grouped, join_names, mega, number_of,
};
use crate::timing::{
    Failure, GateResult, Interval, Measure, Measurement, Outcome, Ratio, fewest_samples, intervals_of,
};

/// Names in the text are shortened until the table fits, but never to fewer letters than this.
const LEAST_LETTERS: usize = 8;

impl Report for BenchReport {
    const NAME: &'static str = "bench";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let lines =
            |lines: &[String]| lines.iter().map(|line| folded(line, 2)).collect::<Vec<_>>().join("\n");
        let fits = |letters: &usize| self.figures(*letters).text_width() <= text_width();
        let table = self.figures((LEAST_LETTERS..=text_width()).rev().find(fits).unwrap_or(LEAST_LETTERS));
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
            GateResult::Unsure => {
                let (rounds, seconds) = (self.rounds(), self.seconds);
                format!(
                    "may be {slower} or not: this could not be decided within {seconds:.0} s and {}; more --max-time or \
                     --runs may decide",
                    number_of(rounds, "run")
                )
            }
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

    fn rounds(&self) -> usize {
        self.results.iter().map(|result| result.runs).min().unwrap_or(0)
    }

    /// Returns the table of all figures, with a row for each position and contender. Names have at most `letters`
    /// letters.
    fn figures(&self, letters: usize) -> Table {
        let row = |position: &str, contender: &Contender, [cost, speed, runs]: [String; 3], ratio| {
            let program = shorten_start(&contender.name, letters);
            let [ratio, interval] = self.ratio_cells(contender, ratio);
            self.columns([position.to_owned(), program, cost, speed, ratio, interval, runs])
        };
        let mut rows: Vec<Vec<String>> = Vec::new();
        for task in self.tasks.iter().filter(|task| self.results.iter().any(|result| result.task == **task)) {
            let position = format!("{} {}", shorten_end(task.position.label(), letters), task.depth);
            rows.extend(self.contenders.iter().map(|contender| match self.measurement(contender, task) {
                Ok(result) => {
                    let [cost, speed] = self.cost_cells(result);
                    row(&position, contender, [cost, speed, result.runs.to_string()], result.ratio)
                }
                Err(reason) => {
                    let program = shorten_start(&contender.name, letters);
                    self.columns([&position, &program, "", reason, "", "", ""].map(str::to_owned))
                }
            }));
        }
        if self.tasks.len() > 1 && !rows.is_empty() {
            rows.extend(self.contenders.iter().map(|contender| {
                let speed = contender.nodes_per_second.filter(|_| self.measure != Measure::Instructions);
                let speed = speed.map_or_else(|| "-".to_owned(), mega);
                row("geometric mean", contender, [String::new(), speed, String::new()], contender.overall)
            }));
        }
        let [cost, speed] = match self.measure {
            Measure::Instructions => ["instructions", "per leaf"],
            Measure::Time | Measure::Cpu => ["time", "Mnps"],
        };
        let header = self.columns(["position", "program", cost, speed, "ratio", "99 % interval", "runs"]);
        Table::new(header, rows).named_by(if self.contenders.len() > 1 { 2 } else { 1 })
    }

    /// Leaves out the columns that compare, if there is nothing to compare, and that of the intervals if there are none.
    fn columns<T>(&self, [position, program, cost, speed, ratio, interval, runs]: [T; 7]) -> Vec<T> {
        let has_intervals = self.rounds() >= self.needed_runs();
        match self.contenders.len() {
            1 => vec![position, cost, speed, runs],
            _ if has_intervals => vec![position, program, cost, speed, ratio, interval, runs],
            _ => vec![position, program, cost, speed, ratio, runs],
        }
    }

    /// Returns the cost of the median run and the speed, or the instructions in all and for each leaf node.
    pub fn cost_cells(&self, result: &Measurement) -> [String; 2] {
        let cost = result.median_cost(self.measure);
        match self.measure {
            Measure::Instructions => {
                [grouped(cost as u128), format!("{:.3}", cost / result.nodes.0.max(1) as f64)]
            }
            Measure::Time | Measure::Cpu => [duration(cost), mega(result.nodes_per_second)],
        }
    }

    fn ratio_cells(&self, contender: &Contender, ratio: Option<Ratio>) -> [String; 2] {
        match ratio {
            _ if self.reference_name.as_ref() == Some(&contender.name) => ["1".to_owned(), String::new()],
            Some(ratio) => [ratio_text(&ratio), ratio.interval.map_or_else(String::new, interval_text)],
            None => ["-".to_owned(), String::new()],
        }
    }

    /// Returns the conclusion as a sentence: the speed of a single contender, or which one ran how many times as fast
    /// as another.
    pub fn conclusion(&self) -> String {
        let [only] = self.contenders.as_slice() else { return self.comparison() };
        let name = &only.name;
        let of = if self.measure == Measure::Cpu { " of processor time" } else { "" };
        match (only.nodes_per_second, self.results.as_slice()) {
            (None, _) => format!("{name} has no speed, because it failed."),
            (Some(_), [result]) if self.measure == Measure::Instructions => {
                let [all, _] = self.cost_cells(result);
                format!("{name} executed {all} instructions in {}.", result.task.place())
            }
            (Some(speed), [Measurement { task, .. }]) => {
                format!("{name} counted {} million nodes per second{of} in {}.", mega(speed), task.place())
            }
            (Some(mean), results) => format!(
                "{name} counted {} million nodes per second{of} in the geometric mean of {} positions.",
                mega(mean),
                results.len()
            ),
        }
    }

    /// Returns the sentence about the fastest contender and the reference, or about the reference and the next one.
    fn comparison(&self) -> String {
        let compared = self.contenders.iter().filter_map(|other| Some((other.overall?, other)));
        let best = compared.max_by(|(a, _), (b, _)| a.value.total_cmp(&b.value));
        let (Some((ratio, best)), Some(reference)) = (best, &self.reference_name) else {
            return self.no_comparison();
        };
        let (faster, slower, ratio) = match ratio.value >= 1.0 {
            true => (&best.name, reference, ratio),
            false => (reference, &best.name, ratio.inverse()),
        };
        let Some(interval) = ratio.interval else {
            let (rounds, needed) = (self.rounds(), self.needed_runs());
            let runs = format!("{} {}", number_of(rounds, "run"), agreeing(rounds, "does", "do"));
            return format!("{runs} not carry a comparison of {faster} and {slower}: make {needed} or more.");
        };
        let figures = format!("{} (99 % interval: {})", ratio_text(&ratio), interval_text(interval));
        let said = match self.measure {
            Measure::Instructions => {
                format!("{slower} executed {figures} times as many instructions as {faster}")
            }
            Measure::Time | Measure::Cpu => {
                format!("{faster} ran {figures} times as fast as {slower}, by {}", self.measure.name())
            }
        };
        match self.contenders.len() {
            _ if interval.low <= 1.0 => format!("No difference was shown: {said}."),
            2 => format!("{said}."),
            count => format!("Of {count} programs, {faster} had the best figures: {said}."),
        }
    }

    /// Returns the number of runs from which on there are intervals.
    fn needed_runs(&self) -> usize {
        fewest_samples(intervals_of(self.tasks.len(), self.contenders.len().max(2) - 1))
    }

    fn no_comparison(&self) -> String {
        let reason = match self.failures.first() {
            Some(Failure { contender, outcome, task, .. }) => {
                let failed = if *outcome == Outcome::Wrong { "has a wrong count" } else { "failed" };
                format!("{contender} {failed} in {}", task.name())
            }
            None => "a speed is missing".to_owned(),
        };
        format!("{} are not compared, because {reason}.", self.names())
    }

    pub fn names(&self) -> String {
        join_names(&self.contenders.iter().map(|contender| contender.name.as_str()).collect::<Vec<_>>())
    }

    /// Returns lines about the build, the machine, and the contenders with their settings.
    pub fn settings(&self) -> Vec<String> {
        let has_built_in = self.contenders.iter().any(Contender::is_built_in);
        let mut lines = self.environment.summary(&self.header, &self.machine, has_built_in);
        lines.push(match self.measure {
            Measure::Cpu => "Mnps: million leaf nodes per second of processor time".to_owned(),
            Measure::Time => "Mnps: million leaf nodes per second".to_owned(),
            Measure::Instructions => "instructions of each process in user space, with its start".to_owned(),
        });
        let mebibytes = |bytes: u64| format!(", {:.1} MiB at most", bytes as f64 / f64::from(1 << 20));
        lines.extend(self.contenders.iter().map(|contender| {
            let memory = contender.peak_memory_bytes.map_or_else(String::new, mebibytes);
            format!("{}: {}{memory}", contender.name, contender.description())
        }));
        lines
    }
}

/// Returns a ratio with as many digits as its interval has.
pub fn ratio_text(ratio: &Ratio) -> String {
    let width = ratio.interval.map_or(0.0, |interval| interval.high - interval.low);
    rounded(ratio.value, width, f64::round)
}

/// Returns an interval of a ratio, rounded outwards: `1.041 to 1.113`.
pub fn interval_text(Interval { low, high }: Interval) -> String {
    format!("{} to {}", rounded(low, high - low, f64::floor), rounded(high, high - low, f64::ceil))
}

/// Keeps the end, because commands differ there.
fn shorten_start(name: &str, letters: usize) -> String {
    match name.chars().count() {
        length if length > letters => {
            format!("…{}", name.chars().skip(length + 1 - letters).collect::<String>())
        }
        _ => name.to_owned(),
    }
}

/// Keeps the beginning, because FENs differ there.
fn shorten_end(name: &str, letters: usize) -> String {
    console::truncate_str(name, letters, "…").into_owned()
}

/// A column: its name, and its cell for a measurement.
type Column = (&'static str, fn(&Measurement) -> String);

/// The columns of the CSV output. The first eight are those of hyperfine.
const COLUMNS: [Column; 17] = [
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
    ("nodes_per_second_low", |row| bound(row, |interval| interval.low)),
    ("nodes_per_second_high", |row| bound(row, |interval| interval.high)),
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

fn bound(row: &Measurement, of: fn(Interval) -> f64) -> String {
    row.nodes_per_second_interval.map_or_else(String::new, |interval| format!("{:.0}", of(interval)))
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
