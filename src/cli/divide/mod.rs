//! `perft divide`: counts the leaf nodes below each root move.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use perft_core::{ExactError, Position, Progress};

use super::args::{Counting, CountingArgs, ExactArgs, PositionArgs, Root};
use super::context::Context;
use super::error::CliError;
use super::forecast::warn_if_long;
use super::input::for_each_position;
use super::progress::watch;
use crate::report::PositionInfo;
use crate::report::divide::{DivideFormat, DivideReport};

const EXAMPLES: &str = "\
Examples:
  perft divide 5                           the start position
  perft divide kiwipete moves e1g1 4       another one, after a move
  perft divide 'FEN' 5 --threads all       on all cores
  diff <(perft divide 5 | grep : | sort) \\
       <(echo 'go perft 5' | stockfish | grep -E ': [0-9]+$' | sort)";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, mut_arg("depth", |depth| depth.help("Depth in plies, including the root move")))]
pub struct DivideArgs {
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
    /// Format of the result; every format sorts the moves as text
    #[arg(long, value_name = "FORMAT", default_value = "stockfish")]
    format: DivideFormat,
    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Runs the command.
pub fn run(args: DivideArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let root = args.position.root(None)?.with_root_moves()?;
    let mut counting = args.counting.build(context)?;
    args.exact.apply(&mut counting, context.global.verbose)?;
    for_each_position(&root, context, |position| divide(position, &root, &args, &counting, context, out))?;
    counting.print_table_statistics(context);
    Ok(ExitCode::SUCCESS)
}

/// Divides one position and prints the result.
fn divide(
    position: &Position,
    root: &Root,
    args: &DivideArgs,
    counting: &Counting,
    context: &Context,
    out: &mut impl Write,
) -> Result<(), CliError> {
    warn_if_long(position, root.depth, counting, context);
    let progress = Progress::new(context.stop.clone());
    let label = format!("divide({})", root.depth);
    let start = Instant::now();
    let perft = &counting.perft;
    let moves = watch(context, &label, &progress, || match counting.exact_memory_bytes {
        Some(memory_bytes) => perft.divide_exact(position, root.depth, memory_bytes, &progress),
        None => perft.divide(position, root.depth, &progress).map_err(ExactError::from),
    })?;
    let elapsed = start.elapsed();

    let info = PositionInfo::new(position, root.notation(position));
    let report = DivideReport::new(counting.report_head(), info, root.depth, &moves, elapsed);
    let format = if args.output.json { DivideFormat::Json } else { args.output.format };
    report.write(format, root.is_stream(), out)?;
    out.flush()?;
    Ok(())
}
