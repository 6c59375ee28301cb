//! `perft hunt`: finds the bugs of an engine, from a wrong count down to the position and the move.
//!
//! - `args`: the arguments
//! - `targets`: the positions that an engine is asked about
//! - `findings` and `report`: the hunt for wrong counts
//! - `states`: the hunt for wrong FENs and keys
//! - `reference` and `differences`: the comparison with another engine, in any variant
//! - `generators`: the comparison of the built-in generators
//! - `search`: what these share

pub mod args;
pub mod differences;
pub mod findings;
pub mod generators;
pub mod reference;
pub mod report;
pub mod search;
pub mod states;
pub mod targets;

pub use args::HuntArgs;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use args::AskingArgs;
use perft_diagnosis::{HuntTarget, ReferenceTarget, random_target, unrestricted_target};
use reference::Comparison;
use search::{EngineSearch, Scope};
use states::state_engine;

use crate::engine::EngineSpec;
use crate::input::answers::UnreadInput;
use crate::input::engine::{EngineArgs, command, refuse_options};
use crate::input::suite_reader::{is_built_in, read_suites};
use crate::input::{first_word, is_board, is_number};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::system::command_line::quoted;
use crate::system::program::to_run;

/// The depth in plies for random positions, if none is given.
const RANDOM_DEPTH: u32 = 2;

pub fn run(
    mut args: HuntArgs,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    if !args.generators.is_empty() {
        refuse_options("an engine", context)?;
        return generators::run(&args, context, out);
    }
    args.engine.take_from(&mut args.names)?;
    if !args.engine.is_given() && !args.names.is_empty() {
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
    let suites = suites.as_slice();
    let has_default = args.fen.is_none() && suites.is_empty();
    let _unread = has_default.then(|| UnreadInput::watch(format!("perft hunt {engine} -"), context));
    let findings = args.max_bugs;
    if let Some(reference) = &args.asking.reference {
        let (targets, left_out) = targets::of_any_variant(&args, suites, context)?;
        let scope = Scope { left_out, ..args.asking.scope(targets.len(), findings) };
        let comparison = comparison(&args.asking, &args.engine, reference, context)?;
        return comparison.run(scope, &|number| targets.get(number).cloned(), context, out);
    }
    if let (Some(depth), None) = (args.depth, &args.fen) {
        // A mistyped name is refused first.
        read_suites(suites, context)?;
        return Err(without_position(&engine, depth));
    }
    let spec = required_engine(&args.engine, args.asking.state, context)?;
    let (targets, left_out) = targets::of_chess(&args, suites, context)?;
    let scope = Scope { left_out, ..args.asking.scope(targets.len(), findings) };
    let more: &[&str] = if args.fen.is_some() { &[] } else { &["--random", "100k"] };
    search(&args, more, spec, scope, &|number| targets.get(number).cloned(), context, out)
}

fn hunt_random(
    args: &HuntArgs,
    positions: u128,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let positions = usize::try_from(positions).unwrap_or(usize::MAX);
    let (seed, depth) = (args.seed, args.depth.unwrap_or(RANDOM_DEPTH));
    let scope = Scope { seed: Some(seed), ..args.asking.scope(positions, args.max_bugs.or(Some(1))) };
    let random = if args.asking.reach.unreachable { unrestricted_target } else { random_target };
    let target = |number| (number < positions).then(|| random(seed, number as u64, depth));
    if let Some(reference) = &args.asking.reference {
        let comparison = comparison(&args.asking, &args.engine, reference, context)?;
        return comparison.run(scope, &|number| target(number).map(ReferenceTarget::from), context, out);
    }
    let spec = required_engine(&args.engine, args.asking.state, context)?;
    let (positions, other_seed) = (positions.to_string(), (seed + 1).to_string());
    search(args, &["--random", &positions, "--seed", &other_seed], spec, scope, &target, context, out)
}

/// Returns the engine to test. If states are compared, the engine does not need to be able to count.
fn required_engine(
    args: &EngineArgs,
    compares_states: bool,
    context: &Context,
) -> Result<EngineSpec, CliError> {
    match args.text() {
        Some(name) if compares_states => state_engine(&args.named(name)?, &context.stop),
        _ => args.build(context)?.ok_or_else(no_engine),
    }
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

fn without_position(engine: &str, depth: u32) -> CliError {
    CliError::usage("a depth needs a position, because a suite has the depths of its known counts")
        .help(format!("name the position, as in: perft hunt {engine} start {depth}"))
}

fn no_engine() -> CliError {
    CliError::usage("no engine was given").help("name the engine to test, as in perft hunt ./my-engine")
}

fn comparison<'a>(
    asking: &AskingArgs,
    engine: &'a EngineArgs,
    reference: &'a str,
    context: &Context,
) -> Result<Comparison<'a>, CliError> {
    let names = [engine.text().ok_or_else(no_engine)?, reference];
    let specs = engine.build_pair(names, &context.stop)?;
    Ok(Comparison { names, specs, format: asking.output.format() })
}

/// Searches for bugs. If there are none, `more` are the words of a hunt that finds more.
fn search(
    args: &HuntArgs,
    more: &[&str],
    spec: EngineSpec,
    scope: Scope,
    target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let engine = args.engine.text().unwrap_or_default().to_owned();
    let machine = context.given.flags(&["threads"]);
    let words = ["hunt", &engine].into_iter().chain(more.iter().copied()).map(str::to_owned).chain(machine);
    let next = command(words, context);
    let asking = &args.asking;
    let run = if asking.state { states::run } else { findings::run };
    run(&EngineSearch { spec, engine, scope, format: asking.format(), next }, target, context, out)
}
