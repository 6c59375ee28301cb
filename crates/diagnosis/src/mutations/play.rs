//! Making and taking back moves in the plain generator.

use perft_core::{Bitboard, CastlingSide, ColoredPiece, Move, MoveKind, Piece, Square};

use super::MutatedBoard;
use super::board::Board;
use super::facts::Facts;
use super::rules::Rule;

impl MutatedBoard {
    /// Makes a move of this board.
    pub fn play(&mut self, played: Move) {
        let us = self.board.turn;
        if self.rules.is_broken(Rule::MovesNotMade, Facts::NONE) {
            return;
        }
        let lost = self.lost_rights(played);
        self.move_pieces(played);
        let passed = self.board.en_passant.take();
        if played.kind() == MoveKind::DoublePush && !self.breaks(Rule::EnPassantNotSet) {
            self.board.en_passant = us.forward().step(played.from());
        } else if passed.is_some() && self.breaks(Rule::EnPassantStays) {
            self.board.en_passant = passed.filter(|_| played.kind() != MoveKind::EnPassant);
        }
        self.board.castling.remove(lost);
        self.board.turn = !us;
    }

    fn move_pieces(&mut self, played: Move) {
        let (us, from, to) = (self.board.turn, played.from(), played.to());
        let mover = self.board.at(from);
        self.board.put(from, None);
        match played.kind() {
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                let rook = Some(ColoredPiece { color: us, piece: Piece::Rook });
                let facts = self.castling_facts(from, to);
                let leaves_rook = self.rules.is_broken(Rule::CastlingLeavesRook, facts);
                self.board.put(to, rook.filter(|_| leaves_rook));
                self.board.put(side.king_target(us), mover);
                if !leaves_rook {
                    self.board.put(side.rook_target(us), rook);
                }
            }
            kind => {
                let promoted = kind.promotion().map(|piece| {
                    let color = if self.breaks(Rule::PromotionChangesSide) { !us } else { us };
                    ColoredPiece { color, piece }
                });
                self.board.put(to, promoted.or(mover));
            }
        }
        if played.kind() == MoveKind::EnPassant && !self.breaks(Rule::EnPassantLeavesPawn) {
            self.board.put(self.board.captured_en_passant(played), None);
        }
    }

    /// Returns the squares of the rooks whose castling right a move takes away.
    fn lost_rights(&mut self, played: Move) -> Bitboard {
        let us = self.board.turn;
        let (own, theirs) = (self.board.castling.rooks(us), self.board.castling.rooks(!us));
        let mut lost = Bitboard::EMPTY;
        if own.any() {
            lost = match played.kind() {
                MoveKind::King | MoveKind::Castling => self.lost_by_king(played, own),
                _ if own.contains(played.from()) => self.lost_by_rook(played.from(), own),
                _ => self.lost_by_other_rook(played.from(), own),
            };
        }
        let captures = played.kind() != MoveKind::Castling && self.board.at(played.to()).is_some();
        if captures && theirs.contains(played.to()) {
            lost |= self.lost_by_capture(played, theirs);
        }
        lost
    }

    fn lost_by_king(&mut self, played: Move, own: Bitboard) -> Bitboard {
        let (facts, home) = (self.facts(played), self.board.homes[self.board.turn.index()]);
        let is_lost = |rook: &Square| {
            !self
                .rules
                .is_broken(Rule::KingMoveKeepsRight, facts | Facts::wing(CastlingSide::of(home, *rook)))
        };
        own.into_iter().filter(is_lost).collect()
    }

    fn lost_by_rook(&mut self, from: Square, own: Bitboard) -> Bitboard {
        let facts = self.castling_facts(self.board.homes[self.board.turn.index()], from);
        let is_kept = self.rules.is_broken(Rule::RookMoveKeepsRight, facts);
        let takes_both = own.has_many() && self.rules.is_broken(Rule::RookMoveTakesBothRights, facts);
        match (takes_both, is_kept) {
            (true, _) => own,
            (false, true) => Bitboard::EMPTY,
            (false, false) => from.into(),
        }
    }

    /// Returns the right of another rook that a rook takes away because of a bug.
    fn lost_by_other_rook(&mut self, from: Square, own: Bitboard) -> Bitboard {
        let us = self.board.turn;
        let on_file: Bitboard = own.into_iter().filter(|rook| rook.file() == from.file()).collect();
        let takes =
            on_file.any() && self.board.has(from, us, Piece::Rook) && self.breaks(Rule::RookTakesRightOfFile);
        if takes { on_file } else { Bitboard::EMPTY }
    }

    fn lost_by_capture(&mut self, played: Move, theirs: Bitboard) -> Bitboard {
        let (them, rook) = (!self.board.turn, played.to());
        let wing = Facts::wing(CastlingSide::of(self.board.homes[them.index()], rook));
        // The side is the one that has the right, not the one that captures.
        let kind = if played.kind().promotion().is_some() { Facts::Promotion } else { Facts::Step };
        let facts = Facts::side(them) | wing | kind;
        if self.rules.is_broken(Rule::RookCaptureKeepsRight, facts) {
            return Bitboard::EMPTY;
        }
        let takes_both = theirs.has_many() && self.rules.is_broken(Rule::RookCaptureTakesBothRights, facts);
        if takes_both { theirs } else { rook.into() }
    }

    /// Takes back a move. `before` is the board before it.
    pub(super) fn unmake(&mut self, before: Board, played: Move) {
        let after = std::mem::replace(&mut self.board, before);
        self.unmake_rights(&after, played);
        if before.en_passant.is_some() && self.breaks(Rule::UnmakeLosesEnPassant) {
            self.board.en_passant = None;
        }
        match played.kind() {
            MoveKind::EnPassant if self.breaks(Rule::UnmakeLosesPawn) => {
                self.board.put(before.captured_en_passant(played), None);
            }
            MoveKind::EnPassant if self.breaks(Rule::UnmakeWrongPawn) => {
                let pawn = ColoredPiece { color: before.turn, piece: Piece::Pawn };
                self.board.put(before.captured_en_passant(played), Some(pawn));
            }
            MoveKind::Castling => self.unmake_castling(before, played),
            kind if kind.promotion().is_some() && self.breaks(Rule::UnmakeKeepsPromotion) => {
                let promoted = after.at(played.to()).filter(|found| Some(found.piece) == kind.promotion());
                self.board.put(played.from(), promoted);
            }
            _ => {}
        }
    }

    fn unmake_castling(&mut self, before: Board, played: Move) {
        let facts = self.castling_facts(played.from(), played.to());
        if self.rules.is_broken(Rule::UnmakeLeavesRook, facts) {
            let side = CastlingSide::of(played.from(), played.to());
            let rook = self.board.at(played.to());
            self.board.put(played.to(), None);
            self.board.put(side.rook_target(before.turn), rook);
            self.board.put(played.from(), before.at(played.from()));
        }
    }

    fn unmake_rights(&mut self, after: &Board, played: Move) {
        if self.board.castling == after.castling {
            return;
        }
        let captures = played.kind() != MoveKind::Castling && self.board.at(played.to()).is_some();
        let mover = self.board.at(played.from()).map(|mover| mover.piece);
        let moves_right = matches!(mover, Some(Piece::King | Piece::Rook));
        let facts = self.facts(played);
        if captures && self.rules.is_broken(Rule::UnmakeLosesRightsOfCapture, facts)
            || moves_right && self.rules.is_broken(Rule::UnmakeLosesRightsOfMover, facts)
        {
            self.board.castling = after.castling;
        }
    }
}
