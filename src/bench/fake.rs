//! A clock and a subject for tests: time passes when a run says so.

use std::cell::Cell;
use std::time::Duration;

use super::clock::Clock;
use super::subject::{Sample, Subject, SubjectError, Task};
use perft_core::suite::builtin;

/// A clock that somebody else moves.
#[derive(Debug, Default)]
pub struct FakeClock(Cell<Duration>);

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        self.0.get()
    }
}

/// A subject whose runs take given times, again and again, and count right until a given run.
pub struct FakeSubject<'a> {
    name: &'static str,
    clock: &'a FakeClock,
    seconds: Vec<f64>,
    work_seconds: Option<f64>,
    runs: usize,
    wrong_from: usize,
}

impl<'a> FakeSubject<'a> {
    pub fn new(name: &'static str, clock: &'a FakeClock, seconds: &[f64]) -> FakeSubject<'a> {
        FakeSubject {
            name,
            clock,
            seconds: seconds.to_vec(),
            work_seconds: None,
            runs: 0,
            wrong_from: usize::MAX,
        }
    }

    /// Every run keeps a processor busy for so long.
    pub fn working(self, seconds: f64) -> FakeSubject<'a> {
        FakeSubject { work_seconds: Some(seconds), ..self }
    }

    /// From this run on, counted from 1, there is a node too many.
    pub fn wrong_from(self, run: usize) -> FakeSubject<'a> {
        FakeSubject { wrong_from: run, ..self }
    }
}

impl Subject for FakeSubject<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn count(&mut self, task: &Task) -> Result<Sample, SubjectError> {
        if self.seconds.is_empty() {
            return Err(SubjectError::Failed("out of times".to_owned()));
        }
        let seconds = self.seconds[self.runs % self.seconds.len()];
        self.runs += 1;
        self.clock.0.set(self.clock.0.get() + Duration::from_secs_f64(seconds));
        let nodes = task.expected.nodes + u128::from(self.runs >= self.wrong_from);
        Ok(Sample {
            nodes,
            seconds,
            processor: None,
            work_seconds: self.work_seconds,
            peak_memory_bytes: None,
        })
    }
}

/// A named position to a depth.
pub fn task(name: &str, depth: usize) -> Task {
    let case = builtin::position(name).unwrap();
    Task::new(case, case.expected[depth - 1])
}
