//! Castling in the plain generator.

use perft_core::internals::attacks::between;
use perft_core::{Bitboard, CastlingSide, ColoredPiece, Move, MoveKind, MoveList, Piece, Square};

use super::MutatedBoard;
use super::board::Board;
use super::facts::Facts;
use super::rules::Rule;

impl MutatedBoard {
    /// Adds the castling moves.
    pub(super) fn castlings(&mut self, moves: &mut MoveList) {
        let us = self.board.turn;
        let home = self.board.homes[us.index()];
        // With a bug, a castling right may remain after the king has left.
        let rooks = self.board.castling.rooks(us);
        if self.board.king(us) != Some(home) || rooks.is_empty() || self.breaks(Rule::NoMoves) {
            return;
        }
        for rook in rooks {
            if self.has_rook_to_castle(rook) && self.may_castle(home, rook) {
                let castling = Move::new(MoveKind::Castling, home, rook);
                moves.push(castling);
                if self.rules.is_broken(Rule::CastlingTwice, self.castling_facts(home, rook)) {
                    moves.push(castling);
                }
            }
        }
    }

    /// Returns the side to move, and the side of castling with a rook.
    pub(super) fn castling_facts(&self, king: Square, rook: Square) -> Facts {
        Facts::side(self.board.turn) | Facts::wing(CastlingSide::of(king, rook))
    }

    /// Whether there is a rook on the square of the castling right. With a bug, a right may remain after its rook is
    /// gone.
    fn has_rook_to_castle(&mut self, rook: Square) -> bool {
        let us = self.board.turn;
        self.board.has(rook, us, Piece::Rook) || {
            let facts = self.castling_facts(self.board.homes[us.index()], rook);
            self.rules.is_broken(Rule::CastlingWithoutRook, facts)
        }
    }

    fn may_castle(&mut self, king: Square, rook: Square) -> bool {
        let side = CastlingSide::of(king, rook);
        let rook_path = span(rook, side.rook_target(self.board.turn));
        let rook_path = rook_path & !span(king, side.king_target(self.board.turn));
        self.is_free_to_castle(king, rook, rook_path)
            && self.is_safe_to_castle(king, rook)
            && !self.is_castling_refused(king, rook, rook_path)
    }

    /// Whether the squares between king and rook are empty, or a mutation ignores the pieces there.
    fn is_free_to_castle(&mut self, king: Square, rook: Square, rook_path: Bitboard) -> bool {
        let king_path = span(king, CastlingSide::of(king, rook).king_target(self.board.turn));
        let others = |path: Bitboard| path & !Bitboard::from(king).with(rook);
        let is_blocked = |path| others(path).into_iter().any(|square| self.board.at(square).is_some());
        let paths = [(king_path, Facts::KingPath), (rook_path, Facts::RookPath)];
        let blocked = paths.into_iter().filter(|&(path, _)| is_blocked(path)).map(|(_, fact)| fact);
        let Some(blocked) = blocked.reduce(|a, b| a | b) else { return true };
        let facts = self.castling_facts(king, rook) | blocked;
        self.rules.is_broken(Rule::CastlingBlocked, facts)
    }

    /// Whether the king is not attacked on its square, on the squares that it passes, and on its target square.
    fn is_safe_to_castle(&mut self, king: Square, rook: Square) -> bool {
        let (us, side) = (self.board.turn, CastlingSide::of(king, rook));
        let target = side.king_target(us);
        let mut bare = self.board;
        bare.put(king, None);
        let crossed = span(king, target).into_iter().filter(|&square| square != king && square != target);
        let crossed: Vec<Square> = crossed.collect();
        // In Chess960, the castling rook may have protected the target square from an attack.
        let mut after = bare;
        after.put(rook, None);
        after.put(side.rook_target(us), Some(ColoredPiece { color: us, piece: Piece::Rook }));

        let facts = self.castling_facts(king, rook);
        self.is_safe(&bare, king, Rule::CastlingOutOfCheck, facts)
            && crossed
                .into_iter()
                .all(|square| self.is_safe(&bare, square, Rule::CastlingThroughCheck, facts))
            && self.is_safe(&after, target, Rule::CastlingIntoCheck, facts)
    }

    /// Whether a square is not attacked, or a mutation breaks the rule that forbids the attack.
    fn is_safe(&mut self, board: &Board, square: Square, rule: Rule, facts: Facts) -> bool {
        let attackers = board.attackers(square, !self.board.turn, &mut self.rules);
        attackers.is_empty() || self.rules.is_broken(rule, facts | board.attacking_pieces(attackers))
    }

    /// Whether a mutation refuses castling that is legal.
    fn is_castling_refused(&mut self, king: Square, rook: Square, rook_path: Bitboard) -> bool {
        let (us, board) = (self.board.turn, self.board);
        let facts = self.castling_facts(king, rook);
        let mut is_attacked = |square| board.attackers(square, !us, &mut self.rules).any();
        let is_rook_attacked = is_attacked(rook);
        let is_path_attacked = (rook_path & !Bitboard::from(rook)).into_iter().any(is_attacked);
        self.rules.is_broken(Rule::CastlingMissing, facts)
            || is_rook_attacked && self.rules.is_broken(Rule::CastlingRookAttacked, facts)
            || is_path_attacked && self.rules.is_broken(Rule::CastlingRookPathAttacked, facts)
    }
}

/// Returns the squares of a rank from one square to another, including both.
fn span(a: Square, b: Square) -> Bitboard {
    between(a, b).with(a).with(b)
}
