//! Finds out how a program can be asked for a perft.
//!
//! The program is started, and every dialect that fits it is tried on two positions with known moves, at depth 1. One
//! position is the start position. The other one shows whether the program looks at the FEN at all. The first dialect in
//! which the program lists moves wins. If there is none, one in which it states totals does.
//!
//! Then it is asked about a position with castling, en passant and promotions, to find out what it can tell.

use std::time::Duration;

use perft_core::{Position, StopSignal, find_move, perft};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};

use super::asking::{Answers, Handshake, Launch};
use super::{CUSTOM, Dialect, Engine, EngineSpec};

/// The time limit of a question. Depth 1 needs no time at all, but a program may have to be started for it.
pub(super) const ANSWER_LIMIT: Duration = Duration::from_secs(2);

/// The number of processes that are tried at the same time.
const AT_ONCE: usize = 14;

/// The time limit for starting. A program that is idle is given up after a tenth of it.
pub(super) const START_LIMIT: Duration = Duration::from_millis(2500);

/// The number of lines that are shown because they were not understood.
const SHOWN_LINES: usize = 5;

/// The second position.
const OTHER: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/// A position with castling on both sides, en passant and promotions.
const RICH: &str = "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2";

/// Moves from the start position, with castling. A program that ignores them answers with the counts of the start position.
const MOVES: &[&str] = &["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"];

/// Positions for what a program can tell: the position, moves to play first, and the depth.
const EXAM: &[(&str, &[&str], u32)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[], 1),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[], 3),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", MOVES, 2),
    (RICH, &[], 1),
    (RICH, &[], 2),
    ("8/1P3k2/8/3pP3/8/8/1p3K2/8 w - d6 0 1", &[], 1),
    ("8/1P3k2/8/3pP3/8/8/1p3K2/8 w - d6 0 1", &[], 3),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[], 2),
];

/// A dialect that was tried, and what came back.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The name of the dialect.
    pub dialect: &'static str,
    /// What came back, in one line.
    pub outcome: String,
}

/// A step of probing that is about to begin.
#[derive(Clone, Copy, Debug)]
pub enum ProbeStep<'a> {
    /// These dialects are tried, all at the same time.
    Dialects(&'a [Dialect]),
    /// Questions show what the program can tell.
    Examination,
}

/// How a program can be asked.
#[derive(Clone, Debug)]
pub struct Probed {
    /// The dialect that was found; `None` if there is none.
    pub spec: Option<EngineSpec>,
    /// What was tried.
    pub attempts: Vec<Attempt>,
    /// The name that the program gives itself.
    pub name: Option<String>,
    /// What the program can tell.
    pub skills: Skills,
    /// The first lines of its answers that were not understood.
    pub unread: Vec<String>,
}

/// What a program can tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skills {
    /// Whether it lists moves at depth 1.
    pub lists_moves_at_depth_1: bool,
    /// Whether it lists moves at greater depths.
    pub lists_moves: bool,
    /// Whether it states a total.
    pub states_total: bool,
    /// Whether it plays moves from a position.
    pub plays_moves: bool,
    /// Whether it announces Chess960.
    pub is_chess960: bool,
    /// Whether one process answers all questions.
    pub keeps_running: bool,
    /// The number of right answers in the examination.
    pub right: usize,
    /// The number of questions in the examination.
    pub asked: usize,
}

/// Tries all ways to ask a program, or only the one that was given (`is_fixed`). `on_step` receives each step before it
/// begins.
///
/// # Errors
/// The program cannot be started, or the stop signal was raised.
pub fn probe(
    spec: &EngineSpec,
    is_fixed: bool,
    stop: &StopSignal,
    on_step: &(dyn Fn(ProbeStep) + Sync),
) -> Result<Probed, SourceError> {
    let mut probing = Probing {
        spec,
        is_fixed,
        stop,
        on_step,
        attempts: Vec::new(),
        totals_only: None,
        doubtful: None,
        name: None,
    };
    let found = probing.run()?;
    let Probing { attempts, name, .. } = probing;
    let Some(dialect) = found else {
        return Ok(Probed { spec: None, attempts, name, skills: Skills::default(), unread: Vec::new() });
    };
    let found = dialect.map_or_else(|| spec.clone(), |dialect| spec.clone().asked_in(dialect));
    on_step(ProbeStep::Examination);
    let found = with_known_moves(found, stop)?;
    let (skills, unread, said) = examine(&found, stop)?;
    Ok(Probed { spec: Some(found), attempts, name: said.or(name), skills, unread })
}

