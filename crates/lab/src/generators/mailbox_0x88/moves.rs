//! The move of three bytes.

use super::squares::Square88;
use crate::generators::flag::Flag;

/// A move: the `from` square, the `to` square and a flag, one byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move88(u32);

impl Move88 {
    #[inline(always)]
    pub(super) const fn new(flag: Flag, from: Square88, to: Square88) -> Move88 {
        Move88(from.byte() as u32 | (to.byte() as u32) << 8 | (flag as u32) << 16)
    }

    #[inline(always)]
    pub(super) const fn from(self) -> Square88 {
        Square88::from_byte(self.0 as u8)
    }

    #[inline(always)]
    pub(super) const fn to(self) -> Square88 {
        Square88::from_byte((self.0 >> 8) as u8)
    }

    #[inline(always)]
    pub(super) const fn flag(self) -> Flag {
        Flag::from_low_bits(self.0 >> 16)
    }
}
