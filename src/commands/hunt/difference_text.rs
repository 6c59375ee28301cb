//! The differences between two engines as text.

use std::io::{self, Write};

use anstyle::AnsiColor;

use super::difference_report::{ChessReport, DifferenceReport, DifferencesReport, MissingAnswer};
use super::text::{INDENT, board, line, write_if_incomplete};
use crate::output::fold::folded;
use crate::output::terminal::styled;
use crate::output::{Report, grouped, number_of};

/// The number of differences that the text shows. The JSON contains all of them.
pub const SHOWN_DIFFERENCES: usize = 10;

/// The number of moves with different counts that are shown.
const SHOWN: usize = 5;

impl Report for DifferencesReport {
    const NAME: &'static str = "hunt_reference";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let shown = self.differences.len().min(SHOWN_DIFFERENCES);
        let more = self.differences.len() - shown;
        if more > 0 {
            writeln!(
                out,
                "... and {} with a difference; --json lists all",
                number_of(more, "more position")
            )?;
        }
        self.notes.iter().try_for_each(|note| writeln!(out, "{}", folded(&format!("note: {note}"), 2)))?;
        write_if_incomplete(self.complete, out)?;
        let result = match self.differences.len() {
            0 if !self.complete => styled("no difference so far", AnsiColor::Yellow),
            0 => styled("no difference", AnsiColor::Green),
            _ => styled("they differ", AnsiColor::Red),
        };
        let summary = format!(
            "{} and {}: {result}: {} of {} answered differently; {} to each in {:.1} s",
            self.names[0],
            self.names[1],
            grouped(self.differences.len() as u128),
            number_of(self.positions, "position"),
            number_of(self.questions, "question"),
            self.seconds,
        );
        writeln!(out, "{}", folded(&summary, 2))
    }
}

/// Writes a difference. `names` are those of the engine and of its reference.
pub fn write_difference(
    number: usize,
    found: &DifferenceReport,
    names: [&str; 2],
    out: &mut impl Write,
) -> io::Result<()> {
    let color = if is_understood(found) { AnsiColor::Red } else { AnsiColor::Yellow };
    let title = styled(&format!("difference {number}"), color);
    writeln!(out, "{title}: {}\n", folded(about(found.kind), 2))?;
    if let Some(position) = &found.position {
        writeln!(out, "{}", board(&position.fen))?;
    }
    let here = line(&found.root.fen, &found.path);
    match &found.position {
        Some(position) if !found.path.is_empty() => {
            writeln!(out, "position  {}\nreached   {here}", position.fen)?;
        }
        _ => writeln!(out, "position  {here}")?,
    }
    write_counts(found, names, out)?;
    if let Some(chess) = &found.chess {
        write_chess(chess, names, out)?;
    }
    found.unread.iter().try_for_each(|line| writeln!(out, "unread    {line}"))?;
    let origin = line(&found.origin.root.fen, &found.origin.path);
    if origin != here {
        writeln!(out, "met in    {origin}, depth {}", found.origin_depth)?;
    }
    writeln!(out)
}

fn is_understood(found: &DifferenceReport) -> bool {
    found.missing_answer.is_none() && found.unread.is_empty()
}

fn about(kind: &str) -> &'static str {
    match kind {
        "moves" => "the moves differ",
        "counts" => "the counts differ",
        "contradiction" => {
            "the counts differ, but both agree when they are asked about the positions after each move"
        }
        "not-repeated" => {
            "the answers differ, but not if both are asked in fresh processes: a table or a state of one is not reset after \
             other questions, or chance decides"
        }
        "unread" => "the answers differ, and some of their lines were not understood",
        _ => "one of them gives no answer",
    }
}

fn write_counts(found: &DifferenceReport, names: [&str; 2], out: &mut impl Write) -> io::Result<()> {
    if let Some(MissingAnswer { from, error }) = &found.missing_answer {
        let name = names[usize::from(*from == "reference")];
        return writeln!(out, "depth {:<4}{}", found.depth, folded(&format!("{name}: {error}"), INDENT));
    }
    let [engine, reference] = names;
    if let Some(totals) = found.totals {
        let (first, second) = (grouped(totals.engine_nodes), grouped(totals.reference_nodes));
        writeln!(out, "depth {:<4}{engine} counts {first}, {reference} {second}", found.depth)?;
    }
    for (name, moves) in [(engine, &found.only_engine), (reference, &found.only_reference)] {
        if !moves.is_empty() {
            writeln!(out, "only      {}", folded(&format!("{name}: {}", moves.join(" ")), INDENT))?;
        }
    }
    for count in found.counts.iter().take(SHOWN) {
        let (first, second) = (grouped(count.counts.engine_nodes), grouped(count.counts.reference_nodes));
        writeln!(out, "below     {}: {engine} counts {first}, {reference} {second}", count.played)?;
    }
    match found.counts.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "{:INDENT$}... and {}", "", number_of(more, "more move")),
    }
}

fn write_chess(chess: &ChessReport, names: [&str; 2], out: &mut impl Write) -> io::Result<()> {
    let right = match chess.who_is_right {
        "engine" => format!("{} is right", names[0]),
        "reference" => format!("{} is right", names[1]),
        _ => "neither is right".to_owned(),
    };
    writeln!(out, "in chess  {right}: {}", grouped(chess.nodes.0))?;
    chess.explanations.iter().try_for_each(|why| writeln!(out, "{:INDENT$}{}", "", folded(why, INDENT)))
}
