//! Sinks, which receive the generated moves. This file has two of them: a list of moves and a plain count.
//!
//! The generator passes sets of target squares, so a sink that only counts never handles single moves.

use crate::types::{Bitboard, Move, MoveKind, MoveList, Square};

/// Receives the legal moves of a position while they are generated, several at a time.
pub trait Sink {
    /// Receives the moves of the piece on `from` to each of the targets. For castling, the target is the rook's square.
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard);

    /// Receives one pawn move to each of the targets. The index of the target minus `offset` is the index of the
    /// pawn's square.
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard);

    /// Receives pawn moves to the last rank, as [`Sink::pawns`] does: four promotions to each of the targets.
    fn promotions(&mut self, offset: i8, targets: Bitboard);
}

/// Returns the square from which a pawn moves to a target; see [`Sink::pawns`].
#[inline(always)]
pub fn origin(to: Square, offset: i8) -> Square {
    Square::from_low_bits((to as u32).wrapping_sub(offset as u32))
}

/// Receives the legal moves of a position one at a time. Every such type is a [`Sink`].
pub trait MoveSink {
    /// Receives a move. For castling, `to` is the rook's square.
    fn receive(&mut self, kind: MoveKind, from: Square, to: Square);
}

impl<T: MoveSink> Sink for T {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.receive(kind, from, to);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        for to in targets {
            self.receive(kind, origin(to, offset), to);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            for kind in MoveKind::PROMOTIONS {
                self.receive(kind, origin(to, offset), to);
            }
        }
    }
}

/// Lists the moves. A whole set is added at once, so the length in memory is written only once for each set.
impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(kind, from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(kind, origin(to, offset), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            self.extend(MoveKind::PROMOTIONS.map(|kind| Move::new(kind, origin(to, offset), to)));
        }
    }
}

/// Counts the moves: bulk counting.
impl Sink for u64 {
    #[inline(always)]
    fn piece(&mut self, _: MoveKind, _: Square, targets: Bitboard) {
        *self += u64::from(targets.count());
    }

    #[inline(always)]
    fn pawns(&mut self, _: MoveKind, _: i8, targets: Bitboard) {
        *self += u64::from(targets.count());
    }

    #[inline(always)]
    fn promotions(&mut self, _: i8, targets: Bitboard) {
        *self += 4 * u64::from(targets.count());
    }
}
