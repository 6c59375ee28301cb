//! A foreign program as a subject: asked in its own language, timed by our clock.
//!
//! What it says of its own speed is not read: every program means something else by it. A session is open before the
//! clock starts; a program that is run anew for every question is timed with its start, as whoever runs it has it.

use super::clock::Clock;
use super::subject::{Sample, Subject, SubjectError, Task};
use crate::engine::{Engine, EngineSpec, Question};
use crate::perft::StopSignal;

/// A foreign program, in any of the dialects.
#[derive(Debug)]
pub struct EngineSubject<C> {
    name: String,
    engine: Engine,
    clock: C,
    stop: StopSignal,
}

impl<C: Clock> EngineSubject<C> {
    /// Times this program, under this name, by this clock.
    pub fn new(name: &str, spec: EngineSpec, clock: C, stop: StopSignal) -> EngineSubject<C> {
        EngineSubject { name: name.to_owned(), engine: Engine::new(spec), clock, stop }
    }

    /// What the program calls itself, once it has been asked something and said it.
    pub fn said_name(&self) -> Option<&str> {
        self.engine.name()
    }
}

impl<C: Clock> Subject for EngineSubject<C> {
    fn name(&self) -> &str {
        &self.name
    }

    fn count(&mut self, task: &Task) -> Result<Sample, SubjectError> {
        let question = Question::about(&task.position, task.expected.depth);
        self.engine.start(&self.stop)?;
        let begin = self.clock.now();
        let nodes = self.engine.ask(&question, &self.stop)?.total();
        let seconds = (self.clock.now() - begin).as_secs_f64();
        Ok(Sample { nodes, seconds, processor: None, work_seconds: None, peak_memory_bytes: None })
    }
}
