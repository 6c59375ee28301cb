//! Explains by the rules of chess why a move is legal or not.
//!
//! An explanation is for authors whose generator lists an illegal move or misses a legal one. It names squares and
//! pieces of the position, and a [`Theme`]: the rule that decides. The move is a text from another program, and may
//! have no meaning.
//!
//! An explanation does not use the move generator. It makes the move on a plain board and tests for every enemy piece
//! whether it attacks the king. Speed does not matter. The tests compare both on random positions: a move is explained
//! as legal if and only if it is in the list of legal moves.

mod attempt;
mod illegal;
mod legal;
mod theme;
pub(super) mod wording;

pub use theme::Theme;

use perft_core::{Bitboard, CastlingNotation, CastlingSide, Color, Move, MoveKind, Position};

use attempt::{Attempt, parse};
use theme::Reason;

/// The explanation why a move is legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// A sentence that starts with the move, without a full stop.
    pub text: String,
    /// The rule that decides.
    pub theme: Theme,
    /// Whether the move is legal.
    pub is_legal: bool,
}

/// Explains why a move in UCI notation is legal in a position, or why it is not.
///
/// Castling may be written as the king's own move or as "king takes rook", as for [`perft_core::Position::find_move`].
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::{Theme, explain};
///
/// let position = Position::from_fen("4k3/8/8/8/6b1/8/8/R3K2R w KQ - 0 1").unwrap();
/// let castling = explain(&position, "e1c1");
/// assert_eq!(castling.theme, Theme::CastlingThroughCheck);
/// assert_eq!(castling.text, "e1c1 is illegal: the king passes d1, which the bishop on g4 attacks");
/// assert!(explain(&position, "e1g1").is_legal);
/// ```
pub fn explain(position: &Position, text: &str) -> Explanation {
    let (is_legal, reason) = decide(position, text);
    Explanation {
        text: format!("{text} {}: {}", reason.verdict, reason.because),
        theme: reason.theme,
        is_legal,
    }
}

fn decide(position: &Position, text: &str) -> (bool, Reason) {
    let Some(parsed) = parse(text) else { return (false, not_a_move(text)) };
    let Some(attempt) = Attempt::new(position, parsed) else {
        return (false, illegal::wrong_start(position, parsed.0));
    };
    match illegal::broken_rule(&attempt) {
        Some(reason) => (false, reason),
        None => (true, legal::reason(&attempt)),
    }
}

fn not_a_move(text: &str) -> Reason {
    let because = if text == "0000" {
        "a side may not pass"
    } else if parse(&text.to_ascii_lowercase()).is_some() {
        "squares and promotions are written in lower case"
    } else {
        "write two squares, as in e2e4, and a letter for a promotion, as in e7e8q"
    };
    Reason::new(Theme::Notation, "is not a move", because.to_owned())
}

/// Explains which moves of a path removed castling rights, and whether the last move set an en passant square.
///
/// Returns one sentence for each change, without a full stop, in the order of the moves. Castling is written in the
/// notation that the first position needs. The path ends at the first move that is not legal.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::explain_path;
///
/// let start = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
/// let capture = start.find_move("h1h8").unwrap();
/// let sentences = [
///     "h1h8: the rook leaves h1, and White's king-side right is gone",
///     "h1h8: the rook on h8 is captured, and Black's king-side right is gone",
/// ];
/// assert_eq!(explain_path(&start, &[capture]), sentences);
/// ```
pub fn explain_path(start: &Position, moves: &[Move]) -> Vec<String> {
    let notation = start.castling_notation();
    let mut sentences = Vec::new();
    let mut position = *start;
    let mut passed = None;
    for &played in moves {
        if !position.legal_moves().contains(&played) {
            break;
        }
        let after = position.play_legal(played);
        sentences.extend(lost_rights(&position, &after, played, notation));
        passed = after.en_passant().map(|square| {
            format!("{} passes {square}, which is now the en passant square", played.to_uci(notation))
        });
        position = after;
    }
    sentences.extend(passed);
    sentences
}

/// Returns a sentence for each side that loses castling rights by a move.
fn lost_rights(before: &Position, after: &Position, played: Move, notation: CastlingNotation) -> Vec<String> {
    let us = before.turn();
    let lost = |color: Color| before.castling().rooks(color) & !after.castling().all_rooks();
    let ours = match played.kind() {
        MoveKind::Castling => "the king castles".to_owned(),
        MoveKind::King => "the king moves".to_owned(),
        _ => format!("the rook leaves {}", played.from()),
    };
    let theirs = format!("the rook on {} is captured", played.to());
    [(us, ours), (!us, theirs)]
        .into_iter()
        .filter(|&(color, _)| lost(color).any())
        .map(|(color, cause)| {
            let gone = rights_gone(before, color, lost(color));
            format!("{}: {cause}, and {gone}", played.to_uci(notation))
        })
        .collect()
}

/// Returns `White's king-side right is gone`.
fn rights_gone(before: &Position, color: Color, rooks: Bitboard) -> String {
    let king = before.king(color);
    let sides = rooks
        .into_iter()
        .map(|rook| wording::castling_side(CastlingSide::of(king, rook)).to_owned())
        .collect();
    let gone = if rooks.has_many() { "rights are gone" } else { "right is gone" };
    format!("{}'s {} {gone}", wording::side(color), wording::joined(sides))
}
