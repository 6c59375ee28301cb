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

use perft_core::Setup;

use crate::checked_source::{CheckedSource, StopReason};
use crate::difference::{Told, Verdict, WrongCount};
use crate::source::{MovePath, SourceError};

/// Follows a wrong count to all its faults and passes each one to `found`, which returns whether to continue.
///
/// # Errors
/// Returns an error if no more questions may be asked, if the stop signal is raised, or if `found` fails.
pub fn descend(
    source: &mut CheckedSource,
    path: MovePath,
    depth: u32,
    mut found: impl FnMut(&mut CheckedSource, Told) -> Result<bool, StopReason>,
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
    contradiction: Option<Box<Told>>,
}

/// Returns the fault of a position if the position itself has one. Otherwise adds the branches below it that may have
/// one.
fn examine(
    source: &mut CheckedSource,
    branch: &Branch,
    waiting: &mut VecDeque<Branch>,
) -> Result<Option<Told>, StopReason> {
    let Branch { path, depth, .. } = branch;
    let fault = source.compare(path, *depth)?;
    if fault.is_right() {
        return Ok(branch.contradiction.as_deref().cloned());
    }
    match fault.first_verdict() {
        Verdict::NoAnswer => return examine_without_answer(source, fault, waiting).map(Some),
        // At depth 1, there are no questions about the positions below a move.
        Verdict::Contradiction if *depth > 1 => {}
        _ => return Ok(Some(fault)),
    }
    if fault.difference.wrong.is_empty() {
        let has_wrong_child = add_wrong_children(source, path, *depth, waiting)?;
        return Ok(Some(fault).filter(|_| !has_wrong_child));
    }
    add_miscounted_moves(fault, waiting);
    Ok(None)
}

/// Adds a branch for each move with a wrong count.
fn add_miscounted_moves(fault: Told, waiting: &mut VecDeque<Branch>) {
    let (wrong, path, depth) = (fault.difference.wrong.clone(), fault.path.clone(), fault.depth - 1);
    // The first move reports the contradiction. If the answer about this move is wrong, its own fault is reported
    // instead.
    let mut contradiction = Some(Box::new(fault));
    let branch = |WrongCount { played, ours, .. }| Branch {
        nodes: ours,
        path: path.played(played),
        depth,
        contradiction: contradiction.take(),
    };
    waiting.extend(wrong.into_iter().map(branch));
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
    fault: Told,
    waiting: &mut VecDeque<Branch>,
) -> Result<Told, StopReason> {
    for depth in 1..fault.depth {
        let told = source.compare(&fault.path, depth)?;
        if told.difference.error.is_some() {
            return Ok(told);
        }
        if !told.is_right() {
            waiting.push_back(Branch { nodes: 0, path: told.path, depth, contradiction: None });
            break;
        }
    }
    Ok(fault)
}

/// Returns the fault at the smallest depth that shows it. The answer there must say as much about the moves.
pub(super) fn at_smallest_depth(source: &mut CheckedSource, fault: Told) -> Result<Told, StopReason> {
    for depth in 1..fault.depth {
        let told = source.compare(&fault.path, depth)?;
        let difference = &told.difference;
        if difference.is_wrong() && (difference.knows_moves() || !fault.difference.knows_moves()) {
            return Ok(told);
        }
    }
    Ok(fault)
}

/// Returns the fault on the shortest path to the same end that shows it, if possible without moves.
pub(super) fn with_shortest_path(
    source: &mut CheckedSource,
    mut fault: Told,
) -> Result<(Told, Verdict), StopReason> {
    for skipped in (1..=fault.path.moves.len()).rev() {
        let told = source.compare(&fault.path.without_first(skipped), fault.depth)?;
        if told.difference.is_wrong() {
            fault = told;
            break;
        }
    }
    if fault.path.moves.is_empty() || is_wrong_with_en_passant(source, &fault)? {
        return Ok((fault, Verdict::Generation));
    }
    Ok((fault, Verdict::Make))
}

