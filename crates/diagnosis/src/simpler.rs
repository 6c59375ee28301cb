//! Asks about a fault in other ways: at a smaller depth, on a shorter path, or without moves.

use perft_core::Setup;

use crate::budget::StopReason;
use crate::checked_source::CheckedSource;
use crate::difference::DivideDifference;
use crate::fault::{Fault, FaultKind};
use crate::path::MovePath;
use crate::source::SourceError;
use crate::verdict::Verdict;

/// Returns the fault at the smallest depth that shows it. The answer there must say as much about the moves.
pub(super) fn at_smallest_depth(source: &mut CheckedSource, fault: Fault) -> Result<Fault, StopReason> {
    for depth in 1..fault.depth {
        if let Ok(difference) = source.compare(&fault.path, depth)?
            && difference.is_wrong()
            && (difference.knows_moves() || fault.kind.lists_no_moves())
        {
            return Ok(Fault { depth, kind: FaultKind::Moves(difference), ..fault });
        }
    }
    Ok(fault)
}

/// Returns the fault on the shortest path to the same end that shows it, if possible without moves.
pub(super) fn with_shortest_path(
    source: &mut CheckedSource,
    mut fault: Fault,
) -> Result<(Fault, Verdict), StopReason> {
    for skipped in (1..=fault.path.moves.len()).rev() {
        let path = fault.path.without_first(skipped);
        if let Ok(difference) = source.compare(&path, fault.depth)?
            && difference.is_wrong()
        {
            fault = Fault { path, kind: FaultKind::Moves(difference), ..fault };
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
fn is_wrong_with_en_passant(source: &mut CheckedSource, fault: &Fault) -> Result<bool, StopReason> {
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
pub(super) fn root_at_depth_2(source: &mut CheckedSource, fault: &Fault) -> Result<Verdict, StopReason> {
    let path = &fault.path;
    if fault.depth != 1 || !source.can_ask(2) {
        return Ok(Verdict::GenerationOrLastPly);
    }
    let Ok(whole) = source.compare(path, 2)? else { return Ok(Verdict::GenerationOrLastPly) };
    let mut sum = 0;
    let mut has_replies = true;
    for played in path.end.legal_moves() {
        let Ok(below) = source.compare(&path.played(played), 1)? else {
            return Ok(Verdict::GenerationOrLastPly);
        };
        sum += below.theirs;
        has_replies &= below.theirs > 0;
    }
    Ok(match (sum == whole.theirs, has_replies) {
        (false, _) => Verdict::Generation,
        (true, true) => Verdict::LastPly,
        (true, false) => Verdict::GenerationOrLastPly,
    })
}

/// Returns the fault at depth 2 if the source lists moves there but not at depth 1, and the moves show the fault.
pub(super) fn with_listed_moves(source: &mut CheckedSource, fault: Fault) -> Result<Fault, StopReason> {
    if fault.kind.lists_no_moves()
        && source.can_ask(2)
        && let Ok(difference) = source.compare(&fault.path, 2)?
        && difference.is_wrong()
        && !difference.has_right_moves()
    {
        return Ok(Fault { depth: 2, kind: FaultKind::Moves(difference), ..fault });
    }
    Ok(fault)
}

/// Returns the missing answer without the moves of the path, if it is missing there too. After a time limit, the
/// question is not asked again.
pub(super) fn failure_without_moves(source: &mut CheckedSource, fault: Fault) -> Result<Fault, StopReason> {
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

/// Returns the contradiction at the smallest depth. The moves of the path are left out if it shows without them.
pub(super) fn smallest_contradiction(source: &mut CheckedSource, fault: Fault) -> Result<Fault, StopReason> {
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

/// Whether the first move with a wrong count has the right count when the source is asked about it directly. If the
/// answer has only a total: whether this total is wrong and all moves have the right counts.
pub(super) fn is_contradiction(
    source: &mut CheckedSource,
    path: &MovePath,
    depth: u32,
    difference: &DivideDifference,
) -> Result<bool, StopReason> {
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
