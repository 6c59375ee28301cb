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

mod moves;
mod piece;
mod square;

pub use moves::{CastlingNotation, CastlingRights, CastlingSide, MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{Black, Color, ColoredPiece, Piece, Side, White};
pub use square::{Bitboard, Direction, File, ParseSquareError, Rank, Square, Squares};
