//! `perft suite`: checks positions with known counts.
//!
//! - `checked`: what is checked: a built-in generator, or an engine
//! - `part`: a part of a suite while it is checked
//! - `text`: the result as text

mod checked;
mod part;
mod text;

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use clap::{Args, ValueEnum};
use perft_core::suite::{Limits, Suite};

use super::args::{CountingArgs, parse_depth, parse_nodes};
use super::context::Context;
use super::engine::EngineArgs;
use super::error::{CliError, ENGINE_FAILED, WRONG, warn};
use super::suite_reader::{SuiteReader, open_suites};
use super::unread::UnreadInput;
use crate::report::suite::{Listed, SuiteReport, SuitesReport};
use crate::report::{grouped, write_json};
use checked::Checked;

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
pub enum Format {
    /// Every wrong count when it is found, then one line per suite
    Text,
    /// One JSON object
    Json,
    /// JUnit XML with one test case per position
    Junit,
}

impl Format {
    /// Returns what the report must list. The problems of the text are printed when they are found.
    fn listed(self) -> Listed {
        match self {
            Format::Text => Listed::Nothing,
            Format::Json => Listed::Problems,
            Format::Junit => Listed::Cases,
        }
    }
}

/// Runs the command.
pub fn run(args: SuiteArgs, context: &Context, out: &mut (impl Write + Send)) -> Result<ExitCode, CliError> {
    let _unread = args.suites.is_empty().then(|| UnreadInput::watch("perft suite -".to_owned(), context));
    let suites = open_suites(&args.suites, &context.stop)?;
    let format = if args.output.json { Format::Json } else { args.output.format };
    let mut checked = Checked::new(&args, context)?;
    let start = Instant::now();
    let reports = check_all(suites, &mut checked, &args.limits(), format, context, out)?;
    let seconds = start.elapsed().as_secs_f64();
    let complete = reports.iter().all(|report| report.complete);
    if !complete && reports.iter().all(|report| report.checked == 0) {
        return Err(CliError::Interrupted("nothing was finished".to_owned()));
    }
    let passed = complete && reports.iter().all(SuiteReport::passed);
    let (provenance, engine) = checked.finish(context);
    let report = SuitesReport { provenance, engine, complete, passed, seconds, suites: reports };
    match format {
        Format::Text => {}
        Format::Json => write_json(&report, false, out)?,
        Format::Junit => report.write_junit(out)?,
    }
    out.flush()?;
    if complete { Ok(exit_code(&report.suites)) } else { Err(interrupted(&report.suites)) }
}

impl SuiteArgs {
    fn limits(&self) -> Limits {
        Limits { max_nodes: self.max_nodes, max_depth: self.max_depth.unwrap_or(u32::MAX), ..Limits::NONE }
    }
}

/// Checks all suites, or those before the stop signal is raised. The reports of the others are empty.
fn check_all(
    suites: Vec<SuiteReader>,
    checked: &mut Checked,
    limits: &Limits,
    format: Format,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<Vec<SuiteReport>, CliError> {
    let mut reports: Vec<SuiteReport> = Vec::new();
    for suite in suites {
        if reports.last().is_some_and(|last| !last.complete) {
            reports.push(SuiteReport::empty(suite.name()).interrupted());
            continue;
        }
        let begin = Instant::now();
        let report = check(suite, checked, limits, format, context, out)?;
        if format == Format::Text && (report.checked > 0 || report.complete) {
            text::write_summary(&report, begin.elapsed(), out)?;
        }
        reports.push(report);
    }
    Ok(reports)
}

/// Checks a suite block by block, until it is complete or the stop signal is raised.
fn check(
    mut suite: SuiteReader,
    checked: &mut Checked,
    limits: &Limits,
    format: Format,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<SuiteReport, CliError> {
    let mut report = SuiteReport::empty(suite.name());
    let shown = AtomicUsize::new(0);
    while report.complete {
        let block = match suite.next_block() {
            Err(CliError::Interrupted(_)) => {
                report.complete = false;
                break;
            }
            block => block?,
        };
        let Some(block) = block else { break };
        if !context.global.quiet {
            warn_of_ignored_fields(&block);
        }
        let part = checked.leave_out(&block, limits, &context.stop);
        report.extend(part.check(checked, format, &shown, context, out)?, format.listed());
    }
    report.notes = checked.notes(report.not_chess960);
    Ok(report)
}

/// Returns the error for suites that were interrupted: how many counts of each were made.
fn interrupted(reports: &[SuiteReport]) -> CliError {
    let counts = |report: &SuiteReport| format!("{}: {}", report.name, grouped(report.checked as u128));
    let counts: Vec<String> = reports.iter().map(counts).collect();
    CliError::Interrupted(format!("the counts so far are reported ({})", counts.join(", ")))
}

/// Returns the exit code: a wrong count takes precedence over an engine that gave no answer.
fn exit_code(reports: &[SuiteReport]) -> ExitCode {
    if reports.iter().any(|report| report.wrong > 0) {
        ExitCode::from(WRONG)
    } else if reports.iter().any(|report| report.missing > 0) {
        ExitCode::from(ENGINE_FAILED)
    } else {
        ExitCode::SUCCESS
    }
}

fn warn_of_ignored_fields(suite: &Suite) {
    for case in &suite.cases {
        for warning in &case.warnings {
            warn(format!("{}:{}: {warning}", suite.name, case.line));
        }
    }
}
