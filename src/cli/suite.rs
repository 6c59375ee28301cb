//! `perft suite`: positions with known counts.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::engine::{EngineSpec, Verdict, verify};
use crate::report::suite::{
    Check, EngineInfo, Failure as WrongCount, Family, SuiteReport, SuitesReport, Unanswered,
};
use crate::report::{self, grouped, mega_per_second, write_json};
use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use perft_core::suite::{Expected, Limits, Outcome, Suite, builtin, epd};
use perft_core::{Interrupted, StopSignal};

use super::args::{Counting, CountingArgs, parse_depth, parse_nodes, parse_threads};
use super::context::{Context, When};
use super::engine::EngineArgs;
use super::error::{CliError, ENGINE_FAILED, WRONG, warn};
use super::terminal::draw_target;

const EXAMPLES: &str = "\
Examples:
  perft suite                              every built-in suite
  perft suite standard chess960 -t all     two of them, on all cores
  perft suite my.epd --max-nodes 10M       a file; leave out what takes long
  cat my.epd | perft suite - --json        from standard input, for a program
  perft suite --engine stockfish -t all    every built-in suite on another program
  perft suite --engine ./my-engine --format junit > perft.xml";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}"
)]
pub struct SuiteArgs {
    /// Built-in suites (perft positions lists them), EPD files, or - for standard input; all built-in ones if none
    /// is given
    #[arg(value_name = "NAME|FILE|-")]
    suites: Vec<String>,
    /// Leave out known counts above this: 1000000, 10M, 1G
    #[arg(long, value_name = "N", default_value = "1G", value_parser = parse_nodes, help_heading = "Counting")]
    max_nodes: u128,
    /// Leave out known counts deeper than this
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
    /// The format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// What is wrong, then a line a suite
    Text,
    /// One JSON object
    Json,
    /// JUnit's XML, a test case a position
    Junit,
}

/// Runs the verb.
pub fn run(args: SuiteArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let suites = read_all(&args.suites)?;
    let limits = Limits { max_nodes: args.max_nodes, max_depth: args.max_depth.unwrap_or(u32::MAX) };
    let format = if args.output.json { Format::Json } else { args.output.format };
    let mut counter = Counter::new(&args, context)?;
    let start = Instant::now();
    let mut reports = Vec::new();
    for suite in &suites {
        if !context.global.quiet {
            warn_of_what_is_left_out(suite);
        }
        let begin = Instant::now();
        let report = one(suite, &limits, &mut counter, context)?;
        if format == Format::Text {
            write_text(&report, begin.elapsed(), out)?;
        }
        reports.push(report);
    }
    let passed = reports.iter().all(SuiteReport::passed);
    let code = exit_code(&reports);
    let seconds = start.elapsed().as_secs_f64();
    let (context, engine) = counter.finish(context);
    let report = SuitesReport { context, engine, passed, seconds, suites: reports };
    match format {
        Format::Text => {}
        Format::Json => write_json(&report, false, out)?,
        Format::Junit => report.write_junit(out)?,
    }
    Ok(code)
}

/// A wrong count weighs more than a program that gave none.
fn exit_code(reports: &[SuiteReport]) -> ExitCode {
    if reports.iter().any(|report| !report.failures.is_empty()) {
        ExitCode::from(WRONG)
    } else if reports.iter().any(|report| !report.unanswered.is_empty()) {
        ExitCode::from(ENGINE_FAILED)
    } else {
        ExitCode::SUCCESS
    }
}

/// What counts: our own driver, or a foreign program.
enum Counter {
    Ours(Box<Counting>),
    Foreign {
        spec: EngineSpec,
        processes: usize,
        head: Box<report::Context>,
        /// What the program calls itself.
        name: Option<String>,
    },
}

impl Counter {
    fn new(args: &SuiteArgs, context: &Context) -> Result<Counter, CliError> {
        if args.engine.is_given() {
            args.counting.refuse_with_engine()?;
        }
        let Some(spec) = args.engine.build(&context.stop)? else {
            return Ok(Counter::Ours(Box::new(args.counting.build(context)?)));
        };
        let processes = parse_threads(&args.counting.threads)?;
        let head = Box::new(report::Context { generator: "foreign", ..args.counting.build(context)?.head });
        Ok(Counter::Foreign { spec, processes, head, name: None })
    }

    /// Runs a suite, noting every count that is made.
    fn check<'a>(
        &mut self,
        suite: &'a Suite,
        limits: &Limits,
        stop: &StopSignal,
        done: impl Fn(&Expected) + Sync,
    ) -> Result<(Vec<Check<'a>>, usize), Interrupted> {
        match self {
            Counter::Ours(counting) => {
                let report = |outcome: &Outcome| done(&outcome.expected);
                let outcomes = perft_core::suite::run(suite, limits, &counting.perft, stop, report)?;
                Ok((outcomes.iter().map(Check::from).collect(), 0))
            }
            Counter::Foreign { spec, processes, name, .. } => {
                let report = |verdict: &Verdict| done(&verdict.expected);
                let verification = verify(suite, limits, spec, *processes, stop, report)?;
                *name = verification.engine.or(name.take());
                Ok((verification.verdicts.iter().map(Check::from).collect(), verification.not_asked))
            }
        }
    }

    /// The head of the report, and the foreign program in it.
    fn finish(self, context: &Context) -> (report::Context, Option<EngineInfo>) {
        match self {
            Counter::Ours(counting) => {
                counting.say_what_the_table_did(context);
                (counting.report_head(), None)
            }
            Counter::Foreign { spec, head, name, .. } => {
                let command = shell_words::join(&spec.command);
                (*head, Some(EngineInfo { command, dialect: spec.dialect.name(), name }))
            }
        }
    }
}

