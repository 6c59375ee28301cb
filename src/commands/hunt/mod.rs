//! `perft hunt`: finds the bugs of an engine, from a wrong count down to the position and the move. `perft fuzz` is
//! another name for a hunt on random positions.

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

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use generators::GeneratorHunt;
use perft_core::suite::{Limits, Suite, builtin};
use perft_core::{Interrupted, StopSignal, perft};
use perft_count::{Outcome, Perft, check_suite};
use perft_diagnosis::{
    HuntTarget, ReferenceTarget, SearchOptions, random_target, special_targets, unrestricted_target,
};
use reference::{Comparison, Positions};
use search::EngineSearch;
use states::state_engine;

use crate::engine::EngineSpec;
use crate::input::engine::EngineArgs;
use crate::input::games::path;
use crate::input::suite_reader::open_suites;
use crate::input::unread::UnreadInput;
use crate::input::{
    ENGINE_MAX_NODES, GeneratorChoice, ImpossibleArgs, Threads, TypedPosition, generator_choices, is_board,
    is_number, names_and_depth, one_depth, parse_depth, parse_nodes, read_words,
};
use crate::output::context::Context;
use crate::output::error::{CliError, warn};
use crate::output::printer::FindingFormat;
use crate::output::wait_note::WaitNote;
use crate::output::{Format, JsonArgs, grouped};
use crate::system::command_line::quoted;

const HUNT_EXAMPLES: &str = "\
Examples:
  perft hunt ./my-engine                                 all built-in positions
  perft hunt ./my-engine my.epd -t all                   a file, on all cores
  perft hunt ./my-engine kiwipete 5                      only one position
  perft hunt ./my-engine --random 1M -t all              random positions
  perft hunt --engine ./my-perft.sh --dialect perftree   a script as the engine
  perft hunt ./my-engine --state                         its FENs and keys
  perft hunt --generators all                            perft's generators";

/// The depth in plies, if none is given.
const DEPTH: u32 = 4;

/// The depth in plies for random positions, if none is given.
const RANDOM_DEPTH: u32 = 2;

/// The number of positions in which generators are compared, if none is given.
const GAME_POSITIONS: u64 = 100_000;

#[derive(Debug, Args)]
#[command(before_help = HUNT_EXAMPLES)]
pub struct HuntArgs {
    /// Engine to test, unless --engine names it; then a position with a depth (kiwipete 5), or suites to try: built-in
    /// names ("perft list positions" lists them), EPD or .perft files, or "-" for standard input [default: all built-in
    /// suites]
    #[arg(value_name = "ENGINE|NAME|FILE|-")]
    names: Vec<String>,
    /// Try only this position: a FEN (X-FEN and Shredder-FEN too), or a name such as kiwipete
    #[arg(short, long, value_name = "FEN|NAME")]
    fen: Option<String>,
    /// Moves to play from there first, in UCI notation, separated by commas or spaces: e2e4,e7e5; the engine plays them
    /// too
    #[arg(short, long, value_name = "MOVES", value_delimiter = ',', requires = "fen")]
    moves: Vec<String>,
    /// Depth in plies to ask for, with --fen, and with --reference for positions without known counts [default: 4]
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true)]
    depth: Option<u32>,
    /// Skip known counts above this number; 10k is enough for most bugs if the engine is slow
    #[arg(long, value_name = "N", default_value = ENGINE_MAX_NODES, value_parser = parse_nodes)]
    max_nodes: u128,
    /// Compare built-in generators with bitboard on random games, move by move, instead of asking an engine: all, or
    /// names separated by commas. --random gives the least number of positions [default: 100k]
    #[arg(
        long,
        value_name = "all|NAME,...",
        value_delimiter = ',',
        value_parser = generator_choices(),
        hide_possible_values = true,
        hide_short_help = true,
        conflicts_with_all = ["names", "fen", "depth", "max_nodes", "findings", "questions", "impossible", "reference", "state", "epd", "engine"]
    )]
    generators: Vec<GeneratorChoice>,
    #[command(flatten)]
    random: RandomArgs,
    #[command(flatten)]
    asking: AskingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// The arguments for random positions.
#[derive(Debug, Args)]
struct RandomArgs {
    /// Ask about this number of random positions (20000, 100k, 1M), to depth 2 or to --depth
    #[arg(long, value_name = "N", value_parser = parse_nodes, conflicts_with_all = ["fen", "max_nodes"])]
    random: Option<u128>,
    /// Seed of the random positions; another seed gives other positions
    #[arg(long, value_name = "N", default_value = "1", requires = "random", hide_short_help = true)]
    seed: u64,
    /// Stop after this number of bugs [default: 100; with --random: 1]
    #[arg(long, value_name = "N", hide_short_help = true)]
    findings: Option<usize>,
}

