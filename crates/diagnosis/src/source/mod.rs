//! Sources of perft counts: the questions, the answers, the cost of an answer, and the errors.
//!
//! A *source* is anything that counts leaf nodes and may count them wrong: an engine, a script, or a move generator in
//! this process. All code that compares, checks or times counts uses the one trait [`CountSource`]. Nothing here starts
//! a process or reads a clock. The `perft` program implements the trait for engines and for its own drivers.
//!
//! # Implementing `CountSource` for your own generator
//!
//! Set up the position of [`Question::fen`], play [`Question::moves`] with your own code, and return the number of leaf
//! nodes below each move. Play the moves instead of setting up the position after them. Only then can
//! [`hunt`](crate::hunt()) distinguish a bug in making moves from a bug in generating them.
//!
//! This generator forgets that a pawn may promote to a knight. Three positions are enough to find the bug:
//!
//! ```
//! use perft_core::{Move, MoveKind, Position, StopSignal};
//! use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
//! use perft_diagnosis::{SearchOptions, HuntTarget, MovePath, Verdict, hunt};
//!
//! struct NoKnightPromotions;
//!
//! fn moves(position: &Position) -> Vec<Move> {
//!     let all = position.legal_moves().into_iter();
//!     all.filter(|played| played.kind() != MoveKind::PromoteKnight).collect()
//! }
//!
//! fn count(position: &Position, depth: u32) -> u128 {
//!     if depth == 0 {
//!         return 1;
//!     }
//!     moves(position).into_iter().map(|played| count(&position.play_unchecked(played), depth - 1)).sum()
//! }
//!
//! impl CountSource for NoKnightPromotions {
//!     fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
//!         let mut position = Position::from_fen(&question.fen).expect("a question has a legal position");
//!         for text in &question.moves {
//!             let played = position.find_move(text).expect("a question has legal moves");
//!             position = position.play_unchecked(played);
//!         }
//!         let notation = position.castling_notation();
//!         let below = |played: Move| {
//!             (played.to_uci(notation), count(&position.play_unchecked(played), question.depth - 1))
//!         };
//!         Ok(Answer { moves: moves(&position).into_iter().map(below).collect(), stated_total: None, ..Answer::default() })
//!     }
//! }
//!
//! let targets = [
//!     "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
//!     "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
//!     "7k/8/1P6/8/8/8/4r3/K7 w - - 0 1",
//! ]
//! .map(|fen| HuntTarget { path: MovePath::new(Position::from_fen(fen).unwrap()), depths: vec![1, 2, 3] });
//! let summary = hunt(
//!     |number| targets.get(number).cloned(),
//!     || Box::new(NoKnightPromotions),
//!     SearchOptions::default(),
//!     &StopSignal::default(),
//!     |_| {},
//! );
//!
//! assert_eq!((summary.positions, summary.faulty, summary.findings.len()), (3, 1, 1));
//! let bug = &summary.findings[0];
//! assert_eq!(bug.verdict, Verdict::Generation);
//! assert!(bug.wrong_moves[0].is_missing);
//! assert_eq!(
//!     bug.wrong_moves[0].why.text,
//!     "b7b8n is legal: a pawn that reaches the last rank may become a knight"
//! );
//! ```

mod abilities;
mod answer;
mod error;
mod function;
mod learn;
pub(crate) mod notation;
mod plain;
mod profile;
mod question;
mod shape;
mod state;
mod usage;

pub use abilities::Abilities;
pub use answer::Answer;
pub use error::SourceError;
pub use function::{from_fen_fn, from_fn};
pub use learn::{Lesson, learn, shows_count};
pub use profile::{AnswerReader, End, Patterns, Profile, Times};
pub use question::Question;
pub use shape::Spelling;
pub use state::{State, StateReader};
pub use usage::{Cost, Usage};

use perft_core::StopSignal;

/// A source of perft counts that may be wrong, and may fail to answer.
///
/// See the [module](self) for an example.
pub trait CountSource {
    /// Counts the leaf nodes below the position of a question.
    ///
    /// A source that can be interrupted returns [`SourceError::Interrupted`] soon after `stop` is raised.
    ///
    /// # Errors
    /// Returns an error if there is no answer. The source must still be able to answer the next question.
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError>;

    /// Returns the state that the source prints for the position of a question: its FEN, its key, or both. If the depth
    /// of the question is not 0, the source first counts to this depth. Then errors in taking back moves show in the
    /// state.
    ///
    /// The state is empty if the source prints none, or if it cannot count before it prints. The default is an empty
    /// state.
    ///
    /// # Errors
    /// The same as for [`CountSource::ask`].
    fn state(&mut self, _question: &Question, _stop: &StopSignal) -> Result<State, SourceError> {
        Ok(State::default())
    }

    /// Prepares the source for the next question, so that the preparation is not timed with the answer. An engine is
    /// started. A driver with a transposition table gets an empty table. Calling this function is optional.
    ///
    /// # Errors
    /// Returns an error if the source cannot be prepared. Then it cannot answer any question.
    fn prepare(&mut self, _stop: &StopSignal) -> Result<(), SourceError> {
        Ok(())
    }

    /// Discards data of earlier questions, such as a transposition table. An engine is started again for the next
    /// question. The default does nothing, for sources that keep no data.
    ///
    /// A wrong answer is a bug of a rule only if a new start gives the same answer.
    fn restart(&mut self) {}

    /// Returns the questions that the source can be asked. An engine may know more about itself once it is
    /// [prepared](CountSource::prepare).
    fn abilities(&self) -> Abilities {
        Abilities::default()
    }

    /// Returns the name that the source gives itself, once it is known.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Returns the cost of the last answer. Parts that the source does not know are `None`.
    fn cost(&self) -> Cost {
        Cost::default()
    }
}
