//! The report of `perft divide`: one count per root move, also in the formats of other programs. The comparison with
//! the divide of another program is in `comparison`.
//!
//! Moves are sorted as text. To compare with the divide of another program, sort its lines.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::AnsiColor;
use clap::ValueEnum;
use serde::Serialize;

use super::comparison::{DisputedMove, DivideComparison};
use crate::commands::count::DepthResult;
use crate::commands::hunt::report::{write_by_hand, write_causes};
use crate::output::error::CliError;
use crate::output::table::folded;
use crate::output::terminal::styled;
use crate::output::{
    Digits, Format, Nodes, PositionInfo, Provenance, Report, Table, agreeing, grouped, number_of, with_sign,
};

/// A format of a divide. The descriptions are those of `--help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DivideFormat {
    /// e2e4: 600, like go perft of Stockfish
    Stockfish,
    /// 2. e2e4 moves = 600, like qperft, but without the times of single moves and without promotion letters
    Qperft,
    /// One JSON object; one per line for positions from standard input
    Json,
    /// Comma-separated values
    Csv,
    /// A Markdown table
    Markdown,
}

impl DivideFormat {
    /// Returns the format of a result that is text or a table. The default is text.
    ///
    /// # Errors
    /// A usage error with this message if the format is one of a plain divide.
    pub fn of_table(format: Option<DivideFormat>, refusal: &str) -> Result<Format, CliError> {
        let format = format.map(DivideFormat::general);
        if format == Some(Format::Text) {
            return Err(CliError::usage(refusal).help("leave out --format, or choose json, csv or markdown"));
        }
        Ok(format.unwrap_or(Format::Text))
    }

    /// Returns the format of reports that this is a kind of.
    pub fn general(self) -> Format {
        match self {
            DivideFormat::Stockfish | DivideFormat::Qperft => Format::Text,
            DivideFormat::Json => Format::Json,
            DivideFormat::Csv => Format::Csv,
            DivideFormat::Markdown => Format::Markdown,
        }
    }
}

/// The counts below each move of a position.
#[derive(Clone, Debug, Serialize)]
pub struct DivideReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The position.
    pub position: PositionInfo,
    /// The depth in plies, including the root move.
    pub depth: u32,
    /// The leaf nodes below all moves.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The time of the whole count in seconds.
    pub seconds: f64,
    /// The speed in leaf nodes per second.
    pub nodes_per_second: f64,
    /// The moves, sorted as text.
    pub moves: Vec<MoveCount>,
    /// The format of the text.
    #[serde(skip)]
    pub format: DivideFormat,
}

#[derive(Clone, Debug, Serialize)]
pub struct MoveCount {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The leaf nodes below it.
    #[serde(flatten)]
    pub nodes: Nodes,
}

impl Report for DivideReport {
    const NAME: &'static str = "divide";

    /// Writes the report in the format of a program; that of Stockfish is the default.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        match self.format {
            DivideFormat::Qperft => self.write_qperft(out),
            _ => self.write_stockfish(out),
        }
    }

    fn table(&self, digits: Digits) -> Option<Table> {
        let row = |name: &str, nodes: Nodes| vec![name.to_owned(), digits.count(nodes.0)];
        let rows = self.moves.iter().map(|below| row(&below.played, below.nodes));
        let total = (digits == Digits::Grouped).then(|| row("total", self.nodes));
        Some(Table::new(["move", "nodes"], rows.chain(total)))
    }
}

impl DivideReport {
    fn write_stockfish(&self, out: &mut impl Write) -> io::Result<()> {
        for MoveCount { played, nodes } in &self.moves {
            writeln!(out, "{played}: {}", nodes.0)?;
        }
        writeln!(out, "\nNodes searched: {}\n", self.nodes.0)
    }

    fn write_qperft(&self, out: &mut impl Write) -> io::Result<()> {
        for MoveCount { played, nodes } in &self.moves {
            writeln!(out, "2. {} moves = {:10}", &played[..4], nodes.0)?;
        }
        let total = DepthResult::new(self.depth, self.nodes.0, Duration::from_secs_f64(self.seconds));
        writeln!(out, "{}", total.qperft_line(Digits::Plain))
    }
}

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
            writeln!(out, "{}\n", self.counts(self.column(), Digits::Grouped).text())?;
            write_reasons(self, out)?;
        }
        writeln!(out, "{}", folded(&result(self), 2))?;
        self.next.iter().try_for_each(|command| writeln!(out, "next: {command}"))
    }

    fn table(&self, digits: Digits) -> Option<Table> {
        let table = self.counts(self.column(), digits);
        Some(match digits {
            Digits::Plain => Table {
                header: ["move", "expected", "found", "difference"].map(str::to_owned).into(),
                ..table
            },
            Digits::Grouped => table,
        })
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
    shown.iter().try_for_each(|only| write_line(word, &only.disputed.why.text, out))?;
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
