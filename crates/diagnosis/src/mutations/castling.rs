//! Castling in the plain generator.

use perft_core::{Bitboard, CastlingSide, Color, ColoredPiece, Move, MoveKind, MoveList, Piece, Square};

use super::MutatedBoard;
use super::board::Board;
use super::catalogue::Mutation;

impl MutatedBoard {
    /// Adds the castling moves.
    pub(super) fn castlings(&mut self, moves: &mut MoveList) {
        let us = self.board.turn;
        let home = self.board.homes[us.index()];
        // With a bug, a right may remain after the king has left.
        if self.board.king(us) != Some(home) {
            return;
        }
        for rook in self.board.castling.rooks(us) {
            if self.has_rook_to_castle(rook) && self.may_castle(home, rook) {
                let castling = Move::new(MoveKind::Castling, home, rook);
                moves.push(castling);
                if self.rules.has(Mutation::CastlingTwice) {
                    moves.push(castling);
                }
            }
        }
    }

    /// Whether a rook stands where the castling right says. With a bug, a right may remain after its rook is gone.
    fn has_rook_to_castle(&mut self, rook: Square) -> bool {
        self.board.has(rook, self.board.turn, Piece::Rook) || self.rules.has(Mutation::PhantomRook)
    }

    fn may_castle(&mut self, king: Square, rook: Square) -> bool {
        let us = self.board.turn;
        let side = CastlingSide::of(king, rook);
        let king_path = span(king, side.king_target(us));
        let rook_path = span(rook, side.rook_target(us)) & !king_path;
        let board = self.board;
        let is_free = |path: Bitboard| {
            path.into_iter().all(|square| square == king || square == rook || board.at(square).is_none())
        };
        is_free(king_path)
            && (is_free(rook_path) || self.rules.has(Mutation::CastlingThroughPieces))
            && self.is_safe_to_castle(king, side)
            && !self.is_castling_refused(king, rook, rook_path)
    }

    /// Whether the king is attacked neither where it stands, nor where it passes, nor where it arrives.
    fn is_safe_to_castle(&mut self, king: Square, side: CastlingSide) -> bool {
        let us = self.board.turn;
        let target = side.king_target(us);
        let mut bare = self.board;
        bare.put(king, None);
        let crossed = span(king, target).into_iter().filter(|&square| square != king && square != target);
        let crossed: Vec<Square> = crossed.collect();
        // In Chess960, the castling rook may have covered the target square.
        let mut after = bare;
        let rook =
            self.board.castling.rooks(us).into_iter().find(|&rook| CastlingSide::of(king, rook) == side);
        rook.into_iter().for_each(|rook| after.put(rook, None));
        after.put(side.rook_target(us), Some(ColoredPiece { color: us, piece: Piece::Rook }));

        self.is_safe(&bare, king, Mutation::CastlingOutOfCheck)
            && crossed.into_iter().all(|square| self.is_safe(&bare, square, Mutation::CastlingThroughCheck))
            && self.is_safe(&after, target, Mutation::CastlingIntoCheck)
    }

    /// Whether a square is not attacked, or a mutation ignores the attack. `mutation` ignores any attack on it.
    fn is_safe(&mut self, board: &Board, square: Square, mutation: Mutation) -> bool {
        let them = !self.board.turn;
        let attackers = board.attackers(square, them, &mut self.rules);
        if attackers.is_empty() {
            return true;
        }
        let all_are = |piece| attackers.into_iter().all(|from| board.has(from, them, piece));
        self.rules.has_any(&[mutation, Mutation::CastlingUnchecked])
            || all_are(Piece::Pawn) && self.rules.has(Mutation::CastlingIgnoresPawns)
            || all_are(Piece::King) && self.rules.has(Mutation::CastlingIgnoresKing)
    }

    /// Whether a mutation refuses castling that is legal.
    fn is_castling_refused(&mut self, king: Square, rook: Square, rook_path: Bitboard) -> bool {
        let us = self.board.turn;
        let board = self.board;
        let mut is_attacked = |square| board.attackers(square, !us, &mut self.rules).any();
        let is_rook_attacked = is_attacked(rook);
        let is_path_attacked = (rook_path & !Bitboard::from(rook)).into_iter().any(is_attacked);
        let by_side = match CastlingSide::of(king, rook) {
            CastlingSide::King => Mutation::NoCastlingKingSide,
            CastlingSide::Queen => Mutation::NoCastlingQueenSide,
        };
        let by_us = match us {
            Color::White => Mutation::NoCastlingByWhite,
            Color::Black => Mutation::NoCastlingByBlack,
        };
        self.rules.has_any(&[Mutation::NoCastling, by_side, by_us])
            || is_rook_attacked && self.rules.has(Mutation::CastlingRookAttacked)
            || is_path_attacked && self.rules.has(Mutation::CastlingRookPathAttacked)
    }
}

/// Returns the squares of a rank from one to another, both included.
fn span(a: Square, b: Square) -> Bitboard {
    let indices = a.index().min(b.index())..=a.index().max(b.index());
    indices.filter_map(Square::from_index).collect()
}