/// Returns the first failure of a program that does not understand how it is asked now: it does not open the conversation,
/// does not answer with counts, or begins to search. Other failures are left for the questions that matter.
///
/// # Errors
/// The program cannot be started, or the stop signal was raised.
pub fn misunderstanding(spec: &EngineSpec, stop: &StopSignal) -> Result<Option<SourceError>, SourceError> {
    let answer_limit = spec.answer_limit.min(ANSWER_LIMIT);
    let mut engine = Engine::new(EngineSpec { answer_limit, ..spec.clone() });
    let fatal = |error: &SourceError| {
        matches!(
            error,
            SourceError::Interrupted
                | SourceError::NotStarted(..)
                | SourceError::NoCommand
                | SourceError::NoOption(..)
                | SourceError::NoOptionValue(..)
        )
    };
    match engine.prepare(stop) {
        Err(error) if fatal(&error) => return Err(error),
        Err(error) => return Ok(Some(error)),
        Ok(()) => {}
    }
    match engine.ask(&Question::new(&Position::start(), 1), stop) {
        Err(error) if fatal(&error) => Err(error),
        Err(error @ (SourceError::NotUnderstood { .. } | SourceError::Searched(_))) => Ok(Some(error)),
        _ => Ok(None),
    }
}

/// Returns the spec of a program as it is, or without moves if the program ignores the moves of a question.
///
/// # Errors
/// The program cannot be started, or the stop signal was raised.
pub fn with_known_moves(spec: EngineSpec, stop: &StopSignal) -> Result<EngineSpec, SourceError> {
    if !spec.plays_moves() {
        return Ok(spec);
    }
    let answer_limit = spec.answer_limit.min(6 * ANSWER_LIMIT);
    let mut engine = Engine::new(EngineSpec { answer_limit, ..spec.clone() });
    let start = Question::new(&Position::start(), 1);
    let moves = MOVES.iter().map(|&text| text.to_owned()).collect();
    let answers = [&start, &Question { moves, ..start.clone() }].map(|question| engine.ask(question, stop));
    match &answers {
        [Err(SourceError::Interrupted), _] | [_, Err(SourceError::Interrupted)] => {
            Err(SourceError::Interrupted)
        }
        [Ok(before), Ok(after)] if (before.total(), &before.moves) == (after.total(), &after.moves) => {
            Ok(spec.without_moves())
        }
        _ => Ok(spec),
    }
}

struct Probing<'a> {
    spec: &'a EngineSpec,
    is_fixed: bool,
    stop: &'a StopSignal,
    on_step: &'a (dyn Fn(ProbeStep) + Sync),
    attempts: Vec<Attempt>,
    /// The first dialect in which the program states totals.
    totals_only: Option<Dialect>,
    /// The first dialect in which the program answers with counts that are not right.
    doubtful: Option<Dialect>,
    name: Option<String>,
}

/// What a program answers in a dialect.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grade {
    /// Right counts below the moves.
    Moves,
    /// Right totals.
    Totals,
    /// Counts that can be wrong answers to the questions.
    Doubtful,
}

