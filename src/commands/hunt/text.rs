//! The text that the searches for bugs share.

use std::io::{self, Write};

use anstyle::AnsiColor;
use perft_core::Setup;

use super::report::{CauseReport, HuntTotals};
use crate::output::fold::folded;
use crate::output::terminal::{incomplete_line, styled};
use crate::output::{grouped, number_of};

/// The width of the first column of a finding.
pub const INDENT: usize = 10;

/// The number of causes that are shown.
const SHOWN_CAUSES: usize = 3;

/// Writes what was left out, and the last line: the engine, the result, and the number of faulty positions. `what`
/// describes them, as in `answered wrongly`.
pub fn write_totals(totals: &HuntTotals, result: &str, what: &str, out: &mut impl Write) -> io::Result<()> {
    let HuntTotals { engine, positions, faulty, questions, cut_short, notes, seconds, complete, .. } = totals;
    if *cut_short > 0 {
        writeln!(out, "{} reached the limit of --questions", number_of(*cut_short, "position"))?;
    }
    notes.iter().try_for_each(|note| writeln!(out, "{}", folded(note, 2)))?;
    write_if_incomplete(*complete, out)?;
    let name = engine.own_name.as_deref().unwrap_or(&engine.command);
    let (faulty, positions) = (grouped(*faulty as u128), number_of(*positions, "position"));
    let questions = number_of(*questions, "question");
    let summary = format!("{name}: {result}: {faulty} of {positions} {what}; {questions} in {seconds:.1} s");
    writeln!(out, "{}", folded(&summary, 2))?;
    totals.next.as_ref().map_or(Ok(()), |next| writeln!(out, "{next}"))
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

/// Writes what a user types to see a bug: the command that runs the engine, and the lines to type into it.
pub fn write_by_hand(lines: &[String], out: &mut impl Write) -> io::Result<()> {
    let labels = ["by hand"].into_iter().chain(std::iter::repeat(""));
    lines.iter().zip(labels).try_for_each(|(line, label)| writeln!(out, "{label:<INDENT$}{line}"))
}

pub fn write_if_incomplete(is_complete: bool, out: &mut impl Write) -> io::Result<()> {
    if is_complete { Ok(()) } else { writeln!(out, "{}", incomplete_line()) }
}

/// Returns how often a bug was seen: `once`, `12 times`.
pub fn seen(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { number_of(times, "time") }
}

/// Returns the number of bugs in words, in green or red. An incomplete search without a bug has no result.
pub fn number_of_bugs(bugs: usize, is_complete: bool) -> String {
    match bugs {
        0 if !is_complete => styled("no bug found so far", AnsiColor::Yellow),
        0 => styled("no bug found", AnsiColor::Green),
        bugs => styled(&number_of(bugs, "bug"), AnsiColor::Red),
    }
}

/// Returns a position and the moves from there: `FEN moves e2e4 e7e5`.
pub fn line(fen: &str, path: &[String]) -> String {
    if path.is_empty() { fen.to_owned() } else { format!("{fen} moves {}", path.join(" ")) }
}

pub fn board(fen: &str) -> String {
    Setup::from_fen(fen).map(|setup| setup.diagram()).unwrap_or_default()
}
