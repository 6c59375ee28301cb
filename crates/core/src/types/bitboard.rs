//! Bitboards: sets of squares in 64 bits.
//!
//! Bit 0 is a1, bit 7 is h1, bit 63 is h8. A bitboard has the usual set operations as operators, can be iterated from
//! a1 to h8, and can be shifted by one square in a direction. Squares that a shift moves off the board are dropped.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{Direction, File, Rank, Square};

/// A set of squares.
///
/// # Examples
/// ```
/// use perft_core::{Bitboard, File, Rank, Square};
/// let a_file = Bitboard::file(File::A);
/// assert_eq!(a_file.count(), 8);
/// assert!(a_file.contains(Square::A5));
/// assert_eq!(a_file.into_iter().next(), Some(Square::A1));
/// assert_eq!(a_file & Bitboard::rank(Rank::Third), Square::A3.into());
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Bitboard(u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);

    /// All 64 squares.
    pub const FULL: Bitboard = Bitboard(!0);

    /// Returns the set of the squares whose bits are set; a1 is the lowest bit.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Bitboard {
        Bitboard(bits)
    }

    /// Returns the set as 64 bits; a1 is the lowest bit.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the set with the order of the ranks reversed.
    #[inline(always)]
    pub(crate) const fn flipped(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Returns the set that contains only this square.
    #[inline(always)]
    pub const fn from_square(square: Square) -> Bitboard {
        Bitboard(1 << square as u8)
    }

    /// Returns the squares of a file.
    #[inline(always)]
    pub const fn file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file as u8)
    }

    /// Returns the squares of a rank.
    #[inline(always)]
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xff << (rank as u8 * 8))
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set contains at least one square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set contains two or more squares.
    #[inline(always)]
    pub const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether the set contains the square.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Returns the number of squares in the set.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the set with one square added. Unlike the operator `|`, it works in constants.
    #[inline(always)]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square as u8)
    }

    /// Returns the first square of the set, in the order a1 to h8.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        // SAFETY: a number that is not zero has at most 63 trailing zeros.
        Some(unsafe { Square::from_index_unchecked(self.0.trailing_zeros() as u8) })
    }

    /// Returns the set with every square moved one step. Squares that would leave the board are dropped.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn step(self, direction: Direction) -> Bitboard {
        const NOT_A: u64 = !Bitboard::file(File::A).0;
        const NOT_H: u64 = !Bitboard::file(File::H).0;
        Bitboard(match direction {
            Direction::North => self.0 << 8,
            Direction::South => self.0 >> 8,
            Direction::East => (self.0 & NOT_H) << 1,
            Direction::West => (self.0 & NOT_A) >> 1,
            Direction::NorthEast => (self.0 & NOT_H) << 9,
            Direction::SouthWest => (self.0 & NOT_A) >> 9,
            Direction::NorthWest => (self.0 & NOT_A) << 7,
            Direction::SouthEast => (self.0 & NOT_H) >> 7,
        })
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Bitboard {
        Bitboard::from_square(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

/// Iterates over the squares of a [`Bitboard`], from a1 to h8.
#[derive(Clone, Copy, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0.wrapping_sub(1);
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

macro_rules! binary_operator {
    ($operator:ident, $method:ident, $assign:ident, $assign_method:ident, $symbol:tt) => {
        impl $operator for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $symbol other.0)
            }
        }

        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                self.0 = self.0 $symbol other.0;
            }
        }
    };
}

binary_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
binary_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |);
binary_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// Draws the board with the eighth rank at the top. `1` marks the squares of the set.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f)?;
            for file in File::ALL {
                let mark = if self.contains(Square::new(file, rank)) { " 1" } else { " ." };
                f.write_str(mark)?;
            }
        }
        Ok(())
    }
}
