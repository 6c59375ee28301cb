//! Sources of perft counts: engines and other builds as processes, and our own driver.
//!
//! All of them implement [`CountSource`](perft_diagnosis::source::CountSource):
//!
//! - [`Engine`]: a chess engine or a script, in any [`Dialect`];
//! - [`PerftProgram`]: another build of this program, which measures its own time;
//! - [`DriverSource`]: a driver in this process.
//!
//! [`check_suite`] asks a source for the known counts of a suite. This is the only module that starts processes. It does not
//! judge why an answer is wrong: `perft-diagnosis` does.

mod client;
mod driver;
mod perft_program;
mod process;
mod script;
mod spec;
mod suite;
mod uci;
mod usage;

pub use client::Engine;
pub use driver::DriverSource;
pub use perft_program::PerftProgram;
pub use process::Transcript;
pub use script::{Output, output};
pub use spec::{Dialect, EngineSpec, Launch};
pub use suite::{SuiteAnswer, check_suite};
pub use usage::own_usage;

#[cfg(test)]
mod hunt_tests;
#[cfg(all(test, unix))]
mod tests;
