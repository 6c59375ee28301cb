//! Sliders by bit extraction: one instruction turns the occupied relevant squares into a table index.
//!
//! `PEXT` (BMI2) collects the bits that a mask selects, in order, in the low bits of a word. See "BMI2" and "PEXT
//! Bitboards" in the Chess Programming Wiki.

use std::arch::x86_64::_pext_u64;

use super::{BISHOP_ENTRIES, BISHOP_LINES, Lines, ROOK_ENTRIES, ROOK_LINES, Sliders, fill};
use crate::types::{Bitboard, Square};

/// The lookup with `PEXT`. A value of this type exists only if the CPU has BMI2.
#[derive(Clone, Copy, Debug)]
pub struct Pext(());

impl Pext {
    /// Returns the lookup if this CPU has BMI2.
    pub fn detect() -> Option<Pext> {
        std::arch::is_x86_feature_detected!("bmi2").then_some(Pext(()))
    }
}

impl Sliders for Pext {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a Pext exists only where the CPU has BMI2.
        unsafe { BISHOP.lookup(square, occupied) }
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a Pext exists only where the CPU has BMI2.
        unsafe { ROOK.lookup(square, occupied) }
    }
}

#[allow(long_running_const_eval)]
static BISHOP: Table<BISHOP_ENTRIES> = Table::new(&BISHOP_LINES);
#[allow(long_running_const_eval)]
static ROOK: Table<ROOK_ENTRIES> = Table::new(&ROOK_LINES);

/// The relevant squares of one square, and the index of its first attack set.
#[derive(Clone, Copy)]
struct SquareIndex {
    mask: u64,
    start: usize,
}

/// All attack sets of one kind of slider.
struct Table<const ENTRIES: usize> {
    squares: [SquareIndex; 64],
    attacks: [u64; ENTRIES],
}

impl<const ENTRIES: usize> Table<ENTRIES> {
    const fn new(lines: &Lines) -> Self {
        let mut attacks = [0; ENTRIES];
        let slots = fill(&mut attacks, lines, None);
        let mut squares = [SquareIndex { mask: 0, start: 0 }; 64];
        let mut index = 0;
        while index < 64 {
            squares[index] = SquareIndex { mask: slots[index].mask, start: slots[index].start as usize };
            index += 1;
        }
        Table { squares, attacks }
    }

    /// # Safety
    /// The CPU must have BMI2.
    #[inline(always)]
    unsafe fn lookup(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let SquareIndex { mask, start } = self.squares[square.index()];
        // SAFETY: the caller guarantees that the CPU has BMI2.
        let extracted = unsafe { _pext_u64(occupied.bits(), mask) } as usize;
        debug_assert!(start + extracted < ENTRIES);
        // SAFETY: the extracted number is below 2 to the power of the number of bits in the mask. `new` placed that
        // many entries from `start` on, and asserts that the squares together fill the table exactly.
        Bitboard::from_bits(unsafe { *self.attacks.get_unchecked(start + extracted) })
    }
}
