//! `perft explore`: browses the move tree in the terminal, next to an engine if one is given.
//!
//! - [`level`]: one position with its moves and counts
//! - [`state`]: the path of levels on the screen, and what each key does to it
//! - [`columns`] and [`view`]: draw the state
//! - [`worker`]: counts in the background
//! - [`screen`]: the terminal and its event loop
//!
//! Only `screen` uses a terminal; everything else is tested without one.

mod clipboard;
mod columns;
mod level;
mod screen;
mod state;
mod view;
mod worker;

use std::io::{IsTerminal, Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::Args;

use super::args::{CountingArgs, PositionArgs, parse_divide_depth};
use super::context::Context;
use super::engine::EngineArgs;
use super::error::CliError;
use super::input::one_position;
use state::State;
use view::Palette;
use worker::Workers;

const EXAMPLES: &str = "\
Examples:
  perft explore                                    from the start position
  perft explore --fen kiwipete --depth 5 -t all    deeper, on all cores
  perft explore --fen 'FEN' --engine ./my-engine   beside an engine

Keys: up and down select a move, Enter plays it, Backspace takes it back,
+ and - change the depth, n goes to the next difference, ? shows all keys,
q quits. y copies the FEN through the terminal (OSC 52). Not every terminal
allows that, so the copied FENs are also printed when you quit.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct ExploreArgs {
    /// Depth in plies at the start
    #[arg(short, long, value_name = "N", default_value = "4", value_parser = parse_divide_depth, allow_negative_numbers = true, help_heading = "Counting")]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the command.
pub fn run(args: ExploreArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    if !stdout().is_terminal() {
        let refusal = CliError::usage("explore needs a terminal, but standard output is not one");
        return Err(refusal.help("use perft divide, which prints the same counts as text"));
    }
    let position = one_position(&args.position, context)?;
    let counting = args.counting.build(context)?;
    let spec = args.engine.build(&context.stop)?;
    let name = spec.as_ref().map(|spec| file_name(&spec.command[0]));
    let palette = Palette { is_colored: AutoStream::choice(&stdout()) != ColorChoice::Never };

    let mut state = State::new(position, args.depth, args.position.notation(&position), name);
    let mut workers = Workers::start(counting.perft, spec);
    screen::run(&mut state, &mut workers, palette, &context.stop)?;
    drop(workers);
    for fen in &state.copied {
        writeln!(out, "{fen}")?;
    }
    if context.stop.is_raised() {
        out.flush()?;
        return Err(CliError::Interrupted(format!("at {}", state.level().position)));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the name of an engine for the time until it tells its own.
fn file_name(program: &str) -> String {
    let name = Path::new(program).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
