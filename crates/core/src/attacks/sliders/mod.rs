//! Slider look-ups: which squares a bishop or a rook attacks, given the blockers.
//!
//! One method a file, all behind [`Sliders`], and each by name in the registry, [`SliderMethod`]:
//!
//! | method | what it does | tables |
//! |---|---|---|
//! | [`Pext`] | extracts the relevant squares, which index a table of all attacks | 843 KiB |
//! | [`Magic`] | hashes them by a multiplication | 844 KiB |
//! | [`Kindergarten`] | gathers each line by a multiplication | 10.5 KiB |
//! | [`Rays`] | scans each ray for the first blocker | 5 KiB |
//! | [`Quintessence`] | subtracts the slider from each line | 3 KiB |
//! | [`Fill`] | pushes the slider through the empty squares | none |
//!
//! The plain walk from square to square, [`Walk`], is the judge of them all; what it finds on an empty board, their tables
//! are built of. A look-up is a value that the generic code is handed: one whose method needs a CPU feature can only be
//! made where the feature was found.
//!
//! The first two read the same layout. The squares whose occupation matters to a slider, its *relevant* squares,
//! are its rays without their last square, which is attacked whether occupied or not:
//!
//! ```text
//!   rook on d4        bishop on d4
//!   . . . . . . . .   . . . . . . . .
//!   . . . 1 . . . .   . . . . . . 1 .
//!   . . . 1 . . . .   . 1 . . . 1 . .
//!   . . . 1 . . . .   . . 1 . 1 . . .
//!   . 1 1 R 1 1 1 .   . . . B . . . .
//!   . . . 1 . . . .   . . 1 . 1 . . .
//!   . . . 1 . . . .   . 1 . . . 1 . .
//!   . . . . . . . .   . . . . . . . .
//! ```
//!
//! Every subset of them has one entry in a table of attack sets; the method says at which index.

mod magic;
#[cfg_attr(not(vector_paths), path = "no_pext.rs")]
mod pext;
mod walk;

pub use magic::Magic;
pub use pext::Pext;
pub use walk::{Walk, ray};

use crate::types::{Bitboard, Direction, Square};

/// A way to look up the attacks of sliders.
pub trait Sliders: Copy + Send + Sync {
    /// True if the method is an instruction that came with BMI2, and of no use without it.
    const NEEDS_BMI2: bool = false;

    /// The squares that a bishop attacks: up to and including the first occupied one in each direction.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares that a rook attacks: up to and including the first occupied one in each direction.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;
}

/// Entries of all rook tables together: the sum of 2 to the number of relevant squares.
const ROOK_ENTRIES: usize = 102_400;

/// Entries of all bishop tables together.
const BISHOP_ENTRIES: usize = 5_248;

/// The two lines that a slider moves along, each as a pair of opposite directions.
pub type Lines = [[Direction; 2]; 2];

pub const ROOK_LINES: Lines = [[Direction::North, Direction::South], [Direction::East, Direction::West]];

pub const BISHOP_LINES: Lines =
    [[Direction::NorthEast, Direction::SouthWest], [Direction::NorthWest, Direction::SouthEast]];

/// One line through a square, without the square.
pub const fn line(square: Square, directions: [Direction; 2]) -> u64 {
    let [there, back] = directions;
    ray(square, there, Bitboard::EMPTY).bits() | ray(square, back, Bitboard::EMPTY).bits()
}

/// The relevant squares of a slider: its lines without their ends.
pub const fn relevant(square: Square, lines: &Lines) -> u64 {
    let mut set = 0;
    let mut index = 0;
    while index < 4 {
        let direction = lines[index / 2][index % 2];
        let mut next = direction.step(square);
        while let Some(here) = next {
            next = direction.step(here);
            if next.is_some() {
                set |= 1 << here as u8;
            }
        }
        index += 1;
    }
    set
}

/// The attacks along one line by subtraction: o - 2r turns over all bits from the slider r up to the first blocker
/// among o, and the same on the reversed board gives the other half. (Chess Programming Wiki, "Hyperbola
/// Quintessence".) Here because it is cheap enough for the constant evaluator to fill whole tables.
pub const fn line_attacks(square: Square, line: u64, occupied: u64) -> u64 {
    let slider = 1 << square as u8;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a look-up with the walk: every square, every subset of the relevant squares, with and without
    /// all irrelevant squares occupied.
    fn agrees_with_the_walk(sliders: impl Sliders) {
        for square in Square::ALL {
            for (lines, rook) in [(ROOK_LINES, true), (BISHOP_LINES, false)] {
                let mask = relevant(square, &lines);
                let mut subset = 0;
                loop {
                    for occupied in [subset, subset | !mask].map(Bitboard::from_bits) {
                        if rook {
                            assert_eq!(sliders.rook(square, occupied), Walk.rook(square, occupied));
                        } else {
                            assert_eq!(sliders.bishop(square, occupied), Walk.bishop(square, occupied));
                        }
                    }
                    subset = subset.wrapping_sub(mask) & mask;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn magic_agrees_with_the_walk() {
        agrees_with_the_walk(Magic);
    }

    #[test]
    fn pext_agrees_with_the_walk() {
        if let Some(pext) = Pext::detect() {
            agrees_with_the_walk(pext);
        }
    }
}
