//! `perft bench`: measures the speed of this program, and compares it with other builds, engines and earlier results.
//!
//! - `args`: the arguments
//! - `contenders`: what is measured, and `baseline`: a saved result
//! - `tasks`: the positions that are timed, and their depths
//! - `report`: the record of what was measured
//! - `text`, `page`: the formats, which are written from the record
//! - `warnings`: the reasons why results may be unreliable
//!
//! All contenders take turns, and every count is checked. A contender that fails or counts wrong in a position has no
//! speed there, and the others continue. Bad arguments are refused before the first run.

pub mod args;
pub mod baseline;
pub mod contenders;
pub mod page;
pub mod report;
pub mod tasks;
pub mod text;
pub mod warnings;

use std::io::{self, IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

pub use args::BenchArgs;
use args::OutputArgs;
use contenders::Contenders;
use report::BenchReport;
use tasks::cases;

use crate::input::answers::UnreadInput;
use crate::output::context::Context;
use crate::output::error::{self, CliError, SLOWER};
use crate::output::export::Export;
use crate::output::terminal::WaitNote;
use crate::output::{Format, emit, environment};
use crate::timing::{Measured, Outcome, SystemClock};

pub fn run(args: BenchArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    // --pin lowers this number.
    let cores = available_parallelism().map_or(1, usize::from);
    args.runs.pin()?;
    let exports = exports(&args.output)?;
    let (report, interruption) = measured_report(&args, cores, context)?;
    let files: Vec<String> = exports.iter().map(|(_, export)| export.path().display().to_string()).collect();
    // If a file fails, standard output is still written, and the other way round.
    let written = exports.into_iter().map(|(write, export)| export.write(|out| write(&report, out)));
    let written = written.fold(Ok(()), Result::and);
    emit(&report, args.output.format.format(), out)?;
    written?;
    let Some(reached) = interruption else { return Ok(exit_code(&report)) };
    let written = match files.as_slice() {
        [] => "no file was written".to_owned(),
        files => format!("the figures so far were also written to {}", files.join(", ")),
    };
    Err(CliError::Interrupted(format!("{reached}; {written}")))
}

type WriteReport = fn(&BenchReport, &mut dyn Write) -> io::Result<()>;

/// Returns the files to write, each with its format. All of them can be written.
fn exports(output: &OutputArgs) -> Result<Vec<(WriteReport, Export)>, CliError> {
    let files: [(WriteReport, &Option<PathBuf>); 2] = [
        (|report, mut out| emit(report, Format::Json, &mut out), &output.export_json),
        (|report, mut out| report.write_page(&mut out), &output.export_html),
    ];
    let wanted = files.into_iter().filter_map(|(write, path)| Some((write, path.as_deref()?)));
    wanted.map(|(write, path)| Ok((write, Export::prepare(path)?))).collect()
}

/// Measures everything. The machine has this number of cores. After an interruption, also returns how many positions
/// are complete.
fn measured_report(
    args: &BenchArgs,
    cores: usize,
    context: &Context,
) -> Result<(BenchReport, Option<String>), CliError> {
    let named = args.named()?;
    let has_default = named.positions.is_empty();
    let _unread = has_default.then(|| UnreadInput::watch("perft bench -".to_owned(), context));
    let cases = cases(&named.positions, named.depth, context)?;
    let clock = SystemClock::default();
    let mut contenders = Contenders::new(args, &named, &clock, context)?;
    let environment = environment::of_bench(args.runs.cores());
    let is_busy = warnings::is_busy(&environment, contenders.head.threads, cores);
    let before = warnings::about_environment(&environment, &contenders.head, cores);
    let before = warnings::printed(before, context);
    let has_note = !context.global.quiet && !stderr().is_terminal();
    let wait_note = has_note.then(|| WaitNote::with(contenders.plan(cases.len())));
    let tasks = contenders.tasks(&cases, named.depth)?;
    let mut measured = contenders.run(&tasks);
    drop(wait_note);
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
        None => warnings::about_runs(&measured, &args.runs, contenders.baseline.as_ref(), is_busy),
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
