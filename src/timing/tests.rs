//! Schedules and depths, tested with sources that state the times of their answers. No real time passes.

use std::time::Duration;

use perft_core::suite::{Case, builtin, named};
use perft_core::{Position, StopSignal};
use perft_diagnosis::source::{Answer, Cost, CountSource, Question, SourceError};

use super::source::{Task, TimedSource, calibrate};
use super::{Outcome, Schedule, Step};

/// A source whose answers take the given times, in a cycle. The counts are right unless a method makes them wrong.
pub struct FakeSource {
    name: &'static str,
    seconds: Vec<f64>,
    answers: usize,
    first_wrong: usize,
    first_interrupted: usize,
}

impl FakeSource {
    /// Makes a source. Without times, it always fails.
    pub fn new(name: &'static str, seconds: &[f64]) -> FakeSource {
        FakeSource {
            name,
            seconds: seconds.to_vec(),
            answers: 0,
            first_wrong: usize::MAX,
            first_interrupted: usize::MAX,
        }
    }

    /// Makes the counts one node too large from this answer on. Answers are numbered from 1.
    pub fn wrong_from(self, answer: usize) -> FakeSource {
        FakeSource { first_wrong: answer, ..self }
    }

    /// Makes the source report an interruption from this answer on. Answers are numbered from 1.
    pub fn interrupted_from(self, answer: usize) -> FakeSource {
        FakeSource { first_interrupted: answer, ..self }
    }

    pub fn timed(self) -> TimedSource<'static> {
        TimedSource::new(self.name, self, StopSignal::default())
    }
}

impl CountSource for FakeSource {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        let no_time = || SourceError::CannotCount("out of times".to_owned());
        self.seconds.first().ok_or_else(no_time)?;
        self.answers += 1;
        if self.answers >= self.first_interrupted {
            return Err(SourceError::Interrupted);
        }
        let position = Position::from_fen(&question.fen).unwrap();
        let case = named().cases.iter().find(|case| case.position == position).unwrap();
        let known = case.expected.iter().find(|known| known.depth == question.depth).unwrap();
        let nodes = known.nodes + u128::from(self.answers >= self.first_wrong);
        Ok(Answer { moves: Vec::new(), stated_total: Some(nodes), ..Answer::default() })
    }

    fn cost(&self) -> Cost {
        let last = self.answers.saturating_sub(1);
        let elapsed = self.seconds.iter().cycle().nth(last).copied().map(Duration::from_secs_f64);
        Cost { elapsed, ..Cost::default() }
    }
}

/// Makes a schedule of five runs or more, without a warm-up.
pub fn schedule() -> Schedule {
    Schedule { warmup: 0, min_runs: 5, max_runs: 50, max_time: Duration::from_secs(10), relative_width: 0.01 }
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

/// Runs one position on one source whose runs take these times, in a cycle.
fn runs(schedule: &Schedule, seconds: &[f64]) -> (usize, bool) {
    let source = FakeSource::new("fake", seconds).timed();
    let measured = schedule.run(&[task("start", 3)], &mut [source], |_| {});
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
        let source = FakeSource::new("fake", &[1.0, 2.0]).timed();
        let mut done = Vec::new();
        schedule.run(&[task("start", 3)], &mut [source], |step: Step| done.push(step.done));
        done
    };
    assert_eq!(done(&Schedule { warmup: 1, ..schedule() }.fixed(4)), [0.0, 0.0, 0.25, 0.5, 0.75]);
    let hasty = Schedule { max_time: Duration::from_secs(9), ..schedule() };
    assert_eq!(done(&hasty)[..3], [0.0, 1.0 / 9.0, 3.0 / 9.0]);
}

#[test]
fn rounds_are_interleaved_and_alternate_in_order() {
    let mut sources = ["A", "B"].map(|name| FakeSource::new(name, &[1.0]).timed());
    let mut seen = Vec::new();
    let tasks = [task("start", 2), task("kiwipete", 2)];
    let plan = Schedule { warmup: 1, ..schedule() }.fixed(2);
    let note = |step: Step| seen.push(format!("{}{}{}", step.round, &step.task[..1], step.source));
    plan.run(&tasks, &mut sources, note);
    assert_eq!(seen.join(" "), "0sA 0sB 0kA 0kB 1sA 1sB 1kA 1kB 2sB 2sA 2kB 2kA");
}

#[test]
fn a_precise_position_is_not_run_any_more() {
    // The two positions take turns. The first one has equal times, and the second one has not.
    let source = FakeSource::new("fake", &[1.0, 1.0, 1.0, 2.0]).timed();
    let plan = Schedule { max_time: Duration::MAX, min_runs: 4, max_runs: 9, ..schedule() };
    let tasks = [task("start", 2), task("kiwipete", 2)];
    let measured = plan.run(&tasks, &mut [source], |_| {});
    assert_eq!((measured[0].series[0].len(), measured[1].series[0].len()), (4, 9));
}

