//! `perft unique`: the distinct positions a ply.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

use crate::report::unique::{PlyResult, UniqueReport};
use crate::report::{PositionInfo, grouped, write_json};
use clap::{Args, ValueEnum};
use perft_core::Position;
use perft_core::{Frontier, FrontierError, Interrupted, PlyCount, Progress};

use super::args::{Counting, CountingArgs, PositionArgs, cpu_paths, merging_memory, parse_depth};
use super::context::Context;
use super::error::CliError;
use super::input::{for_each_position, is_stream};
use super::progress::watch;

const EXAMPLES: &str = "\
Examples:
  perft unique --depth 6
  perft unique --fen kiwipete --depth 4 --format markdown
  perft unique --depth 7 --threads all --memory 4G";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}"
)]
pub struct UniqueArgs {
    /// The last ply
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    merging: MergingArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
struct MergingArgs {
    /// Threads, or all for every core
    #[arg(short, long, value_name = "N|all", default_value = "1", allow_negative_numbers = true)]
    threads: String,
    /// The memory for merged positions: 4G, 512M, or a number of MiB [default: 1G, or half of what is free if that is
    /// less]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    memory: Option<String>,
    /// The CPU features to generate moves with
    #[arg(long, value_name = "PATH", default_value = "auto", value_parser = cpu_paths())]
    cpu_path: String,
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
    /// A line a ply
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
pub fn run(args: UniqueArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let counting = args.merging.build(context)?;
    for_each_position(&args.position, context, |position| one(position, &args, &counting, context, out))?;
    Ok(ExitCode::SUCCESS)
}

impl MergingArgs {
    fn build(&self, context: &Context) -> Result<Counting, CliError> {
        let memory_bytes = merging_memory(self.memory.as_deref())?;
        let mut counting = CountingArgs::plain(&self.threads, &self.cpu_path).build(context)?;
        counting.head.mode = "unique";
        counting.head.memory_bytes = memory_bytes;
        Ok(counting)
    }
}

impl UniqueArgs {
    fn format(&self) -> Format {
        if self.output.json { Format::Json } else { self.output.format }
    }
}

fn one(
    position: &Position,
    args: &UniqueArgs,
    counting: &Counting,
    context: &Context,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let is_text = args.format() == Format::Text;
    if is_text && is_stream(&args.position) {
        writeln!(out, "{position}")?;
    }
    let results = count_plies(position, args.depth, counting, context, |result| {
        if is_text {
            writeln!(out, "{}", result.line(std::io::stdout().is_terminal()))?;
            out.flush()?;
        }
        Ok(())
    })?;
    let info = PositionInfo::new(position, args.position.notation(position));
    let report = UniqueReport::new(counting.head.clone(), info, results);
    match args.format() {
        Format::Text => Ok(()),
        Format::Json => write_json(&report, is_stream(&args.position), out),
        Format::Jsonl => write_json(&report, true, out),
        Format::Csv => report.write_csv(out),
        Format::Markdown => report.write_markdown(out),
    }?;
    out.flush()?;
    Ok(())
}

/// Counts the positions ply by ply, and hands each result on as soon as it is there. The last ply is not kept.
fn count_plies(
    position: &Position,
    depth: u32,
    counting: &Counting,
    context: &Context,
    mut each: impl FnMut(&PlyResult) -> Result<(), CliError>,
) -> Result<Vec<PlyResult>, CliError> {
    let Counting { perft, head, .. } = counting;
    let start = Instant::now();
    let mut frontier = Frontier::new(position);
    let mut results = vec![PlyResult::new(frontier.count(), start.elapsed())];
    each(&results[0])?;
    for ply in 1..=depth {
        let progress = Progress::new(context.stop.clone());
        let start = Instant::now();
        let count =
            watch(context, &format!("unique({ply})"), &progress, || -> Result<PlyCount, FrontierError> {
                if ply == depth {
                    return frontier.count_next(perft, head.memory_bytes, &progress);
                }
                frontier = frontier.next(perft, head.memory_bytes, &progress)?;
                Ok(frontier.count())
            });
        let count = count.map_err(|error| failure(error, &frontier))?;
        let result = PlyResult::new(count, start.elapsed());
        each(&result)?;
        results.push(result);
    }
    Ok(results)
}

/// Why there is no ply after this frontier.
fn failure(error: FrontierError, frontier: &Frontier) -> CliError {
    match error {
        FrontierError::Interrupted(Interrupted) => {
            CliError::Interrupted(format!("ply {} is the last that is counted", frontier.ply()))
        }
        FrontierError::WrongSum(wrong) => CliError::Wrong(wrong.to_string()),
        FrontierError::TooManyNodes { .. } => CliError::usage(error),
        FrontierError::NoRoom { .. } => {
            let (positions, bytes) =
                (grouped(frontier.positions().into()), grouped(frontier.bytes() as u128));
            let kept = format!("the {positions} positions of ply {} take {bytes} bytes", frontier.ply());
            let help = "--memory SIZE gives more; the last ply alone may be larger than the memory";
            CliError::usage(format!("{error}; {kept}")).help(help)
        }
    }
}
