//! Counts the leaf nodes of the tree of legal moves.
//!
//! [`Perft`] holds the settings of a count: CPU path, leaf mode, number of threads, table. A count walks the tree in three
//! levels:
//!
//! ```text
//!   plies to
//!   the leaves
//!       n           root
//!                  / | \        1. The trunk (`trunk.rs`) splits every node between the threads. It adds up in 128 bits,
//!                 o  o  o          reports progress, checks the stop signal and probes the table.
//!                /|\ ...
//!       4       o o o           2. One thread counts each subtree (`subtree.rs`) in about a millisecond. It probes the
//!              /|\ ...             table where a probe costs less than counting.
//!      3-0    o o o             3. A leaf counter (`leaf/`) counts the last plies in one call. Nearly all of the time
//!                                  is spent here.
//! ```
//!
//! The other drivers use the same levels:
//!
//! - `exact.rs` merges equal positions of the upper plies (`frontier/`), then counts below each position. It needs no
//!   table, so hash collisions cannot happen.
//! - `merged.rs` counts below many positions together, and merges equal descendants.
//! - `leaf_statistics.rs` counts captures, checks, mates and other kinds of leaf nodes separately.
//!
//! Counting code never prints and never reads a clock. It reports [`Progress`] as plain numbers that another thread may
//! read.

mod cpu_path;
mod driver;
mod exact;
mod forecast;
mod frontier;
pub mod leaf;
mod leaf_statistics;
mod merged;
mod prefetch;
mod progress;
mod subtree;
mod table;
mod trunk;

pub use cpu_path::{CpuPath, ParseCpuPathError, PathUnavailable};
pub use driver::{MAX_DEPTH, MAX_THREADS, Perft, ThreadsError, TreeWalk, WalkOptions};
pub use exact::{ExactCount, ExactError};
pub use forecast::forecast;
pub use frontier::{Frontier, FrontierError, PlyCount, WrongSum};
pub use leaf::LeafMode;
pub use leaf_statistics::{LeafStatistics, StatisticsTable};
pub use progress::{Interrupted, Phase, Progress, Share, StopSignal};
pub use table::{MIN_TABLE_BYTES, Table, TableError, TableStatistics};
pub use trunk::{RootMove, Tree, Trunk};

use crate::position::Position;

/// Returns the number of leaf nodes `depth` plies below a position, counted on one thread and without a table.
///
/// Use [`Perft`] for several threads, a table, a count for each root move, or progress.
///
/// # Examples
/// ```
/// use perft_core::{Position, perft};
///
/// assert_eq!(perft(&Position::start(), 0), 1);
/// assert_eq!(perft(&Position::start(), 4), 197_281);
/// ```
///
/// # Panics
/// Panics if the depth is above [`MAX_DEPTH`].
pub fn perft(position: &Position, depth: u32) -> u128 {
    Perft::new().count(position, depth, &Progress::default()).expect("nothing raises this stop signal")
}
