//! Programs side by side: a row a program, a column a position.
//!
//! The JSON has the `results` of a benchmark, one a position and program that counts it, so that whatever reads those
//! reads these; `programs` says who the programs are and how each compares with the reference. A program that counts a
//! position wrong, or not at all, has no speed there, no mean and no overall ratio: only what went wrong.

use std::io::{self, Write};

use serde::Serialize;

use super::bench::{BenchResult, Environment, MEASURED, RowWithoutTime, text_table, write_results_csv};
use super::comparison::measure_name;
use super::page::{Page, PageTable};
use super::plot::{Panel, Plot, Row};
use super::trackers::{write_bmf, write_github};
use super::{Context, markdown_table};
use crate::bench::{
    BenchError, Bootstrap, GateResult, Measure, Measured, Ratio, Ratios, Task, Times, geometric_mean,
};

/// Programs side by side.
#[derive(Clone, Debug, Serialize)]
pub struct CompareReport {
    /// The machine, and how leaves were counted; who counted stands in `programs`.
    #[serde(flatten)]
    pub context: Context,
    /// Where and by what.
    pub environment: Environment,
    /// The program that ratios are to.
    pub reference: String,
    /// By which time ratios are: `wall`, or `processor` if only ours count, on one thread each.
    pub measure: &'static str,
    /// The part by which the others may be slower than the reference, if that is asked.
    pub max_regression: Option<f64>,
    /// The programs, in the order in which they were named.
    pub programs: Vec<Program>,
    /// One result a position and program that counts it.
    pub results: Vec<BenchResult>,
}

/// A program, and how it compares.
#[derive(Clone, Debug, Serialize)]
pub struct Program {
    /// Who it is.
    #[serde(flatten)]
    pub contender: Contender,
    /// The geometric mean of its speeds in leaf nodes a second; `None` if one is missing.
    pub nodes_per_second: Option<f64>,
    /// The geometric mean of the ratios to the reference; `None` if one is missing.
    pub overall: Option<Ratio>,
    /// Whether that is slower than allowed, if that is asked.
    pub verdict: Option<GateResult>,
    /// The most memory that a foreign program has occupied, in bytes; `None` if the system does not say. Ours is not told
    /// apart: all of ours count in one process.
    pub peak_memory_bytes: Option<u64>,
    /// What came of each position.
    pub positions: Vec<Cell>,
}

/// Who counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contender {
    /// What it is called here.
    pub name: String,
    /// The command that counts as it does, or that starts it.
    pub command: String,
    /// What else is known of it.
    #[serde(flatten)]
    pub kind: Kind,
}

/// Whose program it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Kind {
    /// A generator of ours.
    Generator {
        /// Which.
        generator: &'static str,
        /// For which CPU features it was compiled.
        cpu_path: &'static str,
        /// How sliders were looked up, if there is a choice.
        sliders: Option<&'static str>,
        /// On how many threads.
        threads: usize,
    },
    /// A foreign program.
    Engine {
        /// The language in which it was asked.
        dialect: &'static str,
        /// What it calls itself; `None` if it does not say, or was never asked with success.
        said_name: Option<String>,
    },
}

/// A program in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// What the position is called.
    pub name: String,
    /// The depth in plies.
    pub depth: u32,
    /// `measured`, `wrong` or `failed`.
    pub outcome: &'static str,
    /// What went wrong.
    pub reason: Option<String>,
    /// The mean and the deviation of the times, as text for tables.
    #[serde(skip)]
    time: String,
    /// Leaf nodes a second: of the median time.
    pub nodes_per_second: Option<f64>,
    /// The ratio of speeds to the reference, above 1 is faster; intervals of all positions hold together.
    pub ratio: Option<Ratio>,
}

impl Contender {
    /// A line that says who it is.
    fn line(&self) -> String {
        match &self.kind {
            Kind::Generator { generator, cpu_path, sliders, threads } => {
                let sliders = sliders.map_or_else(String::new, |method| format!(", sliders by {method}"));
                format!("generator {generator}, CPU path {cpu_path}{sliders}, {threads} thread(s)")
            }
            Kind::Engine { dialect, said_name } => {
                let said = said_name.as_deref().unwrap_or("does not say its name");
                format!("{said}; asked as {dialect}: {}", self.command)
            }
        }
    }
}

impl Program {
    /// What it needs, for the line that says who it is.
    fn memory(&self) -> String {
        let mebibytes = |bytes: u64| format!("; {:.1} MiB at most", bytes as f64 / f64::from(1 << 20));
        self.peak_memory_bytes.map_or_else(String::new, mebibytes)
    }
}

