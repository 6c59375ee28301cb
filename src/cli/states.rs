//! `perft hunt --state` and `perft fuzz --state`: compare the positions and keys that an engine prints.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use anstyle::AnsiColor;
use perft_core::StopSignal;
use perft_diagnosis::source::CountSource;
use perft_diagnosis::state::{StateEvent, StateSummary, StateVerdict, hunt_states};
use perft_diagnosis::{HuntOptions, HuntTarget};

use super::context::Context;
use super::engine::NamedEngine;
use super::error::{CliError, ENGINE_FAILED, WRONG};
use super::findings::{
    board, check_asked, check_finished, number_of_bugs, seen, write_epd_end, write_if_incomplete,
    write_origin,
};
use super::fold::folded;
use super::patience::Patience;
use super::printer::{Findings, Format, Printer};
use super::terminal::{progress_bar, styled};
use crate::engine::{Engine, EngineSpec, find_state};
use crate::report::Provenance;
use crate::report::states::{PrintsReport, StateFindingReport, StatesReport, state_notes};
use crate::report::suite::EngineInfo;
use crate::report::{grouped, write_json};

const BAR: &str = "{pos}/{len} positions";

/// The width of the first column.
const INDENT: usize = 10;

/// A search for wrong states.
pub struct StateJob {
    /// The engine.
    pub spec: EngineSpec,
    /// The threads and the limits.
    pub options: HuntOptions,
    /// The number of positions to ask about.
    pub positions: usize,
    /// The seed of the random positions; `None` if the positions were given.
    pub seed: Option<u64>,
    /// The number of positions that are left out because no game reaches them.
    pub left_out: usize,
    /// How the right states are made.
    pub provenance: Provenance,
}

impl StateJob {
    /// Runs the search and prints what it finds.
    ///
    /// # Errors
    /// The engine prints no state, the search is interrupted, or the output cannot be written.
    pub fn run(
        self,
        target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
        format: Format,
        context: &Context,
        out: &mut (impl Write + Send),
    ) -> Result<ExitCode, CliError> {
        let bar = progress_bar(context, "hunt", BAR, self.positions as u64);
        let start = Instant::now();
        let engine = || -> Box<dyn CountSource> { Box::new(Engine::new(self.spec.clone())) };
        let findings = Findings::new(Printer::new(bar.clone(), &context.stop, &mut *out));
        let hunted = hunt_states(target, engine, self.options, &context.stop, |event| match event {
            StateEvent::Found(index, finding) => {
                let report = StateFindingReport::new(finding);
                findings.found(index, report, |report, out| print_finding(format, index + 1, report, out));
            }
            StateEvent::TargetDone => bar.inc(1),
        });
        bar.finish_and_clear();
        let mut findings = findings.finish()?;
        for (report, finding) in findings.iter_mut().zip(&hunted.findings) {
            report.times = finding.times;
        }
        check_asked(hunted.positions, hunted.left_out_chess960)?;
        let seconds = start.elapsed().as_secs_f64();
        let report = StatesReport { seconds, findings, ..self.report(&hunted) };
        match format {
            Format::Json => write_json(&report, false, out)?,
            Format::Epd => write_epd_end(report.complete, out)?,
            Format::Text => write_summary(&report, out)?,
        }
        check_finished(hunted.is_interrupted, hunted.positions, out)?;
        Ok(exit_code(&hunted))
    }

    fn report(self, hunted: &StateSummary) -> StatesReport {
        let spec = &self.spec;
        let ask_state = spec.ask_state.clone().unwrap_or_default();
        let engine = EngineInfo {
            command: shell_words::join(&spec.command),
            dialect: spec.dialect,
            name: hunted.source_name.clone(),
        };
        StatesReport {
            provenance: self.provenance,
            engine,
            ask_state,
            prints: PrintsReport::new(hunted.prints),
            seed: self.seed,
            complete: !hunted.is_interrupted,
            positions: hunted.positions,
            faulty: hunted.faulty,
            questions: hunted.questions,
            cut_short: hunted.cut_short,
            left_out_chess960: hunted.left_out_chess960,
            left_out_impossible: self.left_out,
            notes: state_notes(hunted, spec, self.left_out),
            seconds: 0.0,
            findings: Vec::new(),
        }
    }
}

