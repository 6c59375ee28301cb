//! Stands for `pext.rs` in builds without x86 intrinsics: a look-up that cannot be made.

use super::Sliders;
use crate::types::{Bitboard, Square};

/// Look-up by `PEXT`, which this build does not have.
#[derive(Clone, Copy, Debug)]
pub enum Pext {}

impl Pext {
    /// The look-up, if this CPU has BMI2 and the build knows it: `None` here.
    pub const fn detect() -> Option<Pext> {
        None
    }
}

impl Sliders for Pext {
    const NEEDS_BMI2: bool = true;

    fn bishop(self, _: Square, _: Bitboard) -> Bitboard {
        match self {}
    }

    fn rook(self, _: Square, _: Bitboard) -> Bitboard {
        match self {}
    }
}
