//! The result of a suite as text: each problem when it is found, and then a summary.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::AnsiColor;

use crate::cli::fold::folded;
use crate::cli::terminal::{incomplete_line, styled};
use crate::report::suite::{Check, Family, SuiteReport, Unanswered, WrongCount};
use crate::report::{grouped, mega_per_second};

/// The number of problems of a suite that the text shows.
pub const SHOWN: usize = 20;

/// Writes what is wrong with a count. Writes nothing if it is right.
pub fn write_problem(suite: &str, check: &Check, out: &mut impl Write) -> io::Result<()> {
    check.wrong_count().map_or(Ok(()), |wrong| write_wrong(suite, &wrong, out))?;
    check.unanswered().map_or(Ok(()), |missing| write_unanswered(suite, &missing, out))
}

fn write_wrong(suite: &str, wrong: &WrongCount, out: &mut impl Write) -> io::Result<()> {
    let mark = styled("wrong", AnsiColor::Red);
    writeln!(out, "{mark}: {suite}:{}: {} at depth {}", wrong.line, wrong.position.label(), wrong.depth)?;
    if let Some(comment) = &wrong.comment {
        writeln!(out, "  {}", folded(comment, 2))?;
    }
    writeln!(out, "  expected   {:>20}", grouped(wrong.expected))?;
    writeln!(out, "  found      {:>20}", grouped(wrong.found))?;
    writeln!(out, "  difference {:>20}", wrong.difference())?;
    writeln!(out, "  {}", wrong.command)
}

fn write_unanswered(suite: &str, unanswered: &Unanswered, out: &mut impl Write) -> io::Result<()> {
    let mark = styled("unanswered", AnsiColor::Yellow);
    let Unanswered { line, position, depth, error } = unanswered;
    writeln!(out, "{mark}: {suite}:{line}: {} at depth {depth}", position.label())?;
    writeln!(out, "  {}\n  {}", position.fen, folded(error, 2))
}

/// Writes the summary of a suite, whose first problems have been shown.
pub fn write_summary(report: &SuiteReport, elapsed: Duration, out: &mut impl Write) -> io::Result<()> {
    let hidden = (report.wrong + report.missing).saturating_sub(SHOWN);
    if hidden > 0 {
        writeln!(out, "... and {hidden} more; --json lists all")?;
    }
    if !report.complete {
        writeln!(out, "{}", incomplete_line())?;
    }
    let seconds = elapsed.as_secs_f64();
    let (positions, counts, outcome) = (report.positions, report.checked, outcome(report));
    writeln!(out, "{}: {positions} positions, {counts} counts, {outcome}", report.name)?;
    let (nodes, speed) = (grouped(report.nodes.0), mega_per_second(report.nodes.0, seconds));
    writeln!(out, "  {nodes} nodes in {seconds:.3} s, {speed}")?;
    for Family { name, positions, failed } in report.failed_families() {
        writeln!(out, "  {name}: {failed} of {positions} positions fail")?;
    }
    if report.skipped > 0 {
        writeln!(out, "  {} known counts skipped (--max-nodes, --max-depth)", report.skipped)?;
    }
    if report.not_asked > 0 {
        writeln!(out, "  {} deeper counts of failed positions skipped", report.not_asked)?;
    }
    report.notes.iter().try_for_each(|note| writeln!(out, "  {}", folded(note, 4)))?;
    out.flush()
}

fn outcome(report: &SuiteReport) -> String {
    let marked =
        |number: usize, word: &str, color| (number > 0).then(|| styled(&format!("{number} {word}"), color));
    let wrong = marked(report.wrong, "wrong", AnsiColor::Red);
    let unanswered = marked(report.missing, "unanswered", AnsiColor::Yellow);
    match (wrong, unanswered) {
        (None, None) if report.positions == 0 => styled("nothing asked", AnsiColor::Yellow),
        (None, None) if !report.complete => styled("all right so far", AnsiColor::Yellow),
        (None, None) => styled("all right", AnsiColor::Green),
        (Some(wrong), Some(unanswered)) => format!("{wrong}, {unanswered}"),
        (Some(one), None) | (None, Some(one)) => one,
    }
}
