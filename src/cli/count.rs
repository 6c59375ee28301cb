//! `perft --fen … --depth N`: the count, one line a depth.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use crate::bench::{ProcessorTime, Sample, usage};
use crate::report::count::{CountReport, DepthResult};
use crate::report::hyperfine::Timings;
use crate::report::{PositionInfo, grouped, write_json};
use clap::{Args, ValueEnum};
use perft_core::Position;
use perft_core::internals::forecast;
use perft_core::{ExactCount, ExactError, PlyCount, Progress};

use super::args::{Counting, CountingArgs, ExactArgs, PositionArgs, parse_depth};
use super::context::Context;
use super::error::{CliError, warn};
use super::export::Export;
use super::input::{for_each_position, is_stream, one_position};
use super::progress::watch;

#[derive(Debug, Args)]
pub struct CountArgs {
    /// Depth in plies
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// Print the last depth only
    #[arg(long)]
    single: bool,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write the result to a file too: JSON, which hyperfine's scripts read
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line a depth, as qperft prints it
    Text,
    /// One JSON object; from standard input, one a line
    Json,
    /// A JSON object on one line
    Jsonl,
    /// Comma-separated values
    Csv,
    /// A Markdown table
    Markdown,
}

/// Runs the verb.
pub fn run(args: CountArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let mut counting = args.counting.build(context)?;
    args.exact.apply(&mut counting, context.global.verbose)?;
    match &args.output.export_json {
        None => for_each_position(&args.position, context, |position| {
            one(position, &args, &counting, context, out).map(drop)
        })?,
        Some(path) => {
            let position = one_position(&args.position, context)?;
            let export = Export::prepare(path)?;
            let report = one(&position, &args, &counting, context, out)?;
            export.write(|mut out| write_json(&report, false, &mut out))?;
        }
    }
    counting.say_what_the_table_did(context);
    Ok(ExitCode::SUCCESS)
}

fn one(
    position: &Position,
    args: &CountArgs,
    counting: &Counting,
    context: &Context,
    out: &mut impl Write,
) -> Result<CountReport, CliError> {
    warn_of_a_lifetime(position, args.depth, counting, context);
    let is_text = args.format() == Format::Text;
    if is_text && is_stream(&args.position) {
        writeln!(out, "{position}")?;
    }
    let first = if args.output.single { args.depth } else { args.depth.min(1) };
    let mut results = Vec::new();
    for depth in first..=args.depth {
        let (mut result, sample) =
            timed(position, depth, counting, context).map_err(|error| match error {
                ExactError::Interrupted(_) => {
                    interrupted(depth, results.last().map(|last: &DepthResult| last.depth))
                }
                wrong => wrong.into(),
            })?;
        result.timings = args.timings(depth, sample);
        if is_text {
            write_line(&result, depth == args.depth, out)?;
        }
        results.push(result);
    }
    let info = PositionInfo::new(position, args.position.notation(position));
    let report = CountReport::new(counting.report_head(), info, results);
    match args.format() {
        Format::Text => Ok(()),
        Format::Json => write_json(&report, is_stream(&args.position), out),
        Format::Jsonl => write_json(&report, true, out),
        Format::Csv => report.write_csv(out),
        Format::Markdown => report.write_markdown(out),
    }?;
    out.flush()?;
    Ok(report)
}

impl CountArgs {
    fn format(&self) -> Format {
        if self.output.json { Format::Json } else { self.output.format }
    }

    /// The count as a benchmark of one run, if that is asked.
    fn timings(&self, depth: u32, sample: Sample) -> Option<Timings> {
        self.output.export_json.as_ref()?;
        let name = format!("{}, depth {depth}", self.position.name());
        let parameters = BTreeMap::from([("depth", depth.to_string())]);
        Some(Timings::new(name, self.command(depth), parameters, &[sample]))
    }

    /// The command that counts a depth in the same way.
    fn command(&self, depth: u32) -> String {
        let flags = [self.position.flags(), self.counting.flags(), self.exact.flags()].concat();
        format!("perft {} --depth {depth} --single", shell_words::join(flags))
    }
}

