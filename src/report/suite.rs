//! The outcome of a suite: what was wrong, and how to see it again.

use serde::Serialize;

use super::{Context, grouped};
use crate::suite::Outcome;

/// What came of running suites.
#[derive(Clone, Debug, Serialize)]
pub struct SuitesReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub context: Context,
    /// True if every count was the known one.
    pub passed: bool,
    /// The time that all of them took.
    pub seconds: f64,
    /// The suites, in the order in which they ran.
    pub suites: Vec<SuiteReport>,
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
    /// The leaf nodes of all counts that were made.
    pub nodes: u128,
    /// The counts that were wrong.
    pub failures: Vec<Failure>,
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

impl Failure {
    /// What a report says of an outcome, if it is wrong.
    pub fn of(outcome: &Outcome) -> Option<Failure> {
        if outcome.is_right() {
            return None;
        }
        let depth = outcome.expected.depth;
        let verb = if depth == 0 { "perft" } else { "perft divide" };
        Some(Failure {
            line: outcome.case.line,
            name: outcome.case.name().to_owned(),
            comment: outcome.case.comment.clone(),
            fen: outcome.case.fen.clone(),
            depth,
            expected: outcome.expected.nodes,
            found: outcome.nodes,
            command: format!("{verb} --fen '{}' --depth {depth}", outcome.case.fen),
        })
    }

    /// How far the count is off, with its sign: `+1`, `-3,986`.
    pub fn difference(&self) -> String {
        let sign = if self.found > self.expected { '+' } else { '-' };
        format!("{sign}{}", grouped(self.found.abs_diff(self.expected)))
    }
}

impl SuiteReport {
    /// What came of a suite: its outcomes, and how many known counts were left out.
    pub fn new(name: &str, positions: usize, skipped: usize, outcomes: &[Outcome]) -> SuiteReport {
        SuiteReport {
            name: name.to_owned(),
            positions,
            counts: outcomes.len(),
            skipped,
            nodes: outcomes.iter().map(|outcome| outcome.nodes).sum(),
            failures: outcomes.iter().filter_map(Failure::of).collect(),
        }
    }

    /// True if every count was the known one.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}
