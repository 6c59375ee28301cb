//! A suite on a foreign program: known counts against its answers, on several processes at once.
//!
//! A case is asked depth by depth. Behind a wrong count, or a question that the program did not survive, nothing of the
//! case is asked any more: deeper counts are wrong for the same reason, and a program that hangs would hang again.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::{Answer, Engine, EngineError, EngineSpec, Question};
use perft_core::suite::{Case, Expected, Limits, Suite};
use perft_core::{Interrupted, StopSignal};

/// A known count, and what the program made of it.
#[derive(Clone, Debug)]
pub struct SuiteAnswer<'a> {
    /// The position.
    pub case: &'a Case,
    /// The known count.
    pub expected: Expected,
    /// What the program answered, or why it did not.
    pub answer: Result<Answer, EngineError>,
}

impl SuiteAnswer<'_> {
    /// True if the program answered with the known count.
    pub fn is_right(&self) -> bool {
        self.answer.as_ref().is_ok_and(|answer| answer.total() == self.expected.nodes)
    }
}

/// What came of a suite on a program.
#[derive(Clone, Debug)]
pub struct SuiteAnswers<'a> {
    /// What was asked, in the order of the suite.
    pub verdicts: Vec<SuiteAnswer<'a>>,
    /// Known counts within the limits that were not asked, behind a wrong one or a failure.
    pub not_asked: usize,
    /// What the program calls itself.
    pub engine: Option<String>,
}

/// Asks a program for every known count of a suite within the limits, on so many processes. Each verdict is also handed to
/// `report` as soon as it is known.
///
/// # Errors
/// The signal was raised.
pub fn verify<'a>(
    suite: &'a Suite,
    limits: &Limits,
    spec: &EngineSpec,
    processes: usize,
    stop: &StopSignal,
    report: impl Fn(&SuiteAnswer) + Sync,
) -> Result<SuiteAnswers<'a>, Interrupted> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new((Vec::new(), None));
    std::thread::scope(|scope| {
        for _ in 0..processes.clamp(1, suite.cases.len().max(1)) {
            scope.spawn(|| {
                let mut engine = Engine::new(spec.clone());
                while let Some((index, case)) = take(&next, suite).filter(|_| !stop.is_raised()) {
                    let verdicts = ask_case(case, limits, &mut engine, stop, &report);
                    let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    found.0.push((index, verdicts));
                    found.1 = engine.name().map(str::to_owned).or(found.1.take());
                }
            });
        }
    });
    if stop.is_raised() {
        return Err(Interrupted);
    }
    let (mut cases, engine) = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    cases.sort_by_key(|(index, _)| *index);
    let verdicts: Vec<SuiteAnswer> = cases.into_iter().flat_map(|(_, verdicts)| verdicts).collect();
    let admitted = suite.cases.iter().flat_map(|case| &case.expected).filter(|known| limits.admit(known));
    Ok(SuiteAnswers { not_asked: admitted.count() - verdicts.len(), verdicts, engine })
}

fn take<'a>(next: &AtomicUsize, suite: &'a Suite) -> Option<(usize, &'a Case)> {
    let index = next.fetch_add(1, Relaxed);
    suite.cases.get(index).map(|case| (index, case))
}

/// Asks for the known counts of a case until one is not answered rightly.
fn ask_case<'a>(
    case: &'a Case,
    limits: &Limits,
    engine: &mut Engine,
    stop: &StopSignal,
    report: impl Fn(&SuiteAnswer),
) -> Vec<SuiteAnswer<'a>> {
    let mut verdicts = Vec::new();
    for &expected in case.expected.iter().filter(|expected| limits.admit(expected)) {
        let answer = engine.ask(&Question::about_text(&case.fen, &case.position, expected.depth), stop);
        let verdict = SuiteAnswer { case, expected, answer };
        report(&verdict);
        let goes_on = verdict.is_right();
        verdicts.push(verdict);
        if !goes_on {
            break;
        }
    }
    verdicts
}
