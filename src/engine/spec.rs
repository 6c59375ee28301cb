//! How to run an engine: the command, the dialect, the options and the time limits.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use perft_diagnosis::source::SourceError;

use super::Transcript;

/// How a program is asked for a perft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// A UCI engine with the command `go perft N`, such as Stockfish.
    #[default]
    Uci,
    /// A command that is run for each question as `CMD DEPTH FEN [MOVES]`, as for the tool perftree.
    Perftree,
    /// H.G. Muller's qperft, run for each question: `CMD DEPTH -2 FEN`.
    Qperft,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 3] = [Dialect::Uci, Dialect::Perftree, Dialect::Qperft];

    /// Returns the name that is typed on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Perftree => "perftree",
            Dialect::Qperft => "qperft",
        }
    }

    /// Returns a short description for `--help`.
    pub const fn about(self) -> &'static str {
        match self {
            Dialect::Uci => "a UCI engine with the command go perft N, such as Stockfish",
            Dialect::Perftree => "a command that is run as CMD DEPTH FEN [MOVES], as for perftree",
            Dialect::Qperft => "qperft, run as CMD DEPTH -2 FEN",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that is not a dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a dialect; use uci, perftree or qperft")]
pub struct ParseDialectError(pub String);

impl FromStr for Dialect {
    type Err = ParseDialectError;

    fn from_str(text: &str) -> Result<Dialect, ParseDialectError> {
        let found = Dialect::ALL.into_iter().find(|dialect| dialect.name() == text);
        found.ok_or_else(|| ParseDialectError(text.to_owned()))
    }
}

/// How often an engine is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Launch {
    /// Once for all questions, and again only after it has failed. The dialects without sessions start it for each question.
    #[default]
    Once,
    /// Once for each question.
    Each,
}

/// How to run an engine and how to ask it.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder in which it runs; `None` is the current one.
    pub folder: Option<PathBuf>,
    /// How the program is asked.
    pub dialect: Dialect,
    /// Names and values of the UCI options that are set after the start. The other dialects have no options.
    pub options: Vec<(String, String)>,
    /// How often the program is started.
    pub launch: Launch,
    /// The time limit for an answer.
    pub answer_limit: Duration,
    /// The time limit for starting and getting ready.
    pub start_limit: Duration,
    /// Where the conversation is logged.
    pub transcript: Transcript,
}

impl EngineSpec {
    /// Reads a command line, split into words as a shell does it. The limits are one minute for an answer and ten seconds for
    /// the start.
    ///
    /// # Errors
    /// The command line is empty, or a quote in it is not closed.
    pub fn parse(command: &str, dialect: Dialect) -> Result<EngineSpec, SourceError> {
        let words = shell_words::split(command).map_err(|_| SourceError::NoCommand)?;
        EngineSpec::of_words(words, dialect)
    }

    /// Like [`EngineSpec::parse`], for a command that is already split into words.
    ///
    /// # Errors
    /// There is no word, or the first one is empty.
    pub fn of_words(words: Vec<String>, dialect: Dialect) -> Result<EngineSpec, SourceError> {
        if words.first().is_none_or(String::is_empty) {
            return Err(SourceError::NoCommand);
        }
        Ok(EngineSpec {
            command: words,
            folder: None,
            dialect,
            options: Vec::new(),
            launch: Launch::default(),
            answer_limit: Duration::from_secs(60),
            start_limit: Duration::from_secs(10),
            transcript: Transcript::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_split_as_by_a_shell() {
        let words = |command| EngineSpec::parse(command, Dialect::Uci).map(|spec| spec.command);
        assert_eq!(words("'my engine' --fast").unwrap(), ["my engine", "--fast"]);
        for wrong in ["'my engine", "", "''"] {
            assert_eq!(words(wrong), Err(SourceError::NoCommand), "{wrong}");
        }
    }
}
