//! Recognises counts that are wrong in the same way everywhere, whatever the rules say about a position.
//!
//! A program that counts one ply too few answers almost every question wrongly. Followed down, each answer would look
//! like a bug of some rule. So after the first wrong answer, a hunt asks for some counts of two well-known positions.
//! If one pattern gives all the numbers, it is the bug, and the hunt ends: other bugs cannot be told from it.

use perft_core::suite::builtin;
use perft_core::{Perft, Position};

use crate::descend::{CheckedSource, Fault, FaultKind, StopReason};
use crate::diagnose::Miscount;
use crate::difference::DivideDifference;
use crate::mutations::{Mutation, count};
use crate::path::MovePath;

/// The positions and the depth to which they are asked about.
const SURVEY: [(&str, u32); 2] = [("start", 3), ("kiwipete", 3)];

/// The greatest depth at which the start position is asked about, if the first wrong answer was at a greater depth than 3.
const DEEPEST: u32 = 5;

/// How many counts must be wrong.
const MIN_WRONG: usize = 2;

/// The patterns. The order decides if several give all the numbers.
const PATTERNS: [Pattern; 12] = [
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
    Pattern::Unchecked(Mutation::PseudoLegal),
    Pattern::Unchecked(Mutation::LeafPseudoLegal),
];

/// A way in which all counts are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// They are added up wrongly.
    Miscount(Miscount),
    /// Greater depths are counted as this one.
    StopsAt(u32),
    /// Each move has the count 0 at depth 1.
    EmptyRootMoves,
    /// Moves are not tested for check, everywhere or at the last ply.
    Unchecked(Mutation),
}

/// An answer of the survey.
struct Surveyed {
    path: MovePath,
    depth: u32,
    /// The correct counts at the depths from 0 to one above that of the answer.
    counts: Vec<u128>,
    difference: DivideDifference,
}

/// A pattern, and the first answer that shows it.
pub(crate) struct Recognised {
    pub pattern: Pattern,
    pub path: MovePath,
    pub depth: u32,
    pub difference: DivideDifference,
}

impl Recognised {
    /// Returns the answer as a fault.
    pub fn fault(&self) -> Fault {
        let kind = FaultKind::Count(self.difference.clone());
        Fault { path: self.path.clone(), depth: self.depth, kind }
    }
}

impl Pattern {
    /// Returns what would make the counts right: a sentence without a full stop.
    pub fn about(self) -> String {
        match self {
            Pattern::Miscount(Miscount::DepthOneLess) => "every count is that of the depth below".to_owned(),
            Pattern::Miscount(Miscount::DepthOneMore) => "every count is that of the depth above".to_owned(),
            Pattern::Miscount(Miscount::AllNodes) => {
                "every count is the number of all nodes of the tree without the root, and not only of the leaf nodes".to_owned()
            }
            Pattern::Miscount(Miscount::AllNodesAndRoot) => {
                "every count is the number of all nodes of the tree, and not only of the leaf nodes".to_owned()
            }
            Pattern::Miscount(Miscount::InnerNodes) => {
                "every count is the number of the nodes above the leaf nodes".to_owned()
            }
            Pattern::Miscount(Miscount::Low32Bits) => "counts had 32 bits: larger ones overflow".to_owned(),
            Pattern::Miscount(Miscount::Low64Bits) => "counts had 64 bits: larger ones overflow".to_owned(),
            Pattern::StopsAt(depth) => format!("greater depths than {depth} were depth {depth}"),
            Pattern::EmptyRootMoves => "the count at depth 0 is 0; it must be 1".to_owned(),
            Pattern::Unchecked(Mutation::LeafPseudoLegal) => {
                "the moves of the last ply need not be legal: they are counted without a test whether they leave the king in check"
                    .to_owned()
            }
            Pattern::Unchecked(_) => {
                "moves need not be legal: they are not tested whether they leave the king in check".to_owned()
            }
        }
    }

    /// Whether the pattern gives exactly this answer.
    fn gives(self, answer: &Surveyed) -> bool {
        let Surveyed { path, depth, counts, difference } = answer;
        let right = counts[*depth as usize];
        let expected = match self {
            Pattern::Miscount(miscount) => miscount.nodes(counts, *depth).unwrap_or(right),
            Pattern::StopsAt(deepest) => counts[deepest.min(*depth) as usize],
            Pattern::EmptyRootMoves => return is_zero_or_right(difference, *depth),
            Pattern::Unchecked(mutation) => count(&path.end, *depth, mutation.into()).into(),
        };
        difference.theirs == expected
    }
}

/// Whether each move has the count 0 at depth 1, and at greater depths too or the right one.
fn is_zero_or_right(difference: &DivideDifference, depth: u32) -> bool {
    let is_zero = difference.lists_moves
        && difference.has_right_moves()
        && !difference.wrong.is_empty()
        && difference.wrong.iter().all(|wrong| wrong.theirs == 0);
    is_zero || (depth > 1 && difference.is_right())
}

/// Returns the pattern of a count that has overflowed 32 or 64 bits. The counts of the survey are too small to show it.
pub(crate) fn overflow(path: &MovePath, depth: u32, difference: &DivideDifference) -> Option<Recognised> {
    let mut patterns = [Miscount::Low32Bits, Miscount::Low64Bits].into_iter();
    let found = patterns.find(|miscount| miscount.nodes(&[difference.ours], 0) == Some(difference.theirs))?;
    let (pattern, path, difference) = (Pattern::Miscount(found), path.clone(), difference.clone());
    Some(Recognised { pattern, path, depth, difference })
}

/// Asks for the counts of the survey, and returns the pattern of the answers if there is one. `depth` is that of the first
/// wrong answer.
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
                    answers.push(Surveyed { path, depth, counts, difference });
                }
                _ => return Ok(None),
            }
        }
    }
    Ok(pattern_of(answers))
}

fn counts(position: &Position, depth: u32) -> Vec<u128> {
    let perft = Perft::new();
    let count = |depth| perft.count(position, depth, &Default::default()).expect("nothing interrupts it");
    (0..=depth).map(count).collect()
}

fn pattern_of(answers: Vec<Surveyed>) -> Option<Recognised> {
    let wrong = answers.iter().filter(|answer| !answer.difference.is_right()).count();
    let gives_all = |pattern: &Pattern| answers.iter().all(|answer| pattern.gives(answer));
    let pattern = PATTERNS.into_iter().filter(|_| wrong >= MIN_WRONG).find(gives_all)?;
    let first = answers.into_iter().find(|answer| !answer.difference.is_right())?;
    let Surveyed { path, depth, difference, .. } = first;
    Some(Recognised { pattern, path, depth, difference })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_overflow_are_recognised() {
        let path = MovePath::new(Position::start());
        let pattern = |ours, theirs| {
            let difference = DivideDifference { ours, theirs, ..DivideDifference::default() };
            overflow(&path, 8, &difference).map(|found| found.pattern)
        };
        let right = 84_998_978_956;
        assert_eq!(pattern(right, right % (1 << 32)), Some(Pattern::Miscount(Miscount::Low32Bits)));
        assert_eq!(pattern(right, right % (1 << 32) + 1), None);
        assert_eq!(pattern(right, right), None);
        assert_eq!(
            pattern(right << 32, (right << 32) % (1 << 64)),
            Some(Pattern::Miscount(Miscount::Low64Bits))
        );
    }
}
