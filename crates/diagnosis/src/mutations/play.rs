//! Making and taking back moves in the plain generator.

use perft_core::{Bitboard, CastlingSide, Color, ColoredPiece, Move, MoveKind, Piece};

use super::MutatedBoard;
use super::board::Board;
use super::catalogue::Mutation;

impl MutatedBoard {
    /// Makes a move.
    pub(super) fn make(&mut self, played: Move) {
        let us = self.board.turn;
        let captured = self.board.at(played.to()).filter(|_| played.kind() != MoveKind::Castling);
        let lost = self.lost_rights(played, captured.is_some());
        self.move_pieces(played);
        let passed = self.board.en_passant.take();
        if played.kind() == MoveKind::DoublePush {
            self.board.en_passant = us.forward().step(played.from());
        } else if passed.is_some() && self.rules.has(Mutation::EnPassantStays) {
            self.board.en_passant = passed.filter(|_| played.kind() != MoveKind::EnPassant);
        }
        self.board.castling.remove(lost);
        self.board.turn = !us;
    }

    fn move_pieces(&mut self, played: Move) {
        let (us, from, to) = (self.board.turn, played.from(), played.to());
        let mover = self.board.at(from);
        let captured_en_passant =
            (played.kind() == MoveKind::EnPassant).then(|| self.board.captured_en_passant(played));
        self.board.put(from, None);
        match played.kind() {
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                let rook = Some(ColoredPiece { color: us, piece: Piece::Rook });
                let leaves_rook = self.rules.has(Mutation::CastlingLeavesRook);
                self.board.put(to, rook.filter(|_| leaves_rook));
                self.board.put(side.king_target(us), mover);
                if !leaves_rook {
                    self.board.put(side.rook_target(us), rook);
                }
            }
            kind => {
                let promoted = kind.promotion().map(|piece| ColoredPiece { color: us, piece });
                let placed = promoted.map(|piece| self.promoted(piece)).or(mover);
                self.board.put(to, placed);
            }
        }
        if let Some(square) = captured_en_passant
            && !self.rules.has(Mutation::EnPassantLeavesPawn)
        {
            self.board.put(square, None);
        }
    }

    fn promoted(&mut self, piece: ColoredPiece) -> ColoredPiece {
        let turns_white = piece.color == Color::Black && self.rules.has(Mutation::PromotionIsWhite);
        if turns_white { ColoredPiece { color: Color::White, ..piece } } else { piece }
    }

    /// Returns the squares of the rooks whose castling right a move takes away.
    fn lost_rights(&mut self, played: Move, captures: bool) -> Bitboard {
        let us = self.board.turn;
        let (own, theirs) = (self.board.castling.rooks(us), self.board.castling.rooks(!us));
        let mut lost = Bitboard::EMPTY;
        if own.contains(played.from())
            && !self.rules.has_any(&[Mutation::RookMoveKeepsRight, Mutation::RightsAreKept])
        {
            lost |= played.from().into();
            if own.has_many() && self.rules.has(Mutation::RookMoveLosesBoth) {
                lost |= own;
            }
        }
        if captures && theirs.contains(played.to()) && !self.is_captured_right_kept(played) {
            lost |= played.to().into();
        }
        if matches!(played.kind(), MoveKind::King | MoveKind::Castling)
            && own.any()
            && !self.rules.has_any(&[Mutation::KingMoveKeepsRights, Mutation::RightsAreKept])
        {
            lost |= own;
        }
        lost
    }

    fn is_captured_right_kept(&mut self, played: Move) -> bool {
        let promotes = played.kind().promotion().is_some();
        self.rules.has_any(&[Mutation::RookCaptureKeepsRight, Mutation::PhantomRook, Mutation::RightsAreKept])
            || promotes && self.rules.has(Mutation::PromotionCaptureKeepsRight)
    }

    /// Takes a move back; `before` is the board before it.
    pub(super) fn unmake(&mut self, before: Board, played: Move) {
        let after = std::mem::replace(&mut self.board, before);
        self.unmake_rights(&after, played);
        if before.en_passant.is_some() && self.rules.has(Mutation::UnmakeLosesEnPassant) {
            self.board.en_passant = None;
        }
        match played.kind() {
            MoveKind::EnPassant if self.rules.has(Mutation::UnmakeLosesPawn) => {
                self.board.put(before.captured_en_passant(played), None);
            }
            MoveKind::Castling if self.rules.has(Mutation::UnmakeLeavesRook) => {
                let side = CastlingSide::of(played.from(), played.to());
                let rook = self.board.at(played.to());
                self.board.put(played.to(), None);
                self.board.put(side.rook_target(before.turn), rook);
                self.board.put(played.from(), before.at(played.from()));
            }
            kind if kind.promotion().is_some() && self.rules.has(Mutation::UnmakeKeepsPromotion) => {
                let promoted = after.at(played.to()).filter(|found| Some(found.piece) == kind.promotion());
                self.board.put(played.from(), promoted);
            }
            _ => {}
        }
    }

    fn unmake_rights(&mut self, after: &Board, played: Move) {
        if self.board.castling == after.castling {
            return;
        }
        let captures = played.kind() != MoveKind::Castling && self.board.at(played.to()).is_some();
        let mover = self.board.at(played.from()).map(|mover| mover.piece);
        let moves_right = matches!(mover, Some(Piece::King | Piece::Rook));
        if captures && self.rules.has(Mutation::UnmakeLosesRights)
            || moves_right && self.rules.has(Mutation::UnmakeLosesMovedRights)
        {
            self.board.castling = after.castling;
        }
    }
}
