//! Hunts for bugs that no count shows: wrong FENs, wrong clocks and wrong keys.
//!
//! A program that prints its FEN or its key can be asked for them after moves, after a FEN alone, and after a count.
//! [`hunt_states`] compares the printed FENs with the right ones, and the keys with each other. It starts no process:
//! the program implements [`CountSource::state`].

pub(crate) mod fields;
mod finding;
mod source;
mod text;

pub use fields::{StateAbilities, StateCause, StateField};
pub use finding::{StateFinding, StateVerdict};

use std::collections::BTreeSet;

use perft_core::{CastlingNotation, Move, Position, StopSignal};

use crate::program::{Asked, Program, StopReason, Tally};
use crate::random::{Random, random_moves};
use crate::search::{Search, SearchOptions, SearchSummary, share_work};
use crate::source::{Clocks, CountSource, MovePath};
use crate::target::HuntTarget;
use fields::causes;
use finding::{MAX_CLOCK, find_again, find_faults, find_smallest};
use source::StateSource;

/// The length of the random game after the end of a target, in plies.
const GAME: usize = 12;

/// The result of a hunt for wrong states.
pub type StateSummary = SearchSummary<StateFinding, StateAbilities>;

/// Hunts for wrong states until there are no more targets or enough bugs are found. The depths of the targets are not
/// used.
///
/// `target`, `source` and `report` are as in [`hunt`](crate::hunt()). The source must implement
/// [`state`](CountSource::state). A source that prints neither a FEN nor a key is not asked any further.
///
/// # Examples
/// The clock of this program counts captures and pawn moves too:
///
/// ```
/// use perft_core::{Position, Setup, StopSignal};
/// use perft_diagnosis::source::{Answer, CountSource, Question, SourceError, State};
/// use perft_diagnosis::state::{StateField, hunt_states};
/// use perft_diagnosis::{SearchOptions, random_target};
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
///             let after = position.play_legal(position.find_move(text).unwrap());
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
/// let summary = hunt_states(target, source, SearchOptions::default(), &StopSignal::default(), |_| {});
/// assert!(summary.findings.iter().all(|bug| bug.field == Some(StateField::HalfMoveClock)));
/// let pawn = summary.findings.iter().find(|bug| bug.text.contains("after a pawn move")).unwrap();
/// assert_eq!(pawn.at.moves.len(), 1);
/// ```
pub fn hunt_states<'a>(
    target: impl Fn(usize) -> Option<HuntTarget> + Sync,
    source: impl Fn() -> Box<dyn CountSource + 'a> + Sync,
    options: SearchOptions,
    stop: &StopSignal,
    mut report: impl FnMut(Option<&StateFinding>) + Send,
) -> StateSummary {
    let search = Search::new(options, stop, |found| &mut found.times, &mut report);
    let target = |number| Some((number, target(number)?));
    share_work(options.threads, || {
        let mut program = Program::new(source(), stop.clone());
        let is_asked = begin(&search, &mut program);
        search.note_names(&[&program]);
        while is_asked
            && !search.has_enough()
            && let Some((number, target)) = search.next(&mut program, &target)
        {
            let ended = examine(&search, &mut program, number, target);
            search.end(&[&program], ended);
        }
    });
    search.into_summary()
}

type StateSearch<'a> = Search<'a, StateFinding, StateAbilities>;

/// Begins to ask the program of a thread. Returns whether it prints a state.
fn begin(search: &StateSearch, program: &mut Program) -> bool {
    // An engine prints its state once it runs.
    let prepared = program.prepare();
    match prepared.and_then(|()| StateAbilities::probe(&mut *program.source, search.stop)) {
        Ok(prints) if prints.is_nothing() => false,
        Ok(prints) => {
            search.summary().source = prints;
            true
        }
        Err(_) if search.stop.is_raised() => false,
        Err(error) => {
            let start = with_later_clocks(MovePath::new(Position::start()));
            add(search, &mut program.tally, StateFinding::without_answer(&start, error));
            false
        }
    }
}

/// Examines a target. Its number is the seed of its game. Returns `None` if it is of Chess960 and the program does not play
/// Chess960.
fn examine(
    search: &StateSearch,
    program: &mut Program,
    number: usize,
    target: HuntTarget,
) -> Option<Asked<()>> {
    let prints = search.summary().source;
    let mut source = StateSource::new(program, prints);
    if target.path.notation() == CastlingNotation::Chess960 {
        if !source.program.abilities().is_chess960 {
            return None;
        }
        if let Some(unread) = source.program.examine_states() {
            add(search, &mut source.program.tally, StateFinding::reads_only_files(&unread));
        }
    }
    let mut walk = Walk { search, source: &mut source };
    let outcome = walk.examine(number, with_later_clocks(target.path));
    source.program.tally.is_faulty |= !source.not_repeated.is_empty();
    for (at, error) in source.not_repeated.drain(..) {
        add(search, &mut source.program.tally, StateFinding::without_answer(&at, error).not_repeated());
    }
    Some(match outcome {
        Err(StopReason::NoState(at, error)) => {
            source.program.tally.is_faulty = true;
            add(search, &mut source.program.tally, StateFinding::without_answer(&at, error));
            Ok(())
        }
        outcome => outcome,
    })
}