/// The arguments that do not depend on the positions.
#[derive(Debug, Args)]
struct AskingArgs {
    /// Number of engine processes to ask at the same time, or "all" for one per core
    #[arg(short, long, value_name = "N|all", default_value = "1", allow_negative_numbers = true)]
    threads: Threads,
    /// Maximum number of questions about one position, including those that narrow a bug down
    #[arg(long, value_name = "N", default_value = "20000", hide_short_help = true)]
    questions: u64,
    #[command(flatten)]
    reach: ImpossibleArgs,
    /// Compare the engine with this one (a name from perft.toml, or a command) and not with perft's own counts. Both
    /// may play a variant of chess: --reference fairy-stockfish --set UCI_Variant=atomic
    #[arg(long, value_name = "NAME|CMD")]
    reference: Option<String>,
    /// Instead of counts, compare the FENs and the keys that the engine prints: after moves, after a FEN alone, and
    /// after a count
    #[arg(long, conflicts_with = "reference")]
    state: bool,
    #[command(flatten)]
    output: JsonArgs,
    /// Print only EPD lines, for a test suite; with --state, the position and the moves as a UCI command
    #[arg(long, conflicts_with_all = ["json", "reference"])]
    epd: bool,
}

const FUZZ_EXAMPLES: &str = "\
Examples:
  perft fuzz ./my-engine                         until the first bug
  perft fuzz ./my-engine --positions 1M -t all   long, on all cores
  perft fuzz ./my-engine --seed 2 --findings 5   until the fifth bug";

#[derive(Debug, Args)]
#[command(before_help = FUZZ_EXAMPLES)]
pub struct FuzzArgs {
    /// Engine to test, unless --engine names it
    #[arg(value_name = "ENGINE", conflicts_with = "engine")]
    name: Option<String>,
    /// Maximum number of random positions: 20000, 100k, 1M
    #[arg(long, value_name = "N", default_value = "10k", value_parser = parse_nodes)]
    positions: u128,
    /// Seed of the random positions; another seed gives other positions
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Depth in plies to ask for
    #[arg(short, long, value_name = "N", default_value = "2", value_parser = parse_depth, allow_negative_numbers = true)]
    depth: u32,
    /// Stop after this number of bugs
    #[arg(long, value_name = "N", default_value = "1")]
    findings: usize,
    #[command(flatten)]
    asking: AskingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs `perft hunt`.
pub fn run(args: HuntArgs, context: &Context, out: &mut (impl Write + Send)) -> Result<ExitCode, CliError> {
    if !args.generators.is_empty() {
        args.engine.refuse_options("an engine")?;
        return args.generator_hunt().run(context, out);
    }
    let names = args.names.clone();
    let (name, suites) = match names.split_first() {
        Some((first, rest)) if !args.engine.is_given() => (Some(first.as_str()), rest),
        _ => (None, names.as_slice()),
    };
    let engine = name.map_or("--engine CMD".to_owned(), quoted);
    if let Some(positions) = args.random.random {
        if let Some(other) = suites.first() {
            let message = format!("--random asks about random positions, and not about '{other}'");
            return Err(CliError::usage(message).help("leave out one of them"));
        }
        let HuntArgs { random: RandomArgs { seed, findings, .. }, depth, asking, engine, .. } = args;
        let (depth, findings) = (depth.unwrap_or(RANDOM_DEPTH), findings.unwrap_or(1));
        let args =
            FuzzArgs { name: name.map(str::to_owned), positions, seed, depth, findings, asking, engine };
        return run_fuzz(args, context, out);
    }
    let (args, suites) = with_position(args, suites, &format!("perft hunt {engine}"))?;
    let suites = suites.as_slice();
    let has_default = args.fen.is_none() && suites.is_empty();
    let _unread = has_default.then(|| UnreadInput::watch(format!("perft hunt {engine} -"), context));
    let options = args.asking.options();
    let options = SearchOptions { findings: args.random.findings.unwrap_or(options.findings), ..options };
    if let Some(reference) = &args.asking.reference {
        let (targets, left_out) = reference_targets(&args, suites, context)?;
        let found = args.asking.comparison(&args.engine, name, reference, targets.len(), context)?;
        let comparison = Comparison { options, left_out, ..found };
        return comparison.run(&|number| targets.get(number).cloned(), context, out);
    }
    if let (Some(depth), None) = (args.depth, &args.fen) {
        if let Some(refusal) = name.and_then(without_engine) {
            return Err(refusal);
        }
        // A mistyped name is refused first.
        open_suites(suites, &context.stop)?;
        let refusal =
            CliError::usage("a depth needs a position, because a suite has the depths of its known counts");
        return Err(refusal.help(format!("name the position, as in: perft hunt {engine} start {depth}")));
    }
    let spec = required_engine(&args.engine, name, args.asking.state, context)?;
    let (targets, left_out) = targets(&args, suites, context)?;
    let job = EngineSearch { spec, options, positions: targets.len(), seed: None, left_out };
    search(job, &|number| targets.get(number).cloned(), &args.asking, context, out)
}

/// Runs `perft fuzz`.
pub fn run_fuzz(
    args: FuzzArgs,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let positions = usize::try_from(args.positions).unwrap_or(usize::MAX);
    let FuzzArgs { seed, depth, findings, .. } = args;
    let options = SearchOptions { findings, ..args.asking.options() };
    let random = if args.asking.reach.impossible { unrestricted_target } else { random_target };
    let target = |number| (number < positions).then(|| random(seed, number as u64, depth));
    let name = args.name.as_deref();
    if let Some(reference) = &args.asking.reference {
        let found = args.asking.comparison(&args.engine, name, reference, positions, context)?;
        let comparison = Comparison { options, seed: Some(seed), ..found };
        return comparison.run(&|number| target(number).map(ReferenceTarget::from), context, out);
    }
    let spec = required_engine(&args.engine, name, args.asking.state, context)?;
    let job = EngineSearch { spec, options, positions, seed: Some(seed), left_out: 0 };
    search(job, &target, &args.asking, context, out)
}

impl HuntArgs {
    fn generator_hunt(&self) -> GeneratorHunt<'_> {
        let positions = self
            .random
            .random
            .map_or(GAME_POSITIONS, |positions| u64::try_from(positions).unwrap_or(u64::MAX));
        let (threads, format) = (self.asking.threads.count(), self.asking.output.format());
        GeneratorHunt { generators: &self.generators, positions, seed: self.random.seed, threads, format }
    }
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

/// Whether there is a built-in position or suite of this name.
fn is_built_in(name: &str) -> bool {
    builtin::position(name).is_some() || builtin::suite(name).is_some()
}

fn no_engine() -> CliError {
    CliError::usage("no engine was given").help("name the engine to test, as in perft hunt ./my-engine")
}

impl AskingArgs {
    fn options(&self) -> SearchOptions {
        SearchOptions {
            questions: self.questions,
            allow_impossible: self.reach.impossible,
            ..SearchOptions::default()
        }
    }

