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
//! All times of a benchmark are of one kind. Processor time is used only if it is known for every run.
//!
//! A source that counts wrong, or not at all, is excluded from that position, because then its speed means nothing.

use std::time::Duration;

use perft_diagnosis::source::SourceError;

use super::clock::{Clock, Measure};
use super::measured::{Measured, RunFailure};
use super::source::{Sample, Task, TimedSource, nodes_per_second};

/// The order of the runs, and the limits on their number and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The number of warm-up rounds, which are not timed.
    pub warmup: u32,
    /// The minimum number of runs of each position on each source.
    pub min_runs: u32,
    /// The maximum number of runs of each position on each source.
    pub max_runs: u32,
    /// The maximum time for each position. The minimum number of runs is made even if it takes longer.
    pub max_time: Duration,
    /// A position is finished when its interval, divided by its value, is no wider than this. The interval is that of
    /// the time of a single source, or that of the ratio of several sources.
    pub relative_width: f64,
    /// The kind of time that is wanted. Wall time replaces processor time that is not known for every run.
    pub measure: Measure,
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
    /// The fraction of the benchmark that is done at least.
    pub done: f64,
}

struct Interrupted;

impl Schedule {
    /// Runs every task on every source until there are enough runs, or until the stop signal is raised. After a stop
    /// signal, some positions are not [complete](Measured::is_complete). `show` is called before each run. The result
    /// has the order of the tasks.
    ///
    /// A source that counts wrong or not at all is excluded from that position. The others continue.
    pub fn run(
        &self,
        tasks: &[Task],
        sources: &mut [TimedSource],
        clock: &dyn Clock,
        show: impl FnMut(Step),
    ) -> Vec<Measured> {
        let mut all: Vec<Measured> =
            tasks.iter().map(|task| Measured::new(task, sources.len(), self.measure)).collect();
        let mut runner = Runner { sources, show, measure: self.measure, done: 0.0 };
        if self.run_rounds(&mut all, clock, &mut runner).is_err() {
            all.iter_mut().for_each(Measured::drop_unfinished_round);
        }
        all.iter_mut().for_each(|measured| measured.measure = runner.measure);
        all
    }

    fn run_rounds(
        &self,
        all: &mut [Measured],
        clock: &dyn Clock,
        runner: &mut Runner<'_, '_, impl FnMut(Step)>,
    ) -> Result<(), Interrupted> {
        for _ in 0..self.warmup {
            for measured in &mut *all {
                runner.run_round(measured, 0)?;
            }
        }
        let mut round = 0;
        while all.iter().any(|measured| !measured.is_complete) {
            round += 1;
            for index in 0..all.len() {
                if all[index].is_complete {
                    continue;
                }
                runner.done = all.iter().map(|measured| self.done(measured)).sum::<f64>() / all.len() as f64;
                let begin = clock.now();
                runner.run_round(&mut all[index], round)?;
                all[index].time += clock.now() - begin;
                self.update_status(&mut all[index]);
            }
        }
        Ok(())
    }

    /// Returns the fraction of the runs of a position that is made if its interval never gets narrow enough.
    fn done(&self, measured: &Measured) -> f64 {
        if measured.is_complete {
            return 1.0;
        }
        let rounds = measured.rounds() as f64;
        let of_time = measured.time.as_secs_f64() / self.max_time.as_secs_f64();
        (rounds / f64::from(self.max_runs)).max(of_time.min(rounds / f64::from(self.min_runs)))
    }

    fn update_status(&self, measured: &mut Measured) {
        let runs = measured.rounds();
        if runs == 0 {
            // All sources are excluded.
            measured.is_complete = true;
        }
        if runs < self.min_runs as usize {
            return;
        }
        measured.is_precise = measured.relative_width() <= self.relative_width;
        measured.is_complete =
            measured.is_precise || measured.time >= self.max_time || runs >= self.max_runs as usize;
    }
}

struct Runner<'r, 'a, F> {
    sources: &'r mut [TimedSource<'a>],
    show: F,
    /// The kind of time that is known for all runs so far.
    measure: Measure,
    /// The fraction of the benchmark that is done at least.
    done: f64,
}

