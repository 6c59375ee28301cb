//! Slider lookup by fills, without any table: the parallel prefix algorithm of Kogge and Stone.
//!
//! A fill moves a slider in one direction through empty squares. Moving it one square at a time takes up to six steps.
//! If the distance doubles with each step, it takes three. After the first step, two squares are filled. The next step
//! moves both by two squares, through pairs of empty squares. The last step moves all four by four squares.
//!
//! ```text
//!   a rook on b1, to the north, with a blocker on b8: the filled squares after each step
//!
//!   occupied           start              step by 1          step by 2          step by 4, and A
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
//! One more step by 1 moves all filled squares to the attacked squares, and so reaches the blocker (A). Carries spread
//! in the same way in a binary adder, for which the algorithm was invented.
//!
//! The four directions of a piece do not depend on each other, so the CPU computes them at the same time. With AVX2,
//! the compiler puts two diagonals into the lanes of a vector. A fill of several sliders costs as much as a fill of
//! one. A lookup for one square does not benefit from this, but the batched leaf counter of `perft-leaf` does: it fills
//! several boards at once.
//!
//! **Cost.** No tables, so no cache misses. 80 to 100 instructions, all of them shifts, ands and ors; 50 for a bishop
//! with AVX2.
//!
//! Source: Peter Kogge and Harold Stone, 1973; brought to chess by Steffan Westcott: Chess Programming Wiki,
//! "Kogge-Stone Algorithm" and "Parallel Prefix Algorithms".

use perft_core::internals::sliders::Sliders;
use perft_core::{Bitboard, File, Square};

/// Looks up attacks by fills. Works on every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Fill;

impl Sliders for Fill {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (slider, empty) = (Bitboard::from(square).bits(), !occupied.bits());
        let attacks = along::<9>(slider, empty, NOT_A)
            | along::<7>(slider, empty, NOT_H)
            | along::<-9>(slider, empty, NOT_H)
            | along::<-7>(slider, empty, NOT_A);
        Bitboard::from_bits(attacks)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (slider, empty) = (Bitboard::from(square).bits(), !occupied.bits());
        let attacks = along::<8>(slider, empty, ALL)
            | along::<1>(slider, empty, NOT_A)
            | along::<-8>(slider, empty, ALL)
            | along::<-1>(slider, empty, NOT_H);
        Bitboard::from_bits(attacks)
    }
}

const ALL: u64 = Bitboard::FULL.bits();

/// The squares to which a step to the east can lead. A step to the a-file would wrap around the edge.
const NOT_A: u64 = !Bitboard::file(File::A).bits();

/// The squares to which a step to the west can lead.
const NOT_H: u64 = !Bitboard::file(File::H).bits();

/// Returns the attacks in a direction that adds `STEP` to the index of a square.
#[inline(always)]
const fn along<const STEP: i32>(slider: u64, empty: u64, arrivals: u64) -> u64 {
    let mut filled = slider;
    let mut passable = empty & arrivals;
    filled |= passable & moved(filled, STEP);
    passable &= moved(passable, STEP);
    filled |= passable & moved(filled, 2 * STEP);
    passable &= moved(passable, 2 * STEP);
    filled |= passable & moved(filled, 4 * STEP);
    moved(filled, STEP) & arrivals
}

/// Returns the set with `offset` added to the index of each square.
#[inline(always)]
const fn moved(set: u64, offset: i32) -> u64 {
    if offset > 0 { set << offset } else { set >> -offset }
}
