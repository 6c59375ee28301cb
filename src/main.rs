//! The program `perft`. It parses the command line, runs, prints and exits.
//!
//! - `engine`: engines as processes, and a generator of ours served as a UCI engine
//! - `bench`: repeated timing, and what the times say
//! - `campaign`: a count in work units, as files
//! - `report`: results as text, JSON, CSV, Markdown, plots
//! - `cli`: the commands; everything that prints, reads arguments or exits
//!
//! Each of these uses only those above it, and the libraries in `crates/`.

/// The name of the program. The package has another name, because `perft` belongs to another crate on crates.io.
const NAME: &str = "perft";

mod bench;
mod campaign;
mod cli;
mod engine;
mod report;

fn main() -> std::process::ExitCode {
    cli::main()
}
