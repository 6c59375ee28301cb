//! The modules of the program. It is a binary, and a binary cannot be used as a library.

// Most of the program is not fuzzed. It is compiled without the explorer.
#![allow(dead_code, unexpected_cfgs)]

#[path = "../../src/bench/mod.rs"]
mod bench;
#[path = "../../src/campaign/mod.rs"]
mod campaign;
#[path = "../../src/cli/mod.rs"]
mod cli;
#[path = "../../src/command_line.rs"]
mod command_line;
#[path = "../../src/engine/mod.rs"]
mod engine;
#[path = "../../src/files.rs"]
mod files;
#[path = "../../src/report/mod.rs"]
mod report;
#[cfg(windows)]
#[path = "../../src/windows.rs"]
mod windows;

pub use campaign::properties::campaign_files;
pub use cli::properties::{perft_toml, uci};
pub use engine::properties::engine_output;
pub use perft_testing::properties::{divides, epd, fen, moves};

const NAME: &str = "perft";
