//! Positions with known counts: reading them from text, the ones that are built in, and running them.
//!
//! A [`Case`] is a position, the counts that are known for it, and what it is there to catch. [`epd`] reads the formats
//! found in the wild; [`builtin`] holds the suites of `positions/`, compiled in; [`run`] counts.

pub mod builtin;
pub(crate) mod epd;
mod run;

pub use builtin::named;
pub use epd::{LineFault, LineFaultKind, SuiteError};
pub use run::{Limits, Outcome};

use crate::position::{Position, SetupWarning};

/// A position with known counts.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name, if it has one.
    pub id: Option<String>,
    /// What it is there to catch: the family and the trap, with a colon between them.
    pub comment: Option<String>,
    /// Its FEN as the suite gives it.
    pub fen: String,
    /// The position.
    pub position: Position,
    /// What of the FEN has no effect.
    pub warnings: Vec<SetupWarning>,
    /// The known counts, by depth, ascending.
    pub expected: Vec<KnownCount>,
    /// The line of the file, counted from 1.
    pub line: usize,
}

/// A count that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownCount {
    /// The depth in plies.
    pub depth: u32,
    /// The number of leaf nodes.
    pub nodes: u128,
}

impl Case {
    /// What the case is called in reports: its name, or the FEN.
    pub fn name(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.fen)
    }

    /// The family of traps that this case belongs to: what its comment has before the colon.
    pub fn family(&self) -> Option<&str> {
        self.comment.as_deref()?.split_once(':').map(|(family, _)| family.trim())
    }
}

/// A list of cases.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name, or the name of the file.
    pub name: String,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
}
