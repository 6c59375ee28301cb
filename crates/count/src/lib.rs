//! Counts legal chess moves very fast: perft with vector instructions, threads and a transposition table, or with exact
//! counts. A build without optimisations, such as that of `cargo test`, counts about 100 times more slowly: perft(6) of
//! the start position takes 6 s instead of 0.06 s. To avoid that, add these lines to the `Cargo.toml` of your
//! workspace. All three crates must be in the list. Compiling them then takes about 100 s more, once.
//!
//! ```toml
//! [profile.dev.package]
//! perft-core = { opt-level = 3 }
//! perft-count = { opt-level = 3 }
//! perft-leaf = { opt-level = 3 }
//! ```
//!
//! [`Perft`] has the settings of a count. It chooses the fastest [`CpuPath`] of the machine at run time, so the crate
//! needs no compiler flags. Positions, moves and suites are those of [`perft_core`].
//!
//! ```
//! use perft_core::Position;
//! use perft_count::Perft;
//!
//! let start = Position::start();
//! assert_eq!(Perft::new().count(&start, 6), 119_060_324);
//! assert_eq!(Perft::new().threads(2)?.divide(&start, 6).len(), 20);
//! # Ok::<(), perft_count::ThreadsError>(())
//! ```
//!
//! # Threads, a table and progress
//!
//! [`Perft`] counts on several threads and with a transposition table ([`Table`]). A [`Progress`] can be read from
//! another thread while the count runs, and a [`StopSignal`](perft_core::StopSignal) ends the count early.
//!
//! ```
//! use std::thread;
//! use std::time::Duration;
//!
//! use perft_core::{Position, StopSignal};
//! use perft_count::{Perft, Progress, Table};
//!
//! let perft = Perft::new().threads(4)?.table(Table::new(64 << 20, 0)?);
//! let stop = StopSignal::default();
//! let progress = Progress::new(stop.clone());
//! let nodes = thread::scope(|scope| {
//!     let count = scope.spawn(|| perft.count_with_progress(&Position::start(), 5, &progress));
//!     while !count.is_finished() {
//!         println!("{:3.0} %", 100.0 * progress.fraction());
//!         thread::sleep(Duration::from_millis(100)); // stop.raise() would end the count here
//!     }
//!     count.join().unwrap()
//! });
//! assert_eq!(nodes, Ok(4_865_609));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A table gives a wrong count with a very small probability. [`TableStatistics::expected_false_hits`] is an upper
//! bound of it. [`Perft::count_exact`] does not have that risk: it merges equal positions instead, and is fast too.
//!
//! # How it works
//!
//! A count walks the tree in three levels:
//!
//! ```text
//!   plies to
//!   the leaves
//!       n           root
//!                  / | \        1. The trunk (`trunk.rs`) splits every node between the threads. It adds up in 128 bits,
//!                 o  o  o          reports progress, checks the stop signal and probes the table.
//!                /|\ ...
//!       4       o o o           2. One thread counts each subtree in about a millisecond. With a table, `subtree.rs`
//!              /|\ ...             probes it where a probe costs less than counting.
//!      3-0    o o o             3. A leaf counter (`perft_leaf`) counts the last plies in one call. Nearly all of the time
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

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod driver;
mod exact;
mod external_sort;
mod frontier;
mod keys;
mod leaf_statistics;
mod merged;
mod progress;
mod subtree;
mod table;
mod trunk;

pub use driver::{LeafMode, MAX_THREADS, Outcome, Perft, ThreadsError, check_suite};
pub use exact::ExactCount;
pub use frontier::{Frontier, FrontierError, PlyCount, WrongSum};
pub use leaf_statistics::StatisticsTable;
#[doc(inline)]
pub use perft_core::{CheckCounts, LeafKind, LeafStatistics};
pub use perft_leaf::{CpuPath, OPT_LEVEL, ParseCpuPathError, PathUnavailable};
pub use progress::{Phase, Progress};
pub use table::{MIN_TABLE_BYTES, Table, TableError, TableStatistics};

/// The items that the other crates of this workspace use in addition to the public API. These crates have versions of
/// their own, so a change here that breaks one of them needs a version 0.2.
#[doc(hidden)]
pub mod internals {
    pub use crate::driver::forecast;
    pub use crate::external_sort::{ExternalSorter, SortRecord, SortedRecords};
    pub use crate::keys::{Key, KeyMaker};
    pub use crate::progress::Share;
    pub use crate::table::Bucket;
}

/// Runs the examples of the readme as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
