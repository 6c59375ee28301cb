//! The known counts of suites: checking one with the generator or with an engine, and asking several processes of an
//! engine at once.
//!
//! An engine is asked about all positions at the smallest depth, then at the next, and so on: the cheapest counts come
//! first, and a slow engine shows its first wrong count soon. After a wrong count or a failure, the deeper counts of
//! that position are not asked: they would be wrong for the same reason, and a program that hangs would hang again. A
//! question whose answer is not right is asked again after a new start of the engine, to tell whether other questions
//! are the reason.

use std::collections::BTreeMap;
use std::sync::Mutex;

use perft_core::StopSignal;
use perft_core::suite::{Case, KnownCount, Limits, Suite};
use perft_count::Outcome;
use perft_diagnosis::source::{Answer, Question, SourceError};
use perft_diagnosis::{DivideDifference, Program, Told, path_of_fen, share_work};
use serde::Serialize;

use crate::output::PositionInfo;

/// A known count and the answer to the question for it.
#[derive(Clone, Debug, Serialize)]
pub struct Check<'a> {
    /// The line number in the suite.
    pub line: usize,
    /// The position, with the FEN of the suite, or with the castling rights as the engine got them.
    pub position: PositionInfo,
    /// The comment in the suite: what the position tests. It need not be the reason for a wrong count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<&'a str>,
    /// The depth in plies.
    pub depth: u32,
    /// The known count.
    pub expected: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<i128>,
    /// Whether the count that was found is only a lower bound: it is above the limit, so counting ended there.
    pub found_is_lower_bound: bool,
    /// Why the engine gave no count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the engine refused the question in words.
    pub refused: bool,
    /// Whether a difference is a fault of the file. This is so if perft itself counts and the suite is a file of the
    /// user.
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
    /// The question as the engine got it.
    #[serde(skip)]
    pub asked: Question,
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
            asked: Question::with_fen(&case.fen, &case.position, known.depth),
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

    /// Asks a program for a known count, and again after a new start if the answer is not right. Returns `None` if the
    /// stop signal was raised.
    fn ask(case: &'a Case, known: KnownCount, program: &mut Program) -> Option<Check<'a>> {
        let mut check = Check::new(case, known);
        let question = check.asked.clone();
        let answer = program.ask(&question, Some(known.nodes));
        check.asked = program.written(&question);
        if check.asked != question {
            check.position.fen.clone_from(&check.asked.fen);
        }
        let is_right = |answer: &Answer| answer.count() == Some(known.nodes);
        match answer {
            Err(SourceError::Interrupted) => return None,
            Err(SourceError::Refused(_)) => check.refused = true,
            Ok(ref answer) if is_right(answer) => {}
            _ => {
                let again = program.ask_afresh(&question, Some(known.nodes));
                check.right_in_fresh_process = again.is_ok_and(|answer| is_right(&answer));
            }
        }
        match answer {
            Err(error) => {
                check.is_late = matches!(error, SourceError::TimedOut(..));
                check.error = Some(error.to_string());
            }
            Ok(answer) if !is_right(&answer) && check.is_misread(&answer, &program.stop) => {
                let error = "the answer could not be read: these lines were not understood:";
                check.error = Some(format!("{error}\n{}", answer.unread.join("\n")));
            }
            Ok(answer) => (check.found, check.answer) = (Some(answer.total()), Some(answer)),
        }
        Some(check)
    }

    /// Whether an answer is probably wrong because lines of it were not understood.
    fn is_misread(&self, answer: &Answer, stop: &StopSignal) -> bool {
        let position = &self.case.position;
        !answer.unread.is_empty()
            && position
                .divide_until(self.depth, stop)
                .is_ok_and(|ours| !DivideDifference::new(position, &ours, answer).unread.is_empty())
    }

    pub fn is_right(&self) -> bool {
        self.found == Some(self.expected as i128)
    }

    /// Whether the moves of the answer add up to the right count, and the stated total does not have it.
    pub fn misstates_total(&self) -> bool {
        let has_sum = |answer: &Answer| !answer.moves.is_empty() && answer.sum() == self.expected;
        !self.is_right() && self.answer.as_ref().is_some_and(has_sum)
    }

    /// Returns the answer of an engine with the correct divide. Returns `None` if there is no answer, or if a fresh
    /// process gives another one.
    pub fn told(&self) -> Option<Told> {
        let answer = self.answer.clone().filter(|_| !self.right_in_fresh_process)?;
        let path = path_of_fen(&self.case.fen, self.case.position);
        Some(Told::new(path, self.depth, self.case.position.divide(self.depth), answer))
    }

    /// Returns the deeper known counts of the same position within the limits.
    pub fn deeper(&self, limits: &Limits) -> impl Iterator<Item = &KnownCount> {
        self.case.expected.iter().filter(move |known| known.depth > self.depth && limits.allows(known))
    }
}

