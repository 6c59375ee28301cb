//! Finds out how a program can be asked for a perft. All commands use this module, so all of them find the same
//! dialect.
//!
//! Every dialect that fits the program is tried with the first question of the [exam](super::exam). If the answer shows
//! the known count, the program is asked the other questions. A command takes the first dialect in which most of the
//! answers are right. `perft probe` also looks for a better one, in which the program lists moves or plays them.
//!
//! The first start decides the order. A program that waits for input is asked on its input first. One that ends, or
//! computes without reading, gets the question in its arguments first. One that starts slowly is asked in one
//! conversation as long as that is possible. Words at which a program hangs are not sent again, and after a question in
//! arguments that was not answered in time, the others have less time.
//!
//! The time limits allow for a busy machine: they grow with its load and with the time of the first start. No more
//! processes run at once than there are cores. A program that waits for input without an answer is given up early.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use perft_core::StopSignal;
use perft_diagnosis::share_work;
use perft_diagnosis::source::{CountSource, SourceError};
use perft_diagnosis::state::StateAbilities;
use serde::Serialize;

use super::client::Engine;
use super::dialect::{AskMethod, Dialect, Handshake, Launch, is_template};
use super::exam::{Exam, examine, is_final};
use super::spec::{CUSTOM, EngineSpec, busy};

/// The shortest and the longest time limit of a start, and of the first question, on an idle machine.
const LIMITS: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(15)];

/// The time limit as a multiple of the time that the program takes to start.
const STARTS: u32 = 8;

/// The time from which on a start is slow.
const SLOW_START: Duration = Duration::from_millis(1500);

/// The time limit of a question in arguments, after one that was not answered in time.
const AFTER_HANG: Duration = Duration::from_secs(2);

/// The lines that may make a program print its FEN or its key, in the order in which they are tried.
const STATE_LINES: [&str; 7] = ["d", "fen", "display", "print", "show", "board", "getfen"];

/// The time limit for a state.
const STATE_LIMIT: Duration = Duration::from_secs(5);

/// The time limit for starting a program as a UCI engine only to ask for its state.
const STATE_START_LIMIT: Duration = Duration::from_millis(2500);

/// A dialect that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
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
    /// Why the most promising way to ask was not understood, if no way was found.
    pub reason: Option<SourceError>,
    /// Whether the search ended before all dialects were tried, because the stop signal was raised.
    pub is_interrupted: bool,
}

/// Finds out how a program can be asked, unless the user has said how. The search ends at the first dialect in which
/// most of the answers are right, or, if it `finds_best`, at the first for which [`Exam::is_best`] holds. `on_dialect`
/// receives each dialect before it is tried.
///
/// # Errors
/// The program cannot be started, has no such option, or the stop signal was raised before a way was found.
pub fn probe(
    spec: &EngineSpec,
    finds_best: bool,
    stop: &StopSignal,
    on_dialect: &(dyn Fn(&'static Dialect) + Sync),
) -> Result<Probed, SourceError> {
    let mut search = DialectSearch {
        spec,
        finds_best,
        stop,
        on_dialect,
        limit: LIMITS[0],
        is_slow: false,
        tried: Vec::new(),
        hung: Mutex::default(),
    };
    let ended = search.run();
    search.finish(ended)
}

struct DialectSearch<'a> {
    spec: &'a EngineSpec,
    finds_best: bool,
    stop: &'a StopSignal,
    on_dialect: &'a (dyn Fn(&'static Dialect) + Sync),
    /// The time limit of a start and of the first question.
    limit: Duration,
    /// Whether the program starts slowly.
    is_slow: bool,
    /// The names of the dialects that were tried so far, with their outcomes.
    tried: Vec<(&'static str, Outcome)>,
    /// The words with which questions begin that were not answered in time.
    hung: Mutex<HashSet<&'static str>>,
}

/// The outcome of trying a dialect: an exam, or the reason why the program does not answer with known counts.
type Outcome = Result<Exam, SourceError>;

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

/// Returns the dialects with these ways to ask, in the order in which they are tried.
fn all(is_tried: &dyn Fn(&AskMethod) -> bool) -> Vec<&'static Dialect> {
    Dialect::all().iter().filter(|dialect| is_tried(&dialect.asking)).collect()
}

