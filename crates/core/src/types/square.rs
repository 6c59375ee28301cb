//! Squares, files and ranks, the eight directions of the board, and sets of squares in 64 bits.
//!
//! [`Square`] is an enum with 64 variants. An index made from it is always in range for a table of 64 entries, so the
//! compiler drops the bounds check, and `Option<Square>` takes one byte. Squares are numbered a1, b1, ... h1, a2, ...
//! h8.
//!
//! Directions are named as on a map with White in the south. In a bitboard, bit 0 is a1, bit 7 is h1, bit 63 is h8. It
//! has the usual set operations as operators, can be iterated from a1 to h8, and can be shifted by one square in a
//! direction. Squares that a shift moves off the board are dropped.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};
use std::str::FromStr;

numbered! {
    /// A file (column) of the board.
    #[derive(PartialOrd, Ord)]
    #[allow(missing_docs)]
    pub enum File { A, B, C, D, E, F, G, H }
}

impl File {
    /// Returns 0 for the a-file to 7 for the h-file.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the letter of the file, `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Returns the file with this letter, or `None` unless the letter is `a` to `h` in lower case.
    pub fn from_letter(letter: char) -> Option<File> {
        File::ALL.into_iter().find(|file| file.letter() == letter)
    }
}

numbered! {
    /// A rank (row) of the board. The first rank is White's back rank.
    #[derive(PartialOrd, Ord)]
    #[allow(missing_docs)]
    pub enum Rank { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }
}

impl Rank {
    /// Returns 0 for the first rank to 7 for the eighth.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the digit of the rank, `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// Returns the rank with this digit, or `None` unless the digit is `1` to `8`.
    pub fn from_digit(digit: char) -> Option<Rank> {
        Rank::ALL.into_iter().find(|rank| rank.digit() == digit)
    }
}

numbered! {
    /// One of the 64 squares.
    ///
    /// # Examples
    /// ```
    /// use perft_core::{File, Rank, Square};
    /// let square: Square = "e4".parse().unwrap();
    /// assert_eq!(square, Square::new(File::E, Rank::Fourth));
    /// assert_eq!(square.index(), 28);
    /// ```
    #[derive(PartialOrd, Ord)]
    #[allow(missing_docs)]
    pub enum Square {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// Returns the square on this file and this rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::from_low_bits(rank as u32 * 8 + file as u32)
    }

    /// Returns the square with this index, or `None` if the index is above 63.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 { Some(Square::ALL[index]) } else { None }
    }

    /// Returns the square whose index is in the low six bits of a number. The other bits are ignored.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn from_low_bits(bits: u32) -> Square {
        // SAFETY: six bits are below 64.
        unsafe { Square::from_index_unchecked((bits & 63) as u8) }
    }

    /// Returns the square with this index, without a check.
    ///
    /// # Safety
    /// `index` must be below 64.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_index_unchecked(index: u8) -> Square {
        debug_assert!(index < 64);
        // SAFETY: the enum takes one byte and has all the values from 0 to 63; the caller keeps `index` below 64.
        unsafe { std::mem::transmute::<u8, Square>(index) }
    }

    /// Returns the index of the square: 0 for a1, 1 for b1, ... 63 for h8.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the file of the square.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::ALL[self as usize % 8]
    }

    /// Returns the rank of the square.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize / 8]
    }

    /// Returns the square on the same file with the rank mirrored: a1 becomes a8, e2 becomes e7.
    #[inline(always)]
    pub const fn flip_rank(self) -> Square {
        Square::from_low_bits(self as u32 ^ 56)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

/// The error of parsing a [`Square`] from text that does not name one. It holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square (a1 to h8)")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let mut letters = text.chars();
        let file = letters.next().and_then(File::from_letter);
        let rank = letters.next().and_then(Rank::from_digit);
        match (file, rank, letters.next()) {
            (Some(file), Some(rank), None) => Ok(Square::new(file, rank)),
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}

numbered! {
    /// One of the eight directions in which a queen moves: those of a rook, then those of a bishop.
    ///
    /// ```text
    ///   NorthWest   North   NorthEast        +7  +8  +9
    ///        West     .     East             -1   .  +1
    ///   SouthWest   South   SouthEast        -9  -8  -7
    /// ```
    #[allow(missing_docs)]
    pub enum Direction { North, South, East, West, NorthEast, SouthWest, NorthWest, SouthEast }
}

impl Direction {
    /// The four directions of a rook.
    pub const ORTHOGONAL: [Direction; 4] =
        [Direction::North, Direction::South, Direction::East, Direction::West];

    /// The four directions of a bishop.
    pub const DIAGONAL: [Direction; 4] =
        [Direction::NorthEast, Direction::SouthWest, Direction::NorthWest, Direction::SouthEast];

    /// Returns the number of files (towards h) and ranks (towards 8) of one step.
    pub const fn delta(self) -> (i8, i8) {
        const DELTAS: [(i8, i8); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (-1, 1), (1, -1)];
        DELTAS[self as usize]
    }

    /// Returns the number that one step adds to the index of a square.
    #[inline(always)]
    pub const fn offset(self) -> i8 {
        let (files, ranks) = self.delta();
        ranks * 8 + files
    }

    /// Returns the square one step away, or `None` if that is off the board.
    ///
    /// # Examples
    /// ```
    /// use perft_core::internals::Direction;
    /// use perft_core::Square;
    /// assert_eq!(Direction::NorthEast.step(Square::E4), Some(Square::F5));
    /// assert_eq!(Direction::East.step(Square::H4), None);
    /// ```
    pub const fn step(self, square: Square) -> Option<Square> {
        let (files, ranks) = self.delta();
        let file = (square as i8 % 8) + files;
        let rank = (square as i8 / 8) + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Square::from_index((rank * 8 + file) as usize)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_read_back_from_its_text_and_its_index() {
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::from_index(square.index()), Some(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        assert_eq!(Square::from_index(64), None);
        assert_eq!(Square::from_low_bits(64 + 63), Square::H8);
        for wrong in ["", "e", "e9", "i1", "E4", "e44", "é4"] {
            assert!(wrong.parse::<Square>().is_err(), "{wrong}");
        }
    }
}
