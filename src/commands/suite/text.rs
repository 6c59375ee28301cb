//! The result of a suite as text: each problem when it is found, and then a summary.

use std::cmp::Reverse;
use std::io::{self, Write};

use anstyle::AnsiColor;

use super::report::{Check, SuiteReport, SuitesReport};
use crate::commands::divide::comparison::signed;
use crate::commands::hunt::report::write_causes;
use crate::output::table::folded;
use crate::output::terminal::{incomplete_line, styled};
use crate::output::{Report, grouped, mega_per_second, number_of, with_sign};

/// The number of problems that are printed in full when they are found. The others are grouped at the end.
pub const EXAMPLES: usize = 2;

/// The number of groups of problems that are printed.
const GROUPS: usize = 8;

impl Report for SuitesReport<'_> {
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
    let problems = report.suites.iter().flat_map(SuiteReport::problems);
    let hidden = problems.filter(|check| !check.is_printed).count();
    let more = number_of(hidden, "more problem");
    if hidden == 0 {
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

fn groups<'a>(report: &'a SuitesReport) -> Vec<(&'a str, Vec<Example>)> {
    let mut groups: Vec<(&str, Vec<Example>)> = Vec::new();
    for suite in &report.suites {
        for check in suite.problems().filter(|check| !check.is_printed) {
            let Check { line, position, depth, expected, .. } = check;
            let text = format!("{}:{line}: {}, depth {depth}", suite.name, position.label());
            let (group, example) = match check.found {
                Some(found) => {
                    let (found, right) = (with_sign(found, grouped), grouped(*expected));
                    (family(check.comment), (*expected, format!("{text}: {found}, right is {right}")))
                }
                None => (missing(check), (u128::from(*depth), text)),
            };
            match groups.iter_mut().find(|(name, _)| *name == group) {
                Some((_, examples)) => examples.push(example),
                None => groups.push((group, vec![example])),
            }
        }
    }
    groups
}

/// Returns the beginning of a comment, which says what a position tests: `castling` of `castling: out of check`.
fn family(comment: Option<&str>) -> &str {
    let family = comment.and_then(|comment| comment.split_once(": ")).map(|(family, _)| family);
    family.unwrap_or("other positions")
}

/// Writes a wrong or missing count, the command that looks into it, and what to type into the engine.
pub fn write_problem(suite: &str, check: &Check, by_hand: &[String], out: &mut impl Write) -> io::Result<()> {
    let (mark, color) = match check.found {
        Some(_) if check.wrong_in_file => ("wrong count in the file", AnsiColor::Red),
        Some(_) => ("wrong", AnsiColor::Red),
        None => (missing(check), AnsiColor::Yellow),
    };
    let (mark, label) = (styled(mark, color), check.position.label());
    writeln!(out, "{mark}: {suite}:{}: {label} at depth {}", check.line, check.depth)?;
    if let Some(error) = &check.error {
        writeln!(out, "  {}\n  {}", check.position.fen, folded(error, 2))?;
    }
    if let Some(found) = check.found {
        write_counts(check, found, out)?;
    }
    if check.right_in_fresh_process {
        writeln!(out, "  right in a fresh process: only after other questions it is not")?;
    }
    if check.found.is_some() {
        let width = if check.wrong_in_file { "the file says" } else { "difference" }.len();
        writeln!(out, "  {:width$} {}", "next", check.command)?;
    }
    let labels = ["by hand"].into_iter().chain(std::iter::repeat(""));
    by_hand.iter().zip(labels).try_for_each(|(line, label)| writeln!(out, "  {label:<10} {line}"))
}

fn missing(check: &Check) -> &'static str {
    if check.refused { "refused" } else { "unanswered" }
}

fn write_counts(check: &Check, found: i128, out: &mut impl Write) -> io::Result<()> {
    let words = if check.wrong_in_file { ["the file says", "perft counts"] } else { ["expected", "found"] };
    let width = words[0].len().max("difference".len());
    if let Some(comment) = check.comment {
        writeln!(out, "  {}", folded(&format!("this position tests: {comment}"), 2))?;
    }
    writeln!(out, "  {:width$} {:>20}", words[0], grouped(check.expected))?;
    let or_more = if check.found_is_lower_bound { " or more: counting ended above --max-nodes" } else { "" };
    writeln!(out, "  {:width$} {:>20}{or_more}", words[1], with_sign(found, grouped))?;
    if check.found_is_lower_bound {
        return Ok(());
    }
    writeln!(out, "  {:width$} {:>20}", "difference", signed(check.expected, found, grouped))
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
