//! The bugs of an engine as text, each printed as soon as it is found.

use std::io::{self, Write};

use anstyle::AnsiColor;
use perft_core::Setup;
use perft_diagnosis::{Finding, Verdict};

use super::error::CliError;
use super::fold::folded;
use super::printer::Format;
use super::terminal::{incomplete_line, styled};
use crate::report::hunt::{FindingReport, HuntReport, OriginReport};
use crate::report::{INCOMPLETE, grouped};

/// The width of the first column of a finding.
const INDENT: usize = 10;

/// Prints a finding while the hunt runs.
pub fn print_finding(
    format: Format,
    number: usize,
    finding: &Finding,
    report: &FindingReport,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        Format::Text => write_finding(number, finding, report, out),
        Format::Epd if finding.verdict != Verdict::Unread => writeln!(out, "{}", report.epd),
        Format::Epd | Format::Json => Ok(()),
    }
}

/// Checks that a hunt has asked anything.
///
/// # Errors
/// All positions are of Chess960, which the engine does not announce.
pub fn check_asked(positions: usize, left_out_chess960: usize) -> Result<(), CliError> {
    if positions > 0 || left_out_chess960 == 0 {
        return Ok(());
    }
    let message = "nothing was asked: all positions are of Chess960, which the engine does not announce";
    Err(CliError::usage(message).help("add --engine-chess960 if the engine knows Chess960 all the same"))
}

/// Checks that a hunt was not interrupted. Otherwise all output is written first.
///
/// # Errors
/// The hunt was interrupted, or the output cannot be written.
pub fn check_finished(is_interrupted: bool, positions: usize, out: &mut impl Write) -> Result<(), CliError> {
    if !is_interrupted {
        return Ok(());
    }
    out.flush()?;
    Err(CliError::Interrupted(format!("{} positions are done", grouped(positions as u128))))
}

/// Writes what is known at the end of a hunt: how often each bug was seen, what was left out, and the result.
pub fn write_summary(report: &HuntReport, out: &mut impl Write) -> io::Result<()> {
    for (index, finding) in report.findings.iter().enumerate() {
        let seen = seen(finding.times);
        writeln!(out, "{} {}: {}; seen {seen}", word(finding), index + 1, name(finding))?;
    }
    if report.cut_short > 0 {
        let positions = grouped(report.cut_short as u128);
        writeln!(out, "{positions} positions reached the limit of --questions")?;
    }
    report.notes.iter().try_for_each(|note| writeln!(out, "{}", folded(note, 2)))?;
    write_if_incomplete(report.complete, out)?;
    let name = report.engine.name.as_deref().unwrap_or(&report.engine.command);
    let summary = format!(
        "{name}: {}: {} of {} positions answered wrongly; {} questions in {:.1} s",
        result(report),
        grouped(report.faulty as u128),
        grouped(report.positions as u128),
        grouped(report.questions.into()),
        report.seconds,
    );
    writeln!(out, "{}", folded(&summary, 2))
}

/// Writes that a report is incomplete, if it is.
pub fn write_if_incomplete(is_complete: bool, out: &mut impl Write) -> io::Result<()> {
    if is_complete { Ok(()) } else { writeln!(out, "{}", incomplete_line()) }
}

/// Writes the end of a list of EPD lines: a comment if the list is incomplete.
pub fn write_epd_end(is_complete: bool, out: &mut impl Write) -> io::Result<()> {
    if is_complete { Ok(()) } else { writeln!(out, "# {INCOMPLETE}") }
}

/// Returns how often a bug was seen: `once`, `12 times`.
pub fn seen(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { format!("{} times", grouped(times.into())) }
}

/// Returns the result in a few words: the number of bugs.
fn result(report: &HuntReport) -> String {
    let bugs = report.findings.iter().filter(|finding| finding.verdict != "unread").count();
    match bugs {
        0 if !report.findings.is_empty() => styled("some answers could not be read", AnsiColor::Yellow),
        bugs => number_of_bugs(bugs, report.complete),
    }
}

/// Returns the number of bugs in words, in green or red. Without a bug, an incomplete search has no result.
pub fn number_of_bugs(bugs: usize, is_complete: bool) -> String {
    match bugs {
        0 if !is_complete => styled("no bug found so far", AnsiColor::Yellow),
        0 => styled("no bug found", AnsiColor::Green),
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

fn write_finding(
    number: usize,
    finding: &Finding,
    report: &FindingReport,
    out: &mut impl Write,
) -> io::Result<()> {
    let is_unread = finding.verdict == Verdict::Unread;
    let color = if is_unread { AnsiColor::Yellow } else { AnsiColor::Red };
    let title = styled(&format!("{} {number}", word(report)), color);
    writeln!(out, "{title}: {}\n", finding.name())?;
    finding.to_string().lines().try_for_each(|line| writeln!(out, "{}", folded_line(line)))?;
    if !is_unread {
        writeln!(out, "suite     {}", report.epd)?;
    }
    writeln!(out)
}

/// Returns a line of a finding folded beside its first column. FENs stay on one line, so that they can be copied.
fn folded_line(line: &str) -> String {
    let is_fen = ["position", "reached", "met in"].iter().any(|word| line.starts_with(word));
    match line.split_at_checked(INDENT) {
        Some((word, text)) if !is_fen => format!("{word}{}", folded(text, INDENT)),
        _ => line.to_owned(),
    }
}

/// Writes where a bug was met first, unless that is the position of the finding.
pub fn write_origin(shown: &str, origin: &OriginReport, out: &mut impl Write) -> io::Result<()> {
    let OriginReport { root, path } = origin;
    match path.is_empty() {
        true if *root == *shown => Ok(()),
        true => writeln!(out, "met in    {root}"),
        false => writeln!(out, "met in    {root} moves {}", path.join(" ")),
    }
}

/// Returns the drawing of a position.
pub fn board(fen: &str) -> String {
    Setup::from_fen(fen).map(|setup| setup.diagram()).unwrap_or_default()
}
