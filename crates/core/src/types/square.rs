//! Squares, files and ranks.
//!
//! [`Square`] is an enum with 64 variants. An index made from it is always in range for a table of 64 entries, so the
//! compiler drops the bounds check, and `Option<Square>` takes one byte. Squares are numbered a1, b1, ... h1, a2, ...
//! h8.

use std::fmt;
use std::str::FromStr;

/// A file (column) of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files, from a to h.
    pub const ALL: [File; 8] = [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

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

/// A rank (row) of the board. The first rank is White's back rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks, from the first to the eighth.
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

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

/// One of the 64 squares.
///
/// # Examples
/// ```
/// use perft_core::{File, Rank, Square};
/// let square: Square = "e4".parse().unwrap();
/// assert_eq!(square, Square::new(File::E, Rank::Fourth));
/// assert_eq!(square.index(), 28);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
#[rustfmt::skip]
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

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// All squares in the order of their indices: a1, b1, ... h1, a2, ... h8.
    pub const ALL: [Square; 64] = {
        let mut all = [Square::A1; 64];
        let mut index = 0;
        while index < 64 {
            all[index] = Square::from_low_bits(index as u32);
            index += 1;
        }
        all
    };

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
