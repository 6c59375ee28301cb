//! The comparison of two divides as text.

use std::io::{self, Write};

use anstyle::AnsiColor;

use super::comparison::{DisputedMove, DivideComparison};
use crate::commands::hunt::text::{write_by_hand, write_causes};
use crate::output::fold::folded;
use crate::output::terminal::styled;
use crate::output::{Report, Table, agreeing, grouped, number_of, with_sign};

/// The width of the first column of the lines below the table.
const INDENT: usize = 10;

/// The number of moves of one kind that are explained: missing, or not legal.
const EXPLAINED: usize = 8;

impl Report for DivideComparison {
    const NAME: &'static str = "divide_comparison";

    /// Writes a comparison: the moves that differ, why moves are missing or not legal, the result, and the next
    /// command.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}\n", heading(self))?;
        if !self.right {
            writeln!(out, "{}\n", self.counts(self.column(), grouped).text())?;
            write_reasons(self, out)?;
        }
        writeln!(out, "{}", folded(&result(self), 2))?;
        self.next.iter().try_for_each(|command| writeln!(out, "next: {command}"))
    }

    fn exact_table(&self) -> Option<Table> {
        let header = ["move", "expected", "found", "difference"].map(str::to_owned);
        Some(Table { header: header.into(), ..self.counts("", |nodes| nodes.to_string()) })
    }

    fn table(&self) -> Option<Table> {
        Some(self.counts(self.column(), grouped))
    }
}

/// Returns the heading. A FEN stays on one line, so that it can be copied.
fn heading(report: &DivideComparison) -> String {
    let position = report.position.label().replace(' ', "\u{a0}");
    let heading = format!("perft and {} at depth {} of {position}", report.other, report.depth);
    folded(&heading, 2).replace('\u{a0}', " ")
}

/// Writes the reasons for the difference, as far as they are known. Lines that were not understood are the only
/// reason if there are any.
fn write_reasons(report: &DivideComparison, out: &mut impl Write) -> io::Result<()> {
    if !report.unread.is_empty() {
        return report.unread.iter().try_for_each(|line| write_line("unread", &format!("\"{line}\""), out));
    }
    write_moves("extra", &report.extra, out)?;
    write_moves("missing", &report.missing, out)?;
    if let Some(sum) = report.sum {
        let (found, sum) = (with_sign(report.found, grouped), grouped(sum));
        write_line("sum", &format!("the moves add up to {sum}, but the stated total is {found}"), out)?;
    }
    if let Some(played) = &report.right_as_fen {
        let text = format!(
            "{} is right about the position after {played} when it is given as a FEN: making or taking back a move, a \
             transposition table, counting the last ply, or adding up is wrong",
            report.other
        );
        write_line("as FEN", &text, out)?;
    }
    let given = if report.lists_moves { "this divide" } else { "this total" };
    write_causes(&report.causes, given, out)?;
    write_by_hand(&report.by_hand, out)
}

/// Writes the reasons of the first moves, and the number of further moves.
fn write_moves(word: &str, moves: &[DisputedMove], out: &mut impl Write) -> io::Result<()> {
    let shown = &moves[..moves.len().min(EXPLAINED)];
    shown.iter().try_for_each(|only| write_line(word, &only.disputed.why, out))?;
    match moves.len() - shown.len() {
        0 => Ok(()),
        more => write_line("", &format!("... and {}", number_of(more, "more move")), out),
    }
}

fn write_line(word: &str, text: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{word:<INDENT$}{}", folded(text, INDENT))
}

fn result(report: &DivideComparison) -> String {
    let DivideComparison { right, lists_moves, listed, unlisted, agreeing: agree, unread, .. } = report;
    let moves = number_of(*listed, "move");
    let agreement = format!("{agree} of {moves} {}", agreeing(*agree, "agrees", "agree"));
    let without_moves = format!("{} lists no moves", report.other);
    let nodes = grouped(report.expected);
    match (right, lists_moves) {
        (true, true) if *unlisted > 0 => {
            let totals = styled("the totals agree", AnsiColor::Green);
            let shown = listed - unlisted;
            format!("{totals}: {nodes}; {shown} of {moves} {} listed", agreeing(shown, "was", "were"))
        }
        (true, true) => {
            let nodes = number_of(report.expected, "leaf node");
            format!("{}: {moves}, {nodes}", styled("they agree", AnsiColor::Green))
        }
        (true, false) => {
            format!("{}: {nodes}; {without_moves}", styled("the totals agree", AnsiColor::Green))
        }
        _ if !unread.is_empty() => {
            let said = styled("not all lines were understood", AnsiColor::Yellow);
            format!("{said}, which may explain the difference: {agreement}")
        }
        (false, true) => format!("{}: {agreement}", styled("they differ", AnsiColor::Red)),
        (false, false) => format!("{}; {without_moves}", styled("the totals differ", AnsiColor::Red)),
    }
}
