//! The hunt for wrong counts. Its bugs are printed as text as soon as they are found.

use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::AnsiColor;
use perft_diagnosis::{Finding, HuntTarget, Verdict, hunt};

use super::report::{
    FindingReport, HuntReport, INDENT, count_notes, number_of_bugs, seen, write_by_hand, write_totals,
};
use super::search::{EngineSearch, FindingFormat, Searched, search_bar, searched};
use crate::input::engine::command;
use crate::output::Report;
use crate::output::context::Context;
use crate::output::error::{CliError, exit_code};
use crate::output::table::folded;
use crate::output::terminal::styled;

impl Report for HuntReport {
    const NAME: &'static str = "hunt";

    /// Writes the end of a hunt: how often each bug was seen, what was left out, and the result.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let HuntReport { totals, findings } = self;
        for (index, finding) in findings.iter().enumerate() {
            let seen = seen(finding.seen);
            writeln!(out, "{} {}: {}; seen {seen}", word(finding), index + 1, finding.name)?;
        }
        write_totals(totals, &result(self), "without the right answer", out)
    }
}

/// Runs a search for wrong counts and prints its findings.
///
/// # Errors
/// The search is interrupted, or the output cannot be written.
pub fn run(
    job: &EngineSearch,
    target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let bar = search_bar(context, "hunt", job.scope.positions);
    let describe = |number, finding: &Finding, out: &mut Vec<u8>| {
        let report = FindingReport::new(finding, &context.stop);
        match job.format {
            FindingFormat::Text => {
                let by_hand = job.spec.by_hand(&finding.fault.path.question(finding.fault.depth));
                write_finding(number, finding, &report, &by_hand.unwrap_or_default(), out)?;
            }
            FindingFormat::Epd if is_shown_by_position(&report) => writeln!(out, "{}", report.epd)?,
            FindingFormat::Epd | FindingFormat::Json => {}
        }
        Ok(report)
    };
    let mut searched = searched(bar, &context.stop, out, describe, |on_event| {
        hunt(target, || job.source(), job.scope.options, &context.stop, on_event)
    })?;
    let summary = &searched.summary;
    for (report, finding) in searched.findings.iter_mut().zip(&summary.findings) {
        report.seen = finding.times;
    }
    let notes = count_notes(summary, job.scope.left_out);
    let mut totals = job.totals(&searched, summary.source.name.as_ref(), notes)?;
    totals.next = next(&searched.findings, job, context);
    let Searched { summary, findings, .. } = searched;
    let report = HuntReport { totals, findings };
    job.conclude(&report, &report.totals, out)?;
    let is_all_refused = summary.source.refused > 0 && summary.source.refused >= summary.questions;
    Ok(exit_code(
        summary.findings.iter().any(Finding::is_wrong_count),
        summary.faulty + summary.findings.len() > 0 || is_all_refused,
    ))
}

/// Returns the line with the command to run next: it asks about the first bug again, or goes on without a bug.
fn next(findings: &[FindingReport], job: &EngineSearch, context: &Context) -> Option<String> {
    if findings.is_empty() {
        return Some(format!("next: {}", job.next));
    }
    let bug = findings.iter().find(|finding| is_shown_by_position(finding))?;
    let (depth, moves) = (bug.depth.to_string(), bug.path.join(","));
    let mut words = vec!["divide", "--fen", &bug.root.fen];
    words.extend(if moves.is_empty() { Vec::new() } else { vec!["--moves", &moves] });
    words.extend(["--depth", &depth, "--against", &job.engine]);
    Some(format!("after a fix: {}", command(words, context)))
}

/// Returns the result in a few words: the number of bugs.
fn result(report: &HuntReport) -> String {
    let bugs = report.findings.iter().filter(|finding| finding.verdict != Verdict::Unread).count();
    match bugs {
        0 if !report.findings.is_empty() => styled("some answers could not be read", AnsiColor::Yellow),
        bugs => number_of_bugs(bugs, report.totals.complete),
    }
}

/// Returns the word for a finding: `bug`, or `answer` if the answer was not understood, because then the engine may be
/// right.
fn word(finding: &FindingReport) -> &'static str {
    if finding.verdict == Verdict::Unread { "answer" } else { "bug" }
}

/// Whether a question about its position shows the bug, so that the position belongs in a suite.
fn is_shown_by_position(finding: &FindingReport) -> bool {
    !matches!(finding.verdict, Verdict::Unread | Verdict::NotRepeated)
}

fn write_finding(
    number: usize,
    finding: &Finding,
    report: &FindingReport,
    by_hand: &[String],
    out: &mut impl Write,
) -> io::Result<()> {
    let color = if report.verdict == Verdict::Unread { AnsiColor::Yellow } else { AnsiColor::Red };
    let title = styled(&format!("{} {number}", word(report)), color);
    writeln!(out, "{title}: {}\n", report.name)?;
    finding.to_string().lines().try_for_each(|line| writeln!(out, "{}", folded_line(line)))?;
    if is_shown_by_position(report) {
        write_by_hand(by_hand, out)?;
        writeln!(out, "suite     {}", report.epd)?;
    }
    writeln!(out)
}

/// Returns a line of a finding, folded next to its first column. FENs stay on one line, so that they can be copied.
fn folded_line(line: &str) -> String {
    let is_fen = ["position", "reached", "met in"].iter().any(|word| line.starts_with(word));
    match line.split_at_checked(INDENT) {
        Some((word, text)) if !is_fen => format!("{word}{}", folded(text, INDENT)),
        _ => line.to_owned(),
    }
}
