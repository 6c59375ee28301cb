//! Reading suites: lists of positions with known counts, in the forms in which people keep them.
//!
//! A line is a FEN and the counts that belong to it. The FEN may be anywhere in the line. The depths of the counts are
//! named (`D3 8902`, `;3 8902`, `perft 3 = 8902`, `3: 8902`), given by a header of columns, or in order from depth 1.
//! JSON has objects with a FEN and counts. EPD and the `.perft` files of python-chess and shakmaty are cases of this.
//!
//! ```text
//!   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D5 4865609
//!   8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - D1 14; D2 191; id "position 3"; c0 "a comment";
//!   Kiwipete, r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -, 48, 2039, 97862
//!   # a comment
//!
//!   id kings
//!   epd 8/8/8/8/8/8/8/k1K5 w - -
//!   perft 1 3
//!   perft 2 7
//! ```
//!
//! Numbers that can be read in several ways are read in the way in which the counts of depth 1 are right. The reader
//! finds every fault of a file, not only the first one.

mod find_fen;
mod header;
mod json;
mod lines;
mod numbers;
mod record;

pub use find_fen::{FoundFen, find_fen};
use lines::List;
use record::finish;

use super::{Suite, SuiteError};

impl Suite {
    /// Reads a list of positions with known counts: lines of EPD, of `.perft` files, of tables with commas,
    /// semicolons, tabs or the bars of Markdown, or JSON.
    ///
    /// `name` is the name of the suite or of its file, for messages. Empty lines and comments are left out.
    ///
    /// # Examples
    /// ```
    /// use perft_core::suite::Suite;
    /// let suite = Suite::from_text("mine", "4k3/8/8/8/8/8/8/4K2R w K - ;D1 15 ;D3 1197").unwrap();
    /// assert_eq!(suite.cases[0].expected[1].nodes, 1197);
    /// for text in [
    ///     "epd 4k3/8/8/8/8/8/8/4K2R w K -\nperft 1 15\nperft 3 1197",
    ///     "4k3/8/8/8/8/8/8/4K2R w K -; 1; 15; 3; 1197",
    ///     r#"{"fen": "4k3/8/8/8/8/8/8/4K2R w K -", "depths": {"1": 15, "3": 1197}}"#,
    /// ] {
    ///     assert_eq!(Suite::from_text("mine", text).unwrap().cases[0].expected, suite.cases[0].expected);
    /// }
    /// let error = Suite::from_text("mine", "4k3/8/8/8/8/8/8/4K2R w K - ;D1 x").unwrap_err();
    /// assert_eq!(error.to_string(), "mine:1:32: 'x' is not a number of nodes");
    /// ```
    ///
    /// # Errors
    /// Returns the faults of all lines, at most 100 for each line.
    pub fn from_text(name: &str, text: &str) -> Result<Suite, SuiteError> {
        let list = json::read(text).unwrap_or_else(|| {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            let mut list = List::default();
            (1..).zip(text.lines()).for_each(|(number, line)| list.line(line, number));
            list
        });
        finish(name, list.records, list.faults, list.unread)
    }
}

#[cfg(test)]
mod tests;