#[test]
fn pairs_are_precise_when_their_ratio_is() {
    // Both sources drift in the same way.
    let drift: Vec<f64> = (0..50).map(|round| 1.0 + f64::from(round % 7) / 10.0).collect();
    let twice: Vec<f64> = drift.iter().map(|seconds| 2.0 * seconds).collect();
    let mut sources =
        [("A", &drift), ("B", &twice)].map(|(name, seconds)| FakeSource::new(name, seconds).timed());
    let measured = schedule().run(&[task("start", 2)], &mut sources, |_| {});
    assert_eq!((measured[0].series[0].len(), measured[0].is_precise), (5, true));
}

#[test]
fn sources_that_fail_are_excluded() {
    let mut sources = [
        FakeSource::new("wrong", &[1.0]).wrong_from(4).timed(),
        FakeSource::new("good", &[1.0]).timed(),
        FakeSource::new("broken", &[]).timed(),
    ];
    let measured = schedule().run(&[task("start", 3)], &mut sources, |_| {});
    let runs: Vec<usize> = measured[0].series.iter().map(Vec::len).collect();
    assert_eq!((runs, measured[0].is_precise), (vec![0, 5, 0], true));
    let failure =
        |index: usize| measured[0].failures[index].clone().map(|failure| (failure.outcome, failure.error));
    let wrong = "wrong counts 8903 nodes in start at depth 3, not 8902".to_owned();
    assert_eq!((failure(0), failure(1)), (Some((Outcome::Wrong, wrong)), None));
    assert!(
        failure(2)
            .is_some_and(|(outcome, error)| outcome == Outcome::Failed && error.contains("out of times"))
    );
}

#[test]
fn the_runs_end_when_all_sources_failed() {
    let broken = FakeSource::new("broken", &[]).timed();
    let measured = schedule().run(&[task("start", 3)], &mut [broken], |_| {});
    assert!(measured[0].series[0].is_empty() && measured[0].failures[0].is_some());
}

#[test]
fn an_interruption_keeps_the_rounds_that_were_finished() {
    let mut sources = [
        FakeSource::new("first", &[1.0]).timed(),
        FakeSource::new("second", &[1.0]).interrupted_from(5).timed(),
    ];
    let tasks = [task("start", 3), task("kiwipete", 2)];
    let all = schedule().fixed(5).run(&tasks, &mut sources, |_| {});
    let runs = |index: usize| all[index].series.iter().map(Vec::len).collect::<Vec<usize>>();
    assert_eq!((runs(0), runs(1)), (vec![2, 2], vec![2, 2]), "the first source had begun one more round");
    assert!(all.iter().all(|measured| measured.has_begun() && !measured.is_complete));
    let all = schedule().fixed(1).run(&tasks, &mut sources[..1], |_| {});
    assert!(all.iter().all(|measured| measured.is_complete));
}

/// Returns the depth that is chosen for the start position, if its depths take these times.
fn depth(seconds: &[f64]) -> u32 {
    let mut source = FakeSource::new("fake", seconds).timed();
    let case = builtin::position("start").unwrap();
    calibrate(case, &mut source).unwrap().unwrap().depth
}

#[test]
fn the_depth_nearest_to_the_target_is_chosen() {
    // 119,060,324 nodes take 10 ms: depth 7 takes 0.27 s, depth 8 takes 7.1 s.
    assert_eq!(depth(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.01]), 7);
    // They take 5 ms: depth 7 takes 0.13 s, depth 8 takes 3.6 s.
    assert_eq!(depth(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.005]), 7);
    // The source is slow: depth 5 takes 5 ms, depth 6 takes 0.12 s, depth 7 takes 3.3 s.
    assert_eq!(depth(&[0.0, 0.0, 0.0, 0.0, 0.005]), 6);
}

#[test]
fn the_time_to_start_is_not_counting_time() {
    // The start takes 0.1 s: depth 5 takes 0.01 s more, depth 6 takes 0.24 s, depth 7 takes 6.6 s.
    assert_eq!(depth(&[0.1, 0.1, 0.1, 0.1, 0.11]), 6);
}

#[test]
fn a_very_slow_source_counts_depth_1() {
    assert_eq!(depth(&[60.0]), 1);
}

#[test]
fn without_a_known_count_there_is_no_depth() {
    let mut source = FakeSource::new("fake", &[1.0]).timed();
    let case = Case { expected: Vec::new(), ..builtin::position("start").unwrap().clone() };
    assert_eq!(calibrate(&case, &mut source), Ok(None));
}
