//! The counts of depths and moves, with the leaf nodes by kind, and the loops over positions and depths that make them.

use std::io::{self, Write};
use std::time::Duration;

use perft_core::{Move, Position};
use perft_count::{LeafKind, LeafStatistics, Progress, StatisticsTable};
use serde::{Serialize, Serializer};

use crate::engine::measured;
use crate::input::{BasicCountingArgs, Counting, ExactArgs, Game, Games, available_bytes};
use crate::output::{
    CliError, Context, CountMode, Digits, ExactSplit, Format, INCOMPLETE, Nodes, Report, Table, emit,
    per_second, tabular, write_json,
};
use crate::timing::{Sample, Timings};

/// A number of leaf nodes, and the number of each kind of them if they were counted too.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Leaves {
    #[serde(flatten)]
    pub nodes: Nodes,
    #[serde(flatten)]
    pub kinds: Option<Kinds>,
}

/// Leaf nodes, which are written with one field per kind.
#[derive(Clone, Copy, Debug)]
pub struct Kinds(pub LeafStatistics);

impl Serialize for Kinds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(LeafKind::ALL.iter().map(|kind| (kind.name, (kind.count)(&self.0))))
    }
}

impl From<u128> for Leaves {
    fn from(nodes: u128) -> Leaves {
        Leaves { nodes: Nodes(nodes), kinds: None }
    }
}

impl From<LeafStatistics> for Leaves {
    fn from(leaves: LeafStatistics) -> Leaves {
        Leaves { nodes: Nodes(leaves.nodes), kinds: Some(Kinds(leaves)) }
    }
}

impl Leaves {
    /// Returns the number, and the numbers of the kinds if they were counted.
    pub fn cells(&self, digits: Digits) -> Vec<String> {
        let kinds = self.kinds.iter();
        let kinds = kinds.flat_map(|Kinds(leaves)| LeafKind::ALL.iter().map(|kind| (kind.count)(leaves)));
        [self.nodes.0].into_iter().chain(kinds).map(|number| digits.count(number)).collect()
    }
}

/// Returns the names of the kinds as headings of columns.
pub fn kind_names(digits: Digits) -> impl Iterator<Item = String> {
    LeafKind::ALL.iter().map(move |kind| match digits {
        Digits::Plain => kind.name.to_owned(),
        Digits::Grouped => kind.name.replace('_', " "),
    })
}

#[derive(Clone, Debug, Serialize)]
pub struct DepthResult {
    /// The depth in plies.
    pub depth: u32,
    /// The distinct positions, if they are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    #[serde(flatten)]
    pub leaves: Leaves,
    /// The time of the count in seconds.
    pub seconds: f64,
    /// The speed in leaf nodes per second.
    pub nodes_per_second: f64,
    /// The processor time of the count in seconds, on all threads together; `None` if the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor_seconds: Option<f64>,
    /// How an exact count was made; `None` for other counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactSplit>,
    /// The count as a benchmark of one run.
    #[serde(flatten)]
    pub timings: Option<Timings>,
}

impl DepthResult {
    pub fn new(depth: u32, leaves: Leaves, elapsed: Duration) -> DepthResult {
        let seconds = elapsed.as_secs_f64();
        DepthResult {
            depth,
            positions: None,
            leaves,
            seconds,
            nodes_per_second: per_second(leaves.nodes.0, seconds),
            processor_seconds: None,
            exact: None,
            timings: None,
        }
    }

    /// Returns the line that qperft prints: `perft( 6)=    119060324 ( 0.625 sec)`, or a similar one with the distinct
    /// positions.
    pub fn line(&self, digits: Digits) -> String {
        let DepthResult { depth, positions, seconds, .. } = *self;
        let nodes = digits.in_column(self.leaves.nodes.0);
        match positions.map(|positions| digits.in_column(positions)) {
            Some(positions) => {
                format!("unique({depth:2})= {positions} of {nodes} nodes ({seconds:6.3} sec)")
            }
            None => format!("perft({depth:2})= {nodes} ({seconds:6.3} sec)"),
        }
    }
}

/// Builds the driver of a count of statistics, and its table if it has one.
///
/// # Errors
/// The CPU path or the threads are not available, or there is no memory for the table.
pub fn counting_kinds(args: BasicCountingArgs, exact: &ExactArgs) -> Result<Counting, CliError> {
    let build = |size: u64| {
        let table = StatisticsTable::new(available_bytes(size, "--hash")?, 0);
        table.map_err(|error| CliError::usage("--hash").because(error))
    };
    let kinds_table = args.hash.map(build).transpose()?;
    let mut counting = args.machine.build()?;
    let settings = &mut counting.head.settings;
    settings.table_bytes = kinds_table.as_ref().map_or(0, StatisticsTable::bytes);
    counting = exact.apply(counting)?;
    (counting.head.settings.mode, counting.head.settings.bulk) = (CountMode::Statistics, false);
    Ok(Counting { kinds_table, ..counting })
}

impl Counting {
    pub fn has_kinds(&self) -> bool {
        self.head.settings.mode == CountMode::Statistics
    }

