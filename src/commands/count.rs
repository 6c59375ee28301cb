//! `perft [POSITION] [DEPTH]`: counts the leaf nodes and prints one line per depth. `perft stats` also counts them by the
//! kind of the last move, and prints a column per depth. `perft unique` counts the distinct positions at each ply.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write, stderr};
use std::time::Instant;

use clap::Args;
use perft_count::{Frontier, FrontierError, LeafKind, PlyCount, Progress};
use perft_lab::generators::Generator;
use serde::Serialize;

use crate::input::{
    BasicCountingArgs, Counting, CountingArgs, ExactArgs, Game, Games, MachineArgs, PositionArgs,
    counting_kinds, many_games, merging_memory, parse_size,
};
use crate::output::{
    CliError, Context, CountMode, Digits, Format, FormatArgs, Nodes, OutputFile, PositionInfo, Provenance,
    Report, Settings, Table, agreeing, bold, incomplete_line, kind_names, mega, mega_per_second, note,
    number_of, per_second, watch, write_json,
};
use crate::report::counts::{DepthResult, text_table};
use crate::report::exact_time::ExactTime;
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

#[derive(Debug, Args)]
#[command(mut_arg("depth", |depth| depth.help("Last ply to count")))]
pub struct UniqueArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten, next_help_heading = "Counting")]
    machine: MachineArgs,
    /// Memory for the positions: 4G, 512M, or a number of MiB [default: three quarters of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true, help_heading = "Counting")]
    memory: Option<u64>,
    #[command(flatten)]
    output: FormatArgs,
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
    let counting = args.exact.apply(args.counting.build()?)?;
    if let Some(file) = &args.export_json {
        if matches!(games, Games::Input { .. }) {
            return Err(many_games());
        }
        file.check()?;
    }
    games.report_each(args.depths.format.format(), context, out, |game, out| {
        let depths = args.depths.of(&game, context);
        let count = |depth, progress: &Progress| {
            let (result, sample) = count(&counting, &game, depth, progress)?;
            let timings = args.export_json.as_ref().map(|_| timings(&game, depth, sample, context));
            Ok(DepthResult { timings, ..result })
        };
        let (report, ended) = depths.report(&counting, count, out)?;
        if ended.is_ok() && !context.global.hides_progress() && stderr().is_terminal() {
            offer_exact(&report, &counting, &game, context);
        }
        if let Some(file) = &args.export_json {
            file.write(|mut out| write_json(&report, false, &mut out))?;
        }
        Ok((report, ended))
    })?;
    counting.print_table_statistics();
    Ok(())
}

fn count(
    counting: &Counting,
    game: &Game,
    depth: u32,
    progress: &Progress,
) -> Result<(DepthResult, Sample), CliError> {
    let (leaves, exact, sample) = counting.count(game.position(), depth, progress)?;
    let processor_seconds = sample.time_cpu.map(|time| time.value);
    let result = DepthResult::new(depth, leaves, sample.seconds());
    Ok((DepthResult { processor_seconds, exact, ..result }, sample))
}

/// Says how long an exact count would take, if the plain one took more than a second and at least twice as long.
fn offer_exact(report: &CountReport, counting: &Counting, game: &Game, context: &Context) {
    let CountReport { depth, seconds, nodes: Nodes(nodes), .. } = *report;
    let Settings { mode, generator, .. } = &counting.head.settings;
    if seconds < 1.0 || *mode != CountMode::Plain || generator != Generator::Bitboard.name() {
        return;
    }
    let speed = per_second(nodes, seconds);
    let exact = ExactTime::of(game.position(), depth, nodes as f64, speed, &counting.perft, &context.stop);
    if let Ok(exact) = exact
        && 2.0 * exact.seconds <= seconds
    {
        note(format_args!("with --exact, this takes about {:.1} s", exact.seconds));
    }
}

pub fn run_stats(args: StatsArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let games = args.position.games(None, context)?;
    let counting = counting_kinds(args.counting, &args.exact)?;
    games.report_each(args.depths.format.format(), context, out, |game, out| {
        let count = |depth, progress: &Progress| Ok(count(&counting, &game, depth, progress)?.0);
        args.depths.of(&game, context).report(&counting, count, out)
    })
}

