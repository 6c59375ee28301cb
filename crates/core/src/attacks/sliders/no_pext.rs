//! Replaces `pext.rs` in builds without x86-64 intrinsics. Its lookup cannot be constructed.

use super::Sliders;
use crate::types::{Bitboard, Square};

/// The lookup with `PEXT`, which this build does not have.
#[derive(Clone, Copy, Debug)]
pub enum Pext {}

impl Pext {
    /// Returns the lookup if this CPU and this build have BMI2: here, `None`.
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
