//! The arguments of `perft hunt`, the positions that they name, and the hunt that is prepared from them.

use clap::{Args, ValueHint};
use perft_core::suite::{Limits, builtin};
use perft_core::{CastlingNotation, Position, StopSignal};
use perft_count::{Perft, Progress};
use perft_diagnosis::source::Question;
use perft_diagnosis::{HuntTarget, ReferenceTarget, SearchOptions, special_targets, survey_for};

use crate::engine::EngineSpec;
use crate::input::game::path;
use crate::input::{
    ENGINE_MAX_NODES, EngineArgs, Typed, UnreachableArgs, is_built_in, is_number, joined, one_depth,
    parse_depth, parse_nodes, parse_threads, read_lines, read_suites, split_moves,
};
use crate::output::{CliError, Context, JsonArgs, WaitNote};

/// A hunt: how it was typed, the engine, and the positions.
pub struct Hunt<'a> {
    pub args: &'a HuntArgs,
    pub context: &'a Context,
    /// The engine. In a comparison, the reference follows.
    pub engines: Vec<EngineSpec>,
    /// The threads and the limits.
    pub options: SearchOptions,
    /// The number of positions to ask about.
    pub positions: usize,
    /// The number of positions that are left out because no game reaches them.
    pub left_out: usize,
    /// The command to run next if there is no bug.
    pub next: Option<String>,
}

#[derive(Debug, Args)]
pub struct HuntArgs {
    /// Engine to test, and a position with a depth (kiwipete 5), or suites to try: built-in names ("perft list positions"
    /// lists them), files, or "-" for standard input [default: all built-in suites]
    #[arg(value_name = "ENGINE|NAME|FILE|-")]
    pub names: Vec<String>,
    /// Try only this position: a FEN (X-FEN and Shredder-FEN too), or a name such as kiwipete
    #[arg(short, long, value_name = "FEN|NAME")]
    pub fen: Option<String>,
    /// Moves to play from there first, in UCI notation, separated by commas or spaces: e2e4,e7e5; the engine plays them
    /// too
    #[arg(short, long, value_name = "MOVES", requires = "fen")]
    pub moves: Vec<String>,
    /// Depth in plies to ask for, with --fen, and with --reference for positions without known counts [default: 4]
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true)]
    pub depth: Option<u32>,
    /// Skip known counts above this number [default: 3M, or what a slow engine counts in a twentieth of a second]
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    pub max_nodes: Option<u128>,
    /// Ask about this number of random positions (20000, 100k, 1M), to depth 2 or to --depth
    #[arg(long, value_name = "N", value_parser = parse_nodes, conflicts_with_all = ["fen", "max_nodes"])]
    pub random: Option<u128>,
    /// Seed of the random positions; another seed gives other positions
    #[arg(long, value_name = "N", default_value = "1", requires = "random", hide_short_help = true)]
    pub seed: u64,
    /// Stop after this number of bugs [default: 100; with --random: 1]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub max_bugs: Option<usize>,
    /// Number of engine processes to ask at the same time, or "all" for one per core
    #[arg(short, long, value_name = "N|all", default_value = "1", value_parser = parse_threads, allow_negative_numbers = true)]
    pub threads: usize,
    /// Maximum number of questions about one position, including those that narrow a bug down
    #[arg(long, value_name = "N", default_value = "20000", hide_short_help = true)]
    pub max_questions: u64,
    #[command(flatten)]
    pub reach: UnreachableArgs,
    /// Compare the engine with this one (a name from perft.toml, or a command) and not with perft's own counts. Both
    /// may play a variant of chess: --reference fairy-stockfish --option UCI_Variant=atomic
    #[arg(long, value_name = "NAME|CMD", value_hint = ValueHint::FilePath)]
    pub reference: Option<String>,
    /// Instead of counts, compare the FENs and the keys that the engine prints: after moves, after a FEN alone, and
    /// after a count
    #[arg(long, conflicts_with = "reference")]
    pub state: bool,
    #[command(flatten)]
    pub output: JsonArgs,
    /// Print only EPD lines, for a test suite; with --state, the position and the moves as a UCI command
    #[arg(long, conflicts_with_all = ["json", "reference"])]
    pub epd: bool,
    /// Show pieces on boards as figures instead of letters
    #[arg(long, hide_short_help = true)]
    pub figures: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

