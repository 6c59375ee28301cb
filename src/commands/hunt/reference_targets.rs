//! The positions that two engines are asked about. They are text, because our FEN reader only knows chess.

use perft_core::internals::fen_of_epd;
use perft_core::suite::builtin;
use perft_core::{CastlingNotation, Position, START_FEN, StopSignal};
use perft_diagnosis::ReferenceTarget;
use perft_diagnosis::source::Question;

use crate::input::suite_reader::read_lines;
use crate::output::error::CliError;

/// The positions to ask about.
pub struct Positions<'a> {
    /// A single position, as a FEN or a name.
    pub fen: Option<&'a str>,
    /// The moves from there.
    pub moves: &'a [String],
    /// The depth in plies for positions without known counts.
    pub depth: u32,
    /// Files with a position on each line.
    pub files: &'a [String],
    /// The largest known count that is asked for.
    pub max_nodes: u128,
}

/// Returns the positions of `--fen` or of files. A position is text, so it can belong to any variant.
///
/// # Errors
/// A file cannot be read, or has no positions.
pub fn targets(positions: &Positions, stop: &StopSignal) -> Result<Vec<ReferenceTarget>, CliError> {
    if let Some(text) = positions.fen {
        let fen = match builtin::position(text) {
            Some(case) => case.fen.clone(),
            None => text.trim().to_owned(),
        };
        let question = Question { moves: positions.moves.to_vec(), ..question(&fen) };
        return Ok(vec![ReferenceTarget { question, depths: (1..=positions.depth).collect() }]);
    }
    let mut targets = Vec::new();
    for file in positions.files {
        let before = targets.len();
        targets.extend(epd_lines(&read_lines(file, stop)?).iter().map(|line| of_line(line, positions)));
        if targets.len() == before {
            return Err(CliError::usage(format!("the file '{file}' has no positions")));
        }
    }
    Ok(targets)
}

/// Returns a line of EPD for each position. In `.perft` files, the position and each known count are on separate
/// lines.
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
fn of_line(line: &str, positions: &Positions) -> ReferenceTarget {
    let fen = fen_of_epd(line);
    let known: Vec<u32> = line.split(';').filter_map(|operation| known_depth(operation, positions)).collect();
    let depths = if known.is_empty() { (1..=positions.depth).collect() } else { known };
    ReferenceTarget { question: question(fen), depths }
}

/// Returns the depth of an operation such as `D3 8902`.
fn known_depth(operation: &str, positions: &Positions) -> Option<u32> {
    let (depth, nodes) = operation.trim().strip_prefix('D')?.split_once(' ')?;
    let nodes: u128 = nodes.trim().parse().ok()?;
    depth.parse().ok().filter(|_| nodes <= positions.max_nodes)
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
        let positions = Positions { fen: None, moves: &[], depth: 2, files: &[], max_nodes: 1000 };
        let target = of_line(&format!("{CRAZYHOUSE} ;D1 75 ;D2 999 ;D3 100000"), &positions);
        assert_eq!((target.question.fen.as_str(), &target.depths[..]), (CRAZYHOUSE, &[1, 2][..]));
        assert_eq!(of_line(CRAZYHOUSE, &positions).depths, [1, 2]);
        assert_eq!(of_line("startpos", &positions).question.fen, START_FEN);
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
        let positions =
            Positions { fen: Some(CRAZYHOUSE), moves: &moves, depth: 3, files: &[], max_nodes: 0 };
        let found = targets(&positions, &StopSignal::default()).unwrap();
        assert_eq!((&found[0].question.moves[..], &found[0].depths[..]), (&moves[..], &[1, 2, 3][..]));
        let named = Positions { fen: Some("kiwipete"), ..positions };
        assert!(targets(&named, &StopSignal::default()).unwrap()[0].question.fen.starts_with("r3k2r/"));
    }
}