impl CompareReport {
    /// What runs of several programs, in turns, have said.
    ///
    /// # Panics
    /// There is no program of that index, or a position without its runs.
    pub fn new(
        context: Context,
        environment: Environment,
        contenders: Vec<Contender>,
        tasks: &[Task],
        measured: &[Measured],
        reference: usize,
        measure: Measure,
    ) -> CompareReport {
        let measure = known_measure(measured, measure);
        let all = Field { contenders: &contenders, tasks, measured, reference, measure };
        let (mut programs, mut results) = (Vec::new(), Vec::new());
        for subject in 0..contenders.len() {
            let (program, of_program) = all.program(subject);
            programs.push(program);
            results.extend(of_program);
        }
        let reference = contenders[reference].name.clone();
        let measure = measure_name(measure);
        CompareReport { context, environment, reference, measure, max_regression: None, programs, results }
    }

    /// Judges all but the reference by how much slower they may be: 0.05 for five percent.
    pub fn judged(mut self, allowed: f64) -> CompareReport {
        let reference = &self.reference;
        for program in self.programs.iter_mut().filter(|program| program.contender.name != *reference) {
            program.verdict = program.overall.map(|ratio| ratio.gate(allowed));
        }
        CompareReport { max_regression: Some(allowed), ..self }
    }

    /// True if a program is certainly slower than is allowed.
    pub fn has_slower(&self) -> bool {
        self.programs.iter().any(|program| program.verdict == Some(GateResult::Slower))
    }

    /// True if a program counted wrong.
    pub fn has_wrong_counts(&self) -> bool {
        self.has_outcome(WRONG)
    }

    /// True if a program gave no count.
    pub fn has_failures(&self) -> bool {
        self.has_outcome(FAILED)
    }

