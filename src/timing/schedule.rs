//! The order of the runs, and when enough runs were made.
//!
//! ```text
//! warm-up:  start A  start B  kiwipete A  kiwipete B
//! round 1:  start A  start B  kiwipete A  kiwipete B
//! round 2:  start B  start A  kiwipete B  kiwipete A
//! round 3:  start A  ...
//! ```
//!
//! Each round runs all positions on all sources. So if the machine becomes slower, all sources are affected. The order
//! of the sources alternates, so no source always runs second. After a round, the caller may say that it is enough.
//!
//! A source that counts wrong, or not at all, is excluded from that position, because then its speed means nothing.

use std::time::Duration;

use perft_core::Interrupted;
use perft_diagnosis::source::SourceError;
use serde::Serialize;

use super::source::{Measure, Sample, Task, TimedSource, nodes_per_second};
use super::statistics::Costs;

/// The limits on the number and the time of the runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The number of warm-up rounds, which are not timed.
    pub warmup: u32,
    pub max_rounds: u32,
    /// The maximum time of all rounds together. The last round may end later.
    pub max_time: Duration,
}

/// The run that is about to start, for a progress display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// The number of the round, from 1; 0 in the warm-up.
    pub round: u32,
    /// The name of the position.
    pub task: &'a str,
    pub source: &'a str,
    /// The speed of the last run of the source in this position, in leaf nodes per second; `None` before the first.
    pub nodes_per_second: Option<f64>,
    /// A lower bound of the fraction of the benchmark that is done.
    pub done: f64,
}

impl Schedule {
    /// Runs every task on every source, round by round, until `is_enough` or a limit is reached, or until the stop
    /// signal is raised. After a stop signal, some positions are not [complete](Measured::is_complete). `show` is
    /// called before each run. The first series of each position are those of the sources. Returns the time of all
    /// rounds in seconds.
    ///
    /// A source that counts wrong or not at all is excluded from that position. The others continue.
    pub fn run(
        &self,
        all: &mut [Measured],
        sources: &mut [TimedSource],
        is_enough: impl Fn(&[Measured]) -> bool,
        show: impl FnMut(Step),
    ) -> f64 {
        let mut runner = Runner { schedule: self, sources, show, all, round: 0, seconds: 0.0 };
        let was_interrupted = runner.run(is_enough).is_err();
        let seconds = runner.seconds;
        for measured in all {
            measured.series[..sources.len()].iter_mut().for_each(|series| series.truncate(measured.rounds));
            measured.is_complete = !was_interrupted || measured.rounds == self.max_rounds as usize;
        }
        seconds
    }
}

struct Runner<'r, 'a, F> {
    schedule: &'r Schedule,
    sources: &'r mut [TimedSource<'a>],
    show: F,
    all: &'r mut [Measured],
    /// The number of the round; 0 in the warm-up.
    round: u32,
    /// The time of all rounds so far.
    seconds: f64,
}

impl<F: FnMut(Step)> Runner<'_, '_, F> {
    fn run(&mut self, is_enough: impl Fn(&[Measured]) -> bool) -> Result<(), Interrupted> {
        let positions = self.all.len();
        for _ in 0..self.schedule.warmup {
            (0..positions).try_for_each(|index| self.run_position(index))?;
        }
        self.seconds = 0.0;
        loop {
            self.round += 1;
            (0..positions).try_for_each(|index| self.run_position(index))?;
            // Many rounds are looked at less often, because each look sorts all of them.
            let is_looked_at = self.round < 100 || self.round.is_multiple_of(self.round / 100);
            let mut own = self.all.iter().flat_map(|measured| &measured.series[..self.sources.len()]);
            let has_failed = own.all(Vec::is_empty);
            if self.done() >= 1.0 || has_failed || is_looked_at && is_enough(self.all) {
                return Ok(());
            }
        }
    }