/// The suites of these names; all built-in ones without any.
pub fn read_all(names: &[String]) -> Result<Vec<Suite>, CliError> {
    if names.is_empty() {
        return Ok(builtin::suites().iter().map(|built_in| built_in.suite().clone()).collect());
    }
    names.iter().map(|name| read(name)).collect()
}

/// The built-in suite of this name, or that of a file or of standard input.
pub fn read(name: &str) -> Result<Suite, CliError> {
    if let Some(built_in) = builtin::suite(name) {
        return Ok(built_in.suite().clone());
    }
    let mut bytes = Vec::new();
    let (origin, reading) = match name {
        "-" => ("standard input", std::io::stdin().read_to_end(&mut bytes).map(|_| ())),
        _ => (name, std::fs::read(name).map(|content| bytes = content)),
    };
    reading.map_err(|error| {
        let names: Vec<&str> = builtin::suites().iter().map(|built_in| built_in.name).collect();
        CliError::usage(format!("cannot read the suite '{origin}': {error}"))
            .help(format!("a file, -, or a built-in suite: {}", names.join(", ")))
    })?;
    let suite = epd::read(origin, &String::from_utf8_lossy(&bytes))?;
    if suite.cases.is_empty() {
        return Err(CliError::usage(format!("the suite '{origin}' has no positions")));
    }
    Ok(suite)
}

fn warn_of_what_is_left_out(suite: &Suite) {
    for case in &suite.cases {
        for warning in &case.warnings {
            warn(format!("{}:{}: {warning}", suite.name, case.line));
        }
    }
}

fn one(
    suite: &Suite,
    limits: &Limits,
    counter: &mut Counter,
    context: &Context,
) -> Result<SuiteReport, CliError> {
    let all = suite.cases.iter().flat_map(|case| &case.expected);
    let (admitted, left_out): (Vec<&Expected>, Vec<&Expected>) =
        all.partition(|expected| limits.admit(expected));
    let bar = bar(&suite.name, admitted.iter().map(|expected| expected.nodes).sum(), context);
    let done = AtomicU64::new(0);
    let note = |expected: &Expected| {
        bar.inc(u64::try_from(expected.nodes).unwrap_or(u64::MAX));
        done.fetch_add(1, Relaxed);
    };
    let checks = counter.check(suite, limits, &context.stop, note);
    bar.finish_and_clear();
    let (checks, not_asked) = checks.map_err(|_| {
        CliError::Interrupted(format!(
            "{}: {} of {} counts were made",
            suite.name,
            done.load(Relaxed),
            admitted.len()
        ))
    })?;
    let mut report = SuiteReport::new(&suite.name, suite.cases.len(), left_out.len(), &checks);
    report.not_asked = not_asked;
    Ok(report)
}

/// A bar that counts nodes; invisible where it is not wanted.
fn bar(name: &str, nodes: u128, context: &Context) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {wide_bar:.cyan/dim} {percent:>3}%  {eta} left")
        .expect("the template is right");
    let is_hidden = context.global.quiet || context.global.progress == When::Never;
    let target = if is_hidden { ProgressDrawTarget::hidden() } else { draw_target() };
    let bar = ProgressBar::with_draw_target(u64::try_from(nodes).ok(), target).with_style(style);
    bar.with_prefix(name.to_owned())
}

/// So many wrong or unanswered counts of a suite are shown as text.
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
        writeln!(out, "... and {hidden} more, which --json lists")?;
    }
    let seconds = elapsed.as_secs_f64();
    writeln!(
        out,
        "{}: {} positions, {} counts, {}; {} nodes in {seconds:.3} s, {}",
        report.name,
        report.positions,
        report.counts,
        verdict(report),
        grouped(report.nodes),
        mega_per_second(report.nodes, seconds)
    )?;
    for Family { name, positions, failed } in &report.families {
        writeln!(out, "  {name}: {failed} of {positions} positions fail")?;
    }
    if report.skipped > 0 {
        writeln!(out, "  {} known counts left out by --max-nodes or --max-depth", report.skipped)?;
    }
    if report.not_asked > 0 {
        writeln!(out, "  {} deeper counts of positions that failed were not asked for", report.not_asked)?;
    }
    out.flush()
}

fn verdict(report: &SuiteReport) -> String {
    let wrong = match report.failures.len() {
        0 => None,
        wrong => Some(styled(&format!("{wrong} wrong"), AnsiColor::Red)),
    };
    let unanswered = match report.unanswered.len() {
        0 => None,
        unanswered => Some(styled(&format!("{unanswered} unanswered"), AnsiColor::Yellow)),
    };
    match (wrong, unanswered) {
        (None, None) => styled("all right", AnsiColor::Green),
        (Some(wrong), Some(unanswered)) => format!("{wrong}, {unanswered}"),
        (Some(one), None) | (None, Some(one)) => one,
    }
}

fn write_unanswered(suite: &str, unanswered: &Unanswered, out: &mut impl Write) -> std::io::Result<()> {
    let mark = styled("unanswered", AnsiColor::Yellow);
    writeln!(out, "{mark}: {suite}:{}: {} at depth {}", unanswered.line, unanswered.name, unanswered.depth)?;
    writeln!(out, "  {}\n  {}", unanswered.fen, unanswered.reason)
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

fn styled(text: &str, color: AnsiColor) -> String {
    let style = Style::new().bold().fg_color(Some(color.into()));
    format!("{style}{text}{style:#}")
}
