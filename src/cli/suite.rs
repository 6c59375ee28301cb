//! `perft suite`: checks positions with known counts.

use std::borrow::Cow;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use clap::{Args, ValueEnum};
use perft_core::suite::{Case, KnownCount, Limits, Outcome, Suite};
use perft_core::{CastlingNotation, Interrupted, StopSignal};
use perft_diagnosis::source::{Abilities, CountSource};

use super::args::{Counting, CountingArgs, parse_depth, parse_nodes};
use super::context::Context;
use super::engine::EngineArgs;
use super::error::{CliError, ENGINE_FAILED, WRONG, warn};
use super::fold::folded;
use super::suite_reader::open_suites;
use super::terminal::{progress_bar, styled};
use crate::engine::{self, Engine, EngineSpec, SuiteAnswer};
use crate::report::suite::{
    Check, EngineInfo, Family, SuiteReport, SuitesReport, Unanswered, WrongCount, ability_notes,
};
use crate::report::{self, grouped, mega_per_second, write_json};

const EXAMPLES: &str = "\
Examples:
  perft suite                            check every built-in suite
  perft suite standard chess960 -t all   check two of them, on all cores
  perft suite my.epd --max-nodes 10M     check a file, without the slow counts
  cat my.epd | perft suite - --json      read from standard input
  perft suite --engine stockfish         check an engine
  perft suite --engine ./my-engine --format junit > perft.xml";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct SuiteArgs {
    /// Suites to check: built-in names ("perft positions" lists them), EPD files, or "-" for standard input [default:
    /// all built-in suites]
    #[arg(value_name = "NAME|FILE|-")]
    suites: Vec<String>,
    /// Skip known counts above this number: 1000000, 10M, 1G
    #[arg(long, value_name = "N", default_value = "1G", value_parser = parse_nodes, help_heading = "Counting")]
    max_nodes: u128,
    /// Skip known counts deeper than this [default: no limit]
    #[arg(long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    max_depth: Option<u32>,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// Format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Every wrong count, then one line per suite
    Text,
    /// One JSON object
    Json,
    /// JUnit XML with one test case per position
    Junit,
}

/// Runs the command.
pub fn run(args: SuiteArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let suites = open_suites(&args.suites, &context.stop)?;
    let limits = Limits { max_nodes: args.max_nodes, max_depth: args.max_depth.unwrap_or(u32::MAX) };
    let format = if args.output.json { Format::Json } else { args.output.format };
    let mut checked = Checked::new(&args, context)?;
    let start = Instant::now();
    let mut reports = Vec::new();
    for mut suite in suites {
        let begin = Instant::now();
        let mut report = SuiteReport::empty(suite.name());
        while let Some(block) = suite.next_block()? {
            if !context.global.quiet {
                warn_of_ignored_fields(&block);
            }
            let part = checked.leave_out(&block, &limits, &context.stop);
            report.extend(part.check(&mut checked, context)?, format == Format::Junit);
        }
        report.notes = checked.notes(report.not_chess960);
        if format == Format::Text {
            write_text(&report, begin.elapsed(), out)?;
        }
        reports.push(report);
    }
    let passed = reports.iter().all(SuiteReport::passed);
    let code = exit_code(&reports);
    let seconds = start.elapsed().as_secs_f64();
    let (provenance, engine) = checked.finish(context);
    let report = SuitesReport { provenance, engine, passed, seconds, suites: reports };
    match format {
        Format::Text => {}
        Format::Json => write_json(&report, false, out)?,
        Format::Junit => report.write_junit(out)?,
    }
    Ok(code)
}

/// Returns the exit code: a wrong count takes precedence over an engine that gave no answer.
fn exit_code(reports: &[SuiteReport]) -> ExitCode {
    if reports.iter().any(|report| !report.failures.is_empty()) {
        ExitCode::from(WRONG)
    } else if reports.iter().any(|report| !report.unanswered.is_empty()) {
        ExitCode::from(ENGINE_FAILED)
    } else {
        ExitCode::SUCCESS
    }
}

/// What the suite checks: a built-in generator, or an engine.
enum Checked {
    Generator(Box<Counting>),
    Engine {
        spec: Box<EngineSpec>,
        processes: usize,
        head: Box<report::Provenance>,
        /// The name that the engine gives itself.
        name: Option<String>,
        /// What the engine can be asked, once it has been started.
        abilities: Option<Abilities>,
    },
}

/// The part of a block of a suite that is checked.
struct Part<'a> {
    suite: Cow<'a, Suite>,
    limits: Limits,
    /// The number of Chess960 positions that are left out.
    not_chess960: usize,
}

impl Checked {
    fn new(args: &SuiteArgs, context: &Context) -> Result<Checked, CliError> {
        if args.engine.is_given() {
            args.counting.refuse_with_engine()?;
        }
        let Some(spec) = args.engine.build(&context.stop)? else {
            return Ok(Checked::Generator(Box::new(args.counting.build(context)?)));
        };
        let processes = args.counting.machine.threads.count();
        let head =
            Box::new(report::Provenance { generator: "foreign", ..args.counting.build(context)?.head });
        Ok(Checked::Engine { spec: Box::new(spec), processes, head, name: None, abilities: None })
    }

