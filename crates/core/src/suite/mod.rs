//! Suites: positions with known counts, to test a move generator.
//!
//! Three suites are built in: [`named()`], [`standard()`] and [`chess960()`]. [`Suite::from_text`] reads a suite from
//! text, in almost any form.
//!
//! - [`Suite::first_difference`] checks **your** generator. You pass a function that takes a FEN and a depth and
//!   returns the number of leaf nodes.
//! - `check_suite` in `perft-count` checks the fast counter, with all its modes.
//!
//! Many known counts are too large for a test. [`Limits`] leaves them out.

pub mod builtin;
pub(crate) mod list;

pub use builtin::{chess960, named, standard};

use std::mem::discriminant;
use std::ops::Range;

use crate::perft::MAX_DEPTH;
use crate::position::{FenFaultKind, Position, is_possible, joined};

/// A list of positions with known counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suite {
    /// The name of the suite or of its file.
    pub name: String,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
    /// Sentences about how the file was read, such as which depths its numbers belong to.
    pub notes: Vec<String>,
}

/// A position with known counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The name of the case, if it has one.
    pub id: Option<String>,
    /// The rule or bug that the case tests, such as `castling: the rook e7 gives check`.
    pub comment: Option<String>,
    /// The FEN as it is in the suite. If fields are missing or separated by underscores, it is rewritten.
    pub fen: String,
    /// The position.
    pub position: Position,
    /// The known counts, by increasing depth.
    pub expected: Vec<KnownCount>,
    /// The line of the file, counted from 1.
    pub line: usize,
}

/// The known number of leaf nodes at a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownCount {
    /// The depth in plies.
    pub depth: u32,
    /// The number of leaf nodes.
    pub nodes: u128,
}

impl Case {
    /// Returns the name of the case or, without a name, its FEN.
    pub fn name(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.fen)
    }
}

/// Says which known counts of a suite are checked.
///
/// [`Limits::max_nodes`] leaves out positions that no game reaches, because many correct generators refuse them.
///
/// # Examples
/// ```
/// use perft_core::suite::{KnownCount, Limits};
/// let limits = Limits { max_depth: 3, ..Limits::max_nodes(1000) };
/// assert!(limits.allows(&KnownCount { depth: 3, nodes: 1000 }));
/// assert!(!limits.allows(&KnownCount { depth: 3, nodes: 1001 }));
/// assert!(!limits.allows(&KnownCount { depth: 4, nodes: 1000 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Known counts above this number of nodes are left out.
    pub max_nodes: u128,
    /// Known counts at a greater depth, in plies, are left out.
    pub max_depth: u32,
    /// Whether positions that [no game reaches](crate::impossibilities) are checked.
    pub impossible: bool,
}

impl Limits {
    /// No limits: every known count of every position is checked.
    pub const NONE: Limits = Limits { max_nodes: u128::MAX, max_depth: u32::MAX, impossible: true };

    /// Returns limits that leave out known counts above a number of nodes, and positions that no game reaches.
    pub const fn max_nodes(max_nodes: u128) -> Limits {
        Limits { max_nodes, impossible: false, ..Limits::NONE }
    }

    /// Whether a position is checked.
    pub fn includes(&self, case: &Case) -> bool {
        self.impossible || is_possible(&case.position)
    }

    /// Whether a known count is within the limits.
    pub const fn allows(&self, known: &KnownCount) -> bool {
        known.nodes <= self.max_nodes && known.depth <= self.max_depth
    }
}

/// A count that differs from the known count.
///
/// It can be used as an error. Its message has all data that you need to repeat the count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{case}: expected {expected} leaf nodes at depth {depth}, found {found}; FEN: {fen}{}",
    tested(.comment)
)]
pub struct Difference {
    /// The name of the case or, without a name, its FEN.
    pub case: String,
    /// The FEN of the position.
    pub fen: String,
    /// The rule or bug that the case tests, if the suite names it.
    pub comment: Option<String>,
    /// The depth in plies.
    pub depth: u32,
    /// The known number of leaf nodes.
    pub expected: u128,
    /// The number of leaf nodes that was found.
    pub found: u128,
}

fn tested(comment: &Option<String>) -> String {
    comment.iter().map(|comment| format!("; this position tests: {comment}")).collect()
}

