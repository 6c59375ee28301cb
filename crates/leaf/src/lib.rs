//! Leaf counters: they count the last plies of a tree of chess moves, where nearly all of the time is spent.
//!
//! Use `perft-count`, which calls them. They are a separate crate because they take most of the compile time. A change
//! of a driver does not compile them again.
//!
//! A [`LeafCounter`](perft_core::LeafCounter) counts the last plies in one call. It is fast because it
//! counts several plies at once: moves need no list, and several nodes or leaf parents can be counted together.
//!
//! There are two kinds:
//!
//! - The scalar counter counts one leaf parent at a time. `paths.rs` compiles it for [`Portable`] and [`Bmi2`].
//! - `batch/` counts three plies of many sibling nodes in vector lanes. `vector.rs` compiles it for [`Avx2`],
//!   [`Avx512`], and the vectors of 128 bits of ARM and WebAssembly.
//!
//! Both kinds are generic code that is inlined into a few *entry points*. An entry point is a function that is compiled
//! for the features of one CPU path. This makes the ordinary build as fast as a build for the native CPU.

#![warn(clippy::print_stderr, clippy::print_stdout)]

#[cfg(vector_paths)]
mod batch;
mod cpu_path;
mod paths;
#[cfg(vector_paths)]
mod vector;

pub use cpu_path::{CpuPath, ParseCpuPathError, PathUnavailable};
#[cfg(x86_paths)]
pub use paths::Bmi2;
pub use paths::{EveryLeaf, Portable};
#[cfg(two_lane_paths)]
pub use vector::Paired;
#[cfg(x86_paths)]
pub use vector::{Avx2, Avx512};

/// The level of optimization with which this crate was compiled, in the words of Cargo: `3`, or `0` in a debug build.
pub const OPT_LEVEL: &str = env!("PERFT_LEAF_OPT_LEVEL");

/// The items that the tests of the vectors use.
#[doc(hidden)]
#[cfg(vector_paths)]
pub mod internals {
    pub use crate::batch::lanes::*;
    pub use crate::batch::*;
}
