//! The result of a suite as text: each problem when it is found, and then a summary.

use std::io::{self, Write};

use anstyle::AnsiColor;

use super::report::{Check, SuiteReport, SuitesReport, Unanswered, WrongCount};
use crate::commands::divide::comparison::signed;
use crate::commands::hunt::text::write_causes;
use crate::output::fold::folded;
use crate::output::terminal::{incomplete_line, styled};
use crate::output::{Report, grouped, mega_per_second, with_sign};

/// The number of problems of a suite that the text shows.
pub const SHOWN: usize = 20;

impl Report for SuitesReport {
    const NAME: &'static str = "suite";

    /// Writes the summaries, the nodes and the time of all suites and, if there is a problem, the command to run next.
    /// The first problems were printed when they were found.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let begun = self.suites.iter().filter(|suite| suite.checked > 0 || suite.complete);
        begun.into_iter().try_for_each(|suite| write_summary(suite, out))?;
        let (nodes, seconds) = (self.suites.iter().map(|suite| suite.nodes.0).sum(), self.seconds);
        writeln!(out, "{} nodes in {seconds:.3} s, {}", grouped(nodes), mega_per_second(nodes, seconds))?;
        write_causes(&self.causes, "these answers", out)?;
        let has_failed = self.suites.iter().any(|suite| !suite.passed());
        self.next.as_ref().filter(|_| has_failed).map_or(Ok(()), |next| writeln!(out, "next: {next}"))
    }
}

/// Writes the problem with a count. Writes nothing if the count is right.
pub fn write_problem(suite: &str, check: &Check, out: &mut impl Write) -> io::Result<()> {
    check.wrong_count().map_or(Ok(()), |wrong| write_wrong(suite, &wrong, out))?;
    check.unanswered().map_or(Ok(()), |missing| write_unanswered(suite, &missing, out))
}

fn write_wrong(suite: &str, wrong: &WrongCount, out: &mut impl Write) -> io::Result<()> {
    let (mark, expected, found) = match wrong.wrong_in_file {
        true => ("wrong count in the file", "the file says", "perft counts"),
        false => ("wrong", "expected", "found"),
    };
    let (mark, width) = (styled(mark, AnsiColor::Red), expected.len().max("difference".len()));
    writeln!(out, "{mark}: {suite}:{}: {} at depth {}", wrong.line, wrong.position.label(), wrong.depth)?;
    if let Some(comment) = &wrong.comment {
        writeln!(out, "  {}", folded(&format!("this position tests: {comment}"), 2))?;
    }
    writeln!(out, "  {expected:width$} {:>20}", grouped(wrong.expected))?;
    let or_more = if wrong.found_is_lower_bound { " or more: counting ended above --max-nodes" } else { "" };
    writeln!(out, "  {found:width$} {:>20}{or_more}", with_sign(wrong.found, grouped))?;
    if !wrong.found_is_lower_bound {
        let difference = signed(wrong.expected, wrong.found, grouped);
        writeln!(out, "  {:width$} {difference:>20}", "difference")?;
    }
    write_if_right_afresh(wrong.right_in_fresh_process, out)?;
    writeln!(out, "  {}", wrong.command)
}

fn write_unanswered(suite: &str, unanswered: &Unanswered, out: &mut impl Write) -> io::Result<()> {
    let mark = styled(if unanswered.refused { "refused" } else { "unanswered" }, AnsiColor::Yellow);
    let Unanswered { line, position, depth, error, right_in_fresh_process, .. } = unanswered;
    writeln!(out, "{mark}: {suite}:{line}: {} at depth {depth}", position.label())?;
    writeln!(out, "  {}\n  {}", position.fen, folded(error, 2))?;
    write_if_right_afresh(*right_in_fresh_process, out)
}

fn write_if_right_afresh(is_right: bool, out: &mut impl Write) -> io::Result<()> {
    if is_right {
        writeln!(out, "  right in a fresh process: only after other questions it is not")?;
    }
    Ok(())
}

fn write_summary(report: &SuiteReport, out: &mut impl Write) -> io::Result<()> {
    let hidden = report.problems().saturating_sub(SHOWN);
    if hidden > 0 {
        writeln!(out, "... and {hidden} more; --json lists all")?;
    }
    if !report.complete {
        writeln!(out, "{}", incomplete_line())?;
    }
    let (positions, counts, outcome) = (report.positions, report.checked, outcome(report));
    writeln!(out, "{}: {positions} positions, {counts} counts, {outcome}", report.name)?;
    if report.skipped > 0 {
        writeln!(out, "  {} known counts skipped (--max-nodes, --max-depth)", report.skipped)?;
    }
    if report.not_asked > 0 {
        writeln!(out, "  {} deeper counts of failed positions skipped", report.not_asked)?;
    }
    report.notes.iter().try_for_each(|note| writeln!(out, "  {}", folded(note, 4)))?;
    if report.wrong_counts.iter().any(|wrong| wrong.wrong_in_file) {
        writeln!(out, "  help: correct the file; to check an engine against it, add --engine")?;
    }
    Ok(())
}

fn outcome(report: &SuiteReport) -> String {
    let marked =
        |number: usize, word: &str, color| (number > 0).then(|| styled(&format!("{number} {word}"), color));
    let wrong = marked(report.wrong_counts.len(), "wrong", AnsiColor::Red);
    let refused = report.unanswered.iter().filter(|missing| missing.refused).count();
    let unanswered = marked(report.unanswered.len() - refused, "unanswered", AnsiColor::Yellow);
    let problems = [wrong, unanswered, marked(refused, "refused", AnsiColor::Yellow)];
    let problems: Vec<String> = problems.into_iter().flatten().collect();
    match problems.as_slice() {
        [] if report.checked == 0 => styled("nothing checked", AnsiColor::Yellow),
        [] if !report.complete => styled("all right so far", AnsiColor::Yellow),
        [] => styled("all right", AnsiColor::Green),
        problems => problems.join(", "),
    }
}
