//! Where generated moves go: a list, or a bare number.
//!
//! The generator speaks in sets of targets, so that a sink which only counts never looks at a single move.

use crate::types::{Bitboard, Move, MoveKind, MoveList, Square};

/// Takes the legal moves of a position as they are found, many at a time.
pub trait Sink {
    /// The piece on `from` may go to each of these squares. A castling king's target is its rook.
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard);

    /// To each of these squares a pawn may go from the square whose index is lower by `offset`.
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard);

    /// As [`Sink::pawns`], but on the last rank: four moves a square.
    fn promotions(&mut self, offset: i8, targets: Bitboard);
}

/// Where a pawn came from.
#[inline(always)]
pub fn origin(to: Square, offset: i8) -> Square {
    let index = (to as u8).wrapping_sub(offset as u8) & 63;
    // SAFETY: masked to six bits.
    unsafe { Square::from_index_unchecked(index) }
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(kind, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(kind, origin(to, offset), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            for kind in MoveKind::PROMOTIONS {
                self.push(Move::new(kind, origin(to, offset), to));
            }
        }
    }
}

/// The number of moves, and nothing else of them: bulk counting.
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
