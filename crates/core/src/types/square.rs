//! Squares, files and ranks.
//!
//! A [`Square`] is one of 64 variants, so that every table of 64 entries can be indexed by it without a bounds check
//! and `Option<Square>` costs one byte. Squares are numbered a1, b1, ... h1, a2, ... h8.

use std::fmt;
use std::str::FromStr;

/// A column of the board, a to h.
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
    /// All files from a to h.
    pub const ALL: [File; 8] = [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

    /// 0 for the a-file, 7 for the h-file.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of a letter `a` to `h`; upper case is not accepted.
    pub fn from_letter(letter: char) -> Option<File> {
        File::ALL.into_iter().find(|file| file.letter() == letter)
    }
}

/// A row of the board, 1 to 8, seen from White.
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
    /// All ranks from the first to the eighth.
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

    /// 0 for the first rank, 7 for the eighth.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank of a digit `1` to `8`.
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
    /// All squares, a1 first, file by file, h8 last.
    pub const ALL: [Square; 64] = {
        let mut all = [Square::A1; 64];
        let mut index = 0;
        while index < 64 {
            // SAFETY: index is below 64.
            all[index] = unsafe { Square::from_index_unchecked(index as u8) };
            index += 1;
        }
        all
    };

    /// The square where a file and a rank meet.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Square {
        // SAFETY: both enums have the values 0 to 7, so the sum is at most 7 * 8 + 7 = 63.
        unsafe { Square::from_index_unchecked(rank as u8 * 8 + file as u8) }
    }

    /// The square of an index 0 to 63, `None` above.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 { Some(Square::ALL[index]) } else { None }
    }

    /// The square whose index is in the low six bits of a number; the others are ignored.
    #[inline(always)]
    pub const fn from_low_bits(bits: u32) -> Square {
        // SAFETY: six bits are below 64.
        unsafe { Square::from_index_unchecked((bits & 63) as u8) }
    }

    /// The square of an index that is known to be below 64.
    ///
    /// # Safety
    /// `index` must be below 64.
    #[inline(always)]
    pub const unsafe fn from_index_unchecked(index: u8) -> Square {
        debug_assert!(index < 64);
        // SAFETY: the enum is one byte wide and has all the values 0 to 63; the caller keeps index below 64.
        unsafe { std::mem::transmute::<u8, Square>(index) }
    }

    /// 0 for a1, 1 for b1, ... 63 for h8.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The column this square stands in.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::ALL[self as usize % 8]
    }

    /// The row this square stands in.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize / 8]
    }

    /// The square with the same file on the other half of the board: a1 and a8, e2 and e7.
    #[inline(always)]
    pub const fn flip_rank(self) -> Square {
        // SAFETY: a number below 64 with some of its low six bits flipped stays below 64.
        unsafe { Square::from_index_unchecked(self as u8 ^ 56) }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

/// The text does not name a square.
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
    fn text_and_back() {
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
