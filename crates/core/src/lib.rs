//! Counts, lists and plays legal chess moves, and tests move generators against known counts.
//!
//! *Perft* counts the leaf nodes of the tree of legal moves to a depth. Everyone who writes a move generator compares these
//! numbers with known ones.

mod attacks;
mod count;
mod movegen;
mod position;
pub mod suite;
mod types;

pub use count::{
    CpuPath, ExactCount, ExactError, Frontier, FrontierError, Interrupted, LeafMode, LeafStatistics,
    MAX_DEPTH, MAX_THREADS, MIN_TABLE_BYTES, ParseCpuPathError, PathUnavailable, Perft, PlyCount, Progress,
    RootMove, StatisticsTable, StopSignal, Table, TableError, TableStatistics, ThreadsError, WrongSum, perft,
};
pub use movegen::{MoveError, find_move, legal_moves};
pub use position::{
    FenError, FenFault, FenFaultKind, Position, START_FEN, Setup, SetupError, SetupFault, SetupWarning,
};
pub use types::{
    Bitboard, CastlingNotation, CastlingRights, CastlingSide, Color, ColoredPiece, File, MAX_MOVES, Move,
    MoveKind, MoveList, ParseSquareError, Piece, Rank, Square,
};

/// What the other crates of this workspace use beside the public items. No part of the stable interface.
#[doc(hidden)]
pub mod internals {
    pub mod attacks {
        //! Attack sets.
        pub use crate::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
    }
    pub mod sliders {
        //! Slider look-ups.
        pub use crate::attacks::sliders::*;
    }
    pub mod leaf {
        //! Leaf counters.
        pub use crate::count::leaf::*;
    }
    pub use crate::count::{Share, Tree, TreeWalk, Trunk, WalkOptions, forecast};
    pub use crate::movegen::{CastlingPaths, Sink, generate, legal_moves_by, origin};
    pub use crate::position::{Army, ChecksAndPins, Key, KeyMaker, PackedPosition, diagram, split_mix_64};
    pub use crate::suite::epd::fen_of_epd;
    pub use crate::types::{Black, Direction, Side, White};
}
