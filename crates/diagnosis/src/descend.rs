//! Follows a wrong count down to the positions where a source goes wrong.
//!
//! ```text
//!   start, depth 5: 4865609 expected, 4865611 found
//!     e2e4: right    d2d4: right    b1c3, depth 4: 2 too many       every wrong branch is followed,
//!                                     g8f6, depth 3: 1 too many     the smallest one first
//!                                       ...  depth 1: e5d6 is not legal: a fault
//! ```
//!
//! The descent ends in a position whose moves are wrong, in a position about which the source does not answer, or at a
//! contradiction. In a contradiction, the source counts a move wrong, but gives the right count when it is asked about
//! the position after that move.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::mem::discriminant;

use perft_core::{StopSignal, divide_until, legal_moves};

use crate::difference::{DivideDifference, WrongCount};
use crate::path::MovePath;
use crate::source::{Abilities, CountSource, SourceError};

/// A position in which a source goes wrong, and the kind of the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The position, with the moves that lead to it.
    pub path: MovePath,
    /// The depth of the question that shows the fault, in plies.
    pub depth: u32,
    /// The kind of the fault.
    pub kind: FaultKind,
}

/// The way in which a source goes wrong in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Moves are missing, or moves are listed that are not legal.
    Moves(DivideDifference),
    /// Moves are counted wrong, but the answers about the positions after these moves are right.
    Contradiction(DivideDifference),
    /// The total is not the sum over the moves.
    Sum(DivideDifference),
    /// The count is wrong. The hunt ended before it found the reason.
    Count(DivideDifference),
    /// Lines of the answer were not understood, and the lines that were read do not fit.
    Unread(DivideDifference),
    /// There is no answer.
    NoAnswer(SourceError),
}

impl FaultKind {
    /// Returns the difference that shows the fault, or `None` if there was no answer.
    pub fn difference(&self) -> Option<&DivideDifference> {
        match self {
            FaultKind::Moves(found)
            | FaultKind::Contradiction(found)
            | FaultKind::Sum(found)
            | FaultKind::Count(found)
            | FaultKind::Unread(found) => Some(found),
            FaultKind::NoAnswer(_) => None,
        }
    }

    /// Whether there is an answer that does not list the moves.
    pub(crate) fn lists_no_moves(&self) -> bool {
        self.difference().is_some_and(|difference| !difference.knows_moves())
    }

    /// Returns the kind of a wrong or missing answer that was not examined further.
    pub(crate) fn of(answer: Compared) -> FaultKind {
        match answer {
            Err(error) => FaultKind::NoAnswer(error),
            Ok(found) if !found.unread.is_empty() => FaultKind::Unread(found),
            Ok(found) if !found.has_right_moves() => FaultKind::Moves(found),
            Ok(found) => FaultKind::Count(found),
        }
    }

    /// Whether another answer to the same question is wrong or missing in the same way.
    pub(crate) fn shows_in(&self, answer: &Compared) -> bool {
        match (self, answer) {
            (FaultKind::NoAnswer(known), Err(error)) => discriminant(known) == discriminant(error),
            (kind, Ok(found)) => kind.difference().is_some_and(|known| known.is_same_as(found)),
            (_, Err(_)) => false,
        }
    }
}

/// The difference between an answer and the correct divide, or the reason why there is no answer.
pub type Compared = Result<DivideDifference, SourceError>;

/// A source whose answers are compared with correct counts.
pub struct CheckedSource<'a> {
    source: &'a mut dyn CountSource,
    abilities: Abilities,
    stop: &'a StopSignal,
    max_questions: u64,
    asked: u64,
    leaves_out_moves: bool,
}

/// The reason why checking a source ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The stop signal was raised.
    Interrupted,
    /// The maximum number of questions was asked.
    OutOfQuestions,
}

