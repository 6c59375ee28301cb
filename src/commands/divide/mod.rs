//! `perft divide`: counts the leaf nodes below each root move, also in the formats of other programs.
//!
//! Moves are sorted as text. To compare with the divide of another program, sort its lines.
//!
//! - `against`: compares the counts with those of another program
//! - `comparison`: the report of such a comparison

pub mod against;
pub mod comparison;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use perft_core::Move;
use perft_count::LeafStatistics;
use serde::Serialize;

use crate::input::{
    Counting, CountingArgs, EngineArgs, ExactArgs, Game, PositionArgs, counting_kinds, refuse_options,
};
use crate::output::{
    CliError, Context, Digits, Format, FormatArgs, Leaves, Nodes, PositionInfo, Provenance, Report, Table,
    formats, kind_names, per_second, watch,
};
use crate::report::counts::{DepthResult, MoveCount, write_stockfish};

#[derive(Debug, Args)]
#[command(
    mut_arg("depth", |depth| depth.help("Depth in plies, including the root move")),
    mut_arg("engine", |engine| engine.long("against").alias("engine").value_name("FILE|-|ENGINE").help(AGAINST)),
    mut_arg("ask_state", |line| line.hide(true)),
    mut_arg("format", |format| format.help(FORMAT).value_parser(formats([Format::Stockfish, Format::Qperft])))
)]
pub struct DivideArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    exact: ExactArgs,
    /// Also count captures, castling moves, promotions, checks and mates below each move, as perft stats does
    #[arg(long, help_heading = "Counting")]
    stats: bool,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

const AGAINST: &str = "Compare with another divide: the output of any program in a file or on standard input (-), or an \
     engine: a name from perft.toml, a program or a command. A file is read as text unless it is executable";

const FORMAT: &str =
    "Format of the result; every format sorts the moves as text [default: stockfish, or text with --against]";

impl DivideArgs {
    /// Returns the format of a result that is text or a table.
    ///
    /// # Errors
    /// A usage error with this message if the format is one of a plain divide.
    fn format_of_table(&self, refusal: &str) -> Result<Format, CliError> {
        match self.format.chosen() {
            Some(Format::Stockfish | Format::Qperft) => {
                Err(CliError::usage(refusal).help("leave out --format, or choose json, csv or markdown"))
            }
            _ => Ok(self.format.format()),
        }
    }

    fn refuse_for_stats(&self, context: &Context) -> Result<(), CliError> {
        if let Some(engine) = self.engine.text() {
            return Err(CliError::usage(format!("--stats counts without an engine, but '{engine}' is one"))
                .help("leave out one of them"));
        }
        self.format_of_table("this format has no columns for --stats")?;
        let because = "has no effect on kinds of leaf nodes and cannot be used with --stats";
        context.given.refuse::<CountingArgs>(&["threads", "hash", "cpu_path"], because)
    }
}

pub fn run(mut args: DivideArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    args.engine.take_from(&mut args.position.words, context)?;
    let counting = if args.stats {
        args.refuse_for_stats(context)?;
        counting_kinds(args.counting.basic, &args.exact)?
    } else {
        args.exact.apply(args.counting.build()?)?
    };
    let code = match args.engine.text() {
        Some(text) => against::compare(text, &args, &counting, context, out)?,
        None => {
            refuse_options("--against ENGINE", context)?;
            let format = args.format.chosen().unwrap_or(Format::Stockfish);
            let games = args.position.games(None, context)?;
            games.report_each(format, context, out, |game, _| {
                Ok((divide(&game.with_root_moves()?, &args, &counting, context)?, Ok(())))
            })?;
            ExitCode::SUCCESS
        }
    };
    counting.print_table_statistics();
    Ok(code)
}

