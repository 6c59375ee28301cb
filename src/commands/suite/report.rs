//! The report of `perft suite`: the wrong and the missing counts, and the commands that show them again.

use std::collections::BTreeMap;

use perft_core::suite::{Case, KnownCount, Limits, Suite};
use perft_count::Outcome;
use serde::{Serialize, Serializer};

use super::engine_info::EngineInfo;
use crate::engine::SuiteAnswer;
use crate::output::{Format, Nodes, PositionInfo, Provenance};
use crate::system::command_line;

/// The results of several suites.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// The command to run after a problem.
    #[serde(skip)]
    pub next: Option<String>,
}

/// The result of one suite.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// The topics of the positions, by their names. Only those with a wrong or missing count are written.
    #[serde(serialize_with = "failed_only")]
    #[cfg_attr(test, schemars(with = "Vec<Topic>"))]
    topics: BTreeMap<String, Topic>,
    /// The number of wrong counts, also if they are not listed.
    #[serde(skip)]
    pub wrong: usize,
    /// The number of wrong counts that are the fault of the file.
    #[serde(skip)]
    pub wrong_in_file: usize,
    /// The number of missing counts, also if they are not listed.
    #[serde(skip)]
    pub missing: usize,
}

/// A wrong count.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    pub found: u128,
    /// Whether the count that was found is only a lower bound: it is above the limit, so counting ended there.
    pub found_is_lower_bound: bool,
    /// Whether a fresh process of the engine gives the right count, so that it is wrong only after other questions.
    pub right_in_fresh_process: bool,
    /// The command that shows the correct count of each root move.
    pub command: String,
}

/// A missing count.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unanswered {
    /// The line number in the suite.
    pub line: usize,
    /// The position.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// Why the engine gave no count.
    pub error: String,
    /// Whether a fresh process of the engine gives the right count.
    pub right_in_fresh_process: bool,
}

/// The positions of a suite that catch the same kind of bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Topic {
    /// The name of the topic, such as `en passant` or `castling`.
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
    /// Whether counting ended early, above the limit.
    is_lower_bound: bool,
    /// Whether a difference is a fault of the file.
    tests_file: bool,
    /// Whether the count is wrong or missing, but right in a fresh process.
    is_right_afresh: bool,
}

impl<'a> Check<'a> {
    /// Returns the check of a count of perft itself. If the known count is not built in, a difference is a fault of the
    /// file.
    pub fn of_outcome(outcome: &Outcome<'a>, is_built_in: bool) -> Check<'a> {
        let Outcome { case, expected, nodes, is_lower_bound } = *outcome;
        Check {
            case,
            expected,
            found: Ok(nodes),
            is_lower_bound,
            tests_file: !is_built_in,
            is_right_afresh: false,
        }
    }
}

impl<'a> From<&SuiteAnswer<'a>> for Check<'a> {
    fn from(answer: &SuiteAnswer<'a>) -> Check<'a> {
        let found = match &answer.answer {
            Err(error) => Err(error.to_string()),
            Ok(answered) if answer.is_misread => Err(unread(&answered.unread)),
            Ok(answered) => Ok(answered.total()),
        };
        let SuiteAnswer { case, expected, is_right_afresh, .. } = *answer;
        Check { case, expected, found, is_lower_bound: false, tests_file: false, is_right_afresh }
    }
}

/// Returns a message with the lines of an answer that were not understood.
fn unread(lines: &[String]) -> String {
    format!("the answer could not be read: these lines were not understood:\n{}", lines.join("\n"))
}

impl Check<'_> {
    /// Whether the count is right.
    pub fn is_right(&self) -> bool {
        self.found == Ok(self.expected.nodes)
    }

    /// Returns the known count.
    pub fn expected(&self) -> KnownCount {
        self.expected
    }

    /// Returns the deeper known counts of the same position within the limits.
    pub fn deeper(&self, limits: &Limits) -> impl Iterator<Item = &KnownCount> {
        let depth = self.expected.depth;
        self.case.expected.iter().filter(move |known| known.depth > depth && limits.allows(known))
    }

    /// Returns the wrong count, if it is one.
    pub fn wrong_count(&self) -> Option<WrongCount> {
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
            command: self.command(),
        })
    }

    /// Returns the missing count, if there is none.
    pub fn unanswered(&self) -> Option<Unanswered> {
        Some(Unanswered {
            line: self.case.line,
            position: self.position(),
            depth: self.expected.depth,
            error: self.found.as_ref().err()?.clone(),
            right_in_fresh_process: self.is_right_afresh,
        })
    }

    /// Returns the position, with the FEN of the suite.
    fn position(&self) -> PositionInfo {
        let named = PositionInfo::named(self.case.name(), &self.case.position);
        PositionInfo { fen: self.case.fen.clone(), ..named }
    }

    /// Returns the command that shows the correct count of each root move.
    fn command(&self) -> String {
        let (fen, depth) = (command_line::quoted(&self.case.fen), self.expected.depth);
        let verb = if depth == 0 { "perft" } else { "perft divide" };
        format!("{verb} --fen {fen} --depth {depth}")
    }
}

/// Writes the topics with a wrong or missing count as a list.
fn failed_only<S: Serializer>(topics: &BTreeMap<String, Topic>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(topics.values().filter(|topic| topic.failed > 0))
}

