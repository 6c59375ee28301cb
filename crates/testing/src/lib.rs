//! Helpers for the tests of the workspace.
//!
//! - [`oracle`]: the rules of chess, written as plainly as possible
//! - [`engines`]: engines with planted faults, as processes
//! - [`faulty`]: a move generator with a planted bug, as a player and as an engine
//! - [`planted`]: hunts for planted bugs
//! - [`programs`]: the examples that tests start
//! - [`properties`]: properties of any text, for fuzz targets and for tests
//! - [`state`]: a program that prints its FEN and its key, with a planted bug
//! - [`suites`]: the built-in suites, run on a driver
//! - [`wrong`]: programs with known bugs, most of which are not in the catalogue of mutations

#![allow(clippy::disallowed_methods, reason = "helpers of tests")]

pub mod engines;
pub mod faulty;
pub mod oracle;
pub mod planted;
pub mod programs;
pub mod properties;
pub mod state;
pub mod suites;
pub mod wrong;

use std::process::Command;

use perft_core::Position;
use perft_count::{CpuPath, Perft};
use perft_diagnosis::random::Random;
use perft_diagnosis::random::kinds::PositionKind;

/// Returns the random position with this number.
pub fn random_position(number: u64) -> Position {
    PositionKind::of_number(number).position(&mut Random::new(number))
}

/// Returns the position after each legal move.
pub fn children(position: &Position) -> Vec<Position> {
    position.legal_moves().iter().map(|played| position.play_legal(*played)).collect()
}

/// Returns one driver for each CPU path that this machine supports.
pub fn drivers() -> Vec<(CpuPath, Perft)> {
    let available = CpuPath::ALL.into_iter().filter(|path| path.is_available());
    available.map(|path| (path, Perft::new().cpu_path(path).unwrap())).collect()
}

/// Returns the path of Stockfish: on the `PATH`, or where Debian installs it. Returns `None` if it is not installed.
///
/// # Panics
/// Panics if Stockfish is not installed and the variable `PERFT_NEEDS_STOCKFISH` is set.
pub fn stockfish() -> Option<&'static str> {
    let is_there = |name: &&str| Command::new(name).arg("quit").output().is_ok();
    let found = ["stockfish", "/usr/games/stockfish"].into_iter().find(is_there);
    let is_needed = std::env::var_os("PERFT_NEEDS_STOCKFISH").is_some();
    assert!(found.is_some() || !is_needed, "stockfish is not installed");
    found
}