fn divide(
    game: &Game,
    args: &DivideArgs,
    counting: &Counting,
    context: &Context,
) -> Result<DivideReport, CliError> {
    let (found, seconds) = timed(game, counting, context)?;
    let nodes = found.iter().map(|(_, leaves)| leaves.nodes.0).sum();
    let kinds = found.iter().filter_map(|(_, leaves)| Some(leaves.kinds?.0));
    let total = counting.has_kinds().then(|| kinds.sum::<LeafStatistics>().into());
    let row = |(played, leaves): (Move, Leaves)| MoveCount { played: played.to_uci(game.notation), leaves };
    let mut moves: Vec<MoveCount> = found.into_iter().map(row).collect();
    moves.sort_by(|a, b| a.played.cmp(&b.played));
    Ok(DivideReport {
        provenance: counting.report_head(),
        position: game.info(),
        depth: game.depth,
        nodes: Nodes(nodes),
        seconds,
        nodes_per_second: per_second(nodes, seconds),
        moves,
        total,
        format: args.format.chosen().unwrap_or(Format::Stockfish),
    })
}

/// Counts below each move, shows progress and measures the time in seconds.
fn timed(
    game: &Game,
    counting: &Counting,
    context: &Context,
) -> Result<(Vec<(Move, Leaves)>, f64), CliError> {
    let start = Instant::now();
    let divide = |progress: &_| counting.divide(game.position(), game.depth, progress);
    let found = watch(context, &format!("divide({})", game.depth), divide)?;
    Ok((found, start.elapsed().as_secs_f64()))
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
    pub total: Option<Leaves>,
    #[serde(skip)]
    pub format: Format,
}

impl Report for DivideReport {
    const NAME: &'static str = "divide";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        match (&self.total, self.format) {
            (Some(total), _) => {
                writeln!(out, "{}", self.kinds(total, Digits::of_output(), true, true).text())
            }
            (None, Format::Qperft) => self.write_qperft(out),
            (None, _) => write_stockfish(&self.moves, self.nodes, out),
        }
    }

    fn table(&self, digits: Digits) -> Option<Table> {
        if let Some(total) = &self.total {
            return Some(self.kinds(total, digits, false, digits == Digits::Grouped));
        }
        let row = |name: &str, nodes: Nodes| vec![name.to_owned(), digits.count(nodes.0)];
        let rows = self.moves.iter().map(|below| row(&below.played, below.leaves.nodes));
        let total = (digits == Digits::Grouped).then(|| row("total", self.nodes));
        Some(Table::new(["move", "nodes"], rows.chain(total)))
    }
}

impl DivideReport {
    /// Returns one row per move and one column per kind, and if `has_total`, the total last and the names for people.
    /// Kinds without a leaf node are left out if `only_found`.
    fn kinds(&self, total: &Leaves, digits: Digits, only_found: bool, has_total: bool) -> Table {
        let row = |name: &str, leaves: &Leaves| [vec![name.to_owned()], leaves.cells(digits)].concat();
        let total = row("total", total);
        let is_shown: Vec<bool> = total.iter().map(|cell| !only_found || cell != "0").collect();
        let shown = |row: Vec<String>| -> Vec<String> {
            row.into_iter().zip(&is_shown).filter_map(|(cell, is_shown)| is_shown.then_some(cell)).collect()
        };
        let names = kind_names(if has_total { Digits::Grouped } else { Digits::Plain });
        let header = shown(["move", "nodes"].map(str::to_owned).into_iter().chain(names).collect());
        let rows = self.moves.iter().map(|below| row(&below.played, &below.leaves));
        Table::new(header, rows.chain(has_total.then(|| total.clone())).map(shown))
    }

    fn write_qperft(&self, out: &mut impl Write) -> io::Result<()> {
        for MoveCount { played, leaves } in &self.moves {
            writeln!(out, "2. {} moves = {:10}", &played[..4], leaves.nodes.0)?;
        }
        let total = DepthResult::new(self.depth, self.nodes.0.into(), self.seconds);
        writeln!(out, "{}", total.line(Digits::Plain))
    }
}
