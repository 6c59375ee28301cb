//! The ways in which a foreign program can fail.

use std::io::ErrorKind;
use std::time::Duration;

/// Why a foreign program gave no answer. None of these is a verdict on its moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// The command line has no command, or a quote that is not closed.
    #[error("the engine's command is empty, or a quote in it is not closed")]
    NoCommand,
    /// It could not be started.
    #[error("cannot start '{0}': {why}", why = refusal(.1))]
    NotStarted(String, ErrorKind),
    /// It ended, or closed its output, before its answer was complete.
    #[error("the engine ended before it had answered ({status}){}", last_words(stderr))]
    Ended {
        /// How it ended.
        status: String,
        /// The last of what it wrote to its standard error.
        stderr: String,
    },
    /// It has no UCI option of this name, but these.
    #[error("the engine has no option '{0}'; it has: {names}", names = .1.join(", "))]
    NoOption(String, Vec<String>),
    /// It did not answer in time.
    #[error("the engine did not answer within {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// It said something, this last, but no total in time.
    #[error("the engine gave no total within {} s; it last said '{}'", .0.as_secs_f64(), .1)]
    NoTotal(Duration, String),
    /// It printed what no program should.
    #[error("the engine's output cannot be read: {0}")]
    Unreadable(String),
    /// It answered, but not with a count.
    #[error("the engine's answer is no count: {0}")]
    NoCount(String),
    /// A source in this process cannot count, for this reason.
    #[error("{0}")]
    CannotCount(String),
    /// The stop signal was raised.
    #[error("interrupted")]
    Interrupted,
}

fn refusal(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::NotFound => "there is no such program".to_owned(),
        kind => kind.to_string(),
    }
}

fn last_words(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}
