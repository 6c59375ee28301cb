//! `perft hunt`: finds the bugs of an engine, from a wrong count down to the position and the move.
//!
//! - `args`: the arguments
//! - `targets`: the positions that an engine is asked about
//! - `report`: running a hunt, and its report
//! - `findings`: the hunts for wrong counts and wrong states, and the comparison with a reference

pub mod args;
pub mod findings;
pub mod report;
pub mod targets;

pub use args::HuntArgs;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use findings::{compare, hunt_counts, hunt_for_states, state_engine};
use perft_core::internals::is_board;
use perft_diagnosis::{ReferenceTarget, random_target, unrestricted_target};
use report::Hunt;

use crate::input::answers::UnreadInput;
use crate::input::engine::command;
use crate::input::suite_reader::{is_built_in, read_suites};
use crate::input::{first_word, is_number};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::marks::can_show_figures;
use crate::system::command_line::{quoted, to_run};

/// The depth in plies for random positions, if none is given.
const RANDOM_DEPTH: u32 = 2;

pub fn run(
    mut args: HuntArgs,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    args.engine.take_from(&mut args.names)?;
    if args.engine.text().is_none() && !args.names.is_empty() {
        args.names[0] = engine_of(&args.names[0])?;
        args.engine.set(args.names.remove(0))?;
    }
    let engine = quoted(args.engine.text().unwrap_or("./my-engine"));
    let suites = args.names.clone();
    if let Some(positions) = args.random {
        if let Some(other) = suites.first() {
            let message = format!("--random asks about random positions, and not about '{other}'");
            return Err(CliError::usage(message).help("leave out one of them"));
        }
        return hunt_random(&args, positions, context, out);
    }
    let (args, suites) = args.with_position(&suites, &format!("perft hunt {engine}"))?;
    let has_default = args.fen.is_none() && suites.is_empty();
    let _unread = has_default.then(|| UnreadInput::watch(format!("perft hunt {engine} -"), context));
    if args.reference.is_some() {
        let (targets, left_out) = targets::of_any_variant(&args, &suites, context)?;
        let options = args.options(targets.len(), args.max_bugs);
        let hunt = Hunt { options, positions: targets.len(), left_out, ..prepared(&args, &[], context)? };
        return compare(hunt, &|number| targets.get(number).cloned(), context, out);
    }
    if let (Some(depth), None) = (args.depth, &args.fen) {
        // A mistyped name is refused first.
        read_suites(&suites, context)?;
        let error = "a depth needs a position, because a suite has the depths of its known counts";
        return Err(CliError::usage(error)
            .help(format!("name the position, as in: perft hunt {engine} start {depth}")));
    }
    let more: &[&str] = if args.fen.is_some() { &[] } else { &["--random", "100k"] };
    let hunt = prepared(&args, more, context)?;
    let (targets, left_out) = targets::of_chess(&args, &suites, context)?;
    let options = args.options(targets.len(), args.max_bugs);
    let hunt = Hunt { options, positions: targets.len(), left_out, ..hunt };
    let run = if args.state { hunt_for_states } else { hunt_counts };
    run(&hunt, &|number| targets.get(number).cloned(), context, out)
}

fn hunt_random(
    args: &HuntArgs,
    positions: u128,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let positions = usize::try_from(positions).unwrap_or(usize::MAX);
    let (seed, depth) = (args.seed, args.depth.unwrap_or(RANDOM_DEPTH));
    let random = if args.reach.unreachable { unrestricted_target } else { random_target };
    let target = |number| (number < positions).then(|| random(seed, number as u64, depth));
    let more = ["--random", &positions.to_string(), "--seed", &(seed + 1).to_string()];
    let options = args.options(positions, args.max_bugs.or(Some(1)));
    let hunt = Hunt { options, positions, seed: Some(seed), ..prepared(args, &more, context)? };
    match args.reference {
        Some(_) => compare(hunt, &|number| target(number).map(ReferenceTarget::from), context, out),
        None if args.state => hunt_for_states(&hunt, &target, context, out),
        None => hunt_counts(&hunt, &target, context, out),
    }
}

/// Returns a hunt with its engines and without positions. If states are compared, the engine does not need to be able
/// to count. If there is no bug, a hunt with the words of `more` is suggested.
fn prepared(args: &HuntArgs, more: &[&str], context: &Context) -> Result<Hunt, CliError> {
    let engine = args.engine.text().ok_or_else(no_engine)?;
    let engines = match &args.reference {
        Some(reference) => {
            let specs = args.engine.build_pair([engine, reference], &context.stop)?;
            [engine, reference].map(str::to_owned).into_iter().zip(specs).collect()
        }
        None if args.state => {
            vec![(engine.to_owned(), state_engine(&args.engine.named(engine)?, &context.stop)?)]
        }
        None => vec![(engine.to_owned(), args.engine.build(context)?.ok_or_else(no_engine)?)],
    };
    let machine = context.given.flags(&["threads"]);
    let words = [&["hunt", engine], more].concat().into_iter().map(str::to_owned).chain(machine);
    Ok(Hunt {
        engines,
        options: args.options(0, args.max_bugs),
        positions: 0,
        seed: None,
        left_out: 0,
        format: args.output.format(),
        is_epd: args.epd,
        has_figures: args.figures && can_show_figures(),
        next: command(words, context),
    })
}

/// Returns the first word, which is the engine if no word is known to be one.
///
/// # Errors
/// The word is a number, a position, a suite or a list.
fn engine_of(word: &str) -> Result<String, CliError> {
    let is_list = is_built_in(word) || is_board(first_word(word)) || Path::new(word).is_file();
    if (is_list || is_number(word)) && to_run(word).is_none() {
        let help = format!("name the engine too, as in: perft hunt ./my-engine {}", quoted(word));
        return Err(no_engine().help(help));
    }
    Ok(word.to_owned())
}

fn no_engine() -> CliError {
    CliError::usage("no engine was given").help("name the engine to test, as in perft hunt ./my-engine")
}
