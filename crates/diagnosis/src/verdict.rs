//! Decides what kind of bug a fault is, and what wrong assumption about the position would explain it.
//!
//! The same position is asked about in other ways. If the answer is wrong as well when the position is given as a FEN
//! instead of by moves, the source generates moves wrongly. If it is right then, playing a move leaves something wrong
//! behind. The game is started later and later to find the shortest sequence of moves that shows this. A source that
//! counts a move wrong, but is right about the position after it, has not restored the position when it took back an
//! earlier move.

use perft_core::{Move, Position, find_move, legal_moves, perft};

use crate::descend::{CheckedSource, Fault, FaultKind, StopReason};
use crate::difference::DivideDifference;
use crate::explain::{Explanation, Theme, explain};
use crate::hypotheses::{Hypothesis, hypotheses, hypotheses_after_taking_back};
use crate::path::MovePath;
use crate::shrink::shrink;
use crate::source::SourceError;

/// The kind of a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The moves of a position are wrong, no matter how it was reached.
    Generation,
    /// The moves of a position are wrong only after certain moves: making a move leaves the position wrong.
    Make,
    /// The moves of every position are right when asked about directly, but a count above them is wrong. Taking back a
    /// move leaves the position wrong, or a transposition table returns wrong counts.
    Unmake,
    /// The total is not the sum over the moves.
    Sum,
    /// There is no answer.
    NoAnswer,
}

impl Verdict {
    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Generation => "generation",
            Verdict::Make => "make",
            Verdict::Unmake => "unmake",
            Verdict::Sum => "sum",
            Verdict::NoAnswer => "no-answer",
        }
    }

    /// Returns what the verdict means: a sentence without a full stop.
    pub const fn about(self) -> &'static str {
        match self {
            Verdict::Generation => {
                "the moves are also wrong when the position is given as a FEN: a bug in move generation"
            }
            Verdict::Make => {
                "the moves are right when the position is given as a FEN: making a move leaves something wrong behind"
            }
            Verdict::Unmake => {
                "the program is right when it is asked about the positions below: taking back a move leaves something \
                 wrong behind, or a transposition table returns wrong counts"
            }
            Verdict::Sum => "the total is not the sum over the moves",
            Verdict::NoAnswer => "the program gave no answer",
        }
    }
}

/// A move that is missing, or that is listed but not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongMove {
    /// The move, as the source writes it or in UCI notation.
    pub text: String,
    /// Whether the move is legal and missing. Otherwise the source lists it and it is not legal, or listed twice.
    pub is_missing: bool,
    /// Why the move is legal or not.
    pub why: Explanation,
}

/// A bug of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The smallest position and the shortest path that were found to show the bug.
    pub fault: Fault,
    /// The kind of the bug.
    pub verdict: Verdict,
    /// The moves that are missing or not legal.
    pub wrong_moves: Vec<WrongMove>,
    /// A statement about the position that is false but would make the answer right: a sentence without a full stop.
    pub hypothesis: Option<String>,
    /// The path on which the bug was first met.
    pub origin: MovePath,
    /// How often the bug was met.
    pub times: u64,
}