pub fn run_unique(args: UniqueArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let games = args.position.games(None, context)?;
    let memory_bytes = merging_memory(args.memory)?;
    let mut counting = args.machine.build()?;
    (counting.head.settings.mode, counting.head.memory_bytes) = (CountMode::Unique, memory_bytes);
    let format = args.output.format();
    games.report_each(format, context, out, |game, out| {
        let (perft, mut frontier) = (&counting.perft, Frontier::new(game.position()));
        // The positions of the last ply are not stored.
        let count = |ply, progress: &Progress| {
            let start = Instant::now();
            let count = match ply {
                0 => Ok(frontier.count()),
                _ if ply == game.depth => frontier.count_next(perft, memory_bytes, progress),
                _ => frontier.next(perft, memory_bytes, progress).map(|next| {
                    frontier = next;
                    frontier.count()
                }),
            };
            let PlyCount { nodes, positions, .. } =
                count.map_err(|error| frontier_error(error, &frontier))?;
            let result = DepthResult::new(ply, nodes.into(), start.elapsed().as_secs_f64());
            Ok(DepthResult { positions: Some(positions), ..result })
        };
        Depths { format, first: 0, game: &game, context }.report(&counting, count, out)
    })
}

/// A position that is counted depth by depth.
struct Depths<'a> {
    format: Format,
    first: u32,
    game: &'a Game,
    context: &'a Context,
}

impl DepthsArgs {
    fn of<'a>(self, game: &'a Game, context: &'a Context) -> Depths<'a> {
        let first = if self.single { game.depth } else { game.depth.min(1) };
        Depths { format: self.format.format(), first, game, context }
    }
}

impl Depths<'_> {
    /// Counts each depth with `count`, shows its progress, and prints the text of a depth as soon as it is known. Also
    /// returns the reason why the last depths are missing, if they are.
    ///
    /// # Errors
    /// The first depth could not be counted, or the output cannot be written.
    fn report(
        &self,
        counting: &Counting,
        mut count: impl FnMut(u32, &Progress) -> Result<DepthResult, CliError>,
        out: &mut impl Write,
    ) -> Result<(CountReport, Result<(), CliError>), CliError> {
        let Depths { first, game, context, .. } = *self;
        let label = &context.given.command;
        let mut results: Vec<DepthResult> = Vec::new();
        let mut ended = Ok(());
        for depth in first..=game.depth {
            match watch(context, &format!("{label}({depth})"), |progress| count(depth, progress)) {
                Ok(result) => {
                    self.print(&result, out)?;
                    results.push(result);
                    continue;
                }
                Err(CliError::Interrupted(_)) => {
                    let last = results.last().map(|last| last.depth);
                    let last = last
                        .map_or_else(String::new, |last| format!("; depth {last} is the last one counted"));
                    ended = Err(CliError::Interrupted(format!("depth {depth} is unfinished{last}")));
                }
                Err(error) => ended = Err(error),
            }
            break;
        }
        let Some(&DepthResult { depth, leaves, positions, seconds, .. }) = results.last() else {
            return Err(ended.expect_err("there is at least one depth"));
        };
        let (provenance, complete) = (counting.report_head(), ended.is_ok());
        let (position, nodes) = (game.info(), leaves.nodes);
        let report =
            CountReport { provenance, complete, position, depth, positions, nodes, seconds, results };
        Ok((report, ended))
    }

    fn print(&self, result: &DepthResult, out: &mut impl Write) -> Result<(), CliError> {
        if let Some(split) = result.exact.as_ref().filter(|_| self.context.global.verbose) {
            split.print(result.depth);
        }
        if self.format != Format::Text || result.leaves.kinds.is_some() {
            return Ok(());
        }
        let line = result.line(Digits::of_output());
        if result.positions.is_none() && result.depth == self.game.depth {
            let speed = mega_per_second(result.leaves.nodes.0, result.seconds);
            writeln!(out, "{}  {speed}", bold(&line))?;
        } else {
            writeln!(out, "{line}")?;
        }
        Ok(out.flush()?)
    }
}

