//! The two colours: as a value ([`Color`]) and as a type ([`Side`]).
//!
//! Rules are written once, from the mover's view, generic over a [`Side`]; the compiler makes one body a colour. A
//! driver looks at the [`Color`] once, at the door, and calls the body for it.

use std::fmt;
use std::ops::Not;

use super::{Bitboard, Direction, Rank};

/// White or Black.
///
/// # Examples
/// ```
/// use perft_core::Color;
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::White.to_string(), "white");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other one.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `w` or `b`, as in a FEN.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The rank on which this colour's pieces start.
    #[inline(always)]
    pub const fn back_rank(self) -> Rank {
        match self {
            Color::White => Rank::First,
            Color::Black => Rank::Eighth,
        }
    }

    /// The direction in which this colour's pawns move.
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

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::White {}
    impl Sealed for super::Black {}
}

/// A colour as a type, with what depends on it as constants: the mover, in code that is written from its view.
///
/// Sealed: [`White`] and [`Black`] are the only sides.
pub trait Side: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The opponent.
    type Other: Side<Other = Self>;

    /// The colour of this side.
    const COLOR: Color;

    /// The way its pawns go.
    const FORWARD: Direction;

    /// The two ways its pawns capture: towards the a-file and towards the h-file.
    const CAPTURES: [Direction; 2];

    /// The rank of its king and rooks at the start.
    const BACK_RANK: Bitboard;

    /// Where a pawn stands after one step from its start; from here a second step is allowed.
    const THIRD_RANK: Bitboard;

    /// Where a pawn stands before it promotes.
    const SEVENTH_RANK: Bitboard;

    /// Where a pawn promotes.
    const LAST_RANK: Bitboard;
}

/// The white side, as a type.
#[derive(Clone, Copy, Debug)]
pub struct White;

/// The black side, as a type.
#[derive(Clone, Copy, Debug)]
pub struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
    const FORWARD: Direction = Direction::North;
    const CAPTURES: [Direction; 2] = [Direction::NorthWest, Direction::NorthEast];
    const BACK_RANK: Bitboard = Bitboard::rank(Rank::First);
    const THIRD_RANK: Bitboard = Bitboard::rank(Rank::Third);
    const SEVENTH_RANK: Bitboard = Bitboard::rank(Rank::Seventh);
    const LAST_RANK: Bitboard = Bitboard::rank(Rank::Eighth);
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
    const FORWARD: Direction = Direction::South;
    const CAPTURES: [Direction; 2] = [Direction::SouthWest, Direction::SouthEast];
    const BACK_RANK: Bitboard = Bitboard::rank(Rank::Eighth);
    const THIRD_RANK: Bitboard = Bitboard::rank(Rank::Sixth);
    const SEVENTH_RANK: Bitboard = Bitboard::rank(Rank::Second);
    const LAST_RANK: Bitboard = Bitboard::rank(Rank::First);
}