    /// For people: speeds, times, who is who, and what went wrong.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for line in self.head() {
            writeln!(out, "{line}")?;
        }
        let header = self.speed_header();
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        writeln!(out, "\n{}", text_table(&header, self.speed_rows()))?;
        writeln!(out, "\n{}\n", self.legend())?;
        let header = self.time_header();
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        writeln!(out, "{}\n", text_table(&header, self.time_rows()))?;
        for note in self.notes() {
            writeln!(out, "{note}")?;
        }
        Ok(())
    }

    /// Comma-separated values, a row a program and position.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let of_program = |program: &Program| {
            let Contender { name, command, .. } = program.contender.clone();
            let cells = program.positions.iter().filter(|cell| cell.outcome != MEASURED);
            let row = move |cell: &Cell| RowWithoutTime {
                command: command.clone(),
                position: cell.name.clone(),
                program: name.clone(),
                depth: cell.depth,
                outcome: cell.outcome,
            };
            cells.map(row).collect::<Vec<_>>()
        };
        write_results_csv(&self.results, self.programs.iter().flat_map(of_program).collect(), out)
    }

    /// Markdown: the tables of the text.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let header = self.speed_header();
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        writeln!(out, "{}\n", markdown_table(&header, self.speed_rows()))?;
        writeln!(out, "{} {}.\n", self.legend(), self.head().join("; "))?;
        let header = self.time_header();
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        writeln!(out, "{}\n", markdown_table(&header, self.time_rows()))?;
        for note in self.notes() {
            writeln!(out, "- {note}")?;
        }
        Ok(())
    }

    /// A plot of all runs as SVG.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_svg(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(self.plot().svg().as_bytes())
    }

    /// The plot, the tables and the environment as one page.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        let speeds = PageTable { header: self.speed_header(), rows: self.speed_rows() };
        let times = PageTable { header: self.time_header(), rows: self.time_rows() };
        let head = self.head().into_iter().chain(self.environment.details());
        let notes = [self.legend()].into_iter().chain(self.notes()).chain(head).collect();
        let (title, svg) = ("perft compare".to_owned(), self.plot().svg());
        Page { title, svg, tables: vec![speeds, times], notes }.write(out)
    }

    /// The JSON of github-action-benchmark: `customBiggerIsBetter`.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_github(&self, out: &mut impl Write) -> io::Result<()> {
        write_github(&self.results, &self.head(), out)
    }

    /// The Bencher Metric Format.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_bmf(&self, out: &mut impl Write) -> io::Result<()> {
        write_bmf(&self.results, out)
    }

    /// A panel of the means, and one a position.
    fn plot(&self) -> Plot {
        let mean = |program: &Program| Row {
            label: program.contender.name.clone(),
            rate: program.nodes_per_second,
            interval: None,
            runs: Vec::new(),
            remark: "not in all positions".to_owned(),
        };
        let means = self.programs.iter().map(mean).collect();
        let mut panels = vec![Panel { title: "geometric mean".to_owned(), rows: means }];
        for (index, title) in self.columns().into_iter().enumerate() {
            let row = |program: &Program| {
                let (name, cell) = (&program.contender.name, &program.positions[index]);
                let is_it = |result: &&BenchResult| {
                    result.program.as_ref() == Some(name)
                        && result.position == cell.name
                        && result.depth == cell.depth
                };
                match self.results.iter().find(is_it) {
                    Some(result) => Row::of(name.clone(), result),
                    None => Row { rate: None, remark: cell.outcome.to_owned(), ..mean(program) },
                }
            };
            panels.push(Panel { title, rows: self.programs.iter().map(row).collect() });
        }
        Plot { title: "perft compare".to_owned(), caption: self.head(), panels }
    }

    /// What the figures hold for.
    fn head(&self) -> Vec<String> {
        let mut head = self.environment.head(&self.context);
        head.push(
            if self.context.bulk { "bulk counting, no table" } else { "every leaf made, no table" }
                .to_owned(),
        );
        head
    }

    /// What the columns mean.
    fn legend(&self) -> String {
        format!(
            "Mnps: millions of leaf nodes a second, of the median time. Ratio: of speeds by {} time to {}, above 1 is faster.",
            self.measure, self.reference
        )
    }

    /// Who is who, and what went wrong.
    fn notes(&self) -> Vec<String> {
        let of_program = |program: &Program| {
            let name = &program.contender.name;
            let wrong = |cell: &Cell| Some(format!("{}: {}", cell.outcome, cell.reason.as_deref()?));
            [format!("{name}: {}{}", program.contender.line(), program.memory())]
                .into_iter()
                .chain(program.positions.iter().filter_map(wrong))
                .chain(program.verdict.map(|verdict| format!("{name}: {}", self.conclusion(verdict))))
                .collect::<Vec<_>>()
        };
        self.programs.iter().flat_map(of_program).collect()
    }

    fn conclusion(&self, verdict: GateResult) -> String {
        let bound = 100.0 * self.max_regression.unwrap_or_default();
        let reference = &self.reference;
        match verdict {
            GateResult::Slower => format!("slower than {reference} by more than {bound} %"),
            GateResult::Unsure => format!("not shown to be slower than {reference} by more than {bound} %"),
            GateResult::Fine => format!("not slower than {reference} by more than {bound} %"),
        }
    }

    fn has_outcome(&self, outcome: &str) -> bool {
        self.programs.iter().flat_map(|program| &program.positions).any(|cell| cell.outcome == outcome)
    }

    fn columns(&self) -> Vec<String> {
        let cells = self.programs.first().map_or(&[][..], |program| &program.positions);
        cells.iter().map(|cell| format!("{} {}", cell.name, cell.depth)).collect()
    }

    fn speed_header(&self) -> Vec<String> {
        let last = ["geometric mean", "ratio", "95 % interval"].map(str::to_owned);
        ["Mnps".to_owned()].into_iter().chain(self.columns()).chain(last).collect()
    }

    fn speed_rows(&self) -> Vec<Vec<String>> {
        let of_program = |program: &Program| {
            let mega = |rate: Option<f64>| rate.map(|rate| format!("{:.1}", rate / 1e6));
            let cell = |cell: &Cell| mega(cell.nodes_per_second).unwrap_or_else(|| cell.outcome.to_owned());
            let is_reference = program.contender.name == self.reference;
            let (ratio, interval) = match program.overall {
                Some(_) if is_reference => ("1".to_owned(), String::new()),
                Some(Ratio { ratio, interval }) => {
                    (format!("{ratio:.4}"), format!("{:.4} .. {:.4}", interval.low, interval.high))
                }
                None => ("-".to_owned(), String::new()),
            };
            let mean = mega(program.nodes_per_second).unwrap_or_else(|| "-".to_owned());
            [program.contender.name.clone()]
                .into_iter()
                .chain(program.positions.iter().map(cell))
                .chain([mean, ratio, interval])
                .collect()
        };
        self.programs.iter().map(of_program).collect()
    }

    fn time_header(&self) -> Vec<String> {
        ["mean time ± sd".to_owned()].into_iter().chain(self.columns()).collect()
    }

    fn time_rows(&self) -> Vec<Vec<String>> {
        let of_program = |program: &Program| {
            let times = program.positions.iter().map(|cell| cell.time.clone());
            [program.contender.name.clone()].into_iter().chain(times).collect()
        };
        self.programs.iter().map(of_program).collect()
    }
}

