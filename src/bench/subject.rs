//! What is timed: anything that counts a position to a depth and says what that took.
//!
//! [`OwnSubject`] is a driver of ours, in this process. Another program is `program`'s; tests have one that invents
//! its times.

use std::time::Duration;

use super::clock::Clock;
use super::resources::{Usage, usage};
use perft_core::Position;
use perft_core::suite::{Case, KnownCount};
use perft_core::{Interrupted, Perft, Progress, StopSignal, Table, TableError};

/// A count that is made again and again: a position, a depth, and the number that must come out.
#[derive(Clone, Debug)]
pub struct Task {
    /// What the position is called.
    pub name: String,
    /// The position.
    pub position: Position,
    /// The known count.
    pub expected: KnownCount,
}

impl Task {
    /// A known count of a case.
    pub fn new(case: &Case, expected: KnownCount) -> Task {
        Task { name: case.name().to_owned(), position: case.position, expected }
    }
}

/// What one run said and took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The leaf nodes that were counted.
    pub nodes: u128,
    /// The time that it took.
    pub seconds: f64,
    /// What processors spent on it; `None` if the system does not say.
    pub processor: Option<ProcessorTime>,
    /// What processors spent on the count alone, on all threads; `None` if that is not known.
    pub work_seconds: Option<f64>,
    /// The most memory that the process has occupied until its end, in bytes; `None` if the system does not say.
    pub peak_memory_bytes: Option<u64>,
}

/// Time that processors spent, on all threads together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcessorTime {
    /// In the program.
    pub user_seconds: f64,
    /// In the system on its behalf.
    pub system_seconds: f64,
}

impl ProcessorTime {
    /// All of it.
    pub fn seconds(&self) -> f64 {
        self.user_seconds + self.system_seconds
    }

    /// What was spent between two looks.
    pub fn between(before: &Usage, after: &Usage) -> ProcessorTime {
        let seconds = |before: Duration, after: Duration| after.saturating_sub(before).as_secs_f64();
        ProcessorTime {
            user_seconds: seconds(before.user, after.user),
            system_seconds: seconds(before.system, after.system),
        }
    }
}

/// A run that came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubjectError {
    /// The stop signal was raised.
    #[error("interrupted")]
    Interrupted,
    /// It does not count, for this reason.
    #[error("{0}")]
    Failed(String),
}

impl From<Interrupted> for SubjectError {
    fn from(_: Interrupted) -> SubjectError {
        SubjectError::Interrupted
    }
}

/// What can be timed.
pub trait Subject {
    /// What it is called in messages.
    fn name(&self) -> &str;

    /// Counts once. Whether the count is right is for others to judge.
    ///
    /// # Errors
    /// There is no count.
    fn count(&mut self, task: &Task) -> Result<Sample, SubjectError>;
}

/// A driver of ours. One with a table gets an empty one for every run: what an earlier run has left would be half of the
/// answer.
#[derive(Debug)]
pub struct OwnSubject<C> {
    name: String,
    perft: Perft,
    table: Option<TableShape>,
    clock: C,
    stop: StopSignal,
}

#[derive(Clone, Copy, Debug)]
struct TableShape {
    bytes: usize,
    seed: u64,
}

impl<C: Clock> OwnSubject<C> {
    /// Times this driver, which has no table, by this clock.
    pub fn new(perft: Perft, clock: C, stop: StopSignal) -> OwnSubject<C> {
        OwnSubject { name: "this program".to_owned(), perft, table: None, clock, stop }
    }

    /// Called so, among several.
    pub fn named(self, name: &str) -> OwnSubject<C> {
        OwnSubject { name: name.to_owned(), ..self }
    }

    /// With a table of so many bytes, whose keys have this seed.
    pub fn with_table(self, bytes: usize, seed: u64) -> OwnSubject<C> {
        OwnSubject { table: Some(TableShape { bytes, seed }), ..self }
    }

    fn empty_the_table(&mut self) -> Result<(), TableError> {
        if let Some(TableShape { bytes, seed }) = self.table {
            self.perft = std::mem::take(&mut self.perft).table(Table::new(bytes, seed)?);
        }
        Ok(())
    }
}

impl<C: Clock> Subject for OwnSubject<C> {
    fn name(&self) -> &str {
        &self.name
    }

    fn count(&mut self, task: &Task) -> Result<Sample, SubjectError> {
        self.empty_the_table().map_err(|error| SubjectError::Failed(error.to_string()))?;
        let progress = Progress::new(self.stop.clone());
        let before = usage();
        let begin = self.clock.now();
        let nodes = self.perft.count(&task.position, task.expected.depth, &progress)?;
        let seconds = (self.clock.now() - begin).as_secs_f64();
        let after = usage();
        let processor = before.zip(after).map(|(before, after)| ProcessorTime::between(&before, &after));
        Ok(Sample {
            nodes,
            seconds,
            processor,
            work_seconds: processor.map(|time| time.seconds()),
            peak_memory_bytes: after.map(|usage| usage.peak_memory_bytes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::SystemClock;
    use perft_core::suite::builtin;

    fn task() -> Task {
        let case = builtin::position("kiwipete").unwrap();
        Task::new(case, case.expected[3])
    }

    #[test]
    fn our_driver_counts_and_takes_time() {
        let mut subject = OwnSubject::new(Perft::new(), SystemClock::default(), StopSignal::default());
        let sample = subject.count(&task()).unwrap();
        assert_eq!(sample.nodes, 4_085_603);
        assert!(sample.seconds > 0.0);
        assert_eq!(sample.processor.is_some(), cfg!(unix));
    }

    #[test]
    fn every_run_has_an_empty_table() {
        let subject = OwnSubject::new(Perft::new(), SystemClock::default(), StopSignal::default());
        let mut subject = subject.with_table(1 << 20, 0);
        let mut probes = || {
            subject.count(&task()).unwrap();
            let statistics = subject.perft.table_statistics().unwrap();
            (statistics.probes, statistics.hits)
        };
        assert_eq!(probes(), probes());
    }

    #[test]
    fn a_raised_signal_ends_a_run() {
        let stop = StopSignal::default();
        stop.raise();
        let mut subject = OwnSubject::new(Perft::new(), SystemClock::default(), stop);
        assert_eq!(subject.count(&task()), Err(SubjectError::Interrupted));
    }
}
