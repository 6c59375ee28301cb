//! Sources of perft counts that may be wrong: what they are asked, what they answer, and how they fail.
//!
//! Nothing here starts a process. The program implements [`CountSource`] for engines; a test or a web page can implement it
//! for anything else.

mod answer;
mod error;
mod question;

pub use answer::{Answer, OutputLine};
pub use error::SourceError;
pub use question::Question;

use perft_core::StopSignal;

/// A source of perft counts that may be wrong, and may fail.
pub trait CountSource {
    /// Asks for the counts below a position.
    ///
    /// # Errors
    /// There is no answer. The next question is asked as if nothing had happened.
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError>;

    /// Returns the name that the source gives itself, once it is known.
    fn name(&self) -> Option<&str> {
        None
    }
}
