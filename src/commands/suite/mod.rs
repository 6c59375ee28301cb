//! `perft suite`: checks positions with known counts.
//!
//! - `args`: the arguments
//! - `checked`: the generator or the engine that is checked
//! - `engine_info`: the engine in a report
//! - `part`: the part of a suite that is checked
//! - `pace`: the speed of an engine's answers
//! - `round`: the parts that are checked together
//! - `text`: the result as text

pub mod args;
pub mod checked;
pub mod engine_info;
pub mod pace;
pub mod part;
pub mod report;
pub mod round;
pub mod text;

pub use args::SuiteArgs;

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use checked::Checked;
use part::Part;
use perft_core::suite::{Limits, Suite};
use report::{SuiteReport, SuitesReport};

use crate::input::suite_reader::{SuiteReader, open_suites};
use crate::input::unread::UnreadInput;
use crate::output::context::Context;
use crate::output::error::{CliError, exit_code, warn};
use crate::output::{Format, emit, grouped};

/// Runs the command.
pub fn run(args: SuiteArgs, context: &Context, out: &mut (impl Write + Send)) -> Result<ExitCode, CliError> {
    let _unread = args.suites.is_empty().then(|| UnreadInput::watch("perft suite -".to_owned(), context));
    let suites = open_suites(&args.suites, &context.stop)?;
    let format = args.output.format();
    let mut checking =
        Checking { checked: Checked::new(&args, context)?, limits: args.limits(), format, context };
    let start = Instant::now();
    let reports = checking.check_all(suites, out)?;
    let seconds = start.elapsed().as_secs_f64();
    let complete = reports.iter().all(|report| report.complete);
    if !complete && reports.iter().all(|report| report.checked == 0) {
        return Err(CliError::Interrupted("nothing was finished".to_owned()));
    }
    let passed = complete && reports.iter().all(SuiteReport::passed);
    let (provenance, engine) = checking.checked.finish(context);
    let next = args.next_command();
    let report = SuitesReport { provenance, engine, complete, passed, seconds, suites: reports, next };
    emit(&report, format, out)?;
    if !complete {
        return Err(interrupted(&report.suites));
    }
    let has = |number: fn(&SuiteReport) -> usize| report.suites.iter().any(|suite| number(suite) > 0);
    Ok(exit_code(has(|suite| suite.wrong), has(|suite| suite.missing)))
}

/// A check of suites.
struct Checking<'a> {
    checked: Checked,
    limits: Limits,
    format: Format,
    context: &'a Context,
}

impl Checking<'_> {
    /// Checks all suites, or those before the stop signal is raised. The reports of the others are empty. A generator
    /// checks one suite at a time, and an engine checks all of them together.
    fn check_all(
        &mut self,
        mut suites: Vec<SuiteReader>,
        out: &mut (impl Write + Send),
    ) -> Result<Vec<SuiteReport>, CliError> {
        let together = if self.checked.is_engine() { suites.len() } else { 1 };
        let mut reports: Vec<SuiteReport> = Vec::new();
        for suites in suites.chunks_mut(together) {
            if reports.last().is_some_and(|last| !last.complete) {
                reports.extend(suites.iter().map(|suite| SuiteReport::empty(suite.name()).interrupted()));
                continue;
            }
            let found = self.check_together(suites, out)?;
            let has_summary = |report: &&SuiteReport| report.checked > 0 || report.complete;
            for report in found.iter().filter(has_summary).filter(|_| self.format == Format::Text) {
                text::write_summary(report, out)?;
            }
            reports.extend(found);
        }
        Ok(reports)
    }

    /// Checks suites block by block, until they are complete or the stop signal is raised.
    fn check_together(
        &mut self,
        suites: &mut [SuiteReader],
        out: &mut (impl Write + Send),
    ) -> Result<Vec<SuiteReport>, CliError> {
        let mut reports: Vec<SuiteReport> =
            suites.iter().map(|suite| SuiteReport::empty(suite.name())).collect();
        while suites.iter().any(|suite| !suite.is_at_end()) && !self.context.stop.is_raised() {
            let blocks: Result<Vec<Suite>, CliError> =
                suites.iter_mut().map(SuiteReader::next_block).collect();
            let blocks = match blocks {
                Err(CliError::Interrupted(_)) => {
                    return Ok(reports.into_iter().map(SuiteReport::interrupted).collect());
                }
                blocks => blocks?,
            };
            if !self.context.global.quiet {
                blocks.iter().for_each(warn_of_ignored_fields);
            }
            let whole = blocks
                .into_iter()
                .zip(&*suites)
                .map(|(block, suite)| Part::whole(block, suite.is_built_in()));
            let round = self.checked.round(whole.collect(), &self.limits, &self.context.stop);
            let shown = reports.iter().map(SuiteReport::problems).collect();
            let found = round.check(&mut self.checked, self.format, shown, self.context, out)?;
            for (report, found) in reports.iter_mut().zip(found) {
                report.extend(found, self.format);
            }
        }
        for (report, suite) in reports.iter_mut().zip(suites) {
            report.complete &= suite.is_at_end();
            report.notes = self.checked.notes(report);
        }
        Ok(reports)
    }
}

/// Returns the error for suites that were interrupted: how many counts of each were made.
fn interrupted(reports: &[SuiteReport]) -> CliError {
    let counts = |report: &SuiteReport| format!("{}: {}", report.name, grouped(report.checked as u128));
    let counts: Vec<String> = reports.iter().map(counts).collect();
    CliError::Interrupted(format!("the counts so far are reported ({})", counts.join(", ")))
}

fn warn_of_ignored_fields(suite: &Suite) {
    for case in &suite.cases {
        for warning in &case.warnings {
            warn(format!("{}:{}: {warning}", suite.name, case.line));
        }
    }
}
