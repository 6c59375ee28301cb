//! Sliders by filling: Kogge and Stone's parallel prefix, without any table.
//!
//! A slider is pushed in one direction through empty squares, which takes up to six steps. It takes only three if it goes
//! on in double steps, and so do the squares through which it may go: after the first step the slider covers two squares,
//! and a square is passed in one go where it and the one before it are empty; then four squares, then eight.
//!
//! ```text
//!   a rook on b1, to the north, against a blocker on b8: what is covered after each step
//!
//!   occupied           at first           one step           two more           four more, and A
//!   . x . . . . . .    . . . . . . . .    . . . . . . . .    . . . . . . . .    . A . . . . . .
//!   . . . . . . . .    . . . . . . . .    . . . . . . . .    . . . . . . . .    . 1 . . . . . .
//!   . . . . . . . .    . . . . . . . .    . . . . . . . .    . . . . . . . .    . 1 . . . . . .
//!   . . . . . . . .    . . . . . . . .    . . . . . . . .    . . . . . . . .    . 1 . . . . . .
//!   . . . . . . . .    . . . . . . . .    . . . . . . . .    . 1 . . . . . .    . 1 . . . . . .
//!   . . . . . . . .    . . . . . . . .    . . . . . . . .    . 1 . . . . . .    . 1 . . . . . .
//!   . . . . . . . .    . . . . . . . .    . 1 . . . . . .    . 1 . . . . . .    . 1 . . . . . .
//!   . R . . . . . .    . 1 . . . . . .    . 1 . . . . . .    . 1 . . . . . .    . 1 . . . . . .
//! ```
//!
//! A last step brings it from every covered square to the next, and so to the blocker (A). The carries of a binary adder
//! spread in the same way, which is what the algorithm was made for.
//!
//! The four directions of a piece have nothing to do with each other, so the CPU works on all at a time; with AVX2
//! the compiler puts the diagonals two by two into the lanes of vectors. A set of sliders is filled for the price of one.
//! A look-up for one square, as here, does not profit from that: what does is our batched counting, which fills in many
//! boards at a time.
//!
//! Costs: no tables and no cache; 80 to 100 instructions, all of them shifts, ands and ors; 50 for a bishop with AVX2.
//! (Peter Kogge and Harold Stone, 1973; brought to chess by Steffan Westcott: Chess Programming Wiki, "Kogge-Stone
//! Algorithm" and "Parallel Prefix Algorithms".)

use super::Sliders;
use perft_core::{Bitboard, File, Square};

/// Look-up by filling: works on every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Fill;

impl Sliders for Fill {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (slider, empty) = (Bitboard::from(square).bits(), !occupied.bits());
        let attacks = upwards::<9>(slider, empty, NOT_A)
            | upwards::<7>(slider, empty, NOT_H)
            | downwards::<9>(slider, empty, NOT_H)
            | downwards::<7>(slider, empty, NOT_A);
        Bitboard::from_bits(attacks)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (slider, empty) = (Bitboard::from(square).bits(), !occupied.bits());
        let attacks = upwards::<8>(slider, empty, ALL)
            | upwards::<1>(slider, empty, NOT_A)
            | downwards::<8>(slider, empty, ALL)
            | downwards::<1>(slider, empty, NOT_H);
        Bitboard::from_bits(attacks)
    }
}

const ALL: u64 = Bitboard::FULL.bits();

/// Where a step to the east may arrive: not on the a-file, that is round the edge.
const NOT_A: u64 = !Bitboard::file(File::A).bits();

/// Where a step to the west may arrive.
const NOT_H: u64 = !Bitboard::file(File::H).bits();

/// The attacks in a direction that adds `STEP` to the number of a square.
#[inline(always)]
const fn upwards<const STEP: u32>(slider: u64, empty: u64, arrivals: u64) -> u64 {
    let mut covered = slider;
    let mut passable = empty & arrivals;
    covered |= passable & (covered << STEP);
    passable &= passable << STEP;
    covered |= passable & (covered << (2 * STEP));
    passable &= passable << (2 * STEP);
    covered |= passable & (covered << (4 * STEP));
    covered << STEP & arrivals
}

/// The same in a direction that takes `STEP` off.
#[inline(always)]
const fn downwards<const STEP: u32>(slider: u64, empty: u64, arrivals: u64) -> u64 {
    let mut covered = slider;
    let mut passable = empty & arrivals;
    covered |= passable & (covered >> STEP);
    passable &= passable >> STEP;
    covered |= passable & (covered >> (2 * STEP));
    passable &= passable >> (2 * STEP);
    covered |= passable & (covered >> (4 * STEP));
    covered >> STEP & arrivals
}
