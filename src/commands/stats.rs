//! `perft stats`: counts the leaf nodes by the kind of the last move.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use perft_core::Position;
use perft_count::{LeafKind, LeafStatistics, Progress, StatisticsTable};
use serde::Serialize;

use crate::input::{BasicCountingArgs, Counting, ExactArgs, PositionArgs, available_bytes};
use crate::output::{
    CliError, Context, CountMode, Digits, ExactSplit, FormatArgs, PositionInfo, Provenance, Report, Table,
    incomplete_line,
};
use crate::report::counts::{DepthStatistics, LeafKinds, text_table};
use crate::report::depths::{count_depths, report_each};

const KINDS: &str = "Every number is about the last move of a line and the position after it:\n";

const OTHER_NAMES: &str = "\
Some published tables count 'discovered' as 'discovery checks' and
'direct and discovered' as 'double checks'.";

/// Returns what the kinds mean.
fn help() -> String {
    let explained = LeafKind::ALL.iter().filter(|kind| !kind.about.is_empty());
    let kinds: String =
        explained.map(|LeafKind { label, about, .. }| format!("  {label:<23}  {about}\n")).collect();
    [KINDS, &kinds, OTHER_NAMES].concat()
}

#[derive(Debug, Args)]
#[command(before_help = help())]
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

pub fn run(args: StatsArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let games = args.position.games(None, context)?;
    let (counting, table) = statistics_counting(args.counting, &args.exact, context)?;
    report_each(games, args.format.format(), context, out, |game, _| {
        let first = if args.single { game.depth } else { game.depth.min(1) };
        let count =
            |depth, progress: &Progress| timed(game.position(), depth, &counting, table.as_ref(), progress);
        let (results, ended) =
            count_depths("stats", first..=game.depth, context, count, |result: &DepthStatistics| {
                if let Some(split) = result.exact.as_ref().filter(|_| context.global.verbose) {
                    split.print(result.depth);
                }
                Ok(())
            })?;
        let (provenance, complete) = (counting.head.clone(), ended.is_ok());
        let position = game.info();
        Ok((StatisticsReport { provenance, complete, position, results }, ended))
    })
}

/// Builds the driver of a count of statistics, and its table if it has one.
///
/// # Errors
/// The CPU path or the threads are not available, or there is no memory for the table.
pub fn statistics_counting(
    args: BasicCountingArgs,
    exact: &ExactArgs,
    context: &Context,
) -> Result<(Counting, Option<StatisticsTable>), CliError> {
    let build = |size: u64| {
        let table = StatisticsTable::new(available_bytes(size, "--hash")?, 0);
        table.map_err(|error| CliError::usage(format!("--hash: {error}")))
    };
    let table = args.hash.map(build).transpose()?;
    let mut counting = args.machine.build(context)?;
    counting.head.table_bytes = table.as_ref().map_or(0, StatisticsTable::bytes);
    exact.apply(&mut counting, context.global.verbose)?;
    (counting.head.mode, counting.head.bulk) = (CountMode::Statistics, false);
    Ok((counting, table))
}

/// Returns an error if the number of leaf nodes does not fit into 128 bits.
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
    Ok(DepthStatistics { exact, ..DepthStatistics::new(depth, LeafKinds::new(leaves), start.elapsed()) })
}

/// The statistics of several depths.
#[derive(Clone, Debug, Serialize)]
pub struct StatisticsReport {
    /// How the nodes were counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Whether all depths were counted. Otherwise the last ones are missing.
    pub complete: bool,
    pub position: PositionInfo,
    pub results: Vec<DepthStatistics>,
}

impl Report for StatisticsReport {
    const NAME: &'static str = "stats";

    /// Returns one row per depth.
    fn table(&self, digits: Digits) -> Option<Table> {
        let header = ["depth", "nodes"].into_iter().chain(LeafKind::ALL.iter().map(|kind| kind.name));
        let header = header.chain(["seconds"]).map(|name| match digits {
            Digits::Plain => name.to_owned(),
            Digits::Grouped => name.replace('_', " "),
        });
        let row = |result: &DepthStatistics| result.cells(digits, digits.seconds(result.seconds));
        Some(Table::new(header, self.results.iter().map(row)))
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.complete {
            writeln!(out, "{}", incomplete_line())?;
        }
        writeln!(out, "{}", text_table(&self.results).text())
    }
}
