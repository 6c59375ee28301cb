//! Finds out how a program can be asked for a perft. All commands use this module, so all of them find the same
//! dialect.
//!
//! The program is started, and every dialect that fits it is tried on two positions with known moves, at small
//! depths. One position is the start position. The other one shows whether the program reads the FEN at all. The
//! first dialect in which the program lists moves is chosen. If there is none, the first dialect in which it
//! states totals is chosen. Finally, a question with moves shows whether the program plays them.
//!
//! The time limits allow for a busy machine: they grow with the time that the first start took, and no more
//! processes run at once than there are cores. A program that is idle without an answer is given up early. A
//! dialect that took too long is tried once more, alone and with more time, before a later dialect is chosen.
//!
//! A program that does not work in the current folder is tried in its own folder.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use perft_core::{Position, StopSignal, perft};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
use perft_diagnosis::threads::share_work;
use serde::Serialize;

use super::ask_method::{Answers, Handshake};
use super::client::Engine;
use super::conversation::time_until_given_up;
use super::dialect::Dialect;
use super::spec::{CUSTOM, EngineSpec};

/// The time limit of a question, and of a start, for a program that starts at once. Depth 1 needs no time at all.
const SHORTEST: Duration = Duration::from_secs(2);

/// The longest time limit of a question.
pub(super) const LONGEST: Duration = Duration::from_secs(15);

/// The time limit of a question, as a multiple of the time that the program takes to start.
const STARTS: u32 = 8;

/// The factor of the limit when a dialect is tried again.
const MORE_TIME: u32 = 3;

/// The time after which no dialect is tried again.
const TIME_FOR_MORE: Duration = Duration::from_secs(15);

/// The position that shows whether the program reads the FEN.
const OTHER: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/// The dialect for `perft N`.
const PLAIN: &str = "uci-perft";

/// A position in which a pawn is pinned.
const PINNED: &str = "8/8/8/KP5r/7k/8/8/8 w - - 0 1";

/// The number of moves there without a test for check. Four of them are legal.
const PINNED_UNCHECKED: u128 = 5;

/// Moves from the start position, with castling. A program that ignores them answers with the counts of the start
/// position.
pub(super) const MOVES: &[&str] = &["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"];

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
    /// How it is asked; `None` if no way was found.
    pub spec: Option<EngineSpec>,
    /// The dialect that was found, or `custom`.
    pub dialect: Option<&'static str>,
    /// Whether it ignores the moves of a question, so that it gets the position after them.
    pub ignores_moves: bool,
    /// The other dialects that were tried.
    pub attempts: Vec<Attempt>,
    /// The name that the program gives itself.
    pub name: Option<String>,
    /// The reason why the first way to ask is not understood, if no way was found: the program does not open the
    /// conversation, does not answer with counts of moves, or begins to search. `None` after another failure at the
    /// first question, because other questions may succeed.
    pub misunderstanding: Option<String>,
}

/// Finds out how a program can be asked. If the user has chosen a way to ask (`is_fixed`), only this way is
/// tried, and any count is accepted as an answer. `on_dialect` receives each dialect before it is tried.
///
/// # Errors
/// The program cannot be started, has no such option, or the stop signal was raised.
pub fn probe(
    spec: &EngineSpec,
    is_fixed: bool,
    stop: &StopSignal,
    on_dialect: &(dyn Fn(Dialect) + Sync),
) -> Result<Probed, SourceError> {
    let is_fixed = is_fixed || spec.dialect == CUSTOM;
    let mut here = DialectSearch {
        spec,
        is_fixed,
        stop,
        on_dialect,
        limit: SHORTEST,
        tried: Vec::new(),
        misunderstanding: None,
    };
    here.run(None)?;
    let Some(moved) = spec.in_own_folder().filter(|_| here.has_failed()) else { return Ok(here.finish()) };
    let mut there = DialectSearch { spec: &moved, tried: Vec::new(), misunderstanding: None, ..here };
    there.run(here.tried.first().map(|(_, outcome)| outcome.text()))?;
    Ok(if there.best().is_some() { there.finish() } else { here.finish() })
}

