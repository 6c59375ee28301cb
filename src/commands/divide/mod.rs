//! `perft divide`: counts the leaf nodes below each root move.
//!
//! - `against`: compares the counts with those of another program
//! - `kinds`: the kinds of leaf nodes below each move
//! - `text`: the comparison as text

pub mod against;
pub mod comparison;
pub mod kinds;
pub mod report;
pub mod text;

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use perft_core::{Position, RootMove};
use perft_count::ExactError;
use report::{DivideFormat, DivideReport};

use super::count::forecast::warn_if_long;
use crate::input::engine::EngineArgs;
use crate::input::games::for_each_position;
use crate::input::{Counting, CountingArgs, ExactArgs, PositionArgs, Root};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::progress::watch;
use crate::output::{Emitter, PositionInfo};

const EXAMPLES: &str = "\
Examples:
  perft divide 5                                the start position
  perft divide kiwipete moves e1g1 4            another one, after a move
  perft divide 'FEN' 5 --threads all            on all cores
  perft divide kiwipete 3 --stats               captures, checks and so on
  perft divide kiwipete 3 --against stockfish   compare with an engine
  perft divide kiwipete 3 --against theirs.txt  compare with its output
  diff <(perft divide 5 | grep : | sort) \\
       <(echo 'go perft 5' | stockfish | grep -E ': [0-9]+$' | sort)";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
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
    #[command(flatten)]
    kinds: KindsArgs,
    #[command(flatten)]
    output: DivideOutput,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
struct KindsArgs {
    /// Also count captures, castling moves, promotions, checks and mates below each move, as perft stats does
    #[arg(long, conflicts_with = "engine")]
    stats: bool,
}

const AGAINST: &str = "Compare with another divide: the output of any program in a file or on standard input (-), or an \
     engine: a name from perft.toml, a program or a command. A file is read as text unless it is executable";

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct DivideOutput {
    /// Format of the result; every format sorts the moves as text [default: stockfish, or text with --against]
    #[arg(long, value_name = "FORMAT")]
    format: Option<DivideFormat>,
    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl DivideOutput {
    fn format(&self) -> Option<DivideFormat> {
        if self.json { Some(DivideFormat::Json) } else { self.format }
    }
}

/// Runs the command.
pub fn run(args: DivideArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let root = args.position.root("perft divide", None)?.with_root_moves()?;
    if args.kinds.stats {
        args.counting.refuse_with_statistics()?;
        kinds::run(&args, &root, context, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut counting = args.counting.build(context)?;
    args.exact.apply(&mut counting, context.global.verbose)?;
    let code = match args.engine.text() {
        Some(text) => against::compare(text, &root, &args, &counting, context, out)?,
        None => {
            args.engine.refuse_options("--against ENGINE")?;
            let format = args.output.format().unwrap_or(DivideFormat::Stockfish);
            let mut emitter = Emitter::new(format.general(), root.is_stream());
            for_each_position(&root, context, |position| {
                emitter.begin(position, out)?;
                let report = divide(position, &root, &counting, context)?;
                Ok(report.write(format, &mut emitter, position, out)?)
            })?;
            ExitCode::SUCCESS
        }
    };
    counting.print_table_statistics(context);
    Ok(code)
}

/// Divides one position.
fn divide(
    position: &Position,
    root: &Root,
    counting: &Counting,
    context: &Context,
) -> Result<DivideReport, CliError> {
    let (moves, elapsed) = counted(position, root.depth, counting, context)?;
    let info = PositionInfo::new(position, root.notation(position));
    Ok(DivideReport::new(counting.report_head(), info, root.depth, &moves, elapsed))
}

/// Counts below each move, shows progress and measures the time.
fn counted(
    position: &Position,
    depth: u32,
    counting: &Counting,
    context: &Context,
) -> Result<(Vec<RootMove>, Duration), CliError> {
    warn_if_long(position, depth, counting, context);
    let start = Instant::now();
    let perft = &counting.perft;
    let moves = watch(context, &format!("divide({depth})"), |progress| match counting.exact_memory_bytes {
        Some(memory_bytes) => perft.divide_exact(position, depth, memory_bytes, progress),
        None => perft.divide_with_progress(position, depth, progress).map_err(ExactError::from),
    })?;
    Ok((moves, start.elapsed()))
}
