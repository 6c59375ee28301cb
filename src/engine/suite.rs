//! Checking a source against the known counts of suites, with several sources at once.
//!
//! All positions are asked about at the smallest depth, then all at the next, and so on: the cheapest counts come
//! first, and a slow source shows its first wrong count soon. After a wrong count or a failure, the deeper counts of
//! that position are not asked: they would be wrong for the same reason, and a program that hangs would hang again. A
//! question whose answer is not right is asked again after a new start of the source, to tell whether other questions
//! are the reason.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use perft_core::StopSignal;
use perft_core::suite::{Case, KnownCount, Limits, Suite};
use perft_count::{Perft, Progress};
use perft_diagnosis::share_work;
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
use perft_diagnosis::{Chess960Source, DivideDifference};

/// A source that can be asked from any thread.
type Source = Chess960Source<dyn CountSource + Send>;

/// The answer of a source to the question for a known count.
#[derive(Clone, Debug)]
pub struct SuiteAnswer<'a> {
    /// The index of the suite.
    pub suite: usize,
    /// The position.
    pub case: &'a Case,
    /// The known count.
    pub expected: KnownCount,
    /// The answer of the source, or the reason why there is none.
    pub answer: Result<Answer, SourceError>,
    /// Whether the answer is not the known count, but the source gives the known count after a new start.
    pub is_right_afresh: bool,
    /// Whether the answer is not the known count, probably because lines of it were not understood.
    pub is_misread: bool,
}

impl<'a> SuiteAnswer<'a> {
    /// Asks for a known count, and again after a new start of the source if the answer is not right.
    fn of(
        suite: usize,
        case: &'a Case,
        expected: KnownCount,
        source: &mut Source,
        stop: &StopSignal,
    ) -> Self {
        let question = Question::with_fen(&case.fen, &case.position, expected.depth);
        let answer = source.prepare(stop).and_then(|()| {
            if question.is_chess960 {
                source.examine(stop);
            }
            source.ask(&question, stop)?.unless_refused(expected.nodes)
        });
        let mut asked =
            SuiteAnswer { suite, case, expected, answer, is_right_afresh: false, is_misread: false };
        if asked.is_right() || asked.is_refused() || asked.answer == Err(SourceError::Interrupted) {
            return asked;
        }
        source.restart();
        asked.is_right_afresh =
            source.ask(&question, stop).is_ok_and(|answer| answer.total() == expected.nodes);
        asked.is_misread = asked.answer.as_ref().is_ok_and(|answer| {
            let divide = || {
                let progress = Progress::new(stop.clone());
                Perft::new().divide_with_progress(&case.position, expected.depth, &progress)
            };
            let is_misread =
                |ours: Vec<_>| !DivideDifference::new(&case.position, &ours, answer).unread.is_empty();
            !answer.unread.is_empty() && divide().is_ok_and(is_misread)
        });
        asked
    }

    /// Whether the source answered with the known count.
    pub fn is_right(&self) -> bool {
        self.answer.as_ref().is_ok_and(|answer| answer.total() == self.expected.nodes)
    }

    /// Whether the source refused the question in words.
    pub fn is_refused(&self) -> bool {
        matches!(self.answer, Err(SourceError::Refused(_)))
    }
}

/// Asks for every known count of these suites within the limits, until the stop signal is raised. The sources, of which
/// there is at least one, are asked at the same time. Each answer is passed to `report` as soon as it is known.
pub fn check_suites<'a>(
    suites: &[&'a Suite],
    limits: &Limits,
    sources: Vec<Box<dyn CountSource + Send>>,
    stop: &StopSignal,
    report: impl Fn(SuiteAnswer<'a>) + Sync,
) {
    let cases = suites
        .iter()
        .enumerate()
        .flat_map(|(index, suite)| suite.cases.iter().map(move |case| (index, case)));
    let known = |(suite, case): (usize, &'a Case)| {
        let allowed = case.expected.iter().filter(|known| limits.allows(known));
        allowed.map(move |known| (suite, case, *known))
    };
    let mut asked: Vec<(usize, &Case, KnownCount)> = cases.flat_map(known).collect();
    asked.sort_by_key(|(_, _, known)| known.depth);
    let mut sources: Vec<Source> = sources.into_iter().map(Chess960Source::new).collect();
    // The suites and lines of the cases with a wrong or missing answer.
    let wrong = Mutex::new(HashSet::new());
    for level in asked.chunk_by(|(_, _, one), (_, _, other)| one.depth == other.depth) {
        let queue = Mutex::new(level.iter());
        let next = || locked(&queue).next().filter(|_| !stop.is_raised());
        let threads = sources.len();
        let sources = Mutex::new(sources.iter_mut());
        share_work(threads, || {
            let source = locked(&sources).next().expect("there is a source for each thread");
            while let Some(&(suite, case, expected)) = next() {
                if locked(&wrong).contains(&(suite, case.line)) {
                    continue;
                }
                let answer = SuiteAnswer::of(suite, case, expected, source, stop);
                if answer.answer == Err(SourceError::Interrupted) {
                    return;
                }
                if !answer.is_right() {
                    locked(&wrong).insert((suite, case.line));
                }
                report(answer);
            }
        });
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - -";

    /// Lines that were not understood are blamed only if the rest of the answer does not show an error.
    #[test]
    fn an_answer_may_be_misread() {
        struct Says(&'static str, Option<u128>, &'static [&'static str]);
        impl CountSource for Says {
            fn ask(&mut self, _: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
                let Says(moves, stated_total, unread) = self;
                let moves = moves.split(' ').map(|text| (text.to_owned(), 1)).collect();
                let unread = unread.iter().map(|&line| line.to_owned()).collect();
                Ok(Answer { moves, stated_total: *stated_total, unread, ..Answer::default() })
            }
        }
        let is_misread = |moves, total, unread| {
            let suite = Suite::from_text("test", &format!("{KINGS} ;D1 3")).unwrap();
            let found = Mutex::new(Vec::new());
            let report =
                |answer: SuiteAnswer| found.lock().unwrap().push((answer.is_right(), answer.is_misread));
            let source: Box<dyn CountSource + Send> = Box::new(Says(moves, total, unread));
            check_suites(&[&suite], &Limits::NONE, vec![source], &StopSignal::default(), report);
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
