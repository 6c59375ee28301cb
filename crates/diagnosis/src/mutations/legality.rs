//! Which moves the plain generator takes to be legal, except castling.
//!
//! A move is made on a copy of the board, and is legal if the king is not attacked there. Where it is attacked, a
//! mutation may excuse it. Where it is not, a mutation may still refuse the move.

use perft_core::{Bitboard, Move, MoveKind, Piece, Square};

use super::MutatedBoard;
use super::catalogue::Mutation;

/// What decides which moves of a position are legal.
pub(super) struct Situation {
    /// The king of the side to move. It is missing if a bug allowed its capture.
    king: Option<Square>,
    /// The pieces that give check to it.
    pub checkers: Bitboard,
    /// The own pieces that are pinned to it.
    pinned: Bitboard,
}

impl MutatedBoard {
    /// Returns the situation of the side to move.
    pub(super) fn situation(&mut self) -> Situation {
        let us = self.board.turn;
        let king = self.board.king(us);
        let (mut checkers, mut pinned) = (Bitboard::EMPTY, Bitboard::EMPTY);
        if let Some(king) = king {
            checkers = self.board.attackers(king, !us, &mut self.rules);
            pinned = self.board.pinned(king);
        }
        Situation { king, checkers, pinned }
    }

    /// Whether a move that is not castling is allowed.
    pub(super) fn is_legal(&mut self, played: Move, situation: &Situation) -> bool {
        let Some(king) = situation.king else { return true };
        match played.kind() {
            MoveKind::King => self.is_legal_for_king(played, situation),
            MoveKind::EnPassant => self.is_legal_capture_en_passant(played, king, situation),
            // A piece that is not pinned uncovers no attack.
            _ if situation.checkers.is_empty() && !situation.pinned.contains(played.from()) => true,
            _ => {
                let after = self.board.with_piece_moved(played);
                let left = after.attackers(king, !self.board.turn, &mut self.rules);
                self.is_excused(played, king, left, situation) && !self.is_refused(played, situation)
            }
        }
    }

    fn is_legal_for_king(&mut self, played: Move, situation: &Situation) -> bool {
        let them = !self.board.turn;
        let mut after = self.board.with_piece_moved(played);
        let left = after.attackers(played.to(), them, &mut self.rules);
        if left.is_empty() {
            return true;
        }
        let by_king = left.into_iter().all(|from| after.has(from, them, Piece::King));
        if by_king && self.rules.has(Mutation::KingsAdjacent) {
            return true;
        }
        if self.board.at(played.to()).is_some() && self.rules.has(Mutation::KingCapturesDefended) {
            return true;
        }
        if situation.checkers.any() {
            // The king still blocks the line that it stands on.
            after.put(played.from(), self.board.at(played.from()));
            if after.attackers(played.to(), them, &mut self.rules).is_empty()
                && self.rules.has(Mutation::KingStepsBack)
            {
                return true;
            }
        }
        self.rules.has(Mutation::PseudoLegal)
    }

    fn is_legal_capture_en_passant(&mut self, played: Move, king: Square, situation: &Situation) -> bool {
        let them = !self.board.turn;
        let mut after = self.board.with_piece_moved(played);
        let left = after.attackers(king, them, &mut self.rules);
        if left.any() {
            let captured = self.board.captured_en_passant(played);
            if !situation.checkers.contains(captured) {
                after.put(captured, self.board.at(captured));
            }
            let is_hidden = after.attackers(king, them, &mut self.rules).is_empty();
            let by_line = if left.into_iter().all(|from| from.rank() == king.rank()) {
                Mutation::EnPassantRankPin
            } else {
                Mutation::EnPassantDiagonalPin
            };
            let is_allowed = self.rules.has(Mutation::EnPassantUnchecked)
                || is_hidden && self.rules.has_any(&[Mutation::EnPassantPin, by_line])
                || self.is_excused(played, king, left, situation);
            if !is_allowed {
                return false;
            }
        }
        !self.is_refused(played, situation)
    }

    /// Whether a move of a piece other than the king is allowed, although `left` attack the king after it.
    fn is_excused(&mut self, played: Move, king: Square, left: Bitboard, situation: &Situation) -> bool {
        if left.is_empty() {
            return true;
        }
        let (uncovered, unanswered) = (left & !situation.checkers, left & situation.checkers);
        (uncovered.is_empty() || self.is_pin_ignored(played, king, uncovered))
            && (unanswered.is_empty() || self.is_check_ignored(unanswered, situation))
            || self.rules.has(Mutation::PseudoLegal)
    }

    fn is_pin_ignored(&mut self, played: Move, king: Square, pinners: Bitboard) -> bool {
        let is_capture = played.from().file() != played.to().file();
        let by_mover = match self.board.at(played.from()).map(|mover| mover.piece) {
            Some(Piece::Pawn) if played.kind() == MoveKind::EnPassant => None,
            Some(Piece::Pawn) if is_capture => Some(Mutation::PinnedPawnCaptures),
            Some(Piece::Pawn) => Some(Mutation::PinnedPawnPushes),
            _ => Some(Mutation::PinnedPieceMoves),
        };
        let is_orthogonal = |from: Square| from.file() == king.file() || from.rank() == king.rank();
        let all_orthogonal = pinners.into_iter().all(is_orthogonal);
        let all_diagonal = !pinners.into_iter().any(is_orthogonal);
        self.rules.has(Mutation::PinsIgnored)
            || by_mover.is_some_and(|mutation| self.rules.has(mutation))
            || all_orthogonal && self.rules.has(Mutation::OrthogonalPinsIgnored)
            || all_diagonal && self.rules.has(Mutation::DiagonalPinsIgnored)
    }

    fn is_check_ignored(&mut self, unanswered: Bitboard, situation: &Situation) -> bool {
        let answers_one = unanswered.count() < situation.checkers.count();
        self.rules.has(Mutation::CheckIgnored) || answers_one && self.rules.has(Mutation::DoubleCheck)
    }

    /// Whether a mutation refuses a move of a piece other than the king, although the king is not attacked after it.
    fn is_refused(&mut self, played: Move, situation: &Situation) -> bool {
        if situation.pinned.contains(played.from()) {
            let is_pawn = self.board.has(played.from(), self.board.turn, Piece::Pawn);
            let frozen = if is_pawn { Mutation::PinnedPawnsFrozen } else { Mutation::PinnedPiecesFrozen };
            if self.rules.has(frozen) {
                return true;
            }
        }
        if situation.checkers.is_empty() {
            return false;
        }
        let is_en_passant = played.kind() == MoveKind::EnPassant;
        let captures_checker = situation.checkers.contains(played.to())
            || is_en_passant && situation.checkers.contains(self.board.captured_en_passant(played));
        self.rules.has(Mutation::OnlyKingMovesInCheck)
            || !captures_checker && self.rules.has(Mutation::NoInterposition)
            || captures_checker && self.rules.has(Mutation::NoCaptureOfChecker)
            || captures_checker && is_en_passant && self.rules.has(Mutation::EnPassantNotAnswer)
    }
}
