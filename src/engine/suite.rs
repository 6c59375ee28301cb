//! Checking a source against the known counts of suites, with several sources at once.
//!
//! All positions are asked about at the smallest depth, then all at the next, and so on: the cheapest counts come
//! first, and a slow source shows its first wrong count soon. After a wrong count or a failure, the deeper counts of
//! that position are not asked: they would be wrong for the same reason, and a program that hangs would hang again. A
//! question whose answer is not right is asked again after a new start of the source, to tell whether other questions
//! are the reason.

use std::sync::{Mutex, PoisonError};

use perft_core::StopSignal;
use perft_core::suite::{Case, KnownCount, Limits, Suite};
use perft_count::{Perft, Progress};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
use perft_diagnosis::threads::share_work;
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

impl SuiteAnswer<'_> {
    /// Whether the source answered with the known count.
    pub fn is_right(&self) -> bool {
        self.answer.as_ref().is_ok_and(|answer| answer.total() == self.expected.nodes)
    }

    /// Whether the source refused the question in words.
    pub fn is_refused(&self) -> bool {
        matches!(self.answer, Err(SourceError::Refused(_)))
    }

    /// Asks again after a new start of the source if the answer is not right.
    fn asked_again(self, question: &Question, source: &mut dyn CountSource, stop: &StopSignal) -> Self {
        if self.is_right() || self.is_refused() || self.answer == Err(SourceError::Interrupted) {
            return self;
        }
        source.restart();
        let again = SuiteAnswer { answer: source.ask(question, stop), ..self.clone() };
        let is_misread = self.answer.as_ref().is_ok_and(|answer| {
            !answer.unread.is_empty()
                && self.difference(answer, stop).is_some_and(|found| !found.unread.is_empty())
        });
        SuiteAnswer { is_right_afresh: again.is_right(), is_misread, ..self }
    }

    /// Returns the difference of an answer from the correct divide, or `None` if the stop signal is raised.
    fn difference(&self, answer: &Answer, stop: &StopSignal) -> Option<DivideDifference> {
        let position = &self.case.position;
        let ours = Perft::new()
            .divide_with_progress(position, self.expected.depth, &Progress::new(stop.clone()))
            .ok()?;
        Some(DivideDifference::of(position, &ours, answer))
    }
}

/// A case with known counts that are still to be asked for.
struct OpenCase<'a> {
    suite: usize,
    case: &'a Case,
    /// The known counts that are left, the deepest first.
    left: Vec<KnownCount>,
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
    let mut open: Vec<OpenCase> =
        (0..).zip(suites).flat_map(|(suite, of)| open_cases(suite, of, limits)).collect();
    let mut sources: Vec<Source> = sources.into_iter().map(Chess960Source::new).collect();
    while let Some(depth) = open.iter().filter_map(OpenCase::depth).min().filter(|_| !stop.is_raised()) {
        let level = open.iter_mut().filter(|case| case.depth() == Some(depth));
        ask_all(&mut level.collect::<Vec<_>>(), &mut sources, stop, &report);
    }
}

fn open_cases<'a>(suite: usize, of: &'a Suite, limits: &Limits) -> impl Iterator<Item = OpenCase<'a>> {
    let limits = *limits;
    of.cases.iter().map(move |case| {
        let known = case.expected.iter().rev().filter(|known| limits.allows(known));
        OpenCase { suite, case, left: known.copied().collect() }
    })
}