/// Counts to a depth, with progress, and takes the time.
fn timed(
    position: &Position,
    depth: u32,
    counting: &Counting,
    context: &Context,
) -> Result<(DepthResult, Sample), ExactError> {
    let progress = Progress::new(context.stop.clone());
    let label = format!("perft({depth})");
    let Counting { perft, head, .. } = counting;
    let before = usage();
    let start = Instant::now();
    let (mut result, exact) = if head.mode == "exact" {
        let count = || perft.count_exact(position, depth, head.memory_bytes, &progress);
        let count = watch(context, &label, &progress, count)?;
        (DepthResult::of_exact(depth, &count, start.elapsed()), Some(count))
    } else {
        let nodes = watch(context, &label, &progress, || perft.count(position, depth, &progress))?;
        (DepthResult::new(depth, nodes, start.elapsed()), None)
    };
    let after = usage();
    if let Some(count) = exact.filter(|_| context.global.verbose) {
        say_split(depth, &count);
    }
    let processor = before.zip(after).map(|(before, after)| ProcessorTime::between(&before, &after));
    result.processor_seconds = processor.map(|time| time.seconds());
    let sample = Sample {
        nodes: result.nodes(),
        seconds: result.seconds,
        processor,
        work_seconds: result.processor_seconds,
        peak_memory_bytes: after.map(|usage| usage.peak_memory_bytes),
    };
    Ok((result, sample))
}

/// Says on standard error how an exact count was made.
fn say_split(depth: u32, count: &ExactCount) {
    let PlyCount { ply, positions, nodes } = count.split();
    let (positions, nodes) = (grouped(positions.into()), grouped(nodes));
    let (rest, checked) = (depth - ply, count.checked_ply);
    anstream::eprintln!(
        "perft({depth}): {positions} positions of {nodes} nodes at ply {ply}, {rest} plies counted below each; \
         plies to {checked} compared with plain counts"
    );
}

fn write_line(result: &DepthResult, is_last: bool, out: &mut impl Write) -> Result<(), CliError> {
    let line = result.qperft_line(std::io::stdout().is_terminal());
    if is_last {
        let bold = anstyle::Style::new().bold();
        writeln!(out, "{bold}{line}{bold:#}  {}", result.rate())?;
    } else {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
}

/// Ctrl-C at a depth; `last` is the one that was counted before.
pub fn interrupted(depth: u32, last: Option<u32>) -> CliError {
    CliError::Interrupted(match last {
        Some(last) => format!("depth {depth} is unfinished; depth {last} is the last that is counted"),
        None => format!("depth {depth} is unfinished"),
    })
}

const SECONDS_A_YEAR: f64 = 31_557_600.0;

/// What one person can wait for.
const LIFETIME_SECONDS: f64 = 80.0 * SECONDS_A_YEAR;

/// Warns if a depth would take longer than a lifetime, judged by counts that take some milliseconds.
pub fn warn_of_a_lifetime(position: &Position, depth: u32, counting: &Counting, context: &Context) {
    let budget = 0.02;
    let mut counts = vec![1];
    let start = Instant::now();
    let mut rate = 0.0;
    for shallow in 1..depth {
        let before = start.elapsed().as_secs_f64();
        let Ok(nodes) = counting.plain.count(position, shallow, &Progress::new(context.stop.clone())) else {
            return;
        };
        let took = start.elapsed().as_secs_f64() - before;
        counts.push(nodes);
        rate = nodes as f64 / took.max(1e-9);
        if start.elapsed().as_secs_f64() + took * 40.0 > budget {
            break;
        }
    }
    let nodes = forecast(&counts, depth);
    let seconds = nodes / (rate * counting.head.threads as f64);
    if rate > 0.0 && seconds > LIFETIME_SECONDS && !context.global.quiet {
        let years = seconds / SECONDS_A_YEAR;
        warn(format!(
            "depth {depth} has about {nodes:.0e} nodes, {years:.0e} years of plain counting; counting all the same"
        ));
    }
}
