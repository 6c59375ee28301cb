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

use std::collections::VecDeque;

use crate::budget::StopReason;
use crate::checked_source::CheckedSource;
use crate::difference::WrongCount;
use crate::fault::{Fault, FaultKind};
use crate::path::MovePath;
use crate::source::SourceError;

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
    let mut waiting = VecDeque::from([Branch { nodes: 0, path, depth, contradiction: None }]);
    while let Some(branch) = waiting.pop_front() {
        let fault = examine(source, &branch, &mut waiting)?;
        waiting.make_contiguous().sort_by_key(|branch| (branch.depth, branch.nodes));
        let Some(fault) = fault else { continue };
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

/// Returns the fault of a position if the position itself has one. Otherwise adds the branches below it that may have
/// one.
fn examine(
    source: &mut CheckedSource,
    branch: &Branch,
    waiting: &mut VecDeque<Branch>,
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
    waiting: &mut VecDeque<Branch>,
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
    waiting: &mut VecDeque<Branch>,
) -> Result<bool, StopReason> {
    let mut has_wrong_child = false;
    for played in path.end.legal_moves() {
        let path = path.played(played);
        if !source.is_right(&path, depth - 1)? {
            waiting.push_back(Branch { nodes: 0, path, depth: depth - 1, contradiction: None });
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
    waiting: &mut VecDeque<Branch>,
) -> Result<Option<Fault>, StopReason> {
    let Branch { path, depth, .. } = branch;
    let fault = |depth, error| Fault { path: path.clone(), depth, kind: FaultKind::NoAnswer(error) };
    for shallower in 1..*depth {
        match source.compare(path, shallower)? {
            Ok(difference) if difference.is_right() => {}
            Ok(_) => {
                waiting.push_back(Branch {
                    nodes: 0,
                    path: path.clone(),
                    depth: shallower,
                    contradiction: None,
                });
                break;
            }
            Err(error) => return Ok(Some(fault(shallower, error))),
        }
    }
    Ok(Some(fault(*depth, error)))
}
