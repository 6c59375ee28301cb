//! Counting the tree of legal moves.
//!
//! [`Perft`] is the driver: one recursion, whose modes (CPU path, bulk counting or not, threads, table) are chosen
//! once, at its door. The last two plies belong to a [`leaf::LeafCounter`]; the plies above split the work, ask the
//! table, and report [`Progress`] as plain numbers that somebody else may draw.

mod cpu_path;
mod driver;
mod exact;
mod forecast;
mod frontier;
pub mod leaf;
mod leaf_statistics;
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
pub use progress::{Interrupted, Progress, Share, StopSignal};
pub use table::{MIN_TABLE_BYTES, Table, TableError, TableStatistics};
pub use trunk::{RootMove, Tree, Trunk};

use crate::position::Position;

/// The number of leaf nodes of the tree of legal moves to a depth in plies: on one thread, without a table.
///
/// [`Perft`] does the same with threads, a table, a breakdown by root move, and progress.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_core::perft;
/// assert_eq!(perft(&Position::start(), 0), 1);
/// assert_eq!(perft(&Position::start(), 4), 197_281);
/// ```
pub fn perft(position: &Position, depth: u32) -> u128 {
    match Perft::new().count(position, depth, &Progress::default()) {
        Ok(nodes) => nodes,
        Err(Interrupted) => unreachable!("nobody else knows the stop signal"),
    }
}
