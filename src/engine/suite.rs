//! Checking a source against the known counts of a suite, with several sources at once.
//!
//! Each position is asked depth by depth. After a wrong count or a failure, the deeper counts of that position are not
//! asked: they would be wrong for the same reason, and a program that hangs would hang again.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use perft_core::StopSignal;
use perft_core::suite::{Case, KnownCount, Limits, Suite};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};

/// The answer of a source to the question for a known count.
#[derive(Clone, Debug)]
pub struct SuiteAnswer<'a> {
    /// The position.
    pub case: &'a Case,
    /// The known count.
    pub expected: KnownCount,
    /// What the source answered, or why it gave no answer.
    pub answer: Result<Answer, SourceError>,
}

impl SuiteAnswer<'_> {
    /// Whether the source answered with the known count.
    pub fn is_right(&self) -> bool {
        self.answer.as_ref().is_ok_and(|answer| answer.total() == self.expected.nodes)
    }
}

/// What is known of a source that was asked the questions of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuiteSummary {
    /// The number of known counts within the limits that were not asked, because a smaller one was wrong or failed.
    pub not_asked: usize,
    /// The name that the source gives itself.
    pub source_name: Option<String>,
}

/// Asks for every known count of a suite within the limits, until the stop signal is raised. `sources` sources are asked at
/// the same time; `new_source` makes each of them. Each answer is passed to `report` as soon as it is known.
pub fn check_suite<'a>(
    suite: &'a Suite,
    limits: &Limits,
    new_source: &(dyn Fn() -> Box<dyn CountSource> + Sync),
    sources: usize,
    stop: &StopSignal,
    report: impl Fn(SuiteAnswer<'a>) + Sync,
) -> SuiteSummary {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(SuiteSummary::default());
    let work = || {
        let mut source = new_source();
        while let Some(case) = take(&next, suite).filter(|_| !stop.is_raised()) {
            let not_asked = ask_case(case, limits, source.as_mut(), stop, &report);
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.not_asked += not_asked;
            found.source_name = source.name().map(str::to_owned).or(found.source_name.take());
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..sources.clamp(1, suite.cases.len().max(1)) {
            scope.spawn(work);
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn take<'a>(next: &AtomicUsize, suite: &'a Suite) -> Option<&'a Case> {
    suite.cases.get(next.fetch_add(1, Relaxed))
}

/// Asks for the known counts of a case until one answer is not right. Returns the number of deeper counts that are then
/// not asked.
fn ask_case<'a>(
    case: &'a Case,
    limits: &Limits,
    source: &mut dyn CountSource,
    stop: &StopSignal,
    report: impl Fn(SuiteAnswer<'a>),
) -> usize {
    let mut known = case.expected.iter().filter(|expected| limits.allows(expected));
    while let Some(&expected) = known.next() {
        let question = Question::with_fen(&case.fen, &case.position, expected.depth);
        let answer = SuiteAnswer { case, expected, answer: source.ask(&question, stop) };
        if answer.answer == Err(SourceError::Interrupted) {
            return 0;
        }
        let is_right = answer.is_right();
        report(answer);
        if !is_right {
            return known.count();
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use perft_core::Perft;

    use super::super::DriverSource;
    use super::*;

    fn new_source() -> Box<dyn CountSource> {
        Box::new(DriverSource::new(Perft::new()))
    }

    #[test]
    fn after_a_wrong_count_no_deeper_one_is_asked() {
        let text = "8/8/8/8/8/8/8/k1K5 w - - ;D1 3 ;D2 4 ;D3 11 ;D4 1000000\n\
                    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;D2 400";
        let suite = Suite::from_epd("test", text).unwrap();
        let limits = Limits { max_nodes: 1000, ..Limits::NONE };
        let right = Mutex::new(Vec::new());
        let report = |answer: SuiteAnswer| right.lock().unwrap().push(answer.is_right());
        let found = check_suite(&suite, &limits, &new_source, 1, &StopSignal::default(), report);
        assert_eq!(right.into_inner().unwrap(), [true, false, true, true]);
        assert_eq!(found, SuiteSummary { not_asked: 1, source_name: None });
    }

    #[test]
    fn after_a_raised_signal_nothing_is_asked() {
        let stop = StopSignal::default();
        let suite = Suite::from_epd("test", "8/8/8/8/8/8/8/k1K5 w - - ;D1 3\n8/8/8/8/8/8/8/K1k5 w - - ;D1 3");
        let suite = suite.unwrap();
        let answers = AtomicUsize::new(0);
        let report = |_: SuiteAnswer| {
            answers.fetch_add(1, Relaxed);
            stop.raise();
        };
        for _ in 0..2 {
            let found = check_suite(&suite, &Limits::NONE, &new_source, 1, &stop, report);
            assert_eq!((found.not_asked, answers.load(Relaxed)), (0, 1));
        }
    }
}
