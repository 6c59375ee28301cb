//! The moves of the plain generator before they are tested for check.

use perft_core::internals::Direction;
use perft_core::internals::attacks::pawn;
use perft_core::{Color, Move, MoveKind, MoveList, Piece, Rank, Square};

use super::MutatedBoard;
use super::board::offset_square;
use super::facts::Facts;
use super::rules::Rule;

impl MutatedBoard {
    /// Adds the moves of a piece except castling, whether they leave the king in check or not.
    pub(super) fn unchecked_moves(&mut self, from: Square, moves: &mut MoveList) {
        match self.board.at(from) {
            Some(found) if found.piece == Piece::Pawn => self.pawn_moves(from, moves),
            Some(found) => self.piece_moves(found.piece, from, moves),
            None => {}
        }
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
        let us = self.board.turn;
        let Some(one) = us.forward().step(from) else { return };
        let ahead = self.board.at(one);
        if ahead.is_none_or(|found| found.color != us && self.breaks(Rule::PawnPushCaptures)) {
            self.pawn_move(from, one, moves);
        }
        let two = us.forward().step(one).filter(|&two| self.may_step_twice(from, one, two));
        if let Some(two) = two {
            moves.push(Move::new(MoveKind::DoublePush, from, two));
        }
        let captures_backwards = self.captures_backwards(from);
        let one = (!us).forward().step(from).filter(|_| captures_backwards).unwrap_or(one);
        for side in [Direction::West, Direction::East] {
            match side.step(one) {
                Some(to) => self.pawn_capture(from, to, moves),
                None => self.wrapped_capture(from, one, side, moves),
            }
        }
    }

    /// Whether a bug lets a pawn capture backwards instead of forwards.
    fn captures_backwards(&mut self, from: Square) -> bool {
        let us = self.board.turn;
        let mut targets = self.board.of_color(!us);
        if let Some(en_passant) = self.board.en_passant {
            targets |= en_passant.into();
        }
        let captures = (pawn(us, from) | pawn(!us, from)) & targets;
        captures.any() && self.breaks(Rule::PawnsCaptureBackwards)
    }

    /// Whether a pawn may make a double step.
    fn may_step_twice(&mut self, from: Square, one: Square, two: Square) -> bool {
        let us = self.board.turn;
        let jumps = self.board.at(one).is_some();
        let rank = if us == Color::White { from.rank() } else { from.flip_rank().rank() };
        match (rank, self.board.at(two)) {
            (Rank::Second, Some(found)) => {
                found.color != us && !jumps && self.breaks(Rule::DoubleStepCaptures)
            }
            (_, Some(_)) => false,
            (Rank::Second, None) if jumps => self.breaks(Rule::DoubleStepJumps),
            (Rank::Second, None) => !self.breaks(Rule::DoubleStepMissing),
            _ if jumps || matches!(two.rank(), Rank::First | Rank::Eighth) => false,
            _ => {
                let rank = if rank == Rank::Third { Facts::ThirdRank } else { Facts::LaterRank };
                self.rules.is_broken(Rule::DoubleStepFromRank, Facts::side(us) | rank)
            }
        }
    }

    fn pawn_capture(&mut self, from: Square, to: Square, moves: &mut MoveList) {
        let us = self.board.turn;
        let facts = Facts::side(us) | Facts::pawn_step(from, to);
        match self.board.at(to) {
            Some(found) if found.color == us => {}
            Some(_) if self.rules.is_broken(Rule::PawnCaptureMissing, facts) => {}
            Some(_) => self.pawn_move(from, to, moves),
            None if self.board.en_passant == Some(to) => self.en_passant(from, to, moves),
            None if self.rules.is_broken(Rule::PawnStepsAside, facts) => self.pawn_move(from, to, moves),
            _ => {}
        }
    }

    fn en_passant(&mut self, from: Square, to: Square, moves: &mut MoveList) {
        let us = self.board.turn;
        let played = Move::new(MoveKind::EnPassant, from, to);
        // With a bug, the en passant square may remain after its pawn is gone.
        if !self.board.has(self.board.captured_en_passant(played), !us, Piece::Pawn) {
            return;
        }
        let facts = Facts::side(us) | Facts::pawn_step(from, to);
        let mut captors = pawn(!us, to).into_iter().filter(|&square| self.board.has(square, us, Piece::Pawn));
        let is_second = captors.next() != Some(from);
        let is_missing = self.rules.is_broken(Rule::EnPassantMissing, facts)
            || is_second && self.rules.is_broken(Rule::SecondEnPassantMissing, facts);
        if !is_missing {
            moves.push(played);
        }
    }

    /// Adds a capture around the edge of the board, which only a bug allows. `one` is the square in front of the pawn.
    fn wrapped_capture(&mut self, from: Square, one: Square, side: Direction, moves: &mut MoveList) {
        let us = self.board.turn;
        let Some(to) = offset_square(one, side.offset()) else { return };
        let is_capture = self.board.at(to).is_some_and(|found| found.color != us);
        let rules: &[Rule] = match self.board.en_passant == Some(to) {
            true => &[Rule::PawnWraps, Rule::EnPassantWraps],
            false => &[Rule::PawnWraps],
        };
        let facts = Facts::side(us) | Facts::pawn_step(from, to);
        if (is_capture || rules.len() > 1) && self.rules.is_any_broken(rules, facts) {
            self.pawn_capture(from, to, moves);
        }
    }

    fn pawn_move(&mut self, from: Square, to: Square, moves: &mut MoveList) {
        let last = if self.board.turn == Color::White { Rank::Eighth } else { Rank::First };
        if to.rank() != last {
            moves.push(Move::new(MoveKind::Pawn, from, to));
            return;
        }
        let captured = Facts::captured(self.board.at(to).map(|found| found.piece));
        let facts = Facts::side(self.board.turn) | captured | Facts::pawn_step(from, to);
        if self.rules.is_broken(Rule::PromotionStaysPawn, facts) {
            moves.push(Move::new(MoveKind::Pawn, from, to));
            return;
        }
        for promotion in MoveKind::PROMOTIONS {
            let piece = promotion.promotion().map_or(Facts::NONE, Facts::promoted);
            if !self.rules.is_broken(Rule::PromotionMissing, facts | piece) {
                moves.push(Move::new(promotion, from, to));
            }
        }
    }
}

/// Returns the kind of a move of a piece other than a pawn.
pub(crate) fn kind(piece: Piece, from: Square, to: Square) -> MoveKind {
    let is_orthogonal = from.file() == to.file() || from.rank() == to.rank();
    match piece {
        Piece::Knight => MoveKind::Knight,
        Piece::King => MoveKind::King,
        _ if is_orthogonal => MoveKind::Orthogonal,
        _ => MoveKind::Diagonal,
    }
}
