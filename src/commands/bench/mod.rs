//! `perft bench`: measures the speed, and compares it with a baseline or with another build.
//!
//! - `args`: the arguments
//! - `tasks`: the positions that are timed, and their depths
//! - `builds`: the builds that are timed
//! - `reference`: the comparison with a baseline or with another build
//! - `warnings`: the reasons why results may be unreliable
//!
//! Bad arguments are refused before the first run.

pub mod args;
pub mod baseline;
pub mod baseline_files;
pub mod bench_result;
pub mod builds;
pub mod exports;
pub mod page;
pub mod plot;
pub mod reference;
pub mod reference_comparison;
pub mod report;
pub mod runs;
pub mod tasks;
pub mod title;
pub mod trackers;
pub mod warnings;

pub use args::BenchArgs;

use std::io::Write;
use std::process::ExitCode;
use std::thread::available_parallelism;

use builds::{BuildInfo, Builds};
use exports::Exports;
use report::{BenchReport, BenchResult};
use runs::{Interruption, RunBar, nothing_timed};
use tasks::OnFailure;

use crate::input::names_and_depth;
use crate::input::unread::UnreadInput;
use crate::output::context::Context;
use crate::output::environment;
use crate::output::error::{CliError, ENGINE_FAILED, SLOWER, WRONG, note};
use crate::timing::{BenchError, Clock, GateResult, Measured, Schedule, SystemClock, Task, TimedSource};

/// The label of the progress bar.
const LABEL: &str = "bench";

/// Runs the command.
pub fn run(args: BenchArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    if args.reference.list_baselines {
        baseline_files::names().iter().try_for_each(|name| writeln!(out, "{name}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    // --pin lowers this number.
    let cores = available_parallelism().map_or(1, usize::from);
    args.runs.pin()?;
    args.reference.check_bound()?;
    let counting = args.counting.build(context)?;
    let head = counting.head.clone();
    let saved = args.reference.path_to_save()?;
    let exports = Exports::prepare(&args.output, saved.as_deref())?;
    let baseline = reference::read_baseline(&args, &head, context)?;
    let (names, depth) = names_and_depth(&args.positions, args.depth)?;
    let _unread = names.is_empty().then(|| UnreadInput::watch("perft bench -".to_owned(), context));
    let cases = tasks::cases(&names, &context.stop)?;
    let clock = SystemClock::default();
    let mut builds = Builds::new(&args, counting, &clock, context)?;
    let environment = environment::of_bench(args.runs.cores());
    let before = warnings::printed(warnings::about_environment(&environment, &head, cores), context);
    let depth = |case: &perft_core::suite::Case| {
        depth.or_else(|| baseline.as_ref()?.depth(&case.position.to_string()))
    };
    let tasks = tasks::tasks(&cases, depth, builds.this(), OnFailure::Stop, context, LABEL)?;
    if let Some(baseline) = &baseline {
        reference::check_common_tasks(baseline, &tasks)?;
    }
    let measured = measure(&args.schedule(baseline.as_ref()), &tasks, builds.sources(), &clock, context)?;
    let interruption = Interruption::of(&measured);
    let (tasks, measured) = begun(tasks, measured)?;
    let after = match interruption {
        None => warnings::printed(warnings::about_samples(&tasks, &measured, &args.runs), context),
        Some(_) => Vec::new(),
    };
    // Incomplete results are not judged.
    let bound = args.reference.max_regression.filter(|_| interruption.is_none());
    let has_reference = baseline.is_some() || args.reference.against.is_some();
    let comparison =
        has_reference.then(|| reference::compare(&tasks, &measured, baseline.as_ref(), &args, bound));
    let missing = comparison.as_ref().map(|comparison| warnings::about_missing(&tasks, comparison));
    let missing = warnings::printed(missing.unwrap_or_default(), context);
    let is_slower = comparison.as_ref().is_some_and(|found| found.gate == Some(GateResult::Slower));
    let results = results(&tasks, &measured, &builds.infos(&args));
    let report = BenchReport {
        provenance: head,
        environment,
        measure: measured[0].measure,
        complete: interruption.is_none(),
        warnings: [before, after, missing].concat(),
        results,
        comparison,
    };
    let files = exports.names();
    exports.write(&report, args.output.format(), out)?;
    if let Some(interruption) = interruption {
        if saved.is_some() {
            note("the baseline was not saved, because its figures would be incomplete");
        }
        return Err(interruption.error(&files));
    }
    if let Some(path) = saved.filter(|_| !context.global.quiet) {
        note(format!("the result was saved as {}", path.display()));
    }
    Ok(if is_slower { ExitCode::from(SLOWER) } else { ExitCode::SUCCESS })
}

/// Makes all runs. The progress bar is drawn between runs only.
fn measure(
    schedule: &Schedule,
    tasks: &[Task],
    sources: &mut [TimedSource],
    clock: &dyn Clock,
    context: &Context,
) -> Result<Vec<Measured>, CliError> {
    let bar = RunBar::new(context, LABEL);
    let measured = schedule.run(tasks, sources, clock, |step| bar.show_step(step));
    measured.map_err(|error| {
        let (help, code) = match error {
            BenchError::Wrong { .. } => {
                ("no speeds are shown, because a count is wrong; perft suite checks the generator", WRONG)
            }
            BenchError::Failed { .. } => (
                "the program must accept --fen FEN --depth N --single --format csv, and the counting flags",
                ENGINE_FAILED,
            ),
        };
        CliError::Ended { message: error.to_string(), help: help.to_owned(), code }
    })
}

/// Returns the positions with at least one run. These are all positions, unless the runs were interrupted.
///
/// # Errors
/// No position has a run.
pub fn begun(tasks: Vec<Task>, measured: Vec<Measured>) -> Result<(Vec<Task>, Vec<Measured>), CliError> {
    let both = tasks.into_iter().zip(measured).filter(|(_, measured)| measured.has_begun());
    let (tasks, measured): (Vec<Task>, Vec<Measured>) = both.unzip();
    if tasks.is_empty() { Err(nothing_timed()) } else { Ok((tasks, measured)) }
}

/// Returns the results for the report: for each task, one result of each build.
fn results(tasks: &[Task], measured: &[Measured], builds: &[BuildInfo]) -> Vec<BenchResult> {
    let of_task = |(task, measured)| {
        let of_build = move |(index, build): (usize, &BuildInfo)| {
            BenchResult::new(task, measured, index, build.name.as_deref(), &build.command)
        };
        builds.iter().enumerate().map(of_build)
    };
    tasks.iter().zip(measured).flat_map(of_task).collect()
}
