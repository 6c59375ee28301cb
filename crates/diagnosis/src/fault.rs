//! The positions in which a source goes wrong.

use std::mem::discriminant;

use crate::checked_source::Compared;
use crate::difference::DivideDifference;
use crate::path::MovePath;
use crate::source::SourceError;

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
