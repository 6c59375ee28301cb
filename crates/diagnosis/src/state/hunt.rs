//! Hunts for every distinct bug of states, on many positions and several threads.
//!
//! For each target, the moves that lead to it are followed one by one. From its end, one move of each kind is tried,
//! and then a short random game. After a wrong state, the walk goes on from the FEN of the position, so that one bug is
//! not met again after every later move. It also starts anew before the half-move clock is so high that keys are not
//! compared.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use perft_core::{Move, Position, StopSignal, legal_moves};

use super::cause::causes;
use super::checks::{MAX_CLOCK, StateFault, faults};
use super::finding::{StateFinding, again, smallest};
use super::source::{Failure, StateSource};
use super::{StateAbilities, StateField, StateVerdict};
use crate::descend::StopReason;
use crate::hunt::{HuntOptions, HuntTarget};
use crate::path::{Clocks, MovePath};
use crate::random::{Random, choose};
use crate::source::CountSource;
use crate::threads::share_work;

/// The length of the random game after the end of a target, in plies.
const GAME: usize = 12;

/// What a hunt for wrong states reports while it runs.
#[derive(Clone, Copy, Debug)]
pub enum StateEvent<'a> {
    /// A bug was found and shrunk. The number is its place in [`StateSummary::findings`].
    Found(usize, &'a StateFinding),
    /// A target is done, or was left out.
    TargetDone,
}

/// The result of a hunt for wrong states.
#[derive(Clone, Debug, Default)]
pub struct StateSummary {
    /// The bugs, in the order in which they were found.
    pub findings: Vec<StateFinding>,
    /// The number of targets that were asked about.
    pub positions: usize,
    /// The number of targets with a wrong or missing state.
    pub faulty: usize,
    /// The number of questions.
    pub questions: u64,
    /// The number of targets that were left early because of [`HuntOptions::questions`].
    pub cut_short: usize,
    /// The number of Chess960 targets that were left out, because the source does not play Chess960.
    pub left_out_chess960: usize,
    /// What the source prints about its position.
    pub prints: StateAbilities,
    /// The name that the source gives itself.
    pub source_name: Option<String>,
    /// Whether the stop signal is raised.
    pub is_interrupted: bool,
}

/// Hunts for wrong states until there are no more targets or enough bugs are found. The depths of the targets are not used.
///
/// `target` and `source` are as in [`hunt`](crate::hunt()); the source must implement
/// [`state`](CountSource::state). Nothing is asked of a source that prints neither a FEN nor a key.
///
/// # Examples
/// The clock of this program counts captures and pawn moves too:
///
/// ```
/// use perft_core::{Position, Setup, StopSignal, find_move};
/// use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
/// use perft_diagnosis::state::{State, StateField, hunt_states};
/// use perft_diagnosis::{HuntOptions, random_target};
///
/// struct EndlessClock;
///
/// impl CountSource for EndlessClock {
///     fn ask(&mut self, _: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
///         unreachable!("no counts are asked for")
///     }
///
///     fn state(&mut self, question: &Question, _: &StopSignal) -> Result<State, SourceError> {
///         let mut setup = Setup::from_fen(&question.fen).unwrap();
///         for text in &question.moves {
///             let position = Position::try_from(&setup).unwrap();
///             let after = position.play_unchecked(find_move(&position, text).unwrap());
///             setup = Setup { halfmove_clock: setup.halfmove_clock + 1, ..Setup::from(&after) };
///         }
///         let fen = setup.to_fen();
///         // This program has no move number.
///         let fen = fen.rsplit_once(' ').unwrap().0.to_owned();
///         Ok(State { fen: Some(fen), key: None })
///     }
/// }
///
/// let target = |number| (number < 20).then(|| random_target(1, number as u64, 1));
/// let source = || -> Box<dyn CountSource> { Box::new(EndlessClock) };
/// let summary = hunt_states(target, source, HuntOptions::default(), &StopSignal::default(), |_| {});
/// assert!(summary.findings.iter().all(|bug| bug.field == Some(StateField::HalfmoveClock)));
/// let pawn = summary.findings.iter().find(|bug| bug.text.contains("after a pawn move")).unwrap();
/// assert_eq!(pawn.at.moves.len(), 1);
/// ```
pub fn hunt_states<'a>(
    target: impl Fn(usize) -> Option<HuntTarget> + Sync,
    source: impl Fn() -> Box<dyn CountSource + 'a> + Sync,
    options: HuntOptions,
    stop: &StopSignal,
    report: impl Fn(StateEvent) + Sync,
) -> StateSummary {
    let next = AtomicUsize::new(0);
    let summary = Mutex::new(StateSummary::default());
    let examining = Mutex::new(());
    let hunter = Hunter { options, stop, summary: &summary, examining: &examining, report: &report };
    share_work(options.threads, || {
        let mut source = source();
        let Some(prints) = hunter.prepare(source.as_mut()) else { return };
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(target) = target(number).filter(|_| hunter.goes_on()) else { break };
            hunter.hunt_one(number, target, source.as_mut(), prints);
            (hunter.report)(StateEvent::TargetDone);
        }
    });
    let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.is_interrupted = stop.is_raised();
    summary
}

