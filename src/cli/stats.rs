//! `perft stats`: what the leaf nodes are.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

use crate::report::statistics::{DepthStatistics, StatisticsReport};
use crate::report::{PositionInfo, write_json};
use clap::{Args, ValueEnum};
use perft_core::Position;
use perft_core::{Progress, StatisticsTable};

use super::args::{Counting, CountingArgs, PositionArgs, cpu_paths, free_memory, parse_depth};
use super::context::Context;
use super::count::interrupted;
use super::error::CliError;
use super::input::{for_each_position, is_stream};
use super::progress::watch;

const EXAMPLES: &str = "\
Examples:
  perft stats --depth 5
  perft stats --fen kiwipete --depth 5 --threads all --hash 1G
  perft stats --fen kiwipete --depth 4 --format markdown

What is counted, of the last move of each line and the position after it:
  captures     en passant included      promotions   one for each piece
  checks       mates included; each is one of
    direct                   by the piece that moved (castling: the rook) alone
    discovered               by one piece that did not move
    direct and discovered    by the piece that moved and another
    double discovered        by two pieces that did not move
  Other tables call the second 'discovery checks' and the third 'double checks'.";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}"
)]
pub struct StatsArgs {
    /// Depth in plies
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    finding: FindingArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
struct FindingArgs {
    /// Threads, or all for every core
    #[arg(short, long, value_name = "N|all", default_value = "1", allow_negative_numbers = true)]
    threads: String,
    /// Remember subtrees in a table of this size: 1G, 512M, or a number of MiB
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    hash: Option<String>,
    /// The CPU features to generate moves with
    #[arg(long, value_name = "PATH", default_value = "auto", value_parser = cpu_paths())]
    cpu_path: String,
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A column a depth
    Text,
    /// One JSON object; from standard input, one a line
    Json,
    /// A JSON object on one line
    Jsonl,
    /// Comma-separated values, a line a depth
    Csv,
    /// A Markdown table, a row a depth
    Markdown,
}

/// Runs the verb.
pub fn run(args: StatsArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let table = args.finding.table()?;
    let mut counting = args.finding.build(context)?;
    let head = &mut counting.head;
    (head.mode, head.bulk) = ("statistics", false);
    head.table_bytes = table.as_ref().map_or(0, StatisticsTable::bytes);
    for_each_position(&args.position, context, |position| {
        one(position, &args, &counting, table.as_ref(), context, out)
    })?;
    Ok(ExitCode::SUCCESS)
}

impl FindingArgs {
    fn build(&self, context: &Context) -> Result<Counting, CliError> {
        CountingArgs::plain(&self.threads, &self.cpu_path).build(context)
    }

    fn table(&self) -> Result<Option<StatisticsTable>, CliError> {
        let Some(size) = &self.hash else { return Ok(None) };
        let table = StatisticsTable::new(free_memory("--hash", size)?, 0);
        table.map(Some).map_err(|error| CliError::usage(format!("--hash {size}: {error}")))
    }
}

impl StatsArgs {
    fn format(&self) -> Format {
        if self.output.json { Format::Json } else { self.output.format }
    }
}

fn one(
    position: &Position,
    args: &StatsArgs,
    counting: &Counting,
    table: Option<&StatisticsTable>,
    context: &Context,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let first = if args.output.single { args.depth } else { args.depth.min(1) };
    let mut results = Vec::new();
    for depth in first..=args.depth {
        let progress = Progress::new(context.stop.clone());
        let start = Instant::now();
        let work = || counting.perft.statistics(position, depth, table, &progress);
        let found = watch(context, &format!("stats({depth})"), &progress, work);
        let found =
            found.map_err(|_| interrupted(depth, depth.checked_sub(1).filter(|&last| last >= first)))?;
        results.push(DepthStatistics::new(depth, &found, start.elapsed()));
    }
    let info = PositionInfo::new(position, args.position.notation(position));
    let report = StatisticsReport { context: counting.head.clone(), position: info, results };
    match args.format() {
        Format::Text => {
            if is_stream(&args.position) {
                writeln!(out, "{position}")?;
            }
            report.write_text(std::io::stdout().is_terminal(), out)
        }
        Format::Json => write_json(&report, is_stream(&args.position), out),
        Format::Jsonl => write_json(&report, true, out),
        Format::Csv => report.write_csv(out),
        Format::Markdown => report.write_markdown(out),
    }?;
    out.flush()?;
    Ok(())
}