impl Suite {
    /// Checks a source of counts, such as your move generator, and returns its first wrong count.
    ///
    /// `count` takes a FEN and a depth in plies and returns the number of leaf nodes as `u32`, `u64` or `u128`. It is
    /// called for each known count within the limits, from the smallest count of the suite to the largest. So the
    /// returned difference is the fastest one to debug. A count that is wrong at a small depth hides the wrong counts
    /// that follow from it.
    ///
    /// # Examples
    /// ```
    /// use perft_core::suite::{self, Limits};
    ///
    /// /// A generator with a bug: it finds one leaf node too many at depth 3.
    /// fn my_perft(fen: &str, depth: u32) -> u128 {
    ///     let nodes = perft_core::Position::from_fen(fen).unwrap().perft(depth);
    ///     if depth == 3 { nodes + 1 } else { nodes }
    /// }
    ///
    /// let difference = suite::standard().first_difference(&Limits::max_nodes(1000), my_perft).unwrap();
    /// assert_eq!(difference.depth, 3);
    /// assert_eq!(difference.found, difference.expected + 1);
    /// println!("{difference}");
    /// ```
    pub fn first_difference<N: Into<u128>>(
        &self,
        limits: &Limits,
        mut count: impl FnMut(&str, u32) -> N,
    ) -> Option<Difference> {
        let mut checks = self.known_counts(limits);
        checks.sort_by_key(|(_, known)| known.nodes);
        checks.into_iter().find_map(|(case, KnownCount { depth, nodes: expected })| {
            let found = count(&case.fen, depth).into();
            (found != expected).then(|| Difference {
                case: case.name().to_owned(),
                fen: case.fen.clone(),
                comment: case.comment.clone(),
                depth,
                expected,
                found,
            })
        })
    }

    /// Returns the known counts within the limits, in the order of the suite.
    pub fn known_counts(&self, limits: &Limits) -> Vec<(&Case, KnownCount)> {
        let cases = self.cases.iter().filter(|case| limits.includes(case));
        let all = cases.flat_map(|case| case.expected.iter().map(move |known| (case, *known)));
        all.filter(|(_, known)| limits.allows(known)).collect()
    }
}

/// The error of reading a suite: all its faults.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}",
    joined(.faults.iter().map(|fault| format!("{}:{}:{}: {}", rest.name, fault.line, fault.column(), fault.kind)))
)]
pub struct SuiteError {
    /// The positions without faults, with the name of the suite and its notes. Empty if the numbers of the suite were
    /// not understood.
    pub rest: Suite,
    /// The faults, in the order of the lines.
    pub faults: Vec<LineFault>,
}

/// A fault of a line and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The text of the line.
    pub text: String,
    /// The bytes of the line that are wrong. The range is empty where something is missing.
    pub span: Range<usize>,
    /// The kind of the fault.
    pub kind: LineFaultKind,
}

/// The kinds of faults of a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineFaultKind {
    /// The FEN has a fault.
    #[error(transparent)]
    Fen(FenFaultKind),
    /// The operand of a known count is not a number.
    #[error("'{0}' is not a number of nodes")]
    BadCount(String),
    /// The depth of a known count is out of range.
    #[error("'{0}' is not a depth from 0 to {MAX_DEPTH}")]
    BadDepth(String),
    /// No depth belongs to a number.
    #[error("'{0}' has no depth")]
    NoDepth(String),
    /// A depth has two different counts.
    #[error("depth {0} has two different counts")]
    TwoCounts(u32),
    /// The line has a position, but no known count.
    #[error("a position was read here, but no known count")]
    NoCount,
    /// The line has neither a position nor a known count.
    #[error("no FEN was read in this line")]
    NoFen,
    /// No reading of the list has enough right counts. The position has this number of moves.
    #[error("it is not clear which depths these numbers belong to; the count at depth 1 is {0}")]
    UnclearDepths(usize),
    /// The position is from a chess variant. The text says how this is known.
    #[error("this is not standard chess: it has {0}")]
    Variant(String),
}

