//! Ways to ask an engine, engines, and what was found out about an engine.

use serde::Serialize;

use crate::commands::hunt::state_report::PrinterReport;
use crate::engine::{Attempt, Dialect, EngineSpec, Received, Skills, WrongAnswer};
use crate::output::{Header, Report};
use crate::system::command_line;

/// A way to ask an engine.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DialectReport {
    /// The name for `--dialect`.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The handshake that opens the conversation.
    pub handshake: &'static str,
    /// The lines that ask a question.
    pub ask: Vec<String>,
    /// The arguments that ask a question.
    pub arguments: Vec<String>,
}

impl DialectReport {
    /// Describes a dialect.
    pub fn new(dialect: Dialect) -> DialectReport {
        let asking = dialect.asking();
        DialectReport {
            name: dialect.name(),
            about: dialect.about(),
            handshake: asking.handshake.name(),
            ask: asking.lines,
            arguments: asking.arguments,
        }
    }
}

/// An engine of `perft.toml`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EngineReport {
    /// Its name there.
    pub name: String,
    /// Its command line.
    pub command: String,
    /// How it is asked.
    pub dialect: &'static str,
}

impl EngineReport {
    /// Describes an engine.
    pub fn new(name: &str, spec: &EngineSpec) -> EngineReport {
        EngineReport {
            name: name.to_owned(),
            command: command_line::join(&spec.command),
            dialect: spec.dialect,
        }
    }
}

/// The report of `perft list engines`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EnginesReport {
    /// Who wrote the report.
    #[serde(flatten)]
    pub header: Header,
    /// The ways to ask an engine.
    pub dialects: Vec<DialectReport>,
    /// The engines of `perft.toml`.
    pub engines: Vec<EngineReport>,
}

/// The report of `perft probe`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProbeReport {
    /// Who wrote the report.
    #[serde(flatten)]
    pub header: Header,
    /// The command line of the program.
    pub command: String,
    /// The overall result.
    pub verdict: ProbeVerdict,
    /// The name that the program gives itself.
    pub own_name: Option<String>,
    /// The dialect that was found; `None` if there is none.
    pub dialect: Option<&'static str>,
    /// The lines that ask a question.
    pub ask: Vec<String>,
    /// The arguments that ask a question.
    pub arguments: Vec<String>,
    /// The folder in which it runs, if it does not work in the current one.
    pub folder: Option<String>,
    /// The skills of the program.
    pub skills: Option<SkillsReport>,
    /// The questions that were not answered with the right count.
    pub wrong_answers: Vec<WrongAnswerReport>,
    /// The first lines of its answers that were not understood, as it printed them.
    pub unread: Vec<String>,
    /// How it is made to print its FEN or its key; `None` if it prints neither.
    pub state: Option<PrinterReport>,
    /// The dialects that were tried before, with what came back.
    pub tried: Vec<AttemptReport>,
    /// The command that looks further into a wrong answer.
    pub next: Option<String>,
    /// The entry for `perft.toml`.
    pub entry: Option<String>,
    /// How long it took.
    pub seconds: f64,
}

impl Report for EnginesReport {
    const NAME: &'static str = "engines";
}

impl Report for ProbeReport {
    const NAME: &'static str = "probe";
}

/// The overall result of probing a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProbeVerdict {
    /// A way was found, and all answers are right.
    Found,
    /// A way was found, but some answers are wrong or missing.
    FoundButWrong,
    /// No way was found.
    NotFound,
}

/// A question that was not answered with the right count.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WrongAnswerReport {
    /// The position.
    pub fen: String,
    /// The moves that are played first.
    pub moves: Vec<String>,
    /// The depth in plies.
    pub depth: u32,
    /// The right count.
    pub expected: u128,
    /// The count that came back; `None` if there was none.
    pub found: Option<u128>,
    /// Why there was no count.
    pub error: Option<String>,
}

impl WrongAnswerReport {
    /// Describes an answer.
    pub fn new(wrong: &WrongAnswer) -> WrongAnswerReport {
        let (found, error) = match &wrong.received {
            Received::Count(count) => (Some(*count), None),
            Received::Failure(error) => (None, Some(error.to_string())),
        };
        WrongAnswerReport {
            fen: wrong.question.fen.clone(),
            moves: wrong.question.moves.clone(),
            depth: wrong.question.depth,
            expected: wrong.expected,
            found,
            error,
        }
    }
}

/// The skills of a program.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SkillsReport {
    /// Whether it lists moves at depth 1.
    pub lists_moves_at_depth_1: bool,
    /// Whether it lists moves at greater depths.
    pub lists_moves: bool,
    /// Whether it states a total.
    pub states_total: bool,
    /// Whether it plays moves from a position.
    pub plays_moves: bool,
    /// Whether it announces Chess960.
    pub announces_chess960: bool,
    /// Whether one process answers all questions.
    pub keeps_running: bool,
    /// The number of right answers.
    pub right_answers: usize,
    /// The number of questions.
    pub questions: usize,
}

impl SkillsReport {
    /// Describes what a program can tell.
    pub fn new(skills: Skills) -> SkillsReport {
        SkillsReport {
            lists_moves_at_depth_1: skills.lists_moves_at_depth_1,
            lists_moves: skills.lists_moves,
            states_total: skills.states_total,
            plays_moves: skills.plays_moves,
            announces_chess960: skills.is_chess960,
            keeps_running: skills.keeps_running,
            right_answers: skills.right,
            questions: skills.asked,
        }
    }
}

/// A dialect that was tried.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AttemptReport {
    /// The name of the dialect.
    pub dialect: &'static str,
    /// The outcome, in one line.
    pub answer: String,
}

impl AttemptReport {
    /// Describes an attempt.
    pub fn new(attempt: &Attempt) -> AttemptReport {
        AttemptReport { dialect: attempt.dialect, answer: attempt.outcome.clone() }
    }
}
