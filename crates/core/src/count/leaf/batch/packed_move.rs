//! A move as a number of 32 bits.

use crate::types::{MoveKind, Square};

/// A move of one of the nodes that stand side by side: `to`, `from`, the lane of the node, and the kind of move, a byte
/// each.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct PackedMove(pub u32);

/// The number of a kind of move, with a bit for those that do more than take a piece from one square to another.
#[inline(always)]
pub const fn code(kind: MoveKind) -> u32 {
    let is_special = kind.promotion().is_some() || matches!(kind, MoveKind::EnPassant | MoveKind::Castling);
    kind as u32 | if is_special { SPECIAL } else { 0 }
}

/// The bit of the kinds that do more than take a piece from one square to another.
pub const SPECIAL: u32 = 0x40;

/// How many packed moves are written at once: room for any set of squares.
pub const ROOM: usize = 64;

/// Where moves to a set of targets come from.
#[derive(Clone, Copy)]
pub enum Origin {
    /// All from one square.
    Square(Square),
    /// Each from the square whose index is lower by this.
    Offset(i8),
}

impl PackedMove {
    /// A move of the node in the first lane.
    #[inline(always)]
    pub fn new(kind: MoveKind, from: Square, to: Square) -> PackedMove {
        PackedMove(to as u32 | (from as u32) << 8 | code(kind) << 24)
    }

    /// From the four bytes as one number.
    #[inline(always)]
    pub fn from_bits(bits: u32) -> PackedMove {
        PackedMove(bits)
    }

    /// What the moves to several targets have in common: `to * stride` is to be added.
    #[inline(always)]
    pub fn base(kind: MoveKind, origin: Origin) -> (PackedMove, u32) {
        let kind = code(kind) << 24;
        match origin {
            Origin::Square(from) => (PackedMove(kind | (from as u32) << 8), 1),
            Origin::Offset(offset) => (PackedMove(kind.wrapping_sub((i32::from(offset) << 8) as u32)), 0x101),
        }
    }

    /// The same of the node in this lane.
    #[inline(always)]
    pub fn in_lane(self, lane: usize) -> PackedMove {
        PackedMove(self.0.wrapping_add((lane as u32) << 16))
    }

    /// Where the move goes, if it is a double push.
    #[inline(always)]
    pub fn double_push(bits: u32) -> Option<Square> {
        if bits >> 24 == code(MoveKind::DoublePush) { Square::from_index(bits as usize & 63) } else { None }
    }
}