impl<F: FnMut(Step)> Runner<'_, '_, F> {
    /// Runs a position once on each source. The order of the sources alternates. Round 0 is the warm-up and stores no
    /// samples.
    fn run_round(&mut self, measured: &mut Measured, round: u32) -> Result<(), Interrupted> {
        let count = self.sources.len();
        let is_reversed = round > 0 && round.is_multiple_of(2);
        for turn in 0..count {
            let index = if is_reversed { count - 1 - turn } else { turn };
            if measured.failures[index].is_some() {
                continue;
            }
            self.show_step(measured, index, round);
            let run = self.run_once(&measured.task, index);
            measured.measure = self.measure;
            match run {
                Ok(sample) if round > 0 => measured.series[index].push(sample),
                Ok(_) => {}
                Err(RunFailure::Failed(SourceError::Interrupted)) => return Err(Interrupted),
                Err(failure) => {
                    // One wrong count makes the other runs worthless too.
                    measured.series[index].clear();
                    measured.failures[index] = Some(failure);
                }
            }
        }
        Ok(())
    }

    fn show_step(&mut self, measured: &Measured, index: usize, round: u32) {
        let task = &measured.task;
        let speed = |seconds| nodes_per_second(task.expected.nodes, seconds);
        (self.show)(Step {
            round,
            task: &task.name,
            source: self.sources[index].name(),
            nodes_per_second: measured.median_seconds(index).map(speed),
            done: self.done,
        });
    }