/// A thread of a hunt.
struct Hunter<'a> {
    options: HuntOptions,
    stop: &'a StopSignal,
    summary: &'a Mutex<StateSummary>,
    /// Held by the thread that examines a new bug.
    examining: &'a Mutex<()>,
    report: &'a (dyn Fn(StateEvent) + Sync),
}

/// Returns the path with clocks that differ from those of the start position, so that a program that ignores them shows
/// it. After a double push the halfmove clock is 0.
fn with_later_clocks(path: MovePath) -> MovePath {
    let halfmove = if path.root.en_passant().is_some() { 0 } else { 3 };
    MovePath { clocks: Clocks { halfmove, number: 7 }, ..path }
}

impl Hunter<'_> {
    /// Returns what a source prints, or `None` if it prints nothing.
    fn prepare(&self, source: &mut dyn CountSource) -> Option<StateAbilities> {
        let found = source.prepare(self.stop).and_then(|()| StateAbilities::of(source, self.stop));
        let mut summary = self.lock();
        summary.source_name = source.name().map(str::to_owned).or(summary.source_name.take());
        match found {
            Ok(prints) => {
                summary.prints = prints;
                (!prints.is_nothing()).then_some(prints)
            }
            Err(_) if self.stop.is_raised() => None,
            Err(error) => {
                drop(summary);
                let start = with_later_clocks(MovePath::new(Position::start()));
                self.add(StateFinding::without_answer(&start, error));
                None
            }
        }
    }

    fn goes_on(&self) -> bool {
        !self.stop.is_raised() && self.lock().findings.len() < self.options.findings
    }

    fn hunt_one(
        &self,
        number: usize,
        target: HuntTarget,
        source: &mut dyn CountSource,
        prints: StateAbilities,
    ) {
        let Some(target) = target.without_unknown_chess960(&source.abilities()) else {
            self.lock().left_out_chess960 += 1;
            return;
        };
        let mut source = StateSource::new(source, prints, self.options.questions, self.stop);
        let mut walk = Walk { hunter: self, source: &mut source, is_faulty: false };
        let outcome = walk.examine(number, with_later_clocks(target.path));
        let is_faulty = walk.is_faulty || !source.not_repeated.is_empty();
        for (at, error) in source.not_repeated.drain(..) {
            self.add(StateFinding::without_answer(&at, error).not_repeated());
        }
        if let Err(Failure::NoAnswer(at, error)) = &outcome {
            self.add(StateFinding::without_answer(at, error.clone()));
        }
        let is_interrupted = outcome == Err(Failure::Stopped(StopReason::Interrupted));
        let mut summary = self.lock();
        summary.questions += source.asked();
        summary.positions += usize::from(is_faulty || !is_interrupted);
        summary.faulty += usize::from(is_faulty || matches!(outcome, Err(Failure::NoAnswer(..))));
        summary.cut_short += usize::from(outcome == Err(Failure::Stopped(StopReason::OutOfQuestions)));
    }

    /// Counts a bug that is known. Otherwise looks for the smallest position that shows it, and reports it. Both this and the
    /// first position must show it after a new start of the source too.
    fn record(&self, source: &mut StateSource, fault: StateFault) -> Result<(), Failure> {
        if self.counts_as_known(&fault) {
            return Ok(());
        }
        // One thread examines a new bug at a time. Another one may have met the same bug.
        let _turn = self.examining.lock().unwrap_or_else(PoisonError::into_inner);
        if self.counts_as_known(&fault) {
            return Ok(());
        }
        if !repeats(source, &fault)? {
            self.add(StateFinding::of(&fault, &fault.at).not_repeated());
            return Ok(());
        }
        let small = smallest(source, fault.clone(), self.options.allow_impossible);
        let told =
            small.as_ref().ok().filter(|small| small.at == fault.at || repeats(source, small) == Ok(true));
        self.add(StateFinding::of(told.unwrap_or(&fault), &fault.at));
        small.map(drop)
    }

    /// Whether a fault is a bug that is known. Then it is counted.
    fn counts_as_known(&self, fault: &StateFault) -> bool {
        let mut summary = self.lock();
        let known = summary.findings.iter_mut().find(|known| known.covers(fault));
        known.map(|known| known.times += 1).is_some()
    }

    /// Adds a finding and reports it, unless it is known.
    fn add(&self, finding: StateFinding) {
        let index = {
            let findings = &mut self.lock().findings;
            if let Some(known) = findings.iter_mut().find(|known| known.is_same_bug(&finding)) {
                known.times += 1;
                return;
            }
            findings.push(finding.clone());
            findings.len() - 1
        };
        (self.report)(StateEvent::Found(index, &finding));
    }

    fn lock(&self) -> MutexGuard<'_, StateSummary> {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a fault shows after a new start of the source too.