impl HuntArgs {
    /// Moves a position and a depth from the names to `--fen` and `--depth`.
    pub fn take_position(&mut self, context: &Context) -> Result<(), CliError> {
        let mut typed = Typed::of(&self.names);
        let has_others = !typed.others.is_empty() || typed.positions == ["-"];
        if has_others || typed.positions.len() + usize::from(self.fen.is_some()) != 1 {
            if !typed.depths.is_empty() && !typed.positions.is_empty() {
                one_depth(&typed.depths, self.depth)?;
                typed.refuse_others(context)?;
            }
            (typed.depths, self.names) = joined(&self.names).into_iter().partition(|text| is_number(text));
        } else {
            self.names.clear();
            self.fen = self.fen.take().or(typed.positions.pop());
            self.moves.extend(typed.moves);
        }
        self.depth = one_depth(&typed.depths, self.depth)?;
        Ok(())
    }

    /// Returns the largest known count that is asked for.
    pub fn max_nodes(&self) -> u128 {
        self.max_nodes.unwrap_or(ENGINE_MAX_NODES)
    }

    /// Returns the options of a hunt in `positions` positions. There are no more threads than positions.
    pub fn options(&self, positions: usize) -> SearchOptions {
        let default = SearchOptions::default();
        // A position that is named is asked about alone, and random positions follow right suites.
        let is_of_suites = self.fen.is_none() && self.random.is_none();
        SearchOptions {
            threads: self.threads.clamp(1, positions.max(1)),
            questions: self.max_questions,
            findings: self.max_bugs.or(self.random.map(|_| 1)).unwrap_or(default.findings),
            survey: if is_of_suites { survey_for(self.max_nodes() * positions as u128) } else { 0 },
            ..default
        }
    }
}

/// The depth in plies, if none is given.
const DEPTH: u32 = 4;

/// Returns the positions to ask about: the one of `--fen`, or those of the suites. Also returns how many positions of
/// the suites are left out because no game reaches them.
pub fn of_chess(
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
        let path = path(fen, &split_moves(&args.moves), context)?;
        return Ok((vec![HuntTarget { path, depths: (1..=args.depth.unwrap_or(DEPTH)).collect() }], 0));
    }
    let max_nodes = args.max_nodes();
    let _patience = WaitNote::at_work("reading and counting the positions".to_owned());
    let mut targets: Vec<HuntTarget> = Vec::new();
    for suite in read_suites(suites, context)? {
        targets
            .extend(suite.cases.iter().map(|case| HuntTarget::of_case(case, &Limits::max_nodes(max_nodes))));
    }
    if suites.is_empty() && !args.state {
        targets.extend(special_targets());
    }
    let number = targets.len();
    targets.retain(|target| args.reach.allow(&target.path.root));
    let left_out = number - targets.len();
    targets.iter_mut().for_each(|target| limit(target, max_nodes, &context.stop));
    if context.stop.is_raised() {
        return Err(CliError::Interrupted("nothing was asked".to_owned()));
    }
    targets.retain(|target| !target.depths.is_empty());
    Ok((targets, left_out))
}

/// Leaves out the depths above 1 with more leaf nodes than the limit. So a false known count cannot make a hunt
/// endless.
pub fn limit(target: &mut HuntTarget, max_nodes: u128, stop: &StopSignal) {
    let HuntTarget { path, depths } = target;
    depths.retain(|&depth| {
        let progress = Progress::limited(stop.clone(), max_nodes);
        let counted = || Perft::new().count_with_progress(&path.end, depth, &progress);
        depth == 1 || counted().is_ok_and(|nodes| nodes <= max_nodes)
    });
}

/// Returns the positions for a comparison with a reference, and how many are left out because no game reaches them.
/// Only the built-in positions are known to be positions of chess.
pub fn of_any_variant(args: &HuntArgs, context: &Context) -> Result<(Vec<ReferenceTarget>, usize), CliError> {
    let depth = args.depth.unwrap_or(DEPTH);
    if let Some(text) = &args.fen {
        return Ok((vec![single(text, split_moves(&args.moves), depth)], 0));
    }
    let (named, files): (Vec<String>, Vec<String>) =
        args.names.iter().cloned().partition(|name| is_built_in(name));
    let mut found = Vec::new();
    for file in &files {
        found.extend(of_file(file, args, context)?);
    }
    if named.is_empty() && !files.is_empty() {
        return Ok((found, 0));
    }
    let (of_suites, left_out) = of_chess(args, &named, context)?;
    found.extend(of_suites.into_iter().map(ReferenceTarget::from));
    Ok((found, left_out))
}

