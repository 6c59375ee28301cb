//! `perft suite`: positions with known counts.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use perft::report::suite::{Failure as WrongCount, SuiteReport, SuitesReport};
use perft::report::{grouped, mega_per_second, write_json};
use perft::suite::{Expected, Limits, Outcome, Suite, builtin, epd};

use super::Context;
use super::args::{Counting, CountingArgs, When, parse_depth, parse_nodes};
use super::failure::{Failure, WRONG, warn};
use super::terminal::draw_target;

const EXAMPLES: &str = "\
Examples:
  perft suite                              every built-in suite
  perft suite standard chess960 -t all     two of them, on all cores
  perft suite my.epd --max-nodes 10M       a file; leave out what takes long
  cat my.epd | perft suite - --json        from standard input, for a program";

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
}

/// Runs the verb.
pub fn run(args: SuiteArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let suites = read_all(&args.suites)?;
    let counting = args.counting.build(context)?;
    let limits = Limits { max_nodes: args.max_nodes, max_depth: args.max_depth.unwrap_or(u32::MAX) };
    let is_text = !args.output.json && args.output.format == Format::Text;
    let start = Instant::now();
    let mut reports = Vec::new();
    for suite in &suites {
        if !context.global.quiet {
            warn_of_what_is_left_out(suite);
        }
        let begin = Instant::now();
        let report = one(suite, &limits, &counting, context)?;
        if is_text {
            write_text(&report, begin.elapsed(), out)?;
        }
        reports.push(report);
    }
    counting.say_what_the_table_did(context);
    let passed = reports.iter().all(SuiteReport::passed);
    if !is_text {
        let seconds = start.elapsed().as_secs_f64();
        let report = SuitesReport { context: counting.report_head(), passed, seconds, suites: reports };
        write_json(&report, false, out)?;
    }
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::from(WRONG) })
}

/// The suites of these names; all built-in ones without any.
fn read_all(names: &[String]) -> Result<Vec<Suite>, Failure> {
    if names.is_empty() {
        return Ok(builtin::suites().iter().map(|built_in| built_in.suite().clone()).collect());
    }
    names.iter().map(|name| read(name)).collect()
}

fn read(name: &str) -> Result<Suite, Failure> {
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
        Failure::usage(format!("cannot read the suite '{origin}': {error}"))
            .help(format!("a file, -, or a built-in suite: {}", names.join(", ")))
    })?;
    let suite = epd::read(origin, &String::from_utf8_lossy(&bytes))?;
    if suite.cases.is_empty() {
        return Err(Failure::usage(format!("the suite '{origin}' has no positions")));
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
    counting: &Counting,
    context: &Context,
) -> Result<SuiteReport, Failure> {
    let all = suite.cases.iter().flat_map(|case| &case.expected);
    let (admitted, left_out): (Vec<&Expected>, Vec<&Expected>) =
        all.partition(|expected| limits.admit(expected));
    let bar = bar(&suite.name, admitted.iter().map(|expected| expected.nodes).sum(), context);
    let done = AtomicU64::new(0);
    let report = |outcome: &Outcome| {
        bar.inc(u64::try_from(outcome.expected.nodes).unwrap_or(u64::MAX));
        done.fetch_add(1, Relaxed);
    };
    let outcomes = perft::suite::run(suite, limits, &counting.perft, &context.stop, report);
    bar.finish_and_clear();
    let outcomes = outcomes.map_err(|_| {
        Failure::Interrupted(format!(
            "{}: {} of {} counts were made",
            suite.name,
            done.load(Relaxed),
            admitted.len()
        ))
    })?;
    Ok(SuiteReport::new(&suite.name, suite.cases.len(), left_out.len(), &outcomes))
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

fn write_text(report: &SuiteReport, elapsed: Duration, out: &mut impl Write) -> std::io::Result<()> {
    for failure in &report.failures {
        write_failure(&report.name, failure, out)?;
    }
    let verdict = match report.failures.len() {
        0 => styled("all right", AnsiColor::Green),
        wrong => styled(&format!("{wrong} wrong"), AnsiColor::Red),
    };
    let seconds = elapsed.as_secs_f64();
    writeln!(
        out,
        "{}: {} positions, {} counts, {verdict}; {} nodes in {seconds:.3} s, {}",
        report.name,
        report.positions,
        report.counts,
        grouped(report.nodes),
        mega_per_second(report.nodes, seconds)
    )?;
    if report.skipped > 0 {
        writeln!(out, "  {} known counts left out by --max-nodes or --max-depth", report.skipped)?;
    }
    out.flush()
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
