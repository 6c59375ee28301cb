//! Sliders by bit extraction: one instruction turns the relevant occupied squares into a dense table index.
//!
//! `PEXT` (BMI2) gathers the bits of the occupancy that the mask selects, in order, at the low end of a word. The
//! idea is described in the Chess Programming Wiki under "BMI2, PEXT bitboards".

use std::arch::x86_64::_pext_u64;

use super::{
    BISHOP_ENTRIES, BISHOP_LINES, Lines, ROOK_ENTRIES, ROOK_LINES, Sliders, line, line_attacks, relevant,
};
use crate::types::{Bitboard, Square};

/// Look-up by `PEXT`: exists only where the CPU has BMI2.
#[derive(Clone, Copy, Debug)]
pub struct Pext(());

impl Pext {
    /// The look-up, if this CPU has BMI2.
    pub fn detect() -> Option<Pext> {
        std::arch::is_x86_feature_detected!("bmi2").then_some(Pext(()))
    }
}

impl Sliders for Pext {
    const NEEDS_BMI2: bool = true;

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

/// The relevant squares of one square, and where its entries begin.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    start: usize,
}

struct Table<const ENTRIES: usize> {
    squares: [Entry; 64],
    attacks: [Bitboard; ENTRIES],
}

impl<const ENTRIES: usize> Table<ENTRIES> {
    const fn new(lines: &Lines) -> Self {
        let mut table =
            Table { squares: [Entry { mask: 0, start: 0 }; 64], attacks: [Bitboard::EMPTY; ENTRIES] };
        let mut next = 0;
        let mut index = 0;
        while index < 64 {
            let square = Square::ALL[index];
            let mask = relevant(square, lines);
            let (first, second) = (line(square, lines[0]), line(square, lines[1]));
            table.squares[index] = Entry { mask, start: next };
            // Counting through the subsets of a mask visits them in the order of their extracted bits.
            let mut subset = 0u64;
            loop {
                table.attacks[next] = Bitboard::from_bits(
                    line_attacks(square, first, subset) | line_attacks(square, second, subset),
                );
                next += 1;
                subset = subset.wrapping_sub(mask) & mask;
                if subset == 0 {
                    break;
                }
            }
            index += 1;
        }
        assert!(next == ENTRIES);
        table
    }

    /// # Safety
    /// The CPU must have BMI2.
    #[inline(always)]
    unsafe fn lookup(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let Entry { mask, start } = self.squares[square.index()];
        // SAFETY: the caller has BMI2.
        let extracted = unsafe { _pext_u64(occupied.bits(), mask) } as usize;
        debug_assert!(start + extracted < ENTRIES);
        // SAFETY: the extracted number is below 2 to the number of bits in the mask, and `new` laid out that many
        // entries from `start` on; it asserts that all squares together fill the table exactly.
        unsafe { *self.attacks.get_unchecked(start + extracted) }
    }
}
