//! Counts, lists and plays legal chess moves, and tests chess move generators.
//!
//! *Perft* counts the leaf nodes of the tree of legal moves to a fixed depth. Authors of move generators compare these
//! counts with known ones to find bugs. This crate has more than 500 positions with known counts to test your
//! generator, and a generator of its own to compare with. It supports standard chess and Chess960.
//!
//! The crate is small: it has no threads and no vector instructions. `perft-count` counts many times as fast,
//! `perft-diagnosis` explains wrong counts, and `perft-lab` has other generators. The command-line program `perft` of
//! the package `perft-cli` is built on them.
//!
//! # Test your move generator
//!
//! Add the crate as a dependency for tests:
//!
//! ```toml
//! [dev-dependencies]
//! perft-core = "0.1"
//! ```
//!
//! Then write a function that sets up a FEN in your generator and counts the leaf nodes, and pass it to
//! [`Suite::first_difference`](suite::Suite::first_difference). A [`Difference`](suite::Difference) says which position
//! is counted wrongly, at which depth, and what the right count is. The [`Limits`](suite::Limits) keep the test short.
//!
//! ```
//! use perft_core::suite::{self, Limits};
//!
//! fn my_perft(fen: &str, depth: u32) -> u128 {
//!     // Call your generator here.
//! #   perft_core::Position::from_fen(fen).unwrap().perft(depth)
//! }
//!
//! // In a test of your crate. Add suite::chess960() if your generator plays Chess960:
//! for suite in [suite::named(), suite::standard()] {
//!     if let Some(difference) = suite.first_difference(&Limits::max_nodes(10_000), my_perft) {
//!         panic!("{difference}");
//!     }
//! }
//! ```
//!
//! [`Suite::from_text`](suite::Suite::from_text) reads your own positions from text:
//!
//! ```
//! use perft_core::suite::{Limits, Suite};
//! # fn my_perft(fen: &str, depth: u32) -> u128 {
//! #     perft_core::Position::from_fen(fen).unwrap().perft(depth)
//! # }
//!
//! let text = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D1 14 ;D2 191 ;D3 2812";
//! let suite = Suite::from_text("mine", text)?;
//! assert_eq!(suite.first_difference(&Limits::NONE, my_perft), None);
//! # Ok::<(), perft_core::suite::SuiteError>(())
//! ```
//!
//! # Count
//!
//! [`Position::perft`] counts the leaf nodes below a position. Depths are in plies, so a move of each side is a depth
//! of 2. Depth 0 has one leaf node, the position itself. Counts are `u128`, because large ones do not fit in 64 bits.
//!
//! ```
//! use perft_core::Position;
//!
//! let start = Position::start();
//! assert_eq!(start.perft(0), 1);
//! assert_eq!(start.perft(4), 197_281);
//! ```
//!
//! # Divide
//!
//! [`Position::divide`] counts the leaf nodes below each legal move. To find a bug, compare this with the divide of
//! your generator, play the move whose count differs, and repeat with the depth reduced by 1. At depth 1, a legal move
//! is missing or a move is illegal.
//!
//! ```
//! use perft_core::{CastlingNotation, Position};
//!
//! let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
//! let position: Position = kiwipete.parse()?;
//! for root_move in position.divide(2) {
//!     println!("{}: {}", root_move.played.to_uci(CastlingNotation::Standard), root_move.nodes);
//! }
//! # Ok::<(), perft_core::FenError>(())
//! ```
//!
//! # Positions and moves
//!
//! [`Position::legal_moves`] lists the legal moves, and [`Position::find_move`] reads a move. [`Move::to_uci`] and
//! [`Move::to_san`] write it in the notation of UCI and in standard algebraic notation.
//!
//! A [`Position`] is always legal. Playing a move returns the next position: [`Position::try_play`] checks that the
//! move is legal, [`Position::play_legal`] does not.
//!
//! ```
//! use perft_core::Position;
//!
//! let start = Position::start();
//! let after = start.try_play(start.find_move("e2e4")?)?;
//! assert_eq!(after.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! assert!(after.legal_moves().iter().any(|played| played.to_san(&after) == "Nf6"));
//! # Ok::<(), perft_core::IllegalMove>(())
//! ```
//!
//! # FEN
//!
//! A [`Position`] is read from a FEN with [`str::parse`] and written with [`ToString`]. It does not store the halfmove
//! clock and the fullmove number. A [`Setup`] stores both, and it may be illegal.
//!
//! A [`FenError`] has all faults of the text, each with its place and a hint:
//!
//! ```
//! use perft_core::Position;
//!
//! let error = "8/8/8/8/8/8/8/K6P x - -".parse::<Position>().unwrap_err();
//! # let mut output = String::new();
//! # macro_rules! println { ($($text:tt)*) => { output += &(format!($($text)*) + "\n") } }
//! println!("{}", error.fen);
//! for fault in &error.faults {
//!     let (start, length) = (fault.span.start, fault.span.len().max(1));
//!     println!("{:start$}{} {}", "", "^".repeat(length), fault.kind);
//!     println!("{:start$}help: {}", "", fault.kind.help());
//! }
//! # assert_eq!(output, "\
//! # 8/8/8/8/8/8/8/K6P x - -
//! # ^^^^^^^^^^^^^^^^^ black has no king
//! # help: each side needs exactly one king
//! #                 ^ a pawn cannot stand on h1
//! #                 help: pawns can stand on the second to the seventh rank
//! #                   ^ 'x' is not a side to move
//! #                   help: write 'w' or 'b'
//! # ");
//! ```
//!
//! This prints:
//!
//! ```text
//! 8/8/8/8/8/8/8/K6P x - -
//! ^^^^^^^^^^^^^^^^^ black has no king
//! help: each side needs exactly one king
//!                 ^ a pawn cannot stand on h1
//!                 help: pawns can stand on the second to the seventh rank
//!                   ^ 'x' is not a side to move
//!                   help: write 'w' or 'b'
//! ```

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod attacks;
mod leaf_counter;
mod leaf_statistics;
mod movegen;
mod perft;
mod position;
mod random;
pub mod suite;
mod text;
mod types;

