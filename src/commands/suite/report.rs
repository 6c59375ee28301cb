//! The report of `perft suite`: the wrong and the missing counts, and the commands that show them again.

use perft_core::Setup;
use perft_core::suite::{Case, KnownCount, Limits};
use perft_count::Outcome;
use perft_diagnosis::source::{Answer, Question, SourceError};
use perft_diagnosis::{Model, MovePath, Told};
use serde::Serialize;

use super::asked::{EngineInfo, Part};
use crate::engine::SuiteAnswer;
use crate::output::{Nodes, PositionInfo, Provenance};

/// The results of several suites.
#[derive(Clone, Debug, Serialize)]
pub struct SuitesReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The engine that made them, if it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineInfo>,
    /// Whether all counts were made. `false` if the command was interrupted.
    pub complete: bool,
    /// Whether every count was made and was correct.
    pub passed: bool,
    /// The time of all suites in seconds.
    pub seconds: f64,
    /// The results of the suites, in the order in which they ran. Those that were not begun are incomplete and have no
    /// counts.
    pub suites: Vec<SuiteReport>,
    /// The mistakes with which a program gives all answers of the engine. Empty if some counts are right or wrong for
    /// another reason, or if too many mistakes do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Model>,
    /// The command to run next.
    #[serde(skip)]
    pub next: Option<String>,
    /// The problems that were printed when they were found: suites, lines and depths.
    #[serde(skip)]
    pub printed: Vec<(String, usize, u32)>,
    /// Whether the first problem ended the check.
    #[serde(skip)]
    pub is_cut_short: bool,
}

/// The result of one suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport {
    /// The name of the suite or of its file.
    pub name: String,
    /// Whether all counts were made. `false` if the command was interrupted.
    pub complete: bool,
    /// The number of positions in the suite, without those that were left out. If it is incomplete, those with a count.
    pub positions: usize,
    /// The number of known counts that were checked.
    pub checked: usize,
    /// The number of known counts that were skipped because their depth or number of nodes is above a limit.
    pub skipped: usize,
    /// The number of known counts that the engine was not asked for, because its answer at a lower depth of the same
    /// position was wrong or missing.
    pub not_asked: usize,
    /// The number of Chess960 positions that were left out, because the engine does not play Chess960.
    pub left_out_chess960: usize,
    /// The number of positions that the engine was not asked about, because no game reaches them.
    pub left_out_impossible: usize,
    /// Sentences about what was not asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The leaf nodes of all counts.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The wrong counts.
    pub wrong_counts: Vec<WrongCount>,
    /// The counts that the engine did not give.
    pub unanswered: Vec<Unanswered>,
}

/// A wrong count.
#[derive(Clone, Debug, Serialize)]
pub struct WrongCount {
    /// The line number in the suite.
    pub line: usize,
    /// The position.
    pub position: PositionInfo,
    /// The comment in the suite: what the position tests. It need not be the reason for the wrong count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Whether the known count is the wrong one. This is so if perft itself counts and the suite is a file of the user.
    pub wrong_in_file: bool,
    /// The depth in plies.
    pub depth: u32,
    /// The known count.
    pub expected: u128,
    /// The count that was found.
    pub found: i128,
    /// Whether the count that was found is only a lower bound: it is above the limit, so counting ended there.
    pub found_is_lower_bound: bool,
    /// Whether a fresh process of the engine gives the right count, so that it is wrong only after other questions.
    pub right_in_fresh_process: bool,
    /// The command that shows the correct count of each root move, and compares the engine's with it.
    pub command: String,
}

/// A missing count.
#[derive(Clone, Debug, Serialize)]
pub struct Unanswered {
    /// The line number in the suite.
    pub line: usize,
    /// The position.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// Why the engine gave no count.
    pub error: String,
    /// Whether the engine refused the question in words.
    pub refused: bool,
    /// Whether a fresh process of the engine gives the right count.
    pub right_in_fresh_process: bool,
    /// Whether the time limit of the answer was reached.
    #[serde(skip)]
    pub is_late: bool,
}

/// A known count and the answer to the question for it.
#[derive(Clone, Debug)]
pub struct Check<'a> {
    case: &'a Case,
    expected: KnownCount,
    found: Result<i128, String>,
    /// The answer of an engine, if it was understood.
    answer: Option<Answer>,
    /// Whether counting ended early, above the limit.
    is_lower_bound: bool,
    /// Whether a difference is a fault of the file.
    tests_file: bool,
    /// Whether the count is wrong or missing, but right in a fresh process.
    is_right_afresh: bool,
    /// Whether the engine refused the question in words.
    pub is_refused: bool,
    /// Whether the time limit of the answer was reached.
    is_late: bool,
}

