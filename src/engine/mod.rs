//! Sources of perft counts: engines and other builds as processes, and our own driver.
//!
//! All of them implement [`CountSource`](perft_diagnosis::source::CountSource):
//!
//! - [`Engine`]: a chess engine or a script, in any [`Dialect`];
//! - [`PerftProgram`]: another build of this program, which measures its own time;
//! - [`DriverSource`]: a driver in this process.
//!
//! [`check_suites`] asks a source for the known counts of suites. This is the only module that starts processes.
//! It does not find out why an answer is wrong: `perft-diagnosis` does.

mod ask_method;
mod client;
mod dialect;
mod driver;
mod exam;
#[cfg_attr(unix, path = "group_unix.rs")]
#[cfg_attr(windows, path = "group_windows.rs")]
mod group;
#[cfg(unix)]
mod guard;
mod input;
mod perft_program;
mod probe;
mod process;
pub mod properties;
mod session;
mod spec;
mod state_probe;
mod suite;
mod usage;

pub use ask_method::{Handshake, Launch, unknown_placeholder};
pub use client::Engine;
pub use dialect::Dialect;
pub use driver::DriverSource;
pub use exam::{Exam, Skills, WrongAnswer};
pub use perft_program::{Output, PerftProgram, output};
pub use probe::{Attempt, Probed, Search, probe};
pub use process::Transcript;
pub use spec::{CUSTOM, EngineSpec};
pub use state_probe::find_state;
pub use suite::{SuiteAnswer, check_suites};
pub use usage::process_usage;

#[cfg(all(test, unix))]
mod tests;
