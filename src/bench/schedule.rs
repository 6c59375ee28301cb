//! Which run comes when, and when there are enough.
//!
//! ```text
//! warm-up:  start A  start B  kiwipete A  kiwipete B
//! round 1:  start A  start B  kiwipete A  kiwipete B
//! round 2:  start B  start A  kiwipete B  kiwipete A
//! round 3:  start A  ...
//! ```
//!
//! Rounds go over all positions and all subjects, so that a machine that grows warm or busy does so for everybody; the
//! order within a pair alternates, so that nobody always comes second. A position drops out when its interval is narrow
//! enough, or when it has had its runs or its time. A count that is wrong ends everything, no figure being worth anything
//! then; or, in a field of strangers ([`Schedule::run_field`]), it ends this subject's runs of this position.

use std::time::Duration;

use super::clock::Clock;
use super::ratio::{Ratios, Times};
use super::statistics::{Bootstrap, median, median_in_place};
use super::subject::{Sample, Subject, SubjectError, Task};
use perft_core::Interrupted;

/// How often and how long to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Rounds before the first that counts.
    pub warmup: u32,
    /// Each position is run so often at least, by each subject.
    pub min_runs: u32,
    /// And so often at most.
    pub max_runs: u32,
    /// Each position is run for so long at least.
    pub min_time: Duration,
    /// And, once it had its least number of runs, for so long at most.
    pub max_time: Duration,
    /// Enough is when the interval of the speed (with several subjects, of its ratio) is no wider than this part of it.
    pub relative_width: f64,
    /// How the interval is found.
    pub bootstrap: Bootstrap,
    /// By which time several subjects are compared, if all of them say it.
    pub measure: Measure,
}

/// By which time speeds are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// The time that passes: what counts in the end.
    #[default]
    Wall,
    /// What processors spend on the count. On one thread it is the same on an idle machine, and it does not mind a busy
    /// one: waiting for a core is no part of it.
    Processor,
}

impl Default for Schedule {
    /// One round to warm up, then ten or more, until the speed is known to one percent or ten seconds are over.
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

/// A position and its runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The runs of each subject, in the order of time: run `n` of all subjects belongs to the same round.
    pub series: Vec<Vec<Sample>>,
    /// Of each subject, why it has no runs, if it counted wrong or not at all.
    pub failures: Vec<Option<BenchError>>,
    /// True if the interval has become as narrow as was wanted.
    pub is_precise: bool,
    time: Duration,
    is_done: bool,
}

/// What is about to run: for whoever shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The number of the round, from 1; 0 when warming up.
    pub round: u32,
    /// The position.
    pub task: &'a str,
    /// Who counts.
    pub subject: &'a str,
}

/// A benchmark without a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    /// A count is not the known one.
    #[error("{subject} counts {found} nodes in {task} at depth {depth}, not {expected}")]
    Wrong {
        /// Who counted.
        subject: String,
        /// The position.
        task: String,
        /// The depth in plies.
        depth: u32,
        /// The known count.
        expected: u128,
        /// What was counted.
        found: u128,
    },
    /// A subject does not count.
    #[error("{subject} does not count {task}: {reason}")]
    Failed {
        /// Who.
        subject: String,
        /// The position.
        task: String,
        /// Why.
        reason: String,
    },
    /// The stop signal was raised.
    #[error("interrupted")]
    Interrupted,
}

impl Schedule {
    /// So many runs, neither more nor fewer.
    ///
    /// # Examples
    /// ```
    /// use crate::bench::{OwnSubject, Schedule, SystemClock, Task};
    /// use perft_core::{Perft, StopSignal};
    /// use perft_core::suite::builtin;
    /// let case = builtin::position("kiwipete").unwrap();
    /// let task = Task::new(case, case.expected[3]);
    /// let clock = SystemClock::default();
    /// let mut subject = OwnSubject::new(Perft::new(), clock, StopSignal::default());
    /// let measured = Schedule::default().fixed(3).run(&[task], &mut [&mut subject], &clock, |_| {})?;
    /// assert_eq!(measured[0].series[0].len(), 3);
    /// # Ok::<(), crate::bench::BenchError>(())
    /// ```
    pub fn fixed(self, runs: u32) -> Schedule {
        Schedule { min_runs: runs, max_runs: runs, min_time: Duration::ZERO, ..self }
    }

    /// Runs every task on every subject until there is enough, telling `show` before every run what it will be. What comes
    /// back has the order of the tasks.
    ///
    /// # Errors
    /// A count was wrong, or there was none.
    pub fn run(
        &self,
        tasks: &[Task],
        subjects: &mut [&mut dyn Subject],
        clock: &dyn Clock,
        show: impl FnMut(Step),
    ) -> Result<Vec<Measured>, BenchError> {
        self.play(tasks, subjects, clock, show, |_, _, error| Err(error))
    }

