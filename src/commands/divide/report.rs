//! The report of `perft divide`: one count per root move, also in the formats of other programs. The comparison with
//! the divide of another program is in `comparison`.
//!
//! Moves are sorted as text. To compare with the divide of another program, sort its lines.

use std::io::{self, Write};
use std::time::Duration;

use clap::ValueEnum;
use serde::Serialize;

use crate::commands::count::report::DepthResult;
use crate::output::error::CliError;
use crate::output::{Format, Nodes, PositionInfo, Provenance, Report, Table, grouped};

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

    fn exact_table(&self) -> Option<Table> {
        Some(Table::new(["move", "nodes"], self.rows(|nodes| nodes.to_string())))
    }

    fn table(&self) -> Option<Table> {
        let total = vec!["total".to_owned(), grouped(self.nodes.0)];
        Some(Table::new(["move", "nodes"], self.rows(grouped).chain([total])))
    }
}

impl DivideReport {
    fn rows(&self, format: impl Fn(u128) -> String) -> impl Iterator<Item = Vec<String>> {
        self.moves.iter().map(move |count| vec![count.played.clone(), format(count.nodes.0)])
    }

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
        writeln!(out, "{}", total.qperft_line(false))
    }
}
