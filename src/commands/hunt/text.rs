//! The text that the searches for bugs share.

use std::io::{self, Write};

use anstyle::AnsiColor;
use perft_core::Setup;

use super::report::{CauseReport, HuntTotals};
use crate::commands::suite::engine_info::positions_in_words;
use crate::output::fold::folded;
use crate::output::grouped;
use crate::output::terminal::{incomplete_line, styled};

/// The width of the first column of a finding.
pub const INDENT: usize = 10;

/// The number of causes that are shown.
const SHOWN_CAUSES: usize = 3;

/// Writes what was left out, and the last line: the engine, the result, and the number of faulty positions. `what`
/// describes them, as in `answered wrongly`.
pub fn write_totals(totals: &HuntTotals, result: &str, what: &str, out: &mut impl Write) -> io::Result<()> {
    let HuntTotals { engine, positions, faulty, questions, cut_short, notes, seconds, complete, .. } = totals;
    if *cut_short > 0 {
        writeln!(out, "{} reached the limit of --questions", positions_in_words(*cut_short))?;
    }
    notes.iter().try_for_each(|note| writeln!(out, "{}", folded(note, 2)))?;
    write_if_incomplete(*complete, out)?;
    let name = engine.own_name.as_deref().unwrap_or(&engine.command);
    let (faulty, positions) = (grouped(*faulty as u128), grouped(*positions as u128));
    let questions = grouped((*questions).into());
    let summary = format!(
        "{name}: {result}: {faulty} of {positions} positions {what}; {questions} questions in {seconds:.1} s"
    );
    writeln!(out, "{}", folded(&summary, 2))
}

/// Writes the first causes, and the number of further ones. Each of them gives `what`.
pub fn write_causes(causes: &[CauseReport], what: &str, out: &mut impl Write) -> io::Result<()> {
    let word = if causes.len() == 1 { "cause" } else { "causes" };
    for (index, cause) in causes.iter().take(SHOWN_CAUSES).enumerate() {
        let word = if index == 0 { word } else { "" };
        let text = folded(&format!("{}: {}", cause.name, cause.about), INDENT);
        writeln!(out, "{word:<INDENT$}{text}")?;
    }
    let more = causes.len().saturating_sub(SHOWN_CAUSES);
    let proof = match (causes.len(), more) {
        (0, _) => return Ok(()),
        (1, _) => format!("it gives exactly {what}"),
        (_, 0) => format!("each gives exactly {what}"),
        _ => format!("... and {more} more; each gives exactly {what}"),
    };
    writeln!(out, "{:INDENT$}{}", "", folded(&proof, INDENT))
}

pub fn write_if_incomplete(is_complete: bool, out: &mut impl Write) -> io::Result<()> {
    if is_complete { Ok(()) } else { writeln!(out, "{}", incomplete_line()) }
}

/// Returns how often a bug was seen: `once`, `12 times`.
pub fn seen(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { format!("{} times", grouped(times.into())) }
}

/// Returns the number of bugs in words, in green or red. An incomplete search without a bug has no result.
pub fn number_of_bugs(bugs: usize, is_complete: bool) -> String {
    match bugs {
        0 if !is_complete => styled("no bug found so far", AnsiColor::Yellow),
        0 => styled("no bug found", AnsiColor::Green),
        1 => styled("1 bug", AnsiColor::Red),
        bugs => styled(&format!("{bugs} bugs"), AnsiColor::Red),
    }
}

/// Returns a position and the moves from there: `FEN moves e2e4 e7e5`.
pub fn line(fen: &str, path: &[String]) -> String {
    if path.is_empty() { fen.to_owned() } else { format!("{fen} moves {}", path.join(" ")) }
}

pub fn board(fen: &str) -> String {
    Setup::from_fen(fen).map(|setup| setup.diagram()).unwrap_or_default()
}
