//! A foreign program as a subject: asked in its own language, timed by our clock.
//!
//! What it says of its own speed is not read: every program means something else by it. A session is open before the
//! clock starts; a program that is run anew for every question is timed with its start, as whoever runs it has it. One that
//! has not answered in a position is not asked there again, and one that cannot be started nowhere: it would be waited for
//! again.

use std::collections::HashMap;

use super::clock::Clock;
use super::subject::{ProcessorTime, Sample, Subject, SubjectError, Task};
use crate::engine::{Engine, EngineSpec, Spent};
use perft_core::Position;
use perft_core::StopSignal;
use perft_diagnosis::source::Question;

/// A foreign program, in any of the dialects.
#[derive(Debug)]
pub struct EngineSubject<C> {
    name: String,
    engine: Engine,
    clock: C,
    stop: StopSignal,
    /// Where it did not answer, and why.
    failures: HashMap<Position, SubjectError>,
    /// Why it does not get ready for any question.
    unready: Option<SubjectError>,
}

impl<C: Clock> EngineSubject<C> {
    /// Times this program, under this name, by this clock.
    pub fn new(name: &str, spec: EngineSpec, clock: C, stop: StopSignal) -> EngineSubject<C> {
        EngineSubject {
            name: name.to_owned(),
            engine: Engine::new(spec),
            clock,
            stop,
            failures: HashMap::new(),
            unready: None,
        }
    }

    /// What the program calls itself, once it has been asked something and said it.
    pub fn said_name(&self) -> Option<&str> {
        self.engine.name()
    }

    fn ask(&mut self, task: &Task) -> Result<Sample, SubjectError> {
        let question = Question::new(&task.position, task.expected.depth);
        let started = self.engine.start(&self.stop).map_err(SubjectError::from);
        started.inspect_err(|failure| self.unready = Some(failure.clone()))?;
        let begin = self.clock.now();
        let nodes = self.engine.ask(&question, &self.stop)?.total();
        let seconds = (self.clock.now() - begin).as_secs_f64();
        let spent = self.engine.spent();
        Ok(Sample {
            nodes,
            seconds,
            processor: spent.map(ProcessorTime::from),
            work_seconds: None,
            peak_memory_bytes: spent.and_then(|spent| spent.peak_memory_bytes),
        })
    }
}

impl From<Spent> for ProcessorTime {
    fn from(spent: Spent) -> ProcessorTime {
        ProcessorTime { user_seconds: spent.user.as_secs_f64(), system_seconds: spent.system.as_secs_f64() }
    }
}

impl<C: Clock> Subject for EngineSubject<C> {
    fn name(&self) -> &str {
        &self.name
    }

    fn count(&mut self, task: &Task) -> Result<Sample, SubjectError> {
        if let Some(failure) = self.unready.as_ref().or(self.failures.get(&task.position)) {
            return Err(failure.clone());
        }
        let sample = self.ask(task);
        if let Err(failure) = &sample {
            self.failures.insert(task.position, failure.clone());
        }
        sample
    }
}
