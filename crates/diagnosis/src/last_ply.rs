//! Rules that are broken only where the leaf nodes are counted.
//!
//! Most programs do not make the moves of the last ply, but only count them. This code may forget a rule that the list
//! of moves follows. Then the moves of each position are right, but the counts above them are wrong, as if taking back
//! a move had failed. Here, these counts are compared with those of a right generator whose last ply has one of the
//! mistakes of the catalogue.

use perft_core::{Move, Position, legal_moves, perft, suite};

use crate::budget::StopReason;
use crate::checked_source::CheckedSource;
use crate::difference::DivideDifference;
use crate::fault::{Fault, FaultKind};
use crate::mutations::{Mutation, count};
use crate::path::MovePath;

/// The depth of the answer that is explained. At this depth, the program counts the moves of the last ply.
const DEPTH: u32 = 2;

/// The number of further answers that a mistake must give.
const CONFIRMED: usize = 3;

/// The largest number of leaf nodes that is counted again with mistakes.
const MAX_NODES: u128 = 200_000;

/// Returns the mistake of the last ply that gives the counts of a contradiction. The source is asked about more
/// positions, to distinguish mistakes and to confirm the remaining one.
///
/// # Errors
/// Returns an error if no more questions may be asked, or if the stop signal is raised.
pub(crate) fn mistake(source: &mut CheckedSource, fault: &Fault) -> Result<Option<Mutation>, StopReason> {
    let Fault { path, depth, kind: FaultKind::Contradiction(difference) } = fault else { return Ok(None) };
    if *depth != DEPTH || !source.can_ask(DEPTH + 1) {
        return Ok(None);
    }
    let mut possible = Mutation::ALL.to_vec();
    possible.retain(|&mutation| gives(mutation, path, difference));
    let mut confirmed = usize::from(keep_right(&mut possible, source, path, DEPTH + 1)?);
    for case in &suite::standard().cases {
        if possible.is_empty() || (possible.len() == 1 && confirmed >= CONFIRMED) {
            break;
        }
        let path = MovePath::new(case.position);
        confirmed += usize::from(keep_right(&mut possible, source, &path, DEPTH)?);
    }
    Ok(possible.first().copied().filter(|_| confirmed >= CONFIRMED))
}

/// Keeps the mistakes that give the answer to a question. The question is asked only if at least one of them gives a
/// wrong count. Returns whether it was asked.
fn keep_right(
    possible: &mut Vec<Mutation>,
    source: &mut CheckedSource,
    path: &MovePath,
    depth: u32,
) -> Result<bool, StopReason> {
    let right = perft(&path.end, depth);
    let totals: Vec<u128> = possible.iter().map(|&mutation| nodes(mutation, &path.end, depth)).collect();
    if right > MAX_NODES || totals.iter().all(|&total| total == right) {
        return Ok(false);
    }
    let Ok(answer) = source.compare(path, depth)? else { return Ok(false) };
    let mut totals = totals.into_iter();
    possible.retain(|_| totals.next() == Some(answer.theirs));
    Ok(true)
}

/// Whether a mistake of the last ply gives all counts of an answer at depth 2.
pub(crate) fn gives(mutation: Mutation, path: &MovePath, difference: &DivideDifference) -> bool {
    let below = |played| nodes(mutation, &path.end.play_unchecked(played), DEPTH - 1);
    if difference.wrong.iter().any(|wrong| below(wrong.played) != wrong.theirs) {
        return false;
    }
    let counts: Vec<(Move, u128)> =
        legal_moves(&path.end).into_iter().map(|played| (played, below(played))).collect();
    let right = |played| perft(&path.end.play_unchecked(played), DEPTH - 1);
    difference.theirs != difference.ours && difference.has_counts(&counts, right)
}

/// Returns the leaf nodes below a position if the last ply is counted with a mistake.
fn nodes(mutation: Mutation, position: &Position, depth: u32) -> u128 {
    if depth == 1 {
        return count(position, 1, mutation.into()).into();
    }
    let below = |played| nodes(mutation, &position.play_unchecked(played), depth - 1);
    legal_moves(position).into_iter().map(below).sum()
}
