//! The input of commands: arguments that several of them share, each defined once, and the positions, suites and
//! engines that they name.
//!
//! - `word`: what a word is: a depth, a position, a move, a suite, an engine or a file
//! - `words`, `values`: the words of a position, its moves and its depth; numbers and names
//! - `game`: the arguments that name positions, and the positions
//! - `mistakes`: the errors for words that name nothing, and for illegal moves
//! - `suite_reader`: suites from files
//! - `answers`: the counts of other programs from files, and standard input that was not read
//! - `counting`: how to count
//! - `how_to_ask`, `config`, `engine`: the engines of `perft.toml` and of the command line

pub mod answers;
pub mod config;
mod counting;
pub mod engine;
pub mod game;
pub mod how_to_ask;
pub mod mistakes;
pub mod suite_reader;
mod values;
pub mod word;
pub mod words;

pub use answers::{UnreadInput, read_answer};
pub use config::Engines;
pub use counting::{
    BasicCountingArgs, Counting, CountingArgs, ExactArgs, MachineArgs, UnreachableArgs, driver,
    merging_memory,
};
pub use engine::{EngineArgs, NO_EFFECT, NamedEngine, command, comparison, hunt_of, refuse_options};
pub use game::{Game, Games, PositionArgs};
pub use how_to_ask::HowToAsk;
pub use mistakes::{explanations, unknown_name};
pub use suite_reader::{is_built_in, read_lines, read_suite, read_suites};
pub use values::{
    CpuChoice, ENGINE_MAX_NODES, available_bytes, cpu_choices, generator_choices, generators, parse_depth,
    parse_nodes, parse_seconds, parse_size, parse_threads,
};
pub use word::{Word, engines_and_others};
pub use words::{Typed, first_word, joined, names_and_depth, one_depth, split_moves};
