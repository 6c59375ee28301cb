//! The input of commands: arguments that several of them share, each defined once, and the positions, suites and
//! engines that they name.
//!
//! - `word`: what a word is: a depth, a position, a move, a suite, an engine or a file; names that are like one that means
//!   nothing
//! - `words`: the words of a position, its moves and its depth
//! - `game`: the arguments that name positions, the positions, and the errors for illegal moves
//! - `texts`: suites and other texts, and standard input that was not read
//! - `counting`: values of arguments, and how to count
//! - `how_to_ask`, `config`, `engine`: the engines of `perft.toml` and of the command line

pub mod config;
mod counting;
pub mod engine;
pub mod game;
pub mod how_to_ask;
pub mod texts;
pub mod word;
pub mod words;

pub use config::Engines;
pub use counting::{
    BasicCountingArgs, Counting, CountingArgs, ENGINE_MAX_NODES, ExactArgs, MachineArgs, UnreachableArgs,
    available_bytes, driver, generator_choices, generators, merging_memory, parse_depth, parse_nodes,
    parse_seconds, parse_size, parse_threads,
};
pub use engine::{EngineArgs, NO_EFFECT, NamedEngine, command, comparison, hunt_of, refuse_options};
pub use game::{Game, Games, PositionArgs, many_games};
pub use how_to_ask::HowToAsk;
pub use texts::{UnreadInput, is_built_in, read_answer, read_lines, read_suites, refuse_rival};
pub use word::{Word, first_word, is_number, unknown_name};
pub use words::{Typed, joined, one_depth, split_moves};
