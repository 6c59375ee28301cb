//! The basic types: squares, bitboards, pieces, castling rights and moves. They contain no rules of the game.
//!
//! Other code uses these types. It never handles a square, a set of squares, a piece or a move as a bare integer.

/// Declares an enum whose variants are numbered from 0, and the list of its variants.
macro_rules! numbered {
    ($(#[$attribute:meta])* pub enum $name:ident { $($(#[$of_variant:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$of_variant])* $variant,)+
        }

        impl $name {
            /// All variants, in order.
            pub const ALL: [$name; [$(stringify!($variant)),+].len()] = [$($name::$variant),+];
        }
    };
}

/// Implements `Display` and `FromStr` for an enum with the list `ALL` and the method `name`. The error holds the text.
#[doc(hidden)]
#[macro_export]
macro_rules! by_name {
    ($type:ident, $error:ident) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<$type, $error> {
                let found = $type::ALL.iter().copied().find(|one| one.name() == text);
                found.ok_or_else(|| $error(text.to_owned()))
            }
        }
    };
}

/// Returns an array whose elements are computed from their indices. It can be used in a constant. The value in the
/// brackets fills the array first and is then replaced in all places.
///
/// # Examples
/// ```
/// const SQUARES: [u32; 4] = perft_core::const_table!([0; 4], index => (index * index) as u32);
/// assert_eq!(SQUARES, [0, 1, 4, 9]);
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! const_table {
    ([$first:expr; $length:expr], $index:ident => $value:expr) => {{
        let mut table = [$first; $length];
        let mut $index = 0;
        while $index < $length {
            table[$index] = $value;
            $index += 1;
        }
        table
    }};
}

mod moves;
mod piece;
mod square;

pub use moves::{CastlingNotation, CastlingRights, CastlingSide, MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{Black, Color, ColoredPiece, Piece, Side, White};
pub use square::{Bitboard, Direction, File, ParseSquareError, Rank, Square, Squares};
