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
use crate::types::{Bitboard, Move, MoveKind, MoveList, Square};
use crate::with_side;

pub use generate::{
    CastlingPaths, count_moves, en_passant, for_each_child, generate, king_moves, one_step, pawn_moves,
    piece_moves, play_moves, sum_over_children,
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

/// Receives the legal moves of a position while they are generated, several at a time.
pub trait Sink {
    /// Receives the moves of the piece on `from` to each of the targets. For castling, the target is the rook's square.
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard);

    /// Receives one pawn move to each of the targets. The index of the target minus `offset` is the index of the
    /// pawn's square.
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard);

    /// Receives pawn moves to the last rank, as [`Sink::pawns`] does: four promotions to each of the targets.
    fn promotions(&mut self, offset: i8, targets: Bitboard);
}

/// Returns the square from which a pawn moves to a target; see [`Sink::pawns`].
#[inline(always)]
pub fn origin(to: Square, offset: i8) -> Square {
    Square::from_low_bits((to as u32).wrapping_sub(offset as u32))
}

/// Receives the legal moves of a position one at a time. Every such type is a [`Sink`].
pub trait MoveSink {
    /// Receives a move. For castling, `to` is the rook's square.
    fn receive(&mut self, kind: MoveKind, from: Square, to: Square);
}

impl<T: MoveSink> Sink for T {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.receive(kind, from, to);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        for to in targets {
            self.receive(kind, origin(to, offset), to);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            for kind in MoveKind::PROMOTIONS {
                self.receive(kind, origin(to, offset), to);
            }
        }
    }
}

/// Lists the moves. A whole set is added at once, so the length in memory is written only once for each set.
impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(kind, from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(kind, origin(to, offset), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            self.extend(MoveKind::PROMOTIONS.map(|kind| Move::new(kind, origin(to, offset), to)));
        }
    }
}

/// Counts the moves: bulk counting.
impl Sink for u64 {
    #[inline(always)]
    fn piece(&mut self, _: MoveKind, _: Square, targets: Bitboard) {
        *self += u64::from(targets.count());
    }

    #[inline(always)]
    fn pawns(&mut self, _: MoveKind, _: i8, targets: Bitboard) {
        *self += u64::from(targets.count());
    }

    #[inline(always)]
    fn promotions(&mut self, _: i8, targets: Bitboard) {
        *self += 4 * u64::from(targets.count());
    }
}
