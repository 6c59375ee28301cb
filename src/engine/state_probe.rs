//! Finds out which line makes a program print its FEN or its key.

use std::time::Duration;

use perft_core::StopSignal;
use perft_diagnosis::source::{CountSource, SourceError};
use perft_diagnosis::state::StateAbilities;

use super::ask_method::Handshake;
use super::client::Engine;
use super::spec::EngineSpec;

/// The time limit for a state.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);

/// The time limit for starting a program that is asked in another way for counts.
const START_LIMIT: Duration = Duration::from_millis(2500);

/// The lines that are tried, in this order.
const LINES: [&str; 7] = ["d", "fen", "display", "print", "show", "board", "getfen"];

/// A program that prints its state.
#[derive(Clone, Debug)]
pub struct StatePrinter {
    /// How it is run and asked, with the line after which it prints its state.
    pub spec: EngineSpec,
    /// The parts of its state that it prints.
    pub prints: StateAbilities,
}

/// Returns how a program is made to print its state. The line is that of the spec, if it has one. Otherwise it is
/// the first line after which the program prints both FEN and key, or the first one after which it prints one of
/// them.
///
/// A program that prints nothing in its dialect is tried as a UCI engine that is not asked to count.
///
/// # Errors
/// The program cannot be started, or the stop signal was raised.
pub fn find_state(spec: &EngineSpec, stop: &StopSignal) -> Result<Option<StatePrinter>, SourceError> {
    if let Some(found) = find_line(spec, spec, stop)? {
        return Ok(Some(found));
    }
    let without_counts = spec.clone().without_counts();
    if spec.asking.handshake == Handshake::Uci || without_counts.is_run_for_each_question() {
        return Ok(None);
    }
    let start_limit = spec.start_limit.min(START_LIMIT);
    let trial = EngineSpec { start_limit, is_trial: true, ..without_counts.clone() };
    find_line(&without_counts, &trial, stop)
}

/// Tries the lines. The program is run as in `trial`.
fn find_line(
    spec: &EngineSpec,
    trial: &EngineSpec,
    stop: &StopSignal,
) -> Result<Option<StatePrinter>, SourceError> {
    let lines = match &spec.ask_state {
        Some(line) => vec![line.clone()],
        None => LINES.map(str::to_owned).to_vec(),
    };
    let mut first = None;
    let mut running = Engine::new(trial.clone());
    for line in lines {
        let spec = EngineSpec { ask_state: Some(line), ..spec.clone() };
        let (ask_state, answer_limit) = (spec.ask_state.clone(), trial.answer_limit.min(ANSWER_LIMIT));
        running.ask_like(EngineSpec { ask_state, answer_limit, ..trial.clone() });
        let prints = match StateAbilities::probe(&mut running, stop) {
            Ok(prints) if prints.is_nothing() => continue,
            Ok(prints) => prints,
            Err(error @ (SourceError::Interrupted | SourceError::NotStarted(..))) => return Err(error),
            Err(SourceError::NoState { .. }) => continue,
            Err(_) if running.name().is_none() && spec.asking.handshake == Handshake::Uci => return Ok(None),
            Err(_) => continue,
        };
        let found = StatePrinter { spec, prints };
        if prints.fen && prints.key {
            return Ok(Some(found));
        }
        first = first.or(Some(found));
    }
    Ok(first)
}
