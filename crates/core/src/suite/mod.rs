//! Suites: positions with known counts, to test a move generator.
//!
//! Three suites are built in: [`named()`], [`standard()`] and [`chess960()`]. [`Suite::from_text`] reads one from text,
//! in almost any form.
//!
//! - [`Suite::first_difference`] checks **your** generator. You pass a function that takes a FEN and a depth and
//!   returns the number of leaf nodes.
//! - `check_suite` in `perft-count` checks the fast counter, with all its modes.
//!
//! Many known counts are too large for a test. [`Limits`] leaves them out.

pub mod builtin;
mod check;
mod error;
pub(crate) mod list;

pub use check::{Difference, Limits};
pub use error::{LineFault, LineFaultKind, SuiteError};

use crate::position::Position;

/// A list of positions with known counts.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The name of the suite or of its file.
    pub name: String,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
    /// Sentences about how the file was read, such as which depths its numbers belong to.
    pub notes: Vec<String>,
}

/// A position with known counts.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the case, if it has one.
    pub id: Option<String>,
    /// The rule or bug that the case tests, such as `castling: the rook e7 gives check`.
    pub comment: Option<String>,
    /// The FEN, as it is in the suite.
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

/// Returns the built-in suite of well-known positions, such as the start position and Kiwipete.
///
/// Its counts go up to the deepest ones that are known, so use [`Limits`].
pub fn named() -> &'static Suite {
    builtin::NAMED.suite()
}

/// Returns the built-in suite for standard chess. Each position tests one rule or one typical bug.
///
/// # Examples
/// ```
/// use perft_core::suite::{self, Limits};
/// # fn my_perft(fen: &str, depth: u32) -> u128 {
/// #     perft_core::Position::from_fen(fen).unwrap().perft(depth)
/// # }
/// let limits = Limits::max_nodes(10_000);
/// assert_eq!(suite::standard().first_difference(&limits, my_perft), None);
/// ```
pub fn standard() -> &'static Suite {
    builtin::STANDARD.suite()
}

/// Returns the built-in suite for Chess960. Each position tests one rule or one typical bug. Most of them are about
/// castling.
pub fn chess960() -> &'static Suite {
    builtin::CHESS960.suite()
}
