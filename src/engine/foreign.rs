//! A foreign program that is asked: what to run, which language it speaks, how long to wait.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::process::{self, Transcript};
use super::{Answer, Question, Spent, script, uci};
use crate::perft::StopSignal;

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
    /// use perft::engine::{Dialect, EngineSpec};
    /// let spec = EngineSpec::parse("'my engine' --fast", Dialect::Uci)?;
    /// assert_eq!(spec.command, ["my engine", "--fast"]);
    /// assert!(EngineSpec::parse("'my engine", Dialect::Uci).is_err());
    /// # Ok::<(), perft::engine::EngineError>(())
    /// ```
    pub fn parse(command: &str, dialect: Dialect) -> Result<EngineSpec, EngineError> {
        let words = shell_words::split(command).map_err(|_| EngineError::NoCommand)?;
        EngineSpec::of_words(words, dialect)
    }

    /// A command that is cut into words already; the rest as in [`EngineSpec::parse`].
    ///
    /// # Errors
    /// There is no word.
    pub fn of_words(words: Vec<String>, dialect: Dialect) -> Result<EngineSpec, EngineError> {
        if words.first().is_none_or(String::is_empty) {
            return Err(EngineError::NoCommand);
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

/// Why a foreign program gave no answer. None of these is a verdict on its moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The command line has no command, or a quote that is not closed.
    #[error("the engine's command is empty, or a quote in it is not closed")]
    NoCommand,
    /// It could not be started.
    #[error("cannot start '{0}': {1}")]
    NotStarted(String, std::io::ErrorKind),
    /// It ended, or closed its output, before its answer was complete.
    #[error("the engine ended before it had answered ({status}){}", last_words(said))]
    Ended {
        /// How it ended.
        status: String,
        /// The last of what it wrote to its standard error.
        said: String,
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
    /// The stop signal was raised.
    #[error("interrupted")]
    Interrupted,
}

fn last_words(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

/// A foreign program: started when it is first asked, and again after it has failed.
#[derive(Debug)]
pub struct Engine {
    spec: EngineSpec,
    session: Option<uci::Session>,
    name: Option<String>,
    spent: Option<Spent>,
}

impl Engine {
    /// A program that is not started yet.
    pub fn new(spec: EngineSpec) -> Engine {
        Engine { spec, session: None, name: None, spent: None }
    }

    /// What the program calls itself, once it has been asked something and said it.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What the program has used for its last answer; `None` if the system does not say. Its memory is the peak of its life.
    pub fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// Starts the program, if its dialect has sessions, and looks whether it is there otherwise, so that one that cannot
    /// be started is known at once.
    ///
    /// # Errors
    /// It does not start, does not get ready in time, or has no such options.
    pub fn start(&mut self, stop: &StopSignal) -> Result<(), EngineError> {
        if self.spec.dialect != Dialect::Uci {
            return process::find(&self.spec.command[0], self.spec.folder.as_deref());
        }
        if self.session.is_none() {
            let session = uci::Session::start(&self.spec, stop)?;
            self.name = session.name().map(str::to_owned);
            self.session = Some(session);
        }
        Ok(())
    }

    /// Asks for the counts below a position.
    ///
    /// # Errors
    /// The program gives no answer. It is killed, and started anew for the next question.
    pub fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, EngineError> {
        if question.depth == 0 {
            // `go perft 0` starts a search in some programs; there is nothing to ask.
            return Ok(Answer { moves: Vec::new(), stated_total: Some(1) });
        }
        self.spent = None;
        let answer = match self.spec.dialect {
            Dialect::Uci => self.ask_session(question, stop),
            Dialect::Perftree | Dialect::Qperft => script::ask(&self.spec, question, stop),
        };
        if answer.is_err() || self.spec.launch == Launch::Each {
            self.session = None;
        }
        let (answer, spent) = answer?;
        self.spent = spent;
        Ok(answer)
    }

    fn ask_session(
        &mut self,
        question: &Question,
        stop: &StopSignal,
    ) -> Result<(Answer, Option<Spent>), EngineError> {
        self.start(stop)?;
        let Some(session) = &mut self.session else { unreachable!("the session has just been started") };
        let before = session.spent();
        let answer = session.ask(&self.spec, question, stop)?;
        let spent = before.zip(session.spent()).map(|(before, after)| after.since(before));
        Ok((answer, spent))
    }
}
