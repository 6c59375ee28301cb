//! `perft [POSITION] [DEPTH]`: counts the leaf nodes and prints one line per depth. `perft stats` also counts them by the
//! kind of the last move, and prints a column per depth.

use std::collections::BTreeMap;
use std::io::{self, Write};

use clap::Args;
use perft_count::{LeafKind, Progress, StatisticsTable};
use serde::Serialize;

use crate::input::{
    BasicCountingArgs, Counting, CountingArgs, ExactArgs, Game, PositionArgs, available_bytes,
};
use crate::output::{
    CliError, Context, CountMode, Digits, Export, Format, FormatArgs, Nodes, OutputFile, PositionInfo,
    Provenance, Report, Table, bold, incomplete_line, mega, mega_per_second, write_json,
};
use crate::report::counts::{DepthResult, count_depths, kind_names, report_each, text_table};
use crate::system::NAME;
use crate::system::command_line::join;
use crate::timing::{Sample, Timings};

#[derive(Debug, Args)]
pub struct CountArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    depths: DepthsArgs,
    /// Also write the result to this file, as JSON that hyperfine's scripts can read
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    export_json: Option<OutputFile>,
}

#[derive(Debug, Args)]
#[command(before_help = kinds_help())]
pub struct StatsArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: BasicCountingArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    depths: DepthsArgs,
}

/// How the counts of several depths are printed.
#[derive(Clone, Copy, Debug, Args)]
struct DepthsArgs {
    #[command(flatten)]
    format: FormatArgs,
    /// Print only the last depth
    #[arg(long, help_heading = "Output")]
    single: bool,
}

const KINDS: &str = "Every number is about the last move of a line and the position after it:\n";

const OTHER_NAMES: &str = "\
Some published tables count 'discovered' as 'discovery checks' and
'direct and discovered' as 'double checks'.";

fn kinds_help() -> String {
    let explained = LeafKind::ALL.iter().filter(|kind| !kind.about.is_empty());
    let kinds: String =
        explained.map(|LeafKind { label, about, .. }| format!("  {label:<23}  {about}\n")).collect();
    [KINDS, &kinds, OTHER_NAMES].concat()
}

pub fn run(args: CountArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let games = args.position.games(None, context)?;
    let mut counting = args.counting.build(context)?;
    args.exact.apply(&mut counting, context.global.verbose)?;
    let mut export = None;
    if let Some(path) = &args.export_json {
        games.refuse_many()?;
        export = Some(Export::prepare(path)?);
    }
    report_each(games, args.depths.format.format(), context, out, |game, out| {
        let timings =
            |depth, sample| args.export_json.as_ref().map(|_| timings(&game, depth, sample, context));
        let (report, ended) = args.depths.count::<false>("perft", &game, &counting, timings, context, out)?;
        if let Some(export) = export.take() {
            export.write(|mut out| write_json(&report, false, &mut out))?;
        }
        Ok((report, ended))
    })?;
    counting.print_table_statistics(context);
    Ok(())
}

pub fn run_stats(args: StatsArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let games = args.position.games(None, context)?;
    let counting = counting_kinds(args.counting, &args.exact, context)?;
    report_each(games, args.depths.format.format(), context, out, |game, out| {
        args.depths.count::<true>("stats", &game, &counting, |_, _| None, context, out)
    })
}

/// Builds the driver of a count of statistics, and its table if it has one.
///
/// # Errors
/// The CPU path or the threads are not available, or there is no memory for the table.
pub fn counting_kinds(
    args: BasicCountingArgs,
    exact: &ExactArgs,
    context: &Context,
) -> Result<Counting, CliError> {
    let build = |size: u64| {
        let table = StatisticsTable::new(available_bytes(size, "--hash")?, 0);
        table.map_err(|error| CliError::usage(format!("--hash: {error}")))
    };
    let kinds_table = args.hash.map(build).transpose()?;
    let mut counting = args.machine.build(context)?;
    counting.head.table_bytes = kinds_table.as_ref().map_or(0, StatisticsTable::bytes);
    exact.apply(&mut counting, context.global.verbose)?;
    (counting.head.mode, counting.head.bulk) = (CountMode::Statistics, false);
    Ok(Counting { has_kinds: true, kinds_table, ..counting })
}

