//! The fast legal move generator.
//!
//! It generates only legal moves, and never makes a move to find out whether it is legal. The checks and pins
//! ([`ChecksAndPins`](crate::position::ChecksAndPins)) and the squares that the opponent attacks decide everything:
//!
//! - The king moves to squares that the opponent does not attack. The king itself is taken off the board for this, so
//!   that it does not hide the squares behind it from a slider.
//! - A move of any other piece ends on the check mask. Without a check, the mask has all squares. In check, it has the
//!   squares that answer the check.
//! - A pinned piece stays on its pin line.
//!
//! En passant is the exception, because it removes two pawns from one rank. There the resulting occupied squares are
//! tested for an attack on the king.
//!
//! The generator passes sets of target squares to a [`Sink`], which lists, counts or plays the moves. It is compiled
//! for each combination of side, slider lookup and sink. [`Position::find_move`] reads moves in text form.

mod generate;
mod leaf_kinds;
mod text;

use crate::attacks::sliders::{Magic, Sliders};
use crate::position::Position;
use crate::types::MoveList;
use crate::with_side;

pub use generate::{
    CastlingPaths, MoveSink, Sink, count_moves, en_passant, for_each_child, generate, king_moves, one_step,
    origin, pawn_moves, piece_moves, play_moves, sum_over_children,
};
pub use leaf_kinds::{add_leaf_statistics, statistics_of_move};
pub use text::{AlgebraicMove, IllegalMove};

/// The status of a game, by its legal moves alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The side to move has a legal move.
    Ongoing,
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
}

impl Position {
    /// Returns the legal moves, in the order in which they are generated.
    ///
    /// # Examples
    /// ```
    /// use perft_core::{CastlingNotation, Position};
    ///
    /// let moves = Position::start().legal_moves();
    /// assert_eq!(moves.len(), 20);
    /// assert!(moves.iter().any(|played| played.to_uci(CastlingNotation::Standard) == "e2e4"));
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        legal_moves_by(self, Magic)
    }

    /// Returns whether the position is checkmate, stalemate, or neither.
    ///
    /// # Examples
    /// ```
    /// use perft_core::{Position, Status};
    ///
    /// assert_eq!(Position::start().status(), Status::Ongoing);
    /// let mate = Position::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - -").unwrap();
    /// assert_eq!(mate.status(), Status::Checkmate);
    /// ```
    pub fn status(&self) -> Status {
        match (self.legal_moves().is_empty(), self.checkers().any()) {
            (false, _) => Status::Ongoing,
            (true, true) => Status::Checkmate,
            (true, false) => Status::Stalemate,
        }
    }
}

/// Returns the legal moves of a position, found with the given slider lookup.
#[inline(always)]
pub fn legal_moves_by(position: &Position, sliders: impl Sliders) -> MoveList {
    let mut list = MoveList::new();
    with_side!(position.turn(), S => generate::<S>(position, sliders, &mut list));
    list
}