    /// Leaves out what an engine cannot be asked: Chess960 positions, and depths.
    fn leave_out<'a>(&mut self, suite: &'a Suite, limits: &Limits, stop: &StopSignal) -> Part<'a> {
        let Checked::Engine { spec, abilities, .. } = self else {
            return Part { suite: Cow::Borrowed(suite), limits: *limits, not_chess960: 0 };
        };
        let abilities = *abilities.get_or_insert_with(|| {
            let mut engine = Engine::new(spec.as_ref().clone());
            // If the engine does not start, the answers say so.
            let _ = engine.prepare(stop);
            engine.abilities()
        });
        Part::within(&abilities, suite, limits)
    }

    /// Returns what the engine was not asked, in sentences.
    fn notes(&self, not_chess960: usize) -> Vec<String> {
        match self {
            Checked::Engine { abilities: Some(abilities), .. } => ability_notes(abilities, not_chess960),
            _ => Vec::new(),
        }
    }

    /// Checks a suite and calls `done` after every count. Also returns how many counts were skipped after a failure.
    fn check<'a>(
        &mut self,
        suite: &'a Suite,
        limits: &Limits,
        stop: &StopSignal,
        done: impl Fn(&KnownCount) + Sync,
    ) -> Result<(Vec<Check<'a>>, usize), Interrupted> {
        match self {
            Checked::Generator(counting) => {
                let report = |outcome: &Outcome| done(&outcome.expected);
                let outcomes = suite.check(limits, &counting.perft, stop, report)?;
                Ok((outcomes.iter().map(Check::from).collect(), 0))
            }
            Checked::Engine { spec, processes, name, .. } => {
                let report = |answer: &SuiteAnswer| done(&answer.expected);
                let new_engine = || -> Box<dyn CountSource> { Box::new(Engine::new(spec.as_ref().clone())) };
                let found = engine::check_suite(suite, limits, &new_engine, *processes, stop, report)?;
                *name = found.source_name.or(name.take());
                Ok((found.answers.iter().map(Check::from).collect(), found.not_asked))
            }
        }
    }

    /// Returns the fields that every report begins with, and the description of the engine.
    fn finish(self, context: &Context) -> (report::Provenance, Option<EngineInfo>) {
        match self {
            Checked::Generator(counting) => {
                counting.print_table_statistics(context);
                (counting.report_head(), None)
            }
            Checked::Engine { spec, head, name, .. } => {
                let command = shell_words::join(&spec.command);
                (*head, Some(EngineInfo { command, dialect: spec.dialect, name }))
            }
        }
    }
}

fn warn_of_ignored_fields(suite: &Suite) {
    for case in &suite.cases {
        for warning in &case.warnings {
            warn(format!("{}:{}: {warning}", suite.name, case.line));
        }
    }
}

