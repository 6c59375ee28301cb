//! `perft hunt --state`: compare the positions and keys that an engine prints.

use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::AnsiColor;
use perft_core::StopSignal;
use perft_diagnosis::HuntTarget;
use perft_diagnosis::state::{StateFinding, StateVerdict, hunt_states};

use super::search::{EngineSearch, FindingFormat, Searched, search_bar, searched};
use super::state_report::{PrinterReport, StateFindingReport, StatesReport, state_notes};
use super::text::{INDENT, board, line, number_of_bugs, seen, write_totals};
use crate::engine::{EngineSpec, find_state};
use crate::input::engine::NamedEngine;
use crate::output::Report;
use crate::output::context::Context;
use crate::output::error::{CliError, ENGINE_FAILED, exit_code};
use crate::output::fold::folded;
use crate::output::terminal::styled;
use crate::output::wait_note::WaitNote;

impl Report for StatesReport {
    const NAME: &'static str = "hunt_state";

    /// Writes the end of a hunt: how often each bug was seen, what was left out, and the result.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for (index, finding) in self.findings.iter().enumerate() {
            writeln!(out, "bug {}: {}; seen {}", index + 1, name(finding), seen(finding.seen))?;
        }
        let complete = self.totals.complete;
        write_totals(&self.totals, &number_of_bugs(self.findings.len(), complete), "with a wrong state", out)
    }
}

/// Runs a search for wrong states and prints its findings.
///
/// # Errors
/// The engine prints no state, the search is interrupted, or the output cannot be written.
pub fn run(
    job: &EngineSearch,
    target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let bar = search_bar(context, "hunt", job.scope.positions);
    let describe = |number, finding: &StateFinding, out: &mut Vec<u8>| {
        let report = StateFindingReport::new(finding);
        match job.format {
            FindingFormat::Text => write_finding(number, &report, out)?,
            FindingFormat::Epd => writeln!(out, "position fen {}", line(&report.root.fen, &report.path))?,
            FindingFormat::Json => {}
        }
        Ok(report)
    };
    let mut searched = searched(bar, &context.stop, out, describe, |on_event| {
        hunt_states(target, || job.source(), job.scope.options, &context.stop, on_event)
    })?;
    let summary = &searched.summary;
    for (report, finding) in searched.findings.iter_mut().zip(&summary.findings) {
        report.seen = finding.times;
    }
    let notes = state_notes(summary, &job.spec, job.scope.left_out);
    let totals = job.totals(&searched, summary.source.name.as_ref(), notes)?;
    let Searched { summary, findings, .. } = searched;
    let state = PrinterReport::new(job.spec.ask_state.clone().unwrap_or_default(), summary.source.prints);
    let report = StatesReport { totals, state, findings };
    job.conclude(&report, &report.totals, out)?;
    let is_wrong = |finding: &StateFinding| finding.verdict != StateVerdict::NoAnswer;
    Ok(exit_code(summary.findings.iter().any(is_wrong), summary.faulty + summary.findings.len() > 0))
}

/// Returns the engine with the line that makes it print its state. It need not understand a question for counts.
///
/// # Errors
/// The engine does not start, or prints no state.
pub fn state_engine(named: &NamedEngine, stop: &StopSignal) -> Result<EngineSpec, CliError> {
    let understood = named.understood(stop);
    let spec = understood.unwrap_or_else(|_| named.spec.clone().without_counts());
    let _patience = WaitNote::at_work(format!("finding out how {} prints its FEN or its key", named.text));
    let found = find_state(&spec, stop).map_err(|error| named.engines.start_error(&named.text, error))?;
    found.map(|found| found.spec).ok_or_else(|| CliError::Ended {
        message: match &spec.ask_state {
            Some(line) => format!("the engine prints neither a FEN nor a key after '{line}'"),
            None => "found no command after which the engine prints its FEN or its key".to_owned(),
        },
        help: "if it has one, give it: --ask-state 'LINE'".to_owned(),
        code: ENGINE_FAILED,
    })
}

/// Returns the name of a bug: its kind, the field and the kind of move.
fn name(finding: &StateFindingReport) -> String {
    [Some(finding.verdict), finding.field, finding.cause].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn write_finding(number: usize, finding: &StateFindingReport, out: &mut impl Write) -> io::Result<()> {
    let title = styled(&format!("bug {number}"), AnsiColor::Red);
    writeln!(out, "{title}: {}\n\n{}", name(finding), board(&finding.position.fen))?;
    writeln!(out, "position  {}", finding.position.fen)?;
    if !finding.path.is_empty() {
        writeln!(out, "reached   {}", line(&finding.root.fen, &finding.path))?;
    }
    writeln!(out, "wrong     {}", folded(&finding.text, INDENT))?;
    write_values(finding, out)?;
    let verdict = format!("{}: {}", finding.verdict, finding.meaning);
    writeln!(out, "verdict   {}", folded(&verdict, INDENT))?;
    let origin = line(&finding.origin.root.fen, &finding.origin.path);
    if origin != finding.root.fen {
        writeln!(out, "met in    {origin}")?;
    }
    writeln!(out)
}

/// Writes the values that were compared. If two keys differ, it is not known which one is right.
fn write_values(finding: &StateFindingReport, out: &mut impl Write) -> io::Result<()> {
    let Some(found) = &finding.found_text else { return Ok(()) };
    match (&finding.expected_text, &finding.other) {
        (Some(of_fen), Some(other)) => {
            let fen = &other.fen;
            writeln!(out, "key       {found} after the moves\n{:INDENT$}{of_fen} for position fen {fen}", "")
        }
        (None, Some(other)) => {
            writeln!(out, "key       {found}\n{:INDENT$}also for position fen {}", "", other.fen)
        }
        (Some(expected), None) if finding.depth > 0 => {
            writeln!(out, "printed   {expected} before the count, {found} after it")
        }
        (Some(expected), None) => writeln!(out, "printed   {found}\nright     {expected}"),
        (None, None) => writeln!(out, "printed   {found}"),
    }
}
