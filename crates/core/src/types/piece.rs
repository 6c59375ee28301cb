//! The two colours, as values ([`Color`]) and as types ([`Side`]), and the six kinds of pieces.
//!
//! Each rule is written once, from the view of the side to move, in a function that is generic over [`Side`]. The
//! compiler makes one version for each colour. The entry point calls the right one with
//! [`with_side!`](crate::with_side).

use std::fmt;
use std::ops::Not;

use super::square::{Bitboard, Direction, Rank};

numbered! {
    /// White or Black.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Color;
    /// assert_eq!(!Color::White, Color::Black);
    /// assert_eq!(Color::White.to_string(), "white");
    /// ```
    #[derive(PartialOrd, Ord)]
    #[allow(missing_docs)]
    pub enum Color { White, Black }
}

impl Color {
    /// Returns 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns `w` or `b`, as in a FEN.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// Returns the rank on which the king and the rooks of this colour start.
    #[inline(always)]
    pub const fn back_rank(self) -> Rank {
        self.rank(Rank::First)
    }

    /// Returns a rank as this colour sees it, counted from its own back rank.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn rank(self, rank: Rank) -> Rank {
        match self {
            Color::White => rank,
            Color::Black => Rank::ALL[7 - rank as usize],
        }
    }

    /// Returns the direction in which the pawns of this colour move.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn forward(self) -> Direction {
        match self {
            Color::White => Direction::North,
            Color::Black => Direction::South,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// Evaluates an expression for the side of a [`Color`]. In the expression, the given name is the type [`White`] or
/// [`Black`].
///
/// # Examples
/// ```
/// use perft_core::Color;
/// use perft_core::internals::{Side, with_side};
/// assert_eq!(with_side!(Color::Black, S => S::COLOR), Color::Black);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! with_side {
    ($color:expr, $side:ident => $result:expr) => {
        match $color {
            $crate::Color::White => {
                type $side = $crate::internals::White;
                $result
            }
            $crate::Color::Black => {
                type $side = $crate::internals::Black;
                $result
            }
        }
    };
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::White {}
    impl Sealed for super::Black {}
}

/// A colour as a type. The values that depend on the colour are constants of the type.
///
/// The trait is sealed: [`White`] and [`Black`] are the only sides.
pub trait Side: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The opponent.
    type Other: Side<Other = Self>;

    /// The colour of this side.
    const COLOR: Color;

    /// The direction in which the pawns of this side move.
    const FORWARD: Direction = Self::COLOR.forward();

    /// The two directions in which the pawns of this side capture: towards the a-file and towards the h-file.
    const CAPTURES: [Direction; 2] = match Self::COLOR {
        Color::White => [Direction::NorthWest, Direction::NorthEast],
        Color::Black => [Direction::SouthWest, Direction::SouthEast],
    };

    /// The rank on which the king and the rooks of this side start.
    const BACK_RANK: Bitboard = Bitboard::rank(Self::COLOR.back_rank());

    /// The rank that the pawns of this side reach with a single step from their start. A double push goes one rank
    /// further.
    const THIRD_RANK: Bitboard = Bitboard::rank(Self::COLOR.rank(Rank::Third));

    /// The rank from which the pawns of this side promote.
    const SEVENTH_RANK: Bitboard = Bitboard::rank(Self::COLOR.rank(Rank::Seventh));

    /// The rank on which the pawns of this side promote.
    const LAST_RANK: Bitboard = Bitboard::rank(Self::COLOR.rank(Rank::Eighth));
}

/// White, as a type.
#[derive(Clone, Copy, Debug)]
pub struct White;

/// Black, as a type.
#[derive(Clone, Copy, Debug)]
pub struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
}

numbered! {
    /// A kind of piece, without a colour.
    #[derive(PartialOrd, Ord)]
    #[allow(missing_docs)]
    pub enum Piece { Pawn, Knight, Bishop, Rook, Queen, King }
}

impl Piece {
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
