//! Perft: counting the leaf nodes of the tree of legal chess moves, to find bugs in move generators and to compare
//! their speed.
//!
//! This is the library under the program `perft`. Data flows one way through it, and a module uses only those above it:
//!
//! - [`chess`]: squares, moves, attacks, FEN and positions
//! - [`movegen`]: the legal moves of a position
//! - [`perft`]: counting the tree below a position
//!
//! # Examples
//! ```
//! use perft::chess::position::Position;
//! use perft::movegen::legal_moves;
//! let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -")?;
//! assert_eq!(legal_moves(&position).len(), 15);
//! # Ok::<(), perft::chess::position::FenError>(())
//! ```

pub mod chess;
pub mod movegen;
