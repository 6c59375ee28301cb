//! The input of commands: arguments that several of them share, each defined once, and the positions, suites and
//! engines that they name.
//!
//! - `words`, `values`: the words of a position, numbers and names
//! - `illegal`: help with moves that are not legal
//! - `position`, `games`: the arguments that name a position, and the positions themselves
//! - `suite_reader`: suites from files
//! - `answers`: the counts of other programs from files, and standard input that was not read
//! - `counting`, `exact`: how to count
//! - `config`, `engine`: the engines of `perft.toml` and of the command line

pub mod answers;
pub mod config;
mod counting;
pub mod engine;
mod exact;
pub mod games;
mod illegal;
mod position;
pub mod suite_reader;
mod values;
pub mod words;

pub use counting::{BasicCountingArgs, Counting, CountingArgs, HashArgs, MachineArgs, driver};
pub use exact::{ExactArgs, UnreachableArgs, merging_memory};
pub use position::{PositionArgs, Root, is_move, names_and_depth, one_depth, read_words};
pub use values::{
    CpuChoice, ENGINE_MAX_NODES, MemorySize, Threads, cpu_choices, generator_choices, generators,
    parse_depth, parse_nodes, parse_seconds, slider_methods, time_limit,
};
pub use words::{TypedPosition, first_word, is_board, is_keyword, is_number, joined};
