//! The report of `perft suite`: the wrong and the missing counts, and the commands that show them again.
//!
//! It can also be written in the XML format of JUnit, which CI systems show.

use std::collections::BTreeMap;
use std::io::{self, Write};

use perft_core::suite::{Case, KnownCount, Outcome};
use serde::Serialize;

use super::table::escape_markup;
use super::{Provenance, grouped};
use crate::engine::SuiteAnswer;

/// The results of several suites.
#[derive(Clone, Debug, Serialize)]
pub struct SuitesReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The engine that made them, if it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineInfo>,
    /// Whether every count was correct.
    pub passed: bool,
    /// The time of all suites in seconds.
    pub seconds: f64,
    /// The results of the suites, in the order in which they ran.
    pub suites: Vec<SuiteReport>,
}

/// An engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineInfo {
    /// The command that starts it.
    pub command: String,
    /// The dialect of its questions and answers.
    pub dialect: &'static str,
    /// The name that it gives itself, if it gives one.
    pub name: Option<String>,
}

/// The result of one suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport {
    /// The name of the suite or of its file.
    pub name: String,
    /// The number of positions in the suite.
    pub positions: usize,
    /// The number of counts that were made.
    pub counts: usize,
    /// The number of known counts that were skipped because of the limits.
    pub skipped: usize,
    /// The number of known counts that the engine was not asked for, because a smaller one was wrong or missing.
    pub not_asked: usize,
    /// The leaf nodes of all counts.
    pub nodes: u128,
    /// The wrong counts.
    pub failures: Vec<WrongCount>,
    /// The counts that the engine did not give.
    pub unanswered: Vec<Unanswered>,
    /// The families in which a position has a wrong or missing count.
    pub families: Vec<Family>,
    /// The names of all positions, each with the first problem if there is one.
    #[serde(skip)]
    cases: Vec<(String, Option<String>)>,
}

/// A wrong count.
#[derive(Clone, Debug, Serialize)]
pub struct WrongCount {
    /// The line number in the suite.
    pub line: usize,
    /// The name of the position.
    pub name: String,
    /// The comment in the suite: the kind of bug that the position catches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The FEN of the position.
    pub fen: String,
    /// The depth in plies.
    pub depth: u32,
    /// The known count.
    pub expected: u128,
    /// The count that was found.
    pub found: u128,
    /// The command that shows the correct count of each root move.
    pub command: String,
}

/// A missing count.
#[derive(Clone, Debug, Serialize)]
pub struct Unanswered {
    /// The line number in the suite.
    pub line: usize,
    /// The name of the position.
    pub name: String,
    /// The FEN of the position.
    pub fen: String,
    /// The depth in plies.
    pub depth: u32,
    /// Why the engine gave no count.
    pub reason: String,
}

/// The positions of a suite that catch the same kind of bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Family {
    /// The name of the family, such as `en passant` or `castling`.
    pub name: String,
    /// The number of positions that were counted.
    pub positions: usize,
    /// The number of positions with a wrong or missing count.
    pub failed: usize,
}

/// A known count and the answer to the question for it.
#[derive(Clone, Debug)]
pub struct Check<'a> {
    case: &'a Case,
    expected: KnownCount,
    found: Result<u128, String>,
}

impl<'a> From<&Outcome<'a>> for Check<'a> {
    fn from(outcome: &Outcome<'a>) -> Check<'a> {
        Check { case: outcome.case, expected: outcome.expected, found: Ok(outcome.nodes) }
    }
}

impl<'a> From<&SuiteAnswer<'a>> for Check<'a> {
    fn from(answer: &SuiteAnswer<'a>) -> Check<'a> {
        let found = answer.answer.as_ref().map(|answer| answer.total()).map_err(ToString::to_string);
        Check { case: answer.case, expected: answer.expected, found }
    }
}

