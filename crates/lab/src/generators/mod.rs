//! The laboratory: the field's ways to generate moves, side by side.
//!
//! One design a file, behind one trait, [`Board`]: a position in the design's own representation, which plays its legal
//! moves one after another and counts them. Reading a FEN, walking the tree, sharing it between threads and printing
//! belong to the rest of the program, so that what differs between two generators is their design alone. The design of
//! our own fast generator stands among them as [`bitboard`]; what makes it faster still, counting without lists and
//! several positions at a time, belongs to the driver.
//!
//! A new generator is a file with an implementation of [`Board`], a `mod` line for it, and a line of the registry,
//! [`each_generator!`](crate::each_generator), from which the command line, the tests and the comparisons take it.

pub mod bitboard;
mod board;
mod flag;
pub mod magic;
pub mod mailbox_0x88;
pub mod pseudo_legal;
pub mod rank_lookup;
pub mod rays;
mod registry;

pub use board::{Board, Design};
pub use registry::{BoardVisitor, Generator, ParseGeneratorError};
