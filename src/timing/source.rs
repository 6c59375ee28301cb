//! The tasks and the sources of a benchmark.

use std::collections::HashMap;
use std::time::Duration;

use perft_core::suite::{Case, KnownCount};
use perft_core::{Position, StopSignal};
use perft_diagnosis::source::{Cost, CountSource, Question, SourceError, Usage};

use super::clock::{Clock, Measure};

/// A count that is repeated: a position, a depth and the known result.
#[derive(Clone, Debug)]
pub struct Task {
    /// The name of the position.
    pub name: String,
    /// The position.
    pub position: Position,
    /// The known count.
    pub expected: KnownCount,
}

impl Task {
    pub fn new(case: &Case, expected: KnownCount) -> Task {
        Task { name: case.name().to_owned(), position: case.position, expected }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The leaf nodes that were counted.
    pub nodes: u128,
    /// The elapsed time of the run in seconds.
    pub wall_seconds: f64,
    /// The processor time of the count alone in seconds, on all threads; `None` if it is unknown, or too short for the
    /// system to see.
    pub processor_seconds: Option<f64>,
    /// The resources that the process used for the run; `None` if they are unknown.
    pub usage: Option<Usage>,
}

/// Returns a speed in leaf nodes per second. It is finite, even if the time is too short for the clock.
pub fn nodes_per_second(nodes: u128, seconds: f64) -> f64 {
    nodes as f64 / seconds.max(1e-9)
}

impl Sample {
    /// Makes a sample of a count, the time that the clock measured for it, and its cost. If the source has measured a
    /// time itself, that time is used, because it does not include the question and the answer.
    pub fn new(nodes: u128, elapsed: Duration, cost: Cost) -> Sample {
        Sample {
            nodes,
            wall_seconds: cost.elapsed.unwrap_or(elapsed).as_secs_f64(),
            processor_seconds: cost
                .processor_time
                .map(|time| time.as_secs_f64())
                .filter(|&seconds| seconds > 0.0),
            usage: cost.usage,
        }
    }

    /// Returns the time of the run in seconds.
    ///
    /// # Panics
    /// The processor time is wanted and not known.
    pub fn seconds(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Wall => self.wall_seconds,
            Measure::Processor => self.processor_seconds.expect("otherwise the schedule takes wall time"),
        }
    }
}

/// A source of counts whose answers are timed.
///
/// The speed that an engine itself prints is ignored, because each engine measures something different. An engine
/// with sessions is started before the clock. A program that is run once for each question is timed together with its
/// start.
///
/// A source that failed in a position is not asked about it again, and a source that could not be prepared is never
/// asked. Otherwise the benchmark would wait for the same time limit many times.
pub struct TimedSource<'a> {
    name: String,
    source: Box<dyn CountSource + 'a>,
    clock: &'a dyn Clock,
    stop: StopSignal,
    failures: HashMap<Position, SourceError>,
    /// The reason why the source could not be prepared.
    not_ready: Option<SourceError>,
}

impl<'a> TimedSource<'a> {
    /// Makes a source that is timed by a clock. The name is for messages and tables.
    pub fn new(
        name: &str,
        source: impl CountSource + 'a,
        clock: &'a dyn Clock,
        stop: StopSignal,
    ) -> TimedSource<'a> {
        let source = Box::new(source);
        TimedSource { name: name.to_owned(), source, clock, stop, failures: HashMap::new(), not_ready: None }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name that the source gives itself, once it is known.
    pub fn own_name(&self) -> Option<&str> {
        self.source.name()
    }

    /// Runs a task once. The caller checks whether the count is right.
    ///
    /// # Errors
    /// The source gives no count.
    pub fn run(&mut self, task: &Task) -> Result<Sample, SourceError> {
        if let Some(error) = self.not_ready.as_ref().or(self.failures.get(&task.position)) {
            return Err(error.clone());
        }
        self.source.prepare(&self.stop).inspect_err(|error| self.not_ready = Some(error.clone()))?;
        let question = Question::new(&task.position, task.expected.depth);
        let begin = self.clock.now();
        let answer = self.source.ask(&question, &self.stop);
        let elapsed = self.clock.now() - begin;
        match answer {
            Ok(answer) => Ok(Sample::new(answer.total(), elapsed, self.source.cost())),
            Err(error) => {
                self.failures.insert(task.position, error.clone());
                Err(error)
            }
        }
    }
}
