//! Playing a move: copy the position, change the copy.
//!
//! There is no unmake. A position is 96 bytes, and a copy is cheaper than remembering what to restore.

use super::Position;
use crate::types::{Bitboard, Black, CastlingSide, Color, Direction, Move, MoveKind, Side, Square, White};

impl Position {
    /// The position after a move, which must be one of this position's legal moves.
    ///
    /// Any other move is not checked for: it gives a position that means nothing (but breaks no memory safety). See
    /// [`crate::movegen::find_move`] for moves that come as text.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_core::legal_moves;
    /// let position = Position::start();
    /// let first = legal_moves(&position)[0];
    /// assert_ne!(position.play_unchecked(first).turn(), position.turn());
    /// ```
    #[inline]
    #[must_use]
    pub fn play_unchecked(&self, played: Move) -> Position {
        match self.turn {
            Color::White => self.play_as::<White>(played.kind(), played.from(), played.to()),
            Color::Black => self.play_as::<Black>(played.kind(), played.from(), played.to()),
        }
    }

    /// The position after a legal move of side `S`, the side to move. With a constant kind, what other kinds need is
    /// compiled away.
    #[inline(always)]
    pub(crate) fn play_as<S: Side>(&self, kind: MoveKind, from: Square, to: Square) -> Position {
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

    /// Moves a piece of side `S` and does what its kind of move does besides.
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

    /// The square that a double push to `to` has passed, if an enemy pawn stands beside it.
    #[inline(always)]
    fn passed_by_double_push<S: Side>(&self, to: Square) -> Option<Square> {
        let stop = Bitboard::from(to);
        let beside = stop.step(Direction::West) | stop.step(Direction::East);
        let passed = stop.step(S::Other::FORWARD).first();
        if (beside & self.army(S::Other::COLOR).pawns).any() { passed } else { None }
    }

    /// Castles. King and rook may pass through, or stand on, each other's squares, so both leave before both arrive.
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