impl DepthsArgs {
    /// Counts one position depth by depth, and prints the text of a plain count meanwhile. `timings` makes a benchmark of
    /// a count. Also returns the reason if depths are missing.
    fn count<const KINDS: bool>(
        self,
        label: &str,
        game: &Game,
        counting: &Counting,
        timings: impl Fn(u32, Sample) -> Option<Timings>,
        context: &Context,
        out: &mut impl Write,
    ) -> Result<(CountReport<KINDS>, Result<(), CliError>), CliError> {
        let last = game.depth;
        let first = if self.single { last } else { last.min(1) };
        let count = |depth, progress: &Progress| {
            let (result, sample) = counting.count(game.position(), depth, progress)?;
            Ok(DepthResult { timings: timings(depth, sample), ..result })
        };
        let (results, ended) = count_depths(label, first..=last, context, count, |result: &DepthResult| {
            if let Some(split) = result.exact.as_ref().filter(|_| context.global.verbose) {
                split.print(result.depth);
            }
            if self.format.format() == Format::Text && !KINDS {
                write_line(result, result.depth == last, out)?;
            }
            Ok(())
        })?;
        let &DepthResult { depth, leaves, seconds, .. } =
            results.last().expect("there is at least one depth");
        let (provenance, complete) = (counting.report_head(), ended.is_ok());
        let (position, nodes) = (game.info(), leaves.nodes);
        Ok((CountReport { provenance, complete, position, depth, nodes, seconds, results }, ended))
    }
}

/// Returns a count as a benchmark of one run.
fn timings(game: &Game, depth: u32, sample: Sample, context: &Context) -> Timings {
    let (words, given, depth) = (game.words.clone(), &context.given, depth.to_string());
    let name = format!("{}, depth {depth}", words.join(" "));
    let flags = [given.flags_of::<CountingArgs>(), given.flags_of::<ExactArgs>()].concat();
    let command = [vec![NAME.to_owned()], words, vec![depth.clone()], flags, vec!["--single".to_owned()]];
    let parameters = BTreeMap::from([("depth".to_owned(), depth)]);
    Timings::new(name, join(command.concat()), parameters, &[sample])
}

fn write_line(result: &DepthResult, is_last: bool, out: &mut impl Write) -> Result<(), CliError> {
    let line = result.qperft_line(Digits::of_output());
    if is_last {
        let speed = mega_per_second(result.leaves.nodes.0, result.seconds);
        writeln!(out, "{}  {speed}", bold(&line))?;
    } else {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
}

/// The counts of one position, by depth. With `KINDS`, also those of each kind.
#[derive(Clone, Debug, Serialize)]
pub struct CountReport<const KINDS: bool> {
    /// How the counts were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Whether all depths were counted. Otherwise the last ones are missing.
    pub complete: bool,
    pub position: PositionInfo,
    /// The last depth that was counted, in plies.
    pub depth: u32,
    /// The leaf nodes at that depth.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The time of that count in seconds.
    pub seconds: f64,
    /// The results of all depths, in ascending order.
    pub results: Vec<DepthResult>,
}

impl<const KINDS: bool> Report for CountReport<KINDS> {
    const NAME: &'static str = if KINDS { "stats" } else { "count" };

    /// Returns one row per depth.
    fn table(&self, digits: Digits) -> Option<Table> {
        let names = ["depth", "nodes"].map(str::to_owned).into_iter();
        let kinds = kind_names(digits).filter(|_| KINDS);
        let speed = match digits {
            _ if KINDS => &[][..],
            Digits::Plain => &["nodes_per_second", "processor_seconds"],
            Digits::Grouped => &["Mnps"],
        };
        let header = names.chain(kinds).chain(["seconds".to_owned()]);
        let header = header.chain(speed.iter().map(|&name| name.to_owned()));
        let rows = self.results.iter().map(|result| {
            let DepthResult { depth, seconds, nodes_per_second, processor_seconds, .. } = result;
            let speed = match digits {
                _ if KINDS => Vec::new(),
                Digits::Grouped => vec![mega(*nodes_per_second)],
                Digits::Plain => vec![
                    format!("{nodes_per_second:.0}"),
                    processor_seconds.map_or_else(String::new, |seconds| digits.seconds(seconds)),
                ],
            };
            let time = vec![digits.seconds(*seconds)];
            [vec![depth.to_string()], result.leaves.cells(digits), time, speed].concat()
        });
        Some(Table::new(header, rows))
    }

    /// Writes the kinds. The text of a plain count was printed while it ran.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        if KINDS && !self.complete {
            writeln!(out, "{}", incomplete_line())?;
        }
        if KINDS { writeln!(out, "{}", text_table(&self.results).text()) } else { Ok(()) }
    }
}