struct DialectSearch<'a> {
    spec: &'a EngineSpec,
    is_fixed: bool,
    stop: &'a StopSignal,
    on_dialect: &'a (dyn Fn(Dialect) + Sync),
    /// The time limit of a start and of a question.
    limit: Duration,
    /// The dialects that were tried so far.
    tried: Vec<(Dialect, AttemptOutcome)>,
    misunderstanding: Option<String>,
}

/// The quality of the answers in a dialect, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// Right counts below the moves.
    Moves,
    /// Right totals.
    Totals,
    /// Counts that can be wrong answers to the questions.
    Doubtful,
}

/// The outcome of trying a dialect.
#[derive(Clone, Debug)]
enum AttemptOutcome {
    /// The program answers.
    Fits { grade: Grade, plays_moves: bool, name: Option<String> },
    /// The program does not answer, for this reason.
    Fails(String),
    /// The program did not answer in time.
    Late(String),
}

impl AttemptOutcome {
    fn lists_moves(&self) -> bool {
        matches!(self, AttemptOutcome::Fits { grade: Grade::Moves, .. })
    }

    fn text(&self) -> &str {
        match self {
            AttemptOutcome::Fits { grade: Grade::Moves, .. } => "moves",
            AttemptOutcome::Fits { grade: Grade::Totals, .. } => "totals, but no moves",
            AttemptOutcome::Fits { grade: Grade::Doubtful, .. } => "other counts",
            AttemptOutcome::Fails(why) | AttemptOutcome::Late(why) => why,
        }
    }
}

