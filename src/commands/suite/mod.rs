//! `perft suite`: checks positions with known counts.
//!
//! - `args`: the arguments
//! - `checked`: the generator or the engine that is checked
//! - `engine_info`: the engine in a report
//! - `part`: the part of a suite that is checked
//! - `text`: the result as text

pub mod args;
pub mod checked;
pub mod engine_info;
pub mod part;
pub mod report;
pub mod text;

pub use args::SuiteArgs;

use std::io::Write;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use checked::Checked;
use perft_core::suite::KnownCount;
use perft_diagnosis::{Told, diagnose};
use report::{Check, SuiteReport, SuitesReport};
use text::{SHOWN, write_problem};

use super::hunt::report::CauseReport;
use crate::input::suite_reader::{is_built_in, read_suites};
use crate::input::unread::UnreadInput;
use crate::output::context::Context;
use crate::output::error::{CliError, exit_code, note};
use crate::output::printer::Printer;
use crate::output::terminal::{progress_bar, progress_line};
use crate::output::{Format, emit, grouped};

/// The largest right count of a wrong answer for which causes are searched.
const MAX_WRONG_NODES: u128 = 200_000;

/// The largest count of a right answer that causes must give, too.
const MAX_RIGHT_NODES: u128 = 10_000;

/// The largest number of answers for which causes are searched.
const MAX_ANSWERS: usize = 500;

/// More mistakes than this say nothing about the cause.
const MAX_CAUSES: usize = 12;

/// Runs the command.
pub fn run(args: SuiteArgs, context: &Context, out: &mut (impl Write + Send)) -> Result<ExitCode, CliError> {
    let _unread = args.suites.is_empty().then(|| UnreadInput::watch("perft suite -".to_owned(), context));
    let suites = read_suites(&args.suites, &context.stop)?;
    if !context.global.quiet {
        // The built-in suites are as they should be.
        let given = suites.iter().filter(|suite| !is_built_in(&suite.name));
        given.for_each(|suite| suite.notes.iter().for_each(|text| note(format!("{}: {text}", suite.name))));
    }
    let format = args.output.format();
    let checked = Checked::new(&args, suites, context)?;
    let start = Instant::now();
    let (reports, causes) = check_all(&checked, format, context, out)?;
    let seconds = start.elapsed().as_secs_f64();
    let complete = reports.iter().all(|report| report.complete);
    if !complete && reports.iter().all(|report| report.checked == 0) {
        return Err(CliError::Interrupted("nothing was finished".to_owned()));
    }
    let passed = complete && reports.iter().all(SuiteReport::passed);
    let (provenance, engine) = checked.finish(context);
    let next = args.next_command();
    let report =
        SuitesReport { provenance, engine, complete, passed, seconds, suites: reports, causes, next };
    emit(&report, format, out)?;
    if !complete {
        return Err(interrupted(&report.suites));
    }
    let has = |number: fn(&SuiteReport) -> usize| report.suites.iter().any(|suite| number(suite) > 0);
    Ok(exit_code(has(|suite| suite.wrong_counts.len()), has(|suite| suite.unanswered.len())))
}

