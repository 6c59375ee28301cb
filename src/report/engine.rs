//! The engine in a report, with notes and errors about what it is not asked. All commands that ask engines use them.

use perft_diagnosis::source::Abilities;
use serde::Serialize;

use crate::engine::EngineSpec;
use crate::output::{CliError, agreeing, number_of};
use crate::system::command_line;

/// An engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineInfo {
    pub command: String,
    /// The dialect of its questions and answers.
    pub dialect: &'static str,
    /// The name that it gives itself, if it gives one.
    pub own_name: Option<String>,
}

impl EngineInfo {
    /// Describes an engine with the name that it gives itself.
    pub fn new(spec: &EngineSpec, own_name: Option<String>) -> EngineInfo {
        EngineInfo { command: command_line::join(&spec.command), dialect: spec.dialect, own_name }
    }
}

/// Returns sentences, without a full stop, about the questions that an engine is not asked because of its abilities.
pub fn ability_notes(abilities: &Abilities, left_out_chess960: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if left_out_chess960 > 0 {
        let positions = number_of(left_out_chess960, "Chess960 position");
        let verb = agreeing(left_out_chess960, "was", "were");
        notes.push(format!(
            "{positions} {verb} not asked: the engine does not announce UCI_Chess960, or does not read them"
        ));
    }
    match abilities.max_depth {
        Some(1) => notes
            .push("the engine is asked at depth 1 only: moves are checked, playing them is not".to_owned()),
        Some(depth) => notes.push(format!("the engine is asked up to depth {depth} only")),
        None => {}
    }
    notes
}

/// Checks that an engine was asked about at least one position.
///
/// # Errors
/// All positions are of Chess960, and an engine does not announce Chess960 or does not read their castling rights.
pub fn check_asked(positions: usize, left_out_chess960: usize) -> Result<(), CliError> {
    if positions > 0 || left_out_chess960 == 0 {
        return Ok(());
    }
    let message =
        "nothing was asked: an engine does not announce Chess960, or does not read these castling rights";
    let help = "add --engine-chess960 if the engine knows Chess960 all the same; for a reference, write chess960 = true in perft.toml";
    Err(CliError::usage(message).help(help))
}

/// Returns a note about positions that were left out because no game reaches them.
pub fn impossible_note(left_out: usize) -> Option<String> {
    let (positions, verb) = (number_of(left_out, "position"), agreeing(left_out, "was", "were"));
    let note = format!("{positions} that no game reaches {verb} left out: --unreachable asks about them too");
    (left_out > 0).then_some(note)
}
