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
mod board;
mod castling;
mod illegal;
mod legal;
mod path;
mod reason;
mod theme;
pub(super) mod wording;

pub use path::explain_path;
pub use theme::Theme;

use attempt::{Attempt, parse};
use perft_core::Position;
use reason::Reason;

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
    let Some(attempt) = Attempt::of(position, parsed) else {
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
