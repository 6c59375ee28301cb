//! Which foreign program: what to run, which language it speaks, how long to wait.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::{SourceError, Transcript};

/// The languages in which programs are asked for a perft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// A UCI engine that knows `go perft N`, as Stockfish does.
    #[default]
    Uci,
    /// A command that is run for each question: `CMD DEPTH FEN [MOVES]`, as the tool perftree has it.
    Perftree,
    /// H.G. Muller's qperft, run for each question: `CMD DEPTH -2 FEN`.
    Qperft,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 3] = [Dialect::Uci, Dialect::Perftree, Dialect::Qperft];

    /// The name by which a user chooses it.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Perftree => "perftree",
            Dialect::Qperft => "qperft",
        }
    }

    /// What it is, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Dialect::Uci => "a UCI engine that knows go perft N, as Stockfish does",
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

/// No dialect has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a dialect: uci, perftree or qperft")]
pub struct ParseDialectError(pub String);

impl FromStr for Dialect {
    type Err = ParseDialectError;

    fn from_str(text: &str) -> Result<Dialect, ParseDialectError> {
        let found = Dialect::ALL.into_iter().find(|dialect| dialect.name() == text);
        found.ok_or_else(|| ParseDialectError(text.to_owned()))
    }
}

/// How often a program is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Launch {
    /// Once for all questions, if its dialect has sessions, and again only after it has failed.
    #[default]
    Once,
    /// For each question.
    Each,
}

/// What to run and how to ask it.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder in which it runs; `None` is the current one.
    pub folder: Option<PathBuf>,
    /// The language it speaks.
    pub dialect: Dialect,
    /// UCI options that are set when it has started, names and values; only a UCI engine has any.
    pub options: Vec<(String, String)>,
    /// How often it is started.
    pub launch: Launch,
    /// How long an answer may take.
    pub answer_limit: Duration,
    /// How long it may take to start and to get ready.
    pub start_limit: Duration,
    /// Where all that is said is written down.
    pub transcript: Transcript,
}

impl EngineSpec {
    /// A command line, cut into words as a shell would, but by no shell; one minute an answer, ten seconds to start.
    ///
    /// # Errors
    /// There is no word in it, or a quote is not closed.
    ///
    /// # Examples
    /// ```
    /// use crate::engine::{Dialect, EngineSpec};
    /// let spec = EngineSpec::parse("'my engine' --fast", Dialect::Uci)?;
    /// assert_eq!(spec.command, ["my engine", "--fast"]);
    /// assert!(EngineSpec::parse("'my engine", Dialect::Uci).is_err());
    /// # Ok::<(), perft_diagnosis::source::SourceError>(())
    /// ```
    pub fn parse(command: &str, dialect: Dialect) -> Result<EngineSpec, SourceError> {
        let words = shell_words::split(command).map_err(|_| SourceError::NoCommand)?;
        EngineSpec::of_words(words, dialect)
    }

    /// A command that is cut into words already; the rest as in [`EngineSpec::parse`].
    ///
    /// # Errors
    /// There is no word.
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
