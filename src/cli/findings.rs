//! The bugs of an engine as text, each printed as soon as it is found.

use std::io::{self, Write};

use anstyle::AnsiColor;
use perft_core::Setup;

use super::error::CliError;
use super::fold::folded;
use super::printer::Format;
use super::terminal::styled;
use crate::report::grouped;
use crate::report::hunt::{FindingReport, HuntReport, OriginReport, WrongMoveReport};

/// The width of the first column.
const INDENT: usize = 10;

/// The number of moves with a wrong count that the text shows.
const SHOWN: usize = 5;

/// The number of candidates that the text shows.
const CANDIDATES: usize = 8;

/// Prints a finding while the hunt runs.
pub fn print_finding(
    format: Format,
    number: usize,
    finding: &FindingReport,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        Format::Text => write_finding(number, finding, out),
        Format::Epd if finding.verdict != "unread" => writeln!(out, "{}", finding.epd),
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

/// Returns how often a bug was seen: `once`, `12 times`.
pub fn seen(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { format!("{} times", grouped(times.into())) }
}

/// Returns the result in a few words: the number of bugs.
fn result(report: &HuntReport) -> String {
    let bugs = report.findings.iter().filter(|finding| finding.verdict != "unread").count();
    match bugs {
        0 if !report.findings.is_empty() => styled("some answers could not be read", AnsiColor::Yellow),
        bugs => number_of_bugs(bugs),
    }
}

/// Returns the number of bugs in words, in green or red.
pub fn number_of_bugs(bugs: usize) -> String {
    match bugs {
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
    write_origin(&finding.root, &finding.origin, out)?;
    if !is_unread {
        writeln!(out, "suite     {}", finding.epd)?;
    }
    writeln!(out)
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

/// Returns the drawing of a position.
pub fn board(fen: &str) -> String {
    Setup::from_fen(fen).map(|setup| setup.diagram()).unwrap_or_default()
}