impl Probing<'_> {
    /// Returns the dialect, or `Some(None)` if the given way works.
    fn run(&mut self) -> Result<Option<Option<Dialect>>, SourceError> {
        if self.is_fixed || self.spec.dialect == CUSTOM {
            let outcome = self.try_once(self.spec.clone())?;
            let is_found = outcome.is_ok();
            if is_found {
                return Ok(Some(None));
            }
            self.attempts
                .push(Attempt { dialect: self.spec.dialect, outcome: outcome.err().unwrap_or_default() });
            return Ok(None);
        }
        let found = match self.try_session()? {
            Some(found) => Some(found),
            None => self.try_processes()?.or(self.totals_only),
        };
        match found {
            Some(dialect) => Ok(Some(Some(dialect))),
            None => Ok(self.try_variations()?.or(self.doubtful).map(Some)),
        }
    }

    /// Tries the dialects for UCI engines in one conversation, which is opened again after each failure.
    fn try_session(&mut self) -> Result<Option<Dialect>, SourceError> {
        let is_tried = |dialect: &Dialect| {
            let asking = dialect.asking();
            asking.handshake == Handshake::Uci && asking.answers != Answers::Variations
        };
        let mut running: Option<Engine> = None;
        for dialect in Dialect::all().filter(is_tried) {
            (self.on_step)(ProbeStep::Dialects(&[dialect]));
            let spec = self.quick(dialect);
            let mut engine = match running.take() {
                Some(running) => running.asked_like(spec),
                None => Engine::new(spec),
            };
            if let Err(error) = engine.prepare(self.stop) {
                self.note(dialect, failure(error)?);
                // A program that does not open the conversation will not do so for the next dialect.
                if self.name.is_none() {
                    return Ok(None);
                }
                continue;
            }
            self.name = engine.name().map(str::to_owned).or(self.name.take());
            let outcome = self.try_engine(&mut engine)?;
            if self.lists_moves(dialect, outcome) {
                return Ok(Some(dialect));
            }
            running = Some(engine);
        }
        Ok(None)
    }

    /// Tries the other dialects, all at the same time.
    fn try_processes(&mut self) -> Result<Option<Dialect>, SourceError> {
        let dialects: Vec<Dialect> =
            Dialect::all().filter(|dialect| dialect.asking().handshake != Handshake::Uci).collect();
        let this = &*self;
        let try_some = |dialects: &[Dialect]| -> Vec<_> {
            (this.on_step)(ProbeStep::Dialects(dialects));
            std::thread::scope(|scope| {
                let start = |&dialect: &Dialect| scope.spawn(move || this.try_once(this.quick(dialect)));
                let running: Vec<_> = dialects.iter().map(start).collect();
                running.into_iter().map(|thread| thread.join().expect("probing does not panic")).collect()
            })
        };
        let outcomes: Vec<_> = dialects.chunks(AT_ONCE).flat_map(try_some).collect();
        for (&dialect, outcome) in dialects.iter().zip(outcomes) {
            if self.lists_moves(dialect, outcome?) {
                return Ok(Some(dialect));
            }
        }
        Ok(None)
    }

    /// Notes what became of a dialect. Returns whether the program lists moves in it.
    fn lists_moves(&mut self, dialect: Dialect, outcome: Outcome) -> bool {
        match outcome {
            Ok(Grade::Moves) => return true,
            Ok(Grade::Totals) => {
                self.note(dialect, "totals, but no moves".to_owned());
                self.totals_only = self.totals_only.or(Some(dialect));
            }
            Ok(Grade::Doubtful) => {
                self.note(dialect, "other counts".to_owned());
                self.doubtful = self.doubtful.or(Some(dialect));
            }
            Err(outcome) => self.note(dialect, outcome),
        }
        false
    }

    /// Tries to list moves by a search.
    fn try_variations(&mut self) -> Result<Option<Dialect>, SourceError> {
        let found = Dialect::all().find(|dialect| dialect.asking().answers == Answers::Variations);
        let Some(dialect) = found else { return Ok(None) };
        (self.on_step)(ProbeStep::Dialects(&[dialect]));
        let outcome = self.try_once(self.quick(dialect))?;
        Ok(self.lists_moves(dialect, outcome).then_some(dialect))
    }

    fn quick(&self, dialect: Dialect) -> EngineSpec {
        let spec = self.spec.clone().asked_in(dialect);
        let options = if dialect.asking().handshake == Handshake::Uci { spec.options } else { Vec::new() };
        EngineSpec {
            options,
            answer_limit: ANSWER_LIMIT.min(spec.answer_limit),
            start_limit: START_LIMIT.min(spec.start_limit),
            ..spec
        }
    }

    fn try_once(&self, spec: EngineSpec) -> Result<Outcome, SourceError> {
        self.try_engine(&mut Engine::new(spec))
    }

    /// Returns whether the program lists moves, or why it is not understood.
    fn try_engine(&self, engine: &mut Engine) -> Result<Outcome, SourceError> {
        let start = engine.ask(&Question::new(&Position::start(), 1), self.stop);
        let start = match start {
            Ok(answer) => answer,
            Err(error) => return Ok(Err(failure(error)?)),
        };
        let other = Position::from_fen(OTHER).expect("the position is right");
        let deeper = match engine.ask(&Question::new(&other, 2), self.stop) {
            Ok(answer) => answer,
            Err(error) => return Ok(Err(failure(error)?)),
        };
        if !is_plausible(&start, 20) {
            return Ok(Err(format!("{} instead of the 20 moves of the start position", start.total())));
        }
        if deeper.moves.len() == 20 || deeper.total() == 400 {
            return Ok(Err("it always counts the start position".to_owned()));
        }
        let has_counts = engine.abilities().max_depth.is_none();
        let is_right = start.total() == 20 && (!has_counts || deeper.total() == perft(&other, 2));
        if !is_right {
            // A generator with bugs is wrong in the same way each time.
            match engine.ask(&Question::new(&Position::start(), 1), self.stop) {
                Ok(again) if (again.total(), &again.moves) == (start.total(), &start.moves) => {}
                Ok(_) => return Ok(Err("another answer each time".to_owned())),
                Err(error) => return Ok(Err(failure(error)?)),
            }
        }
        Ok(Ok(match start.moves.is_empty() && deeper.moves.is_empty() {
            _ if !is_right => Grade::Doubtful,
            true => Grade::Totals,
            false => Grade::Moves,
        }))
    }

    fn note(&mut self, dialect: Dialect, outcome: String) {
        self.attempts.push(Attempt { dialect: dialect.name(), outcome });
    }
}