impl SuiteReport {
    /// Returns the report of a suite in which nothing has been checked yet.
    pub fn empty(name: &str) -> SuiteReport {
        SuiteReport { name: name.to_owned(), complete: true, ..SuiteReport::default() }
    }

    /// Adds the report of the next positions of the same suite. Only the entries that the format needs stay in memory:
    /// as text, problems are printed when they are found.
    pub fn extend(&mut self, next: SuiteReport, format: Format) {
        self.complete &= next.complete;
        self.positions += next.positions;
        self.checked += next.checked;
        self.skipped += next.skipped;
        self.not_asked += next.not_asked;
        self.left_out_chess960 += next.left_out_chess960;
        self.left_out_impossible += next.left_out_impossible;
        self.nodes = Nodes(self.nodes.0.saturating_add(next.nodes.0));
        self.wrong += next.wrong;
        self.wrong_in_file += next.wrong_in_file;
        self.missing += next.missing;
        for (name, topic) in next.topics {
            let sum = self.topics.entry(name).or_insert_with_key(|name| Topic::empty(name));
            sum.positions += topic.positions;
            sum.failed += topic.failed;
        }
        if format == Format::Json {
            self.wrong_counts.extend(next.wrong_counts);
            self.unanswered.extend(next.unanswered);
        }
    }

    /// Returns the topics in which a position has a wrong or missing count.
    pub fn failed_topics(&self) -> impl Iterator<Item = &Topic> {
        self.topics.values().filter(|topic| topic.failed > 0)
    }

    /// Makes a report of the checks of a suite, which may be in any order. Known counts beyond the limits are skipped.
    pub fn new(suite: &Suite, limits: &Limits, mut checks: Vec<Check>) -> SuiteReport {
        checks.sort_by_key(|check| (check.case.line, check.expected.depth));
        let by_case: Vec<&[Check]> = checks.chunk_by(|a, b| std::ptr::eq(a.case, b.case)).collect();
        let known = || suite.cases.iter().flat_map(|case| &case.expected);
        let wrong_counts: Vec<_> = checks.iter().filter_map(Check::wrong_count).collect();
        let unanswered: Vec<_> = checks.iter().filter_map(Check::unanswered).collect();
        SuiteReport {
            name: suite.name.clone(),
            complete: true,
            positions: suite.cases.len(),
            checked: checks.len(),
            skipped: known().filter(|known| !limits.allows(known)).count(),
            nodes: Nodes(checks.iter().filter_map(|check| check.found.as_ref().ok()).sum()),
            wrong: wrong_counts.len(),
            wrong_in_file: wrong_counts.iter().filter(|wrong| wrong.wrong_in_file).count(),
            missing: unanswered.len(),
            wrong_counts,
            unanswered,
            topics: topics(&by_case),
            ..SuiteReport::default()
        }
    }

    /// Marks the report as incomplete and returns it. It then counts only the positions that were checked.
    pub fn interrupted(mut self) -> SuiteReport {
        self.complete = false;
        self.positions = self.topics.values().map(|topic| topic.positions).sum();
        self
    }

    /// Returns the number of wrong and missing counts.
    pub fn problems(&self) -> usize {
        self.wrong + self.missing
    }

    /// Whether every count was correct.
    pub fn passed(&self) -> bool {
        self.problems() == 0
    }
}

impl Topic {
    fn empty(name: &str) -> Topic {
        Topic { name: name.to_owned(), positions: 0, failed: 0 }
    }
}

/// Returns the topics of the positions, by their names.
fn topics(by_case: &[&[Check]]) -> BTreeMap<String, Topic> {
    let mut topics = BTreeMap::new();
    for checks in by_case {
        let name = checks[0].case.topic().unwrap_or("other");
        let topic = topics.entry(name.to_owned()).or_insert_with(|| Topic::empty(name));
        topic.positions += 1;
        topic.failed += usize::from(!checks.iter().all(Check::is_right));
    }
    topics
}

#[cfg(test)]
mod tests {

    use perft_core::suite::Suite;

    use super::*;

    /// The text format prints problems immediately, so a long suite with many wrong counts needs no memory for them.
    #[test]
    fn only_what_the_format_needs_is_kept() {
        let suite = Suite::from_epd("test", "8/8/8/8/8/8/8/k1K5 w - - ;D1 3 ;D2 5").unwrap();
        let case = &suite.cases[0];
        let found = [Ok(4), Err("no answer".to_owned())];
        let checks = || -> Vec<Check> {
            let outcomes = case.expected.iter().zip(found.clone());
            let check = |(&expected, found)| Check {
                case,
                expected,
                found,
                is_lower_bound: false,
                tests_file: false,
                is_right_afresh: false,
            };
            outcomes.map(check).collect()
        };
        for (format, problems) in [(Format::Text, 0), (Format::Json, 2)] {
            let mut report = SuiteReport::empty("test");
            for _ in 0..2 {
                report.extend(SuiteReport::new(&suite, &Limits::NONE, checks()), format);
            }
            assert_eq!((report.wrong, report.missing, report.passed()), (2, 2, false));
            assert_eq!((report.wrong_counts.len(), report.unanswered.len()), (problems, problems));
        }
    }
}
