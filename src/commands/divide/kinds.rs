//! `perft divide --stats`: the kinds of leaf nodes below each root move.

use std::io::{self, Write};
use std::time::Instant;

use perft_core::Move;
use perft_count::{FrontierError, LeafKind, LeafStatistics, StatisticsTable};
use serde::Serialize;

use super::DivideArgs;
use super::report::DivideFormat;
use crate::commands::report_each;
use crate::commands::stats::{cells, refuse_too_many, serialize_kinds, statistics_counting};
use crate::input::{Counting, Game};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::terminal::watch;
use crate::output::{Digits, Nodes, PositionInfo, Provenance, Report, Table};

/// The kinds of leaf nodes below each root move.
#[derive(Clone, Debug, Serialize)]
pub struct DivideKindsReport {
    /// How the nodes were counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The position.
    pub position: PositionInfo,
    /// The depth in plies, including the root move.
    pub depth: u32,
    /// The time in seconds.
    pub seconds: f64,
    /// The moves, sorted as text.
    pub moves: Vec<MoveKinds>,
    /// The leaf nodes of all moves together.
    pub total: LeafKinds,
}

/// The leaf nodes below a root move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveKinds {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The leaf nodes below it.
    #[serde(flatten)]
    pub leaves: LeafKinds,
}

/// The number of leaf nodes, and of each kind of them.
#[derive(Clone, Debug, Serialize)]
pub struct LeafKinds {
    #[serde(flatten)]
    nodes: Nodes,
    #[serde(flatten, serialize_with = "serialize_kinds")]
    pub leaves: LeafStatistics,
}

/// Divides all positions that the arguments name, and prints the kinds.
///
/// # Errors
/// An argument does not go with the kinds, the count was interrupted, or the output cannot be written.
pub fn run(args: &DivideArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let refusal = "this format has no columns for --stats";
    let format = DivideFormat::of_table(args.format(), refusal)?;
    let (counting, table) =
        statistics_counting(args.counting.machine, args.counting.table, &args.exact, context)?;
    let games = args.position.games(None, context)?;
    report_each(games, format, context, out, |game, _| {
        Ok((divide(&game.with_root_moves()?, &counting, table.as_ref(), context)?, Ok(())))
    })
}

fn divide(
    game: &Game,
    counting: &Counting,
    table: Option<&StatisticsTable>,
    context: &Context,
) -> Result<DivideKindsReport, CliError> {
    let (position, depth, notation) = (game.position(), game.depth, game.notation);
    let start = Instant::now();
    let perft = &counting.perft;
    let found = watch(context, &format!("divide({depth})"), |progress| match counting.exact_memory_bytes {
        Some(memory_bytes) => perft.divide_statistics_exact(position, depth, memory_bytes, progress),
        None => perft.divide_statistics(position, depth, table, progress).map_err(FrontierError::from),
    })?;
    let total = found.iter().map(|(_, leaves)| *leaves).sum();
    refuse_too_many(depth, &total)?;
    let row = |(played, leaves): &(Move, LeafStatistics)| MoveKinds {
        played: played.to_uci(notation),
        leaves: LeafKinds::new(*leaves),
    };
    let mut moves: Vec<MoveKinds> = found.iter().map(row).collect();
    moves.sort_by(|a, b| a.played.cmp(&b.played));
    Ok(DivideKindsReport {
        provenance: counting.head.clone(),
        position: game.info(),
        depth,
        seconds: start.elapsed().as_secs_f64(),
        total: LeafKinds::new(total),
        moves,
    })
}

impl LeafKinds {
    pub fn new(leaves: LeafStatistics) -> LeafKinds {
        LeafKinds { nodes: Nodes(leaves.nodes), leaves }
    }
}

impl DivideKindsReport {
    /// Returns one row per move and one column per kind, and the total last if the table is for people. Kinds without a leaf
    /// node are left out if `only_found`.
    fn kinds(&self, digits: Digits, only_found: bool, has_total: bool) -> Table {
        let row =
            |name: &str, leaves: &LeafKinds| [vec![name.to_owned()], cells(&leaves.leaves, digits)].concat();
        let total = row("total", &self.total);
        let is_shown: Vec<bool> = total.iter().map(|cell| !only_found || cell != "0").collect();
        let shown = |row: Vec<String>| {
            row.into_iter().zip(&is_shown).filter_map(|(cell, is_shown)| is_shown.then_some(cell)).collect()
        };
        let kinds = LeafKind::ALL.iter().map(|kind| kind.name);
        let names = ["move", "nodes"].into_iter().chain(kinds).map(|name| match has_total {
            true => name.replace('_', " "),
            false => name.to_owned(),
        });
        let header: Vec<String> = shown(names.collect());
        let rows = self.moves.iter().map(|below| row(&below.played, &below.leaves));
        Table::new(header, rows.chain(has_total.then(|| total.clone())).map(shown))
    }
}

impl Report for DivideKindsReport {
    const NAME: &'static str = "divide_stats";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", self.kinds(Digits::of_output(), true, true).text())
    }

    fn table(&self, digits: Digits) -> Option<Table> {
        Some(self.kinds(digits, false, digits == Digits::Grouped))
    }
}
