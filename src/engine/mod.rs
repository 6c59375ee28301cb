//! Perft over a protocol: foreign programs that are asked, and a generator of ours that answers.
//!
//! An [`Engine`] is a foreign program, whatever its [`Dialect`]: asked a [`Question`], it gives an [`Answer`], or fails in one
//! of the ways that programs have ([`EngineError`]), and is started again for the next question. [`serve`] is the other
//! side. Nothing here judges an answer.

mod foreign;
mod process;
mod script;
mod spec;
mod spent;
mod uci;
mod verify;

pub use foreign::Engine;
pub use perft_diagnosis::serve::{Divide, Served, serve};
pub use perft_diagnosis::source::{Answer, EngineError, Question};
pub use process::Transcript;
pub use script::{Output, output};
pub use spec::{Dialect, EngineSpec, Launch, ParseDialectError};
pub use spent::Spent;
pub use verify::{SuiteAnswer, SuiteAnswers, verify};

#[cfg(test)]
mod hunt_tests;
#[cfg(all(test, unix))]
mod tests;