impl Check<'_> {
    fn is_right(&self) -> bool {
        self.found == Ok(self.expected.nodes)
    }

    fn wrong_count(&self) -> Option<WrongCount> {
        let Ok(found) = self.found else { return None };
        if self.is_right() {
            return None;
        }
        let depth = self.expected.depth;
        let verb = if depth == 0 { "perft" } else { "perft divide" };
        Some(WrongCount {
            line: self.case.line,
            name: self.case.name().to_owned(),
            comment: self.case.comment.clone(),
            fen: self.case.fen.clone(),
            depth,
            expected: self.expected.nodes,
            found,
            command: format!("{verb} --fen '{}' --depth {depth}", self.case.fen),
        })
    }

    fn unanswered(&self) -> Option<Unanswered> {
        Some(Unanswered {
            line: self.case.line,
            name: self.case.name().to_owned(),
            fen: self.case.fen.clone(),
            depth: self.expected.depth,
            reason: self.found.as_ref().err()?.clone(),
        })
    }

    /// Returns what is wrong, if something is.
    fn problem(&self) -> Option<String> {
        let (depth, expected) = (self.expected.depth, self.expected.nodes);
        match &self.found {
            _ if self.is_right() => None,
            Ok(found) => Some(format!("depth {depth}: {found} instead of {expected}")),
            Err(reason) => Some(format!("depth {depth}: {reason}")),
        }
    }
}

impl WrongCount {
    /// Returns the difference to the correct count with its sign: `+1`, `-3,986`.
    pub fn difference(&self) -> String {
        let sign = if self.found > self.expected { '+' } else { '-' };
        format!("{sign}{}", grouped(self.found.abs_diff(self.expected)))
    }
}

impl SuiteReport {
    /// Makes a report of the checks of a suite, in its order. `skipped` is the number of known counts beyond the limits.
    pub fn new(name: &str, positions: usize, skipped: usize, checks: &[Check]) -> SuiteReport {
        let by_case: Vec<&[Check]> = checks.chunk_by(|a, b| std::ptr::eq(a.case, b.case)).collect();
        let case =
            |checks: &&[Check]| (checks[0].case.name().to_owned(), checks.iter().find_map(Check::problem));
        SuiteReport {
            name: name.to_owned(),
            positions,
            counts: checks.len(),
            skipped,
            not_asked: 0,
            nodes: checks.iter().filter_map(|check| check.found.as_ref().ok()).sum(),
            failures: checks.iter().filter_map(Check::wrong_count).collect(),
            unanswered: checks.iter().filter_map(Check::unanswered).collect(),
            families: families(&by_case),
            cases: by_case.iter().map(case).collect(),
        }
    }

    /// Whether every count was correct.
    pub fn passed(&self) -> bool {
        self.failures.is_empty() && self.unanswered.is_empty()
    }
}

/// Returns the families in which a position has a wrong or missing count.
fn families(by_case: &[&[Check]]) -> Vec<Family> {
    let mut families: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for checks in by_case {
        let (positions, failed) = families.entry(checks[0].case.family().unwrap_or("other")).or_default();
        *positions += 1;
        *failed += usize::from(!checks.iter().all(Check::is_right));
    }
    let failed = families.into_iter().filter(|(_, (_, failed))| *failed > 0);
    failed.map(|(name, (positions, failed))| Family { name: name.to_owned(), positions, failed }).collect()
}

impl SuitesReport {
    /// Writes the XML of JUnit: a test suite for each suite, and a test case for each position.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_junit(&self, out: &mut impl Write) -> io::Result<()> {
        let tests: usize = self.suites.iter().map(|suite| suite.cases.len()).sum();
        let failures: usize = self.suites.iter().map(SuiteReport::failed_cases).sum();
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        let name = self.provenance.program;
        writeln!(
            out,
            r#"<testsuites name="{name}" tests="{tests}" skipped="0" failures="{failures}" errors="0">"#
        )?;
        self.suites.iter().try_for_each(|suite| suite.write_junit(out))?;
        writeln!(out, "</testsuites>")
    }
}

impl SuiteReport {
    fn failed_cases(&self) -> usize {
        self.cases.iter().filter(|(_, problem)| problem.is_some()).count()
    }

    fn write_junit(&self, out: &mut impl Write) -> io::Result<()> {
        let (suite, tests, failures) = (escape_markup(&self.name), self.cases.len(), self.failed_cases());
        writeln!(
            out,
            r#"    <testsuite name="{suite}" tests="{tests}" skipped="0" errors="0" failures="{failures}">"#
        )?;
        for (name, problem) in &self.cases {
            write!(out, r#"        <testcase name="{}" classname="{suite}""#, escape_markup(name))?;
            match problem.as_deref().map(escape_markup) {
                None => writeln!(out, "/>")?,
                Some(problem) => {
                    writeln!(out, ">\n            <failure message=\"{problem}\"/>\n        </testcase>")?;
                }
            }
        }
        writeln!(out, "    </testsuite>")
    }
}
