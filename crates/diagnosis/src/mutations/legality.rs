//! Decides which moves are legal in the plain generator, except castling.
//!
//! A move is made on a copy of the board, and is legal if the king is not attacked there. If the king is attacked, a
//! mutation may still allow the move. If it is not attacked, a mutation may still refuse the move.

use perft_core::{Bitboard, Move, MoveKind, Piece, Square};

use super::MutatedBoard;
use super::facts::Facts;
use super::rules::Rule;

/// The facts that decide which moves of a position are legal.
pub(super) struct Situation {
    /// The king of the side to move. It is missing if a bug allowed its capture.
    king: Option<Square>,
    /// The pieces that give check to this king.
    pub checkers: Bitboard,
    /// The own pieces that are pinned to this king.
    pinned: Bitboard,
}

impl MutatedBoard {
    /// Returns the situation of the side to move, or `None` if it has no moves at all.
    pub(super) fn situation(&mut self) -> Option<Situation> {
        if self.breaks(Rule::NoMoves) {
            return None;
        }
        let us = self.board.turn;
        let king = self.board.king(us);
        let mut checkers = |king| self.board.attackers(king, !us, &mut self.rules);
        let checkers = king.map_or(Bitboard::EMPTY, &mut checkers);
        Some(Situation {
            king,
            checkers,
            pinned: king.map_or(Bitboard::EMPTY, |king| self.board.pinned(king)),
        })
    }

    /// Whether a move that is not castling is allowed.
    pub(super) fn is_legal(&mut self, played: Move, situation: &Situation) -> bool {
        let Some(king) = situation.king else { return true };
        match played.kind() {
            MoveKind::King => self.is_legal_for_king(played, situation),
            MoveKind::EnPassant => self.is_legal_capture_en_passant(played, king, situation),
            // A move of a piece that is not pinned discovers no attack.
            _ if situation.checkers.is_empty() && !situation.pinned.contains(played.from()) => true,
            _ => {
                let after = self.board.with_piece_moved(played);
                let left = after.attackers(king, !self.board.turn, &mut self.rules);
                self.is_excused(played, king, left, situation) && !self.is_refused(played, situation)
            }
        }
    }

    /// Returns the facts about a move before it is made.
    pub(super) fn facts(&self, played: Move) -> Facts {
        let (from, to) = (played.from(), played.to());
        let piece_at = |square| self.board.at(square).map(|found| found.piece);
        let (kind, captured) = match played.kind() {
            MoveKind::DoublePush => (Facts::DoubleStep, None),
            MoveKind::EnPassant => (Facts::EnPassant, Some(Piece::Pawn)),
            MoveKind::Castling => (Facts::Castling, None),
            kind if kind.promotion().is_some() => (Facts::Promotion, piece_at(to)),
            _ => (Facts::Step, piece_at(to)),
        };
        let mover = piece_at(from).map_or(Facts::NONE, Facts::mover);
        let way = if mover == Facts::Pawn { Facts::pawn_step(from, to) } else { Facts::NONE };
        let promoted = played.kind().promotion().map_or(Facts::NONE, Facts::promoted);
        Facts::side(self.board.turn) | mover | kind | Facts::captured(captured) | way | promoted
    }

    fn is_legal_for_king(&mut self, played: Move, situation: &Situation) -> bool {
        let them = !self.board.turn;
        let mut after = self.board.with_piece_moved(played);
        let left = after.attackers(played.to(), them, &mut self.rules);
        if left.is_empty() {
            return true;
        }
        let facts = self.facts(played) | after.attacking_pieces(left);
        // The king is put back on its square, to test whether it blocks the line of the attack there.
        after.put(played.from(), self.board.at(played.from()));
        let is_back =
            situation.checkers.any() && after.attackers(played.to(), them, &mut self.rules).is_empty();
        let flight = if is_back { Facts::StepsBack } else { Facts::StepsElsewhere };
        self.rules.is_broken(Rule::KingIntoAttack, facts | flight)
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
            let facts = self.facts(played) | Facts::of_each(left, |from| Facts::line(from, king));
            let rules: &[Rule] = match is_hidden {
                true => &[Rule::EnPassantUnchecked, Rule::EnPassantOpensLine],
                false => &[Rule::EnPassantUnchecked],
            };
            if !self.rules.is_any_broken(rules, facts) && !self.is_excused(played, king, left, situation) {
                return false;
            }
        }
        !self.is_refused(played, situation)
    }

    /// Whether a move of a piece other than the king is allowed although the pieces `left` attack the king after it.
    fn is_excused(&mut self, played: Move, king: Square, left: Bitboard, situation: &Situation) -> bool {
        let (uncovered, unanswered) = (left & !situation.checkers, left & situation.checkers);
        (uncovered.is_empty() || self.is_pin_ignored(played, king, uncovered))
            && (unanswered.is_empty() || self.is_check_ignored(played, unanswered, situation))
    }

    fn is_pin_ignored(&mut self, played: Move, king: Square, pinners: Bitboard) -> bool {
        let line = Facts::of_each(pinners, |from| Facts::line(from, king));
        let facts = self.facts(played) | line | self.board.attacking_pieces(pinners);
        self.rules.is_broken(Rule::PinIgnored, facts)
    }

    fn is_check_ignored(&mut self, played: Move, unanswered: Bitboard, situation: &Situation) -> bool {
        let answers_one = unanswered.count() < situation.checkers.count();
        let answer = if answers_one { Facts::AnswersOne } else { Facts::AnswersNone };
        let facts = self.facts(played) | answer | self.board.attacking_pieces(unanswered);
        self.rules.is_broken(Rule::CheckIgnored, facts)
    }

    /// Whether a mutation refuses a move of a piece other than the king although the king is not attacked after it.
    fn is_refused(&mut self, played: Move, situation: &Situation) -> bool {
        let facts = self.facts(played);
        if situation.pinned.contains(played.from()) && self.rules.is_broken(Rule::PinnedFrozen, facts) {
            return true;
        }
        if situation.checkers.is_empty() {
            return false;
        }
        let captures_checker = situation.checkers.contains(played.to())
            || played.kind() == MoveKind::EnPassant
                && situation.checkers.contains(self.board.captured_en_passant(played));
        let answer = if captures_checker { Facts::TakesChecker } else { Facts::Interposes };
        let checkers = self.board.attacking_pieces(situation.checkers);
        self.rules.is_broken(Rule::AnswerMissing, facts | answer | checkers)
    }
}
