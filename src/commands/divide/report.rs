//! The report of `perft divide`: one count per root move, also in the formats of other programs. The comparison with
//! the divide of another program is in `comparison`.
//!
//! Moves are sorted as text. To compare with the divide of another program, sort its lines.

use std::io::{self, Write};
use std::time::Duration;

use clap::ValueEnum;
use perft_core::{CastlingNotation, RootMove};
use serde::Serialize;

use crate::commands::count::report::DepthResult;
use crate::output::error::CliError;
use crate::output::numbers::per_second;
use crate::output::table::Table;
use crate::output::{Format, Nodes, PositionInfo, Provenance, Report, grouped, write_json};

/// A format of a divide. The descriptions are those of `--help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DivideFormat {
    /// e2e4: 600, like go perft of Stockfish
    Stockfish,
    /// 2. e2e4 moves = 600, like qperft, but without the times of single moves and without promotion letters
    Qperft,
    /// e2e4 600, for perftree
    Perftree,
    /// One JSON object; one per line for positions from standard input
    Json,
    /// One JSON object per move, then one for the total
    Jsonl,
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
        match format {
            None => Ok(Format::Text),
            Some(DivideFormat::Json) => Ok(Format::Json),
            Some(DivideFormat::Jsonl) => Ok(Format::Jsonl),
            Some(DivideFormat::Csv) => Ok(Format::Csv),
            Some(DivideFormat::Markdown) => Ok(Format::Markdown),
            Some(DivideFormat::Stockfish | DivideFormat::Qperft | DivideFormat::Perftree) => {
                Err(CliError::usage(refusal)
                    .help("leave out --format, or choose json, jsonl, csv or markdown"))
            }
        }
    }
}

/// The counts below each move of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveCount>,
}

/// The count below one move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveCount {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The leaf nodes below it.
    #[serde(flatten)]
    pub nodes: Nodes,
}

/// A line of the format `jsonl`: one move with the position that it belongs to.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DivideLine<'a> {
    /// The position.
    position: &'a PositionInfo,
    /// The count below the move.
    #[serde(flatten)]
    count: &'a MoveCount,
}

impl Report for DivideReport {
    const NAME: &'static str = "divide";
}

impl Report for DivideLine<'_> {
    const NAME: &'static str = "divide_move";
}

impl DivideReport {
    /// Makes a report of these counts and sorts them.
    pub fn new(
        provenance: Provenance,
        position: PositionInfo,
        depth: u32,
        moves: &[RootMove],
        elapsed: Duration,
    ) -> DivideReport {
        let notation =
            if position.chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        let count =
            |root: &RootMove| MoveCount { played: root.played.to_uci(notation), nodes: Nodes(root.nodes) };
        let mut counts: Vec<MoveCount> = moves.iter().map(count).collect();
        counts.sort_by(|a, b| a.played.cmp(&b.played));
        let total = moves.iter().map(|root| root.nodes).sum();
        let seconds = elapsed.as_secs_f64();
        DivideReport {
            provenance,
            position,
            depth,
            nodes: Nodes(total),
            seconds,
            nodes_per_second: per_second(total, seconds),
            moves: counts,
        }
    }

    /// Writes the report in a format. If it is one of several, it also says which position it belongs to.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write(
        &self,
        format: DivideFormat,
        is_one_of_several: bool,
        out: &mut impl Write,
    ) -> io::Result<()> {
        use DivideFormat::{Csv, Json, Jsonl, Markdown, Perftree, Qperft, Stockfish};
        let fen = Some(&self.position.fen).filter(|_| is_one_of_several);
        match (format, fen) {
            (Stockfish | Qperft | Perftree, Some(fen)) => writeln!(out, "{fen}")?,
            (Markdown, Some(fen)) => writeln!(out, "{fen}\n")?,
            _ => {}
        }
        match format {
            Stockfish => self.write_stockfish(out),
            Qperft => self.write_qperft(out),
            Perftree => self.write_perftree(out),
            Json => write_json(self, is_one_of_several, out),
            Jsonl => self.write_jsonl(out),
            Csv => self.write_csv(fen, out),
            Markdown => self.write_markdown(out),
        }?;
        if format == Markdown && fen.is_some() { writeln!(out) } else { Ok(()) }
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

    fn write_perftree(&self, out: &mut impl Write) -> io::Result<()> {
        for MoveCount { played, nodes } in &self.moves {
            writeln!(out, "{played} {}", nodes.0)?;
        }
        writeln!(out, "\n{}", self.nodes.0)
    }

    fn write_jsonl(&self, out: &mut impl Write) -> io::Result<()> {
        for count in &self.moves {
            write_json(&DivideLine { position: &self.position, count }, true, out)?;
        }
        let whole = DivideReport { moves: Vec::new(), ..self.clone() };
        write_json(&whole, true, out)
    }

    /// Writes comma-separated values, with a first column for the FEN if it is given.
    fn write_csv(&self, fen: Option<&String>, out: &mut impl Write) -> io::Result<()> {
        let header = fen.map(|_| "fen").into_iter().chain(["move", "nodes"]);
        let rows = self.moves.iter().map(|count| {
            fen.cloned().into_iter().chain([count.played.clone(), count.nodes.0.to_string()]).collect()
        });
        Table::new(header, rows).write_csv(out)
    }

    fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let total = vec!["total".to_owned(), grouped(self.nodes.0)];
        let rows = self.moves.iter().map(|count| vec![count.played.clone(), grouped(count.nodes.0)]);
        writeln!(out, "{}", Table::new(["move", "nodes"], rows.chain([total])).markdown())
    }
}
