//! Moves that are missing or not legal.

use perft_core::Position;

use crate::difference::DivideDifference;
use crate::explain::{Explanation, Theme, explain};

/// A move that is missing, or that is listed but not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongMove {
    /// The move, as the source writes it or in UCI notation.
    pub text: String,
    /// Whether the move is legal and missing. Otherwise the source lists it although it is not legal, or lists it
    /// twice.
    pub is_missing: bool,
    /// The reason why the move is legal or not.
    pub why: Explanation,
}

impl WrongMove {
    pub(super) fn of(position: &Position, text: String, is_missing: bool) -> WrongMove {
        let mut why = explain(position, &text);
        if why.is_legal && !is_missing {
            why.text = format!("{text} is listed twice");
        }
        WrongMove { text, is_missing, why }
    }

    pub(super) fn key(&self) -> (Theme, bool) {
        (self.why.theme, self.is_missing)
    }

    /// Returns the kind of mistake that the move probably shows: a piece whose moves are missing, or a family of rules that
    /// forbid moves.
    pub(super) fn family(&self, position: &Position) -> (bool, String) {
        if !self.is_missing {
            return (false, self.why.theme.family().name().to_owned());
        }
        let special = [Theme::EnPassant, Theme::CastlingKingSide, Theme::Promotion];
        let family = self.why.theme.family();
        let piece = self.text.get(..2).and_then(|from| position.piece_at(from.parse().ok()?));
        let name = match piece {
            Some(piece) if !special.contains(&family) => piece.piece.to_string(),
            _ => family.name().to_owned(),
        };
        (true, name)
    }
}

/// Returns the moves that are missing or not legal, each with the reason.
pub fn wrong_moves(position: &Position, difference: &DivideDifference) -> Vec<WrongMove> {
    let notation = position.castling_notation();
    let missing = difference.missing.iter().map(|played| (played.to_uci(notation), true));
    let extra = difference.extra.iter().map(|text| (text.clone(), false));
    missing.chain(extra).map(|(text, is_missing)| WrongMove::of(position, text, is_missing)).collect()
}
