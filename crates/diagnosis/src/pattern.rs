//! Recognises counts that are wrong in the same way everywhere, independent of the rules and the position.
//!
//! A program that counts one ply too few answers almost every question wrongly. If each answer were followed down, it
//! would look like a bug of some rule. So after the first wrong answer, a hunt asks for some counts of three well-known
//! positions. If one pattern gives all the numbers, it is the bug, and the hunt ends, because other bugs cannot be
//! distinguished from it.

use perft_core::suite::builtin;
use perft_core::{Position, legal_moves, perft};

use crate::budget::StopReason;
use crate::checked_source::CheckedSource;
use crate::difference::DivideDifference;
use crate::fault::{Fault, FaultKind};
use crate::miscount::Miscount;
use crate::mutations::{MutatedBoard, Mutation, count};
use crate::path::MovePath;

/// The positions of the survey, each with its greatest depth.
const SURVEY: [(&str, u32); 3] = [("start", 3), ("kiwipete", 3), (WITH_PINS, 2)];

/// The position in which a pinned piece could leave its pin line. It shows only whether the moves of the position
/// itself are tested. Generators without any test differ in what they do after the capture of a king.
const WITH_PINS: &str = "endgame";

/// The greatest depth at which the start position is tried, if the first wrong answer was deeper than 3.
const DEEPEST: u32 = 5;

/// The smallest number of counts that must be wrong.
const MIN_WRONG: usize = 2;

/// The patterns. If several give all the numbers, the first one is chosen.
const PATTERNS: [Pattern; 13] = [
    Pattern::Miscount(Miscount::DepthOneLess),
    Pattern::Miscount(Miscount::DepthOneMore),
    Pattern::Miscount(Miscount::AllNodes),
    Pattern::Miscount(Miscount::AllNodesAndRoot),
    Pattern::Miscount(Miscount::InnerNodes),
    Pattern::StopsAt(1),
    Pattern::StopsAt(2),
    Pattern::StopsAt(3),
    Pattern::StopsAt(4),
    Pattern::EmptyRootMoves,
    Pattern::UncheckedRootMoves,
    Pattern::Unchecked(Mutation::PseudoLegal),
    Pattern::Unchecked(Mutation::LeafPseudoLegal),
];

/// A way in which all counts are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// The counts are added up wrongly.
    Miscount(Miscount),
    /// Greater depths are counted as this depth.
    StopsAt(u32),
    /// Each move has the count 0 at depth 1.
    EmptyRootMoves,
    /// The moves of the asked position are listed without a test for check. Deeper moves are right.
    UncheckedRootMoves,
    /// Moves are not tested for check, everywhere or at the last ply.
    Unchecked(Mutation),
}

/// An answer of the survey.
struct Surveyed {
    has_pins: bool,
    path: MovePath,
    depth: u32,
    /// The correct counts at the depths from 0 up to one more than that of the answer.
    counts: Vec<u128>,
    difference: DivideDifference,
}

/// A pattern, and the first answer that shows it.
pub(crate) struct Recognised {
    pub pattern: Pattern,
    pub fault: Fault,
}

impl Pattern {
    /// Returns a description of the pattern: a sentence without a full stop.
    pub fn about(self) -> String {
        let text = match self {
            Pattern::Miscount(Miscount::DepthOneLess) => "every count is that of the depth below",
            Pattern::Miscount(Miscount::DepthOneMore) => "every count is that of the depth above",
            Pattern::Miscount(Miscount::AllNodes) => {
                "every count is the number of all nodes of the tree without the root, and not only of the leaf nodes"
            }
            Pattern::Miscount(Miscount::AllNodesAndRoot) => {
                "every count is the number of all nodes of the tree, and not only of the leaf nodes"
            }
            Pattern::Miscount(Miscount::InnerNodes) => {
                "every count is the number of the nodes above the leaf nodes"
            }
            Pattern::Miscount(Miscount::Low16Bits) => "counts had 16 bits: larger ones overflow",
            Pattern::Miscount(Miscount::Low32Bits) => "counts had 32 bits: larger ones overflow",
            Pattern::Miscount(Miscount::Low64Bits) => "counts had 64 bits: larger ones overflow",
            Pattern::StopsAt(depth) => return format!("greater depths than {depth} were depth {depth}"),
            Pattern::EmptyRootMoves => "the count at depth 0 is 0; it must be 1",
            Pattern::UncheckedRootMoves => {
                "the moves that are listed need not be legal: those that leave the king in check are listed too"
            }
            Pattern::Unchecked(Mutation::LeafPseudoLegal) => {
                "the moves of the last ply need not be legal: they are counted without a test whether they leave the king in check"
            }
            Pattern::Unchecked(_) => {
                "moves need not be legal: they are not tested whether they leave the king in check"
            }
        };
        text.to_owned()
    }

    /// Whether the answer shows the pattern: it is not the answer of a right program.
    fn is_told_by(self, answer: &Surveyed) -> bool {
        let difference = &answer.difference;
        match self {
            _ if answer.has_pins && self != Pattern::UncheckedRootMoves => false,
            Pattern::EmptyRootMoves | Pattern::UncheckedRootMoves => difference.is_wrong(),
            Pattern::Miscount(_) | Pattern::StopsAt(_) | Pattern::Unchecked(_) => {
                difference.theirs != difference.ours
            }
        }
    }

