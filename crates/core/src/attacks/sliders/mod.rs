//! Slider lookups: the squares that a bishop or a rook attacks, given the occupied squares.
//!
//! Each lookup method implements [`Sliders`]. Two of them read large tables:
//!
//! | method | how it finds the table entry | tables |
//! |---|---|---|
//! | `Pext` | extracts the relevant squares with the instruction `PEXT` | 843 KiB |
//! | [`Magic`] | hashes the relevant squares with a multiplication | 844 KiB |
//!
//! [`Walk`] goes from square to square without a table. It is slow and obvious, and the tests compare every other
//! method with it. A lookup is a value that is passed to generic code. A method that needs a CPU feature can only be
//! constructed on a CPU that has it. The generators `rays` and `rank-lookup` of the crate `perft-lab` have methods with
//! smaller tables.
//!
//! The *relevant* squares of a slider are those whose occupation matters: its rays without the last square of each
//! ray, because that square is attacked whether it is occupied or not.
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
//! Every subset of the relevant squares has an entry in a table of attack sets.

mod magic;
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
mod pext;

pub use magic::Magic;
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
pub use pext::Pext;

use crate::types::{Bitboard, Direction, Square};

/// A method to look up the attacks of sliders.
pub trait Sliders: Copy + Send + Sync {
    /// Returns the squares that a bishop attacks: up to and including the first occupied square in each direction.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// Returns the squares that a rook attacks: up to and including the first occupied square in each direction.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;
}

/// The number of attack sets for rooks: for each square, 2 to the power of its number of relevant squares.
const ROOK_ENTRIES: usize = 102_400;

/// The number of attack sets for bishops.
const BISHOP_ENTRIES: usize = 5_248;

/// The two lines along which a slider moves, each as a pair of opposite directions.
pub type Lines = [[Direction; 2]; 2];

/// The lines of a rook: file and rank.
pub const ROOK_LINES: Lines = [[Direction::North, Direction::South], [Direction::East, Direction::West]];

/// The lines of a bishop: both diagonals.
pub const BISHOP_LINES: Lines =
    [[Direction::NorthEast, Direction::SouthWest], [Direction::NorthWest, Direction::SouthEast]];

/// Returns the squares of one line through a square, without the square itself.
pub const fn line(square: Square, directions: [Direction; 2]) -> u64 {
    let [there, back] = directions;
    ray(square, there, Bitboard::EMPTY).bits() | ray(square, back, Bitboard::EMPTY).bits()
}

/// Returns the relevant squares of a slider.
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

/// Returns the attacks along one line, by subtraction ("Hyperbola Quintessence" in the Chess Programming Wiki).
///
/// With the occupied squares o and the slider r as numbers, o - 2r inverts all bits above the slider, up to and
/// including the first blocker. The same on the reversed board gives the other half of the line. It is cheap enough to
/// fill whole tables at compile time.
pub const fn line_attacks(square: Square, line: u64, occupied: u64) -> u64 {
    let slider = 1 << square as u8;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

/// The place of the attack sets of one square in a table. The index of a set is `start`, plus the key of the occupied
/// relevant squares shifted down by `shift`.
#[derive(Clone, Copy)]
struct Slots {
    mask: u64,
    /// The factor of the keys, or 0 if the keys are the bits that `PEXT` extracts.
    factor: u64,
    shift: u32,
    start: u32,
}

impl Slots {
    const NONE: Slots = Slots { mask: 0, factor: 0, shift: 0, start: 0 };

    /// Returns the key of a subset of the relevant squares. The key of the union of two disjoint subsets is the sum of
    /// their keys.
    const fn key(&self, mut subset: u64) -> u64 {
        if self.factor != 0 {
            return subset.wrapping_mul(self.factor);
        }
        let mut extracted = 0;
        while subset != 0 {
            let below = self.mask & (subset & subset.wrapping_neg()).wrapping_sub(1);
            extracted |= 1 << below.count_ones();
            subset &= subset - 1;
        }
        extracted
    }
}

/// Fills an empty table with attack sets, and returns their places. Uses magic multiplication if there are factors, and
/// otherwise bit extraction.
///
/// # Panics
/// Panics if a factor gives two different attack sets the same place.
const fn fill(attacks: &mut [u64], lines: &Lines, factors: Option<&[u64; 64]>) -> [Slots; 64] {
    let mut all = [Slots::NONE; 64];
    let mut start = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::ALL[index];
        let mask = relevant(square, lines);
        let slots = match factors {
            Some(factors) => Slots { mask, factor: factors[index], shift: 64 - mask.count_ones(), start },
            None => Slots { mask, start, ..Slots::NONE },
        };
        let first = LineSubsets::of(square, lines[0], &slots);
        let second = LineSubsets::of(square, lines[1], &slots);
        let mut i = 0;
        while i < first.count {
            let mut j = 0;
            while j < second.count {
                let set = first.attacks[i] | second.attacks[j];
                let key = first.keys[i].wrapping_add(second.keys[j]);
                let slot = start as usize + (key >> slots.shift) as usize;
                assert!(attacks[slot] == 0 || attacks[slot] == set);
                attacks[slot] = set;
                j += 1;
            }
            i += 1;
        }
        all[index] = slots;
        start += 1 << mask.count_ones();
        index += 1;
    }
    assert!(start as usize == attacks.len());
    all
}

/// The subsets of the relevant squares on one line of a slider, each with its key and the attacks along this line.
///
/// Every subset of the relevant squares is the union of one subset of each line, and its attacks are the union of the
/// attacks along both lines. So the tables are filled with unions. At compile time, this takes a fifth of the time of
/// finding the attacks of each entry.
struct LineSubsets {
    count: usize,
    keys: [u64; 64],
    attacks: [u64; 64],
}

impl LineSubsets {
    const fn of(square: Square, directions: [Direction; 2], slots: &Slots) -> LineSubsets {
        let line = line(square, directions);
        let mask = line & slots.mask;
        let mut all = LineSubsets { count: 0, keys: [0; 64], attacks: [0; 64] };
        let mut subset = 0u64;
        loop {
            all.keys[all.count] = slots.key(subset);
            all.attacks[all.count] = line_attacks(square, line, subset);
            all.count += 1;
            subset = subset.wrapping_sub(mask) & mask;
            if subset == 0 {
                return all;
            }
        }
    }
}

/// The lookup that walks along each ray, up to an occupied square or the edge of the board.
///
/// # Examples
/// ```
/// use perft_core::internals::sliders::{Sliders, Walk};
/// use perft_core::{Bitboard, Square};
/// let blocker = Bitboard::from(Square::A3);
/// assert_eq!(Walk.rook(Square::A1, blocker).count(), 2 + 7);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Walk;

impl Sliders for Walk {
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        walk(square, occupied, Direction::DIAGONAL)
    }

    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        walk(square, occupied, Direction::ORTHOGONAL)
    }
}

/// Returns the squares from a square in one direction, up to and including the first occupied square.
pub const fn ray(from: Square, direction: Direction, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut next = direction.step(from);
    while let Some(square) = next {
        set = set.with(square);
        next = if occupied.contains(square) { None } else { direction.step(square) };
    }
    set
}

fn walk(square: Square, occupied: Bitboard, directions: [Direction; 4]) -> Bitboard {
    directions.into_iter().fold(Bitboard::EMPTY, |set, direction| set | ray(square, direction, occupied))
}
