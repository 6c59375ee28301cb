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
pub struct SuitesReport<'a> {
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
    pub suites: Vec<SuiteReport<'a>>,
    /// The mistakes with which a program gives all answers of the engine. Empty if some counts are right or wrong for
    /// another reason, or if too many mistakes do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Model>,
    /// The command to run next.
    #[serde(skip)]
    pub next: Option<String>,
    /// Whether the first problem ended the check.
    #[serde(skip)]
    pub is_cut_short: bool,
}

/// The result of one suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport<'a> {
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
    pub wrong_counts: Vec<Check<'a>>,
    /// The counts that the engine did not give.
    pub unanswered: Vec<Check<'a>>,
}

/// A known count and the answer to the question for it.
#[derive(Clone, Debug, Serialize)]
pub struct Check<'a> {
    /// The line number in the suite.
    pub line: usize,
    /// The position, with the FEN of the suite.
    pub position: PositionInfo,
    /// The comment in the suite: what the position tests. It need not be the reason for a wrong count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<&'a str>,
    /// The depth in plies.
    pub depth: u32,
    /// The known count.
    pub expected: u128,
    /// The count that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<i128>,
    /// Whether the count that was found is only a lower bound: it is above the limit, so counting ended there.
    pub found_is_lower_bound: bool,
    /// Why the engine gave no count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the engine refused the question in words.
    pub refused: bool,
    /// Whether a difference is a fault of the file. This is so if perft itself counts and the suite is a file of the user.
    pub wrong_in_file: bool,
    /// Whether the count is wrong or missing, but right in a fresh process of the engine.
    pub right_in_fresh_process: bool,
    /// The command that shows the correct count of each root move, and compares the engine's with it.
    pub command: String,
    /// Whether the time limit of the answer was reached.
    #[serde(skip)]
    pub is_late: bool,
    /// Whether it was printed when it was found.
    #[serde(skip)]
    pub is_printed: bool,
    #[serde(skip)]
    case: &'a Case,
    /// The answer of an engine, if it was understood.
    #[serde(skip)]
    answer: Option<Answer>,
}

impl<'a> Check<'a> {
    fn new(case: &'a Case, known: KnownCount) -> Check<'a> {
        let named = PositionInfo::named(case.name(), &case.position);
        Check {
            line: case.line,
            position: PositionInfo { fen: case.fen.clone(), ..named },
            comment: case.comment.as_deref(),
            depth: known.depth,
            expected: known.nodes,
            found: None,
            found_is_lower_bound: false,
            error: None,
            refused: false,
            wrong_in_file: false,
            right_in_fresh_process: false,
            command: String::new(),
            is_late: false,
            is_printed: false,
            case,
            answer: None,
        }
    }

    /// Returns the check of a count of perft itself. If the known count is not built in, a difference is a fault of the
    /// file.
    pub fn of_outcome(outcome: &Outcome<'a>, is_built_in: bool) -> Check<'a> {
        Check {
            found: Some(outcome.nodes as i128),
            found_is_lower_bound: outcome.is_lower_bound,
            wrong_in_file: !is_built_in,
            ..Check::new(outcome.case, outcome.expected)
        }
    }

    /// Returns the check of an answer of an engine.
    pub fn of_answer(answered: &SuiteAnswer<'a>) -> Check<'a> {
        let check = Check {
            refused: answered.is_refused(),
            right_in_fresh_process: answered.is_right_afresh,
            is_late: matches!(answered.answer, Err(SourceError::TimedOut(..))),
            ..Check::new(answered.case, answered.expected)
        };
        match &answered.answer {
            Err(error) => Check { error: Some(error.to_string()), ..check },
            Ok(answer) if answered.is_misread => {
                let error = "the answer could not be read: these lines were not understood:";
                Check { error: Some(format!("{error}\n{}", answer.unread.join("\n"))), ..check }
            }
            Ok(answer) => Check { found: Some(answer.signed_total()), answer: Some(answer.clone()), ..check },
        }
    }

    pub fn is_right(&self) -> bool {
        self.found == Some(self.expected as i128)
    }

    /// Returns the answer of an engine with the correct divide. Returns `None` if there is no answer, or if a fresh process
    /// gives another one.
    pub fn told(&self) -> Option<Told> {
        let answer = self.answer.clone().filter(|_| !self.right_in_fresh_process)?;
        let path = MovePath::of_setup(&Setup::from_fen(&self.case.fen).ok()?)?;
        Some(Told::new(path, self.depth, self.case.position.divide(self.depth), answer))
    }

    pub fn question(&self) -> Question {
        Question::with_fen(&self.case.fen, &self.case.position, self.depth)
    }

    /// Returns the deeper known counts of the same position within the limits.
    pub fn deeper(&self, limits: &Limits) -> impl Iterator<Item = &KnownCount> {
        self.case.expected.iter().filter(move |known| known.depth > self.depth && limits.allows(known))
    }
}

impl<'a> SuiteReport<'a> {
    /// Makes a report of the checks of a part, which may be in any order. Known counts beyond the limits are skipped.
    pub fn new(
        part: &Part,
        limits: &Limits,
        skips_deeper: bool,
        notes: Vec<String>,
        mut checks: Vec<Check<'a>>,
    ) -> SuiteReport<'a> {
        let suite = &part.suite;
        checks.sort_by_key(|check| (check.line, check.depth));
        let begun = checks.chunk_by(|a, b| std::ptr::eq(a.case, b.case)).count();
        let failed = checks.iter().filter(|check| skips_deeper && !check.is_right());
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
            left_out_chess960: part.left_out_chess960,
            left_out_impossible: part.left_out_impossible,
            notes,
            nodes,
            wrong_counts,
            unanswered,
        }
    }

    /// Returns the wrong and the missing counts.
    pub fn problems(&self) -> impl Iterator<Item = &Check<'a>> {
        self.wrong_counts.iter().chain(&self.unanswered)
    }

    /// Returns the wrong count with the fewest nodes, or else the first missing one.
    pub fn first_problem(&self) -> Option<&Check<'a>> {
        self.wrong_counts.iter().min_by_key(|wrong| wrong.expected).or(self.unanswered.first())
    }

    pub fn passed(&self) -> bool {
        self.problems().next().is_none()
    }
}
