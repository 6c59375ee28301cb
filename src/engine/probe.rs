//! Finds out how a program can be asked for a perft. All commands use this module, so all of them find the same
//! dialect.
//!
//! Every dialect that fits the program is tried with the first question of the [exam](super::exam). If the answer shows
//! the known count, the program is asked the other questions. A command takes the first dialect in which most of the
//! answers are right. `perft probe` also looks for a better one: in which the program lists moves, or plays them.
//!
//! The time limits allow for a busy machine: they grow with its load and with the time that the first start took, and no
//! more processes run at once than there are cores. A program that waits for input without an answer is given up early.
//!
//! A program that does not work in the current folder is tried in its own folder.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use perft_core::StopSignal;
use perft_diagnosis::source::{CountSource, SourceError};
use perft_diagnosis::threads::share_work;
use serde::Serialize;

use super::ask_method::Handshake;
use super::client::Engine;
use super::dialect::Dialect;
use super::exam::{Exam, examine, is_final};
use super::spec::{CUSTOM, EngineSpec};
use super::usage::busy;

/// The shortest and the longest time limit of a start, and of the first question, on an idle machine.
const LIMITS: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(15)];

/// The time limit as a multiple of the time that the program takes to start.
const STARTS: u32 = 8;

/// Which dialects are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Only the one of the spec.
    Given,
    /// All up to the first one in which most of the answers are right.
    First,
    /// All, unless an earlier one leaves nothing to be desired.
    Best,
}

/// A dialect that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    /// The name of the dialect.
    pub dialect: &'static str,
    /// The outcome, in one line.
    pub answer: String,
}

/// The result of probing a program.
#[derive(Clone, Debug, Default)]
pub struct Probed {
    /// How it is asked, with its answers; `None` if no way was found.
    pub exam: Option<Exam>,
    /// The other dialects that were tried.
    pub attempts: Vec<Attempt>,
    /// Why the first way to ask was not understood, if no way was found.
    pub reason: Option<SourceError>,
    /// Whether the program has opened a conversation in the first way.
    pub has_opened: bool,
    /// Whether the search ended before all dialects were tried, because the stop signal was raised.
    pub is_interrupted: bool,
}

/// Finds out how a program can be asked. `on_dialect` receives each dialect before it is tried.
///
/// # Errors
/// The program cannot be started, has no such option, or the stop signal was raised before a way was found.
pub fn probe(
    spec: &EngineSpec,
    search: Search,
    stop: &StopSignal,
    on_dialect: &(dyn Fn(Dialect) + Sync),
) -> Result<Probed, SourceError> {
    let search = if spec.dialect == CUSTOM { Search::Given } else { search };
    let mut here = DialectSearch {
        spec,
        search,
        stop,
        on_dialect,
        limit: LIMITS[0],
        tried: Vec::new(),
        has_opened: false,
    };
    let ended = here.run(None);
    if ended.is_err() || here.best().is_some() || here.is_too_slow() {
        return here.finish(ended);
    }
    let Some(moved) = spec.in_own_folder() else { return here.finish(ended) };
    let mut there = DialectSearch { spec: &moved, tried: Vec::new(), ..here };
    let ended = there.run(here.tried.first().map(|(_, outcome)| text(outcome)));
    if ended.is_err() || there.best().is_some() { there.finish(ended) } else { here.finish(ended) }
}

struct DialectSearch<'a> {
    spec: &'a EngineSpec,
    search: Search,
    stop: &'a StopSignal,
    on_dialect: &'a (dyn Fn(Dialect) + Sync),
    /// The time limit of a start and of the first question.
    limit: Duration,
    /// The dialects that were tried so far.
    tried: Vec<(Dialect, Outcome)>,
    has_opened: bool,
}

/// The outcome of trying a dialect: an exam, or the reason why the program does not answer with known counts.
type Outcome = Result<Exam, SourceError>;