    /// The same, but who counts wrong, or not at all, is no more asked about that position; the others go on.
    ///
    /// # Errors
    /// The stop signal was raised.
    pub fn run_field(
        &self,
        tasks: &[Task],
        subjects: &mut [&mut dyn Subject],
        clock: &dyn Clock,
        show: impl FnMut(Step),
    ) -> Result<Vec<Measured>, Interrupted> {
        let drop_out = |measured: &mut Measured, subject, error| match error {
            BenchError::Interrupted => Err(error),
            _ => {
                measured.drop_out(subject, error);
                Ok(())
            }
        };
        self.play(tasks, subjects, clock, show, drop_out).map_err(|_| Interrupted)
    }

    /// Runs every task on every subject until there is enough; `on_error` is told whose run came to nothing.
    fn play(
        &self,
        tasks: &[Task],
        subjects: &mut [&mut dyn Subject],
        clock: &dyn Clock,
        mut show: impl FnMut(Step),
        on_error: impl Fn(&mut Measured, usize, BenchError) -> Result<(), BenchError>,
    ) -> Result<Vec<Measured>, BenchError> {
        let mut all: Vec<Measured> = tasks.iter().map(|_| Measured::new(subjects.len())).collect();
        for _ in 0..self.warmup {
            for (task, measured) in tasks.iter().zip(&mut all) {
                for index in 0..subjects.len() {
                    measured.play_run(task, subjects, index, 0, &mut show, &on_error)?;
                }
            }
        }
        let mut round = 0;
        while all.iter().any(|measured| !measured.is_done) {
            round += 1;
            for (task, measured) in tasks.iter().zip(&mut all).filter(|(_, measured)| !measured.is_done) {
                let begin = clock.now();
                measured.play_round(task, subjects, round, &mut show, &on_error)?;
                measured.time += clock.now() - begin;
                self.judge(measured);
            }
        }
        Ok(all)
    }

    /// Decides whether a position has had enough.
    fn judge(&self, measured: &mut Measured) {
        let runs = measured.series.iter().map(Vec::len).max().unwrap_or(0);
        if runs == 0 {
            // Nobody counts it.
            measured.is_done = true;
        }
        if runs < self.min_runs as usize {
            return;
        }
        measured.is_precise = measured.relative_width(self.measure, &self.bootstrap) <= self.relative_width;
        let has_time = measured.time >= self.min_time;
        let is_late = measured.is_precise || measured.time >= self.max_time;
        measured.is_done = runs >= self.max_runs as usize || (has_time && is_late);
    }
}

impl Measured {
    fn new(subjects: usize) -> Measured {
        Measured {
            series: vec![Vec::new(); subjects],
            failures: vec![None; subjects],
            is_precise: false,
            time: Duration::ZERO,
            is_done: subjects == 0,
        }
    }

    /// The times of a subject in seconds, in the order of the runs.
    pub fn seconds(&self, subject: usize) -> Vec<f64> {
        self.series[subject].iter().map(|sample| sample.seconds).collect()
    }

    /// What processors spent on each run of a subject in seconds; `None` if it is not known of every one.
    pub fn work_seconds(&self, subject: usize) -> Option<Vec<f64>> {
        let seconds: Option<Vec<f64>> =
            self.series[subject].iter().map(|sample| sample.work_seconds).collect();
        seconds.filter(|seconds| seconds.iter().all(|&seconds| seconds > 0.0))
    }

    /// The times of those subjects that have runs, by this measure, or by the clock where one does not know it.
    fn times(&self, measure: Measure) -> Vec<Vec<f64>> {
        let subjects = || (0..self.series.len()).filter(|&subject| !self.series[subject].is_empty());
        let work = match measure {
            Measure::Wall => None,
            Measure::Processor => subjects().map(|subject| self.work_seconds(subject)).collect(),
        };
        work.unwrap_or_else(|| subjects().map(|subject| self.seconds(subject)).collect())
    }

    /// Takes a subject's runs away: one that was wrong makes all of them worthless.
    fn drop_out(&mut self, subject: usize, error: BenchError) {
        self.series[subject].clear();
        self.failures[subject] = Some(error);
    }

    /// Every subject runs once, forwards and backwards in turns.
    fn play_round(
        &mut self,
        task: &Task,
        subjects: &mut [&mut dyn Subject],
        round: u32,
        show: &mut impl FnMut(Step),
        on_error: &impl Fn(&mut Measured, usize, BenchError) -> Result<(), BenchError>,
    ) -> Result<(), BenchError> {
        let count = subjects.len();
        for turn in 0..count {
            let index = if round % 2 == 1 { turn } else { count - 1 - turn };
            self.play_run(task, subjects, index, round, show, on_error)?;
        }
        Ok(())
    }

