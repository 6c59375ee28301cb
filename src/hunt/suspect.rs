//! Whoever is asked: a foreign program, or something that stands in for one.

use crate::engine::{Answer, Engine, EngineError, Question};
use crate::perft::StopSignal;

/// A source of perft counts that may be wrong, and may fail.
pub trait Suspect {
    /// Asks for the counts below a position.
    ///
    /// # Errors
    /// There is no answer. The next question is asked as if nothing had happened.
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, EngineError>;

    /// What it calls itself, if it has said so.
    fn name(&self) -> Option<&str> {
        None
    }
}

impl Suspect for Engine {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, EngineError> {
        Engine::ask(self, question, stop)
    }

    fn name(&self) -> Option<&str> {
        Engine::name(self)
    }
}
