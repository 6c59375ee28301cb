//! The basic types: squares, bitboards, pieces, castling rights and moves. They contain no rules of the game.
//!
//! Other code uses these types. It never handles a square, a set of squares, a piece or a move as a bare integer.

mod moves;
mod piece;
mod square;

pub use moves::{CastlingNotation, CastlingRights, CastlingSide, MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{Black, Color, ColoredPiece, Piece, Side, White};
pub use square::{Bitboard, Direction, File, ParseSquareError, Rank, Square, Squares};
