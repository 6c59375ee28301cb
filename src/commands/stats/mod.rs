//! `perft stats`: counts the leaf nodes by the kind of the last move.

pub mod report;

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use perft_core::Position;
use perft_count::{LeafStatistics, Progress, StatisticsTable};
use report::{DepthStatistics, StatisticsReport};

use super::each::{count_depths, report_each};
use crate::input::{BasicCountingArgs, Counting, ExactArgs, HashArgs, MachineArgs, MemorySize, PositionArgs};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::{CountMode, ExactSplit, FormatArgs, PositionInfo};

const EXAMPLES: &str = "\
Examples:
  perft stats 5                                 the start position
  perft stats kiwipete 6 --threads all --exact  equal positions merged
  perft stats kiwipete 4 --format markdown      as a table for a web page

Every number is about the last move of a line and the position after it:
  captures     including en passant
  promotions   one for each promotion piece
  checks       including checkmates; every check is one of
    direct                    given only by the moved piece or, if it castled,
                              by the rook
    discovered                given by one piece that did not move
    direct and discovered     given by the moved piece and by another one
    double discovered         given by two pieces that did not move
  Some published tables count 'discovered' as 'discovery checks' and
  'direct and discovered' as 'double checks'.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct StatsArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: BasicCountingArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    format: FormatArgs,
    /// Print only the last depth
    #[arg(long, help_heading = "Output")]
    single: bool,
}

pub fn run(args: StatsArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let root = args.position.root("perft stats", None)?;
    let (counting, table) =
        statistics_counting(args.counting.machine, args.counting.table, &args.exact, context)?;
    report_each(&root, args.format.format(), context, out, |position, root, _| {
        let first = if args.single { root.depth } else { root.depth.min(1) };
        let count = |depth, progress: &Progress| timed(position, depth, &counting, table.as_ref(), progress);
        let (results, ended) = count_depths("stats", first..=root.depth, context, count, |results| {
            let result: &DepthStatistics = &results[results.len() - 1];
            if let Some(split) = result.exact.as_ref().filter(|_| context.global.verbose) {
                split.print(result.depth);
            }
            Ok(())
        })?;
        let (provenance, notation) = (counting.head.clone(), root.notation(position));
        let (complete, position) = (ended.is_ok(), PositionInfo::new(position, notation));
        Ok((StatisticsReport { provenance, complete, position, results }, ended))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the driver of a count of statistics, and its table if it has one.
///
/// # Errors
/// The CPU path or the threads are not available, or there is no memory for the table.
pub fn statistics_counting(
    machine: MachineArgs,
    table: HashArgs,
    exact: &ExactArgs,
    context: &Context,
) -> Result<(Counting, Option<StatisticsTable>), CliError> {
    let build = |size: MemorySize| {
        let table = StatisticsTable::new(size.available_bytes("--hash")?, 0);
        table.map_err(|error| CliError::usage(format!("--hash {size}: {error}")))
    };
    let table = table.hash.map(build).transpose()?;
    let mut counting = machine.build(context)?;
    counting.head.table_bytes = table.as_ref().map_or(0, StatisticsTable::bytes);
    exact.apply(&mut counting, context.global.verbose)?;
    (counting.head.mode, counting.head.bulk) = (CountMode::Statistics, false);
    Ok((counting, table))
}

/// Refuses numbers that do not fit into 128 bits.
///
/// # Errors
/// They do not.
pub fn refuse_too_many(depth: u32, leaves: &LeafStatistics) -> Result<(), CliError> {
    match leaves.nodes {
        u128::MAX => Err(CliError::usage(format!("depth {depth} has more leaf nodes than 2^128"))),
        _ => Ok(()),
    }
}

fn timed(
    position: &Position,
    depth: u32,
    counting: &Counting,
    table: Option<&StatisticsTable>,
    progress: &Progress,
) -> Result<DepthStatistics, CliError> {
    let (perft, start) = (&counting.perft, Instant::now());
    let (leaves, exact) = match counting.exact_memory_bytes {
        Some(memory_bytes) => {
            let count = perft.statistics_exact(position, depth, memory_bytes, progress)?;
            (count.total, Some(ExactSplit::from(&count)))
        }
        None => (perft.statistics(position, depth, table, progress)?, None),
    };
    refuse_too_many(depth, &leaves)?;
    Ok(DepthStatistics { exact, ..DepthStatistics::new(depth, &leaves, start.elapsed()) })
}
