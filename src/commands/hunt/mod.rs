//! `perft hunt`: finds the bugs of an engine, from a wrong count down to the position and the move.
//!
//! - `args`: the arguments, and the positions that an engine is asked about
//! - `report`: the hunts for wrong counts and wrong states, the comparison with a reference, and their report
//! - `notes`: what a report says beside its findings

pub mod args;
pub mod notes;
pub mod report;

pub use args::{Hunt, HuntArgs};

use std::io::Write;
use std::process::ExitCode;

use perft_core::StopSignal;
use perft_diagnosis::{ReferenceTarget, random_target, unrestricted_target};
use report::{compare, hunt_counts, hunt_for_states};

use crate::engine::{EngineSpec, find_state};
use crate::input::{NamedEngine, UnreadInput, Word, command, hunt_of, read_suites};
use crate::output::{CliError, CliErrorKind, Context, WaitNote, grouped, note};
use crate::system::command_line::{again, to_type};

/// The depth in plies for random positions, if none is given.
const RANDOM_DEPTH: u32 = 2;

pub fn run(
    mut args: HuntArgs,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    args.engine.take_from(&mut args.names, context)?;
    if let (None, Some(first)) = (args.engine.text(), args.names.first()) {
        let word = Word::of(first, args.engine.config())?;
        let is_engine =
            matches!(word, Word::Unknown | Word::Missing | Word::Folder | Word::Move | Word::Keyword);
        return Err(if is_engine { word.refusal(first, "an engine", context) } else { no_engine() });
    }
    if let Some(positions) = args.random {
        if let Some(other) = args.names.first() {
            let message = format!("--random asks about random positions, and not about '{other}'");
            return Err(CliError::usage(message).help("leave out one of them"));
        }
        return hunt_random(&args, positions, context, out);
    }
    args.take_position(context)?;
    let engine = args.engine.text().unwrap_or("./my-engine");
    let has_default = args.fen.is_none() && args.names.is_empty();
    let _unread =
        has_default.then(|| UnreadInput::watch(to_type(&[hunt_of(engine), vec!["-".to_owned()]].concat())));
    if args.reference.is_some() {
        let (targets, left_out) = args::of_any_variant(&args, context)?;
        let hunt = prepare(&args, &[], (targets.len(), left_out), context)?;
        return compare(hunt, &|number| targets.get(number).cloned(), out);
    }
    if let (Some(depth), None) = (args.depth, &args.fen) {
        // A mistyped name is refused first.
        read_suites(&args.names, context)?;
        let error = "a depth needs a position, because a suite has the depths of its known counts";
        let line = [hunt_of(engine), vec!["start".to_owned(), depth.to_string()]].concat();
        return Err(CliError::usage(error).suggest("name the position, as in", &line));
    }
    let more: &[&str] = if args.fen.is_some() { &[] } else { &["--random", "100k"] };
    let (mut targets, left_out) = args::of_chess(&args, &args.names, context)?;
    let mut hunt = prepare(&args, more, (targets.len(), left_out), context)?;
    let may_be_limited = args.max_nodes.is_none() && args.fen.is_none() && !args.state;
    if let Some(speed) = may_be_limited.then(|| hunt.speed_if_slow()).flatten() {
        // What it counts in a twentieth of a second, to one digit.
        let most = (speed / 20.0).max(1000.0) as u128;
        let unit = 10_u128.pow(most.ilog10());
        let most = most / unit * unit;
        note(format!(
            "the engine counts about {} nodes/s, so counts above {} are left out; --max-nodes asks for more",
            grouped(speed as u128 / 1000 * 1000),
            grouped(most)
        ));
        targets.iter_mut().for_each(|target| args::limit(target, most, &context.stop));
        targets.retain(|target| !target.depths.is_empty());
        hunt.positions = targets.len();
    }
    let run = if args.state { hunt_for_states } else { hunt_counts };
    run(&hunt, &|number| targets.get(number).cloned(), out)
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
    let hunt = prepare(args, &more, (positions, 0), context)?;
    match args.reference {
        Some(_) => compare(hunt, &|number| target(number).map(ReferenceTarget::from), out),
        None if args.state => hunt_for_states(&hunt, &target, out),
        None => hunt_counts(&hunt, &target, out),
    }
}

/// Prepares a hunt in this number of positions, with the number of those that are left out. If states are compared, the
/// engine does not need to be able to count. If there is no bug, a hunt with the words of `more` is suggested.
fn prepare<'a>(
    args: &'a HuntArgs,
    more: &[&str],
    (positions, left_out): (usize, usize),
    context: &'a Context,
) -> Result<Hunt<'a>, CliError> {
    let engine = args.engine.text().ok_or_else(no_engine)?;
    let engines = match &args.reference {
        Some(reference) => args.engine.build_pair([engine, reference], &context.stop)?.to_vec(),
        None if args.state => vec![probe_state_engine(&args.engine.load(engine)?, &context.stop)?],
        None => vec![args.engine.build(context)?.ok_or_else(no_engine)?],
    };
    let machine = context.given.flags(&["threads"]);
    let more = more.iter().map(|word| (*word).to_owned());
    let words = hunt_of(engine).into_iter().chain(more).chain(machine);
    let (options, next) = (args.options(positions), command(words, context));
    Ok(Hunt { args, context, engines, options, positions, left_out, next })
}

/// Finds the command by which an engine prints its FEN or its key. The engine need not know perft.
///
/// # Errors
/// The engine does not start, or prints no state.
fn probe_state_engine(named: &NamedEngine, stop: &StopSignal) -> Result<EngineSpec, CliError> {
    let probed = named.clone().probe(&[], stop);
    let spec = probed.map_or_else(|_| named.spec.clone().without_counts(), |(spec, _)| spec);
    let _patience = WaitNote::at_work(format!("finding out how {} prints its FEN or its key", named.text));
    let found = find_state(&spec, stop).map_err(|error| named.engines.start_error(&named.text, error))?;
    found.map(|(spec, _)| spec).ok_or_else(|| {
        let message = match &spec.ask_state {
            Some(line) => format!("the engine prints neither a FEN nor a key after '{line}'"),
            None => "found no command after which the engine prints its FEN or its key".to_owned(),
        };
        CliError::failed(CliErrorKind::Engine, message).help("if it has one, give it: --ask-state 'LINE'")
    })
}

fn no_engine() -> CliError {
    CliError::usage("no engine was given")
        .suggest("name the engine to test, as in", &["hunt", "./my-engine"])
        .suggest("name the engine too, as in", &again(&[("hunt", &["hunt", "./my-engine"])]))
}