/// Returns the words with which the last line of a question begins. Questions in arguments have none.
fn first_words(dialect: &'static Dialect) -> &'static str {
    let line = dialect.asking.lines.iter().rfind(|line| is_template(line));
    line.and_then(|line| line.split('{').next()).unwrap_or_default()
}

/// Returns how much an outcome looks like that of the right way to ask: the program has printed a number, has begun to
/// search, has printed something else, or nothing.
fn promise(error: &SourceError) -> u8 {
    let is_number = |word: &str| word.len() > 1 && word.bytes().all(|digit| digit.is_ascii_digit());
    match error {
        // This is no answer to a question.
        SourceError::NotUnderstood { asked, .. } if asked == "uci" => 0,
        SourceError::NotUnderstood { last, .. } | SourceError::Refused(last)
            if last.split(|sign: char| !sign.is_ascii_alphanumeric()).any(is_number) =>
        {
            3
        }
        SourceError::Searched(_) => 2,
        SourceError::NotUnderstood { last, .. } | SourceError::Ended { last, .. } => {
            u8::from(!last.is_empty())
        }
        _ => 1,
    }
}

impl DialectSearch<'_> {
    fn run(&mut self) -> Result<(), SourceError> {
        let mut engine = self.try_first(busy() * LIMITS[0])?;
        if self.spec.has_words || self.has_enough() {
            return Ok(());
        }
        // It computes without reading, so it gets the question in its arguments first.
        if matches!(self.tried[0].1, Err(SourceError::NotRead(..))) {
            self.try_dialects(&all(&|asking| !asking.arguments.is_empty()), None)?;
        }
        if !self.has_enough()
            && matches!(self.tried[0].1, Err(SourceError::NotRead(..) | SourceError::TimedOut(..)))
        {
            // It may only start slowly.
            engine = self.try_first(self.spec.start_limit)?;
            self.tried.rotate_right(1);
            drop(self.tried.remove(1));
        }
        if engine.is_some() {
            let uci = all(&|asking| asking.handshake == Handshake::Uci && !asking.is_search);
            self.try_dialects(&uci[1..], engine)?;
        }
        for (dialects, is_talk) in self.groups() {
            let engine = is_talk.then(|| Engine::new(self.trial(dialects[0])));
            if !self.has_enough() {
                self.try_dialects(&dialects, engine)?;
            }
        }
        if self.best().is_none() {
            self.try_dialects(&all(&|asking| asking.is_search), None)?;
        }
        Ok(())
    }

    /// Returns the dialects of other programs than UCI engines, in the order in which they are tried, and whether each
    /// group can be tried in one conversation.
    fn groups(&self) -> Vec<(Vec<&'static Dialect>, bool)> {
        let starts = (all(&|asking| asking.launch == Launch::Each), false);
        let is_talk =
            |asking: &AskMethod| asking.handshake != Handshake::Uci && asking.launch == Launch::Once;
        let of = |handshake| (all(&|asking| is_talk(asking) && asking.handshake == handshake), true);
        let mut talks = if self.is_slow {
            vec![of(Handshake::None), of(Handshake::Cecp)]
        } else {
            vec![(all(&is_talk), false)]
        };
        match &self.tried[0].1 {
            Err(SourceError::NotRead(..)) => Vec::new(),
            Err(SourceError::Ended { .. } | SourceError::TimedOut(..)) => [vec![starts], talks].concat(),
            _ => {
                talks.push(starts);
                talks
            }
        }
    }

    /// Whether no other dialect has to be tried.
    fn is_enough(&self, exam: &Exam) -> bool {
        if self.finds_best { exam.is_best() } else { exam.is_mostly_right() }
    }

    fn has_enough(&self) -> bool {
        self.exams().any(|(_, exam)| self.is_enough(exam))
    }

    fn exams(&self) -> impl DoubleEndedIterator<Item = (usize, &Exam)> {
        self.tried
            .iter()
            .enumerate()
            .filter_map(|(index, (_, outcome))| Some((index, outcome.as_ref().ok()?)))
    }

    /// Tries the way to ask of the spec. If the program opens the conversation, returns it for trying the other UCI
    /// dialects. Otherwise none of them would work. A program that gets the lines of the user, and does not open the
    /// conversation, is asked again without a handshake.
    fn try_first(&mut self, limit: Duration) -> Result<Option<Engine>, SourceError> {
        if !self.spec.has_words {
            (self.on_dialect)(&Dialect::all()[0]);
        }
        let may_open = !self.spec.has_words || self.spec.dialect == CUSTOM;
        let start_limit =
            if self.spec.has_words { self.spec.start_limit } else { limit.min(self.spec.start_limit) };
        let trial = EngineSpec { is_trial: may_open, start_limit, ..self.spec.clone() };
        let (mut engine, begin) = (Engine::new(trial), Instant::now());
        let prepared = engine.prepare(self.stop);
        engine.spec.is_trial = !self.spec.has_words;
        if !matches!(prepared, Err(SourceError::NotRead(..) | SourceError::TimedOut(..))) {
            self.limit = STARTS * begin.elapsed();
            self.is_slow = begin.elapsed() > busy() * SLOW_START;
        }
        self.limit = self.limit.clamp(busy() * LIMITS[0], busy() * LIMITS[1]);
        if let Err(error @ (SourceError::NoOption(..) | SourceError::NoOptionValue(..))) = prepared {
            return Err(error);
        }
        let mut outcome = prepared.and_then(|()| examine(&mut engine, self.stop));
        let has_opened = engine.announces_chess960.is_some();
        let is_uci = self.spec.asking.handshake == Handshake::Uci;
        let may_answer = matches!(&outcome, Err(error) if !is_final(error));
        if !has_opened && is_uci && self.spec.dialect == CUSTOM && may_answer {
            let mut spec = self.spec.clone();
            spec.asking.handshake = Handshake::None;
            let without = examine(&mut Engine::new(spec), self.stop);
            outcome = if without.is_ok() { without } else { outcome };
        }
        self.note(self.spec.dialect, outcome)?;
        Ok(has_opened.then_some(engine))
    }

    /// Tries dialects in one conversation with the engine, which is opened again after each failure. Without an engine,
    /// tries as many at the same time as there are cores. No dialect is started after an earlier one is enough.
    fn try_dialects(
        &mut self,
        dialects: &[&'static Dialect],
        engine: Option<Engine>,
    ) -> Result<(), SourceError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if engine.is_some() { 1 } else { cores.min(dialects.len()) };
        let (next, last) = (AtomicUsize::new(0), AtomicUsize::new(dialects.len() - 1));
        let (running, outcomes) = (Mutex::new(engine), Mutex::new(vec![None; dialects.len()]));
        let this = &*self;
        share_work(threads, || {
            let mut running = running.lock().expect("no thread panics").take();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index > last.load(Ordering::Relaxed) {
                    return;
                }
                let words = first_words(dialects[index]);
                let has_hung = this.hung.lock().expect("no thread panics").contains(words);
                // A program that hangs at these words will hang again.
                if has_hung && !words.is_empty() {
                    continue;
                }
                (this.on_dialect)(dialects[index]);
                let mut spec = this.trial(dialects[index]);
                if has_hung {
                    spec.start_limit = spec.start_limit.min(busy() * AFTER_HANG);
                }
                let outcome = match &mut running {
                    Some(engine) => {
                        engine.spec = spec;
                        examine(engine, this.stop)
                    }
                    None => examine(&mut Engine::new(spec), this.stop),
                };
                let is_last = match &outcome {
                    Ok(exam) => this.is_enough(exam),
                    Err(error) => is_final(error),
                };
                if matches!(outcome, Err(SourceError::TimedOut(..))) {
                    this.hung.lock().expect("no thread panics").insert(words);
                }
                if is_last {
                    last.fetch_min(index, Ordering::Relaxed);
                }
                outcomes.lock().expect("no thread panics")[index] = Some(outcome);
            }
        });
        let outcomes = outcomes.into_inner().expect("no thread panics");
        for (dialect, outcome) in dialects.iter().zip(outcomes).take(last.into_inner() + 1) {
            outcome.map_or(Ok(()), |outcome| self.note(dialect.name, outcome))?;
        }
        Ok(())
    }

    /// Keeps the outcome of trying a dialect.
    ///
    /// # Errors
    /// The error of the outcome would be the same in every dialect.
    fn note(&mut self, dialect: &'static str, outcome: Outcome) -> Result<(), SourceError> {
        match outcome {
            Err(error) if is_final(&error) => Err(error),
            outcome => {
                self.tried.push((dialect, outcome));
                Ok(())
            }
        }
    }

    fn trial(&self, dialect: &'static Dialect) -> EngineSpec {
        let spec = self.spec.clone().asked_in(dialect);
        let options = if dialect.asking.handshake == Handshake::Uci { spec.options } else { Vec::new() };
        EngineSpec { options, start_limit: self.limit.min(spec.start_limit), is_trial: true, ..spec }
    }

    /// Returns the index of the best dialect: the one with the most right answers. Among equals, one in which the
    /// program lists moves, or plays them.
    fn best(&self) -> Option<usize> {
        let rank = |(_, exam): &(usize, &Exam)| {
            let skills = exam.skills;
            (exam.is_mostly_right(), skills.right_answers, skills.lists_moves, skills.plays_moves)
        };
        // Of equal ones, the first is the best.
        self.exams().rev().max_by_key(rank).map(|(index, _)| index)
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
        let attempts = self.tried.iter().map(|(dialect, outcome)| Attempt { dialect, answer: text(outcome) });
        let attempts = attempts.collect();
        let errors = self.tried.iter().filter_map(|(_, outcome)| outcome.as_ref().err());
        let reason = errors.rev().max_by_key(|error| promise(error)).cloned();
        Ok(Probed { exam, attempts, reason, is_interrupted: ended.is_err() })
    }
}

