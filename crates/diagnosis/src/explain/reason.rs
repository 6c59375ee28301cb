//! The reason why a move is legal or not.

use super::theme::Theme;

/// An explanation without the text of the move.
#[derive(Debug)]
pub(super) struct Reason {
    pub theme: Theme,
    /// The predicate of the sentence, such as `is illegal`.
    pub verdict: &'static str,
    pub because: String,
}

impl Reason {
    pub fn new(theme: Theme, verdict: &'static str, because: String) -> Reason {
        Reason { theme, verdict, because }
    }
}
