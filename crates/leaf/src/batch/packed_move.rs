//! A move as a 32-bit number.
//!
//! ```text
//!   bits  0..7    to
//!   bits  8..15   from
//!   bits 16..23   lane of the node that the move belongs to
//!   bits 24..31   kind of move; bit 6 of this byte marks promotion, en passant and castling
//! ```

use std::mem::MaybeUninit;

use perft_core::{Bitboard, MoveKind, Square};

/// The largest number of lanes of any width.
pub const MAX_LANES: usize = 8;

/// A move in one of the nodes of a group, as one number.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct BatchMove(pub u32);

/// Returns the number of a kind of move, with the bit [`SPECIAL`] if it is a promotion, en passant or castling.
#[inline(always)]
pub const fn kind_code(kind: MoveKind) -> u32 {
    let is_special = kind.promotion().is_some() || matches!(kind, MoveKind::EnPassant | MoveKind::Castling);
    kind as u32 | if is_special { SPECIAL } else { 0 }
}

/// The bit that marks promotions, captures en passant and castling in the number of a kind of move.
pub const SPECIAL: u32 = 0x40;

/// The number of packed moves for which a write needs room, whatever the set of targets is.
pub const ROOM: usize = 64;

/// The squares that the moves to a set of targets leave.
#[derive(Clone, Copy)]
pub enum Origin {
    /// All moves leave this square.
    Square(Square),
    /// Each move leaves the square whose index is this much lower than the index of its target.
    Offset(i8),
}

impl BatchMove {
    /// Returns a move in the node of lane 0.
    #[inline(always)]
    pub fn new(kind: MoveKind, from: Square, to: Square) -> BatchMove {
        BatchMove(to as u32 | (from as u32) << 8 | kind_code(kind) << 24)
    }

    /// Returns the move with this number.
    #[inline(always)]
    pub fn from_bits(bits: u32) -> BatchMove {
        BatchMove(bits)
    }

    /// Returns a base and a stride. The move to target `to`, in the node of lane 0, has the number `base + to *
    /// stride`.
    #[inline(always)]
    pub fn base(kind: MoveKind, origin: Origin) -> (BatchMove, u32) {
        let kind = kind_code(kind) << 24;
        match origin {
            Origin::Square(from) => (BatchMove(kind | (from as u32) << 8), 1),
            Origin::Offset(offset) => (BatchMove(kind.wrapping_sub((i32::from(offset) << 8) as u32)), 0x101),
        }
    }

    /// Returns this move, which is for lane 0, for the node of another lane.
    #[inline(always)]
    pub fn in_lane(self, lane: usize) -> BatchMove {
        BatchMove(self.0.wrapping_add((lane as u32) << 16))
    }

    /// Returns the squares that the move leaves and enters.
    #[inline(always)]
    pub fn squares(self) -> (Square, Square) {
        (square(self.0 >> 8), square(self.0))
    }

    /// Returns the lane of the node in which the move is made.
    #[inline(always)]
    pub fn lane(self) -> usize {
        (self.0 >> 16) as usize & (MAX_LANES - 1)
    }

    /// Returns the target of the move with this number if it is a double push.
    #[inline(always)]
    pub fn double_push_target(bits: u32) -> Option<Square> {
        if bits >> 24 == kind_code(MoveKind::DoublePush) {
            Square::from_index(bits as usize & 63)
        } else {
            None
        }
    }
}

/// Returns the square whose index is the low six bits of a number.
#[inline(always)]
fn square(bits: u32) -> Square {
    Square::ALL[bits as usize & 63]
}

/// Writes the move `base + to * stride` for each target `to`, in ascending order.
///
/// It writes four moves per step, also behind the last target. Most sets have at most four targets. The end of a loop
/// with one move per step would often be mispredicted.
#[inline(always)]
pub fn write_four_at_a_time(
    targets: Bitboard,
    base: u32,
    stride: u32,
    room: &mut [MaybeUninit<BatchMove>; ROOM],
) {
    let mut remaining = targets.bits();
    for four in room.as_chunks_mut::<4>().0 {
        for packed in four {
            let number = base.wrapping_add(remaining.trailing_zeros() * stride);
            *packed = MaybeUninit::new(BatchMove::from_bits(number));
            remaining &= remaining.wrapping_sub(1);
        }
        if remaining == 0 {
            break;
        }
    }
}
