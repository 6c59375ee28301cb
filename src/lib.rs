//! The program `perft`: it reads the command line, runs a command, and prints the result.
//!
//! - `system`: files, command lines and system calls
//! - `engine`: other chess programs as processes that are asked for counts
//! - `output`: what a report is, and how it is printed: text, tables, JSON, progress and errors
//! - `timing`: repeated timing, and the statistics of the times
//! - `input`: the arguments that commands share, and the positions, suites and engines that they name
//! - `report`: what several commands report
//! - `commands`: a folder or a file for each command, with its arguments, its run and its report
//!
//! Each folder uses only those above it, and the libraries in `crates/`.
//!
//! It is a library so that fuzz targets can import it, with the feature `fuzz`. It is not meant for other crates: use
//! `perft-core` and `perft-diagnosis`.

#![warn(clippy::print_stderr, clippy::print_stdout)]

#[allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "it is the command line"
)]
pub mod commands;
#[allow(clippy::disallowed_methods, reason = "engines are processes, and an answer has a time limit")]
mod engine;
#[allow(clippy::print_stderr, reason = "it reads the command line, and warns")]
mod input;
#[allow(clippy::disallowed_methods, clippy::print_stderr, reason = "it prints, and ends the program")]
mod output;
mod report;
mod system;
#[allow(clippy::disallowed_methods, reason = "it measures")]
mod timing;

/// The properties that the fuzz targets check.
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod properties {
    pub use crate::commands::fuzz_tests::{perft_toml, uci};
    pub use crate::engine::fuzz_tests::engine_output;
}
