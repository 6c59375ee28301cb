//! Ways to ask an engine, engines, and what was found out about an engine.

use std::io::{self, Write};

use serde::Serialize;

use crate::commands::hunt::state_report::PrinterReport;
use crate::engine::{Attempt, Received, Skills, WrongAnswer};
use crate::output::{Header, Report};

/// The longest answer that the text shows, in characters.
const ANSWER_WIDTH: usize = 56;

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

impl Report for ProbeReport {
    const NAME: &'static str = "probe";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        write_text(self, out)
    }
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

fn write_text(report: &ProbeReport, out: &mut impl Write) -> io::Result<()> {
    let name = report.own_name.as_deref().unwrap_or(&report.command);
    let (Some(dialect), Some(skills)) = (report.dialect, &report.skills) else {
        return write_failure(report, name, out);
    };
    match report.wrong_answers.len() {
        0 => writeln!(out, "{name}")?,
        wrong => {
            let are = if wrong == 1 { "is" } else { "are" };
            writeln!(out, "{name}: found, but {wrong} of {} answers {are} wrong", skills.questions)?;
        }
    }
    let sent = if report.ask.is_empty() { &report.arguments } else { &report.ask };
    let separator = if report.ask.is_empty() { " " } else { "; " };
    let sent = sent.join(separator);
    let colon = if sent.is_empty() { "" } else { ": " };
    writeln!(out, "dialect      {dialect}{colon}{sent}")?;
    let moves = match (skills.lists_moves_at_depth_1, skills.lists_moves) {
        (true, true) => "listed at every depth",
        (false, true) => "listed, but not at depth 1",
        (true, false) => "listed at depth 1, and never counted deeper",
        (false, false) => "never listed: only totals",
    };
    writeln!(out, "moves        {moves}")?;
    writeln!(
        out,
        "total        {}",
        if skills.states_total { "stated" } else { "not stated: the sum of the moves" }
    )?;
    let plays = if skills.plays_moves { "yes" } else { "no: only bugs of move generation can be told" };
    writeln!(out, "plays moves  {plays}")?;
    writeln!(
        out,
        "Chess960     {}",
        if skills.announces_chess960 { "yes" } else { "not announced: such positions are left out" }
    )?;
    let state = match &report.state {
        Some(state) => format!("{} after '{}'", state.words(), state.ask_state),
        None => "not printed: hunt --state cannot compare FENs and keys".to_owned(),
    };
    writeln!(out, "state        {state}")?;
    if let Some(folder) = &report.folder {
        writeln!(out, "folder       {folder}: it does not work in the current one")?;
    }
    let process = if skills.keeps_running { "one for all questions" } else { "one for each question" };
    writeln!(out, "process      {process}")?;
    writeln!(out, "counts       {} of {} right", skills.right_answers, skills.questions)?;
    report.wrong_answers.iter().try_for_each(|wrong| writeln!(out, "wrong        {}", wrong_words(wrong)))?;
    report.unread.iter().try_for_each(|line| writeln!(out, "unread       {line}"))?;
    report.next.iter().try_for_each(|command| writeln!(out, "next         {command}"))?;
    writeln!(out, "\nFor perft.toml:\n\n{}", report.entry.as_deref().unwrap_or_default().trim_end())
}

/// Returns a question and the answer to it, in one line.
fn wrong_words(wrong: &WrongAnswerReport) -> String {
    let moves =
        if wrong.moves.is_empty() { String::new() } else { format!(" moves {}", wrong.moves.join(" ")) };
    let received = match (wrong.found, &wrong.error) {
        (Some(found), _) => format!("{found} instead of {}", wrong.expected),
        (None, error) => format!("no answer: {}", error.as_deref().unwrap_or_default()),
    };
    format!("{}{moves}, depth {}: {received}", wrong.fen, wrong.depth)
}

fn write_failure(report: &ProbeReport, name: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{name}: found no way to ask for a perft. Tried, and what came back:\n")?;
    for attempt in &report.tried {
        let mut answer: String = attempt.answer.chars().take(ANSWER_WIDTH).collect();
        if answer.len() < attempt.answer.len() {
            answer.push_str("...");
        }
        writeln!(out, "  {:<20} {answer}", attempt.dialect)?;
    }
    writeln!(
        out,
        "\nIf it has a perft, say how to ask: --ask 'position fen {{fen}} moves {{moves}}' --ask 'perft {{depth}}',\n\
         or put {{depth}} and {{fen}} into the command. If it has none, wrap its move generator in one of the adapters."
    )
}
