//! Checking a source against the known counts of a suite, with several sources at once.
//!
//! Each position is asked depth by depth. After a wrong count or a failure, the deeper counts of that position are not asked:
//! they would be wrong for the same reason, and a program that hangs would hang again.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use perft_core::suite::{Case, KnownCount, Limits, Suite};
use perft_core::{Interrupted, StopSignal};
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

/// The answers of a source to the questions of a suite.
#[derive(Clone, Debug)]
pub struct SuiteAnswers<'a> {
    /// The answers, in the order of the suite.
    pub answers: Vec<SuiteAnswer<'a>>,
    /// The number of known counts within the limits that were not asked, because a smaller one was wrong or failed.
    pub not_asked: usize,
    /// The name that the source gives itself.
    pub source_name: Option<String>,
}

/// Asks for every known count of a suite within the limits. `sources` sources are asked at the same time; `new_source` makes
/// each of them. Each answer is also passed to `report` as soon as it is known.
///
/// # Errors
/// The stop signal was raised.
pub fn check_suite<'a>(
    suite: &'a Suite,
    limits: &Limits,
    new_source: &(dyn Fn() -> Box<dyn CountSource> + Sync),
    sources: usize,
    stop: &StopSignal,
    report: impl Fn(&SuiteAnswer) + Sync,
) -> Result<SuiteAnswers<'a>, Interrupted> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new((Vec::new(), None));
    let work = || {
        let mut source = new_source();
        while let Some((index, case)) = take(&next, suite).filter(|_| !stop.is_raised()) {
            let answers = ask_case(case, limits, source.as_mut(), stop, &report);
            let (cases, name) = &mut *found.lock().unwrap_or_else(PoisonError::into_inner);
            cases.push((index, answers));
            *name = source.name().map(str::to_owned).or(name.take());
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..sources.clamp(1, suite.cases.len().max(1)) {
            scope.spawn(work);
        }
    });
    if stop.is_raised() {
        return Err(Interrupted);
    }
    let (mut cases, source_name) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    cases.sort_by_key(|(index, _)| *index);
    let answers: Vec<SuiteAnswer> = cases.into_iter().flat_map(|(_, answers)| answers).collect();
    let admitted = suite.cases.iter().flat_map(|case| &case.expected).filter(|known| limits.allows(known));
    Ok(SuiteAnswers { not_asked: admitted.count() - answers.len(), answers, source_name })
}

fn take<'a>(next: &AtomicUsize, suite: &'a Suite) -> Option<(usize, &'a Case)> {
    let index = next.fetch_add(1, Relaxed);
    suite.cases.get(index).map(|case| (index, case))
}

/// Asks for the known counts of a case until one answer is not right.
fn ask_case<'a>(
    case: &'a Case,
    limits: &Limits,
    source: &mut dyn CountSource,
    stop: &StopSignal,
    report: impl Fn(&SuiteAnswer),
) -> Vec<SuiteAnswer<'a>> {
    let mut answers = Vec::new();
    for &expected in case.expected.iter().filter(|expected| limits.allows(expected)) {
        let question = Question::with_fen(&case.fen, &case.position, expected.depth);
        let answer = SuiteAnswer { case, expected, answer: source.ask(&question, stop) };
        report(&answer);
        let is_right = answer.is_right();
        answers.push(answer);
        if !is_right {
            break;
        }
    }
    answers
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
        let checked = check_suite(&suite, &limits, &new_source, 2, &StopSignal::default(), |_| {}).unwrap();
        let right: Vec<bool> = checked.answers.iter().map(SuiteAnswer::is_right).collect();
        assert_eq!((right, checked.not_asked), (vec![true, false, true, true], 1));
        assert_eq!(checked.source_name, None);
    }

    #[test]
    fn a_raised_signal_ends_the_check() {
        let stop = StopSignal::default();
        stop.raise();
        let suite = Suite::from_epd("test", "8/8/8/8/8/8/8/k1K5 w - - ;D1 3").unwrap();
        assert!(check_suite(&suite, &Limits::NONE, &new_source, 1, &stop, |_| {}).is_err());
    }
}
