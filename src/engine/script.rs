//! Asking a program that is run anew for every question.

use std::time::Duration;

use super::process::{Patience, Process, Transcript};
use super::{Answer, Dialect, EngineSpec, Question, SourceError, Spent};
use perft_core::StopSignal;
use perft_diagnosis::source::OutputLine;

/// The most lines that are looked at; qperft prints one for every depth besides.
const MAX_LINES: usize = 8 * perft_core::MAX_MOVES;

/// Runs the program and reads what it prints until it ends; its answer, and what it has used.
pub(super) fn ask(
    spec: &EngineSpec,
    question: &Question,
    stop: &StopSignal,
) -> Result<(Answer, Option<Spent>), SourceError> {
    let command: Vec<String> =
        spec.command.iter().cloned().chain(arguments(spec.dialect, question)?).collect();
    let mut process = Process::start(&command, spec.folder.as_deref(), &spec.transcript)?;
    let patience = Patience::new(spec.answer_limit, stop);
    let mut answer = Answer::default();
    let mut lines = 0;
    while let Some(text) = process.line(&patience)? {
        lines += 1;
        if lines > MAX_LINES {
            return Err(SourceError::NoCount(format!("more than {MAX_LINES} lines")));
        }
        if let Some(line) = OutputLine::parse(&text) {
            answer.add(line);
        }
    }
    match process.wait_a_moment() {
        Some(status) if !status.success() => Err(process.ended()),
        _ if answer.is_empty() => {
            Err(SourceError::NoCount(format!("{lines} lines, none of which is a count")))
        }
        _ => Ok((answer, process.spent())),
    }
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What it printed on standard output.
    pub text: String,
    /// What it has used; `None` if the system does not say.
    pub spent: Option<Spent>,
}

/// Runs a command to its end.
///
/// # Errors
/// It does not start, does not end within the limit, fails, or prints without end; or the stop signal was raised.
pub fn output(command: &[String], limit: Duration, stop: &StopSignal) -> Result<Output, SourceError> {
    let mut process = Process::start(command, None, &Transcript::default())?;
    let patience = Patience::new(limit, stop);
    let mut text = String::new();
    for _ in 0..MAX_LINES {
        let Some(line) = process.line(&patience)? else {
            return match process.wait_a_moment() {
                Some(status) if status.success() => Ok(Output { text, spent: process.spent() }),
                _ => Err(process.ended()),
            };
        };
        text.push_str(&line);
        text.push('\n');
    }
    Err(SourceError::NoCount(format!("more than {MAX_LINES} lines")))
}

fn arguments(dialect: Dialect, question: &Question) -> Result<Vec<String>, SourceError> {
    let depth = question.depth.to_string();
    match dialect {
        Dialect::Qperft if !question.moves.is_empty() => {
            Err(SourceError::NoCount("qperft plays no moves from a position".to_owned()))
        }
        Dialect::Qperft => Ok(vec![depth, "-2".to_owned(), question.fen.clone()]),
        Dialect::Uci | Dialect::Perftree => {
            let moves = (!question.moves.is_empty()).then(|| question.moves.join(" "));
            Ok([depth, question.fen.clone()].into_iter().chain(moves).collect())
        }
    }
}