impl LineFault {
    /// Returns the faults at these places of a text, in the order of the lines, and at most `most` of each line.
    fn of_text(text: &str, mut faults: Vec<(Range<usize>, LineFaultKind)>, most: usize) -> Vec<LineFault> {
        faults.sort_by_key(|(place, _)| place.start);
        let (mut number, mut start) = (1, 0);
        let mut of_lines: Vec<LineFault> = Vec::new();
        for (place, kind) in faults {
            let before = &text[start..place.start];
            number += before.matches('\n').count();
            start = before.rfind('\n').map_or(start, |end| start + end + 1);
            if of_lines.iter().rev().take_while(|fault| fault.line == number).count() < most {
                let line = text[start..].lines().next().unwrap_or_default().trim_end();
                let span = (place.start - start).min(line.len())..(place.end - start).min(line.len());
                of_lines.push(LineFault { line: number, text: line.to_owned(), span, kind });
            }
        }
        of_lines
    }

    /// Returns the column of the fault in characters, counted from 1.
    pub fn column(&self) -> usize {
        self.text[..self.span.start].chars().count() + 1
    }

    /// Whether another fault is of the same kind. Their texts, numbers and places may differ.
    pub fn is_alike(&self, other: &LineFault) -> bool {
        match (&self.kind, &other.kind) {
            (LineFaultKind::Fen(one), LineFaultKind::Fen(other)) => discriminant(one) == discriminant(other),
            (one, other) => discriminant(one) == discriminant(other),
        }
    }

    /// Returns a hint that says what to write instead.
    pub fn help(&self) -> &'static str {
        match &self.kind {
            LineFaultKind::Fen(kind) => kind.help(),
            LineFaultKind::BadCount(_) | LineFaultKind::BadDepth(_) => {
                "write known counts as in ';D3 8902', or as a line 'perft 3 8902'"
            }
            LineFaultKind::TwoCounts(_) => "give each depth only once",
            LineFaultKind::NoCount => {
                "add a known count after the FEN, as in ';D1 20', or as the next line, 'perft 1 20'"
            }
            LineFaultKind::NoFen => {
                "each line of a suite has a FEN and known counts, as in 'FEN ;D1 20 ;D2 400'"
            }
            LineFaultKind::NoDepth(_) | LineFaultKind::UnclearDepths(_) => {
                "name the depths, as in ';D1 20 ;D2 400'"
            }
            LineFaultKind::Variant(_) => "only standard chess and Chess960 are counted",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A suite with wrong counts at depths 2 and 3 of its first case.
    fn suite_with_wrong_counts() -> Suite {
        let text = "8/8/8/8/8/8/8/k1K5 w - - ;D1 3 ;D2 4 ;D3 11 ;D4 1000000 ;id \"corner\" ;c0 \"king moves\"\n\
                    8/8/8/8/8/8/8/K1k5 b - - ;D1 3";
        Suite::from_text("test", text).unwrap()
    }

    fn plain_count(fen: &str, depth: u32) -> u128 {
        crate::Position::from_fen(fen).unwrap().perft(depth)
    }

    #[test]
    fn the_first_difference_is_the_smallest_wrong_count() {
        let difference = suite_with_wrong_counts().first_difference(&Limits::NONE, plain_count).unwrap();
        assert_eq!(
            difference.to_string(),
            "corner: expected 4 leaf nodes at depth 2, found 7; FEN: 8/8/8/8/8/8/8/k1K5 w - -; this position tests: king moves"
        );
    }

    #[test]
    fn known_counts_are_asked_for_from_the_smallest_to_the_largest() {
        let mut asked = Vec::new();
        let suite = suite_with_wrong_counts();
        let difference = suite.first_difference(&Limits::max_nodes(11), |fen, depth| {
            asked.push(depth);
            let case = suite.cases.iter().find(|case| case.fen == fen).unwrap();
            case.expected.iter().find(|known| known.depth == depth).unwrap().nodes
        });
        assert_eq!((difference, asked), (None, vec![1, 1, 2, 3]));
    }

    #[test]
    fn positions_that_no_game_reaches_are_checked_where_they_are_asked_for() {
        let suite = Suite::from_text("test", "4k3/8/8/8/r3K2r/8/8/8 w - - ;D1 6").unwrap();
        let wrong = |_: &str, _| 0_u64;
        assert_eq!(suite.first_difference(&Limits::max_nodes(1000), wrong), None);
        assert!(suite.first_difference(&Limits::NONE, wrong).is_some());
    }
}
