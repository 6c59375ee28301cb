//! The whole output of a command.

use std::time::Duration;

use perft_core::StopSignal;
use perft_diagnosis::source::{SourceError, Usage};

use super::process::{Deadline, Process, Transcript};

/// The output of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The standard output.
    pub text: String,
    /// The resources that the command has used; `None` if the system does not say.
    pub usage: Option<Usage>,
}

/// Runs a command without input until it ends.
///
/// # Errors
/// The command does not start, does not end within the limit, fails, or prints too much; or the stop signal was
/// raised.
pub fn output(command: &[String], limit: Duration, stop: &StopSignal) -> Result<Output, SourceError> {
    let mut process = Process::start(command, None, &Transcript::default())?;
    // An engine ends when there is no input.
    process.close_input();
    process.expect_answer();
    let deadline = Deadline::new(limit, stop);
    let mut text = String::new();
    while let Some(line) = process.line(&deadline)? {
        text.push_str(&line);
        text.push('\n');
    }
    match process.wait_briefly() {
        Some(status) if status.success() => Ok(Output { text, usage: process.usage() }),
        _ => Err(process.ended()),
    }
}