    /// Whether the pattern gives exactly this answer.
    fn gives(self, answer: &Surveyed) -> bool {
        let Surveyed { path, depth, counts, difference, has_pins } = answer;
        if *has_pins && self != Pattern::UncheckedRootMoves {
            return true;
        }
        let right = counts[*depth as usize];
        let expected = match self {
            Pattern::Miscount(miscount) => miscount.nodes(counts, *depth).unwrap_or(right),
            Pattern::StopsAt(deepest) => counts[deepest.min(*depth) as usize],
            Pattern::EmptyRootMoves => return is_zero_or_right(difference, *depth),
            Pattern::UncheckedRootMoves => return lists_unchecked_moves(difference, path),
            // If the program makes each move, it tests the moves of the position even at depth 1.
            Pattern::Unchecked(Mutation::LeafPseudoLegal) if *depth == 1 && difference.is_right() => right,
            Pattern::Unchecked(mutation) => count(&path.end, *depth, mutation.into()).into(),
        };
        difference.theirs == expected
    }
}

/// Whether each move has the count 0. At depths above 1, the answer may also be right.
fn is_zero_or_right(difference: &DivideDifference, depth: u32) -> bool {
    let is_zero = difference.lists_moves
        && difference.has_right_moves()
        && !difference.wrong.is_empty()
        && difference.wrong.iter().all(|wrong| wrong.theirs == 0);
    is_zero || (depth > 1 && difference.is_right())
}

/// Whether an answer lists the legal moves with right counts, the moves that leave the king in check, and no others.
fn lists_unchecked_moves(difference: &DivideDifference, path: &MovePath) -> bool {
    let legal = legal_moves(&path.end);
    let mut unchecked = MutatedBoard::new(&path.end, Mutation::PseudoLegal.into()).legal_moves().to_vec();
    unchecked.retain(|played| !legal.contains(played));
    difference.lists_moves
        && difference.missing.is_empty()
        && difference.wrong.is_empty()
        && difference.has_extra(&path.end, unchecked)
}

/// Returns the pattern of counts that have overflowed 16, 32 or 64 bits. The counts of the survey are too small to show
/// it.
///
/// Either the total has overflowed, or the counts below moves have overflowed and the total is their sum.
pub(crate) fn overflow(path: &MovePath, depth: u32, difference: &DivideDifference) -> Option<Recognised> {
    let mut patterns = [Miscount::Low16Bits, Miscount::Low32Bits, Miscount::Low64Bits].into_iter();
    let found = patterns.find(|miscount| {
        let overflows = |ours, theirs| miscount.nodes(&[ours], 0) == Some(theirs);
        let lost = difference.wrong.iter().map(|wrong| wrong.ours.saturating_sub(wrong.theirs)).sum::<u128>();
        difference.has_right_moves()
            && difference.wrong.iter().all(|wrong| overflows(wrong.ours, wrong.theirs))
            && (overflows(difference.ours, difference.theirs)
                || (!difference.wrong.is_empty() && difference.ours == difference.theirs + lost))
    })?;
    let fault = Fault { path: path.clone(), depth, kind: FaultKind::Count(difference.clone()) };
    Some(Recognised { pattern: Pattern::Miscount(found), fault })
}

/// Asks for the counts of the survey, and returns the pattern of the answers if there is one. `depth` is the depth of
/// the first wrong answer.
///
/// # Errors
/// Returns an error if the stop signal is raised.
pub(crate) fn recognise(source: &mut CheckedSource, depth: u32) -> Result<Option<Recognised>, StopReason> {
    let mut answers = Vec::new();
    for (name, deepest) in SURVEY {
        let case = builtin::position(name).expect("the position is built in");
        let deepest = if name == "start" { deepest.max(depth.min(DEEPEST)) } else { deepest };
        let depths: Vec<u32> = (1..=deepest).filter(|&depth| source.can_ask(depth)).collect();
        for depth in depths {
            let path = MovePath::new(case.position);
            match source.compare(&path, depth)? {
                Ok(difference) if difference.unread.is_empty() => {
                    let counts = counts(&case.position, depth + 1);
                    let has_pins = name == WITH_PINS;
                    answers.push(Surveyed { has_pins, path, depth, counts, difference });
                }
                _ => return Ok(None),
            }
        }
    }
    Ok(pattern_of(answers))
}

fn counts(position: &Position, depth: u32) -> Vec<u128> {
    (0..=depth).map(|depth| perft(position, depth)).collect()
}

fn pattern_of(answers: Vec<Surveyed>) -> Option<Recognised> {
    let gives_all = |pattern: &Pattern| answers.iter().all(|answer| pattern.gives(answer));
    let is_told =
        |pattern: &Pattern| answers.iter().filter(|answer| pattern.is_told_by(answer)).count() >= MIN_WRONG;
    let pattern = PATTERNS.into_iter().find(|pattern| gives_all(pattern) && is_told(pattern))?;
    let first = answers.into_iter().find(|answer| !answer.difference.is_right())?;
    let Surveyed { path, depth, difference, .. } = first;
    Some(Recognised { pattern, fault: Fault { path, depth, kind: FaultKind::Count(difference) } })
}