impl Finding {
    /// Asks about a fault in other ways and returns what kind of bug it is.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn of(source: &mut CheckedSource, fault: Fault) -> Result<Finding, StopReason> {
        let origin = fault.path.clone();
        let (fault, verdict) = match fault.kind {
            FaultKind::Moves(_) => {
                let fault = at_least_depth(source, fault)?;
                with_shortest_path(source, fault)?
            }
            FaultKind::Contradiction(_) => (smallest_contradiction(source, fault)?, Verdict::Unmake),
            FaultKind::Sum(_) => (fault, Verdict::Sum),
            FaultKind::NoAnswer(_) => (failure_without_moves(source, fault)?, Verdict::NoAnswer),
        };
        let mut finding =
            Finding { fault, verdict, wrong_moves: Vec::new(), hypothesis: None, origin, times: 1 };
        finding.explain();
        Ok(finding)
    }

    /// Returns the difference that shows the bug, or `None` if there was no answer.
    pub fn difference(&self) -> Option<&DivideDifference> {
        self.fault.kind.difference()
    }

    /// Returns why there was no answer, or `None` if there was one.
    pub fn error(&self) -> Option<&SourceError> {
        match &self.fault.kind {
            FaultKind::NoAnswer(error) => Some(error),
            _ => None,
        }
    }

    /// Returns the last move before the counts become wrong, if the verdict is [`Verdict::Unmake`]. Taking it back is
    /// probably what goes wrong.
    pub fn taken_back(&self) -> Option<Move> {
        let is_unmake = self.verdict == Verdict::Unmake;
        self.difference().filter(|_| is_unmake).and_then(|difference| difference.last_right)
    }

    /// Returns the distinct themes of the wrong moves, each with whether its move is missing.
    pub fn themes(&self) -> Vec<(Theme, bool)> {
        let mut themes: Vec<(Theme, bool)> = self.wrong_moves.iter().map(WrongMove::key).collect();
        themes.sort_unstable();
        themes.dedup();
        themes
    }

    /// Fills in the wrong moves and the hypothesis.
    fn explain(&mut self) {
        let Fault { path, depth, kind } = &self.fault;
        self.hypothesis = match kind {
            FaultKind::Moves(difference) => {
                self.wrong_moves = wrong_moves(&path.end, difference);
                hypotheses(path).into_iter().find(|idea| explains_moves(idea, difference, &path.end))
            }
            FaultKind::Contradiction(difference) => {
                let last = difference.last_right.into_iter();
                let taken_back = last.flat_map(|played| hypotheses_after_taking_back(path, played));
                let mut all = hypotheses(&path.without_moves()).into_iter().chain(taken_back);
                all.find(|idea| explains_counts(idea, difference, *depth))
            }
            FaultKind::Sum(_) | FaultKind::NoAnswer(_) => None,
        }
        .map(|hypothesis| hypothesis.text);
    }

    /// Removes everything from the root position that is not needed to show the bug. If a theme is given, the bug must
    /// still have this theme.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn shrink(
        &mut self,
        source: &mut CheckedSource,
        theme: Option<(Theme, bool)>,
    ) -> Result<(), StopReason> {
        let mut outcome = Ok(());
        let root = self.fault.path.root;
        let mut smallest = None;
        shrink(&root, |root| match self.with_other_root(source, root, theme) {
            Ok(Some(fault)) => {
                smallest = Some(fault);
                true
            }
            Ok(None) => false,
            Err(reason) => {
                outcome = Err(reason);
                false
            }
        });
        if let Some(fault) = smallest {
            self.fault = fault;
            self.explain();
        }
        outcome
    }

    /// Returns the fault after the same moves from another root, or `None` if the bug does not show there.
    fn with_other_root(
        &self,
        source: &mut CheckedSource,
        root: &Position,
        theme: Option<(Theme, bool)>,
    ) -> Result<Option<Fault>, StopReason> {
        let Some(path) = self.fault.path.replayed_from(root) else { return Ok(None) };
        let depth = self.fault.depth;
        let answer = source.compare(&path, depth)?;
        let kind = match (&self.fault.kind, answer) {
            (FaultKind::NoAnswer(known), Err(error)) => {
                let is_same = std::mem::discriminant(known) == std::mem::discriminant(&error);
                is_same.then_some(FaultKind::NoAnswer(error))
            }
            (FaultKind::NoAnswer(_), Ok(_)) | (_, Err(_)) => None,
            (FaultKind::Sum(_), Ok(found)) => found.contradicts_itself.then_some(FaultKind::Sum(found)),
            (FaultKind::Contradiction(_), Ok(found)) => {
                is_contradiction(source, &path, depth, &found)?.then_some(FaultKind::Contradiction(found))
            }
            (FaultKind::Moves(_), Ok(found)) => {
                let is_same = self.has_same_wrong_moves(source, &path, &found, theme)?;
                is_same.then_some(FaultKind::Moves(found))
            }
        };
        Ok(kind.map(|kind| Fault { path, depth, kind }))
    }

    fn has_same_wrong_moves(
        &self,
        source: &mut CheckedSource,
        path: &MovePath,
        found: &DivideDifference,
        theme: Option<(Theme, bool)>,
    ) -> Result<bool, StopReason> {
        let is_same = match theme {
            None => !found.is_right(),
            Some(theme) => wrong_moves(&path.end, found).iter().any(|wrong| wrong.key() == theme),
        };
        Ok(is_same
            && (self.verdict != Verdict::Make || source.is_right(&path.without_moves(), self.fault.depth)?))
    }
}

impl WrongMove {
    fn of(position: &Position, text: String, is_missing: bool) -> WrongMove {
        let mut why = explain(position, &text);
        if why.is_legal && !is_missing {
            why.text = format!("{text} is listed twice");
        }
        WrongMove { text, is_missing, why }
    }

