//! The basic types: squares, bitboards, pieces, castling rights and moves. They contain no rules of the game.
//!
//! Other code uses these types. It never handles a square, a set of squares, a piece or a move as a bare integer.

mod bitboard;
mod castling;
mod color;
mod direction;
mod moves;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingNotation, CastlingRights, CastlingSide};
pub use color::{Black, Color, Side, White};
pub use direction::Direction;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{ColoredPiece, Piece};
pub use square::{File, ParseSquareError, Rank, Square};
