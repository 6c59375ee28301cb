//! Playing a move: copy the position and change the copy.
//!
//! There is no function that takes back a move. Copying the 96 bytes of a position is cheaper than storing and
//! restoring the changes of a move.

use super::Position;
use crate::types::{Bitboard, CastlingSide, Direction, Move, MoveKind, Side, Square};
use crate::with_side;

impl Position {
    /// Returns the position after a legal move, without checking that the move is legal.
    ///
    /// The move must be one of [`Position::legal_moves`]. Any other move gives a meaningless position, but
    /// never undefined behaviour. Use [`Position::try_play`] for a move that may be illegal, and
    /// [`Position::find_move`] for a move in text form.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// let position = Position::start();
    /// let first = position.legal_moves()[0];
    /// assert_ne!(position.play_unchecked(first).turn(), position.turn());
    /// ```
    #[inline]
    #[must_use]
    pub fn play_unchecked(&self, played: Move) -> Position {
        with_side!(self.turn, S => self.play_as::<S>(played.kind(), played.from(), played.to()))
    }

    /// Returns the position after a legal move of side `S`, the side to move.
    ///
    /// If `kind` is a constant, the compiler removes the code for the other kinds.
    #[doc(hidden)]
    #[inline(always)]
    pub fn play_as<S: Side>(&self, kind: MoveKind, from: Square, to: Square) -> Position {
        debug_assert_eq!(self.turn, S::COLOR);
        let mut child = *self;
        child.turn = S::Other::COLOR;
        child.en_passant = None;
        if kind == MoveKind::Castling {
            child.castle::<S>(from, to);
            return child;
        }
        let moved = Bitboard::from(from) | to.into();
        child.castling.remove(moved);
        child.armies[S::Other::COLOR.index()].remove(to.into());
        child.move_piece::<S>(kind, from, to);
        child
    }

    /// Moves a piece of side `S`, and makes all other changes of this kind of move.
    #[inline(always)]
    fn move_piece<S: Side>(&mut self, kind: MoveKind, from: Square, to: Square) {
        let (start, end) = (Bitboard::from(from), Bitboard::from(to));
        let moved = start | end;
        let us = &mut self.armies[S::COLOR.index()];
        us.all ^= moved;
        match kind {
            MoveKind::Pawn => us.pawns ^= moved,
            MoveKind::DoublePush => {
                us.pawns ^= moved;
                self.en_passant = self.passed_by_double_push::<S>(to);
            }
            MoveKind::EnPassant => {
                us.pawns ^= moved;
                self.armies[S::Other::COLOR.index()].remove(end.step(S::Other::FORWARD));
            }
            MoveKind::Knight => us.knights ^= moved,
            MoveKind::Diagonal => {
                let queen = if us.orthogonals.contains(from) { moved } else { Bitboard::EMPTY };
                us.orthogonals ^= queen;
                us.diagonals ^= moved;
            }
            MoveKind::Orthogonal => {
                let queen = if us.diagonals.contains(from) { moved } else { Bitboard::EMPTY };
                us.diagonals ^= queen;
                us.orthogonals ^= moved;
            }
            MoveKind::King => {
                self.kings[S::COLOR.index()] = to;
                self.castling.remove(S::BACK_RANK);
            }
            MoveKind::Castling => unreachable!("castling moves two pieces"),
            MoveKind::PromoteKnight => {
                us.pawns ^= start;
                us.knights ^= end;
            }
            MoveKind::PromoteBishop => {
                us.pawns ^= start;
                us.diagonals ^= end;
            }
            MoveKind::PromoteRook => {
                us.pawns ^= start;
                us.orthogonals ^= end;
            }
            MoveKind::PromoteQueen => {
                us.pawns ^= start;
                us.diagonals ^= end;
                us.orthogonals ^= end;
            }
        }
    }

    /// Returns the square that a double push to `to` has passed, if an opposing pawn stands next to `to`.
    #[inline(always)]
    fn passed_by_double_push<S: Side>(&self, to: Square) -> Option<Square> {
        let stop = Bitboard::from(to);
        let beside = stop.step(Direction::West) | stop.step(Direction::East);
        let passed = stop.step(S::Other::FORWARD).first();
        if (beside & self.army(S::Other::COLOR).pawns).any() { passed } else { None }
    }

    /// Castles. Each piece may end on the square of the other, so both are removed first.
    #[inline(always)]
    fn castle<S: Side>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(S::COLOR), side.rook_target(S::COLOR));
        let us = &mut self.armies[S::COLOR.index()];
        us.orthogonals = (us.orthogonals & !Bitboard::from(rook)) | rook_target.into();
        us.all = (us.all & !(Bitboard::from(king) | rook.into())) | king_target.into() | rook_target.into();
        self.kings[S::COLOR.index()] = king_target;
        self.castling.remove(S::BACK_RANK);
    }
}
