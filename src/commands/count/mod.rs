//! `perft [POSITION] [DEPTH]`: counts the leaf nodes and prints one line per depth.

pub mod forecast;
pub mod report;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use forecast::warn_if_long;
use perft_core::Position;
use perft_count::{ExactError, Progress};
use report::{CountReport, DepthResult};

use crate::engine::own_usage;
use crate::input::games::{for_each_position, one_position};
use crate::input::{Counting, CountingArgs, ExactArgs, PositionArgs, Root};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::export::Export;
use crate::output::hyperfine::Timings;
use crate::output::numbers::is_output_grouped;
use crate::output::progress::watch;
use crate::output::{Emitter, FormatArgs, PositionInfo, write_json};
use crate::system::command_line;
use crate::timing::{Measure, Sample};

#[derive(Debug, Args)]
pub struct CountArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    output: CountOutput,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct CountOutput {
    #[command(flatten)]
    format: FormatArgs,
    /// Print only the last depth
    #[arg(long)]
    single: bool,
    /// Also write the result to this file, as JSON that hyperfine's scripts can read
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: CountArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let root = args.position.root("perft", None)?;
    let mut counting = args.counting.build(context)?;
    args.exact.apply(&mut counting, context.global.verbose)?;
    let mut emitter = Emitter::new(args.output.format.format(), root.is_stream());
    match &args.output.export_json {
        None => for_each_position(&root, context, |position| {
            emitter.begin(position, out)?;
            let report = args.count(position, &root, &counting, context, out)?;
            Ok(emitter.emit(&report, position, out)?)
        })?,
        Some(path) => {
            let position = one_position(&root, context)?;
            let export = Export::prepare(path)?;
            let report = args.count(&position, &root, &counting, context, out)?;
            emitter.emit(&report, &position, out)?;
            export.write(|mut out| write_json(&report, false, &mut out))?;
        }
    }
    counting.print_table_statistics(context);
    Ok(ExitCode::SUCCESS)
}

impl CountArgs {
    /// Counts one position depth by depth. Text is printed meanwhile.
    fn count(
        &self,
        position: &Position,
        root: &Root,
        counting: &Counting,
        context: &Context,
        out: &mut impl Write,
    ) -> Result<CountReport, CliError> {
        let last = root.depth;
        warn_if_long(position, last, counting, context);
        let is_text = self.output.format.is_text();
        let first = if self.output.single { last } else { last.min(1) };
        let mut results: Vec<DepthResult> = Vec::new();
        for depth in first..=last {
            let (mut result, sample) =
                timed(position, depth, counting, context).map_err(|error| match error {
                    ExactError::Interrupted(_) => {
                        CliError::interrupted_at(depth, results.last().map(|result| result.depth))
                    }
                    wrong => wrong.into(),
                })?;
            result.timings = self.timings(root, depth, sample);
            if is_text {
                write_line(&result, depth == last, out)?;
            }
            results.push(result);
        }
        let info = PositionInfo::new(position, root.notation(position));
        Ok(CountReport::new(counting.report_head(), info, results))
    }

    /// Returns the count as a benchmark of one run, if it is exported.
    fn timings(&self, root: &Root, depth: u32, sample: Sample) -> Option<Timings> {
        self.output.export_json.as_ref()?;
        let name = format!("{}, depth {depth}", root.name());
        let parameters = BTreeMap::from([("depth", depth.to_string())]);
        Some(Timings::new(name, self.command(root, depth), parameters, &[sample], Measure::Wall))
    }

    /// Returns the command that counts a depth in the same way.
    fn command(&self, root: &Root, depth: u32) -> String {
        let flags = [root.flags(), self.counting.flags(), self.exact.flags()].concat();
        format!("perft {} --depth {depth} --single", command_line::join(flags))
    }
}

/// Counts to a depth, shows progress and measures the time.
fn timed(
    position: &Position,
    depth: u32,
    counting: &Counting,
    context: &Context,
) -> Result<(DepthResult, Sample), ExactError> {
    let perft = &counting.perft;
    let before = own_usage();
    let start = Instant::now();
    let count = |progress: &Progress| match counting.exact_memory_bytes {
        Some(memory_bytes) => {
            let count = perft.count_exact(position, depth, memory_bytes, progress)?;
            Ok::<_, ExactError>(DepthResult::of_exact(depth, &count, start.elapsed()))
        }
        None => {
            let nodes = perft.count_with_progress(position, depth, progress)?;
            Ok(DepthResult::new(depth, nodes, start.elapsed()))
        }
    };
    let mut result = watch(context, &format!("perft({depth})"), count)?;
    let after = own_usage();
    if let Some(split) = result.exact.as_ref().filter(|_| context.global.verbose) {
        split.print(depth);
    }
    let usage = before.zip(after).map(|(before, after)| after.since(before));
    let processor_time = usage.map(|usage| usage.processor_time());
    result.processor_seconds = processor_time.map(|time| time.as_secs_f64());
    let sample = Sample {
        nodes: result.nodes.0,
        wall_seconds: result.seconds,
        processor_seconds: result.processor_seconds,
        usage,
    };
    Ok((result, sample))
}

fn write_line(result: &DepthResult, is_last: bool, out: &mut impl Write) -> Result<(), CliError> {
    let line = result.qperft_line(is_output_grouped());
    if is_last {
        let bold = anstyle::Style::new().bold();
        writeln!(out, "{bold}{line}{bold:#}  {}", result.rate())?;
    } else {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
}