impl<'a> Part<'a> {
    /// Returns the part that an engine with these abilities can be asked.
    fn within(abilities: &Abilities, suite: &'a Suite, limits: &Limits) -> Part<'a> {
        let max_depth = limits.max_depth.min(abilities.max_depth.unwrap_or(u32::MAX));
        let limits = Limits { max_depth, ..*limits };
        let mut suite = Cow::Borrowed(suite);
        let positions = suite.cases.len();
        if !abilities.is_chess960 {
            let is_standard = |case: &Case| case.position.castling_notation() == CastlingNotation::Standard;
            suite.to_mut().cases.retain(is_standard);
        }
        let not_chess960 = positions - suite.cases.len();
        Part { suite, limits, not_chess960 }
    }

    /// Checks one suite and shows the progress.
    fn check(self, checked: &mut Checked, context: &Context) -> Result<SuiteReport, CliError> {
        let Part { suite, limits, not_chess960 } = &self;
        let all = suite.cases.iter().flat_map(|case| &case.expected);
        let (admitted, left_out): (Vec<&KnownCount>, Vec<&KnownCount>) =
            all.partition(|expected| limits.allows(expected));
        let nodes: u128 = admitted.iter().map(|expected| expected.nodes).fold(0, u128::saturating_add);
        let bar = progress_bar(context, "{percent:>3}%", u64::try_from(nodes).unwrap_or(u64::MAX))
            .with_prefix(suite.name.clone());
        let done = AtomicU64::new(0);
        let note = |expected: &KnownCount| {
            bar.inc(u64::try_from(expected.nodes).unwrap_or(u64::MAX));
            done.fetch_add(1, Relaxed);
        };
        let checks = checked.check(suite, limits, &context.stop, note);
        bar.finish_and_clear();
        let (checks, not_asked) = checks.map_err(|_| {
            CliError::Interrupted(format!(
                "{}: {} of {} counts are done",
                suite.name,
                done.load(Relaxed),
                admitted.len()
            ))
        })?;
        let mut report = SuiteReport::new(&suite.name, suite.cases.len(), left_out.len(), &checks);
        report.not_asked = not_asked;
        report.not_chess960 = *not_chess960;
        Ok(report)
    }
}

/// How many wrong counts of a suite, and how many unanswered ones, the text shows.
const SHOWN: usize = 20;

fn write_text(report: &SuiteReport, elapsed: Duration, out: &mut impl Write) -> std::io::Result<()> {
    for failure in report.failures.iter().take(SHOWN) {
        write_failure(&report.name, failure, out)?;
    }
    for unanswered in report.unanswered.iter().take(SHOWN) {
        write_unanswered(&report.name, unanswered, out)?;
    }
    let hidden = report.failures.len().saturating_sub(SHOWN) + report.unanswered.len().saturating_sub(SHOWN);
    if hidden > 0 {
        writeln!(out, "... and {hidden} more; --json lists all")?;
    }
    let seconds = elapsed.as_secs_f64();
    writeln!(
        out,
        "{}: {} positions, {} counts, {}; {} nodes in {seconds:.3} s, {}",
        report.name,
        report.positions,
        report.counts,
        outcome(report),
        grouped(report.nodes),
        mega_per_second(report.nodes, seconds)
    )?;
    for Family { name, positions, failed } in report.failed_families() {
        writeln!(out, "  {name}: {failed} of {positions} positions fail")?;
    }
    if report.skipped > 0 {
        writeln!(out, "  {} known counts skipped (--max-nodes, --max-depth)", report.skipped)?;
    }
    if report.not_asked > 0 {
        writeln!(out, "  {} deeper counts of failed positions skipped", report.not_asked)?;
    }
    report.notes.iter().try_for_each(|note| writeln!(out, "  {note}"))?;
    out.flush()
}

fn outcome(report: &SuiteReport) -> String {
    let wrong = match report.failures.len() {
        0 => None,
        wrong => Some(styled(&format!("{wrong} wrong"), AnsiColor::Red)),
    };
    let unanswered = match report.unanswered.len() {
        0 => None,
        unanswered => Some(styled(&format!("{unanswered} unanswered"), AnsiColor::Yellow)),
    };
    match (wrong, unanswered) {
        (None, None) if report.positions == 0 => styled("nothing asked", AnsiColor::Yellow),
        (None, None) => styled("all right", AnsiColor::Green),
        (Some(wrong), Some(unanswered)) => format!("{wrong}, {unanswered}"),
        (Some(one), None) | (None, Some(one)) => one,
    }
}

fn write_unanswered(suite: &str, unanswered: &Unanswered, out: &mut impl Write) -> std::io::Result<()> {
    let mark = styled("unanswered", AnsiColor::Yellow);
    writeln!(out, "{mark}: {suite}:{}: {} at depth {}", unanswered.line, unanswered.name, unanswered.depth)?;
    writeln!(out, "  {}\n  {}", unanswered.fen, folded(&unanswered.reason, 2))
}

fn write_failure(suite: &str, failure: &WrongCount, out: &mut impl Write) -> std::io::Result<()> {
    let wrong = styled("wrong", AnsiColor::Red);
    writeln!(out, "{wrong}: {suite}:{}: {} at depth {}", failure.line, failure.name, failure.depth)?;
    if let Some(comment) = &failure.comment {
        writeln!(out, "  {comment}")?;
    }
    writeln!(out, "  expected   {:>20}", grouped(failure.expected))?;
    writeln!(out, "  found      {:>20}", grouped(failure.found))?;
    writeln!(out, "  difference {:>20}", failure.difference())?;
    writeln!(out, "  {}", failure.command)
}

#[cfg(test)]
mod tests {
    use perft_core::suite::builtin;

    use super::*;

    #[test]
    fn an_engine_is_asked_only_what_it_can_be_asked() {
        let suite = builtin::suite("chess960").unwrap().suite();
        let all = Part::within(&Abilities::default(), suite, &Limits::NONE);
        assert_eq!(
            (all.suite.cases.len(), all.not_chess960, all.limits),
            (suite.cases.len(), 0, Limits::NONE)
        );
        let simple = Abilities { plays_moves: false, is_chess960: false, max_depth: Some(1) };
        let part = Part::within(&simple, suite, &Limits::NONE);
        let is_chess960 = |case: &Case| case.position.castling_notation() == CastlingNotation::Chess960;
        assert!(!part.suite.cases.iter().any(is_chess960));
        assert_eq!(part.limits.max_depth, 1);
        let left_out = suite.cases.iter().filter(|case| is_chess960(case)).count();
        let note = format!(
            "{left_out} Chess960 positions were not asked: the engine does not announce UCI_Chess960"
        );
        assert_eq!(part.not_chess960, left_out);
        assert!(left_out > 100 && ability_notes(&simple, left_out).contains(&note));
    }
}
