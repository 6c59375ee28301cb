//! Chess move generators of common designs, to compare their speed and to check them against each other.
//!
//! - [`generators`]: the generators, each a type that implements [`Board`](generators::Board). The enum
//!   [`Generator`](generators::Generator) names them.
//!
//! All of them support standard chess and Chess960. The program `perft` of the package `perft-cli` counts with them
//! (`--generator`) and compares their speed (`perft bench`).
//!
//! # Count with another generator
//!
//! [`Generator::counter`](generators::Generator::counter) counts with a generator.
//!
//! ```
//! use perft_core::Position;
//! use perft_lab::Bmi2Features;
//! use perft_lab::generators::Generator;
//!
//! let mailbox = Generator::Mailbox0x88.counter(Bmi2Features::detect());
//! assert_eq!(mailbox.count(&Position::start(), 4), 197_281);
//! ```
//!
//! # Compare the moves of two generators
//!
//! A [`Board`](generators::Board) lists its legal moves as [`Move`](perft_core::Move)s. The order
//! depends on the design, so sort the moves before you compare them.
//!
//! ```
//! use perft_core::Position;
//! use perft_lab::generators::Board;
//! use perft_lab::generators::mailbox_0x88::Mailbox0x88Board;
//! use perft_lab::generators::magic::MagicBoard;
//!
//! fn sorted_moves<B: Board>(position: &Position) -> Vec<perft_core::Move> {
//!     let mut moves: Vec<_> = B::new(position).legal_moves().into_iter().collect();
//!     moves.sort();
//!     moves
//! }
//!
//! let position: Position = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1".parse()?;
//! assert_eq!(sorted_moves::<MagicBoard>(&position), sorted_moves::<Mailbox0x88Board>(&position));
//! # Ok::<(), perft_core::FenError>(())
//! ```
//!
//! # Add a design of your own
//!
//! Implement [`Board`](generators::Board) for your board and count with its [`counter`](generators::Board::counter).
//! This design plays each move on a copy of a [`Position`](perft_core::Position):
//!
//! ```
//! use perft_core::{Move, Position};
//! use perft_lab::generators::Board;
//!
//! #[derive(Clone, Debug, PartialEq)]
//! struct CopyBoard(Position);
//!
//! impl Board for CopyBoard {
//!     fn new(position: &Position) -> CopyBoard {
//!         CopyBoard(*position)
//!     }
//!
//!     fn each_child(&mut self, mut visit: impl FnMut(Move, &mut CopyBoard)) {
//!         for played in self.0.legal_moves() {
//!             visit(played, &mut CopyBoard(self.0.play_legal(played)));
//!         }
//!     }
//!
//!     fn count_moves(&mut self) -> u64 {
//!         self.0.legal_moves().len() as u64
//!     }
//! }
//!
//! assert_eq!(CopyBoard::counter(None).count(&Position::start(), 3), 8_902);
//! ```
//!
//! To add a design to this crate, put it into a file of `generators` and add a line to
//! [`each_generator!`]. The program and the tests then include it.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod generators;

pub use perft_core::{Bmi2Features, LeafCounter};