/// Asks for the next known count of each case.
fn ask_all<'a>(
    cases: &mut [&mut OpenCase<'a>],
    sources: &mut [Source],
    stop: &StopSignal,
    report: &(impl Fn(SuiteAnswer<'a>) + Sync),
) {
    let queue = Mutex::new(cases.iter_mut());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next().filter(|_| !stop.is_raised());
    let threads = sources.len();
    let sources = Mutex::new(sources.iter_mut());
    share_work(threads, || {
        let source = sources.lock().unwrap_or_else(PoisonError::into_inner).next();
        let source = source.expect("there is a source for each thread");
        while let Some(case) = next() {
            case.ask(source, stop, report);
        }
    });
}

impl<'a> OpenCase<'a> {
    /// Returns the depth of the next known count.
    fn depth(&self) -> Option<u32> {
        self.left.last().map(|known| known.depth)
    }

    /// Asks for the next known count. After a wrong or missing answer, the deeper known counts of the case are
    /// removed.
    fn ask(&mut self, source: &mut Source, stop: &StopSignal, report: impl Fn(SuiteAnswer<'a>)) {
        let OpenCase { suite, case, .. } = *self;
        let Some(expected) = self.left.pop() else { return };
        let question = Question::with_fen(&case.fen, &case.position, expected.depth);
        let answer = source.prepare(stop).and_then(|()| {
            if question.is_chess960 {
                source.examine(stop);
            }
            source.ask(&question, stop)?.unless_refused(expected.nodes)
        });
        let answer = SuiteAnswer { suite, case, expected, answer, is_right_afresh: false, is_misread: false };
        let answer = answer.asked_again(&question, source, stop);
        if answer.answer == Err(SourceError::Interrupted) {
            return;
        }
        if !answer.is_right() {
            self.left.clear();
        }
        report(answer);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::super::driver::DriverSource;
    use super::*;

    const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - -";

    fn sources(count: usize) -> Vec<Box<dyn CountSource + Send>> {
        let source = |_| -> Box<dyn CountSource + Send> { Box::new(DriverSource::new(Perft::new())) };
        (0..count).map(source).collect()
    }

    #[test]
    fn the_cheapest_counts_of_all_suites_come_first() {
        let first = Suite::from_epd("first", &format!("{KINGS} ;D1 3 ;D2 7 ;D3 1000000\n{KINGS} ;D2 7"));
        let second =
            Suite::from_epd("second", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;D2 400");
        let (first, second) = (first.unwrap(), second.unwrap());
        let limits = Limits { max_nodes: 1000, ..Limits::NONE };
        let asked = Mutex::new(Vec::new());
        let report = |answer: SuiteAnswer| {
            assert!(answer.is_right());
            asked.lock().unwrap().push((answer.expected.depth, answer.suite, answer.case.line));
        };
        check_suites(&[&first, &second], &limits, sources(1), &StopSignal::default(), report);
        assert_eq!(asked.into_inner().unwrap(), [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 0, 2), (2, 1, 1)]);
    }

    #[test]
    fn after_a_wrong_count_no_deeper_one_is_asked() {
        let suite = Suite::from_epd("test", &format!("{KINGS} ;D1 3 ;D2 4 ;D3 11\n{KINGS} ;D3 35")).unwrap();
        for count in [1, 3] {
            let asked = Mutex::new(Vec::new());
            let report =
                |answer: SuiteAnswer| asked.lock().unwrap().push((answer.expected.depth, answer.is_right()));
            check_suites(&[&suite], &Limits::NONE, sources(count), &StopSignal::default(), report);
            assert_eq!(asked.into_inner().unwrap(), [(1, true), (2, false), (3, true)]);
        }
    }

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
            let suite = Suite::from_epd("test", &format!("{KINGS} ;D1 3")).unwrap();
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

    #[test]
    fn after_a_raised_signal_nothing_is_asked() {
        let stop = StopSignal::default();
        let suite = Suite::from_epd("test", &format!("{KINGS} ;D1 3\n{KINGS} ;D1 3")).unwrap();
        let answers = AtomicUsize::new(0);
        let report = |_: SuiteAnswer| {
            answers.fetch_add(1, Relaxed);
            stop.raise();
        };
        for _ in 0..2 {
            check_suites(&[&suite], &Limits::NONE, sources(1), &stop, report);
            assert_eq!(answers.load(Relaxed), 1);
        }
    }
}
