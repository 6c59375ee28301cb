//! The six kinds of piece, and a piece with its colour.

use super::Color;

/// A kind of piece.
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
    /// All kinds, in the order p, n, b, r, q, k.
    pub const ALL: [Piece; 6] =
        [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

    /// The lower-case letter of a FEN or of a promotion in UCI: `p`, `n`, `b`, `r`, `q`, `k`.
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

    /// The kind of a lower-case letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| piece.letter() == letter)
    }
}

/// A piece and whose it is: what can stand on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct ColoredPiece {
    pub color: Color,
    pub piece: Piece,
}

impl ColoredPiece {
    /// The letter of a FEN: upper case for White.
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

    /// The piece of a FEN letter.
    pub fn from_letter(letter: char) -> Option<ColoredPiece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let piece = Piece::from_letter(letter.to_ascii_lowercase())?;
        Some(ColoredPiece { color, piece })
    }
}
