//! From a wrong count down to the positions where a program goes wrong.
//!
//! ```text
//!   start, depth 5: 4865609, not 4865611
//!     e2e4: right      d2d4: right      b1c3, depth 4: 2 too many       every branch that differs is followed,
//!                                         g8f6, depth 3: 1 too many     the smallest first
//!                                           ...  depth 1: e5d6 is no legal move        a fault
//! ```
//!
//! The descent ends where the moves of a position differ, where the program does not answer, or where it contradicts
//! itself: it counts a move wrong that it counts right when it is asked about the position after that move.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::compare::{DivideDifference, WrongCount};
use super::line::MovePath;
use crate::source::CountSource;
use crate::source::SourceError;
use perft_core::{Perft, Progress, StopSignal};

/// Where a program goes wrong, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The position, and how it was reached.
    pub path: MovePath,
    /// The depth of the question that shows it.
    pub depth: u32,
    /// What is wrong.
    pub kind: FaultKind,
}

/// How a program goes wrong in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It lacks moves, or has others.
    Moves(DivideDifference),
    /// It counts moves wrong below which it counts right when asked about them alone.
    Contradiction(DivideDifference),
    /// Its total is not the sum over its moves.
    Sum(DivideDifference),
    /// It does not answer.
    NoAnswer(SourceError),
}

impl FaultKind {
    /// The comparison that shows it; none if there was no answer.
    pub fn difference(&self) -> Option<&DivideDifference> {
        match self {
            FaultKind::Moves(found) | FaultKind::Contradiction(found) | FaultKind::Sum(found) => Some(found),
            FaultKind::NoAnswer(_) => None,
        }
    }
}

/// Asks a suspect, compares, and counts how often.
pub struct Inquiry<'a> {
    suspect: &'a mut dyn CountSource,
    oracle: Perft,
    stop: &'a StopSignal,
    /// Questions that may still be asked.
    left: u64,
    asked: u64,
}

/// Why an inquiry ends before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The stop signal was raised.
    Interrupted,
    /// So many questions were not to be asked.
    Exhausted,
}

impl<'a> Inquiry<'a> {
    /// An inquiry of at most so many questions.
    pub fn new(suspect: &'a mut dyn CountSource, questions: u64, stop: &'a StopSignal) -> Inquiry<'a> {
        Inquiry { suspect, oracle: Perft::new(), stop, left: questions, asked: 0 }
    }

    /// What the suspect calls itself, if it has said so.
    pub fn suspect_name(&self) -> Option<&str> {
        self.suspect.name()
    }

    /// The questions that were asked.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// Asks about a line, and compares the answer with the truth.
    pub fn compare(
        &mut self,
        line: &MovePath,
        depth: u32,
    ) -> Result<Result<DivideDifference, SourceError>, Halt> {
        if self.left == 0 {
            return Err(Halt::Exhausted);
        }
        (self.left, self.asked) = (self.left - 1, self.asked + 1);
        let progress = Progress::new(self.stop.clone());
        let ours = self.oracle.divide(&line.end, depth, &progress).map_err(|_| Halt::Interrupted)?;
        match self.suspect.ask(&line.question(depth), self.stop) {
            Err(SourceError::Interrupted) => Err(Halt::Interrupted),
            Err(error) => Ok(Err(error)),
            Ok(answer) => Ok(Ok(DivideDifference::of(&line.end, &ours, &answer))),
        }
    }

    /// True if the answer about a line is right.
    pub fn is_right(&mut self, line: &MovePath, depth: u32) -> Result<bool, Halt> {
        Ok(self.compare(line, depth)?.is_ok_and(|comparison| comparison.is_right()))
    }
}

/// Follows a wrong count to its faults. Each is handed to `found`, which says whether to go on.
pub fn descend(
    inquiry: &mut Inquiry,
    line: MovePath,
    depth: u32,
    mut found: impl FnMut(&mut Inquiry, Fault) -> Result<bool, Halt>,
) -> Result<(), Halt> {
    let mut waiting = BinaryHeap::from([Branch { size: 0, line, depth, parent: None }]);
    while let Some(branch) = waiting.pop() {
        let Some(fault) = examine(inquiry, &branch, &mut waiting)? else { continue };
        if !found(inquiry, fault)? {
            break;
        }
    }
    Ok(())
}

