//! The six kinds of pieces, and pieces with a colour.

use std::fmt;

use super::Color;

/// A kind of piece, without a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Piece {
    /// All kinds: pawn, knight, bishop, rook, queen, king.
    pub const ALL: [Piece; 6] =
        [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

    /// Returns the lower-case letter of the piece, as in a UCI promotion: `p`, `n`, `b`, `r`, `q` or `k`.
    pub const fn letter(self) -> char {
        match self {
            Piece::Pawn => 'p',
            Piece::Knight => 'n',
            Piece::Bishop => 'b',
            Piece::Rook => 'r',
            Piece::Queen => 'q',
            Piece::King => 'k',
        }
    }

    /// Returns the piece with this lower-case letter, or `None` for any other character.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| piece.letter() == letter)
    }
}

/// The name of the piece: `pawn`, `knight`, `bishop`, `rook`, `queen` or `king`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Piece::Pawn => "pawn",
            Piece::Knight => "knight",
            Piece::Bishop => "bishop",
            Piece::Rook => "rook",
            Piece::Queen => "queen",
            Piece::King => "king",
        })
    }
}

/// A piece and its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct ColoredPiece {
    pub color: Color,
    pub piece: Piece,
}

impl ColoredPiece {
    /// Returns the letter of the piece in a FEN: upper case for White, lower case for Black.
    ///
    /// # Examples
    /// ```
    /// use perft_core::ColoredPiece;
    /// assert_eq!(ColoredPiece::from_letter('n').unwrap().letter(), 'n');
    /// assert_eq!(ColoredPiece::from_letter('x'), None);
    /// ```
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.piece.letter().to_ascii_uppercase(),
            Color::Black => self.piece.letter(),
        }
    }

    /// Returns the piece with this FEN letter, or `None` for any other character.
    pub fn from_letter(letter: char) -> Option<ColoredPiece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let piece = Piece::from_letter(letter.to_ascii_lowercase())?;
        Some(ColoredPiece { color, piece })
    }
}
