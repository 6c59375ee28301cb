//! The program `perft`: it reads the command line, runs a command, and prints the result.
//!
//! - `windows`: calls of the Windows API, on Windows only
//! - `command_line`: commands as text: splitting them into words, and quoting words
//! - `files`: writing files completely or not at all, and reading files that this program has not written
//! - `engine`: other chess programs as processes that are asked for counts
//! - `bench`: repeated timing, and the statistics of the times
//! - `campaign`: a large count, split into work units that are stored as files
//! - `report`: results as text, JSON, CSV, Markdown and plots
//! - `cli`: the commands; only this module prints, reads arguments or exits
//!
//! Each module uses only those above it, and the libraries in `crates/`.
//!
//! It is a library so that fuzz targets can import it. It is not meant for other crates: use `perft-core` and
//! `perft-diagnosis`.

#![warn(clippy::print_stderr, clippy::print_stdout)]

/// The name of the program. The package has another name, because another crate on crates.io is called `perft`.
const NAME: &str = "perft";

#[allow(clippy::disallowed_methods, reason = "it measures")]
mod bench;
mod campaign;
#[allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "it is the command line"
)]
mod cli;
mod command_line;
#[allow(clippy::disallowed_methods, reason = "engines are processes, and an answer has a time limit")]
mod engine;
mod files;
mod report;
#[cfg(windows)]
mod windows;

/// Runs the program with the arguments of the process, and returns its exit code.
pub fn main() -> std::process::ExitCode {
    cli::main()
}

/// The properties that the fuzz targets check.
#[doc(hidden)]
pub mod properties {
    pub use crate::campaign::properties::campaign_files;
    pub use crate::cli::properties::{perft_toml, uci};
    pub use crate::engine::properties::engine_output;
}