/// Asks for every known count of these suites within the limits, until the stop signal of the program is raised. Each
/// thread asks a program of its own. Each check is passed to `report` with the index of its suite.
pub fn check_suites<'a, 'p>(
    suites: impl Iterator<Item = &'a Suite>,
    limits: &Limits,
    threads: usize,
    program: impl Fn() -> Program<'p> + Sync,
    report: impl Fn(usize, Check<'a>) + Sync,
) {
    let cases =
        suites.enumerate().flat_map(|(index, suite)| suite.cases.iter().map(move |case| (index, case)));
    let first = |(number, (index, case)): (usize, (usize, &'a Case))| {
        let known = case.expected.iter().find(|known| limits.allows(known))?;
        Some(((known.depth, number), (index, case, *known)))
    };
    // The next question about each case, by its depth. A deeper one follows a right answer.
    let queue: BTreeMap<(u32, usize), (usize, &Case, KnownCount)> =
        cases.filter(|(_, case)| limits.includes(case)).enumerate().filter_map(first).collect();
    let queue = Mutex::new(queue);
    let queue = || queue.lock().expect("no thread panics");
    share_work(threads, || {
        let mut program = program();
        let next = || queue().pop_first();
        while let Some(((_, number), (index, case, known))) = next().filter(|_| !program.stop.is_raised()) {
            let Some(check) = Check::ask(case, known, &mut program) else { return };
            if check.is_right()
                && let Some(deeper) = check.deeper(limits).next()
            {
                queue().insert((deeper.depth, number), (index, case, *deeper));
            }
            report(index, check);
        }
    });
}

#[cfg(test)]
mod tests {
    use perft_diagnosis::source::from_fn;

    use super::*;

    const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - -";

    /// Lines that were not understood are blamed only if the rest of the answer does not show an error.
    #[test]
    fn an_answer_may_be_misread() {
        let is_misread = |moves: &str, stated_total, unread: &[&str]| {
            let moves = moves.split(' ').map(|text| (text.to_owned(), 1)).collect();
            let unread = unread.iter().map(|&line| line.to_owned()).collect();
            let answer = Answer { moves, stated_total, unread, ..Answer::default() };
            let source = || Box::new(from_fn(|_| answer.clone()));
            let suite = Suite::from_text("test", &format!("{KINGS} ;D1 3")).unwrap();
            let found = Mutex::new(Vec::new());
            let report =
                |_, check: Check| found.lock().unwrap().push((check.is_right(), check.error.is_some()));
            let program = || Program::new(source(), StopSignal::default());
            check_suites([&suite].into_iter(), &Limits::NONE, 1, program, report);
            found.into_inner().unwrap()
        };
        let unread: &[&str] = &["Kd2 1"];
        assert_eq!(is_misread("c1c2 c1d1", None, unread), [(false, true)]);
        assert_eq!(is_misread("c1c2 c1d1", Some(4), unread), [(false, true)]);
        assert_eq!(is_misread("c1c2 c1d1", Some(3), unread), [(true, false)]);
        assert_eq!(is_misread("c1c2 c1d1", Some(2), unread), [(false, false)]);
        assert_eq!(is_misread("c1c2 c1b2", None, unread), [(false, false)]);
        assert_eq!(is_misread("c1c2 c1d1", None, &[]), [(false, false)]);
    }
}
