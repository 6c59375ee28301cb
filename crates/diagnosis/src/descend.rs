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

use perft_core::{Move, Setup};

use crate::difference::{Told, Verdict};
use crate::program::{Asked, Program};
use crate::source::{MovePath, SourceError};

/// Is called with each fault, and returns whether to continue.
type Found<'a> = &'a mut dyn FnMut(&mut Program, Told) -> Asked<bool>;

/// Follows a wrong count to all its faults and passes each one to `found`. Returns whether to continue.
///
/// # Errors
/// Returns an error if no more questions may be asked, if the stop signal is raised, or if `found` fails.
pub fn descend(source: &mut Program, path: &MovePath, depth: u32, found: Found) -> Asked<bool> {
    follow(source, path, depth, None, found)
}

/// `contradiction` is the fault of the parent position. It is reported if the count of this position turns out to be
/// right. Otherwise the fault of this position is.
fn follow(
    source: &mut Program,
    path: &MovePath,
    depth: u32,
    contradiction: Option<&Told>,
    found: Found,
) -> Asked<bool> {
    let fault = source.compare(path, depth)?;
    if fault.is_right() {
        return contradiction.map_or(Ok(true), |fault| found(source, fault.clone()));
    }
    match fault.first_verdict() {
        Verdict::NoAnswer | Verdict::Refused => return follow_missing(source, fault, found),
        // At depth 1, there are no questions about the positions below a move.
        Verdict::Contradiction if depth > 1 => {}
        _ => return found(source, fault),
    }
    let wrong = &fault.difference.wrong;
    let mut below: Vec<(u128, Move)> = wrong.iter().map(|wrong| (wrong.ours, wrong.played)).collect();
    let first = below.first().map(|(_, played)| *played);
    if below.is_empty() {
        // Only a total is known. So the number of moves is asked for, and then the count below each of them.
        let number = source.compare(path, 1)?;
        if number.difference.is_wrong() {
            return found(source, number);
        }
        for played in path.end.legal_moves() {
            if !source.is_right(&path.played(played), depth - 1)? {
                below.push((0, played));
            }
        }
    }
    if below.is_empty() {
        return found(source, fault);
    }
    // Those with few leaf nodes come first.
    below.sort_by_key(|(nodes, _)| *nodes);
    for (_, played) in below {
        let contradiction = Some(&fault).filter(|_| first == Some(played));
        if !follow(source, &path.played(played), depth - 1, contradiction, found)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reports the missing answer at the smallest depth that shows it. A wrong answer at a smaller depth may show the cause,
/// so it is followed too.
fn follow_missing(source: &mut Program, fault: Told, found: Found) -> Asked<bool> {
    for depth in 1..fault.depth {
        let told = source.compare(&fault.path, depth)?;
        if told.difference.error.is_some() {
            return found(source, told);
        }
        if !told.is_right() {
            return Ok(found(source, fault)? && follow(source, &told.path, depth, None, found)?);
        }
    }
    found(source, fault)
}

/// Returns the fault at the smallest depth that shows it. The answer there must say as much about the moves.
pub(super) fn find_smallest_depth(source: &mut Program, fault: Told) -> Asked<Told> {
    for depth in 1..fault.depth {
        let told = source.compare(&fault.path, depth)?;
        let difference = &told.difference;
        if difference.is_wrong() && (difference.knows_moves() || !fault.difference.knows_moves()) {
            return Ok(told);
        }
    }
    Ok(fault)
}

/// Returns the fault on the shortest path to the same end that shows it, and the verdict.
pub(super) fn find_shortest_path(source: &mut Program, mut fault: Told) -> Asked<(Told, Verdict)> {
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

/// Whether the answer is also wrong if the FEN of the end names the square that the last move has passed. A position
/// leaves this square out if no pawn attacks it, but a program may keep it.
fn is_wrong_with_en_passant(source: &mut Program, fault: &Told) -> Asked<bool> {
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
pub(super) fn judge_at_depth_2(source: &mut Program, fault: &Told) -> Asked<Verdict> {
    let path = &fault.path;
    if fault.depth != 1 || !source.abilities().can_ask(2) {
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
pub(super) fn find_listed_moves(source: &mut Program, fault: Told) -> Asked<Told> {
    if fault.difference.knows_moves() || !source.abilities().can_ask(2) {
        return Ok(fault);
    }
    let told = source.compare(&fault.path, 2)?;
    let shows_it = told.difference.is_wrong() && !told.difference.has_right_moves();
    Ok(if shows_it { told } else { fault })
}

/// Returns the missing answer without the moves of the path, if the source does not answer there either. A question
/// that timed out is not asked again.
pub(super) fn retry_without_moves(source: &mut Program, fault: Told) -> Asked<Told> {
    let is_slow = matches!(fault.difference.error, Some(SourceError::TimedOut(..)));
    if fault.path.moves.is_empty() || is_slow {
        return Ok(fault);
    }
    let told = source.compare(&fault.path.without_moves(), fault.depth)?;
    Ok(if told.difference.error.is_some() { told } else { fault })
}

/// Returns the contradiction without the moves of the path if possible, and then at the smallest depth.
pub(super) fn find_smallest_contradiction(source: &mut Program, fault: Told) -> Asked<Told> {
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
/// answer has only a total: whether this total is wrong, and the number of moves and their counts are right.
pub(super) fn is_contradiction(source: &mut Program, told: &Told) -> Asked<bool> {
    let Told { path, depth, difference, .. } = told;
    if !difference.is_wrong() || !difference.has_right_moves() {
        return Ok(false);
    }
    if let Some(wrong) = difference.wrong.first() {
        return source.is_right(&path.played(wrong.played), depth - 1);
    }
    if difference.lists_moves || !source.is_right(path, 1)? {
        return Ok(false);
    }
    for played in path.end.legal_moves() {
        if !source.is_right(&path.played(played), depth - 1)? {
            return Ok(false);
        }
    }
    Ok(true)
}
