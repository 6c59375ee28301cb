//! The order of the runs, and when enough runs were made.
//!
//! ```text
//! warm-up:  start A  start B  kiwipete A  kiwipete B
//! round 1:  start A  start B  kiwipete A  kiwipete B
//! round 2:  start B  start A  kiwipete B  kiwipete A
//! round 3:  start A  ...
//! ```
//!
//! Each round runs all positions on all sources. So if the machine becomes slower, all sources are affected. The order of the
//! sources alternates, so no source always runs second. A position is finished when its interval is narrow enough, or when
//! its maximum of runs or time is reached.
//!
//! A wrong count ends the whole benchmark: no speed means anything then. [`Schedule::run_lenient`] excludes only the source
//! that failed, and only in that position.

use std::time::Duration;

use perft_core::Interrupted;
use perft_diagnosis::source::SourceError;

use super::clock::Clock;
use super::ratio::{Ratios, Times};
use super::source::{Sample, Task, TimedSource};
use super::statistics::{Bootstrap, median, median_in_place};

/// How many runs are made, and for how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The rounds before the first one that counts.
    pub warmup: u32,
    /// The minimum number of runs of each position on each source.
    pub min_runs: u32,
    /// The maximum number of runs of each position on each source.
    pub max_runs: u32,
    /// The minimum time for each position.
    pub min_time: Duration,
    /// The maximum time for each position. The minimum number of runs is made even if it takes longer.
    pub max_time: Duration,
    /// A position is finished when its interval, divided by its value, is no wider than this. The interval is that of the
    /// time of a single source, or that of the ratio of several sources.
    pub relative_width: f64,
    /// How the interval is computed.
    pub bootstrap: Bootstrap,
    /// The time by which several sources are compared, if all of them report it.
    pub measure: Measure,
}

/// The kind of time by which speeds are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Elapsed time: what the user waits for.
    #[default]
    Wall,
    /// Processor time of the count. With one thread, it equals the elapsed time on an idle machine. On a busy machine it is
    /// more precise, because it does not include waiting for a core.
    Processor,
}

impl Default for Schedule {
    /// One warm-up round, then at least ten rounds, until the speed is known to one percent or ten seconds have passed.
    fn default() -> Schedule {
        Schedule {
            warmup: 1,
            min_runs: 10,
            max_runs: 100,
            min_time: Duration::ZERO,
            max_time: Duration::from_secs(10),
            relative_width: 0.01,
            bootstrap: Bootstrap { resamples: 1000, ..Bootstrap::default() },
            measure: Measure::Wall,
        }
    }
}

/// The runs of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The runs of each source, in the order in which they were made. Run `n` of each source belongs to the same round.
    pub series: Vec<Vec<Sample>>,
    /// For each source: why it has no runs, if it failed.
    pub failures: Vec<Option<BenchError>>,
    /// Whether the interval has become as narrow as requested.
    pub is_precise: bool,
    time: Duration,
    is_done: bool,
}

/// The run that is about to start, for a progress display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The number of the round, from 1; 0 in the warm-up.
    pub round: u32,
    /// The name of the position.
    pub task: &'a str,
    /// The name of the source.
    pub source: &'a str,
}

/// Why a benchmark has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    /// A count is wrong.
    #[error("{counter} counts {found} nodes in {task} at depth {depth}, not {expected}")]
    Wrong {
        /// The name of the source.
        counter: String,
        /// The name of the position.
        task: String,
        /// The depth in plies.
        depth: u32,
        /// The known count.
        expected: u128,
        /// The count of the source.
        found: u128,
    },
    /// A source gives no count.
    #[error("{counter} does not count {task}: {reason}")]
    Failed {
        /// The name of the source.
        counter: String,
        /// The name of the position.
        task: String,
        /// Why there is no count.
        reason: String,
    },
    /// The stop signal was raised.
    #[error("interrupted")]
    Interrupted,
}

/// What happens when a count is wrong or missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OnFailure {
    /// The benchmark ends.
    Abort,
    /// The source is excluded from this position.
    Exclude,
}

impl Schedule {
    /// Makes the number of runs fixed.
    pub fn fixed(self, runs: u32) -> Schedule {
        Schedule { min_runs: runs, max_runs: runs, min_time: Duration::ZERO, ..self }
    }

    /// Runs every task on every source until there are enough runs. `show` is called before each run. The result has the
    /// order of the tasks.
    ///
    /// # Errors
    /// A count is wrong or missing, or the stop signal was raised.
    pub fn run(
        &self,
        tasks: &[Task],
        sources: &mut [TimedSource],
        clock: &dyn Clock,
        show: impl FnMut(Step),
    ) -> Result<Vec<Measured>, BenchError> {
        self.run_all(tasks, clock, Runner { sources, show, on_failure: OnFailure::Abort })
    }