    fn key(&self) -> (Theme, bool) {
        (self.why.theme, self.is_missing)
    }
}

/// Returns the moves that are missing or not legal, with the reasons.
fn wrong_moves(position: &Position, difference: &DivideDifference) -> Vec<WrongMove> {
    let notation = position.castling_notation();
    let missing = difference.missing.iter().map(|played| (played.to_uci(notation), true));
    let extra = difference.extra.iter().map(|text| (text.clone(), false));
    missing.chain(extra).map(|(text, is_missing)| WrongMove::of(position, text, is_missing)).collect()
}

/// Returns the fault at depth 1 if it shows there, and unchanged otherwise.
fn at_least_depth(source: &mut CheckedSource, fault: Fault) -> Result<Fault, StopReason> {
    if fault.depth > 1
        && let Ok(difference) = source.compare(&fault.path, 1)?
        && !difference.is_right()
    {
        return Ok(Fault { depth: 1, kind: FaultKind::Moves(difference), ..fault });
    }
    Ok(fault)
}

/// Returns the fault on the shortest path to the same end that shows it, best of all without moves.
fn with_shortest_path(source: &mut CheckedSource, fault: Fault) -> Result<(Fault, Verdict), StopReason> {
    let verdict = |path: &MovePath| if path.moves.is_empty() { Verdict::Generation } else { Verdict::Make };
    for skipped in (1..=fault.path.moves.len()).rev() {
        let path = fault.path.without_first(skipped);
        if let Ok(difference) = source.compare(&path, fault.depth)?
            && !difference.is_right()
        {
            let verdict = verdict(&path);
            return Ok((Fault { path, kind: FaultKind::Moves(difference), ..fault }, verdict));
        }
    }
    let verdict = verdict(&fault.path);
    Ok((fault, verdict))
}

/// Returns the missing answer without the moves of the path, if it is missing there too. Time limits are not tried
/// again.
fn failure_without_moves(source: &mut CheckedSource, fault: Fault) -> Result<Fault, StopReason> {
    let is_slow = matches!(fault.kind, FaultKind::NoAnswer(SourceError::TimedOut(..)));
    if fault.path.moves.is_empty() || is_slow {
        return Ok(fault);
    }
    let path = fault.path.without_moves();
    Ok(match source.compare(&path, fault.depth)? {
        Err(error) => Fault { path, kind: FaultKind::NoAnswer(error), ..fault },
        Ok(_) => fault,
    })
}

/// Returns the contradiction at the smallest depth, and without the moves of the path if it shows there.
fn smallest_contradiction(source: &mut CheckedSource, fault: Fault) -> Result<Fault, StopReason> {
    for path in [fault.path.without_moves(), fault.path.clone()] {
        for depth in 2..=fault.depth {
            if let Ok(difference) = source.compare(&path, depth)?
                && is_contradiction(source, &path, depth, &difference)?
            {
                return Ok(Fault { path, depth, kind: FaultKind::Contradiction(difference) });
            }
        }
    }
    Ok(fault)
}

/// Whether the first move with a wrong count has the right count when the source is asked about it directly.
fn is_contradiction(
    source: &mut CheckedSource,
    path: &MovePath,
    depth: u32,
    difference: &DivideDifference,
) -> Result<bool, StopReason> {
    match difference.wrong.first() {
        Some(wrong) if difference.has_right_moves() => source.is_right(&path.played(wrong.played), depth - 1),
        _ => Ok(false),
    }
}

/// Whether the moves of the answer are those of a hypothetical position.
fn explains_moves(hypothesis: &Hypothesis, difference: &DivideDifference, actual: &Position) -> bool {
    let moves = legal_moves(&hypothesis.position);
    let count = legal_moves(actual).len() + difference.extra.len() - difference.missing.len();
    moves.len() == count
        && difference.missing.iter().all(|missing| !moves.contains(missing))
        && difference.extra.iter().all(|extra| find_move(&hypothesis.position, extra).is_ok())
}

/// Whether all wrong counts of the answer are those of a hypothetical position.
fn explains_counts(hypothesis: &Hypothesis, difference: &DivideDifference, depth: u32) -> bool {
    let moves = legal_moves(&hypothesis.position);
    difference.wrong.iter().all(|wrong| {
        moves.contains(&wrong.played)
            && perft(&hypothesis.position.play_unchecked(wrong.played), depth - 1) == wrong.theirs
    })
}
