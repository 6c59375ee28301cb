//! Programs that are run once for each question, or for one output.

use std::time::Duration;

use perft_core::StopSignal;
use perft_diagnosis::source::{Answer, AnswerReader, LineKind, Question, SourceError, Usage};
use perft_diagnosis::state::{State, StateReader};

use super::idle;
use super::idle::Idle;
use super::process::{Deadline, OutputEvent, Process};
use super::{EngineSpec, Transcript};

/// Runs the program of a spec, with the question in its arguments or on its standard input, and reads its output to the
/// end. Returns its answer and what it has used.
pub(super) fn ask(
    spec: &EngineSpec,
    question: &Question,
    stop: &StopSignal,
) -> Result<(Answer, Option<Usage>), SourceError> {
    let command = spec.asking.command_for(&spec.command, question)?;
    let lines = spec.asking.lines_for(&spec.command, question)?;
    let mut process = Process::start(&command, spec.folder.as_deref(), &spec.transcript)?;
    if !lines.is_empty() {
        process.send_one_by_one();
        process.send(&lines.join("\n"))?;
    }
    process.close_input();
    process.expect_answer();
    let deadline = Deadline::new(spec.answer_limit, stop);
    let mut reader = AnswerReader::new(Some(question.depth));
    let mut has_searched = false;
    let mut idle = spec.is_trial.then(|| Idle::of(&process));
    let patience = spec.is_trial.then(|| idle::period(spec.start_limit));
    loop {
        match process.hear(patience, &deadline)? {
            OutputEvent::Line(text) => has_searched |= reader.read(&text) == LineKind::Search,
            OutputEvent::End => break,
            OutputEvent::Silence => {
                let periods = idle.as_mut().map_or(0, |idle| idle.periods(&process));
                if periods == idle::PERIODS {
                    return Err(no_counts(&process, &lines, &command, false));
                }
            }
        }
    }
    let status = process.wait_briefly();
    if status.is_some_and(|status| !status.success()) && !reader.is_complete() {
        return Err(process.ended());
    }
    if !reader.has_counts() {
        return Err(no_counts(&process, &lines, &command, has_searched));
    }
    Ok((reader.finish(), process.usage()))
}

/// Returns the error for a program that was asked in this way and has printed no counts.
fn no_counts(process: &Process, lines: &[String], command: &[String], has_searched: bool) -> SourceError {
    let asked = if lines.is_empty() { command[1..].join(" ") } else { lines.join(", ") };
    match has_searched {
        true => SourceError::Searched(asked),
        false => SourceError::NotUnderstood { asked, last: process.last_lines() },
    }
}

/// Runs the program of a spec, sends it lines that make it print its state, and reads its output to the end.
pub(super) fn state(spec: &EngineSpec, lines: &[String], stop: &StopSignal) -> Result<State, SourceError> {
    let mut process = Process::start(&spec.command, spec.folder.as_deref(), &spec.transcript)?;
    process.send(&lines.join("\n"))?;
    process.close_input();
    process.expect_answer();
    let deadline = Deadline::new(spec.answer_limit, stop);
    let mut reader = StateReader::default();
    while let Some(text) = process.line(&deadline)? {
        reader.read(&text);
    }
    if reader.state.is_empty() {
        let asked = lines.last().cloned().unwrap_or_default();
        return Err(SourceError::NoState { asked, last: process.last_lines() });
    }
    Ok(reader.state)
}

/// The output of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The standard output.
    pub text: String,
    /// The resources that the command has used; `None` if the system does not say.
    pub usage: Option<Usage>,
}

/// Runs a command until it ends.
///
/// # Errors
/// The command does not start, does not end within the limit, fails, or prints too much; or the stop signal was
/// raised.
pub fn output(command: &[String], limit: Duration, stop: &StopSignal) -> Result<Output, SourceError> {
    let mut process = Process::start(command, None, &Transcript::default())?;
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
