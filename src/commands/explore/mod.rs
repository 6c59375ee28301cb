//! `perft explore`: browses the move tree in the terminal, next to an engine if one is given.
//!
//! - [`level`]: one position with its moves and counts
//! - [`state`]: the path of levels on the screen, and the effect of each key on it
//! - [`columns`] and [`view`]: draw the state
//! - [`worker`]: counts in the background
//! - [`screen`]: the terminal and its event loop
//!
//! Only `screen` uses a terminal; everything else is tested without one.

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
use state::State;
use view::Palette;
use worker::Workers;

use crate::input::engine::EngineArgs;
use crate::input::{CountingArgs, PositionArgs};
use crate::output::context::Context;
use crate::output::error::CliError;

const EXAMPLES: &str = "\
Examples:
  perft explore                              from the start position
  perft explore kiwipete 5 --threads all     deeper, on all cores
  perft explore 'FEN' ./my-engine            beside an engine

Keys: up and down select a move, Enter plays it, Backspace takes it back,
+ and - change the depth, n goes to the next difference, ? shows all keys,
q quits. y notes the FEN, and the noted FENs are printed when you quit.";

/// The depth at the start, in plies.
const DEPTH: u32 = 4;

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, mut_arg("depth", |depth| depth.help("Depth in plies at the start [default: 4]")))]
pub struct ExploreArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(mut args: ExploreArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    if !stdout().is_terminal() {
        let refusal = CliError::usage("explore needs a terminal, but standard output is not one");
        return Err(refusal.help("use perft divide, which prints the same counts as text"));
    }
    args.engine.take_from(&mut args.position.words)?;
    let game = args.position.game(Some(DEPTH), context)?.with_root_moves()?;
    let counting = args.counting.build(context)?;
    let spec = args.engine.build(context)?;
    let name = spec.as_ref().map(|spec| file_name(&spec.command[0]));
    let palette = Palette { is_colored: AutoStream::choice(&stdout()) != ColorChoice::Never };

    let mut state = State::new(*game.position(), game.depth, game.notation, name);
    let mut workers = Workers::start(counting.perft, spec)
        .map_err(|error| CliError::usage(format!("cannot start a thread: {error}")))?;
    screen::run(&mut state, &mut workers, palette, &context.stop)?;
    drop(workers);
    for fen in &state.noted {
        writeln!(out, "{fen}")?;
    }
    if context.stop.is_raised() {
        out.flush()?;
        return Err(CliError::Interrupted(format!("at {}", state.level().position)));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the name of an engine until the engine tells its own name.
fn file_name(program: &str) -> String {
    let name = Path::new(program).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