    /// Like [`Schedule::run`], but a source that counts wrong or not at all is only excluded from that position. The other
    /// sources continue.
    ///
    /// # Errors
    /// The stop signal was raised.
    pub fn run_lenient(
        &self,
        tasks: &[Task],
        sources: &mut [TimedSource],
        clock: &dyn Clock,
        show: impl FnMut(Step),
    ) -> Result<Vec<Measured>, Interrupted> {
        self.run_all(tasks, clock, Runner { sources, show, on_failure: OnFailure::Exclude })
            .map_err(|_| Interrupted)
    }

    fn run_all(
        &self,
        tasks: &[Task],
        clock: &dyn Clock,
        mut runner: Runner<'_, '_, impl FnMut(Step)>,
    ) -> Result<Vec<Measured>, BenchError> {
        let sources = runner.sources.len();
        let mut all: Vec<Measured> = tasks.iter().map(|_| Measured::new(sources)).collect();
        for _ in 0..self.warmup {
            for (task, measured) in tasks.iter().zip(&mut all) {
                runner.run_round(task, measured, 0)?;
            }
        }
        let mut round = 0;
        while all.iter().any(|measured| !measured.is_done) {
            round += 1;
            for (task, measured) in tasks.iter().zip(&mut all).filter(|(_, measured)| !measured.is_done) {
                let begin = clock.now();
                runner.run_round(task, measured, round)?;
                measured.time += clock.now() - begin;
                self.update_status(measured);
            }
        }
        Ok(all)
    }

    /// Determines whether a position is finished.
    fn update_status(&self, measured: &mut Measured) {
        let runs = measured.series.iter().map(Vec::len).max().unwrap_or(0);
        if runs == 0 {
            // All sources are excluded.
            measured.is_done = true;
        }
        if runs < self.min_runs as usize {
            return;
        }
        measured.is_precise = measured.relative_width(self.measure, &self.bootstrap) <= self.relative_width;
        let has_min_time = measured.time >= self.min_time;
        let is_enough = measured.is_precise || measured.time >= self.max_time;
        measured.is_done = runs >= self.max_runs as usize || (has_min_time && is_enough);
    }
}

impl Measured {
    fn new(sources: usize) -> Measured {
        Measured {
            series: vec![Vec::new(); sources],
            failures: vec![None; sources],
            is_precise: false,
            time: Duration::ZERO,
            is_done: sources == 0,
        }
    }

    /// Returns the times of a source in seconds, in the order of the runs.
    pub fn seconds(&self, source: usize) -> Vec<f64> {
        self.series[source].iter().map(|sample| sample.seconds).collect()
    }

    /// Returns the processor times of a source in seconds, or `None` if it is unknown for any run.
    pub fn processor_seconds(&self, source: usize) -> Option<Vec<f64>> {
        let seconds: Option<Vec<f64>> =
            self.series[source].iter().map(|sample| sample.processor_seconds).collect();
        seconds.filter(|seconds| seconds.iter().all(|&seconds| seconds > 0.0))
    }

    /// Returns the times of the sources that have runs: by this measure, or elapsed times if a source does not report it.
    fn times(&self, measure: Measure) -> Vec<Vec<f64>> {
        let sources = || (0..self.series.len()).filter(|&source| !self.series[source].is_empty());
        let processor = match measure {
            Measure::Wall => None,
            Measure::Processor => sources().map(|source| self.processor_seconds(source)).collect(),
        };
        processor.unwrap_or_else(|| sources().map(|source| self.seconds(source)).collect())
    }

    /// Returns the relative width of the widest interval: of the median time of a single source, or of the ratios to the
    /// first source.
    fn relative_width(&self, measure: Measure, bootstrap: &Bootstrap) -> f64 {
        let times = self.times(measure);
        if times.len() == 1 {
            let own = self.times(Measure::Wall).remove(0);
            return bootstrap.interval(&own, median_in_place).relative_width(median(&own));
        }
        let width = |reference: &Vec<f64>| {
            let ratio = Ratios::paired(&[Times { own: &times[0], reference }], bootstrap).overall;
            ratio.interval.relative_width(ratio.ratio)
        };
        times.iter().skip(1).map(width).fold(0.0, f64::max)
    }
}

/// Runs tasks and stores the samples.
struct Runner<'r, 'a, F> {
    sources: &'r mut [TimedSource<'a>],
    show: F,
    on_failure: OnFailure,
}