/// Returns the position of a FEN or a name, after these moves. It is asked about at all depths up to this one.
fn single(text: &str, moves: Vec<String>, depth: u32) -> ReferenceTarget {
    ReferenceTarget { question: Question { moves, ..question(text) }, depths: (1..=depth).collect() }
}

/// Returns the positions of a file. They can belong to any variant. Known counts above the limit are not asked for.
///
/// # Errors
/// The file cannot be read, or has no positions.
fn of_file(file: &str, args: &HuntArgs, context: &Context) -> Result<Vec<ReferenceTarget>, CliError> {
    let (depth, max_nodes) = (args.depth.unwrap_or(DEPTH), args.max_nodes());
    let lines = read_lines(file, context)?;
    let lines =
        lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let targets: Vec<_> = lines.map(|line| of_line(line, depth, max_nodes)).collect();
    if targets.is_empty() {
        return Err(CliError::usage(format!("the file '{file}' has no positions")));
    }
    Ok(targets)
}

fn of_line(line: &str, depth: u32, max_nodes: u128) -> ReferenceTarget {
    let known: Vec<u32> = line.split(';').filter_map(|operation| known_depth(operation, max_nodes)).collect();
    let depths = if known.is_empty() { (1..=depth).collect() } else { known };
    ReferenceTarget { question: question(&fen_of_line(line)), depths }
}

/// Returns the FEN of a line. It ends at the first semicolon, or at the first operation after four fields.
fn fen_of_line(line: &str) -> String {
    let words = line.split(';').next().unwrap_or(line).split_ascii_whitespace().enumerate();
    let is_field = |(index, word): &(usize, &str)| *index < 4 || !word.starts_with(char::is_alphabetic);
    words.take_while(is_field).map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

/// Returns the depth of an operation such as `D3 8902`.
fn known_depth(operation: &str, max_nodes: u128) -> Option<u32> {
    let (depth, nodes) = operation.trim().strip_prefix('D')?.split_once(' ')?;
    let nodes: u128 = nodes.trim().parse().ok()?;
    depth.parse().ok().filter(|_| nodes <= max_nodes)
}

fn question(text: &str) -> Question {
    let fen = builtin::position(text).map_or(text.trim(), |case| &case.fen);
    let is_chess960 = Position::from_fen(fen)
        .is_ok_and(|position| position.castling_notation() == CastlingNotation::Chess960);
    Question { fen: fen.to_owned(), moves: Vec::new(), depth: 1, is_chess960 }
}

#[cfg(test)]
mod tests {
    use perft_core::START_FEN;

    use super::*;

    const CRAZYHOUSE: &str = "r1bk3r/pppp2pp/8/3q4/8/8/PPP2PPP/RNBQ1RK1[NPbn] w - - 0 1";

    #[test]
    fn positions_may_be_of_any_variant() {
        let of_line = |line: &str| of_line(line, 2, 1000);
        let target = of_line(&format!("{CRAZYHOUSE} ;D1 75 ;D2 999 ;D3 100000"));
        assert_eq!((target.question.fen.as_str(), &target.depths[..]), (CRAZYHOUSE, &[1, 2][..]));
        assert_eq!(of_line(CRAZYHOUSE).depths, [1, 2]);
        assert_eq!(of_line("startpos").question.fen, START_FEN);
    }

    #[test]
    fn one_position_has_moves_and_all_depths() {
        let moves = ["P@e6", "e8d8"].map(str::to_owned);
        let found = single(CRAZYHOUSE, moves.to_vec(), 3);
        assert_eq!((&found.question.moves[..], &found.depths[..]), (&moves[..], &[1, 2, 3][..]));
        assert!(single("kiwipete", Vec::new(), 3).question.fen.starts_with("r3k2r/"));
    }
}
