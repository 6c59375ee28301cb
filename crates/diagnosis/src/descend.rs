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
use crate::difference::{DivideDifference, Fault, FaultKind, WrongCount};
use crate::named_enum::named_enum;
use crate::source::{MovePath, SourceError};

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

named_enum! {
    /// The kind of a bug. It is told only if the questions that show it were asked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Verdict {
        Generation: "the moves are wrong when the position is given as a FEN: a bug in move generation",
        ///
        /// The source lists no moves, and no question shows which of the two it is.
        GenerationOrLastPly:
            "the count of depth 1 is wrong when the position is given as a FEN: a bug in move generation, or in the code that \
            counts the last ply",
        Make: "making a move leaves something wrong behind",
        Unmake: "taking back a move leaves something wrong behind",
        Contradiction:
            "the program is right when it is asked about the positions below: taking back a move, a transposition table, \
            counting the last ply, or adding up is wrong",
        ///
        /// The source cannot play moves, so it is also possible that making a move is wrong.
        MakeOrUnmake:
            "the program is right about the positions below when each is given as a FEN: making or taking back a move, a \
            transposition table, counting the last ply, or adding up is wrong",
        LastPly: "the moves of each position are right, but the code that counts those of the last ply has a bug of its own",
        ///
        /// The source ends a game that is drawn by a rule, and counts no nodes below.
        Draw:
            "perft counts the legal moves of a drawn position too: the fifty-move rule, repetitions and insufficient \
            material do not end it",
        Sum: "the total is not the sum over the moves",
        Reading: "the program answers another question than the one that it was asked",
        Pattern:
            "the counts of several well-known positions are wrong in the same way. Mend this first: it hides other bugs",
        NotRepeated:
            "a fresh process answers the same question differently: a table or a state is not reset after other \
            questions, or chance decides",
        Unfinished: "the count is wrong; the hunt ended before it found the cause",
        Unread:
            "the answer could not be read: lines of it were not understood, and what was read does not fit. \
            This says nothing about the program",
        NoAnswer: "the program gave no answer",
    }
}
