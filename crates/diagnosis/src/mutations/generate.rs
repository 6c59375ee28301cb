//! The moves of the plain generator before they are tested for check.

use perft_core::internals::Direction;
use perft_core::{Color, Move, MoveKind, MoveList, Piece, Rank, Square};

use super::MutatedBoard;
use super::board::offset_square;
use super::catalogue::Mutation;

impl MutatedBoard {
    /// Returns all moves except castling, whether they leave the king in check or not.
    pub(super) fn unchecked_moves(&mut self) -> MoveList {
        let mut moves = MoveList::new();
        let us = self.board.turn;
        for from in Square::ALL {
            match self.board.at(from) {
                Some(found) if found.color != us => {}
                Some(found) if found.piece == Piece::Pawn => self.pawn_moves(from, &mut moves),
                Some(found) => self.piece_moves(found.piece, from, &mut moves),
                None => {}
            }
        }
        moves
    }

    fn piece_moves(&mut self, piece: Piece, from: Square, moves: &mut MoveList) {
        let us = self.board.turn;
        for to in self.board.reach(piece, from, &mut self.rules) {
            if self.board.at(to).is_none_or(|found| found.color != us) {
                moves.push(Move::new(kind(piece, from, to), from, to));
            }
        }
    }

    fn pawn_moves(&mut self, from: Square, moves: &mut MoveList) {
        let forward = self.board.turn.forward();
        let Some(one) = forward.step(from) else { return };
        if self.board.at(one).is_none() {
            self.pawn_move(from, one, false, moves);
        }
        let two = forward.step(one).filter(|&two| self.board.at(two).is_none());
        if let Some(two) = two.filter(|&two| self.may_step_twice(from, one, two)) {
            moves.push(Move::new(MoveKind::DoublePush, from, two));
        }
        for side in [Direction::West, Direction::East] {
            match side.step(one) {
                Some(to) => self.pawn_capture(from, to, moves),
                None => self.wrapped_capture(from, one, side, moves),
            }
        }
    }

    /// Whether a pawn may make a double step to an empty square.
    fn may_step_twice(&mut self, from: Square, one: Square, two: Square) -> bool {
        let is_white = self.board.turn == Color::White;
        let rank = if is_white { from.rank() } else { from.flip_rank().rank() };
        let jumps = self.board.at(one).is_some();
        match rank {
            Rank::Second if jumps => self.rules.has(Mutation::DoubleStepJumps),
            Rank::Second => !self.rules.has(Mutation::NoDoubleStep),
            _ if jumps || matches!(two.rank(), Rank::First | Rank::Eighth) => false,
            Rank::Third => {
                self.rules.has_any(&[Mutation::DoubleStepFromThirdRank, Mutation::DoubleStepFromAnyRank])
            }
            _ => self.rules.has(Mutation::DoubleStepFromAnyRank),
        }
    }

    fn pawn_capture(&mut self, from: Square, to: Square, moves: &mut MoveList) {
        match self.board.at(to) {
            Some(found) if found.color != self.board.turn => self.pawn_move(from, to, true, moves),
            None if self.board.en_passant == Some(to) => self.en_passant(from, to, moves),
            _ => {}
        }
    }

    fn en_passant(&mut self, from: Square, to: Square, moves: &mut MoveList) {
        let us = self.board.turn;
        let played = Move::new(MoveKind::EnPassant, from, to);
        // With a bug, the square may remain after its pawn is gone.
        if !self.board.has(self.board.captured_en_passant(played), !us, Piece::Pawn) {
            return;
        }
        let by_us = match us {
            Color::White => Mutation::NoEnPassantByWhite,
            Color::Black => Mutation::NoEnPassantByBlack,
        };
        let is_second = moves.iter().any(|other| other.kind() == MoveKind::EnPassant);
        let is_missing = self.rules.has_any(&[Mutation::NoEnPassant, by_us])
            || is_second && self.rules.has(Mutation::EnPassantOnePawn);
        if !is_missing {
            moves.push(played);
        }
    }

    /// Adds a capture around the edge of the board, which only a bug allows. `one` is the square before the pawn.
    fn wrapped_capture(&mut self, from: Square, one: Square, side: Direction, moves: &mut MoveList) {
        let Some(to) = offset_square(one, side.offset()) else { return };
        let is_en_passant = self.board.en_passant == Some(to);
        let is_capture = self.board.at(to).is_some_and(|found| found.color != self.board.turn);
        if is_capture && self.rules.has(Mutation::PawnWraps)
            || is_en_passant && self.rules.has_any(&[Mutation::PawnWraps, Mutation::EnPassantWraps])
        {
            self.pawn_capture(from, to, moves);
        }
    }

    fn pawn_move(&mut self, from: Square, to: Square, captures: bool, moves: &mut MoveList) {
        if !matches!(to.rank(), Rank::First | Rank::Eighth) {
            moves.push(Move::new(MoveKind::Pawn, from, to));
            return;
        }
        let missing =
            if captures { Mutation::PromotionCaptureMissing } else { Mutation::PromotionPushMissing };
        if self.rules.has(missing) {
            return;
        }
        if self.rules.has(Mutation::NoPromotion) || captures && self.rules.has(Mutation::CaptureNoPromotion) {
            moves.push(Move::new(MoveKind::Pawn, from, to));
            return;
        }
        for promotion in MoveKind::PROMOTIONS {
            if self.has_promotion(promotion, captures) {
                moves.push(Move::new(promotion, from, to));
            }
        }
    }

    fn has_promotion(&mut self, promotion: MoveKind, captures: bool) -> bool {
        let only_queen = promotion != MoveKind::PromoteQueen
            && (self.rules.has(Mutation::PromotionToQueenOnly)
                || captures && self.rules.has(Mutation::CapturePromotesToQueen));
        match promotion {
            _ if only_queen => false,
            MoveKind::PromoteKnight => !self.rules.has(Mutation::NoKnightPromotion),
            MoveKind::PromoteRook | MoveKind::PromoteBishop => {
                !self.rules.has(Mutation::PromotionToQueenOrKnight)
            }
            _ => true,
        }
    }
}

/// Returns the kind of a move of a piece other than a pawn.
fn kind(piece: Piece, from: Square, to: Square) -> MoveKind {
    let is_orthogonal = from.file() == to.file() || from.rank() == to.rank();
    match piece {
        Piece::Knight => MoveKind::Knight,
        Piece::King => MoveKind::King,
        _ if is_orthogonal => MoveKind::Orthogonal,
        _ => MoveKind::Diagonal,
    }
}
