//! Perft: counting the leaf nodes of the tree of legal chess moves, to find bugs in move generators and to compare
//! their speed.
//!
//! This is the library under the program `perft`. Data flows one way through it, and a module uses only those above it:
//!
//! - [`chess`]: squares, moves, attacks, FEN and positions
//! - [`movegen`]: the legal moves of a position
//! - [`generators`]: the field's other ways to find them
//! - [`perft`]: counting the tree below a position
//! - [`suite`]: positions with known counts
//! - [`engine`]: serving a generator as a UCI program
//! - [`hunt`]: finding where generators differ
//! - [`bench`](mod@bench) (feature `bench`): timing counts, and what the times say
//! - [`campaign`] (feature `campaign`): a count in units, as files: resumable, checkable, for many machines
//! - [`report`] (feature `report`): results as text, JSON, CSV, Markdown
//!
//! # Examples
//! ```
//! use perft::chess::position::Position;
//! use perft::perft::perft;
//! let position = Position::from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -")?;
//! assert_eq!(perft(&position, 5), 674_624);
//! # Ok::<(), perft::chess::position::FenError>(())
//! ```

#[cfg(feature = "bench")]
pub mod bench;
#[cfg(feature = "campaign")]
pub mod campaign;
pub mod chess;
pub mod engine;
pub mod generators;
pub mod hunt;
pub mod movegen;
pub mod perft;
#[cfg(feature = "report")]
pub mod report;
pub mod suite;
