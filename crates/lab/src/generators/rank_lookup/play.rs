//! Plays moves, each on a copy of the board.

use std::marker::PhantomData;

use perft_core::internals::attacks::pawn;
use perft_core::internals::{MoveSink, Side, origin};
use perft_core::{Bitboard, CastlingSide, Move, MoveKind, Square};

use super::RankLookupBoard;

/// Plays each move of side `S` when it is found, on a copy of the board.
pub(super) struct Player<'a, S, F> {
    board: &'a RankLookupBoard,
    visit: F,
    side: PhantomData<S>,
}

impl<'a, S: Side, F: FnMut(Move, &mut RankLookupBoard)> Player<'a, S, F> {
    #[inline(always)]
    pub(super) fn new(board: &'a RankLookupBoard, visit: F) -> Self {
        Player { board, visit, side: PhantomData }
    }
}

impl<S: Side, F: FnMut(Move, &mut RankLookupBoard)> MoveSink for Player<'_, S, F> {
    #[inline(always)]
    fn receive(&mut self, kind: MoveKind, from: Square, to: Square) {
        (self.visit)(Move::new(kind, from, to), &mut self.board.after::<S>(kind, from, to));
    }
}

impl RankLookupBoard {
    /// Returns the board after a move of side `S`. The kind is a constant in most calls, so the compiler removes the
    /// code for other kinds. For this reason, the function is a single `match` of all kinds.
    #[inline(always)]
    fn after<S: Side>(&self, kind: MoveKind, from: Square, to: Square) -> RankLookupBoard {
        let mut child = *self;
        child.turn = S::Other::COLOR;
        child.en_passant = None;
        if kind == MoveKind::Castling {
            child.castle::<S>(from, to);
            return child;
        }
        let end = Bitboard::from(to);
        child.lift(Bitboard::from(from) | end);
        child.colors[S::COLOR.index()] |= end;
        match kind {
            MoveKind::Pawn => child.pawns |= end,
            MoveKind::DoublePush => {
                child.pawns |= end;
                child.en_passant = child.passed_by_double_push::<S>(to);
            }
            MoveKind::EnPassant => {
                child.pawns |= end;
                child.lift(end.step(S::Other::FORWARD));
            }
            MoveKind::Knight | MoveKind::PromoteKnight => child.knights |= end,
            MoveKind::Diagonal => {
                child.diagonals |= end;
                child.orthogonals |= if self.orthogonals.contains(from) { end } else { Bitboard::EMPTY };
            }
            MoveKind::Orthogonal => {
                child.orthogonals |= end;
                child.diagonals |= if self.diagonals.contains(from) { end } else { Bitboard::EMPTY };
            }
            MoveKind::King => {
                child.kings[S::COLOR.index()] = to;
                child.castling.remove(S::BACK_RANK);
            }
            MoveKind::Castling => unreachable!("castling returns above"),
            MoveKind::PromoteBishop => child.diagonals |= end,
            MoveKind::PromoteRook => child.orthogonals |= end,
            MoveKind::PromoteQueen => {
                child.diagonals |= end;
                child.orthogonals |= end;
            }
        }
        child
    }

    /// Castles. King and rook may move to each other's squares, so both are removed first.
    #[inline(always)]
    fn castle<S: Side>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(S::COLOR), side.rook_target(S::COLOR));
        self.lift(Bitboard::from(king) | rook.into());
        self.orthogonals |= rook_target.into();
        self.colors[S::COLOR.index()] |= Bitboard::from(king_target) | rook_target.into();
        self.kings[S::COLOR.index()] = king_target;
        self.castling.remove(S::BACK_RANK);
    }

    /// Removes all pieces on these squares, and the castling rights of rooks there. The seven sets of the board change
    /// without a branch, in two vectors of 32 bytes on CPUs that have them.
    #[inline(always)]
    fn lift(&mut self, squares: Bitboard) {
        self.pawns &= !squares;
        self.knights &= !squares;
        self.diagonals &= !squares;
        self.orthogonals &= !squares;
        self.colors[0] &= !squares;
        self.colors[1] &= !squares;
        self.castling.remove(squares);
    }

    /// Returns the square that a double push to `to` has passed, or `None` if no enemy pawn attacks it.
    #[inline(always)]
    fn passed_by_double_push<S: Side>(&self, to: Square) -> Option<Square> {
        let passed = origin(to, S::FORWARD.offset());
        let captors = pawn(S::COLOR, passed) & self.pawns & self.pieces_of::<S::Other>();
        if captors.any() { Some(passed) } else { None }
    }
}
