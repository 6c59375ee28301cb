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
//! of the sources alternates, so no source always runs second. A position is finished when its interval is narrow
//! enough, or when its maximum of runs or time is reached.
//!
//! A source that counts wrong, or not at all, is excluded from that position, because then its speed means nothing.

use std::time::Duration;

use perft_core::Interrupted;
use perft_diagnosis::source::SourceError;
use serde::Serialize;

use super::source::{Sample, Task, TimedSource, nodes_per_second};
use super::statistics::{Bootstrap, Ratios, Times, median};

/// The order of the runs, and the limits on their number and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The number of warm-up rounds, which are not timed.
    pub warmup: u32,
    /// The minimum number of runs of each position on each source.
    pub min_runs: u32,
    /// The maximum number of runs of each position on each source.
    pub max_runs: u32,
    /// The maximum time of the runs of each position. The minimum number of runs is made even if it takes longer.
    pub max_time: Duration,
    /// A position is finished when its interval, divided by its value, is no wider than this. The interval is that of
    /// the time of a single source, or that of the ratio of several sources.
    pub relative_width: f64,
}

/// The run that is about to start, for a progress display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// The number of the round, from 1; 0 in the warm-up.
    pub round: u32,
    /// The name of the position.
    pub task: &'a str,
    /// The name of the source.
    pub source: &'a str,
    /// The speed of the source in this position so far, in leaf nodes per second; `None` before its first timed run.
    pub nodes_per_second: Option<f64>,
    /// A lower bound of the fraction of the benchmark that is done.
    pub done: f64,
}

impl Schedule {
    /// Runs every task on every source until there are enough runs, or until the stop signal is raised. After a stop
    /// signal, some positions are not [complete](Measured::is_complete). `show` is called before each run. The result
    /// has the order of the tasks.
    ///
    /// A source that counts wrong or not at all is excluded from that position. The others continue.
    pub fn run(&self, tasks: &[Task], sources: &mut [TimedSource], show: impl FnMut(Step)) -> Vec<Measured> {
        let all = tasks.iter().map(|task| Measured::new(task, sources.len())).collect();
        let mut runner = Runner { schedule: self, sources, show, all };
        if runner.run().is_err() {
            runner.all.iter_mut().for_each(Measured::drop_unfinished_round);
        }
        runner.all
    }

    /// Returns the fraction of the runs of a position that is done, if its interval never gets narrow enough.
    fn done(&self, measured: &Measured) -> f64 {
        if measured.is_complete {
            return 1.0;
        }
        let rounds = measured.rounds() as f64;
        let of_time = measured.seconds_of_all / self.max_time.as_secs_f64();
        (rounds / f64::from(self.max_runs)).max(of_time.min(rounds / f64::from(self.min_runs)))
    }

    fn update_status(&self, measured: &mut Measured) {
        let runs = measured.rounds();
        if runs >= self.min_runs as usize {
            measured.is_precise = measured.relative_width() <= self.relative_width;
            measured.is_complete = measured.is_precise
                || measured.seconds_of_all >= self.max_time.as_secs_f64()
                || runs >= self.max_runs as usize;
        }
        // Without runs, all sources are excluded.
        measured.is_complete |= runs == 0;
    }
}

struct Runner<'r, 'a, F> {
    schedule: &'r Schedule,
    sources: &'r mut [TimedSource<'a>],
    show: F,
    all: Vec<Measured>,
}

impl<F: FnMut(Step)> Runner<'_, '_, F> {
    fn run(&mut self) -> Result<(), Interrupted> {
        for _ in 0..self.schedule.warmup {
            (0..self.all.len()).try_for_each(|index| self.run_round(index, 0))?;
        }
        let mut round = 0;
        while self.all.iter().any(|measured| !measured.is_complete) {
            round += 1;
            for index in 0..self.all.len() {
                if !self.all[index].is_complete {
                    self.run_round(index, round)?;
                    self.schedule.update_status(&mut self.all[index]);
                }
            }
        }
        Ok(())
    }