    /// One subject runs once, unless it has already failed.
    fn play_run(
        &mut self,
        task: &Task,
        subjects: &mut [&mut dyn Subject],
        index: usize,
        round: u32,
        show: &mut impl FnMut(Step),
        on_error: &impl Fn(&mut Measured, usize, BenchError) -> Result<(), BenchError>,
    ) -> Result<(), BenchError> {
        if self.failures[index].is_some() {
            return Ok(());
        }
        match one(task, subjects[index], round, show) {
            Ok(sample) if round > 0 => self.series[index].push(sample),
            Ok(_) => {}
            Err(error) => on_error(self, index, error)?,
        }
        Ok(())
    }

    /// How wide the widest interval is: of the median time, or of the ratio to the first subject.
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

/// One run, whose count is right.
fn one(
    task: &Task,
    subject: &mut dyn Subject,
    round: u32,
    show: &mut impl FnMut(Step),
) -> Result<Sample, BenchError> {
    show(Step { round, task: &task.name, subject: subject.name() });
    match subject.count(task) {
        Ok(sample) if sample.nodes == task.expected.nodes => Ok(sample),
        Ok(sample) => Err(BenchError::Wrong {
            subject: subject.name().to_owned(),
            task: task.name.clone(),
            depth: task.expected.depth,
            expected: task.expected.nodes,
            found: sample.nodes,
        }),
        Err(SubjectError::Interrupted) => Err(BenchError::Interrupted),
        Err(SubjectError::Failed(reason)) => {
            Err(BenchError::Failed { subject: subject.name().to_owned(), task: task.name.clone(), reason })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeClock, FakeSubject, task};
    use super::*;

    fn schedule() -> Schedule {
        Schedule { warmup: 0, min_runs: 5, max_runs: 50, ..Schedule::default() }
    }

    /// Runs one position on one subject whose runs take these times, again and again.
    fn runs(schedule: &Schedule, seconds: &[f64]) -> (usize, bool) {
        let clock = FakeClock::default();
        let mut subject = FakeSubject::new("fake", &clock, seconds);
        let measured = schedule.run(&[task("start", 3)], &mut [&mut subject], &clock, |_| {}).unwrap();
        (measured[0].series[0].len(), measured[0].is_precise)
    }

    #[test]
    fn steady_times_need_the_least_number_of_runs() {
        assert_eq!(runs(&schedule(), &[0.5]), (5, true));
    }

    #[test]
    fn noisy_times_are_run_until_they_are_known() {
        let noisy = [1.0, 1.004, 0.996, 1.011, 1.002, 1.015, 0.99, 0.998, 1.007];
        let patient = Schedule { max_time: Duration::from_secs(100), max_runs: 100, ..schedule() };
        let (runs, is_precise) = runs(&patient, &noisy);
        assert!(is_precise && (6..100).contains(&runs), "{runs}");
    }

    #[test]
    fn bounds_end_what_is_never_known() {
        let wild = [1.0, 2.0];
        let patient = Schedule { max_time: Duration::MAX, ..schedule() };
        assert_eq!(runs(&patient, &wild), (50, false));
        // 1.5 s a run: the twelfth ends at 18 s.
        let hasty = Schedule { max_time: Duration::from_secs(17), ..schedule() };
        assert_eq!(runs(&hasty, &wild), (12, false));
        let slow = Schedule { max_time: Duration::ZERO, ..schedule() };
        assert_eq!(runs(&slow, &wild), (5, false));
    }

    #[test]
    fn steady_times_are_run_for_the_least_time() {
        let long = Schedule { min_time: Duration::from_secs(10), ..schedule() };
        assert_eq!(runs(&long, &[0.5]), (20, true));
    }

    #[test]
    fn fixed_runs_are_fixed() {
        assert_eq!(runs(&schedule().fixed(7), &[1.0]).0, 7);
        assert_eq!(runs(&schedule().fixed(1), &[1.0, 9.0]).0, 1);
    }

    #[test]
    fn rounds_are_interleaved_and_turned_round() {
        let clock = FakeClock::default();
        let (mut a, mut b) = (FakeSubject::new("A", &clock, &[1.0]), FakeSubject::new("B", &clock, &[1.0]));
        let mut seen = Vec::new();
        let tasks = [task("start", 2), task("kiwipete", 2)];
        let plan = Schedule { warmup: 1, ..schedule() }.fixed(2);
        let note = |step: Step| seen.push(format!("{}{}{}", step.round, &step.task[..1], step.subject));
        plan.run(&tasks, &mut [&mut a, &mut b], &clock, note).unwrap();
        assert_eq!(seen.join(" "), "0sA 0sB 0kA 0kB 1sA 1sB 1kA 1kB 2sB 2sA 2kB 2kA");
    }

    #[test]
    fn a_position_that_is_known_drops_out() {
        let clock = FakeClock::default();
        // The two positions take turns: the first is steady, the second is not.
        let mut subject = FakeSubject::new("fake", &clock, &[1.0, 1.0, 1.0, 2.0]);
        let plan = Schedule { max_time: Duration::MAX, min_runs: 4, max_runs: 9, ..schedule() };
        let tasks = [task("start", 2), task("kiwipete", 2)];
        let measured = plan.run(&tasks, &mut [&mut subject], &clock, |_| {}).unwrap();
        assert_eq!((measured[0].series[0].len(), measured[1].series[0].len()), (4, 9));
    }

    #[test]
    fn pairs_are_known_when_their_ratio_is() {
        let clock = FakeClock::default();
        // Both sides drift alike.
        let drift: Vec<f64> = (0..50).map(|round| 1.0 + f64::from(round % 7) / 10.0).collect();
        let twice: Vec<f64> = drift.iter().map(|seconds| 2.0 * seconds).collect();
        let (mut a, mut b) = (FakeSubject::new("A", &clock, &drift), FakeSubject::new("B", &clock, &twice));
        let measured = schedule().run(&[task("start", 2)], &mut [&mut a, &mut b], &clock, |_| {}).unwrap();
        assert_eq!((measured[0].series[0].len(), measured[0].is_precise), (5, true));
    }

    #[test]
    fn who_waits_for_a_core_is_judged_by_the_work() {
        let clock = FakeClock::default();
        let (mut a, mut b) = (
            FakeSubject::new("A", &clock, &[1.0, 3.0, 2.0]).working(0.9),
            FakeSubject::new("B", &clock, &[2.0, 1.0]).working(1.0),
        );
        let mut runs = |measure| {
            let plan = Schedule { measure, ..schedule() };
            let measured = plan.run(&[task("start", 2)], &mut [&mut a, &mut b], &clock, |_| {}).unwrap();
            (measured[0].series[0].len(), measured[0].is_precise)
        };
        assert_eq!(runs(Measure::Processor), (5, true));
        assert!(!runs(Measure::Wall).1);
    }

    #[test]
    fn a_wrong_count_ends_it_all() {
        let clock = FakeClock::default();
        let mut subject = FakeSubject::new("fake", &clock, &[1.0]).wrong_from(3);
        let error = schedule().run(&[task("start", 3)], &mut [&mut subject], &clock, |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "fake counts 8903 nodes in start at depth 3, not 8902");
    }

    #[test]
    fn a_failure_says_who_and_what() {
        let clock = FakeClock::default();
        let mut subject = FakeSubject::new("fake", &clock, &[]);
        let error = schedule().run(&[task("start", 3)], &mut [&mut subject], &clock, |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "fake does not count start: out of times");
    }

    #[test]
    fn in_a_field_who_is_wrong_or_fails_drops_out_and_the_others_go_on() {
        let clock = FakeClock::default();
        let mut good = FakeSubject::new("good", &clock, &[1.0]);
        let mut wrong = FakeSubject::new("wrong", &clock, &[1.0]).wrong_from(4);
        let mut broken = FakeSubject::new("broken", &clock, &[]);
        let tasks = [task("start", 3)];
        let mut subjects: [&mut dyn Subject; 3] = [&mut wrong, &mut good, &mut broken];
        let measured = schedule().run_field(&tasks, &mut subjects, &clock, |_| {}).unwrap();
        let runs: Vec<usize> = measured[0].series.iter().map(Vec::len).collect();
        assert_eq!((runs, measured[0].is_precise), (vec![0, 5, 0], true));
        assert!(matches!(measured[0].failures[0], Some(BenchError::Wrong { found: 8903, .. })));
        assert_eq!(measured[0].failures[1], None);
        assert!(matches!(measured[0].failures[2], Some(BenchError::Failed { .. })));
    }

    #[test]
    fn a_field_of_which_nobody_counts_comes_to_an_end() {
        let clock = FakeClock::default();
        let mut broken = FakeSubject::new("broken", &clock, &[]);
        let measured = schedule().run_field(&[task("start", 3)], &mut [&mut broken], &clock, |_| {}).unwrap();
        assert!(measured[0].series[0].is_empty() && measured[0].failures[0].is_some());
    }
}