impl<'a> CheckedSource<'a> {
    /// Returns a source that is asked at most `max_questions` questions.
    pub fn new(
        source: &'a mut dyn CountSource,
        max_questions: u64,
        stop: &'a StopSignal,
    ) -> CheckedSource<'a> {
        let abilities = source.abilities();
        let (asked, leaves_out_moves) = (0, false);
        CheckedSource { source, abilities, stop, max_questions, asked, leaves_out_moves }
    }

    /// Returns the same source with a separate limit. Its questions are not added to those asked here.
    pub(crate) fn with_questions(&mut self, max_questions: u64) -> CheckedSource<'_> {
        CheckedSource::new(self.source, max_questions, self.stop)
    }

    /// Whether the source plays the moves of a question. Otherwise it gets the position after them.
    pub fn plays_moves(&self) -> bool {
        self.abilities.plays_moves
    }

    /// Whether the source can be asked at a depth.
    pub fn can_ask(&self, depth: u32) -> bool {
        self.abilities.can_ask(depth, false, false)
    }

    /// Returns the name that the source gives itself, once it is known.
    pub fn source_name(&self) -> Option<&str> {
        self.source.name()
    }

    /// Returns the number of questions asked so far.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// Whether a right answer did not list all moves.
    pub fn leaves_out_moves(&self) -> bool {
        self.leaves_out_moves
    }

    /// Asks about the end of a path and compares the answer with the correct divide.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub fn compare(&mut self, path: &MovePath, depth: u32) -> Result<Compared, StopReason> {
        if self.asked >= self.max_questions {
            return Err(StopReason::OutOfQuestions);
        }
        self.compare_without_limit(path, depth)
    }

    /// Does the same as [`compare`](CheckedSource::compare), after a new start of the source, and even if no more
    /// questions may be asked.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    pub fn compare_afresh(&mut self, path: &MovePath, depth: u32) -> Result<Compared, StopReason> {
        self.source.restart();
        self.compare_without_limit(path, depth)
    }

    /// Compares the answer. If a right answer does not list all moves, it only counts as right if the moves are right
    /// at depth 1.
    fn compare_without_limit(&mut self, path: &MovePath, depth: u32) -> Result<Compared, StopReason> {
        let mut answer = self.ask(path, depth)?;
        if let Ok(difference) = &mut answer
            && difference.is_right()
            && !difference.unlisted.is_empty()
        {
            self.leaves_out_moves = true;
            if depth > 1
                && let Ok(moves) = self.ask(path, 1)?
            {
                difference.missing = moves.missing;
                difference.unlisted.retain(|played| !difference.missing.contains(played));
            }
        }
        Ok(answer)
    }

    fn ask(&mut self, path: &MovePath, depth: u32) -> Result<Compared, StopReason> {
        self.asked += 1;
        let ours = divide_until(&path.end, depth, self.stop).map_err(|_| StopReason::Interrupted)?;
        let question = match self.plays_moves() {
            true => path.question(depth),
            false => path.without_moves().question(depth),
        };
        match self.source.ask(&question, self.stop) {
            Err(SourceError::Interrupted) => Err(StopReason::Interrupted),
            Err(error) => Ok(Err(error)),
            Ok(answer) => Ok(Ok(DivideDifference::of(&path.end, &ours, &answer))),
        }
    }

    /// Whether the source gives the correct answer about the end of a path.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`compare`](CheckedSource::compare).
    pub fn is_right(&mut self, path: &MovePath, depth: u32) -> Result<bool, StopReason> {
        Ok(self.compare(path, depth)?.is_ok_and(|difference| difference.is_right()))
    }
}

/// Follows a wrong count to all its faults and passes each one to `found`, which returns whether to continue.
///
/// # Errors
/// Returns an error if no more questions may be asked, if the stop signal is raised, or if `found` fails.
pub fn descend(
    source: &mut CheckedSource,
    path: MovePath,
    depth: u32,
    mut found: impl FnMut(&mut CheckedSource, Fault) -> Result<bool, StopReason>,
) -> Result<(), StopReason> {
    let mut waiting = BinaryHeap::from([Branch { nodes: 0, path, depth, contradiction: None }]);
    while let Some(branch) = waiting.pop() {
        let Some(fault) = examine(source, &branch, &mut waiting)? else { continue };
        if !found(source, fault)? {
            break;
        }
    }
    Ok(())
}

/// A position whose count is probably wrong.
struct Branch {
    /// The number of leaf nodes below the position. At the same depth, branches with few nodes are examined first.
    nodes: u128,
    path: MovePath,
    depth: u32,
    /// The fault of the parent position. It is reported if the count of this position turns out to be right.
    contradiction: Option<Box<Fault>>,
}