impl DialectSearch<'_> {
    /// Tries the dialects. Stops after the first one if its outcome is `known`, because then the others would
    /// fail again.
    fn run(&mut self, known: Option<&str>) -> Result<(), SourceError> {
        let session = self.try_first()?;
        let outcome = self.tried.first().map(|(_, outcome)| outcome.text());
        if self.is_fixed || self.is_found() || (known.is_some() && known == outcome) {
            return Ok(());
        }
        self.try_session(session)?;
        if !self.is_found() {
            self.try_processes()?;
        }
        self.try_late()?;
        match self.best() {
            None | Some((Grade::Doubtful, _)) => self.try_variations(),
            Some(_) => Ok(()),
        }
    }

    /// Whether no way was found, and not only because the program was too slow.
    fn has_failed(&self) -> bool {
        self.best().is_none() && !matches!(self.tried.first(), Some((_, AttemptOutcome::Late(_))))
    }

    /// Tries the dialect of the spec. If the program opens the conversation, returns it for trying the other UCI
    /// dialects.
    fn try_first(&mut self) -> Result<Option<Engine>, SourceError> {
        let dialect = self.spec.dialect.parse::<Dialect>().unwrap_or_default();
        if !self.is_fixed {
            (self.on_dialect)(dialect);
        }
        let answer_limit = self.spec.answer_limit.min(LONGEST);
        let spec = EngineSpec { answer_limit, is_trial: !self.is_fixed, ..self.spec.clone() };
        let (mut engine, begin) = (Engine::new(spec), Instant::now());
        let prepared = engine.prepare(self.stop);
        self.limit = limit_after(self.time_of_start(begin.elapsed(), &prepared));
        if let Err(error) = prepared {
            if matches!(error, SourceError::NoOption(..) | SourceError::NoOptionValue(..)) {
                return Err(error);
            }
            let outcome = failure(&error)?;
            self.misunderstanding = Some(error.to_string());
            self.tried.push((dialect, outcome));
            return Ok(None);
        }
        let outcome = if self.is_fixed { self.accept(&mut engine) } else { self.try_engine(&mut engine) };
        self.misunderstanding = match &outcome {
            Ok(AttemptOutcome::Fails(why)) => Some(format!(
                "the first answers of the engine are not a perft: {why} (--dialect {dialect} asks anyway)"
            )),
            Err(error @ (SourceError::NotUnderstood { .. } | SourceError::Searched(_))) => {
                Some(error.to_string())
            }
            _ => None,
        };
        self.tried.push((dialect, outcome.or_else(|error| failure(&error))?));
        Ok(Some(engine))
    }

    /// Returns the time that the program took to start, without the time for which it was silent and idle at the
    /// end.
    fn time_of_start(&self, elapsed: Duration, prepared: &Result<(), SourceError>) -> Duration {
        let silence = match prepared {
            Err(SourceError::NotUnderstood { .. }) => time_until_given_up(self.spec.start_limit),
            _ => Duration::ZERO,
        };
        elapsed.saturating_sub(silence)
    }

    /// Tries the other dialects for UCI engines in one conversation, which is opened again after each failure. A
    /// program that does not open the first conversation will not open one for another dialect either.
    fn try_session(&mut self, mut running: Option<Engine>) -> Result<(), SourceError> {
        let is_tried = |dialect: &Dialect| {
            let asking = dialect.asking();
            asking.handshake == Handshake::Uci && asking.answers != Answers::Variations
        };
        for dialect in Dialect::all().filter(is_tried).skip(1) {
            let Some(engine) = running.take() else { return Ok(()) };
            (self.on_dialect)(dialect);
            let mut engine = engine.asked_like(self.trial(dialect, self.limit));
            let outcome = self.outcome(&mut engine)?;
            self.tried.push((dialect, outcome));
            if self.is_found() {
                return self.prefer_plain(dialect, engine);
            }
            running = Some(engine);
        }
        Ok(())
    }

    /// Prefers the plain `perft N` if the program lists moves for it too: a program that looks for this word
    /// anywhere in a line also answers to longer lines.
    fn prefer_plain(&mut self, found: Dialect, engine: Engine) -> Result<(), SourceError> {
        let is_longer = |line: &String| line.contains("perft") && !line.starts_with("go ");
        let plain: Dialect = PLAIN.parse().expect("there is such a dialect");
        if found == plain || !found.asking().lines.iter().any(is_longer) {
            return Ok(());
        }
        let mut engine = engine.asked_like(self.trial(plain, self.limit));
        let outcome = self.outcome(&mut engine)?;
        if outcome.lists_moves() {
            self.tried.pop();
            self.tried.push((plain, outcome));
        }
        Ok(())
    }

    /// Tries the other dialects, as many at the same time as there are cores. No dialect is started after an
    /// earlier one fits.
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
                let outcome = this.try_once(dialects[index], this.limit);
                if outcome.as_ref().map_or(true, AttemptOutcome::lists_moves) {
                    last.fetch_min(index, Ordering::Relaxed);
                }
                outcomes.lock().expect("no thread panics")[index] = Some(outcome);
            }
        });
        let outcomes = outcomes.into_inner().expect("no thread panics");
        for (&dialect, outcome) in dialects.iter().zip(outcomes).take(last.into_inner() + 1) {
            self.tried.push((dialect, outcome.expect("each dialect up to the last one was tried")?));
        }
        Ok(())
    }

    /// Tries each dialect that took too long once more, alone and with more time.
    fn try_late(&mut self) -> Result<(), SourceError> {
        let begin = Instant::now();
        // The first dialect had more time already.
        for index in 1..self.tried.len() {
            if begin.elapsed() > TIME_FOR_MORE || self.tried[index - 1].1.lists_moves() {
                break;
            }
            if let (dialect, AttemptOutcome::Late(_)) = self.tried[index] {
                self.tried[index].1 = self.try_once(dialect, (MORE_TIME * self.limit).min(LONGEST))?;
            }
        }
        Ok(())
    }

    /// Tries to list moves by a search.
    fn try_variations(&mut self) -> Result<(), SourceError> {
        let mut all = Dialect::all();
        let Some(dialect) = all.find(|dialect| dialect.asking().answers == Answers::Variations) else {
            return Ok(());
        };
        let outcome = self.try_once(dialect, self.limit)?;
        self.tried.push((dialect, outcome));
        Ok(())
    }

    /// Returns the grade and the index of the best dialect: one that lists moves, otherwise one with right totals,
    /// otherwise one with other counts.
    fn best(&self) -> Option<(Grade, usize)> {
        let graded = self.tried.iter().enumerate().filter_map(|(index, (_, outcome))| match outcome {
            AttemptOutcome::Fits { grade, .. } => Some((*grade, index)),
            AttemptOutcome::Fails(_) | AttemptOutcome::Late(_) => None,
        });
        graded.min()
    }

    /// Whether the program lists moves in a dialect.
    fn is_found(&self) -> bool {
        matches!(self.best(), Some((Grade::Moves, _)))
    }

    fn finish(mut self) -> Probed {
        let best = self.best().map(|(_, index)| self.tried.remove(index));
        let attempts = self.tried.iter().map(|(dialect, outcome)| Attempt {
            dialect: if self.is_fixed { self.spec.dialect } else { dialect.name() },
            answer: outcome.text().to_owned(),
        });
        let attempts = attempts.collect();
        let Some((dialect, AttemptOutcome::Fits { plays_moves, name, .. })) = best else {
            return Probed { attempts, misunderstanding: self.misunderstanding, ..Probed::default() };
        };
        let spec = self.spec.clone();
        let spec =
            if self.is_fixed || dialect.name() == spec.dialect { spec } else { spec.asked_in(dialect) };
        let ignores_moves = spec.plays_moves() && !plays_moves;
        let dialect = Some(spec.dialect);
        let spec = if ignores_moves { spec.without_moves() } else { spec };
        Probed { spec: Some(spec), dialect, ignores_moves, attempts, name, misunderstanding: None }
    }

    /// Returns the spec for a dialect that is only tried, with this time limit.
    fn trial(&self, dialect: Dialect, limit: Duration) -> EngineSpec {
        let spec = self.spec.clone().asked_in(dialect);
        let options = if dialect.asking().handshake == Handshake::Uci { spec.options } else { Vec::new() };
        EngineSpec {
            options,
            answer_limit: limit.min(spec.answer_limit),
            start_limit: limit.min(spec.start_limit),
            is_trial: true,
            ..spec
        }
    }

    fn try_once(&self, dialect: Dialect, limit: Duration) -> Result<AttemptOutcome, SourceError> {
        (self.on_dialect)(dialect);
        self.outcome(&mut Engine::new(self.trial(dialect, limit)))
    }

    fn outcome(&self, engine: &mut Engine) -> Result<AttemptOutcome, SourceError> {
        let outcome = self.try_engine(engine).or_else(|error| failure(&error))?;
        match outcome {
            AttemptOutcome::Fits { grade: Grade::Moves, plays_moves, name }
                if self.lists_unchecked_moves(engine)? =>
            {
                Ok(AttemptOutcome::Fits { grade: Grade::Doubtful, plays_moves, name })
            }
            outcome => Ok(outcome),
        }
    }

    /// Whether the program lists moves without a test for check. Another command of it may be right.
    fn lists_unchecked_moves(&self, engine: &mut Engine) -> Result<bool, SourceError> {
        let pinned = Position::from_fen(PINNED).expect("the position is right");
        match engine.ask(&Question::new(&pinned, 1), self.stop) {
            Err(SourceError::Interrupted) => Err(SourceError::Interrupted),
            answer => Ok(answer.is_ok_and(|answer| answer.total() == PINNED_UNCHECKED)),
        }
    }

    /// Accepts any counts as an answer.
    fn accept(&self, engine: &mut Engine) -> Result<AttemptOutcome, SourceError> {
        let start = engine.ask(&Question::new(&Position::start(), 1), self.stop)?;
        self.fits(engine, Grade::Moves, &start)
    }

    /// Returns whether the program lists moves, or the reason why it is not understood.
    fn try_engine(&self, engine: &mut Engine) -> Result<AttemptOutcome, SourceError> {
        let question = Question::new(&Position::start(), 1);
        let start = engine.ask(&question, self.stop)?;
        let other = Position::from_fen(OTHER).expect("the position is right");
        let deeper = engine.ask(&Question::new(&other, 2), self.stop)?;
        let fails = |why: &str| Ok(AttemptOutcome::Fails(why.to_owned()));
        if !is_plausible(&start, 20) {
            return fails(&format!("{} instead of the 20 moves of the start position", start.total()));
        }
        if deeper.moves.len() == 20 || deeper.total() == 400 {
            return fails("it always counts the start position");
        }
        let has_counts = engine.abilities().max_depth.is_none();
        if start.total() != 20 || (has_counts && deeper.total() != perft(&other, 2)) {
            // A generator with bugs is wrong in the same way each time.
            let again = engine.ask(&question, self.stop)?;
            return match is_same(&again, &start) {
                true => self.fits(engine, Grade::Doubtful, &start),
                false => fails("another answer each time"),
            };
        }
        let lists_moves = !start.moves.is_empty() || !deeper.moves.is_empty();
        self.fits(engine, if lists_moves { Grade::Moves } else { Grade::Totals }, &start)
    }

    /// Returns the outcome for a program that answers, and finds out whether it plays the moves of a question.
    /// `start` is its answer for the start position.
    fn fits(&self, engine: &mut Engine, grade: Grade, start: &Answer) -> Result<AttemptOutcome, SourceError> {
        let mut plays_moves = engine.abilities().plays_moves;
        if plays_moves {
            let moves = MOVES.iter().map(|&text| text.to_owned()).collect();
            let question = Question { moves, ..Question::new(&Position::start(), 1) };
            match engine.ask(&question, self.stop) {
                Err(SourceError::Interrupted) => return Err(SourceError::Interrupted),
                answer => plays_moves = !answer.is_ok_and(|answer| is_same(&answer, start)),
            }
        }
        Ok(AttemptOutcome::Fits { grade, plays_moves, name: engine.name().map(str::to_owned) })
    }
}