/// Checks all parts and returns a report of each, and the causes of wrong counts. Shows the progress and, as text, each problem when it is found. If
/// there are many, not all are shown.
fn check_all(
    checked: &Checked,
    format: Format,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<(Vec<SuiteReport>, Vec<CauseReport>), CliError> {
    let parts = &checked.parts;
    let counts: Vec<_> = parts.iter().flat_map(|part| part.suite.known_counts(&checked.limits)).collect();
    let nodes = counts.iter().fold(0, |sum: u64, (_, known)| sum.saturating_add(nodes_of(known)));
    let label = if let [part] = parts.as_slice() { &part.suite.name } else { "suite" };
    let bar = progress_bar(context, label, "{percent:>3}%  {msg}", nodes);
    let printer = (format == Format::Text).then(|| Printer::new(bar.clone(), &context.stop, out));
    let so_far = Mutex::new(SoFar { checks: vec![Vec::new(); parts.len()], problems: vec![0; parts.len()] });
    checked.check(&context.stop, |index, check| {
        let mut so_far = so_far.lock().unwrap_or_else(PoisonError::into_inner);
        bar.inc(nodes_of(&check.expected()));
        if !check.is_right() {
            so_far.problems[index] += 1;
            // Refusals of the same kind are told once.
            let is_told = check.is_refused && so_far.checks.iter().flatten().any(|other| other.is_refused);
            if let Some(printer) = printer.as_ref().filter(|_| !is_told && so_far.problems[index] <= SHOWN) {
                printer.print(|out| write_problem(&parts[index].suite.name, &check, out));
            }
            if checked.skips_deeper() {
                check.deeper(&checked.limits).for_each(|known| bar.inc(nodes_of(known)));
            }
        }
        so_far.checks[index].push(check);
        bar.set_message(so_far.message(counts.len()));
    });
    bar.finish_and_clear();
    printer.map_or(Ok(()), Printer::finish)?;
    let SoFar { checks, .. } = so_far.into_inner().unwrap_or_else(PoisonError::into_inner);
    let causes = causes(checks.iter().flatten(), context);
    let reports = parts.iter().zip(checks).map(|(part, checks)| SuiteReport::new(part, checked, checks));
    Ok((reports.collect(), causes))
}

/// Returns the mistakes with which a program gives all wrong answers of an engine, and its smallest right ones. There
/// are none if many mistakes do, or if a wrong count is too large to be counted with mistakes.
fn causes<'a>(checks: impl Iterator<Item = &'a Check<'a>>, context: &Context) -> Vec<CauseReport> {
    let (mut right, wrong): (Vec<&Check>, Vec<&Check>) = checks.partition(|check| check.is_right());
    if wrong.is_empty() || wrong.iter().any(|check| check.expected().nodes > MAX_WRONG_NODES) {
        return Vec::new();
    }
    right.retain(|check| check.expected().nodes <= MAX_RIGHT_NODES);
    right.sort_by_key(|check| check.expected().nodes);
    right.truncate(MAX_ANSWERS.saturating_sub(wrong.len()));
    let told: Vec<Told> = wrong.iter().filter_map(|check| check.told()).collect();
    if told.len() < wrong.len() || told.len() > MAX_ANSWERS {
        return Vec::new();
    }
    let line = progress_line(context, "suite");
    line.set_message("looking for the cause");
    let told = told.into_iter().chain(right.iter().filter_map(|check| check.told())).collect();
    let found = diagnose(told, &context.stop, &|_| {}).causes;
    line.finish_and_clear();
    if found.len() > MAX_CAUSES { Vec::new() } else { found.into_iter().map(CauseReport::from).collect() }
}

/// Returns the number of leaf nodes, as a number of steps of the bar.
fn nodes_of(known: &KnownCount) -> u64 {
    u64::try_from(known.nodes).unwrap_or(u64::MAX)
}

struct SoFar<'a> {
    /// The checks of each part.
    checks: Vec<Vec<Check<'a>>>,
    /// The number of wrong and missing counts of each part.
    problems: Vec<usize>,
}

impl SoFar<'_> {
    fn message(&self, counts: usize) -> String {
        let checked: usize = self.checks.iter().map(Vec::len).sum();
        match self.problems.iter().sum() {
            0 => format!("{checked} of {counts} counts"),
            problems => format!("{checked} of {counts} counts, {problems} wrong"),
        }
    }
}

/// Returns the error for suites that were interrupted: how many counts of each were made.
fn interrupted(reports: &[SuiteReport]) -> CliError {
    let counts = |report: &SuiteReport| format!("{}: {}", report.name, grouped(report.checked as u128));
    let counts: Vec<String> = reports.iter().map(counts).collect();
    CliError::Interrupted(format!("the counts so far are reported ({})", counts.join(", ")))
}
