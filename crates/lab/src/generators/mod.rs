//! Move generators of different designs, all behind one trait.
//!
//! A generator is a type that implements [`Board`]: a position in the representation of the design, which plays its
//! legal moves one after another and counts them. All other code is the same for all generators: reading a FEN, walking
//! the tree and sharing it between threads. So two generators differ only in their design.
//!
//! | name | board | how illegal moves are avoided |
//! |---|---|---|
//! | [`bitboard`] | bitboards by colour | check mask, pins and attacked squares are found before the moves |
//! | [`magic`] | bitboards, and an array of pieces | the same, in one pass |
//! | [`rays`] | bitboards, and a Zobrist key | the same |
//! | [`mailbox_0x88`] | an array of 128 squares, and piece lists | tables of square differences test each move |
//! | [`rank_lookup`] | bitboards by kind and colour | king moves, castling, en passant and pinned pieces are tested |
//! | [`pseudo_legal`] | bitboards, and an array of pieces | each move is tested before it is made |
//!
//! To add a generator, write a file that implements [`Board`], add a `mod` line here, and add a line to the registry
//! [`each_generator!`](crate::each_generator). The command line, the tests and the comparisons read the registry.

pub mod bitboard;
mod board;
mod flag;
pub mod magic;
pub mod mailbox_0x88;
pub mod pseudo_legal;
pub mod rank_lookup;
pub mod rays;
mod registry;

pub use board::Board;
pub(crate) use board::count_moves_of;
pub use registry::{Generator, ParseGeneratorError};