fn add(search: &StateSearch, tally: &mut Tally, finding: StateFinding) {
    let same = finding.clone();
    search.add_and_report(tally, finding, |known| known.is_same_bug(&same));
}

/// Returns the path with clocks that differ from those of the start position, to find programs that ignore clocks.
/// After a double push the halfmove clock is 0.
fn with_later_clocks(path: MovePath) -> MovePath {
    let halfmove = if path.root.en_passant().is_some() { 0 } else { 3 };
    MovePath { clocks: Clocks { halfmove, number: 7 }, ..path }
}

fn repeats(source: &mut StateSource, fault: &StateFinding) -> Asked<bool> {
    source.restart();
    Ok(find_again(source, fault, &fault.at)?.is_some())
}

/// The examination of one target.
struct Walk<'w, 's, 'p, 'a> {
    search: &'w StateSearch<'s>,
    source: &'w mut StateSource<'p, 'a>,
}

impl Walk<'_, '_, '_, '_> {
    fn examine(&mut self, number: usize, target: MovePath) -> Asked<()> {
        self.check(StateVerdict::Setup, &target.at_root())?;
        let end = self.follow(target.at_root(), &target.moves)?;
        self.check(StateVerdict::Unmake, &end)?;
        self.check(StateVerdict::SameKey, &end)?;
        for played in one_of_each_kind(&end.end) {
            self.check_move(&end.without_moves().played(played))?;
        }
        let game = random_moves(&end.end, &mut Random::new(number as u64), GAME);
        self.follow(end.without_moves(), &game).map(drop)
    }

    /// Checks the position after each move. Returns the path to the end. It starts from the last position with a wrong
    /// state or with a clock that is almost too high to compare keys, or otherwise from the root.
    fn follow(&mut self, root: MovePath, moves: &[Move]) -> Asked<MovePath> {
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
    fn check_move(&mut self, at: &MovePath) -> Asked<bool> {
        self.check(StateVerdict::Setup, at)?;
        // Few positions have a legal en passant capture, so all of them are checked.
        if at.end.legal_en_passant().is_some() {
            self.check(StateVerdict::SameKey, at)?;
        }
        self.check(StateVerdict::Make, at)
    }

    /// Returns whether there are faults of a kind, and records them.
    fn check(&mut self, verdict: StateVerdict, at: &MovePath) -> Asked<bool> {
        let faults = find_faults(self.source, verdict, at)?;
        let is_faulty = !faults.is_empty();
        self.source.program.tally.is_faulty |= is_faulty;
        for fault in faults {
            self.record(fault)?;
        }
        Ok(is_faulty)
    }

    /// Counts a bug that is known. Otherwise looks for the smallest position that shows it, and reports it. Both this
    /// and the first position must show it after a new start of the source too.
    fn record(&mut self, fault: StateFinding) -> Asked<()> {
        if self.search.count_known(&mut self.source.program.tally, |known| known.covers(&fault)) {
            return Ok(());
        }
        if !repeats(self.source, &fault)? {
            add(self.search, &mut self.source.program.tally, fault.not_repeated());
            return Ok(());
        }
        // Another thread may have met the same bug.
        if self.search.count_known(&mut self.source.program.tally, |known| known.covers(&fault)) {
            return Ok(());
        }
        let small = find_smallest(self.source, fault.clone());
        let mut is_confirmed =
            |small: &&StateFinding| small.at == fault.at || repeats(self.source, small) == Ok(true);
        let told = small.as_ref().ok().filter(|small| is_confirmed(small)).unwrap_or(&fault).clone();
        let finding = StateFinding { origin: fault.at.clone(), ..told };
        let same = finding.clone();
        let is_same = |known: &StateFinding| known.is_same_bug(&same) || known.covers(&fault);
        self.search.add_and_report(&mut self.source.program.tally, finding, is_same);
        small.map(drop)
    }
}

fn one_of_each_kind(position: &Position) -> Vec<Move> {
    let mut kinds = BTreeSet::new();
    let is_new = |played: &Move| kinds.insert(causes(position, *played, StateField::Key));
    position.legal_moves().into_iter().filter(is_new).collect()
}
