//! The report of `perft hunt --state`: wrong FENs and wrong keys of an engine.

use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::AnsiColor;
use perft_core::StopSignal;
use perft_diagnosis::HuntTarget;
use perft_diagnosis::state::{StateAbilities, StateFinding, StateSummary, StateVerdict, hunt_states};
use serde::Serialize;

use super::report::{HuntTotals, INDENT, OriginReport, board, line, number_of_bugs, seen, write_totals};
use super::search::{EngineSearch, FindingFormat, Searched, search_bar, searched};
use crate::commands::suite::asked::{ability_notes, impossible_note};
use crate::engine::{EngineSpec, find_state};
use crate::input::engine::NamedEngine;
use crate::output::context::Context;
use crate::output::error::{CliError, ENGINE_FAILED, exit_code};
use crate::output::table::folded;
use crate::output::terminal::{WaitNote, styled};
use crate::output::{PositionInfo, Report};

/// The result of a search for wrong states.
#[derive(Clone, Debug, Serialize)]
pub struct StatesReport {
    /// The engine, and the numbers of positions and questions.
    #[serde(flatten)]
    pub totals: HuntTotals,
    /// How the engine is made to print its state.
    pub state: PrinterReport,
    /// The bugs, in the order in which they were found.
    pub findings: Vec<StateFindingReport>,
}

/// How an engine is made to print its FEN or its key.
#[derive(Clone, Debug, Serialize)]
pub struct PrinterReport {
    /// The line after which it prints them.
    pub ask_state: String,
    /// The parts that it prints: `fen`, `key`, and in its FEN `half-move-clock` and `move-number`.
    pub prints: Vec<&'static str>,
}

/// A bug in the states of an engine.
#[derive(Clone, Debug, Serialize)]
pub struct StateFindingReport {
    /// The kind of bug: `setup`, `make`, `unmake`, `same-key` or `no-answer`.
    pub verdict: &'static str,
    /// The meaning of that kind.
    pub meaning: &'static str,
    /// The wrong field: `board`, `side-to-move`, `castling-rights`, `en-passant-square`, `half-move-clock`,
    /// `move-number` or `key`. It is `null` if there is no answer.
    pub field: Option<&'static str>,
    /// The kind of move after which it is wrong, or the part of a position that the key ignores.
    pub cause: Option<&'static str>,
    /// The fault, as a sentence.
    pub text: String,
    /// How often it was found.
    pub seen: u64,
    /// The position from which the bug can be reproduced.
    pub root: PositionInfo,
    /// The moves from there that reproduce it.
    pub path: Vec<String>,
    /// The position after these moves.
    pub position: PositionInfo,
    /// The depth of the count that leaves the state wrong; 0 if no count is needed.
    pub depth: u32,
    /// The text that the engine should print in this field, if only one text is right.
    pub expected_text: Option<String>,
    /// The text that the engine prints in this field.
    pub found_text: Option<String>,
    /// The position whose key was compared.
    pub other: Option<PositionInfo>,
    /// Why the engine does not answer, if it does not.
    pub error: Option<String>,
    /// The position and the moves in which it was first found.
    pub origin: OriginReport,
}

impl PrinterReport {
    /// Describes the state that an engine prints after a line.
    pub fn new(ask_state: String, prints: StateAbilities) -> PrinterReport {
        let StateAbilities { fen, key, halfmove_clock, move_number } = prints;
        let all =
            [(fen, "fen"), (key, "key"), (halfmove_clock, "half-move-clock"), (move_number, "move-number")];
        let printed = all.into_iter().filter_map(|(is_printed, name)| is_printed.then_some(name));
        PrinterReport { ask_state, prints: printed.collect() }
    }

    /// Returns the printed parts in words: `FEN and key`, `FEN`, `key`.
    pub fn words(&self) -> &'static str {
        match (self.prints.contains(&"fen"), self.prints.contains(&"key")) {
            (true, true) => "FEN and key",
            (true, false) => "FEN, but no key",
            (false, true) => "key, but no FEN",
            (false, false) => "neither FEN nor key",
        }
    }
}

impl StateFindingReport {
    pub fn new(finding: &StateFinding) -> StateFindingReport {
        let shown = |text: &String| (!text.is_empty()).then(|| text.clone());
        let notation = finding.at.notation();
        StateFindingReport {
            verdict: finding.verdict.name(),
            meaning: finding.about(),
            field: finding.field.map(|field| field.name()),
            cause: finding.cause().map(|cause| cause.name()),
            text: finding.text.clone(),
            seen: finding.times,
            root: PositionInfo::root(&finding.at),
            path: finding.at.uci_moves(),
            position: PositionInfo::end(&finding.at),
            depth: finding.depth,
            expected_text: shown(&finding.expected),
            found_text: shown(&finding.found),
            other: finding.other.as_ref().map(|fen| PositionInfo::of_fen(fen.clone(), notation)),
            error: finding.error.as_ref().map(ToString::to_string),
            origin: OriginReport::new(&finding.origin),
        }
    }
}

/// Returns sentences, without a full stop, about what was not compared.
pub fn state_notes(hunted: &StateSummary, spec: &EngineSpec, left_out_impossible: usize) -> Vec<String> {
    let mut notes = ability_notes(&Default::default(), hunted.left_out_chess960);
    let prints = hunted.source.prints;
    let mut add = |is_missing: bool, note: &str| {
        if is_missing {
            notes.push(note.to_owned());
        }
    };
    add(!prints.fen, "the engine prints no FEN: only its keys were compared");
    add(!prints.key, "the engine prints no key: only its FENs were compared");
    add(prints.fen && !prints.halfmove_clock, "the engine prints no half-move clock, or always the same one");
    add(prints.fen && !prints.move_number, "the engine prints no move number, or always the same one");
    let line = spec.ask_state.as_deref().unwrap_or_default();
    let plays_moves = spec.state_plays_moves(line);
    add(!plays_moves, "the engine is not told moves: it gets each position as a FEN");
    add(
        !spec.prints_after_count(),
        "states after a count were not compared: the engine does not count in its position",
    );
    notes.extend(impossible_note(left_out_impossible));
    notes
}

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
