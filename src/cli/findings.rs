//! The bugs of an engine as text, each printed as soon as it is found.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anstyle::AnsiColor;
use indicatif::ProgressBar;
use perft_core::{Setup, StopSignal};
use perft_diagnosis::{Finding, HuntSummary};

use super::fold::folded;
use super::terminal::styled;
use crate::report::grouped;
use crate::report::hunt::{FindingReport, HuntReport, OriginReport, WrongMoveReport};

/// The width of the first column.
const INDENT: usize = 10;

/// The number of moves with a wrong count that the text shows.
const SHOWN: usize = 5;

/// The number of candidates that the text shows.
const CANDIDATES: usize = 8;

/// What is printed while the hunt runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Every bug with its board
    Text,
    /// A line for a test suite for every bug
    Epd,
    /// Nothing: the report is printed at the end
    Json,
}

/// Receives the findings of a hunt from its threads, and prints each of them.
pub struct Printer<'a, W> {
    format: Format,
    bar: ProgressBar,
    stop: &'a StopSignal,
    state: Mutex<State<'a, W>>,
}

struct State<'a, W> {
    out: &'a mut W,
    /// The reports, each with the index of its finding in the summary.
    reports: Vec<(usize, FindingReport)>,
    error: Option<io::Error>,
}

impl<'a, W: Write> Printer<'a, W> {
    /// Returns a printer that pauses the progress bar while it prints.
    pub fn new(format: Format, bar: ProgressBar, stop: &'a StopSignal, out: &'a mut W) -> Printer<'a, W> {
        let state = Mutex::new(State { out, reports: Vec::new(), error: None });
        Printer { format, bar, stop, state }
    }

    /// Prints a finding. If that fails, the hunt is stopped.
    pub fn found(&self, index: usize, finding: &Finding) {
        let report = FindingReport::new(finding, self.stop);
        let mut state = self.lock();
        let out = &mut *state.out;
        let written = self.bar.suspend(|| {
            match self.format {
                Format::Text => write_finding(index + 1, &report, out)?,
                Format::Epd if report.verdict != "unread" => writeln!(out, "{}", report.epd)?,
                Format::Epd | Format::Json => {}
            }
            out.flush()
        });
        if let Err(error) = written {
            state.error = Some(error);
            self.stop.raise();
        }
        state.reports.push((index, report));
    }

    /// Returns the reports of all findings, with how often each was seen.
    ///
    /// # Errors
    /// A finding could not be printed.
    pub fn finish(self, hunted: &HuntSummary) -> io::Result<Vec<FindingReport>> {
        let State { mut reports, error, .. } =
            self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        reports.sort_by_key(|(index, _)| *index);
        for (index, report) in &mut reports {
            report.times = hunted.findings[*index].times;
        }
        match error {
            Some(error) => Err(error),
            None => Ok(reports.into_iter().map(|(_, report)| report).collect()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes what is known at the end of a hunt: how often each bug was seen, what was left out, and the result.
pub fn write_summary(report: &HuntReport, out: &mut impl Write) -> io::Result<()> {
    for (index, finding) in report.findings.iter().enumerate() {
        let times = match finding.times {
            1 => "once".to_owned(),
            times => format!("{} times", grouped(times.into())),
        };
        writeln!(out, "{} {}: {}; seen {times}", word(finding), index + 1, name(finding))?;
    }
    if report.cut_short > 0 {
        let positions = grouped(report.cut_short as u128);
        writeln!(out, "{positions} positions reached the limit of --questions")?;
    }
    report.notes.iter().try_for_each(|note| writeln!(out, "{note}"))?;
    let name = report.engine.name.as_deref().unwrap_or(&report.engine.command);
    writeln!(
        out,
        "{name}: {}: {} of {} positions answered wrongly; {} questions in {:.1} s",
        result(report),
        grouped(report.faulty as u128),
        grouped(report.positions as u128),
        grouped(report.questions.into()),
        report.seconds,
    )
}

/// Returns the result in a few words: the number of bugs.
fn result(report: &HuntReport) -> String {
    let bugs = report.findings.iter().filter(|finding| finding.verdict != "unread").count();
    match bugs {
        0 if report.findings.is_empty() => styled("no bug found", AnsiColor::Green),
        0 => styled("some answers could not be read", AnsiColor::Yellow),
        1 => styled("1 bug", AnsiColor::Red),
        bugs => styled(&format!("{bugs} bugs"), AnsiColor::Red),
    }
}

/// Returns the word for a finding: `bug`, or `answer` if the answer was not understood, because then the engine may be right.
fn word(finding: &FindingReport) -> &'static str {
    if finding.verdict == "unread" { "answer" } else { "bug" }
}

/// Returns the name of a bug: its kind and the chess rules that it is about.
fn name(finding: &FindingReport) -> String {
    let themes =
        if finding.themes.is_empty() { String::new() } else { format!(", {}", finding.themes.join(", ")) };
    format!("{}{themes}", finding.verdict)
}

fn write_finding(number: usize, finding: &FindingReport, out: &mut impl Write) -> io::Result<()> {
    let is_unread = finding.verdict == "unread";
    let color = if is_unread { AnsiColor::Yellow } else { AnsiColor::Red };
    let title = styled(&format!("{} {number}", word(finding)), color);
    writeln!(out, "{title}: {}\n\n{}", name(finding), board(&finding.fen))?;
    if finding.path.is_empty() {
        writeln!(out, "position  {}", finding.root)?;
    } else {
        writeln!(out, "position  {}", finding.fen)?;
        writeln!(out, "reached   {} moves {}", finding.root, finding.path.join(" "))?;
    }
    write_counts(finding, out)?;
    finding.extra.iter().try_for_each(|extra| write_disputed("extra", extra, out))?;
    finding.missing.iter().try_for_each(|missing| write_disputed("missing", missing, out))?;
    write_candidates(finding, out)?;
    finding.unread.iter().try_for_each(|line| writeln!(out, "unread    {line}"))?;
    writeln!(out, "verdict   {}: {}", finding.verdict, finding.meaning)?;
    finding.history.iter().try_for_each(|sentence| writeln!(out, "{:INDENT$}{sentence}", ""))?;
    if let Some(belief) = &finding.as_if {
        writeln!(out, "as if     {belief}")?;
    }
    if !finding.impossible.is_empty() {
        writeln!(out, "note      no game reaches this position: {}", finding.impossible.join("; "))?;
    }
    let OriginReport { root, path } = &finding.origin;
    match path.is_empty() {
        true if *root == finding.root => {}
        true => writeln!(out, "met in    {root}")?,
        false => writeln!(out, "met in    {root} moves {}", path.join(" "))?,
    }
    if !is_unread {
        writeln!(out, "suite     {}", finding.epd)?;
    }
    writeln!(out)
}

fn write_counts(finding: &FindingReport, out: &mut impl Write) -> io::Result<()> {
    let expected = finding.expected.map_or("the count".to_owned(), grouped);
    match (&finding.error, finding.found) {
        (Some(error), _) => {
            let text = format!("{expected}, but {error}");
            writeln!(out, "depth {:<4}{}", finding.depth, folded(&text, INDENT))?;
        }
        (None, Some(found)) => {
            writeln!(out, "depth {:<4}{expected}, but the engine counts {}", finding.depth, grouped(found))?;
        }
        (None, None) => {}
    }
    if let Some(taken_back) = &finding.taken_back {
        writeln!(out, "{:INDENT$}the counts are right until {taken_back} is taken back", "")?;
    }
    for wrong in finding.wrong.iter().take(SHOWN) {
        let (expected, found) = (grouped(wrong.expected), grouped(wrong.found));
        writeln!(out, "wrong     {}: {expected}, but the engine counts {found}", wrong.played)?;
    }
    if finding.wrong.len() > SHOWN {
        writeln!(out, "{:INDENT$}... and {} more moves", "", finding.wrong.len() - SHOWN)?;
    }
    Ok(())
}

fn write_disputed(what: &str, disputed: &WrongMoveReport, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{what:<INDENT$}{}", disputed.why)
}

fn write_candidates(finding: &FindingReport, out: &mut impl Write) -> io::Result<()> {
    if finding.candidates.is_empty() {
        return Ok(());
    }
    writeln!(out, "probably  one of these, because the engine lists no moves:")?;
    finding
        .candidates
        .iter()
        .take(CANDIDATES)
        .try_for_each(|candidate| write_disputed("", candidate, out))?;
    match finding.candidates.len().saturating_sub(CANDIDATES) {
        0 => Ok(()),
        more => writeln!(out, "{:INDENT$}... and {more} more moves", ""),
    }
}

fn board(fen: &str) -> String {
    Setup::from_fen(fen).map(|setup| setup.diagram()).unwrap_or_default()
}
