//! The positions that an engine is asked about.

use perft_core::suite::{Limits, builtin};
use perft_core::{CastlingNotation, Position, START_FEN, StopSignal};
use perft_count::{Perft, Progress};
use perft_diagnosis::source::Question;
use perft_diagnosis::{HuntTarget, ReferenceTarget, special_targets};

use super::args::HuntArgs;
use crate::input::game::path;
use crate::input::{is_built_in, read_lines, read_suites};
use crate::output::{CliError, Context, WaitNote};

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
        let path = path(fen, &args.moves(), context)?;
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
pub fn of_any_variant(
    args: &HuntArgs,
    suites: &[String],
    context: &Context,
) -> Result<(Vec<ReferenceTarget>, usize), CliError> {
    let depth = args.depth.unwrap_or(DEPTH);
    if let Some(text) = &args.fen {
        return Ok((vec![single(text, args.moves(), depth)], 0));
    }
    let (named, files): (Vec<String>, Vec<String>) =
        suites.iter().cloned().partition(|name| is_built_in(name));
    let mut found = Vec::new();
    for file in &files {
        found.extend(of_file(file, depth, args.max_nodes(), context)?);
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
    let fen = builtin::position(text).map_or(text.trim(), |case| &case.fen);
    ReferenceTarget { question: Question { moves, ..question(fen) }, depths: (1..=depth).collect() }
}

/// Returns the positions of a file. They can belong to any variant. Known counts above `max_nodes` are not asked for.
/// `depth` is the last depth for positions without known counts.
///
/// # Errors
/// The file cannot be read, or has no positions.
fn of_file(
    file: &str,
    depth: u32,
    max_nodes: u128,
    context: &Context,
) -> Result<Vec<ReferenceTarget>, CliError> {
    let lines = read_lines(file, context)?;
    let lines =
        lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let targets: Vec<_> = lines.map(|line| of_line(line, depth, max_nodes)).collect();
    if targets.is_empty() {
        return Err(CliError::usage(format!("the file '{file}' has no positions")));
    }
    Ok(targets)
}

/// Returns the position of a line, with the depths of its known counts.
fn of_line(line: &str, depth: u32, max_nodes: u128) -> ReferenceTarget {
    let known: Vec<u32> = line.split(';').filter_map(|operation| known_depth(operation, max_nodes)).collect();
    let depths = if known.is_empty() { (1..=depth).collect() } else { known };
    ReferenceTarget { question: question(fen_of_line(line)), depths }
}

/// Returns the FEN of a line. It ends at the first semicolon, or at the first operation after four fields.
fn fen_of_line(line: &str) -> &str {
    let head = line.split(';').next().unwrap_or(line);
    let mut words = head.split_ascii_whitespace().skip(4);
    let operation = words.find(|word| word.starts_with(|letter: char| letter.is_alphabetic()));
    let end = operation.map_or(head.len(), |word| word.as_ptr() as usize - head.as_ptr() as usize);
    head[..end].trim()
}

/// Returns the depth of an operation such as `D3 8902`.
fn known_depth(operation: &str, max_nodes: u128) -> Option<u32> {
    let (depth, nodes) = operation.trim().strip_prefix('D')?.split_once(' ')?;
    let nodes: u128 = nodes.trim().parse().ok()?;
    depth.parse().ok().filter(|_| nodes <= max_nodes)
}

fn question(fen: &str) -> Question {
    let fen = if matches!(fen, "startpos" | "start") { START_FEN } else { fen };
    let is_chess960 = Position::from_fen(fen)
        .is_ok_and(|position| position.castling_notation() == CastlingNotation::Chess960);
    Question { fen: fen.to_owned(), moves: Vec::new(), depth: 1, is_chess960 }
}

#[cfg(test)]
mod tests {
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
