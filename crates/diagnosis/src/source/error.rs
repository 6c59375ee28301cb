//! The reasons why a source gives no answer.

use std::io::ErrorKind;
use std::time::Duration;

/// The reason why a source gave no answer.
///
/// An error says nothing about the moves that the source generates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The command line has no program, or has an unclosed quote.
    #[error("the engine's command is empty or has an unclosed quote")]
    NoCommand,
    /// The program could not be started: its name, the kind of the reason, and the reason in the words of the system.
    #[error("cannot start '{0}': {why}", why = start_failure(.1, .2))]
    NotStarted(String, ErrorKind, String),
    /// The engine failed, or closed its output.
    #[error("the engine ended ({status}){}", suffix(last))]
    Ended {
        /// The way in which the process ended.
        status: String,
        /// The last lines that the engine printed.
        last: String,
    },
    /// The engine has no UCI option with this name. The second field lists the options that it has.
    #[error("the engine has no option '{0}'; it has: {names}", names = .1.join(", "))]
    NoOption(String, Vec<String>),
    /// A UCI option of the engine cannot have this value: the option, the value, and the values that it can have.
    #[error("the option '{0}' cannot be '{1}'; it can be: {values}", values = .2.join(", "))]
    NoOptionValue(String, String, Vec<String>),
    /// The engine did not answer within this time. The second field has the last lines that it printed.
    #[error("the engine did not answer within {} s{}", .0.as_secs_f64(), suffix(.1))]
    TimedOut(Duration, String),
    /// The engine has not read its input within this time. The second field has the last lines that it printed.
    #[error("the engine does not read what it is sent: it has read nothing within {} s{}", .0.as_secs_f64(), suffix(.1))]
    NotRead(Duration, String),
    /// The answer of the engine has no count at a known place.
    #[error("the engine's answer to '{asked}' is not understood{}", suffix(last))]
    NotUnderstood {
        /// The text that the engine was sent.
        asked: String,
        /// The last lines that the engine printed.
        last: String,
    },
    /// The engine printed something other than a count.
    #[error("the engine's answer has no count that can be read: {0}")]
    Refused(String),
    /// The engine printed neither its FEN nor its key.
    #[error("the engine does not answer '{asked}' with its position or its key{}", suffix(last))]
    NoState {
        /// The text that the engine was sent.
        asked: String,
        /// The last lines that the engine printed.
        last: String,
    },
    /// The engine began to search when it was sent this text.
    #[error("the engine began to search when it was sent '{0}'")]
    Searched(String),
    /// The output of the engine is not text, or has a line that is too long.
    #[error("cannot read the engine's output: {0}")]
    Unreadable(String),
    /// The engine answered, but not with a count.
    #[error("the engine's answer is not a count: {0}")]
    NoCount(String),
    /// The source cannot count, for this reason.
    #[error("{0}")]
    CannotCount(String),
    /// The function that counts panicked with this message.
    #[error("the function panicked: {0}")]
    Panicked(String),
    /// The stop signal was raised.
    #[error("interrupted")]
    Interrupted,
}

fn start_failure<'a>(kind: &ErrorKind, reason: &'a str) -> &'a str {
    match kind {
        ErrorKind::NotFound => "there is no such program",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::WouldBlock => "the system starts no more processes or threads",
        _ => reason,
    }
}

fn suffix(last: &str) -> String {
    if last.is_empty() { "; it printed nothing".to_owned() } else { format!("; it last printed: {last}") }
}
