//! The program `perft`: it reads the command line, runs a command, and prints the result.
//!
//! - `windows`: calls of the Windows API, on Windows only
//! - `command_line`: commands as text: how they are split into words, and how words are quoted
//! - `files`: files that are written completely or not at all, and reading files of unknown origin
//! - `engine`: other chess programs as processes that are asked for counts
//! - `bench`: repeated timing, and the statistics of the times
//! - `campaign`: a large count, split into work units that are stored as files
//! - `report`: results as text, JSON, CSV, Markdown and plots
//! - `cli`: the commands; only this module prints, reads arguments or exits
//!
//! Each module uses only those above it, and the libraries in `crates/`.

/// The name of the program. The package has another name, because `perft` belongs to another crate on crates.io.
const NAME: &str = "perft";

mod bench;
mod campaign;
mod cli;
mod command_line;
mod engine;
mod files;
mod report;
#[cfg(windows)]
mod windows;

fn main() -> std::process::ExitCode {
    cli::main()
}