/// Whether the answer is also wrong if the FEN of the end names the square that the last move has passed. Positions
/// leave it out if no pawn stands beside it, but a program may keep it.
fn is_wrong_with_en_passant(source: &mut CheckedSource, fault: &Told) -> Result<bool, StopReason> {
    let setup = fault.path.end_setup();
    let Some(passed) = fault.path.passed_square().filter(|_| setup.en_passant.is_none()) else {
        return Ok(false);
    };
    let fen = Setup { en_passant: Some(passed), ..setup }.to_fen();
    source.is_wrong_about(fen, &fault.path, fault.depth)
}

/// Returns whether a source that lists no moves generates the moves of a position wrongly, or counts those of the last
/// ply wrongly. At depth 2, the counts of the legal moves add up to its total only if it has made these moves and no
/// others. A move without replies would not show in the sum.
pub(super) fn root_at_depth_2(source: &mut CheckedSource, fault: &Told) -> Result<Verdict, StopReason> {
    let path = &fault.path;
    if fault.depth != 1 || !source.abilities.can_ask(2) {
        return Ok(Verdict::GenerationOrLastPly);
    }
    let whole = source.compare(path, 2)?.difference;
    let (mut sum, mut has_replies, mut is_answered) = (0, true, whole.error.is_none());
    for played in path.end.legal_moves() {
        if !is_answered {
            break;
        }
        let below = source.compare(&path.played(played), 1)?.difference;
        is_answered = below.error.is_none();
        sum += below.theirs;
        has_replies &= below.theirs > 0;
    }
    Ok(match (sum == whole.theirs, has_replies) {
        _ if !is_answered => Verdict::GenerationOrLastPly,
        (false, _) => Verdict::Generation,
        (true, true) => Verdict::LastPly,
        (true, false) => Verdict::GenerationOrLastPly,
    })
}

/// Returns the fault at depth 2 if the source lists moves there but not at depth 1, and the moves show the fault.
pub(super) fn with_listed_moves(source: &mut CheckedSource, fault: Told) -> Result<Told, StopReason> {
    if fault.difference.knows_moves() || !source.abilities.can_ask(2) {
        return Ok(fault);
    }
    let told = source.compare(&fault.path, 2)?;
    let shows_it = told.difference.is_wrong() && !told.difference.has_right_moves();
    Ok(if shows_it { told } else { fault })
}

/// Returns the missing answer without the moves of the path, if it is missing there too. After a time limit, the
/// question is not asked again.
pub(super) fn failure_without_moves(source: &mut CheckedSource, fault: Told) -> Result<Told, StopReason> {
    let is_slow = matches!(fault.difference.error, Some(SourceError::TimedOut(..)));
    if fault.path.moves.is_empty() || is_slow {
        return Ok(fault);
    }
    let told = source.compare(&fault.path.without_moves(), fault.depth)?;
    Ok(if told.difference.error.is_some() { told } else { fault })
}

/// Returns the contradiction at the smallest depth. The moves of the path are left out if it shows without them.
pub(super) fn smallest_contradiction(source: &mut CheckedSource, fault: Told) -> Result<Told, StopReason> {
    for path in [fault.path.without_moves(), fault.path.clone()] {
        for depth in 2..=fault.depth {
            let told = source.compare(&path, depth)?;
            if is_contradiction(source, &told)? {
                return Ok(told);
            }
        }
    }
    Ok(fault)
}

/// Whether the first move with a wrong count has the right count when the source is asked about it directly. If the
/// answer has only a total: whether this total is wrong and all moves have the right counts.
pub(super) fn is_contradiction(source: &mut CheckedSource, told: &Told) -> Result<bool, StopReason> {
    let Told { path, depth, difference, .. } = told;
    if !difference.is_wrong() || !difference.has_right_moves() {
        return Ok(false);
    }
    if let Some(wrong) = difference.wrong.first() {
        return source.is_right(&path.played(wrong.played), depth - 1);
    }
    if difference.lists_moves {
        return Ok(false);
    }
    for played in path.end.legal_moves() {
        if !source.is_right(&path.played(played), depth - 1)? {
            return Ok(false);
        }
    }
    Ok(true)
}
