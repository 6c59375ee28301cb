//! `perft [POSITION] [DEPTH]`: counts the leaf nodes and prints one line per depth.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

use clap::Args;
use perft_core::Position;
use perft_count::Progress;
use perft_diagnosis::source::Cost;
use serde::Serialize;

use crate::engine::process_usage;
use crate::input::{Counting, CountingArgs, ExactArgs, Game, PositionArgs};
use crate::output::{
    CliError, Context, Digits, ExactSplit, Export, Format, FormatArgs, Nodes, OutputFile, PositionInfo,
    Provenance, Report, Table, bold, mega, mega_per_second, write_json,
};
use crate::report::counts::DepthResult;
use crate::report::depths::{count_depths, report_each};
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
    format: FormatArgs,
    /// Print only the last depth
    #[arg(long, help_heading = "Output")]
    single: bool,
    /// Also write the result to this file, as JSON that hyperfine's scripts can read
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    export_json: Option<OutputFile>,
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
    report_each(games, args.format.format(), context, out, |game, out| {
        let (report, ended) = args.count(&game, &counting, context, out)?;
        if let Some(export) = export.take() {
            export.write(|mut out| write_json(&report, false, &mut out))?;
        }
        Ok((report, ended))
    })?;
    counting.print_table_statistics(context);
    Ok(())
}

impl CountArgs {
    /// Counts one position depth by depth, and prints text meanwhile. Also returns the reason if depths are missing.
    fn count(
        &self,
        game: &Game,
        counting: &Counting,
        context: &Context,
        out: &mut impl Write,
    ) -> Result<(CountReport, Result<(), CliError>), CliError> {
        let last = game.depth;
        let first = if self.single { last } else { last.min(1) };
        let count = |depth, progress: &Progress| {
            let (mut result, sample) = timed(game.position(), depth, counting, progress)?;
            result.timings = self.timings(game, depth, sample, context);
            Ok(result)
        };
        let (results, ended) =
            count_depths("perft", first..=last, context, count, |result: &DepthResult| {
                if let Some(split) = result.exact.as_ref().filter(|_| context.global.verbose) {
                    split.print(result.depth);
                }
                if self.format.format() == Format::Text {
                    write_line(result, result.depth == last, out)?;
                }
                Ok(())
            })?;
        let &DepthResult { depth, nodes, seconds, .. } = results.last().expect("there is at least one depth");
        let (provenance, complete) = (counting.report_head(), ended.is_ok());
        let position = game.info();
        Ok((CountReport { provenance, complete, position, depth, nodes, seconds, results }, ended))
    }

    /// Returns the count as a benchmark of one run, if it is exported.
    fn timings(&self, game: &Game, depth: u32, sample: Sample, context: &Context) -> Option<Timings> {
        self.export_json.as_ref()?;
        let (words, given, depth) = (game.words(), &context.given, depth.to_string());
        let name = format!("{}, depth {depth}", words.join(" "));
        let flags = [given.flags_of::<CountingArgs>(), given.flags_of::<ExactArgs>()].concat();
        let command = [vec![NAME.to_owned()], words, vec![depth.clone()], flags, vec!["--single".to_owned()]];
        let parameters = BTreeMap::from([("depth".to_owned(), depth)]);
        Some(Timings::new(name, join(command.concat()), parameters, &[sample]))
    }
}

fn timed(
    position: &Position,
    depth: u32,
    counting: &Counting,
    progress: &Progress,
) -> Result<(DepthResult, Sample), CliError> {
    let (perft, before, start) = (&counting.perft, process_usage(), Instant::now());
    let (nodes, exact) = match counting.exact_memory_bytes {
        Some(memory_bytes) => {
            let count = perft.count_exact(position, depth, memory_bytes, progress)?;
            (count.total, Some(ExactSplit::from(&count)))
        }
        None => (perft.count_with_progress(position, depth, progress)?, None),
    };
    let elapsed = start.elapsed();
    let usage = before.zip(process_usage()).map(|(before, after)| after.since(before));
    let processor_time = usage.map(|usage| usage.processor_time());
    let processor_seconds = processor_time.map(|time| time.as_secs_f64());
    let result = DepthResult { processor_seconds, exact, ..DepthResult::new(depth, nodes, elapsed) };
    Ok((result, Sample::new(elapsed, Cost { processor_time, usage, ..Cost::default() })))
}

fn write_line(result: &DepthResult, is_last: bool, out: &mut impl Write) -> Result<(), CliError> {
    let line = result.qperft_line(Digits::of_output());
    if is_last {
        let speed = mega_per_second(result.nodes.0, result.seconds);
        writeln!(out, "{}  {speed}", bold(&line))?;
    } else {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
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

    fn table(&self, digits: Digits) -> Option<Table> {
        let last =
            if digits == Digits::Plain { &["nodes_per_second", "processor_seconds"][..] } else { &["Mnps"] };
        let header = [&["depth", "nodes", "seconds"], last].concat();
        let rows = self.results.iter().map(|result| {
            let DepthResult { depth, nodes, seconds, nodes_per_second, processor_seconds, .. } = result;
            let mut row = vec![depth.to_string(), digits.count(nodes.0), digits.seconds(*seconds)];
            match digits {
                Digits::Grouped => row.push(mega(*nodes_per_second)),
                Digits::Plain => row.extend([
                    format!("{nodes_per_second:.0}"),
                    processor_seconds.map_or_else(String::new, |seconds| digits.seconds(seconds)),
                ]),
            }
            row
        });
        Some(Table::new(header, rows))
    }
}
