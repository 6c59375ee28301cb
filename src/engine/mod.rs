//! Perft over a protocol: foreign programs that are asked, and a generator of ours that answers.
//!
//! An [`Engine`] is a foreign program, whatever its [`Dialect`]: asked a [`Question`], it gives an [`Answer`], or fails in one
//! of the ways that programs have ([`EngineError`]), and is started again for the next question. [`serve`] is the other
//! side. Nothing here judges an answer.

mod answer;
#[cfg(feature = "engine")]
mod error;
#[cfg(feature = "engine")]
mod foreign;
#[cfg(feature = "engine")]
mod process;
mod question;
#[cfg(feature = "engine")]
mod script;
mod serve;
#[cfg(feature = "engine")]
mod spec;
#[cfg(feature = "engine")]
mod spent;
#[cfg(feature = "engine")]
mod uci;
#[cfg(feature = "engine")]
mod verify;

pub use answer::Answer;
#[cfg(feature = "engine")]
pub use error::EngineError;
#[cfg(feature = "engine")]
pub use foreign::Engine;
#[cfg(feature = "engine")]
pub use process::Transcript;
pub use question::Question;
#[cfg(feature = "engine")]
pub use script::{Output, output};
pub use serve::{Divide, Served, serve};
#[cfg(feature = "engine")]
pub use spec::{Dialect, EngineSpec, Launch, ParseDialectError};
#[cfg(feature = "engine")]
pub use spent::Spent;
#[cfg(feature = "engine")]
pub use verify::{Verdict, Verification, verify};
