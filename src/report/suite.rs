//! The outcome of a suite: what was wrong, what was not answered, and how to see it again.

use std::collections::BTreeMap;
use std::io;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use super::{Context, grouped};
use crate::engine::SuiteAnswer;
use perft_core::suite::{Case, KnownCount, Outcome};

/// What came of running suites.
#[derive(Clone, Debug, Serialize)]
pub struct SuitesReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub context: Context,
    /// The foreign program that made them, if it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineInfo>,
    /// True if every count was the known one.
    pub passed: bool,
    /// The time that all of them took.
    pub seconds: f64,
    /// The suites, in the order in which they ran.
    pub suites: Vec<SuiteReport>,
}

/// A foreign program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineInfo {
    /// What was run.
    pub command: String,
    /// The language it was asked in.
    pub dialect: &'static str,
    /// What it calls itself, if it said so.
    pub name: Option<String>,
}

/// What came of one suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport {
    /// The name of the suite or of its file.
    pub name: String,
    /// Its positions.
    pub positions: usize,
    /// The counts that were made and compared.
    pub counts: usize,
    /// Known counts that were not made, because they are beyond the limits.
    pub skipped: usize,
    /// Known counts that a foreign program was not asked for, behind one that it got wrong or did not answer.
    pub not_asked: usize,
    /// The leaf nodes of all counts that were made.
    pub nodes: u128,
    /// The counts that were wrong.
    pub failures: Vec<Failure>,
    /// The counts that a foreign program did not give.
    pub unanswered: Vec<Unanswered>,
    /// The positions that were not right, by what they are there to catch; without those of which all are right.
    pub families: Vec<Family>,
    /// Every position by name, with what is wrong with it.
    #[serde(skip)]
    cases: Vec<(String, Option<String>)>,
}

/// A count that was not the known one.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The line of the suite.
    pub line: usize,
    /// The name of the position.
    pub name: String,
    /// What the position is there to catch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The FEN.
    pub fen: String,
    /// The depth in plies.
    pub depth: u32,
    /// The known count.
    pub expected: u128,
    /// What was counted.
    pub found: u128,
    /// A command that shows the count by root move.
    pub command: String,
}

/// A count that was not given.
#[derive(Clone, Debug, Serialize)]
pub struct Unanswered {
    /// The line of the suite.
    pub line: usize,
    /// The name of the position.
    pub name: String,
    /// The FEN.
    pub fen: String,
    /// The depth in plies.
    pub depth: u32,
    /// Why not.
    pub reason: String,
}

/// Positions with one trap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Family {
    /// The trap: en passant, castling, ...
    pub name: String,
    /// The positions with it that were counted.
    pub positions: usize,
    /// Those of them that were wrong or not answered.
    pub failed: usize,
}

/// A known count and what was found.
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

    fn failure(&self) -> Option<Failure> {
        let Ok(found) = self.found else { return None };
        if self.is_right() {
            return None;
        }
        let depth = self.expected.depth;
        let verb = if depth == 0 { "perft" } else { "perft divide" };
        Some(Failure {
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

    /// What is wrong, in a sentence.
    fn complaint(&self) -> Option<String> {
        let (depth, expected) = (self.expected.depth, self.expected.nodes);
        match &self.found {
            _ if self.is_right() => None,
            Ok(found) => Some(format!("depth {depth}: {found} instead of {expected}")),
            Err(reason) => Some(format!("depth {depth}: {reason}")),
        }
    }
}

impl Failure {
    /// How far the count is off, with its sign: `+1`, `-3,986`.
    pub fn difference(&self) -> String {
        let sign = if self.found > self.expected { '+' } else { '-' };
        format!("{sign}{}", grouped(self.found.abs_diff(self.expected)))
    }
}

impl SuiteReport {
    /// What came of a suite: its checks in order, and how many known counts were left out.
    pub fn new(name: &str, positions: usize, skipped: usize, checks: &[Check]) -> SuiteReport {
        let by_case: Vec<&[Check]> = checks.chunk_by(|a, b| std::ptr::eq(a.case, b.case)).collect();
        let complaint =
            |checks: &&[Check]| (checks[0].case.name().to_owned(), checks.iter().find_map(Check::complaint));
        SuiteReport {
            name: name.to_owned(),
            positions,
            counts: checks.len(),
            skipped,
            not_asked: 0,
            nodes: checks.iter().filter_map(|check| check.found.as_ref().ok()).sum(),
            failures: checks.iter().filter_map(Check::failure).collect(),
            unanswered: checks.iter().filter_map(Check::unanswered).collect(),
            families: families(&by_case),
            cases: by_case.iter().map(complaint).collect(),
        }
    }

    /// True if every count was the known one.
    pub fn passed(&self) -> bool {
        self.failures.is_empty() && self.unanswered.is_empty()
    }
}

/// The families of which some position is not right.
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
    /// As JUnit's XML, which CI systems show: a test suite for each, a test case a position.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_junit(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut report = Report::new(self.context.program);
        for suite in &self.suites {
            let mut tests = TestSuite::new(suite.name.clone());
            for (name, complaint) in &suite.cases {
                let status = complaint.as_ref().map_or_else(TestCaseStatus::success, |complaint| {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    status.set_message(complaint.clone());
                    status
                });
                let mut test = TestCase::new(name.clone(), status);
                test.set_classname(suite.name.clone());
                tests.add_test_case(test);
            }
            report.add_test_suite(tests);
        }
        report.serialize(out).map_err(io::Error::other)
    }
}