impl PartialEq for Branch {
    fn eq(&self, other: &Branch) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Branch {}

impl PartialOrd for Branch {
    fn partial_cmp(&self, other: &Branch) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The order is reversed, because a heap returns the largest item first.
impl Ord for Branch {
    fn cmp(&self, other: &Branch) -> std::cmp::Ordering {
        Reverse((self.depth, self.nodes)).cmp(&Reverse((other.depth, other.nodes)))
    }
}

/// Returns the fault of a position if the position itself has one. Otherwise adds the branches below it that may have
/// one.
fn examine(
    source: &mut CheckedSource,
    branch: &Branch,
    waiting: &mut BinaryHeap<Branch>,
) -> Result<Option<Fault>, StopReason> {
    let Branch { path, depth, .. } = branch;
    let fault = |kind| Some(Fault { path: path.clone(), depth: *depth, kind });
    let difference = match source.compare(path, *depth)? {
        Err(error) => return examine_without_answer(source, branch, error, waiting),
        Ok(difference) => difference,
    };
    if difference.is_right() {
        return Ok(branch.contradiction.as_deref().cloned());
    }
    if !difference.unread.is_empty() {
        return Ok(fault(FaultKind::Unread(difference)));
    }
    if !difference.has_right_moves() || (*depth == 1 && !difference.contradicts_itself) {
        return Ok(fault(FaultKind::Moves(difference)));
    }
    if difference.lists_moves && difference.wrong.is_empty() {
        return Ok(fault(FaultKind::Sum(difference)));
    }
    // At depth 1, there are no questions about the positions below a move.
    if *depth == 1 {
        return Ok(fault(FaultKind::Contradiction(difference)));
    }
    if difference.wrong.is_empty() {
        let has_wrong_child = add_wrong_children(source, path, *depth, waiting)?;
        return Ok(fault(FaultKind::Contradiction(difference)).filter(|_| !has_wrong_child));
    }
    let wrong = difference.wrong.clone();
    add_miscounted_moves(path, &wrong, fault(FaultKind::Contradiction(difference)), *depth, waiting);
    Ok(None)
}

/// Adds a branch for each move with a wrong count.
fn add_miscounted_moves(
    path: &MovePath,
    wrong: &[WrongCount],
    contradiction: Option<Fault>,
    depth: u32,
    waiting: &mut BinaryHeap<Branch>,
) {
    // The first move reports the contradiction. If the answer about this move is wrong, its own fault is reported
    // instead.
    let mut contradiction = contradiction.map(Box::new);
    waiting.extend(wrong.iter().map(|wrong| Branch {
        nodes: wrong.ours,
        path: path.played(wrong.played),
        depth: depth - 1,
        contradiction: contradiction.take(),
    }));
}

/// Asks about every move of a position for which only a total is known. Returns whether any of the answers is wrong.
fn add_wrong_children(
    source: &mut CheckedSource,
    path: &MovePath,
    depth: u32,
    waiting: &mut BinaryHeap<Branch>,
) -> Result<bool, StopReason> {
    let mut has_wrong_child = false;
    for played in legal_moves(&path.end) {
        let path = path.played(played);
        if !source.is_right(&path, depth - 1)? {
            waiting.push(Branch { nodes: 0, path, depth: depth - 1, contradiction: None });
            has_wrong_child = true;
        }
    }
    Ok(has_wrong_child)
}

/// Returns the smallest depth at which the source does not answer. If it gives a wrong answer at a smaller depth, that
/// answer may show the cause, so it is followed too.
fn examine_without_answer(
    source: &mut CheckedSource,
    branch: &Branch,
    error: SourceError,
    waiting: &mut BinaryHeap<Branch>,
) -> Result<Option<Fault>, StopReason> {
    let Branch { path, depth, .. } = branch;
    let fault = |depth, error| Fault { path: path.clone(), depth, kind: FaultKind::NoAnswer(error) };
    for shallower in 1..*depth {
        match source.compare(path, shallower)? {
            Ok(difference) if difference.is_right() => {}
            Ok(_) => {
                waiting.push(Branch { nodes: 0, path: path.clone(), depth: shallower, contradiction: None });
                break;
            }
            Err(error) => return Ok(Some(fault(shallower, error))),
        }
    }
    Ok(Some(fault(*depth, error)))
}