impl<'a> Check<'a> {
    /// Returns the check of a count of perft itself. If the known count is not built in, a difference is a fault of the
    /// file.
    pub fn of_outcome(outcome: &Outcome<'a>, is_built_in: bool) -> Check<'a> {
        let Outcome { case, expected, nodes, is_lower_bound } = *outcome;
        Check {
            case,
            expected,
            found: Ok(nodes as i128),
            answer: None,
            is_lower_bound,
            tests_file: !is_built_in,
            is_right_afresh: false,
            is_refused: false,
            is_late: false,
        }
    }
}

impl<'a> From<&SuiteAnswer<'a>> for Check<'a> {
    fn from(answer: &SuiteAnswer<'a>) -> Check<'a> {
        let SuiteAnswer { case, expected, is_right_afresh, .. } = *answer;
        let is_refused = answer.is_refused();
        let is_late = matches!(answer.answer, Err(SourceError::TimedOut(..)));
        let found = match &answer.answer {
            Err(error) => Err(error.to_string()),
            Ok(answered) if answer.is_misread => Err(unread(&answered.unread)),
            Ok(answered) => Ok(answered.signed_total()),
        };
        let answer = answer.answer.as_ref().ok().filter(|_| found.is_ok()).cloned();
        Check {
            case,
            expected,
            found,
            answer,
            is_lower_bound: false,
            tests_file: false,
            is_right_afresh,
            is_refused,
            is_late,
        }
    }
}

fn unread(lines: &[String]) -> String {
    format!("the answer could not be read: these lines were not understood:\n{}", lines.join("\n"))
}

impl Check<'_> {
    pub fn is_right(&self) -> bool {
        self.found == Ok(self.expected.nodes as i128)
    }

    /// Returns the answer of an engine with the correct divide. Returns `None` if there is no answer, or if a fresh process
    /// gives another one.
    pub fn told(&self) -> Option<Told> {
        let answer = self.answer.clone().filter(|_| !self.is_right_afresh)?;
        let setup = Setup::from_fen(&self.case.fen).ok()?;
        let depth = self.expected.depth;
        Some(Told::new(MovePath::of_setup(&setup)?, depth, self.case.position.divide(depth), answer))
    }

    pub fn line(&self) -> usize {
        self.case.line
    }

    pub fn fen(&self) -> &str {
        &self.case.fen
    }

    pub fn question(&self) -> Question {
        Question::with_fen(&self.case.fen, &self.case.position, self.expected.depth)
    }

    pub fn expected(&self) -> KnownCount {
        self.expected
    }

    /// Returns the deeper known counts of the same position within the limits.
    pub fn deeper(&self, limits: &Limits) -> impl Iterator<Item = &KnownCount> {
        let depth = self.expected.depth;
        self.case.expected.iter().filter(move |known| known.depth > depth && limits.allows(known))
    }

    /// Returns the wrong count, if it is one. `compare` is the command that looks into it.
    pub fn wrong_count(&self, compare: &str) -> Option<WrongCount> {
        let Ok(found) = self.found else { return None };
        if self.is_right() {
            return None;
        }
        Some(WrongCount {
            line: self.case.line,
            position: self.position(),
            comment: self.case.comment.clone(),
            wrong_in_file: self.tests_file,
            depth: self.expected.depth,
            expected: self.expected.nodes,
            found,
            found_is_lower_bound: self.is_lower_bound,
            right_in_fresh_process: self.is_right_afresh,
            command: compare.to_owned(),
        })
    }

    pub fn unanswered(&self) -> Option<Unanswered> {
        Some(Unanswered {
            line: self.case.line,
            position: self.position(),
            depth: self.expected.depth,
            error: self.found.as_ref().err()?.clone(),
            refused: self.is_refused,
            is_late: self.is_late,
            right_in_fresh_process: self.is_right_afresh,
        })
    }

    /// Returns the position, with the FEN of the suite.
    fn position(&self) -> PositionInfo {
        let named = PositionInfo::named(self.case.name(), &self.case.position);
        PositionInfo { fen: self.case.fen.clone(), ..named }
    }
}

impl SuiteReport {
    /// Makes a report of the checks of a part, which may be in any order. Known counts beyond the limits are skipped.
    pub fn new(
        part: &Part,
        limits: &Limits,
        skips_deeper: bool,
        notes: Vec<String>,
        mut checks: Vec<Check>,
        compare: impl Fn(&Check) -> String,
    ) -> SuiteReport {
        let suite = &part.suite;
        checks.sort_by_key(|check| (check.case.line, check.expected.depth));
        let begun = checks.chunk_by(|a, b| std::ptr::eq(a.case, b.case)).count();
        let failed = checks.iter().filter(|check| skips_deeper && !check.is_right());
        let not_asked = failed.map(|check| check.deeper(limits).count()).sum();
        let within_limits = suite.known_counts(limits).len();
        let complete = checks.len() + not_asked == within_limits;
        let found = checks.iter().filter_map(|check| check.found.as_ref().ok());
        SuiteReport {
            name: suite.name.clone(),
            complete,
            positions: if complete { suite.cases.len() } else { begun },
            checked: checks.len(),
            skipped: suite.known_counts(&Limits::NONE).len() - within_limits,
            not_asked,
            left_out_chess960: part.left_out_chess960,
            left_out_impossible: part.left_out_impossible,
            notes,
            nodes: Nodes(found.fold(0, |sum, nodes| sum.saturating_add(nodes.unsigned_abs()))),
            wrong_counts: checks.iter().filter_map(|check| check.wrong_count(&compare(check))).collect(),
            unanswered: checks.iter().filter_map(Check::unanswered).collect(),
        }
    }

    pub fn problems(&self) -> usize {
        self.wrong_counts.len() + self.unanswered.len()
    }

    /// Returns the position and the depth of the wrong count with the fewest nodes, or else of the first missing one.
    pub fn first_problem(&self) -> Option<(&str, u32)> {
        let wrong = self.wrong_counts.iter().min_by_key(|wrong| wrong.expected);
        let missing =
            || self.unanswered.first().map(|missing| (missing.position.fen.as_str(), missing.depth));
        wrong.map(|wrong| (wrong.position.fen.as_str(), wrong.depth)).or_else(missing)
    }

    pub fn passed(&self) -> bool {
        self.problems() == 0
    }
}