fn repeats(source: &mut StateSource, fault: &StateFault) -> Result<bool, Failure> {
    source.restart();
    Ok(again(source, fault, &fault.at)?.is_some())
}

/// The examination of one target.
struct Walk<'a, 'b> {
    hunter: &'a Hunter<'a>,
    source: &'a mut StateSource<'b>,
    is_faulty: bool,
}

impl Walk<'_, '_> {
    fn examine(&mut self, number: usize, target: MovePath) -> Result<(), Failure> {
        self.check(StateVerdict::Setup, &target.at_root())?;
        let end = self.follow(target.at_root(), &target.moves)?;
        self.check(StateVerdict::Unmake, &end)?;
        self.check(StateVerdict::SameKey, &end)?;
        for played in one_of_each_kind(&end.end) {
            self.check_move(&end.without_moves().played(played))?;
        }
        let game = random_game(number as u64, &end.end);
        self.follow(end.without_moves(), &game).map(drop)
    }

    /// Checks the position after each move. Returns the path to the end from the last position with a wrong state or with a
    /// clock that is almost too high to compare keys, or from the root.
    fn follow(&mut self, root: MovePath, moves: &[Move]) -> Result<MovePath, Failure> {
        let mut at = root;
        for &played in moves {
            at = at.played(played);
            if self.check_move(&at)? || at.without_moves().clocks.halfmove + 1 == MAX_CLOCK {
                at = with_later_clocks(at.without_moves());
            }
        }
        Ok(at)
    }

    /// Checks the position after the last move of a path. Returns whether the move leaves its state wrong.
    fn check_move(&mut self, at: &MovePath) -> Result<bool, Failure> {
        self.check(StateVerdict::Setup, at)?;
        // Few positions have a legal capture en passant. None is left out.
        if at.end.legal_en_passant().is_some() {
            self.check(StateVerdict::SameKey, at)?;
        }
        self.check(StateVerdict::Make, at)
    }

    /// Returns whether there are faults of a kind, and records them.
    fn check(&mut self, verdict: StateVerdict, at: &MovePath) -> Result<bool, Failure> {
        let found = faults(self.source, verdict, at)?;
        let is_faulty = !found.is_empty();
        self.is_faulty |= is_faulty;
        for fault in found {
            self.hunter.record(self.source, fault)?;
        }
        Ok(is_faulty)
    }
}

/// Returns one legal move for each combination of kinds.
fn one_of_each_kind(position: &Position) -> Vec<Move> {
    let mut kinds = Vec::new();
    let is_new = |played: &Move| {
        let own = causes(position, *played, StateField::Key);
        let is_new = !kinds.contains(&own);
        if is_new {
            kinds.push(own);
        }
        is_new
    };
    legal_moves(position).into_iter().filter(is_new).collect()
}

fn random_game(number: u64, root: &Position) -> Vec<Move> {
    let mut random = Random::new(number);
    let (mut position, mut moves) = (*root, Vec::new());
    while moves.len() < GAME
        && let Some(played) = choose(&legal_moves(&position), random.number())
    {
        moves.push(played);
        position = position.play_unchecked(played);
    }
    moves
}
