//! `perft bench`: measures the speed of this program, and compares it with other builds, engines and earlier results.
//!
//! - `args`: the arguments
//! - `contenders`: what is measured, with its sources, and `baseline`: a saved result
//! - `tasks`: the positions that are timed, and their depths
//! - `report`: the record of what was measured
//! - `text`, `page`: the formats, which are written from the record
//! - `conditions`: the build and the state of the machine
//! - `warnings`: the reasons why results may be unreliable
//!
//! All contenders take turns, and every count is checked. A contender that fails or counts wrongly in a position has no
//! speed there, and the others continue. Bad arguments are refused before the first run.

pub mod args;
pub mod baseline;
mod conditions;
pub mod contenders;
pub mod page;
pub mod report;
pub mod tasks;
pub mod text;
pub mod warnings;

use std::io::{IsTerminal, Write, stderr};
use std::process::ExitCode;

pub use args::BenchArgs;
use conditions::Environment;
use contenders::Contenders;
use report::BenchReport;
use tasks::cases;

use crate::input::UnreadInput;
use crate::output::{self, CliError, CliErrorKind, Context, Format, WaitNote, emit, environment, warn};
use crate::system::command_line::to_type;
use crate::timing::{GateResult, Measured, Outcome};

pub fn run(mut args: BenchArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    for file in [&args.export_json, &args.export_html].into_iter().flatten() {
        file.check()?;
    }
    args.sort_words(context)?;
    let (report, interruption) = measure(&args, context)?;
    // If a file fails, the others and standard output are still written.
    let (json, page) = (args.export_json.as_ref(), args.export_html.as_ref());
    let json = json.map_or(Ok(()), |file| file.write(|mut out| emit(&report, Format::Json, &mut out)));
    let page = page.map_or(Ok(()), |file| file.write(|mut out| report.write_page(&mut out)));
    emit(&report, args.format.format(), out)?;
    json.and(page)?;
    let Some(reached) = interruption else { return Ok(exit_code(&report)) };
    let files = [args.export_json, args.export_html].into_iter().flatten();
    let files: Vec<String> = files.map(|path| path.display().to_string()).collect();
    let written = match files.as_slice() {
        [] => "no file was written".to_owned(),
        files => format!("the figures so far were also written to {}", files.join(", ")),
    };
    Err(CliError::Interrupted(format!("{reached}; {written}")))
}

/// Measures everything. After an interruption, also returns how many positions are complete.
fn measure(args: &BenchArgs, context: &Context) -> Result<(BenchReport, Option<String>), CliError> {
    let _unread = args.words.is_empty().then(|| UnreadInput::watch(to_type(&["bench", "-"])));
    let cases = cases(&args.words, args.depth, context)?;
    let mut contenders = Contenders::new(args, context)?;
    let environment = Environment::of_bench();
    let machine = environment::machine();
    let mut warnings = warnings::about_environment(&environment, &machine, &contenders);
    warnings.iter().for_each(warn);
    let wait_note = (!stderr().is_terminal()).then(|| WaitNote::with(contenders.plan(cases.len())));
    let tasks = contenders.tasks(&cases, args.depth)?;
    contenders.run(&tasks);
    drop(wait_note);
    let measured = &mut contenders.runs.measured;
    let (complete, positions) =
        (measured.iter().filter(|position| position.is_complete).count(), measured.len());
    let interruption =
        (complete < positions).then(|| format!("{complete} of {positions} positions have all their runs"));
    // Only an interruption leaves positions without runs.
    measured.retain(Measured::has_begun);
    if measured.is_empty() {
        let nothing = "no run was finished, so no result is shown and no file was written";
        return Err(CliError::Interrupted(nothing.to_owned()));
    }
    if interruption.is_none() {
        let after = warnings::about_runs(&contenders, args);
        after.iter().for_each(warn);
        warnings.extend(after);
    }
    Ok((contenders.runs.report(interruption.is_none(), machine, environment, warnings), interruption))
}

/// A wrong count takes precedence over a contender that failed, then a slow contender, and then a comparison that could
/// not be decided.
fn exit_code(report: &BenchReport) -> ExitCode {
    let has = |outcome| report.failures.iter().any(|failure| failure.outcome == outcome);
    let is_judged = |gate| report.contenders.iter().any(|result| result.gate == Some(gate));
    match report.failures.is_empty() {
        true if is_judged(GateResult::Slower) => CliErrorKind::Slower.into(),
        true if is_judged(GateResult::Unsure) => CliErrorKind::Undecided.into(),
        _ => output::exit_code(has(Outcome::Wrong), has(Outcome::Failed)),
    }
}

#[cfg(test)]
mod tests;