impl<F: FnMut(Step)> Runner<'_, '_, F> {
    /// Runs a task once on each source, forwards or backwards in turn. Round 0, the warm-up, stores no samples.
    fn run_round(&mut self, task: &Task, measured: &mut Measured, round: u32) -> Result<(), BenchError> {
        let count = self.sources.len();
        let is_reversed = round > 0 && round.is_multiple_of(2);
        for turn in 0..count {
            let index = if is_reversed { count - 1 - turn } else { turn };
            if measured.failures[index].is_some() {
                continue;
            }
            match self.run_once(task, index, round) {
                Ok(sample) if round > 0 => measured.series[index].push(sample),
                Ok(_) => {}
                Err(error) if error == BenchError::Interrupted || self.on_failure == OnFailure::Abort => {
                    return Err(error);
                }
                Err(error) => {
                    // One wrong count makes the other runs worthless too.
                    measured.series[index].clear();
                    measured.failures[index] = Some(error);
                }
            }
        }
        Ok(())
    }

    /// Runs a task once on one source and checks the count.
    fn run_once(&mut self, task: &Task, index: usize, round: u32) -> Result<Sample, BenchError> {
        let source = &mut self.sources[index];
        (self.show)(Step { round, task: &task.name, source: source.name() });
        match source.run(task) {
            Ok(sample) if sample.nodes == task.expected.nodes => Ok(sample),
            Ok(sample) => Err(BenchError::Wrong {
                counter: source.name().to_owned(),
                task: task.name.clone(),
                depth: task.expected.depth,
                expected: task.expected.nodes,
                found: sample.nodes,
            }),
            Err(SourceError::Interrupted) => Err(BenchError::Interrupted),
            Err(error) => Err(BenchError::Failed {
                counter: source.name().to_owned(),
                task: task.name.clone(),
                reason: error.to_string(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeClock, FakeSource, task};
    use super::*;

    fn schedule() -> Schedule {
        Schedule { warmup: 0, min_runs: 5, max_runs: 50, ..Schedule::default() }
    }

    /// Runs one position on one source whose runs take these times, in a cycle.
    fn runs(schedule: &Schedule, seconds: &[f64]) -> (usize, bool) {
        let clock = FakeClock::default();
        let source = FakeSource::new("fake", &clock, seconds).timed(&clock);
        let measured = schedule.run(&[task("start", 3)], &mut [source], &clock, |_| {}).unwrap();
        (measured[0].series[0].len(), measured[0].is_precise)
    }

    #[test]
    fn equal_times_need_the_minimum_number_of_runs() {
        assert_eq!(runs(&schedule(), &[0.5]), (5, true));
    }

    #[test]
    fn noisy_times_are_repeated_until_they_are_precise() {
        let noisy = [1.0, 1.004, 0.996, 1.011, 1.002, 1.015, 0.99, 0.998, 1.007];
        let patient = Schedule { max_time: Duration::from_secs(100), max_runs: 100, ..schedule() };
        let (runs, is_precise) = runs(&patient, &noisy);
        assert!(is_precise && (6..100).contains(&runs), "{runs}");
    }

    #[test]
    fn runs_and_time_are_limited_if_times_never_get_precise() {
        let wild = [1.0, 2.0];
        let patient = Schedule { max_time: Duration::MAX, ..schedule() };
        assert_eq!(runs(&patient, &wild), (50, false));
        // A run takes 1.5 s on average; the twelfth ends at 18 s.
        let hasty = Schedule { max_time: Duration::from_secs(17), ..schedule() };
        assert_eq!(runs(&hasty, &wild), (12, false));
        let slow = Schedule { max_time: Duration::ZERO, ..schedule() };
        assert_eq!(runs(&slow, &wild), (5, false));
    }

    #[test]
    fn equal_times_are_repeated_for_the_minimum_time() {
        let long = Schedule { min_time: Duration::from_secs(10), ..schedule() };
        assert_eq!(runs(&long, &[0.5]), (20, true));
    }

    #[test]
    fn the_number_of_runs_can_be_fixed() {
        assert_eq!(runs(&schedule().fixed(7), &[1.0]).0, 7);
        assert_eq!(runs(&schedule().fixed(1), &[1.0, 9.0]).0, 1);
    }

    #[test]
    fn rounds_are_interleaved_and_alternate_in_order() {
        let clock = FakeClock::default();
        let mut sources = ["A", "B"].map(|name| FakeSource::new(name, &clock, &[1.0]).timed(&clock));
        let mut seen = Vec::new();
        let tasks = [task("start", 2), task("kiwipete", 2)];
        let plan = Schedule { warmup: 1, ..schedule() }.fixed(2);
        let note = |step: Step| seen.push(format!("{}{}{}", step.round, &step.task[..1], step.source));
        plan.run(&tasks, &mut sources, &clock, note).unwrap();
        assert_eq!(seen.join(" "), "0sA 0sB 0kA 0kB 1sA 1sB 1kA 1kB 2sB 2sA 2kB 2kA");
    }

    #[test]
    fn a_precise_position_is_not_run_any_more() {
        let clock = FakeClock::default();
        // The two positions take turns. The first has equal times, the second has not.
        let source = FakeSource::new("fake", &clock, &[1.0, 1.0, 1.0, 2.0]).timed(&clock);
        let plan = Schedule { max_time: Duration::MAX, min_runs: 4, max_runs: 9, ..schedule() };
        let tasks = [task("start", 2), task("kiwipete", 2)];
        let measured = plan.run(&tasks, &mut [source], &clock, |_| {}).unwrap();
        assert_eq!((measured[0].series[0].len(), measured[1].series[0].len()), (4, 9));
    }

    #[test]
    fn pairs_are_precise_when_their_ratio_is() {
        let clock = FakeClock::default();
        // Both sources drift in the same way.
        let drift: Vec<f64> = (0..50).map(|round| 1.0 + f64::from(round % 7) / 10.0).collect();
        let twice: Vec<f64> = drift.iter().map(|seconds| 2.0 * seconds).collect();
        let mut sources = [("A", &drift), ("B", &twice)]
            .map(|(name, seconds)| FakeSource::new(name, &clock, seconds).timed(&clock));
        let measured = schedule().run(&[task("start", 2)], &mut sources, &clock, |_| {}).unwrap();
        assert_eq!((measured[0].series[0].len(), measured[0].is_precise), (5, true));
    }

    #[test]
    fn processor_times_ignore_waiting_for_a_core() {
        let clock = FakeClock::default();
        let mut sources = [
            FakeSource::new("A", &clock, &[1.0, 3.0, 2.0]).with_processor_time(0.9).timed(&clock),
            FakeSource::new("B", &clock, &[2.0, 1.0]).with_processor_time(1.0).timed(&clock),
        ];
        let mut runs = |measure| {
            let plan = Schedule { measure, ..schedule() };
            let measured = plan.run(&[task("start", 2)], &mut sources, &clock, |_| {}).unwrap();
            (measured[0].series[0].len(), measured[0].is_precise)
        };
        assert_eq!(runs(Measure::Processor), (5, true));
        assert!(!runs(Measure::Wall).1);
    }

    #[test]
    fn a_wrong_count_ends_the_benchmark() {
        let clock = FakeClock::default();
        let source = FakeSource::new("fake", &clock, &[1.0]).wrong_from(3).timed(&clock);
        let error = schedule().run(&[task("start", 3)], &mut [source], &clock, |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "fake counts 8903 nodes in start at depth 3, not 8902");
    }

    #[test]
    fn a_failure_names_the_source_and_the_position() {
        let clock = FakeClock::default();
        let source = FakeSource::new("fake", &clock, &[]).timed(&clock);
        let error = schedule().run(&[task("start", 3)], &mut [source], &clock, |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "fake does not count start: out of times");
    }

    #[test]
    fn a_lenient_run_excludes_sources_that_fail() {
        let clock = FakeClock::default();
        let mut sources = [
            FakeSource::new("wrong", &clock, &[1.0]).wrong_from(4).timed(&clock),
            FakeSource::new("good", &clock, &[1.0]).timed(&clock),
            FakeSource::new("broken", &clock, &[]).timed(&clock),
        ];
        let measured = schedule().run_lenient(&[task("start", 3)], &mut sources, &clock, |_| {}).unwrap();
        let runs: Vec<usize> = measured[0].series.iter().map(Vec::len).collect();
        assert_eq!((runs, measured[0].is_precise), (vec![0, 5, 0], true));
        assert!(matches!(measured[0].failures[0], Some(BenchError::Wrong { found: 8903, .. })));
        assert_eq!(measured[0].failures[1], None);
        assert!(matches!(measured[0].failures[2], Some(BenchError::Failed { .. })));
    }

    #[test]
    fn a_lenient_run_ends_when_all_sources_failed() {
        let clock = FakeClock::default();
        let broken = FakeSource::new("broken", &clock, &[]).timed(&clock);
        let measured = schedule().run_lenient(&[task("start", 3)], &mut [broken], &clock, |_| {}).unwrap();
        assert!(measured[0].series[0].is_empty() && measured[0].failures[0].is_some());
    }
}