    /// Returns the fraction of the time or of the rounds that is over.
    fn done(&self) -> f64 {
        let Schedule { max_rounds, max_time, .. } = self.schedule;
        let rounds = self.all.iter().map(|measured| measured.rounds).min().unwrap_or(0);
        (rounds as f64 / f64::from(*max_rounds)).max(self.seconds / max_time.as_secs_f64())
    }

    /// Runs a position once on each source. The order of the sources alternates. The warm-up stores no samples.
    fn run_position(&mut self, position: usize) -> Result<(), Interrupted> {
        let done = self.done().min(1.0);
        let (round, count) = (self.round, self.sources.len());
        let measured = &mut self.all[position];
        for turn in 0..count {
            let index = if round > 0 && round.is_multiple_of(2) { count - 1 - turn } else { turn };
            if measured.failures[index].is_some() {
                continue;
            }
            let Task { position, depth, nodes } = &measured.task;
            let source = &mut self.sources[index];
            let (contender, position) = (source.name.clone(), position.label());
            let speed = |sample: &Sample| nodes_per_second(*nodes, sample.seconds());
            let nodes_per_second = measured.series[index].last().map(speed);
            (self.show)(Step { round, task: position, source: &contender, nodes_per_second, done });
            let (outcome, error) = match source.run(&measured.task) {
                Err(SourceError::Interrupted) => return Err(Interrupted),
                Err(error) => (Outcome::Failed, format!("{contender} does not count {position}: {error}")),
                Ok(run) if u128::try_from(run.total) != Ok(*nodes) => (
                    Outcome::Wrong,
                    format!(
                        "{contender} counts {} nodes in {position} at depth {depth}, not {nodes}",
                        run.total
                    ),
                ),
                Ok(run) => {
                    self.seconds += run.seconds;
                    measured.series[index].extend((round > 0).then_some(run.sample));
                    continue;
                }
            };
            // One wrong count makes the other runs worthless too.
            measured.series[index].clear();
            let task = measured.task.clone();
            measured.failures[index] = Some(Failure { task, contender, outcome, error });
        }
        measured.rounds = round as usize;
        Ok(())
    }
}

/// A position in which a contender has no speed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    #[serde(flatten)]
    pub task: Task,
    pub contender: String,
    pub outcome: Outcome,
    pub error: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Wrong,
    /// There was no count.
    Failed,
}

impl Outcome {
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Wrong => "wrong",
            Outcome::Failed => "failed",
        }
    }
}

/// The runs of one position.
#[derive(Clone, Debug)]
pub struct Measured {
    pub task: Task,
    /// The runs of each source, in the order in which they were made. Run `n` of each source belongs to the same round.
    pub series: Vec<Vec<Sample>>,
    /// For each source, the failure because of which it has no runs.
    pub failures: Vec<Option<Failure>>,
    /// The number of finished rounds.
    pub rounds: usize,
    /// Whether all runs were made. `false` if the benchmark was interrupted before.
    pub is_complete: bool,
}

impl Measured {
    pub fn new(task: &Task, sources: usize) -> Measured {
        Measured {
            task: task.clone(),
            series: vec![Vec::new(); sources],
            failures: vec![None; sources],
            rounds: 0,
            is_complete: false,
        }
    }

    /// Adds a source whose runs were made before. Without runs, it did not run this position.
    pub fn with_saved(mut self, samples: &[Sample]) -> Measured {
        self.series.push(samples.to_vec());
        self.failures.push(None);
        self
    }

    /// Whether there is a result for the position: a source has a run, or has failed.
    pub fn has_begun(&self) -> bool {
        self.rounds > 0 || self.failures.iter().any(Option::is_some)
    }

    pub fn costs(&self, source: usize, reference: usize, measure: Measure) -> Costs {
        let of = |source: usize| self.series[source].iter().filter_map(|run| run.cost(measure)).collect();
        Costs { own: of(source), reference: of(reference) }
    }
}