    /// Runs a position once on each source. The order of the sources alternates. Round 0 is the warm-up and stores no
    /// samples.
    fn run_round(&mut self, position: usize, round: u32) -> Result<(), Interrupted> {
        let done = self.all.iter().map(|measured| self.schedule.done(measured)).sum::<f64>();
        let done = done / self.all.len() as f64;
        let measured = &mut self.all[position];
        let count = self.sources.len();
        for turn in 0..count {
            let index = if round > 0 && round.is_multiple_of(2) { count - 1 - turn } else { turn };
            if measured.failures[index].is_some() {
                continue;
            }
            let Task { position, depth, nodes } = &measured.task;
            let source = &mut self.sources[index];
            let (contender, position) = (source.name.clone(), position.label());
            let speed = |seconds| nodes_per_second(*nodes, seconds);
            let nodes_per_second = measured.median_seconds(index).map(speed);
            (self.show)(Step { round, task: position, source: &contender, nodes_per_second, done });
            let (outcome, error) = match source.run(&measured.task) {
                Err(SourceError::Interrupted) => return Err(Interrupted),
                Err(error) => (Outcome::Failed, format!("{contender} does not count {position}: {error}")),
                Ok((found, _)) if found != *nodes => (
                    Outcome::Wrong,
                    format!("{contender} counts {found} nodes in {position} at depth {depth}, not {nodes}"),
                ),
                Ok((_, sample)) => {
                    if round > 0 {
                        measured.seconds_of_all += sample.seconds();
                        measured.series[index].push(sample);
                    }
                    continue;
                }
            };
            // One wrong count makes the other runs worthless too.
            measured.series[index].clear();
            let task = measured.task.clone();
            measured.failures[index] = Some(Failure { task, contender, outcome, error });
        }
        Ok(())
    }
}

/// A position in which a contender has no speed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The count that was asked for.
    #[serde(flatten)]
    pub task: Task,
    /// The name of the contender.
    pub contender: String,
    /// The kind of failure.
    pub outcome: Outcome,
    /// The problem.
    pub error: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A count was wrong.
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
    /// The count that is repeated.
    pub task: Task,
    /// The runs of each source, in the order in which they were made. Run `n` of each source belongs to the same round.
    pub series: Vec<Vec<Sample>>,
    /// For each source, the failure because of which it has no runs.
    pub failures: Vec<Option<Failure>>,
    /// Whether the interval has become as narrow as requested.
    pub is_precise: bool,
    /// The elapsed time of all runs in seconds.
    seconds_of_all: f64,
    /// Whether all runs were made. `false` if the benchmark was interrupted before.
    pub is_complete: bool,
}

impl Measured {
    fn new(task: &Task, sources: usize) -> Measured {
        Measured {
            task: task.clone(),
            series: vec![Vec::new(); sources],
            failures: vec![None; sources],
            is_precise: false,
            seconds_of_all: 0.0,
            is_complete: false,
        }
    }

    /// Whether there is a result for the position: a source has a run, or has failed.
    pub fn has_begun(&self) -> bool {
        self.rounds() > 0 || self.failures.iter().any(Option::is_some)
    }

    pub fn rounds(&self) -> usize {
        self.series.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Removes the runs of a round that was interrupted. Then all sources that have not failed have the same number
    /// of runs.
    fn drop_unfinished_round(&mut self) {
        let has_failed = |source: usize| self.failures[source].is_some();
        let sources = (0..self.series.len()).filter(|&source| !has_failed(source));
        let rounds = sources.map(|source| self.series[source].len()).min().unwrap_or(0);
        self.series.iter_mut().for_each(|series| series.truncate(rounds));
    }

    /// Returns the median time of a source in seconds; `None` if it has no runs.
    fn median_seconds(&self, source: usize) -> Option<f64> {
        (!self.series[source].is_empty()).then(|| median(&self.seconds(source)))
    }

    /// Returns the times of a source in seconds, in the order of the runs.
    pub fn seconds(&self, source: usize) -> Vec<f64> {
        self.series[source].iter().map(Sample::seconds).collect()
    }

    pub fn times(&self, source: usize, reference: usize) -> Times {
        Times { own: self.seconds(source), reference: self.seconds(reference) }
    }

    /// Returns the relative width of the widest interval: of the median time of a single source, or of the ratios to
    /// the first source. It is computed after every round, so fewer resamples are drawn than for the report.
    fn relative_width(&self) -> f64 {
        let bootstrap = Bootstrap { resamples: 1000, ..Bootstrap::default() };
        let sources = (0..self.series.len()).filter(|&source| !self.series[source].is_empty());
        let sources: Vec<usize> = sources.collect();
        if let [only] = sources[..] {
            let own = self.seconds(only);
            return bootstrap.median_interval(&own).relative_width(median(&own));
        }
        let width = |&other: &usize| {
            let ratios = Ratios::new(&[self.times(sources[0], other)], true, &bootstrap);
            ratios.overall.map_or(f64::INFINITY, |ratio| ratio.interval.relative_width(ratio.value))
        };
        sources.iter().skip(1).map(width).fold(0.0, f64::max)
    }

    /// Adds a source whose runs were made before. Without runs, it did not run this position.
    pub fn add_source(&mut self, samples: Vec<Sample>) {
        self.series.push(samples);
        self.failures.push(None);
    }
}
