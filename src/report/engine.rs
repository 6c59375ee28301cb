//! What several commands print about an engine: what it is not asked, causes, the lines that ask it by hand, and how it
//! prints its state.

use std::io::{self, Write};

use perft_diagnosis::Model;
use perft_diagnosis::source::Abilities;
use perft_diagnosis::state::StateAbilities;
use serde::Serialize;

use crate::engine::EngineSpec;
use crate::output::marks::label;
use crate::output::{CliError, agreeing, folded, number_of};
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
    // Only an engine that lists moves in a search has a limit.
    let limit = "the engine is asked at depth 1 only: moves are checked, playing them is not";
    notes.extend((abilities.max_depth == Some(1)).then(|| limit.to_owned()));
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

/// How an engine is made to print its FEN or its key.
#[derive(Clone, Debug, Serialize)]
pub struct PrinterReport {
    /// The line after which it prints them.
    pub ask_state: String,
    pub prints: StateAbilities,
}

impl PrinterReport {
    /// Returns the printed parts in words: `FEN and key`, `FEN, but no key`.
    pub fn words(&self) -> &'static str {
        match (self.prints.fen, self.prints.key) {
            (true, true) => "FEN and key",
            (true, false) => "FEN, but no key",
            (false, true) => "key, but no FEN",
            (false, false) => "neither FEN nor key",
        }
    }
}

/// The width of the first column of a finding.
pub const INDENT: usize = 10;

/// The number of causes that are shown.
const SHOWN_CAUSES: usize = 3;

/// Writes a line of a finding: a word in the first column, and a folded text.
pub fn write_line(word: &str, text: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}{}", label(word, INDENT), folded(text, INDENT))
}

/// Writes the first causes, and the number of further ones. Each of them gives `what`.
pub fn write_causes(causes: &[Model], what: &str, out: &mut impl Write) -> io::Result<()> {
    for (index, cause) in causes.iter().take(SHOWN_CAUSES).enumerate() {
        let word = ["cause", "causes"][usize::from(causes.len() > 1)];
        write_line(if index == 0 { word } else { "" }, &format!("{}: {}", cause.name(), cause.about()), out)?;
    }
    let more = causes.len().saturating_sub(SHOWN_CAUSES);
    let proof = match (causes.len(), more) {
        (0, _) => return Ok(()),
        (1, _) => format!("it gives exactly {what}"),
        (_, 0) => format!("each gives exactly {what}"),
        _ => format!("... and {more} more; each gives exactly {what}"),
    };
    write_line("", &proof, out)
}

/// Writes what a user types to see a bug: the command that runs the engine, and the lines to type into it.
pub fn write_by_hand(lines: &[String], out: &mut impl Write) -> io::Result<()> {
    let labels = ["by hand"].into_iter().chain(std::iter::repeat(""));
    lines.iter().zip(labels).try_for_each(|(line, label)| writeln!(out, "{label:<INDENT$}{line}"))
}
