//! The questions that a source can be asked.

/// The questions that a source can be asked, in addition to those about moves and counts of a position of standard
/// chess.
///
/// The default is all questions.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::Abilities;
///
/// assert!(Abilities::default().can_ask(12));
/// let simple = Abilities { plays_moves: false, is_chess960: false, max_depth: Some(1) };
/// assert!(simple.can_ask(1) && !simple.can_ask(2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Whether it plays the moves of a question. Otherwise it gets the FEN after the moves, so only bugs of move
    /// generation show.
    pub plays_moves: bool,
    /// Whether it knows the castling rules and the castling notation of Chess960.
    pub is_chess960: bool,
    /// The greatest depth in plies of a question, or `None` if there is no limit.
    pub max_depth: Option<u32>,
}

impl Default for Abilities {
    fn default() -> Abilities {
        Abilities { plays_moves: true, is_chess960: true, max_depth: None }
    }
}

impl Abilities {
    /// Whether a question with this depth can be asked.
    pub fn can_ask(&self, depth: u32) -> bool {
        self.max_depth.is_none_or(|max| depth <= max)
    }
}
