//! The report of `perft suite`: the wrong and the missing counts, and its text. Each problem is printed when it is
//! found, and a summary follows.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::AnsiColor;
use perft_core::suite::Limits;
use perft_diagnosis::{Model, Shared};
use serde::Serialize;

use super::SuiteArgs;
use super::check::{Check, Part, SuiteTarget};
use crate::input::{command, hunt_of};
use crate::output::table::unbroken;
use crate::output::{
    Context, Digits, Nodes, Provenance, Report, agreeing, folded, grouped, incomplete_line, mega_per_second,
    number_of, styled,
};
use crate::report::engine::EngineInfo;
use crate::report::engine::{write_causes, write_line};

/// The results of several suites.
#[derive(Clone, Debug, Serialize)]
pub struct SuitesReport<'a> {
    /// How the counts were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The engine that was asked; `None` if perft itself counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineInfo>,
    /// Whether all counts were made. `false` after an interruption or a stop by `--fail-fast`.
    pub complete: bool,
    /// Whether every count was made and was correct.
    pub passed: bool,
    /// The time of all suites in seconds.
    pub seconds: f64,
    /// The results of the suites, in the order in which they ran. Those that were not begun are incomplete and have no
    /// counts.
    pub suites: Vec<SuiteReport<'a>>,
    /// Why answers of the engine are wrong.
    #[serde(flatten)]
    pub reasons: Reasons,
    /// The command to run next.
    #[serde(skip)]
    pub next: Option<String>,
    /// Whether the first problem ended the check.
    #[serde(skip)]
    pub is_cut_short: bool,
}

/// Why answers of an engine are wrong.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Reasons {
    /// The mistakes that give all answers that were compared. Empty if there are none, or too many of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Model>,
    /// Without a cause: what the wrong answers have in common.
    pub in_common: Vec<Shared>,
    /// The number of answers that were compared: the wrong ones, and the right ones that are not too large.
    #[serde(skip)]
    pub compared: usize,
}

/// The result of one suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport<'a> {
    /// The name of the suite or of its file.
    pub name: String,
    /// Whether all counts were made. `false` after an interruption or a stop by `--fail-fast`.
    pub complete: bool,
    /// The number of positions without those that were left out. If the check is incomplete, only those with a count.
    pub positions: usize,
    /// The number of known counts that were checked.
    pub checked: usize,
    /// The number of known counts that were skipped because their depth or number of nodes is above a limit.
    pub skipped: usize,
    /// The number of known counts that the engine was not asked for, because its answer at a lower depth of the same
    /// position was wrong or missing.
    pub not_asked: usize,
    /// What the engine was not asked.
    #[serde(flatten)]
    pub part: &'a Part,
    /// The leaf nodes of all counts.
    #[serde(flatten)]
    pub nodes: Nodes,
    pub wrong_counts: Vec<Check<'a>>,
    /// The counts that the engine did not give.
    pub unanswered: Vec<Check<'a>>,
}

impl<'a> SuiteReport<'a> {
    /// Makes a report of the checks of a part, which may be in any order. Known counts beyond the limits are skipped.
    pub fn new(part: &'a Part, target: &SuiteTarget, mut checks: Vec<Check<'a>>) -> SuiteReport<'a> {
        let (suite, limits) = (&part.suite, &target.limits);
        checks.sort_by_key(|check| (check.line, check.depth));
        let begun = checks.chunk_by(|a, b| a.line == b.line).count();
        let failed = checks.iter().filter(|check| target.engine.is_some() && !check.is_right());
        let not_asked = failed.map(|check| check.deeper(limits).count()).sum();
        let within_limits = suite.known_counts(limits).len();
        let complete = checks.len() + not_asked == within_limits;
        let nodes = checks.iter().filter_map(|check| check.found);
        let nodes = Nodes(nodes.fold(0, |sum, nodes| sum.saturating_add(nodes.unsigned_abs())));
        let checked = checks.len();
        let problems = checks.into_iter().filter(|check| !check.is_right());
        let (wrong_counts, unanswered) = problems.partition(|check| check.found.is_some());
        SuiteReport {
            name: suite.name.clone(),
            complete,
            positions: if complete { suite.cases.len() } else { begun },
            checked,
            skipped: suite.known_counts(&Limits::NONE).len() - within_limits,
            not_asked,
            part,
            nodes,
            wrong_counts,
            unanswered,
        }
    }

    /// Returns the wrong and the missing counts.
    pub fn problems(&self) -> impl Iterator<Item = &Check<'a>> {
        self.wrong_counts.iter().chain(&self.unanswered)
    }
}

