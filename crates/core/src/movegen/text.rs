//! Moves as text: from UCI to a legal move.

use super::legal_moves;
use crate::position::Position;
use crate::types::{CastlingNotation, Move};

/// A text that is not a legal move of the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a legal move in {fen}")]
pub struct MoveError {
    /// The text as it was given.
    pub text: String,
    /// The position in which it should be played.
    pub fen: String,
    /// The moves that are legal there, as text.
    pub legal: Vec<String>,
}

/// The legal move that a text in UCI's long algebraic notation means.
///
/// Castling is understood in both notations. Where `f1g1` could be a step or a castling, it is the step.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_core::find_move;
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -").unwrap();
/// assert_eq!(find_move(&position, "e1g1"), find_move(&position, "e1h1"));
/// assert!(find_move(&position, "e1c1").unwrap_err().legal.contains(&"e1g1".to_owned()));
/// ```
///
/// # Errors
/// The text names no legal move of this position.
pub fn find_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let moves = legal_moves(position);
    let named = |notation| moves.iter().copied().find(|found| found.to_uci(notation) == text);
    named(CastlingNotation::Chess960).or_else(|| named(CastlingNotation::Standard)).ok_or_else(|| {
        let notation = position.castling_notation();
        MoveError {
            text: text.to_owned(),
            fen: position.to_string(),
            legal: moves.iter().map(|legal| legal.to_uci(notation)).collect(),
        }
    })
}