pub use leaf_counter::{Bmi2Features, LeafCounter};
pub use leaf_statistics::{CheckCounts, LeafKind, LeafStatistics};
pub use movegen::{IllegalMove, Status};
pub use perft::{Interrupted, MAX_DEPTH, RootMove, StopSignal};
pub use position::{
    FenError, FenFault, FenFaultKind, Impossibility, Position, START_FEN, Setup, SetupError, SetupFault,
    SetupWarning, impossibilities,
};
pub use types::{
    Bitboard, CastlingNotation, CastlingRights, CastlingSide, Color, ColoredPiece, File, MAX_MOVES, Move,
    MoveKind, MoveList, ParseSquareError, Piece, Rank, Square, Squares,
};

/// The items that the other crates of this workspace use in addition to the public API. These crates have versions of
/// their own, so a change here that breaks one of them needs a version 0.2.
#[doc(hidden)]
pub mod internals {
    pub mod attacks {
        //! Attack sets.
        pub use crate::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
    }
    pub mod sliders {
        //! Slider lookups.
        pub use crate::attacks::sliders::*;
    }
    pub use crate::movegen::{
        AlgebraicMove, CastlingPaths, MoveSink, Sink, add_leaf_statistics, count_moves, en_passant,
        for_each_child, generate, king_moves, legal_moves_by, one_step, origin, pawn_moves, piece_moves,
        play_moves, statistics_of_move, sum_over_children,
    };
    pub use crate::position::{Armies, Army, ChecksAndPins, ChildPacker, PackedPosition};
    pub use crate::position::{checkers, is_possible, too_much_material};
    pub use crate::random::split_mix_64;
    pub use crate::text::{
        FoundFen, GROUPING_SIGNS, Number, find_fen, grouped, is_board, is_minus, read_number,
    };
    pub use crate::types::{Black, Direction, Side, White};
    pub use crate::{by_name, const_table, with_side};
}

/// Runs the examples of the readme as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