/// Describes an outcome in one line.
fn text(outcome: &Outcome) -> String {
    match outcome {
        Ok(Exam { skills, .. }) => {
            let what = if skills.lists_moves { "counts below moves" } else { "totals" };
            format!("{what}, {} of {} right", skills.right_answers, skills.questions)
        }
        Err(SourceError::NotUnderstood { last, .. }) if last.is_empty() => "no answer".to_owned(),
        Err(SourceError::NotUnderstood { last, .. }) => last.clone(),
        Err(SourceError::Searched(_)) => "it began to search".to_owned(),
        Err(error) => error.to_string(),
    }
}

impl DialectSearch<'_> {
    /// Tries the dialects. Stops after the first one if its outcome is `known`, because then the others would fail
    /// again.
    fn run(&mut self, known: Option<String>) -> Result<(), SourceError> {
        let engine = self.try_first()?;
        let is_known =
            known.is_some_and(|known| self.tried.first().is_some_and(|(_, outcome)| text(outcome) == known));
        if self.search == Search::Given || is_known || self.is_enough() {
            return Ok(());
        }
        if let Some(engine) = engine {
            self.try_session(engine)?;
        }
        if !self.is_enough() {
            self.try_processes()?;
        }
        if self.best().is_none() {
            self.try_search()?;
        }
        Ok(())
    }

    /// Whether no other dialect has to be tried.
    fn is_enough(&self) -> bool {
        let is_enough =
            |exam: &Exam| if self.search == Search::Best { exam.is_best() } else { exam.is_mostly_right() };
        self.exams().any(|(_, exam)| is_enough(exam))
    }

    fn exams(&self) -> impl Iterator<Item = (usize, &Exam)> {
        self.tried
            .iter()
            .enumerate()
            .filter_map(|(index, (_, outcome))| Some((index, outcome.as_ref().ok()?)))
    }

    /// Whether the first dialect has failed only because the program was too slow.
    fn is_too_slow(&self) -> bool {
        matches!(self.tried.first(), Some((_, Err(SourceError::TimedOut(..)))))
    }

    /// Tries the dialect of the spec. If the program opens the conversation, returns it for trying the other UCI
    /// dialects. A program that does not will not do so for another dialect either.
    fn try_first(&mut self) -> Result<Option<Engine>, SourceError> {
        let dialect = self.spec.dialect.parse::<Dialect>().unwrap_or_default();
        if self.search != Search::Given {
            (self.on_dialect)(dialect);
        }
        let spec = EngineSpec { is_trial: self.search != Search::Given, ..self.spec.clone() };
        let (mut engine, begin) = (Engine::new(spec), Instant::now());
        let prepared = engine.prepare(self.stop);
        self.limit = (STARTS * begin.elapsed()).clamp(busy() * LIMITS[0], busy() * LIMITS[1]);
        if let Err(error @ (SourceError::NoOption(..) | SourceError::NoOptionValue(..))) = prepared {
            return Err(error);
        }
        let exam = prepared.and_then(|()| examine(&mut engine, self.stop));
        self.note(dialect, exam)?;
        self.has_opened = engine.has_opened();
        Ok(self.has_opened.then_some(engine))
    }

    /// Tries the other dialects for UCI engines in one conversation, which is opened again after each failure.
    fn try_session(&mut self, mut engine: Engine) -> Result<(), SourceError> {
        let is_tried = |dialect: &Dialect| {
            let asking = dialect.asking();
            asking.handshake == Handshake::Uci && !asking.is_search
        };
        for dialect in Dialect::all().filter(is_tried).skip(1) {
            (self.on_dialect)(dialect);
            engine.ask_like(self.trial(dialect));
            let exam = examine(&mut engine, self.stop);
            self.note(dialect, exam)?;
            if self.is_enough() {
                break;
            }
        }
        Ok(())
    }

    /// Tries the other dialects, as many at the same time as there are cores. No dialect is started after an earlier one
    /// is enough.
    fn try_processes(&mut self) -> Result<(), SourceError> {
        let is_tried = |dialect: &Dialect| dialect.asking().handshake != Handshake::Uci;
        let dialects: Vec<Dialect> = Dialect::all().filter(is_tried).collect();
        let (next, last) = (AtomicUsize::new(0), AtomicUsize::new(dialects.len() - 1));
        let outcomes = Mutex::new(vec![None; dialects.len()]);
        let this = &*self;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        share_work(cores.min(dialects.len()), || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index > last.load(Ordering::Relaxed) {
                    return;
                }
                let outcome = this.try_once(dialects[index]);
                let is_last = match &outcome {
                    Ok(exam) => exam.is_best() || (this.search == Search::First && exam.is_mostly_right()),
                    Err(error) => is_final(error),
                };
                if is_last {
                    last.fetch_min(index, Ordering::Relaxed);
                }
                outcomes.lock().expect("no thread panics")[index] = Some(outcome);
            }
        });
        let outcomes = outcomes.into_inner().expect("no thread panics");
        for (&dialect, outcome) in dialects.iter().zip(outcomes).take(last.into_inner() + 1) {
            self.note(dialect, outcome.expect("each dialect up to the last one was tried"))?;
        }
        Ok(())
    }

    /// Tries to list moves by a search.
    fn try_search(&mut self) -> Result<(), SourceError> {
        if let Some(dialect) = Dialect::all().find(|dialect| dialect.asking().is_search) {
            self.note(dialect, self.try_once(dialect))?;
        }
        Ok(())
    }

    fn try_once(&self, dialect: Dialect) -> Outcome {
        (self.on_dialect)(dialect);
        examine(&mut Engine::new(self.trial(dialect)), self.stop)
    }

    /// # Errors
    /// The error of the outcome is not about the dialect.
    fn note(&mut self, dialect: Dialect, outcome: Outcome) -> Result<(), SourceError> {
        match outcome {
            Err(error) if is_final(&error) => Err(error),
            outcome => {
                self.tried.push((dialect, outcome));
                Ok(())
            }
        }
    }

    /// Returns the spec for a dialect that is only tried.
    fn trial(&self, dialect: Dialect) -> EngineSpec {
        let spec = self.spec.clone().asked_in(dialect);
        let options = if dialect.asking().handshake == Handshake::Uci { spec.options } else { Vec::new() };
        EngineSpec { options, start_limit: self.limit.min(spec.start_limit), is_trial: true, ..spec }
    }

    /// Returns the index of the best dialect: the one with the most right answers, or in which the program lists moves,
    /// or plays them.
    fn best(&self) -> Option<usize> {
        let rank = |exam: &Exam| {
            let skills = exam.skills;
            (exam.is_mostly_right(), skills.right_answers, skills.lists_moves, skills.plays_moves)
        };
        let best = self.exams().map(|(_, exam)| rank(exam)).max()?;
        self.exams().find(|(_, exam)| rank(exam) == best).map(|(index, _)| index)
    }

    fn finish(mut self, ended: Result<(), SourceError>) -> Result<Probed, SourceError> {
        let best = self.best();
        if let (Err(error), None) = (&ended, best) {
            return Err(error.clone());
        }
        let EngineSpec { start_limit, answer_limit, .. } = *self.spec;
        let exam = best.and_then(|index| self.tried.remove(index).1.ok()).map(|exam| {
            // A spec that is used has the time limits of the user.
            Exam { spec: EngineSpec { start_limit, answer_limit, is_trial: false, ..exam.spec }, ..exam }
        });
        let attempts = self.tried.iter().map(|(dialect, outcome)| Attempt {
            dialect: if self.search == Search::Given { self.spec.dialect } else { dialect.name() },
            answer: text(outcome),
        });
        let attempts = attempts.collect();
        let reason = self.tried.first().and_then(|(_, outcome)| outcome.as_ref().err().cloned());
        Ok(Probed { exam, attempts, reason, has_opened: self.has_opened, is_interrupted: ended.is_err() })
    }
}