/// Returns the error for a ply that could not be counted; `frontier` holds the positions of the ply before.
fn frontier_error(error: FrontierError, frontier: &Frontier) -> CliError {
    match error {
        FrontierError::NoRoom { .. } => {
            let positions = number_of(frontier.positions(), "position");
            let bytes = number_of(frontier.bytes(), "byte");
            let stored = format!(
                "at ply {}, {positions} {} {bytes}",
                frontier.ply(),
                agreeing(frontier.positions(), "takes", "take")
            );
            let help = "give more with --memory SIZE, or a smaller --depth: the last ply needs less memory \
                        because it is not stored";
            CliError::usage(format!("{error}; {stored}")).help(help)
        }
        other => other.into(),
    }
}

fn timings(game: &Game, depth: u32, sample: Sample, context: &Context) -> Timings {
    let (words, given, depth) = (game.words.clone(), &context.given, depth.to_string());
    let name = format!("{}, depth {depth}", words.join(" "));
    let flags = [given.flags_of::<CountingArgs>(), given.flags_of::<ExactArgs>()].concat();
    let command = [vec![NAME.to_owned()], words, vec![depth.clone()], flags, vec!["--single".to_owned()]];
    let parameters = BTreeMap::from([("depth".to_owned(), depth)]);
    Timings::new(name, join(command.concat()), parameters, &[sample])
}

/// The counts of one position, by depth.
#[derive(Clone, Debug, Serialize)]
pub struct CountReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Whether all depths were counted. Otherwise the last ones are missing.
    pub complete: bool,
    pub position: PositionInfo,
    /// The last depth that was counted, in plies.
    pub depth: u32,
    /// The distinct positions at that depth, if they are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The leaf nodes at that depth.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The time of that count in seconds.
    pub seconds: f64,
    /// The results of all depths, in ascending order.
    pub results: Vec<DepthResult>,
}

impl Report for CountReport {
    const NAME: &'static str = "count";

    fn name(&self) -> &'static str {
        match self.provenance.settings.mode {
            CountMode::Statistics => "stats",
            CountMode::Unique => "unique",
            _ => Self::NAME,
        }
    }

    fn table(&self, digits: Digits) -> Option<Table> {
        let mut header = vec!["depth".to_owned(), "nodes".to_owned()];
        let mode = self.provenance.settings.mode;
        match mode {
            CountMode::Unique => header.insert(1, "positions".to_owned()),
            CountMode::Statistics => header.extend(kind_names(digits)),
            _ => {}
        }
        let speed: &[&str] = match (mode, digits) {
            (CountMode::Unique | CountMode::Statistics, _) => &[],
            (_, Digits::Plain) => &["nodes_per_second", "processor_seconds"],
            (_, Digits::Grouped) => &["Mnps"],
        };
        header.extend(["seconds"].iter().chain(speed).map(|&name| name.to_owned()));
        let rows = self.results.iter().map(|result| {
            let DepthResult { depth, positions, seconds, nodes_per_second, processor_seconds, .. } = result;
            let speed = match digits {
                _ if speed.is_empty() => Vec::new(),
                Digits::Grouped => vec![mega(*nodes_per_second)],
                Digits::Plain => vec![
                    format!("{nodes_per_second:.0}"),
                    processor_seconds.map_or_else(String::new, |seconds| digits.seconds(seconds)),
                ],
            };
            let first = [depth.to_string()].into_iter().chain(positions.map(|number| digits.count(number)));
            let time = vec![digits.seconds(*seconds)];
            [first.collect(), result.leaves.cells(digits), time, speed].concat()
        });
        Some(Table::new(header, rows))
    }

    /// Writes the kinds. The text of other counts was printed while they ran.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        if self.provenance.settings.mode != CountMode::Statistics {
            return Ok(());
        }
        if !self.complete {
            writeln!(out, "{}", incomplete_line())?;
        }
        writeln!(out, "{}", text_table(&self.results).text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_positions_nodes_and_time() {
        let result = DepthResult::new(4, 197_281.into(), 0.013);
        let result = DepthResult { positions: Some(72_078), ..result };
        assert_eq!(result.line(Digits::Plain), "unique( 4)=        72078 of       197281 nodes ( 0.013 sec)");
        assert_eq!(
            result.line(Digits::Grouped),
            "unique( 4)=           72,078 of          197,281 nodes ( 0.013 sec)"
        );
    }
}
