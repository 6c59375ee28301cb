//! The runs of one position.

use std::time::Duration;

use perft_diagnosis::source::SourceError;

use super::clock::Measure;
use super::ratio::{Ratios, Times};
use super::source::{Sample, Task};
use super::statistics::{Bootstrap, median};

/// The reason why a source has no runs in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunFailure {
    /// It counted this number of nodes, which is wrong.
    Wrong(u128),
    /// It gave no count.
    Failed(SourceError),
}

#[derive(Clone, Debug)]
pub struct Measured {
    /// The position, its depth and its known count.
    pub task: Task,
    /// The runs of each source, in the order in which they were made. Run `n` of each source belongs to the same round.
    pub series: Vec<Vec<Sample>>,
    /// For each source, the reason why it has no runs, if it failed.
    pub failures: Vec<Option<RunFailure>>,
    /// The kind of the times. It is the same for all positions of a benchmark.
    pub measure: Measure,
    /// Whether the interval has become as narrow as requested.
    pub is_precise: bool,
    /// The time of all rounds except the warm-up.
    pub time: Duration,
    /// Whether all runs were made. `false` if the benchmark was interrupted before.
    pub is_complete: bool,
}

impl Measured {
    pub fn new(task: &Task, sources: usize, measure: Measure) -> Measured {
        Measured {
            task: task.clone(),
            measure,
            series: vec![Vec::new(); sources],
            failures: vec![None; sources],
            is_precise: false,
            time: Duration::ZERO,
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
    pub fn drop_unfinished_round(&mut self) {
        let has_failed = |source: usize| self.failures[source].is_some();
        let sources = (0..self.series.len()).filter(|&source| !has_failed(source));
        let rounds = sources.map(|source| self.series[source].len()).min().unwrap_or(0);
        self.series.iter_mut().for_each(|series| series.truncate(rounds));
    }

    /// Returns the median time of a source in seconds; `None` if it has no runs.
    pub fn median_seconds(&self, source: usize) -> Option<f64> {
        (!self.series[source].is_empty()).then(|| median(&self.seconds(source)))
    }

    /// Returns the times of a source in seconds, in the order of the runs.
    pub fn seconds(&self, source: usize) -> Vec<f64> {
        self.series[source].iter().map(|sample| sample.seconds(self.measure)).collect()
    }

    pub fn times(&self, source: usize, reference: usize) -> Times {
        Times { own: self.seconds(source), reference: self.seconds(reference) }
    }

    /// Returns the relative width of the widest interval: of the median time of a single source, or of the ratios to
    /// the first source. It is computed after every round, so fewer resamples are drawn than for the report.
    pub fn relative_width(&self) -> f64 {
        let bootstrap = Bootstrap { resamples: 1000, ..Bootstrap::default() };
        let sources = (0..self.series.len()).filter(|&source| !self.series[source].is_empty());
        let sources: Vec<usize> = sources.collect();
        if let [only] = sources[..] {
            let own = self.seconds(only);
            return bootstrap.median_interval(&own).relative_width(median(&own));
        }
        let width = |&other: &usize| {
            let ratios = Ratios::paired(&[self.times(sources[0], other)], &bootstrap);
            // The machine may have been too busy for a ratio.
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
