//! Why a move is legal or not, in the language of the rules.
//!
//! For authors whose generator lists a move too many or misses one: each explanation names squares and men of the
//! position, and a [`Theme`], the rule at stake. A move comes as text from a foreign program, and may be nonsense.
//!
//! The verdict does not come from the generator. The move is made on a plain board, and every man is asked whether it
//! attacks the king; speed does not matter. The tests hold both together: a move is explained as legal if and only if it
//! is in the list. [`explain_path`] tells what the board does not show of the way to a position.

mod board;
mod castling;
mod faults;
mod history;
mod merits;
mod scene;
mod theme;
pub(super) mod words;

pub use history::explain_path;
pub use theme::Theme;

use perft_core::Position;
use scene::{Asked, Scene};

/// What the rules say of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// A sentence that starts with the move, without a full stop.
    pub text: String,
    /// The rule at stake.
    pub theme: Theme,
    /// True if the move is legal.
    pub is_legal: bool,
}

/// Says why a move, in UCI's notation, is legal in a position, or why it is not.
///
/// Castling is understood as the king's own step and as king takes rook, as by [`perft_core::find_move`].
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::{Theme, explain};
/// let position = Position::from_fen("4k3/8/8/8/6b1/8/8/R3K2R w KQ - 0 1").unwrap();
/// let castling = explain(&position, "e1c1");
/// assert_eq!(castling.theme, Theme::CastlingThroughCheck);
/// assert_eq!(castling.text, "e1c1 is illegal: the king passes d1, which the bishop on g4 attacks");
/// assert!(explain(&position, "e1g1").is_legal);
/// ```
pub fn explain(position: &Position, text: &str) -> Explanation {
    let (is_legal, reason) = judged(position, text);
    Explanation {
        text: format!("{text} {}: {}", reason.verdict, reason.because),
        theme: reason.theme,
        is_legal,
    }
}

fn judged(position: &Position, text: &str) -> (bool, Reason) {
    let Some(asked) = Asked::parse(text) else { return (false, not_a_move(text)) };
    let Some(scene) = Scene::of(position, asked) else { return (false, faults::no_man(position, asked)) };
    match faults::fault(&scene) {
        Some(fault) => (false, fault),
        None => (true, merits::merit(&scene)),
    }
}

fn not_a_move(text: &str) -> Reason {
    let because = if text == "0000" {
        "a side may not pass".to_owned()
    } else if Asked::parse(&text.to_ascii_lowercase()).is_some() {
        "squares and promotions are written with small letters".to_owned()
    } else {
        "two squares are wanted, as in e2e4, and a letter for a promotion, as in e7e8q".to_owned()
    };
    Reason::new(Theme::Notation, "is not a move", because)
}

/// An explanation but for the move's own text.
#[derive(Debug)]
struct Reason {
    theme: Theme,
    /// `is illegal`.
    verdict: &'static str,
    because: String,
}

impl Reason {
    fn new(theme: Theme, verdict: &'static str, because: String) -> Reason {
        Reason { theme, verdict, because }
    }
}

#[cfg(test)]
mod tests;
