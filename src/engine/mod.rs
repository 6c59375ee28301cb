//! Sources of perft counts: engines and other builds as processes, and our own driver.
//!
//! All of them implement [`CountSource`](perft_diagnosis::source::CountSource):
//!
//! - [`Engine`]: a chess engine or a script, in any [`Dialect`];
//! - [`PerftProgram`]: another build of this program, which measures its own time;
//! - [`DriverSource`]: a driver in this process.
//!
//! This is the only module that starts processes. It does not find out why an answer is wrong: `perft-diagnosis` does.

mod client;
mod dialect;
mod driver;
mod exam;
#[cfg(any(test, feature = "fuzz"))]
pub mod fuzz_tests;
#[cfg_attr(unix, path = "group_unix.rs")]
#[cfg_attr(windows, path = "group_windows.rs")]
mod group;
mod idle;
mod input;
mod instructions;
mod opening;
mod probe;
mod process;
mod session;
mod spec;
mod transcript;

pub use client::Engine;
pub use dialect::{Dialect, Handshake, Launch, unknown_placeholder};
pub use driver::{DriverSource, PerftProgram, measured, output};
pub use exam::{Exam, Skills, WrongAnswer};
pub use instructions::InstructionCounter;
pub use probe::{Attempt, Probed, find_state, probe};
pub use spec::{CUSTOM, EngineSpec};
pub use transcript::Transcript;

#[cfg(all(test, unix))]
mod tests;
