//! Programs that are run once for each question, or for one output.

use std::time::Duration;

use perft_core::StopSignal;
use perft_diagnosis::source::{Answer, OutputLine, Question, SourceError, Usage};

use super::process::{Deadline, Process};
use super::{Dialect, EngineSpec, Transcript};

/// The most lines that are read. An answer has at most one line for each move, and qperft prints one more for each depth.
const MAX_LINES: usize = 8 * perft_core::MAX_MOVES;

/// Runs the program of a spec and reads its output to the end. Returns its answer and what it has used.
pub(super) fn ask(
    spec: &EngineSpec,
    question: &Question,
    stop: &StopSignal,
) -> Result<(Answer, Option<Usage>), SourceError> {
    let command: Vec<String> =
        spec.command.iter().cloned().chain(arguments(spec.dialect, question)?).collect();
    let mut process = Process::start(&command, spec.folder.as_deref(), &spec.transcript)?;
    let deadline = Deadline::new(spec.answer_limit, stop);
    let mut answer = Answer::default();
    let mut lines = 0;
    while let Some(text) = process.line(&deadline)? {
        lines += 1;
        if lines > MAX_LINES {
            return Err(SourceError::NoCount(format!("more than {MAX_LINES} lines")));
        }
        if let Some(line) = OutputLine::parse(&text) {
            answer.add(line);
        }
    }
    match process.wait_briefly() {
        Some(status) if !status.success() => Err(process.ended()),
        _ if answer.is_empty() => {
            Err(SourceError::NoCount(format!("{lines} lines, none of which is a count")))
        }
        _ => Ok((answer, process.usage())),
    }
}

/// The output of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The standard output.
    pub text: String,
    /// What the command has used; `None` if the system does not say.
    pub usage: Option<Usage>,
}

/// Runs a command until it ends.
///
/// # Errors
/// The command does not start, does not end within the limit, fails, or prints too many lines; or the stop signal was raised.
pub fn output(command: &[String], limit: Duration, stop: &StopSignal) -> Result<Output, SourceError> {
    let mut process = Process::start(command, None, &Transcript::default())?;
    let deadline = Deadline::new(limit, stop);
    let mut text = String::new();
    for _ in 0..MAX_LINES {
        let Some(line) = process.line(&deadline)? else {
            return match process.wait_briefly() {
                Some(status) if status.success() => Ok(Output { text, usage: process.usage() }),
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