const WRONG: &str = "wrong";
const FAILED: &str = "failed";

/// The measure, if the times of all runs are known by it: a count may be too short for the system's account.
fn known_measure(measured: &[Measured], measure: Measure) -> Measure {
    let is_known = |measured: &Measured| {
        let mut ran = (0..measured.series.len()).filter(|&subject| !measured.series[subject].is_empty());
        ran.all(|subject| measured.processor_seconds(subject).is_some())
    };
    if measured.iter().all(is_known) { measure } else { Measure::Wall }
}

/// All that was run, to be looked at program by program.
struct Field<'a> {
    contenders: &'a [Contender],
    tasks: &'a [Task],
    measured: &'a [Measured],
    reference: usize,
    measure: Measure,
}

impl Field<'_> {
    fn program(&self, subject: usize) -> (Program, Vec<BenchResult>) {
        let (mut positions, mut results) = (Vec::new(), Vec::new());
        for (task, measured) in self.tasks.iter().zip(self.measured) {
            let result = self.result(task, measured, subject);
            positions.push(Cell::new(task, measured.failures[subject].as_ref(), result.as_ref()));
            results.extend(result);
        }
        let is_whole = results.len() == self.tasks.len();
        let rates = || results.iter().map(|result| result.nodes_per_second);
        let overall = self.add_ratios(subject, &mut positions);
        let program = Program {
            contender: self.contenders[subject].clone(),
            nodes_per_second: is_whole.then(|| geometric_mean(rates())),
            overall,
            verdict: None,
            peak_memory_bytes: self.peak_memory_bytes(subject),
            positions,
        };
        (program, results)
    }

    fn peak_memory_bytes(&self, subject: usize) -> Option<u64> {
        let Kind::Engine { .. } = self.contenders[subject].kind else { return None };
        let samples = self.measured.iter().flat_map(|measured| &measured.series[subject]);
        samples.filter_map(|sample| sample.usage?.peak_memory_bytes).max()
    }

    fn result(&self, task: &Task, measured: &Measured, subject: usize) -> Option<BenchResult> {
        if measured.series[subject].is_empty() {
            return None;
        }
        let Contender { name, command, kind } = &self.contenders[subject];
        let mut result = BenchResult::new(task, measured, subject, Some(name), command);
        if let Kind::Engine { dialect, .. } = kind {
            result.timings.command =
                format!("{command} ({dialect}: {}, depth {})", task.position, task.expected.depth);
        }
        Some(result)
    }

    /// Says in each position how the program compares with the reference, and gives what that is overall.
    fn add_ratios(&self, subject: usize, cells: &mut [Cell]) -> Option<Ratio> {
        let pairs: Vec<(usize, Vec<f64>, Vec<f64>)> = (0..self.tasks.len())
            .filter_map(|index| {
                Some((index, self.times(index, subject)?, self.times(index, self.reference)?))
            })
            .collect();
        if pairs.is_empty() {
            return None;
        }
        let times: Vec<Times> = pairs.iter().map(|(_, own, reference)| Times { own, reference }).collect();
        let ratios = Ratios::paired(&times, &Bootstrap::default());
        for ((index, ..), ratio) in pairs.iter().zip(&ratios.positions) {
            cells[*index].ratio = Some(*ratio);
        }
        (pairs.len() == self.tasks.len()).then_some(ratios.overall)
    }

    /// The times of a program in a position; `None` if it has none.
    fn times(&self, index: usize, subject: usize) -> Option<Vec<f64>> {
        let measured = &self.measured[index];
        let times = match self.measure {
            Measure::Wall => measured.seconds(subject),
            Measure::Processor => measured.processor_seconds(subject)?,
        };
        Some(times).filter(|times| !times.is_empty())
    }
}

impl Cell {
    fn new(task: &Task, failures: Option<&BenchError>, result: Option<&BenchResult>) -> Cell {
        let outcome = match failures {
            None => MEASURED,
            Some(BenchError::Wrong { .. }) => WRONG,
            Some(_) => FAILED,
        };
        Cell {
            name: task.name.clone(),
            depth: task.expected.depth,
            outcome,
            reason: failures.map(ToString::to_string),
            time: result.map_or_else(|| outcome.to_owned(), BenchResult::mean_and_deviation),
            nodes_per_second: result.map(|result| result.nodes_per_second),
            ratio: None,
        }
    }
}