    /// Runs a task once on one source and checks the count.
    fn run_once(&mut self, task: &Task, index: usize) -> Result<Sample, RunFailure> {
        let sample = self.sources[index].run(task).map_err(RunFailure::Failed)?;
        if sample.nodes != task.expected.nodes {
            return Err(RunFailure::Wrong(sample.nodes));
        }
        if sample.processor_seconds.is_none() {
            self.measure = Measure::Wall;
        }
        Ok(sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::fake::{FakeClock, FakeSource, schedule, task};

    /// Runs one position on one source whose runs take these times, in a cycle.
    fn runs(schedule: &Schedule, seconds: &[f64]) -> (usize, bool) {
        let clock = FakeClock::default();
        let source = FakeSource::new("fake", &clock, seconds).timed(&clock);
        let measured = schedule.run(&[task("start", 3)], &mut [source], &clock, |_| {});
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
    fn the_fraction_that_is_done_assumes_all_runs() {
        let done = |schedule: &Schedule| {
            let clock = FakeClock::default();
            let source = FakeSource::new("fake", &clock, &[1.0, 2.0]).timed(&clock);
            let mut done = Vec::new();
            schedule.run(&[task("start", 3)], &mut [source], &clock, |step: Step| done.push(step.done));
            done
        };
        assert_eq!(done(&Schedule { warmup: 1, ..schedule() }.fixed(4)), [0.0, 0.0, 0.25, 0.5, 0.75]);
        let hasty = Schedule { max_time: Duration::from_secs(9), ..schedule() };
        assert_eq!(done(&hasty)[..3], [0.0, 1.0 / 9.0, 3.0 / 9.0]);
    }

    #[test]
    fn rounds_are_interleaved_and_alternate_in_order() {
        let clock = FakeClock::default();
        let mut sources = ["A", "B"].map(|name| FakeSource::new(name, &clock, &[1.0]).timed(&clock));
        let mut seen = Vec::new();
        let tasks = [task("start", 2), task("kiwipete", 2)];
        let plan = Schedule { warmup: 1, ..schedule() }.fixed(2);
        let note = |step: Step| seen.push(format!("{}{}{}", step.round, &step.task[..1], step.source));
        plan.run(&tasks, &mut sources, &clock, note);
        assert_eq!(seen.join(" "), "0sA 0sB 0kA 0kB 1sA 1sB 1kA 1kB 2sB 2sA 2kB 2kA");
    }

    #[test]
    fn a_precise_position_is_not_run_any_more() {
        let clock = FakeClock::default();
        // The two positions take turns. The first one has equal times, and the second one has not.
        let source = FakeSource::new("fake", &clock, &[1.0, 1.0, 1.0, 2.0]).timed(&clock);
        let plan = Schedule { max_time: Duration::MAX, min_runs: 4, max_runs: 9, ..schedule() };
        let tasks = [task("start", 2), task("kiwipete", 2)];
        let measured = plan.run(&tasks, &mut [source], &clock, |_| {});
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
        let measured = schedule().run(&[task("start", 2)], &mut sources, &clock, |_| {});
        assert_eq!((measured[0].series[0].len(), measured[0].is_precise), (5, true));
    }

    #[test]
    fn processor_times_ignore_waiting_for_a_core() {
        let clock = FakeClock::default();
        let mut sources = [
            FakeSource::new("A", &clock, &[1.0, 3.0, 2.0]).with_processor_times(&[0.9]).timed(&clock),
            FakeSource::new("B", &clock, &[2.0, 1.0]).with_processor_times(&[1.0]).timed(&clock),
        ];
        let mut runs = |measure| {
            let plan = Schedule { measure, ..schedule() };
            let measured = plan.run(&[task("start", 2)], &mut sources, &clock, |_| {});
            (measured[0].series[0].len(), measured[0].is_precise)
        };
        assert_eq!(runs(Measure::Processor), (5, true));
        assert!(!runs(Measure::Wall).1);
    }

    #[test]
    fn wall_time_is_taken_everywhere_if_the_processor_time_of_one_run_is_unknown() {
        let clock = FakeClock::default();
        let run = |last: f64| {
            // The last run of the second position is that of source B.
            let processor = [vec![0.5; 7], vec![last]].concat();
            let mut sources = [
                FakeSource::new("A", &clock, &[1.0]).with_processor_times(&[0.25]).timed(&clock),
                FakeSource::new("B", &clock, &[1.0]).with_processor_times(&processor).timed(&clock),
            ];
            let tasks = [task("start", 2), task("kiwipete", 2)];
            let plan = Schedule { measure: Measure::Processor, ..schedule() }.fixed(4);
            let measured = plan.run(&tasks, &mut sources, &clock, |_| {});
            measured.iter().map(|measured| (measured.measure, measured.seconds(0)[0])).collect::<Vec<_>>()
        };
        assert_eq!(run(0.5), [(Measure::Processor, 0.25); 2]);
        assert_eq!(run(0.0), [(Measure::Wall, 1.0); 2]);
    }

    #[test]
    fn sources_that_fail_are_excluded() {
        let clock = FakeClock::default();
        let mut sources = [
            FakeSource::new("wrong", &clock, &[1.0]).wrong_from(4).timed(&clock),
            FakeSource::new("good", &clock, &[1.0]).timed(&clock),
            FakeSource::new("broken", &clock, &[]).timed(&clock),
        ];
        let measured = schedule().run(&[task("start", 3)], &mut sources, &clock, |_| {});
        let runs: Vec<usize> = measured[0].series.iter().map(Vec::len).collect();
        assert_eq!((runs, measured[0].is_precise), (vec![0, 5, 0], true));
        let failed = RunFailure::Failed(SourceError::CannotCount("out of times".to_owned()));
        assert_eq!(measured[0].failures, [Some(RunFailure::Wrong(8903)), None, Some(failed)]);
    }

    #[test]
    fn the_runs_end_when_all_sources_failed() {
        let clock = FakeClock::default();
        let broken = FakeSource::new("broken", &clock, &[]).timed(&clock);
        let measured = schedule().run(&[task("start", 3)], &mut [broken], &clock, |_| {});
        assert!(measured[0].series[0].is_empty() && measured[0].failures[0].is_some());
    }

    #[test]
    fn an_interruption_keeps_the_rounds_that_were_finished() {
        let clock = FakeClock::default();
        let mut sources = [
            FakeSource::new("first", &clock, &[1.0]).timed(&clock),
            FakeSource::new("second", &clock, &[1.0]).interrupted_from(5).timed(&clock),
        ];
        let tasks = [task("start", 3), task("kiwipete", 2)];
        let all = schedule().fixed(5).run(&tasks, &mut sources, &clock, |_| {});
        let runs = |index: usize| all[index].series.iter().map(Vec::len).collect::<Vec<usize>>();
        assert_eq!((runs(0), runs(1)), (vec![2, 2], vec![2, 2]), "the first source had begun one more round");
        assert!(all.iter().all(|measured| measured.has_begun() && !measured.is_complete));
        let all = schedule().fixed(1).run(&tasks, &mut sources[..1], &clock, |_| {});
        assert!(all.iter().all(|measured| measured.is_complete));
    }
}
