//! `perft explore`: walking the tree of moves on a terminal, beside another program if wanted.
//!
//! [`state`] is what is shown and what the keys do to it, [`level`] one position of it; [`view`] and
//! [`columns`] draw it; [`worker`] counts
//! meanwhile; [`screen`] is the terminal around them. State and view know no terminal, and are tested without one.

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

use super::args::{CountingArgs, PositionArgs};
use super::context::Context;
use super::divide::parse_divide_depth;
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
  perft explore --fen 'FEN' --engine ./my-engine   beside another program: what differs is marked

Keys: up and down select a move, Enter plays it, Backspace takes it back, + and - change the depth, n goes to the
next difference, ? shows all keys, q leaves. y copies the FEN through the terminal (OSC 52); since not every terminal
allows that, the copied FENs are printed to standard output on leaving as well.";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}"
)]
pub struct ExploreArgs {
    /// Depth in plies to begin with
    #[arg(short, long, value_name = "N", default_value = "4", value_parser = parse_divide_depth, allow_negative_numbers = true, help_heading = "Counting")]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the verb.
pub fn run(args: ExploreArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    if !stdout().is_terminal() {
        let refusal = CliError::usage("explore draws on a terminal, and standard output is not one");
        return Err(refusal.help("perft divide prints the same counts as text"));
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

/// What a program is called until it says its name.
fn file_name(program: &str) -> String {
    let name = Path::new(program).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
