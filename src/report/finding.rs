//! What several commands print about an engine: causes, what its wrong answers have in common, the lines that ask it by
//! hand, and how it prints its state.

use std::io::{self, Write};

use perft_diagnosis::Model;
use perft_diagnosis::state::StateAbilities;
use serde::Serialize;

use crate::output::folded;
use crate::output::marks::label;

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

/// Returns a position and the moves from there: `FEN moves e2e4 e7e5`.
pub fn line(fen: &str, path: &[String]) -> String {
    if path.is_empty() { fen.to_owned() } else { format!("{fen} moves {}", path.join(" ")) }
}
