//! The divide: a count for each root move, in the formats of the programs it is compared with.
//!
//! Moves are sorted as text, so that a divide of any other program can be compared after a `sort`.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use super::count::DepthResult;
use super::nodes::per_second;
use super::{Context, Nodes, PositionInfo, grouped, markdown_table, write_json};
use perft_core::CastlingNotation;
use perft_core::RootMove;

/// The formats of a divide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DivideFormat {
    /// What Stockfish prints for `go perft`: a line a move, then the total.
    Stockfish,
    /// What qperft prints for a split count, without the times of the single moves, in which two runs would always
    /// differ, and without promotion letters, which qperft does not print.
    Qperft,
    /// What perftree expects of a script.
    Perftree,
    /// One JSON object.
    Json,
    /// A JSON object for each move, then the one of the whole without the moves.
    Jsonl,
    /// Comma-separated values with a header.
    Csv,
    /// A Markdown table.
    Markdown,
}

impl DivideFormat {
    /// All formats.
    pub const ALL: [DivideFormat; 7] = [
        DivideFormat::Stockfish,
        DivideFormat::Qperft,
        DivideFormat::Perftree,
        DivideFormat::Json,
        DivideFormat::Jsonl,
        DivideFormat::Csv,
        DivideFormat::Markdown,
    ];

    /// The name by which a user asks for it.
    pub const fn name(self) -> &'static str {
        match self {
            DivideFormat::Stockfish => "stockfish",
            DivideFormat::Qperft => "qperft",
            DivideFormat::Perftree => "perftree",
            DivideFormat::Json => "json",
            DivideFormat::Jsonl => "jsonl",
            DivideFormat::Csv => "csv",
            DivideFormat::Markdown => "markdown",
        }
    }

    /// What it looks like.
    pub const fn about(self) -> &'static str {
        match self {
            DivideFormat::Stockfish => "e2e4: 600, as go perft prints it",
            DivideFormat::Qperft => "2. e2e4 moves = 600, as qperft prints it",
            DivideFormat::Perftree => "e2e4 600, as perftree wants it",
            DivideFormat::Json => "One JSON object; from standard input, one a line",
            DivideFormat::Jsonl => "A JSON object a move, then one for the whole",
            DivideFormat::Csv => "Comma-separated values",
            DivideFormat::Markdown => "A Markdown table",
        }
    }
}

/// The counts below each move of a position.
#[derive(Clone, Debug, Serialize)]
pub struct DivideReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub context: Context,
    /// What was counted.
    pub position: PositionInfo,
    /// The depth in plies, the root move included.
    pub depth: u32,
    /// The leaf nodes below all moves.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The time that the whole took.
    pub seconds: f64,
    /// The leaf nodes a second.
    pub nodes_per_second: f64,
    /// The moves, sorted as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveCount>,
    #[serde(skip)]
    total: u128,
}

/// The count below one move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveCount {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The leaf nodes below it.
    #[serde(flatten)]
    nodes_field: Nodes,
    #[serde(skip)]
    nodes: u128,
}

impl MoveCount {
    /// The leaf nodes below a move.
    pub fn new(played: String, nodes: u128) -> MoveCount {
        MoveCount { played, nodes_field: nodes.into(), nodes }
    }
}

impl DivideReport {
    /// A report of these counts, sorted.
    pub fn new(
        context: Context,
        position: PositionInfo,
        depth: u32,
        moves: &[RootMove],
        elapsed: Duration,
    ) -> DivideReport {
        let notation =
            if position.chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        let mut counts: Vec<MoveCount> =
            moves.iter().map(|root| MoveCount::new(root.played.to_uci(notation), root.nodes)).collect();
        counts.sort_by(|a, b| a.played.cmp(&b.played));
        let total = moves.iter().map(|root| root.nodes).sum();
        let seconds = elapsed.as_secs_f64();
        DivideReport {
            context,
            position,
            depth,
            nodes: Nodes::from(total),
            seconds,
            nodes_per_second: per_second(total, seconds),
            moves: counts,
            total,
        }
    }

    /// Writes the report.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write(&self, format: DivideFormat, out: &mut impl Write) -> io::Result<()> {
        match format {
            DivideFormat::Stockfish => self.write_stockfish(out),
            DivideFormat::Qperft => self.write_qperft(out),
            DivideFormat::Perftree => self.write_perftree(out),
            DivideFormat::Json => write_json(self, false, out),
            DivideFormat::Jsonl => self.write_jsonl(out),
            DivideFormat::Csv => self.write_csv(out),
            DivideFormat::Markdown => self.write_markdown(out),
        }
    }

    fn write_stockfish(&self, out: &mut impl Write) -> io::Result<()> {
        for count in &self.moves {
            writeln!(out, "{}: {}", count.played, count.nodes)?;
        }
        writeln!(out, "\nNodes searched: {}\n", self.total)
    }

    fn write_qperft(&self, out: &mut impl Write) -> io::Result<()> {
        for count in &self.moves {
            writeln!(out, "2. {} moves = {:10}", &count.played[..4], count.nodes)?;
        }
        let total = DepthResult::new(self.depth, self.total, Duration::from_secs_f64(self.seconds));
        writeln!(out, "{}", total.qperft_line(false))
    }

    fn write_perftree(&self, out: &mut impl Write) -> io::Result<()> {
        for count in &self.moves {
            writeln!(out, "{} {}", count.played, count.nodes)?;
        }
        writeln!(out, "\n{}", self.total)
    }

    fn write_jsonl(&self, out: &mut impl Write) -> io::Result<()> {
        for count in &self.moves {
            write_json(count, true, out)?;
        }
        let whole = DivideReport { moves: Vec::new(), ..self.clone() };
        write_json(&whole, true, out)
    }

    fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(["move", "nodes"])?;
        for count in &self.moves {
            csv.write_record([&count.played, &count.nodes.to_string()])?;
        }
        csv.flush()
    }

    fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let total = vec!["total".to_owned(), grouped(self.total)];
        let rows = self.moves.iter().map(|count| vec![count.played.clone(), grouped(count.nodes)]);
        writeln!(out, "{}", markdown_table(&["move", "nodes"], rows.chain([total])))
    }
}