    /// Returns a comparison of the engine with a reference.
    fn comparison<'a>(
        &self,
        engine: &'a EngineArgs,
        name: Option<&'a str>,
        reference: &'a str,
        positions: usize,
        context: &Context,
    ) -> Result<Comparison<'a>, CliError> {
        let names = [engine.text().or(name).ok_or_else(no_engine)?, reference];
        Ok(Comparison {
            names,
            specs: engine.build_pair(names, &context.stop)?,
            options: SearchOptions { threads: self.threads.count(), ..self.options() },
            positions,
            seed: None,
            left_out: 0,
            format: self.output.format(),
        })
    }

    fn format(&self) -> FindingFormat {
        match self.output.format() {
            Format::Json => FindingFormat::Json,
            _ if self.epd => FindingFormat::Epd,
            _ => FindingFormat::Text,
        }
    }
}

/// Moves a position and a depth from the names to `--fen` and `--depth`. Returns the arguments with the other names.
/// Examples in messages begin with `command`.
fn with_position(
    mut args: HuntArgs,
    names: &[String],
    command: &str,
) -> Result<(HuntArgs, Vec<String>), CliError> {
    let typed = TypedPosition::of_words(names);
    let is_position = if args.fen.is_some() { typed.position.is_empty() } else { typed.has_position() };
    if !is_position {
        if typed.depth.is_some() && names.iter().any(|name| builtin::position(name).is_some()) {
            read_words(names, command)?;
        }
        let (names, depth) = names_and_depth(names, args.depth)?;
        return Ok((HuntArgs { depth, ..args }, names));
    }
    args.depth = one_depth(typed.depth, args.depth)?;
    args.fen = args.fen.or(Some(typed.position));
    args.moves.extend(typed.moves);
    Ok((args, Vec::new()))
}

