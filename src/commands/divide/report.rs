//! The report of `perft divide`: one count per root move, also in the formats of other programs.
//!
//! Moves are sorted as text. To compare with the divide of another program, sort its lines.

use std::io::{self, Write};
use std::time::Duration;

use clap::ValueEnum;
use perft_count::LeafKind;
use serde::Serialize;

use crate::output::{CliError, Digits, Format, Nodes, PositionInfo, Provenance, Report, Table};
use crate::report::counts::{DepthResult, Kinds, LeafKinds, MoveCount, cells, write_stockfish};

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

    /// Returns the format of reports that this format belongs to.
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
    /// With `--stats`, the leaf nodes of all moves by kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<LeafKinds>,
    #[serde(skip)]
    pub format: DivideFormat,
}

impl Report for DivideReport {
    const NAME: &'static str = "divide";

    /// Writes the divide as Stockfish or qperft does, or with `--stats` as a table.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        match (&self.total, self.format) {
            (Some(total), _) => {
                writeln!(out, "{}", self.kinds(total, Digits::of_output(), true, true).text())
            }
            (None, DivideFormat::Qperft) => self.write_qperft(out),
            (None, _) => write_stockfish(&self.moves, self.nodes, out),
        }
    }

    fn table(&self, digits: Digits) -> Option<Table> {
        if let Some(total) = &self.total {
            return Some(self.kinds(total, digits, false, digits == Digits::Grouped));
        }
        let row = |name: &str, nodes: Nodes| vec![name.to_owned(), digits.count(nodes.0)];
        let rows = self.moves.iter().map(|below| row(&below.played, below.nodes));
        let total = (digits == Digits::Grouped).then(|| row("total", self.nodes));
        Some(Table::new(["move", "nodes"], rows.chain(total)))
    }
}

impl DivideReport {
    /// Returns one row per move and one column per kind, and if `has_total`, the total last and the names for people.
    /// Kinds without a leaf node are left out if `only_found`.
    fn kinds(&self, total: &LeafKinds, digits: Digits, only_found: bool, has_total: bool) -> Table {
        let row = |name: &str, kinds: Kinds| [vec![name.to_owned()], cells(kinds, digits)].concat();
        let total = row("total", total.kinds);
        let is_shown: Vec<bool> = total.iter().map(|cell| !only_found || cell != "0").collect();
        let shown = |row: Vec<String>| -> Vec<String> {
            row.into_iter().zip(&is_shown).filter_map(|(cell, is_shown)| is_shown.then_some(cell)).collect()
        };
        let kinds = LeafKind::ALL.iter().map(|kind| kind.name);
        let names = ["move", "nodes"].into_iter().chain(kinds).map(|name| match has_total {
            true => name.replace('_', " "),
            false => name.to_owned(),
        });
        let header = shown(names.collect());
        let rows = self.moves.iter().filter_map(|below| Some(row(&below.played, below.kinds?)));
        Table::new(header, rows.chain(has_total.then(|| total.clone())).map(shown))
    }

    fn write_qperft(&self, out: &mut impl Write) -> io::Result<()> {
        for MoveCount { played, nodes, .. } in &self.moves {
            writeln!(out, "2. {} moves = {:10}", &played[..4], nodes.0)?;
        }
        let total = DepthResult::new(self.depth, self.nodes.0, Duration::from_secs_f64(self.seconds));
        writeln!(out, "{}", total.qperft_line(Digits::Plain))
    }
}
