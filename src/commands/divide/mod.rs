//! `perft divide`: counts the leaf nodes below each root move.
//!
//! - `against`: compares the counts with those of another program
//! - `comparison`: the report of such a comparison
//! - `report`: the report of a divide

pub mod against;
pub mod comparison;
pub mod report;

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use perft_core::{Move, Position, RootMove};
use perft_count::{FrontierError, Progress, StatisticsTable};
use report::{DivideFormat, DivideReport};

use super::stats::{refuse_too_many, statistics_counting};
use crate::input::{Counting, CountingArgs, EngineArgs, ExactArgs, Game, PositionArgs, refuse_options};
use crate::output::{CliError, Context, Nodes, per_second, watch};
use crate::report::counts::{Kinds, LeafKinds, MoveCount};
use crate::report::depths::report_each;

#[derive(Debug, Args)]
#[command(
    mut_arg("depth", |depth| depth.help("Depth in plies, including the root move")),
    mut_arg("engine", |engine| engine.long("against").alias("engine").value_name("FILE|-|ENGINE").help(AGAINST)),
    mut_arg("ask_state", |line| line.hide(true))
)]
pub struct DivideArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    exact: ExactArgs,
    /// Also count captures, castling moves, promotions, checks and mates below each move, as perft stats does
    #[arg(long, help_heading = "Counting")]
    stats: bool,
    /// Format of the result; every format sorts the moves as text [default: stockfish, or text with --against]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    format: Option<DivideFormat>,
    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

const AGAINST: &str = "Compare with another divide: the output of any program in a file or on standard input (-), or an \
     engine: a name from perft.toml, a program or a command. A file is read as text unless it is executable";

impl DivideArgs {
    fn format(&self) -> Option<DivideFormat> {
        if self.json { Some(DivideFormat::Json) } else { self.format }
    }

    /// Refuses an engine, formats and flags that do not fit `--stats`.
    fn refuse_for_stats(&self, context: &Context) -> Result<(), CliError> {
        if let Some(engine) = self.engine.text() {
            return Err(CliError::usage(format!("--stats counts without an engine, but '{engine}' is one"))
                .help("leave out one of them"));
        }
        DivideFormat::of_table(self.format(), "this format has no columns for --stats")?;
        let because = "has no effect on kinds of leaf nodes and cannot be used with --stats";
        context.given.refuse::<CountingArgs>(&["threads", "hash", "cpu_path"], because)
    }
}

pub fn run(mut args: DivideArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    args.engine.take_from(&mut args.position.words, context)?;
    let (counting, table) = if args.stats {
        args.refuse_for_stats(context)?;
        statistics_counting(args.counting.basic, &args.exact, context)?
    } else {
        let mut counting = args.counting.build(context)?;
        args.exact.apply(&mut counting, context.global.verbose)?;
        (counting, None)
    };
    let code = match args.engine.text() {
        Some(text) => against::compare(text, &args, &counting, context, out)?,
        None => {
            refuse_options("--against ENGINE", context)?;
            let format = args.format().unwrap_or(DivideFormat::Stockfish);
            let games = args.position.games(None, context)?;
            report_each(games, format.general(), context, out, |game, _| {
                Ok((divide(&game.with_root_moves()?, &args, &counting, table.as_ref(), context)?, Ok(())))
            })?;
            ExitCode::SUCCESS
        }
    };
    counting.print_table_statistics(context);
    Ok(code)
}

fn divide(
    game: &Game,
    args: &DivideArgs,
    counting: &Counting,
    table: Option<&StatisticsTable>,
    context: &Context,
) -> Result<DivideReport, CliError> {
    let (position, depth, perft) = (game.position(), game.depth, &counting.perft);
    let row = |played: Move, nodes: u128, kinds: Option<Kinds>| MoveCount {
        played: played.to_uci(game.notation),
        nodes: Nodes(nodes),
        kinds,
    };
    let (mut moves, total, seconds): (Vec<MoveCount>, _, _) = if args.stats {
        let (found, seconds) = timed(depth, context, |progress| match counting.exact_memory_bytes {
            Some(memory_bytes) => perft.divide_statistics_exact(position, depth, memory_bytes, progress),
            None => Ok(perft.divide_statistics(position, depth, table, progress)?),
        })?;
        let total = found.iter().map(|(_, leaves)| *leaves).sum();
        refuse_too_many(depth, &total)?;
        let rows = found.into_iter().map(|(played, leaves)| row(played, leaves.nodes, Some(Kinds(leaves))));
        (rows.collect(), Some(LeafKinds::new(total)), seconds)
    } else {
        let (found, seconds) = counted(position, depth, counting, context)?;
        (found.iter().map(|root| row(root.played, root.nodes, None)).collect(), None, seconds)
    };
    let nodes = moves.iter().map(|below| below.nodes.0).sum();
    moves.sort_by(|a, b| a.played.cmp(&b.played));
    Ok(DivideReport {
        provenance: counting.report_head(),
        position: game.info(),
        depth: game.depth,
        nodes: Nodes(nodes),
        seconds,
        nodes_per_second: per_second(nodes, seconds),
        moves,
        total,
        format: args.format().unwrap_or(DivideFormat::Stockfish),
    })
}

/// Counts below each move, shows progress and measures the time in seconds.
fn counted(
    position: &Position,
    depth: u32,
    counting: &Counting,
    context: &Context,
) -> Result<(Vec<RootMove>, f64), CliError> {
    let perft = &counting.perft;
    timed(depth, context, |progress| match counting.exact_memory_bytes {
        Some(memory_bytes) => perft.divide_exact(position, depth, memory_bytes, progress),
        None => Ok(perft.divide_with_progress(position, depth, progress)?),
    })
}

fn timed<T>(
    depth: u32,
    context: &Context,
    divide: impl FnOnce(&Progress) -> Result<T, FrontierError>,
) -> Result<(T, f64), CliError> {
    let start = Instant::now();
    let found = watch(context, &format!("divide({depth})"), divide)?;
    Ok((found, start.elapsed().as_secs_f64()))
}
