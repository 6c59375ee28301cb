//! The error of reading a suite.

use std::fmt;
use std::mem::discriminant;
use std::ops::Range;

use crate::perft::MAX_DEPTH;
use crate::position::{FenFaultKind, joined};

/// The error of reading a suite: all its faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteError {
    /// The name of the suite or of its file.
    pub name: String,
    /// The faults, in the order of the lines.
    pub faults: Vec<LineFault>,
    /// Sentences about the suite as a whole.
    pub notes: Vec<String>,
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
    /// A depth has two different counts.
    #[error("depth {0} has two different counts")]
    TwoCounts(u32),
    /// The line has a position, but no known count.
    #[error("a position was read here, but no known count")]
    NoCount,
    /// A known count is before the first position.
    #[error("this count has no position")]
    NoPosition,
    /// The line has neither a position nor a known count.
    #[error("no FEN was read in this line")]
    NoFen,
    /// In no reading of the numbers is the count of depth 1 right. The position has this number of moves.
    #[error("it is not clear which depths these numbers belong to; the count at depth 1 is {0}")]
    UnclearDepths(usize),
    /// The position is one of a variant of chess. The text says how this is known.
    #[error("this is not standard chess: it has {0}")]
    Variant(String),
}

impl LineFault {
    /// Returns the column of the fault in characters, counted from 1.
    pub fn column(&self) -> usize {
        self.text[..self.span.start].chars().count() + 1
    }

    /// Whether another fault differs at most in its text and its place.
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
            LineFaultKind::NoPosition => {
                "write the position on a line before, as in 'epd 8/8/8/8/8/8/8/k1K5 w - -'"
            }
            LineFaultKind::NoFen => {
                "each line of a suite has a FEN and known counts, as in 'FEN ;D1 20 ;D2 400'"
            }
            LineFaultKind::UnclearDepths(_) => "name the depths, as in ';D1 20 ;D2 400'",
            LineFaultKind::Variant(_) => "only standard chess and Chess960 are counted",
        }
    }
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(
            self.faults
                .iter()
                .map(|fault| format!("{}:{}:{}: {}", self.name, fault.line, fault.column(), fault.kind)),
        ))
    }
}

impl std::error::Error for SuiteError {}