/// What a program answers in a dialect, or why it is not understood.
type Outcome = Result<Grade, String>;

/// Returns what a failure means, in one line.
///
/// # Errors
/// The failure is not about the dialect.
fn failure(error: SourceError) -> Result<String, SourceError> {
    match error {
        SourceError::Interrupted | SourceError::NotStarted(..) | SourceError::NoCommand => Err(error),
        SourceError::NotUnderstood { last, .. } if last.is_empty() => Ok("no answer".to_owned()),
        SourceError::NotUnderstood { last, .. } => Ok(last),
        SourceError::Searched(_) => Ok("it began to search".to_owned()),
        SourceError::NoOption(name, _) => Ok(format!("no option {name}")),
        error => Ok(error.to_string()),
    }
}

/// Whether an answer can be the number of moves of a position. A generator with bugs may have some too many or too few.
fn is_plausible(answer: &Answer, moves: usize) -> bool {
    let near = |count: u128| count * 2 > moves as u128 && count < 2 * moves as u128;
    near(answer.total()) && (answer.moves.is_empty() || near(answer.moves.len() as u128))
}

/// Asks about several positions. Returns what the program can tell, the first lines that were not understood, and the name that it
/// gives itself.
fn examine(
    spec: &EngineSpec,
    stop: &StopSignal,
) -> Result<(Skills, Vec<String>, Option<String>), SourceError> {
    let mut engine = Engine::new(EngineSpec { answer_limit: 6 * ANSWER_LIMIT, ..spec.clone() });
    let (mut skills, mut unread) = (Skills::default(), Vec::new());
    let max_depth = engine.abilities().max_depth.unwrap_or(u32::MAX);
    for (fen, moves, depth) in EXAM.iter().filter(|(.., depth)| *depth <= max_depth) {
        let root = Position::from_fen(fen).expect("the position is right");
        let moves = moves.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let end = moves.iter().fold(root, |position, text| {
            position.play_unchecked(find_move(&position, text).expect("the move is legal"))
        });
        skills.asked += 1;
        match engine.ask(&Question { moves, ..Question::new(&root, *depth) }, stop) {
            Err(SourceError::Interrupted) => return Err(SourceError::Interrupted),
            Err(_) => {}
            Ok(answer) => {
                skills.plays_moves |= end != root && answer.total() != perft(&root, *depth);
                skills.right += usize::from(answer.total() == perft(&end, *depth));
                skills.states_total |= answer.stated_total.is_some();
                let lists_moves = !answer.moves.is_empty();
                skills.lists_moves_at_depth_1 |= lists_moves && *depth == 1;
                skills.lists_moves |= lists_moves && *depth > 1;
                unread.extend(answer.unread);
            }
        }
    }
    let abilities = engine.abilities();
    skills.plays_moves &= abilities.plays_moves;
    skills.is_chess960 = abilities.is_chess960;
    skills.keeps_running = !spec.is_run_for_each_question() && spec.asking.launch == Launch::Once;
    unread.truncate(SHOWN_LINES);
    Ok((skills, unread, engine.name().map(str::to_owned)))
}
