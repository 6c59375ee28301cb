//! The positions that an engine is asked about.

use perft_core::suite::{Limits, Suite, builtin};
use perft_core::{CastlingNotation, Interrupted, Position, START_FEN, StopSignal};
use perft_count::{Outcome, Perft, check_suite};
use perft_diagnosis::source::Question;
use perft_diagnosis::{HuntTarget, ReferenceTarget, special_targets};

use super::args::HuntArgs;
use crate::input::game::path;
use crate::input::suite_reader::{is_built_in, read_lines, read_suites};
use crate::output::context::Context;
use crate::output::error::{CliError, warn};
use crate::output::grouped;
use crate::output::terminal::WaitNote;

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
    let limits = Limits { max_nodes: args.max_nodes(), ..Limits::NONE };
    let _patience = WaitNote::at_work("reading the positions and checking their known counts".to_owned());
    let mut all: Vec<HuntTarget> = Vec::new();
    for suite in read_suites(suites, context)? {
        all.extend(of_suite(suite, &limits, &context.stop)?);
    }
    if suites.is_empty() && !args.state {
        all.extend(special_targets().into_iter().filter_map(|target| within(target, &limits)));
    }
    let number = all.len();
    let is_asked = |target: &HuntTarget| args.reach.allow(&target.path.root);
    let asked: Vec<HuntTarget> = all.into_iter().filter(is_asked).collect();
    let left_out = number - asked.len();
    Ok((asked, left_out))
}

/// Returns a target with the depths whose counts are within the limits, if there are any.
fn within(mut target: HuntTarget, limits: &Limits) -> Option<HuntTarget> {
    target.depths.retain(|&depth| target.path.end.perft(depth) <= limits.max_nodes);
    (!target.depths.is_empty()).then_some(target)
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
        found.extend(of_file(file, depth, args.max_nodes(), &context.stop)?);
    }
    if named.is_empty() && !files.is_empty() {
        return Ok((found, 0));
    }
    let (of_suites, left_out) = of_chess(args, &named, context)?;
    found.extend(of_suites.into_iter().map(ReferenceTarget::from));
    Ok((found, left_out))
}

/// Returns the positions of a suite, each with the depths of its known counts.
///
/// Warns of a known count that is wrong, because the engine would be blamed for it. A depth whose right count is above
/// the limit is left out.
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
    stop: &StopSignal,
) -> Result<Vec<ReferenceTarget>, CliError> {
    let lines = epd_lines(&read_lines(file, stop)?);
    if lines.is_empty() {
        return Err(CliError::usage(format!("the file '{file}' has no positions")));
    }
    Ok(lines.iter().map(|line| of_line(line, depth, max_nodes)).collect())
}

/// Returns a line of EPD for each position. In `.perft` files, the position and each known count are on separate lines.
fn epd_lines(lines: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for line in lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match (line.split_once([' ', '\t']), joined.last_mut()) {
            (Some(("id", _)), _) => {}
            (Some(("perft", known)), Some(last)) => last.push_str(&format!(" ;D{known}")),
            (Some(("epd", position)), _) => joined.push(position.trim().to_owned()),
            _ => joined.push(line.to_owned()),
        }
    }
    joined
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
    fn known_counts_may_have_lines_of_their_own() {
        let text = format!("# a\n{CRAZYHOUSE} ;D1 75\nid b\nepd  {CRAZYHOUSE}\nperft 1 75\n\nperft 2 999\n");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(
            epd_lines(&lines),
            [format!("{CRAZYHOUSE} ;D1 75"), format!("{CRAZYHOUSE} ;D1 75 ;D2 999")]
        );
    }

    #[test]
    fn one_position_has_moves_and_all_depths() {
        let moves = ["P@e6", "e8d8"].map(str::to_owned);
        let found = single(CRAZYHOUSE, moves.to_vec(), 3);
        assert_eq!((&found.question.moves[..], &found.depths[..]), (&moves[..], &[1, 2, 3][..]));
        assert!(single("kiwipete", Vec::new(), 3).question.fen.starts_with("r3k2r/"));
    }
}