/// Finds out which line makes a program print its FEN or its key. Returns the spec with this line, and the parts of its
/// state that the program prints. The line is that of the spec, if it has one. Otherwise it is the first line after
/// which the program prints both FEN and key, or the first one after which it prints one of them.
///
/// A program that prints nothing in its dialect is tried as a UCI engine that is not asked to count.
///
/// # Errors
/// The program cannot be started, or the stop signal was raised.
pub fn find_state(
    spec: &EngineSpec,
    stop: &StopSignal,
) -> Result<Option<(EngineSpec, StateAbilities)>, SourceError> {
    if let Some(found) = find_state_line(spec, spec, stop)? {
        return Ok(Some(found));
    }
    let without_counts = spec.clone().without_counts();
    if spec.asking.handshake == Handshake::Uci || without_counts.is_run_for_each_question() {
        return Ok(None);
    }
    let start_limit = spec.start_limit.min(STATE_START_LIMIT);
    let trial = EngineSpec { start_limit, is_trial: true, ..without_counts.clone() };
    find_state_line(&without_counts, &trial, stop)
}

/// The program is run as in `trial`.
fn find_state_line(
    spec: &EngineSpec,
    trial: &EngineSpec,
    stop: &StopSignal,
) -> Result<Option<(EngineSpec, StateAbilities)>, SourceError> {
    let lines = match &spec.ask_state {
        Some(line) => vec![line.clone()],
        None => STATE_LINES.map(str::to_owned).to_vec(),
    };
    let mut first = None;
    let answer_limit = trial.answer_limit.min(STATE_LIMIT);
    let mut running = Engine::new(EngineSpec { answer_limit, ..trial.clone() });
    for line in lines {
        running.spec.ask_state = Some(line.clone());
        let prints = match StateAbilities::probe(&mut running, stop) {
            Ok(prints) if prints.is_nothing() => continue,
            Ok(prints) => prints,
            Err(error @ (SourceError::Interrupted | SourceError::NotStarted(..))) => return Err(error),
            Err(SourceError::NoState { .. }) => continue,
            Err(_) if running.name().is_none() && spec.asking.handshake == Handshake::Uci => return Ok(None),
            Err(_) => continue,
        };
        let found = (EngineSpec { ask_state: Some(line), ..spec.clone() }, prints);
        if prints.fen && prints.key {
            return Ok(Some(found));
        }
        first = first.or(Some(found));
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_a_handshake_is_no_reason() {
        let said = |asked: &str, last: &str| {
            promise(&SourceError::NotUnderstood { asked: asked.to_owned(), last: last.to_owned() })
        };
        assert!(said("uci", "3 8902 1.5") < said("perft 1", "unknown command"));
        assert!(said("perft 1", "unknown command") < said("divide 1", "Nodes: 19"));
    }
}
