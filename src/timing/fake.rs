//! A clock and a source for tests. No real time passes: each answer moves the clock.

use std::cell::Cell;
use std::time::Duration;

use perft_core::suite::{builtin, named};
use perft_core::{Position, StopSignal};
use perft_diagnosis::source::{Answer, Cost, CountSource, Question, SourceError};

use super::clock::{Clock, Measure};
use super::schedule::Schedule;
use super::source::{Task, TimedSource};

/// A clock that the fake sources move.
#[derive(Debug, Default)]
pub struct FakeClock(Cell<Duration>);

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        self.0.get()
    }
}

/// A source whose answers take the given times, in a cycle. The counts are right unless a method makes them wrong.
pub struct FakeSource<'a> {
    name: &'static str,
    clock: &'a FakeClock,
    seconds: Vec<f64>,
    processor_seconds: Vec<f64>,
    answers: usize,
    first_wrong: usize,
    first_interrupted: usize,
}

impl<'a> FakeSource<'a> {
    /// Makes a source. Without times, it always fails.
    pub fn new(name: &'static str, clock: &'a FakeClock, seconds: &[f64]) -> FakeSource<'a> {
        FakeSource {
            name,
            clock,
            seconds: seconds.to_vec(),
            processor_seconds: Vec::new(),
            answers: 0,
            first_wrong: usize::MAX,
            first_interrupted: usize::MAX,
        }
    }

    /// Sets the processor times of the answers, in a cycle.
    pub fn with_processor_times(self, seconds: &[f64]) -> FakeSource<'a> {
        FakeSource { processor_seconds: seconds.to_vec(), ..self }
    }

    /// Makes the counts one node too large from this answer on. Answers are numbered from 1.
    pub fn wrong_from(self, answer: usize) -> FakeSource<'a> {
        FakeSource { first_wrong: answer, ..self }
    }

    /// Makes the source report an interruption from this answer on. Answers are numbered from 1.
    pub fn interrupted_from(self, answer: usize) -> FakeSource<'a> {
        FakeSource { first_interrupted: answer, ..self }
    }

    pub fn timed(self, clock: &'a FakeClock) -> TimedSource<'a> {
        TimedSource::new(self.name, self, clock, StopSignal::default())
    }
}

impl CountSource for FakeSource<'_> {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        let no_time = || SourceError::CannotCount("out of times".to_owned());
        let seconds = *self.seconds.get(self.answers % self.seconds.len().max(1)).ok_or_else(no_time)?;
        self.answers += 1;
        if self.answers >= self.first_interrupted {
            return Err(SourceError::Interrupted);
        }
        self.clock.0.set(self.clock.0.get() + Duration::from_secs_f64(seconds));
        let position = Position::from_fen(&question.fen).unwrap();
        let case = named().cases.iter().find(|case| case.position == position).unwrap();
        let known = case.expected.iter().find(|known| known.depth == question.depth).unwrap();
        let nodes = known.nodes + u128::from(self.answers >= self.first_wrong);
        Ok(Answer { moves: Vec::new(), stated_total: Some(nodes), ..Answer::default() })
    }

    fn cost(&self) -> Cost {
        let last = self.answers.saturating_sub(1);
        let processor_time = self.processor_seconds.iter().cycle().nth(last).copied();
        Cost { processor_time: processor_time.map(Duration::from_secs_f64), ..Cost::default() }
    }
}

/// Makes a schedule of five runs or more, without a warm-up.
pub fn schedule() -> Schedule {
    Schedule {
        warmup: 0,
        min_runs: 5,
        max_runs: 50,
        max_time: Duration::from_secs(10),
        relative_width: 0.01,
        measure: Measure::Wall,
    }
}

impl Schedule {
    pub fn fixed(self, runs: u32) -> Schedule {
        Schedule { min_runs: runs, max_runs: runs, ..self }
    }
}

pub fn task(name: &str, depth: usize) -> Task {
    let case = builtin::position(name).unwrap();
    Task::new(case, case.expected[depth - 1])
}