/// Returns the engine with the line that makes it print its state. It need not understand a question for counts.
///
/// # Errors
/// The engine does not start, or prints no state.
pub fn state_engine(named: &NamedEngine, stop: &StopSignal) -> Result<EngineSpec, CliError> {
    let understood = named.understood(stop);
    let spec = understood.unwrap_or_else(|_| named.spec.clone().without_counts());
    let _patience = Patience::at_work(format!("finding out how {} prints its FEN or its key", named.text));
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

/// Returns the exit code: a wrong state takes precedence over one that is missing.
fn exit_code(hunted: &StateSummary) -> ExitCode {
    if hunted.findings.iter().any(|finding| finding.verdict != StateVerdict::NoAnswer) {
        ExitCode::from(WRONG)
    } else if hunted.faulty > 0 || !hunted.findings.is_empty() {
        ExitCode::from(ENGINE_FAILED)
    } else {
        ExitCode::SUCCESS
    }
}

fn print_finding(
    format: Format,
    number: usize,
    finding: &StateFindingReport,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        Format::Text => write_finding(number, finding, out),
        Format::Epd => writeln!(out, "{}", position_line(finding)),
        Format::Json => Ok(()),
    }
}

/// Returns the UCI command that sets up the position and plays the moves.
fn position_line(finding: &StateFindingReport) -> String {
    let moves =
        if finding.path.is_empty() { String::new() } else { format!(" moves {}", finding.path.join(" ")) };
    format!("position fen {}{moves}", finding.root)
}

/// Returns the name of a bug: its kind, the field and the kind of move.
fn name(finding: &StateFindingReport) -> String {
    [Some(finding.verdict), finding.field, finding.cause].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn write_finding(number: usize, finding: &StateFindingReport, out: &mut impl Write) -> io::Result<()> {
    let title = styled(&format!("bug {number}"), AnsiColor::Red);
    writeln!(out, "{title}: {}\n\n{}", name(finding), board(&finding.fen))?;
    writeln!(out, "position  {}", finding.fen)?;
    if !finding.path.is_empty() {
        writeln!(out, "reached   {} moves {}", finding.root, finding.path.join(" "))?;
    }
    writeln!(out, "wrong     {}", folded(&finding.text, INDENT))?;
    write_values(finding, out)?;
    let verdict = format!("{}: {}", finding.verdict, finding.meaning);
    writeln!(out, "verdict   {}", folded(&verdict, INDENT))?;
    write_origin(&finding.root, &finding.origin, out)?;
    writeln!(out)
}

/// Writes what was compared. Of two keys, nobody knows which one is right.
fn write_values(finding: &StateFindingReport, out: &mut impl Write) -> io::Result<()> {
    let Some(found) = &finding.found else { return Ok(()) };
    match (&finding.expected, &finding.other) {
        (Some(of_fen), Some(fen)) => {
            writeln!(out, "key       {found} after the moves\n{:INDENT$}{of_fen} for position fen {fen}", "")
        }
        (None, Some(other)) => {
            writeln!(out, "key       {found}\n{:INDENT$}also for position fen {other}", "")
        }
        (Some(expected), None) if finding.depth > 0 => {
            writeln!(out, "printed   {expected} before the count, {found} after it")
        }
        (Some(expected), None) => writeln!(out, "printed   {found}\nright     {expected}"),
        (None, None) => writeln!(out, "printed   {found}"),
    }
}

fn write_summary(report: &StatesReport, out: &mut impl Write) -> io::Result<()> {
    for (index, finding) in report.findings.iter().enumerate() {
        writeln!(out, "bug {}: {}; seen {}", index + 1, name(finding), seen(finding.times))?;
    }
    if report.cut_short > 0 {
        let positions = grouped(report.cut_short as u128);
        writeln!(out, "{positions} positions reached the limit of --questions")?;
    }
    report.notes.iter().try_for_each(|note| writeln!(out, "{}", folded(note, 2)))?;
    write_if_incomplete(report.complete, out)?;
    let summary = format!(
        "{}: {}: {} of {} positions with a wrong state; {} questions in {:.1} s",
        report.engine.name.as_deref().unwrap_or(&report.engine.command),
        number_of_bugs(report.findings.len(), report.complete),
        grouped(report.faulty as u128),
        grouped(report.positions as u128),
        grouped(report.questions.into()),
        report.seconds,
    );
    writeln!(out, "{}", folded(&summary, 2))
}