fn limit_after(start: Duration) -> Duration {
    (STARTS * start).clamp(SHORTEST, LONGEST)
}

/// Returns the outcome of a dialect after a failure.
///
/// # Errors
/// The failure is not about the dialect.
fn failure(error: &SourceError) -> Result<AttemptOutcome, SourceError> {
    Ok(AttemptOutcome::Fails(match error {
        SourceError::Interrupted | SourceError::NotStarted(..) | SourceError::NoCommand => {
            return Err(error.clone());
        }
        SourceError::NoOption(name, _) => format!("no option {name}"),
        SourceError::TimedOut(..) => return Ok(AttemptOutcome::Late(error.to_string())),
        SourceError::NotUnderstood { last, .. } if last.is_empty() => "no answer".to_owned(),
        SourceError::NotUnderstood { last, .. } => last.clone(),
        SourceError::Searched(_) => "it began to search".to_owned(),
        error => error.to_string(),
    }))
}

fn is_same(answer: &Answer, other: &Answer) -> bool {
    (answer.total(), &answer.moves) == (other.total(), &other.moves)
}

/// Whether an answer can be the number of moves of a position. A generator with bugs may list some moves too many
/// or too few.
fn is_plausible(answer: &Answer, moves: usize) -> bool {
    let near = |count: u128| count * 2 > moves as u128 && count < 2 * moves as u128;
    near(answer.total()) && (answer.moves.is_empty() || near(answer.moves.len() as u128))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_grow_with_the_time_of_the_start() {
        let limits = [0, 500, 60_000].map(|start| limit_after(Duration::from_millis(start)).as_secs());
        assert_eq!(limits, [2, 4, 15]);
    }
}