/// Returns the positions to ask about: the one of `--fen`, or those of the suites. Also returns how many positions of
/// the suites are left out because no game reaches them.
fn targets(
    args: &HuntArgs,
    suites: &[String],
    context: &Context,
) -> Result<(Vec<HuntTarget>, usize), CliError> {
    if let Some(fen) = &args.fen {
        if let Some(suite) = suites.first() {
            return Err(CliError::usage(format!(
                "'{suite}' is a suite, and --fen a position: give one of them"
            )));
        }
        let moves: Vec<String> =
            args.moves.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
        let path = path(fen, &moves, context)?;
        return Ok((vec![HuntTarget { path, depths: (1..=args.depth.unwrap_or(DEPTH)).collect() }], 0));
    }
    let limits = Limits { max_nodes: args.max_nodes, ..Limits::NONE };
    let _patience = WaitNote::at_work("reading the positions and checking their known counts".to_owned());
    let mut all: Vec<HuntTarget> = Vec::new();
    for mut suite in open_suites(suites, &context.stop)? {
        while !suite.is_at_end() {
            all.extend(of_suite(suite.next_block()?, &limits, &context.stop)?);
        }
    }
    if suites.is_empty() && !args.asking.state {
        all.extend(special_targets().into_iter().filter_map(|target| within(target, &limits)));
    }
    let number = all.len();
    let is_asked = |target: &HuntTarget| args.asking.reach.allow(&target.path.root);
    let asked: Vec<HuntTarget> = all.into_iter().filter(is_asked).collect();
    let left_out = number - asked.len();
    Ok((asked, left_out))
}

/// Returns a target with the depths whose counts are within the limits, if there are any.
fn within(mut target: HuntTarget, limits: &Limits) -> Option<HuntTarget> {
    target.depths.retain(|&depth| perft(&target.path.end, depth) <= limits.max_nodes);
    (!target.depths.is_empty()).then_some(target)
}

/// Returns the positions for a comparison with a reference, and how many are left out because no game reaches them.
/// Only the built-in positions are known to be positions of chess.
fn reference_targets(
    args: &HuntArgs,
    suites: &[String],
    context: &Context,
) -> Result<(Vec<ReferenceTarget>, usize), CliError> {
    let (named, files): (Vec<String>, Vec<String>) =
        suites.iter().cloned().partition(|name| is_built_in(name));
    let positions = Positions {
        fen: args.fen.as_deref(),
        moves: &args.moves,
        depth: args.depth.unwrap_or(DEPTH),
        files: &files,
        max_nodes: args.max_nodes,
    };
    let mut found = reference::targets(&positions, &context.stop)?;
    if args.fen.is_some() || (named.is_empty() && !files.is_empty()) {
        return Ok((found, 0));
    }
    let (of_suites, left_out) = targets(args, &named, context)?;
    found.extend(of_suites.into_iter().map(ReferenceTarget::from));
    Ok((found, left_out))
}

/// Returns the positions of a suite, each with the depths of its known counts.
///
/// Warns of a known count that is wrong, because the engine would be blamed for it. A depth whose right count is
/// above the limit is left out.
fn of_suite(mut suite: Suite, limits: &Limits, stop: &StopSignal) -> Result<Vec<HuntTarget>, CliError> {
    let outcomes = check_suite(&suite, limits, &Perft::new(), stop, |_| {});
    let outcomes = outcomes.map_err(|Interrupted| CliError::Interrupted("nothing was asked".to_owned()))?;
    let wrong: Vec<&Outcome> = outcomes.iter().filter(|outcome| !outcome.is_right()).collect();
    wrong.iter().for_each(|outcome| warn_of_wrong_count(&suite.name, outcome));
    let too_large = wrong.iter().filter(|outcome| outcome.is_lower_bound);
    let too_large: Vec<(usize, u32)> =
        too_large.map(|outcome| (outcome.case.line, outcome.expected.depth)).collect();
    for case in &mut suite.cases {
        case.expected.retain(|known| !too_large.contains(&(case.line, known.depth)));
    }
    Ok(suite.cases.iter().map(|case| HuntTarget::of_case(case, limits)).collect())
}

fn warn_of_wrong_count(suite: &str, outcome: &Outcome) {
    let Outcome { case, expected, nodes, is_lower_bound } = *outcome;
    let (line, name, depth) = (case.line, case.name(), expected.depth);
    let (bound, nodes) = (if is_lower_bound { "at least " } else { "" }, grouped(nodes));
    warn(format!(
        "{suite}:{line}: the count of {name} at depth {depth} is {bound}{nodes}, not {}",
        grouped(expected.nodes)
    ));
}

/// Runs a search for wrong states or wrong counts, with no more threads than positions.
fn search(
    job: EngineSearch,
    target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
    asking: &AskingArgs,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let threads = asking.threads.count().clamp(1, job.positions.max(1));
    let job = EngineSearch { options: SearchOptions { threads, ..job.options }, ..job };
    let run = if asking.state { states::run } else { findings::run };
    run(&job, target, asking.format(), context, out)
}