    /// Counts the leaf nodes, with their kinds if these are counted. Also returns what the count has used.
    ///
    /// # Errors
    /// The count was interrupted or has no room, or the kinds do not fit into 128 bits.
    pub fn count(
        &self,
        position: &Position,
        depth: u32,
        progress: &Progress,
    ) -> Result<(DepthResult, Sample), CliError> {
        let perft = &self.perft;
        let (counted, elapsed, cost) = measured(|| -> Result<(Leaves, _), CliError> {
            Ok(match (self.has_kinds(), self.head.memory_bytes) {
                (false, 0) => (perft.count_with_progress(position, depth, progress)?.into(), None),
                (false, memory_bytes) => {
                    let count = perft.count_exact(position, depth, memory_bytes, progress)?;
                    (count.total.into(), Some(ExactSplit::from(&count)))
                }
                (true, 0) => {
                    (perft.statistics(position, depth, self.kinds_table.as_ref(), progress)?.into(), None)
                }
                (true, memory_bytes) => {
                    let count = perft.statistics_exact(position, depth, memory_bytes, progress)?;
                    (count.total.into(), Some(ExactSplit::from(&count)))
                }
            })
        });
        let (leaves, exact) = counted?;
        self.refuse_too_many(depth, leaves.nodes)?;
        let processor_seconds = cost.processor_time.map(|time| time.as_secs_f64());
        let result = DepthResult { processor_seconds, exact, ..DepthResult::new(depth, leaves, elapsed) };
        Ok((result, Sample::new(elapsed, cost)))
    }

    /// Counts the leaf nodes below each move, with their kinds if these are counted.
    ///
    /// # Errors
    /// The same as for [`Counting::count`].
    pub fn divide(&self, game: &Game, progress: &Progress) -> Result<Vec<(Move, Leaves)>, CliError> {
        let (perft, table) = (&self.perft, self.kinds_table.as_ref());
        let (position, depth) = (game.position(), game.depth);
        if self.has_kinds() {
            let found = match self.head.memory_bytes {
                0 => perft.divide_statistics(position, depth, table, progress)?,
                memory_bytes => perft.divide_statistics_exact(position, depth, memory_bytes, progress)?,
            };
            let total: LeafStatistics = found.iter().map(|(_, leaves)| *leaves).sum();
            self.refuse_too_many(depth, Nodes(total.nodes))?;
            return Ok(found.into_iter().map(|(played, leaves)| (played, leaves.into())).collect());
        }
        let found = match self.head.memory_bytes {
            0 => perft.divide_with_progress(position, depth, progress)?,
            memory_bytes => perft.divide_exact(position, depth, memory_bytes, progress)?,
        };
        Ok(found.into_iter().map(|below| (below.played, below.nodes.into())).collect())
    }

    fn refuse_too_many(&self, depth: u32, nodes: Nodes) -> Result<(), CliError> {
        match nodes.0 {
            u128::MAX if self.has_kinds() => {
                Err(CliError::usage(format!("depth {depth} has more leaf nodes than 2^128")))
            }
            _ => Ok(()),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct MoveCount {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The leaf nodes below it.
    #[serde(flatten)]
    pub leaves: Leaves,
}

pub fn write_stockfish(moves: &[MoveCount], Nodes(total): Nodes, out: &mut impl Write) -> io::Result<()> {
    for MoveCount { played, leaves } in moves {
        writeln!(out, "{played}: {}", leaves.nodes.0)?;
    }
    writeln!(out, "\nNodes searched: {total}\n")
}

/// Returns one column per depth, and one row per kind.
pub fn text_table(results: &[DepthResult]) -> Table {
    let column = |result: &DepthResult| {
        let (depth, time) = (result.depth.to_string(), Digits::Grouped.seconds(result.seconds));
        [vec![depth], result.leaves.cells(Digits::of_output()), vec![time]].concat()
    };
    let columns: Vec<Vec<String>> = results.iter().map(column).collect();
    let labels = LeafKind::ALL.iter().map(|kind| kind.label);
    let labels = ["depth", "nodes"].into_iter().chain(labels).chain(["seconds"]);
    let mut rows = labels.enumerate().map(|(index, label)| {
        let cells = columns.iter().map(|column| column[index].clone());
        [label.to_owned()].into_iter().chain(cells).collect()
    });
    let header: Vec<String> = rows.next().expect("there is a row of depths");
    Table::new(header, rows)
}

/// Makes a report of each position with `report`, and prints it.
///
/// If there are several reports, each says which position it belongs to. Their JSON has one line per report, and their
/// comma-separated values are one table. `report` may print text before its report is printed. It returns the report,
/// and the reason if the report is incomplete.
///
/// # Errors
/// A position cannot be read, a report cannot be made or is incomplete, or the output cannot be written.
pub fn report_each<R: Report, W: Write>(
    games: Games,
    format: Format,
    context: &Context,
    out: &mut W,
    mut report: impl FnMut(Game, &mut W) -> Result<(R, Result<(), CliError>), CliError>,
) -> Result<(), CliError> {
    let are_several = matches!(games, Games::Input { .. });
    let mut is_first = true;
    games.for_each(context, |game| {
        let position = *game.position();
        match format {
            _ if !are_several => {}
            Format::Json | Format::Csv => {}
            Format::Markdown => writeln!(out, "{position}\n")?,
            Format::Text | Format::Stockfish | Format::Qperft => writeln!(out, "{position}")?,
        }
        let (report, ended) = report(game, out)?;
        if format == Format::Markdown && ended.is_err() {
            writeln!(out, "{INCOMPLETE}\n")?;
        }
        match format {
            Format::Json if are_several => write_json(&report, true, out)?,
            Format::Csv if are_several => {
                let table = tabular(report.table(Digits::Plain)).of_position(&position);
                if is_first { table.write_csv(out)? } else { table.write_csv_rows(out)? }
            }
            format => emit(&report, format, out)?,
        }
        if format == Format::Markdown && are_several {
            writeln!(out)?;
        }
        is_first = false;
        out.flush()?;
        ended
    })
}
