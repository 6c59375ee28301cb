//! `perft bench`: measures the speed of this program, and compares it with other builds, engines and earlier results.
//!
//! - `args`: the arguments
//! - `contenders`: prepares what is measured: `contender` describes it, and `baseline` is a saved result
//! - `tasks`: the positions that are timed, and their depths
//! - `runs`: how often they are timed
//! - `measurement`, `report`: the record of what was measured
//! - `text`, `tables`, `csv`, `plot`, `page`, `exports`: the formats, which are written from the record
//! - `warnings`: the reasons why results may be unreliable
//!
//! All contenders take turns, and every count is checked. A contender that fails or counts wrong in a position has no
//! speed there, and the others continue. Bad arguments are refused before the first run.

pub mod args;
pub mod baseline;
pub mod contender;
pub mod contenders;
pub mod csv;
pub mod exports;
pub mod listed;
pub mod measurement;
pub mod page;
pub mod plot;
pub mod report;
pub mod runs;
pub mod tables;
pub mod tasks;
pub mod text;
pub mod warnings;

pub use args::BenchArgs;

use std::io::Write;
use std::process::ExitCode;
use std::thread::available_parallelism;

use contenders::Contenders;
use exports::Exports;
use measurement::Outcome;
use report::BenchReport;
use tasks::cases;

use crate::input::names_and_depth;
use crate::input::unread::UnreadInput;
use crate::output::context::Context;
use crate::output::environment;
use crate::output::error::{self, CliError, SLOWER};
use crate::timing::{Measured, SystemClock};

pub fn run(args: BenchArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    // --pin lowers this number.
    let cores = available_parallelism().map_or(1, usize::from);
    args.runs.pin()?;
    let exports = Exports::prepare(&args.output)?;
    let (report, interruption) = measured_report(&args, cores, context)?;
    let files = exports.names();
    exports.write(&report, args.output.format.format(), out)?;
    let Some(reached) = interruption else { return Ok(exit_code(&report)) };
    let written = match files.as_slice() {
        [] => "no file was written".to_owned(),
        files => format!("the figures so far were also written to {}", files.join(", ")),
    };
    Err(CliError::Interrupted(format!("{reached}; {written}")))
}

/// Measures everything. The machine has this number of cores. After an interruption, also returns how many positions
/// are complete.
fn measured_report(
    args: &BenchArgs,
    cores: usize,
    context: &Context,
) -> Result<(BenchReport, Option<String>), CliError> {
    let (names, depth) = names_and_depth(&args.positions, args.depth)?;
    let _unread = names.is_empty().then(|| UnreadInput::watch("perft bench -".to_owned(), context));
    let cases = cases(&names, &context.stop)?;
    let clock = SystemClock::default();
    let mut contenders = Contenders::new(args, &clock, context)?;
    let environment = environment::of_bench(args.runs.cores());
    let before = warnings::about_environment(&environment, &contenders.head, cores);
    let before = warnings::printed(before, context);
    let tasks = contenders.tasks(&cases, depth)?;
    let mut measured = contenders.run(&tasks);
    let (complete, positions) = (measured.iter().filter(|of| of.is_complete).count(), measured.len());
    let interruption =
        (complete < positions).then(|| format!("{complete} of {positions} positions have all their runs"));
    // Only an interruption leaves positions without runs.
    measured.retain(Measured::has_begun);
    if measured.is_empty() {
        let nothing = "no run was finished, so no result is shown and no file was written";
        return Err(CliError::Interrupted(nothing.to_owned()));
    }
    let after = match interruption {
        None => warnings::about_runs(&measured, &args.runs, contenders.baseline.as_ref()),
        Some(_) => Vec::new(),
    };
    let warnings = [before, warnings::printed(after, context)].concat();
    let (runs, head) = contenders.into_runs(measured, interruption.is_none());
    Ok((runs.report(head, environment, warnings), interruption))
}

/// Returns the exit code. A wrong count takes precedence over a contender that failed, and a failure takes precedence
/// over a slow contender.
fn exit_code(report: &BenchReport) -> ExitCode {
    match report.failures.is_empty() && report.has_slower() {
        true => ExitCode::from(SLOWER),
        false => error::exit_code(report.has_failure(Outcome::Wrong), report.has_failure(Outcome::Failed)),
    }
}

#[cfg(test)]
mod tests;
