//! `perft hunt`: finds the bugs of an engine, from a wrong count down to the position and the move.
//!
//! - `args`: the arguments
//! - `targets`: the positions that an engine is asked about, and `reference_targets`: those of any variant
//! - `findings`: the hunt for wrong counts
//! - `states`: the hunt for wrong FENs and keys
//! - `reference`: the comparison with another engine
//! - `generators`: the comparison of the built-in generators
//! - `search` and `text`: what these share

pub mod args;
pub mod difference_report;
pub mod difference_text;
pub mod findings;
pub mod generators;
pub mod generators_report;
pub mod reference;
pub mod reference_targets;
pub mod report;
pub mod search;
pub mod state_report;
pub mod states;
pub mod targets;
pub mod text;

pub use args::HuntArgs;

use std::io::Write;
use std::process::ExitCode;

use args::AskingArgs;
use perft_diagnosis::{HuntTarget, ReferenceTarget, random_target, unrestricted_target};
use reference::Comparison;
use search::{EngineSearch, Scope};
use states::state_engine;

use crate::engine::EngineSpec;
use crate::input::engine::EngineArgs;
use crate::input::suite_reader::{is_built_in, read_suites};
use crate::input::unread::UnreadInput;
use crate::input::{is_board, is_number};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::system::command_line::quoted;

/// The depth in plies for random positions, if none is given.
const RANDOM_DEPTH: u32 = 2;

pub fn run(args: HuntArgs, context: &Context, out: &mut (impl Write + Send)) -> Result<ExitCode, CliError> {
    if !args.generators.is_empty() {
        args.engine.refuse_options("an engine")?;
        return generators::run(&args, context, out);
    }
    let names = args.names.clone();
    let (name, suites) = match names.split_first() {
        Some((first, rest)) if !args.engine.is_given() => (Some(first.as_str()), rest),
        _ => (None, names.as_slice()),
    };
    let engine = name.map_or("--engine CMD".to_owned(), quoted);
    if let Some(positions) = args.random {
        if let Some(other) = suites.first() {
            let message = format!("--random asks about random positions, and not about '{other}'");
            return Err(CliError::usage(message).help("leave out one of them"));
        }
        return hunt_random(&args, name, positions, context, out);
    }
    let (args, suites) = args.with_position(suites, &format!("perft hunt {engine}"))?;
    let suites = suites.as_slice();
    let has_default = args.fen.is_none() && suites.is_empty();
    let _unread = has_default.then(|| UnreadInput::watch(format!("perft hunt {engine} -"), context));
    let findings = args.findings;
    if let Some(reference) = &args.asking.reference {
        let (targets, left_out) = targets::of_any_variant(&args, suites, context)?;
        let scope = Scope { left_out, ..args.asking.scope(targets.len(), findings) };
        let comparison = comparison(&args.asking, &args.engine, name, reference, context)?;
        return comparison.run(scope, &|number| targets.get(number).cloned(), context, out);
    }
    if let (Some(depth), None) = (args.depth, &args.fen) {
        if let Some(refusal) = name.and_then(without_engine) {
            return Err(refusal);
        }
        // A mistyped name is refused first.
        read_suites(suites, &context.stop)?;
        return Err(without_position(&engine, depth));
    }
    let spec = required_engine(&args.engine, name, args.asking.state, context)?;
    let (targets, left_out) = targets::of_chess(&args, suites, context)?;
    let scope = Scope { left_out, ..args.asking.scope(targets.len(), findings) };
    search(&args.asking, spec, scope, &|number| targets.get(number).cloned(), context, out)
}

fn hunt_random(
    args: &HuntArgs,
    name: Option<&str>,
    positions: u128,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let positions = usize::try_from(positions).unwrap_or(usize::MAX);
    let (seed, depth) = (args.seed, args.depth.unwrap_or(RANDOM_DEPTH));
    let scope = Scope { seed: Some(seed), ..args.asking.scope(positions, args.findings.or(Some(1))) };
    let random = if args.asking.reach.impossible { unrestricted_target } else { random_target };
    let target = |number| (number < positions).then(|| random(seed, number as u64, depth));
    if let Some(reference) = &args.asking.reference {
        let comparison = comparison(&args.asking, &args.engine, name, reference, context)?;
        return comparison.run(scope, &|number| target(number).map(ReferenceTarget::from), context, out);
    }
    let spec = required_engine(&args.engine, name, args.asking.state, context)?;
    search(&args.asking, spec, scope, &target, context, out)
}

/// Returns the engine to test. If states are compared, the engine does not need to be able to count.
fn required_engine(
    args: &EngineArgs,
    name: Option<&str>,
    compares_states: bool,
    context: &Context,
) -> Result<EngineSpec, CliError> {
    let Some(name) = args.text().or(name) else {
        return Err(args.build(&context.stop).err().unwrap_or_else(no_engine));
    };
    let spec = match compares_states {
        true => args.named(name).and_then(|named| state_engine(&named, &context.stop)),
        false => args.build_named(name, &context.stop),
    };
    match (spec, without_engine(name)) {
        (Err(CliError::Usage { .. }), Some(refusal)) if !args.is_given() => Err(refusal),
        (spec, _) => spec,
    }
}

/// Returns the error for a word in the place of the engine, if it belongs after the engine.
fn without_engine(name: &str) -> Option<CliError> {
    let is_position = |name: &str| is_built_in(name) || name.split(' ').next().is_some_and(is_board);
    let name = Some(name).filter(|name| is_number(name) || is_position(name))?;
    Some(no_engine().help(format!("put the engine before '{name}', as in: ./my-engine {}", quoted(name))))
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
    name: Option<&'a str>,
    reference: &'a str,
    context: &Context,
) -> Result<Comparison<'a>, CliError> {
    let names = [engine.text().or(name).ok_or_else(no_engine)?, reference];
    let specs = engine.build_pair(names, &context.stop)?;
    Ok(Comparison { names, specs, format: asking.output.format() })
}

fn search(
    asking: &AskingArgs,
    spec: EngineSpec,
    scope: Scope,
    target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let run = if asking.state { states::run } else { findings::run };
    run(&EngineSearch { spec, scope, format: asking.format() }, target, context, out)
}