/// A position whose count is thought wrong.
struct Branch {
    /// The leaf nodes below it: the smallest is looked at first.
    size: u128,
    line: MovePath,
    depth: u32,
    /// Where it was counted wrong.
    parent: Option<Box<Fault>>,
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

/// The largest is taken from a heap first, so that the order is turned round.
impl Ord for Branch {
    fn cmp(&self, other: &Branch) -> std::cmp::Ordering {
        Reverse((self.depth, self.size)).cmp(&Reverse((other.depth, other.size)))
    }
}

/// The fault of a position itself; or none, but new branches, or none of either because all is right.
fn examine(
    inquiry: &mut Inquiry,
    branch: &Branch,
    waiting: &mut BinaryHeap<Branch>,
) -> Result<Option<Fault>, Halt> {
    let Branch { line, depth, .. } = branch;
    let fault = |kind| Some(Fault { path: line.clone(), depth: *depth, kind });
    let comparison = match inquiry.compare(line, *depth)? {
        Err(error) => return without_answer(inquiry, branch, error, waiting),
        Ok(comparison) => comparison,
    };
    if comparison.is_right() {
        return Ok(branch.parent.as_deref().cloned());
    }
    if !comparison.has_right_moves() || (*depth == 1 && !comparison.contradicts_itself) {
        return Ok(fault(FaultKind::Moves(comparison)));
    }
    if comparison.lists_moves && comparison.wrong.is_empty() {
        return Ok(fault(FaultKind::Sum(comparison)));
    }
    let here = fault(FaultKind::Contradiction(comparison.clone()));
    follow(inquiry, line, *depth, &comparison.wrong, here, waiting)
}

/// Asks about the moves that were counted wrong. Those whose own answer is wrong are branches; if there is none, the program
/// contradicts itself.
fn follow(
    inquiry: &mut Inquiry,
    line: &MovePath,
    depth: u32,
    wrong: &[WrongCount],
    contradiction: Option<Fault>,
    waiting: &mut BinaryHeap<Branch>,
) -> Result<Option<Fault>, Halt> {
    if wrong.is_empty() {
        // Only a total was given: any move may be to blame.
        let mut is_any_wrong = false;
        for played in perft_core::legal_moves(&line.end) {
            let line = line.played(played);
            if !inquiry.is_right(&line, depth - 1)? {
                waiting.push(Branch { size: 0, line, depth: depth - 1, parent: None });
                is_any_wrong = true;
            }
        }
        return Ok(contradiction.filter(|_| !is_any_wrong));
    }
    for (index, wrong) in wrong.iter().enumerate() {
        // If the first of them is right on its own, so are the others, or they are found without it.
        let parent = contradiction.clone().filter(|_| index == 0).map(Box::new);
        waiting.push(Branch { size: wrong.ours, line: line.played(wrong.played), depth: depth - 1, parent });
    }
    Ok(None)
}

/// A program that does not answer is asked less, until it answers; what it then says may tell why.
fn without_answer(
    inquiry: &mut Inquiry,
    branch: &Branch,
    error: SourceError,
    waiting: &mut BinaryHeap<Branch>,
) -> Result<Option<Fault>, Halt> {
    let Branch { line, depth, .. } = branch;
    let mut fault = Fault { path: line.clone(), depth: *depth, kind: FaultKind::NoAnswer(error) };
    for shallower in 1..*depth {
        match inquiry.compare(line, shallower)? {
            Ok(comparison) if comparison.is_right() => {}
            Ok(_) => {
                waiting.push(Branch { size: 0, line: line.clone(), depth: shallower, parent: None });
                return Ok(Some(fault));
            }
            Err(error) => {
                fault = Fault { depth: shallower, kind: FaultKind::NoAnswer(error), ..fault };
                break;
            }
        }
    }
    Ok(Some(fault))
}
