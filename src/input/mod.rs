//! The input of commands: arguments that several of them share, each defined once, and the positions, suites and
//! engines that they name.
//!
//! - `words`: what a word is: a depth, a position, a move, a suite, an engine or a file; the words of a position
//! - `wrong_words`: what is said about a word that makes no sense, and the names that may have been meant
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
pub mod words;
pub mod wrong_words;

pub use config::Engines;
pub use counting::{
    BasicCountingArgs, Counting, CountingArgs, ENGINE_MAX_NODES, ExactArgs, MachineArgs, UnreachableArgs,
    counting_kinds, driver, generator_choices, generators, merging_memory, parse_depth, parse_nodes,
    parse_seconds, parse_size, parse_threads,
};
pub use engine::{EngineArgs, NO_EFFECT, NamedEngine, command, comparison, hunt_of, refuse_options};
pub use game::{Game, Games, PositionArgs, many_games};
pub use how_to_ask::HowToAsk;
pub use texts::{UnreadInput, is_built_in, read_answer, read_lines, read_suites, refuse_rival};
pub use words::{Typed, Word, first_word, is_number, joined, one_depth, split_moves};
pub use wrong_words::unknown_name;