/// Returns the command to run after the check of an engine: it finds the bugs behind a wrong or missing count, or
/// asks about random positions.
pub fn next(args: &SuiteArgs, suites: &[SuiteReport], context: &Context) -> Option<String> {
    let engine = args.engine.text()?;
    let first = suites.iter().find_map(|suite| {
        suite.wrong_counts.iter().min_by_key(|wrong| wrong.expected).or(suite.unanswered.first())
    });
    let machine = context.given.flags(&["threads"]);
    let words = match (first, &args.only) {
        (None, _) => vec!["--random".to_owned(), "100k".to_owned()],
        (Some(check), Some(_)) => {
            let (fen, depth) = (check.position.fen.clone(), check.depth.to_string());
            vec!["--fen".to_owned(), fen, "--depth".to_owned(), depth]
        }
        (Some(_), None) => [args.suites.clone(), context.given.flags(&["max_nodes", "unreachable"])].concat(),
    };
    command([hunt_of(engine), words, machine].concat(), context)
}

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
        let Reasons { causes, in_common, compared } = &self.reasons;
        let were = agreeing(*compared, "was", "were");
        let compared = format!("the {} that {were} compared", number_of(*compared, "answer"));
        write_causes(causes, &compared, out)?;
        in_common.iter().try_for_each(|fact| write_line("in common", &fact.to_string(), out))?;
        if self.suites.iter().flat_map(|suite| &suite.unanswered).any(|missing| missing.is_late) {
            writeln!(out, "help: if the engine needs more time, or hangs: --engine-timeout SECONDS")?;
        }
        self.next.as_ref().map_or(Ok(()), |next| writeln!(out, "next: {next}"))
    }
}

/// Writes the groups of the problems that were not printed before, each group with its smallest examples. If causes
/// were found, only the number of these problems is written.
fn write_groups(report: &SuitesReport, out: &mut impl Write) -> io::Result<()> {
    // For each group: a number to sort by and a line for each problem.
    let mut groups: BTreeMap<&str, Vec<(u128, String)>> = BTreeMap::new();
    for suite in &report.suites {
        for check in suite.problems().filter(|check| !check.is_printed) {
            let Check { line, position, depth, expected, .. } = check;
            let text = format!("{}:{line}: {}, depth {depth}", suite.name, position.label());
            let (group, example) = match check.found {
                Some(found) => {
                    let (found, known) = (Digits::Grouped.signed(found), grouped(*expected));
                    let counts = match check.wrong_in_file {
                        true => format!("the file says {known}, right is {found}"),
                        false => format!("{found}, right is {known}"),
                    };
                    (family(check.comment), (*expected, format!("{text}: {counts}")))
                }
                None => (missing(check), (u128::from(*depth), text)),
            };
            groups.entry(group).or_default().push(example);
        }
    }
    let more = number_of(groups.values().map(Vec::len).sum::<usize>(), "more problem");
    if groups.is_empty() {
        return Ok(());
    }
    if !report.reasons.causes.is_empty() {
        return writeln!(out, "... and {more}; --all shows all");
    }
    let is_one = groups.len() == 1;
    let grouping = if is_one { "" } else { ", by what the positions test" };
    writeln!(out, "{more}{grouping}; --all shows all:")?;
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, examples)| Reverse(examples.len()));
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

/// Returns the beginning of a comment, which says what a position tests: `castling` of `castling: out of check`.
fn family(comment: Option<&str>) -> &str {
    let family = comment.and_then(|comment| comment.split_once(": ")).map(|(family, _)| family);
    family.unwrap_or("other positions")
}

/// Writes a wrong or missing count, the command that looks into it, and what to type into the engine.
pub fn write_problem(suite: &str, check: &Check, by_hand: &[String], out: &mut impl Write) -> io::Result<()> {
    let (mark, color) = match check.found {
        Some(_) if check.wrong_in_file => ("wrong count in the file", AnsiColor::Yellow),
        Some(_) => ("wrong", AnsiColor::Yellow),
        None => (missing(check), AnsiColor::Red),
    };
    let (mark, label) = (styled(mark, color), unbroken(check.position.label()));
    let place = format!("{mark}: {suite}:{}: {label} at depth {}", check.line, check.depth);
    writeln!(out, "{}", folded(&place, 2))?;
    if let Some(error) = &check.error {
        writeln!(out, "  {}\n  {}", check.position.fen, folded(error, 2))?;
    }
    if let Some(found) = check.found {
        write_counts(check, found, out)?;
    }
    if check.right_in_fresh_process {
        let text = "right in a fresh process: only after other questions it is not";
        writeln!(out, "  {}", folded(text, 2))?;
    }
    if check.found.is_some() && !check.command.is_empty() {
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
    writeln!(out, "  {:width$} {:>20}{or_more}", words[1], Digits::Grouped.signed(found))?;
    if check.found_is_lower_bound {
        return Ok(());
    }
    writeln!(out, "  {:width$} {:>20}", "difference", Digits::Grouped.difference(check.expected, found))?;
    match check.misstates_total() {
        true => {
            writeln!(out, "  only the stated total is wrong: the moves add up to {}", grouped(check.expected))
        }
        false => Ok(()),
    }
}

fn write_summary(report: &SuiteReport, is_cut_short: bool, out: &mut impl Write) -> io::Result<()> {
    if !report.complete && !is_cut_short {
        writeln!(out, "{}", incomplete_line())?;
    }
    let (positions, counts) = (number_of(report.positions, "position"), number_of(report.checked, "count"));
    let summary = format!("{}: {positions}, {counts}, {}", report.name, outcome(report));
    writeln!(out, "{}", folded(&summary, 2))?;
    if report.skipped > 0 {
        let skipped = number_of(report.skipped, "known count");
        writeln!(out, "  {}", folded(&format!("{skipped} skipped (--max-nodes, --max-depth)"), 4))?;
    }
    if report.not_asked > 0 {
        let skipped = number_of(report.not_asked, "deeper count");
        writeln!(out, "  {}", folded(&format!("{skipped} of failed positions skipped"), 4))?;
    }
    report.part.notes.iter().try_for_each(|note| writeln!(out, "  {}", folded(note, 4)))?;
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
