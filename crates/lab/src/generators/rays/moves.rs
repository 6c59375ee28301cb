//! The move of 32 bits, which contains all data that playing it needs.

use perft_core::Square;

/// A kind of piece, or none, in three bits.
///
/// The number is the index of its set on the board. Index 0 is the set of all white pieces. A capture of "none" changes
/// no square of this set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind(u32);

impl Kind {
    pub const NONE: Kind = Kind(0);
    pub const PAWN: Kind = Kind(1);
    pub const KNIGHT: Kind = Kind(2);
    pub const BISHOP: Kind = Kind(3);
    pub const ROOK: Kind = Kind(4);
    pub const QUEEN: Kind = Kind(5);
    pub const KING: Kind = Kind(6);

    /// Returns the kind with these bits, each 0 or 1, the lowest first.
    #[inline(always)]
    pub const fn from_bits(low: u32, middle: u32, high: u32) -> Kind {
        Kind(low | middle << 1 | high << 2)
    }

    /// Returns the number of the kind, which is below 8.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }
}

/// A move in 32 bits. For castling, the target is the square of the rook.
///
/// ```text
///   bits   0 to 5   6 to 11   12 to 14   15 to 17   18 to 20   21            22           23
///          from     to        moved      captured   promoted   double push   en passant   castling
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaysMove(u32);

impl RaysMove {
    const MOVED: u32 = 12;
    const CAPTURED: u32 = 15;
    const PROMOTED: u32 = 18;
    pub(super) const DOUBLE_PUSH: u32 = 1 << 21;
    pub(super) const EN_PASSANT: u32 = 1 << 22;
    pub(super) const CASTLING: u32 = 1 << 23;

    #[inline(always)]
    pub(super) fn new(moved: Kind, from: Square, to: Square) -> RaysMove {
        RaysMove(from as u32 | (to as u32) << 6 | moved.0 << RaysMove::MOVED)
    }

    #[inline(always)]
    pub(super) fn capturing(self, captured: Kind) -> RaysMove {
        RaysMove(self.0 | captured.0 << RaysMove::CAPTURED)
    }

    #[inline(always)]
    pub(super) fn promoting(self, promoted: Kind) -> RaysMove {
        RaysMove(self.0 | promoted.0 << RaysMove::PROMOTED)
    }

    #[inline(always)]
    pub(super) fn flagged(self, flag: u32) -> RaysMove {
        RaysMove(self.0 | flag)
    }

    #[inline(always)]
    pub(super) fn from(self) -> Square {
        Square::from_low_bits(self.0)
    }

    #[inline(always)]
    pub(super) fn to(self) -> Square {
        Square::from_low_bits(self.0 >> 6)
    }

    #[inline(always)]
    pub(super) const fn moved(self) -> Kind {
        Kind(self.0 >> RaysMove::MOVED & 7)
    }

    #[inline(always)]
    pub(super) const fn captured(self) -> Kind {
        Kind(self.0 >> RaysMove::CAPTURED & 7)
    }

    #[inline(always)]
    pub(super) const fn promoted(self) -> Kind {
        Kind(self.0 >> RaysMove::PROMOTED & 7)
    }

    #[inline(always)]
    pub(super) const fn is(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    /// Returns the square of the captured piece.
    ///
    /// For most moves, this is the target. For en passant, it is the square behind the target. Its index differs in the
    /// bit of value 8 (c6 and c5, c3 and c4).
    #[inline(always)]
    pub(super) const fn capture_square(self) -> Square {
        Square::from_low_bits(
            self.0 >> 6 ^ (self.0 & RaysMove::EN_PASSANT) >> RaysMove::EN_PASSANT.ilog2() << 3,
        )
    }

    /// Whether the move is a promotion, a double push or castling, which do more than move one piece and capture
    /// another.
    #[inline(always)]
    pub(super) const fn is_special(self) -> bool {
        self.0 & (7 << RaysMove::PROMOTED | RaysMove::DOUBLE_PUSH | RaysMove::CASTLING) != 0
    }
}
