//! The result of a suite as text: each problem when it is found, and then a summary.

use std::cmp::Reverse;
use std::io::{self, Write};

use anstyle::AnsiColor;

use super::report::{Check, SuiteReport, SuitesReport, Unanswered, WrongCount};
use crate::commands::divide::comparison::signed;
use crate::commands::hunt::report::write_causes;
use crate::output::table::folded;
use crate::output::terminal::{incomplete_line, styled};
use crate::output::{Report, grouped, mega_per_second, number_of, with_sign};

/// The number of problems that are printed in full when they are found. The others are grouped at the end.
pub const EXAMPLES: usize = 2;

/// The number of groups of problems that are printed.
const GROUPS: usize = 8;

impl Report for SuitesReport {
    const NAME: &'static str = "suite";

    /// Writes the problems that were not printed when they were found, in groups, the summaries, the causes and the
    /// command to run next.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        if self.is_cut_short {
            writeln!(out, "{}", styled("stopped at the first wrong count (--fail-fast)", AnsiColor::Yellow))?;
        } else {
            write_groups(self, out)?;
        }
        let begun = self.suites.iter().filter(|suite| suite.checked > 0 || suite.complete);
        begun.into_iter().try_for_each(|suite| write_summary(suite, self.is_cut_short, out))?;
        let (nodes, seconds) = (self.suites.iter().map(|suite| suite.nodes.0).sum(), self.seconds);
        writeln!(out, "{} in {seconds:.3} s, {}", number_of(nodes, "node"), mega_per_second(nodes, seconds))?;
        write_causes(&self.causes, "these answers", out)?;
        if self.suites.iter().flat_map(|suite| &suite.unanswered).any(|missing| missing.is_late) {
            writeln!(out, "help: if the engine needs more time, or hangs: --engine-timeout SECONDS")?;
        }
        self.next.as_ref().map_or(Ok(()), |next| writeln!(out, "next: {next}"))
    }
}

/// A problem that was not printed when it was found: its number of nodes, and a line about it.
type Example = (u128, String);

/// Writes the problems that were not printed in groups, each with its smallest examples. If all have one cause, they
/// are not grouped.
fn write_groups(report: &SuitesReport, out: &mut impl Write) -> io::Result<()> {
    let problems: usize = report.suites.iter().map(SuiteReport::problems).sum();
    let more = number_of(problems - report.printed.len(), "more problem");
    if problems == report.printed.len() {
        return Ok(());
    }
    if !report.causes.is_empty() {
        return writeln!(out, "... and {more}; --all shows all");
    }
    let mut groups = groups(report);
    groups.sort_by_key(|(_, examples)| Reverse(examples.len()));
    let is_one = groups.len() == 1;
    let grouping = if is_one { "" } else { ", by what the positions test" };
    writeln!(out, "{more}{grouping}; --all shows all:")?;
    for (name, examples) in groups.iter_mut().take(GROUPS) {
        examples.sort();
        if !is_one {
            writeln!(out, "  {name}: {}", grouped(examples.len() as u128))?;
        }
        examples.iter().take(EXAMPLES).try_for_each(|(_, line)| writeln!(out, "    {}", folded(line, 6)))?;
    }
    match groups.len().saturating_sub(GROUPS) {
        0 => Ok(()),
        hidden => writeln!(out, "  ... and {}", number_of(hidden, "more group")),
    }
}

fn groups(report: &SuitesReport) -> Vec<(&str, Vec<Example>)> {
    let mut groups: Vec<(&str, Vec<Example>)> = Vec::new();
    let mut add = |suite: &SuiteReport, group, (line, depth): (usize, u32), (nodes, text): Example| {
        if report.printed.contains(&(suite.name.clone(), line, depth)) {
            return;
        }
        let example = (nodes, format!("{}:{line}: {text}", suite.name));
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, examples)) => examples.push(example),
            None => groups.push((group, vec![example])),
        }
    };
    for suite in &report.suites {
        for wrong in &suite.wrong_counts {
            let (label, depth) = (wrong.position.label(), wrong.depth);
            let (found, right) = (with_sign(wrong.found, grouped), grouped(wrong.expected));
            let text = format!("{label}, depth {depth}: {found}, right is {right}");
            add(suite, family(wrong.comment.as_deref()), (wrong.line, depth), (wrong.expected, text));
        }
        for missing in &suite.unanswered {
            let group = if missing.refused { "refused" } else { "unanswered" };
            let (label, depth) = (missing.position.label(), missing.depth);
            add(suite, group, (missing.line, depth), (depth.into(), format!("{label}, depth {depth}")));
        }
    }
    groups
}

/// Returns the beginning of a comment, which says what a position tests: `castling` of `castling: out of check`.
fn family(comment: Option<&str>) -> &str {
    let family = comment.and_then(|comment| comment.split_once(": ")).map(|(family, _)| family);
    family.unwrap_or("other positions")
}

/// Writes the problem with a count, the command that looks into it, and what to type into the engine. Writes nothing if
/// the count is right.
pub fn write_problem(
    suite: &str,
    check: &Check,
    compare: &str,
    by_hand: &[String],
    out: &mut impl Write,
) -> io::Result<()> {
    check.wrong_count(compare).map_or(Ok(()), |wrong| write_wrong(suite, &wrong, out))?;
    check.unanswered().map_or(Ok(()), |missing| write_unanswered(suite, &missing, out))?;
    for (index, line) in by_hand.iter().filter(|_| !check.is_right()).enumerate() {
        writeln!(out, "  {:<10} {line}", if index == 0 { "by hand" } else { "" })?;
    }
    Ok(())
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
    writeln!(out, "  {:width$} {}", "next", wrong.command)
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

fn write_summary(report: &SuiteReport, is_cut_short: bool, out: &mut impl Write) -> io::Result<()> {
    if !report.complete && !is_cut_short {
        writeln!(out, "{}", incomplete_line())?;
    }
    let (positions, counts) = (number_of(report.positions, "position"), number_of(report.checked, "count"));
    writeln!(out, "{}: {positions}, {counts}, {}", report.name, outcome(report))?;
    if report.skipped > 0 {
        writeln!(out, "  {} skipped (--max-nodes, --max-depth)", number_of(report.skipped, "known count"))?;
    }
    if report.not_asked > 0 {
        writeln!(out, "  {} of failed positions skipped", number_of(report.not_asked, "deeper count"))?;
    }
    report.notes.iter().try_for_each(|note| writeln!(out, "  {}", folded(note, 4)))?;
    if report.wrong_counts.iter().any(|wrong| wrong.wrong_in_file) {
        writeln!(
            out,
            "  help: by the rules of chess the file is wrong; to check an engine, name it: ./my-engine"
        )?;
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
