//! Generates the legal moves, using the checks and pins that were found before.
//!
//! Checks, pins, attacked squares and the moves of pawns are found by the functions of the generator of `perft-core`.

use perft_core::internals::attacks::{king, knight};
use perft_core::internals::sliders::{Magic, Sliders};
use perft_core::internals::{Armies, Army, CastlingPaths, ChecksAndPins, Side, Sink, en_passant, pawn_moves};
use perft_core::{Bitboard, MoveKind, Piece, Square};

use super::MagicBoard;

impl MagicBoard {
    /// Adds all legal moves of side `S`, the side to move.
    #[inline(always)]
    pub(super) fn generate<S: Side>(&self, sink: &mut impl Sink) {
        let (us, them) = (&self.army::<S>(), &self.army::<S::Other>());
        let (king, their_king) = (self.king::<S>(), self.king::<S::Other>());
        let armies = &Armies { us, them, king, their_king };
        let found = &ChecksAndPins::find::<S>(armies, Magic);
        self.king_moves::<S>(armies, found, sink);
        if found.check_mask.is_empty() {
            return;
        }
        self.piece_moves::<S>(found, sink);
        pawn_moves::<S>(armies, found, sink);
        en_passant::<S>(armies, self.en_passant, Magic, sink);
    }

    /// Adds the steps of the king and castling. The attacked squares are looked up only if the king has a target. The
    /// king is removed for this. Otherwise it could step away from a slider along the line of the check.
    #[inline(always)]
    fn king_moves<S: Side>(&self, armies: &Armies, found: &ChecksAndPins, sink: &mut impl Sink) {
        let steps = king(armies.king) & !armies.us.all;
        let rooks = self.castling_rooks::<S>(armies.king, found);
        if (steps | rooks).is_empty() {
            return;
        }
        let without_king = self.occupied() ^ armies.king.into();
        let attacked = armies.them.attacked::<S::Other>(armies.their_king, without_king, Magic);
        sink.piece(MoveKind::King, armies.king, steps & !attacked);
        for rook in rooks {
            if (CastlingPaths::of::<S>(armies.king, rook).must_be_safe & attacked).is_empty() {
                sink.piece(MoveKind::Castling, armies.king, rook.into());
            }
        }
    }

    /// Returns the rooks with which the king can castle if no square on its path is attacked.
    ///
    /// A rook that is pinned on the back rank cannot castle, because the pinner would attack the king on its target
    /// square. This happens only in Chess960.
    #[inline(always)]
    fn castling_rooks<S: Side>(&self, king: Square, found: &ChecksAndPins) -> Bitboard {
        if found.in_check() {
            return Bitboard::EMPTY;
        }
        let mut rooks = self.castling.rooks(S::COLOR) & !found.orthogonal_pins;
        for rook in rooks {
            if (CastlingPaths::of::<S>(king, rook).must_be_empty & self.occupied()).any() {
                rooks ^= rook.into();
            }
        }
        rooks
    }

    /// Returns the pieces of side `S` by their way of moving.
    #[inline(always)]
    fn army<S: Side>(&self) -> Army {
        Army {
            pawns: self.set::<S>(Piece::Pawn),
            knights: self.set::<S>(Piece::Knight),
            diagonals: self.diagonals::<S>(),
            orthogonals: self.orthogonals::<S>(),
            all: self.pieces_of::<S>(),
        }
    }

    /// Adds the moves of knights and sliders. Queens have a separate loop, so that each queen has one set of targets.
    /// This is 2 % faster.
    #[inline(always)]
    fn piece_moves<S: Side>(&self, found: &ChecksAndPins, sink: &mut impl Sink) {
        let occupied = self.occupied();
        let targets = found.check_mask & !self.pieces_of::<S>();
        let free = !found.pins();
        for from in self.set::<S>(Piece::Knight) & free {
            sink.piece(MoveKind::Knight, from, knight(from) & targets);
        }
        for from in self.set::<S>(Piece::Bishop) & free {
            sink.piece(MoveKind::Diagonal, from, Magic.bishop(from, occupied) & targets);
        }
        for from in self.set::<S>(Piece::Rook) & free {
            sink.piece(MoveKind::Orthogonal, from, Magic.rook(from, occupied) & targets);
        }
        for from in self.set::<S>(Piece::Queen) & free {
            let attacks = Magic.bishop(from, occupied) | Magic.rook(from, occupied);
            sink.piece(MoveKind::Diagonal, from, attacks & targets);
        }
        // One set is enough for all pin lines of a kind. A slider on one line cannot reach another, because the king is
        // between.
        for from in self.diagonals::<S>() & found.diagonal_pins {
            let on_line = Magic.bishop(from, occupied) & found.diagonal_pins;
            sink.piece(MoveKind::Diagonal, from, on_line & targets);
        }
        for from in self.orthogonals::<S>() & found.orthogonal_pins {
            let on_line = Magic.rook(from, occupied) & found.orthogonal_pins;
            sink.piece(MoveKind::Orthogonal, from, on_line & targets);
        }
    }
}
