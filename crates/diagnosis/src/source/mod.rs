//! Sources of perft counts: what they are asked, what they answer, what an answer costs, and how they fail.
//!
//! A [`CountSource`] is anything that can be asked for the perft of a position: an engine, another build of the program, a
//! driver in the same process, or a fake in a test. Everything that compares, times or checks counts is written against this
//! one trait. Nothing here starts a process or reads a clock.

mod answer;
mod error;
mod question;
mod usage;

pub use answer::{Answer, OutputLine};
pub use error::SourceError;
pub use question::Question;
pub use usage::{Cost, Usage};

use perft_core::StopSignal;

/// A source of perft counts. Its counts may be wrong, and it may fail.
///
/// # Examples
/// ```
/// use perft_core::{Position, StopSignal, perft};
/// use perft_diagnosis::source::{Answer, CountSource, SourceError, Question};
///
/// /// Ignores the moves of a question.
/// struct Local;
///
/// impl CountSource for Local {
///     fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
///         let position = Position::from_fen(&question.fen).expect("questions are about legal positions");
///         let total = perft(&position, question.depth);
///         Ok(Answer { moves: Vec::new(), stated_total: Some(total) })
///     }
/// }
///
/// let answer = Local.ask(&Question::new(&Position::start(), 3), &StopSignal::default())?;
/// assert_eq!(answer.total(), 8902);
/// # Ok::<(), SourceError>(())
/// ```
pub trait CountSource {
    /// Asks for the counts below a position.
    ///
    /// # Errors
    /// The source gives no answer, or the stop signal was raised. After an error, the source can be asked again.
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError>;

    /// Prepares the source for the next question, so that the preparation is not timed with the answer. An engine is
    /// started; a driver with a transposition table gets an empty one. Calling this is optional.
    ///
    /// # Errors
    /// The source cannot be prepared, so it cannot answer any question.
    fn prepare(&mut self, _stop: &StopSignal) -> Result<(), SourceError> {
        Ok(())
    }

    /// Returns the name that the source gives itself, once it is known.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Returns what the last answer cost, as far as the source knows it.
    fn cost(&self) -> Cost {
        Cost::default()
    }
}
