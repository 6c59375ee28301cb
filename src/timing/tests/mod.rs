//! Schedules and depths, tested with sources that state the times of their answers. No real time passes.

mod simulation;

use std::time::Duration;

use perft_core::suite::{Case, builtin, named};
use perft_core::{Position, StopSignal};
use perft_diagnosis::source::{Answer, Cost, CountSource, Question, SourceError};

use super::source::{Task, TimedSource, calibrate};
use super::{Measure, Measured, Outcome, Schedule, Step};

/// A source whose answers take the given times, in a cycle. The counts are right unless a method makes them wrong.
pub struct FakeSource {
    name: &'static str,
    seconds: Vec<f64>,
    answers: usize,
    first_wrong: usize,
    first_interrupted: usize,
}

impl FakeSource {
    /// Without times, the source always fails.
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
        let seconds = self.seconds.iter().cycle().nth(self.answers - 1).copied();
        let cost = Cost { elapsed: seconds.map(Duration::from_secs_f64), ..Cost::default() };
        Ok(Answer { cost, ..Answer::from(nodes) })
    }
}

/// Makes a schedule of this number of rounds, without a warm-up.
pub fn fixed(rounds: u32) -> Schedule {
    Schedule { warmup: 0, max_rounds: rounds, max_time: Duration::MAX }
}

pub fn task(name: &str, depth: usize) -> Task {
    let case = builtin::position(name).unwrap();
    Task::new(case, case.expected[depth - 1])
}

impl Schedule {
    pub fn measured(&self, tasks: &[Task], sources: &mut [TimedSource]) -> Vec<Measured> {
        let mut all: Vec<Measured> = tasks.iter().map(|task| Measured::new(task, sources.len())).collect();
        self.run(&mut all, sources, |_| false, |_| {});
        all
    }
}

#[test]
fn rounds_and_time_are_limited() {
    let runs = |schedule: Schedule| {
        let source = FakeSource::new("fake", &[1.0, 2.0]).timed();
        schedule.measured(&[task("start", 3)], &mut [source])[0].series[0].len()
    };
    assert_eq!(runs(fixed(50)), 50);
    // A run takes 1.5 s on average; the twelfth ends at 18 s.
    assert_eq!(runs(Schedule { max_time: Duration::from_secs(17), ..fixed(50) }), 12);
    assert_eq!(runs(Schedule { max_time: Duration::ZERO, ..fixed(50) }), 1);
}

#[test]
fn the_runs_end_when_they_are_enough() {
    let mut all = [Measured::new(&task("start", 3), 1)];
    let source = FakeSource::new("fake", &[1.0]).timed();
    let seconds = fixed(50).run(&mut all, &mut [source], |all| all[0].rounds == 7, |_| {});
    assert_eq!((all[0].series[0].len(), seconds, all[0].is_complete), (7, 7.0, true));
}

#[test]
fn many_rounds_are_looked_at_less_often() {
    let mut all = [Measured::new(&task("start", 3), 1)];
    let source = FakeSource::new("fake", &[1.0]).timed();
    let looks = std::cell::Cell::new(0);
    let look = |_: &[Measured]| looks.replace(looks.get() + 1) == usize::MAX;
    fixed(1001).run(&mut all, &mut [source], look, |_| {});
    assert_eq!(looks.get(), 386);
}

#[test]
fn the_fraction_that_is_done_is_that_of_the_rounds_or_of_the_time() {
    let done = |schedule: &Schedule| {
        let source = FakeSource::new("fake", &[1.0, 2.0]).timed();
        let mut done = Vec::new();
        let mut all = [Measured::new(&task("start", 3), 1)];
        schedule.run(&mut all, &mut [source], |_| false, |step: Step| done.push(step.done));
        done
    };
    assert_eq!(done(&Schedule { warmup: 1, ..fixed(4) }), [0.0, 0.0, 0.25, 0.5, 0.75]);
    let hasty = Schedule { max_time: Duration::from_secs(9), ..fixed(50) };
    assert_eq!(done(&hasty)[..3], [0.0, 1.0 / 9.0, 3.0 / 9.0]);
}

#[test]
fn rounds_are_interleaved_and_alternate_in_order() {
    let mut sources = ["A", "B"].map(|name| FakeSource::new(name, &[1.0]).timed());
    let mut seen = Vec::new();
    let mut all = [task("start", 2), task("kiwipete", 2)].map(|task| Measured::new(&task, 2));
    let plan = Schedule { warmup: 1, ..fixed(2) };
    let note = |step: Step| seen.push(format!("{}{}{}", step.round, &step.task[..1], step.source));
    plan.run(&mut all, &mut sources, |_| false, note);
    assert_eq!(seen.join(" "), "0sA 0sB 0kA 0kB 1sA 1sB 1kA 1kB 2sB 2sA 2kB 2kA");
}

#[test]
fn sources_that_fail_are_excluded() {
    let mut sources = [
        FakeSource::new("wrong", &[1.0]).wrong_from(4).timed(),
        FakeSource::new("good", &[1.0]).timed(),
        FakeSource::new("broken", &[]).timed(),
    ];
    let measured = fixed(5).measured(&[task("start", 3)], &mut sources);
    let runs: Vec<usize> = measured[0].series.iter().map(Vec::len).collect();
    assert_eq!(runs, [0, 5, 0]);
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
fn a_source_that_does_not_tell_what_is_compared_has_failed() {
    let mut source = FakeSource::new("fake", &[1.0]).timed();
    source.measure = Measure::Instructions;
    let measured = fixed(5).measured(&[task("start", 3)], &mut [source]);
    let failure = measured[0].failures[0].as_ref().unwrap();
    assert!(failure.error.ends_with("the system does not say its instructions"), "{}", failure.error);
}

#[test]
fn the_runs_end_when_all_sources_failed() {
    let broken = FakeSource::new("broken", &[]).timed();
    let measured = fixed(5).measured(&[task("start", 3)], &mut [broken]);
    assert!(measured[0].series[0].is_empty() && measured[0].failures[0].is_some());
    assert_eq!(measured[0].rounds, 1);
}

#[test]
fn an_interruption_keeps_the_rounds_that_were_finished() {
    let mut sources = [
        FakeSource::new("first", &[1.0]).timed(),
        FakeSource::new("second", &[1.0]).interrupted_from(5).timed(),
    ];
    let tasks = [task("start", 3), task("kiwipete", 2)];
    let all = fixed(5).measured(&tasks, &mut sources);
    let runs = |index: usize| all[index].series.iter().map(Vec::len).collect::<Vec<usize>>();
    assert_eq!((runs(0), runs(1)), (vec![2, 2], vec![2, 2]), "the first source had begun one more round");
    assert!(all.iter().all(|measured| measured.has_begun() && !measured.is_complete));
    let all = fixed(1).measured(&tasks, &mut sources[..1]);
    assert!(all.iter().all(|measured| measured.is_complete));
}

/// Returns the depth that is chosen for the start position, if its depths take these times. Each is asked three times,
/// and two of the answers are disturbed.
fn depth(seconds: &[f64]) -> u32 {
    let answers: Vec<f64> =
        seconds.iter().flat_map(|&seconds| [seconds + 0.3, seconds, seconds + 0.1]).collect();
    let mut source = FakeSource::new("fake", &answers).timed();
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
    // One large count is enough to know that a smaller one is nearer.
    assert_eq!(depth(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0]), 6);
}

#[test]
fn the_time_to_start_is_not_counting_time() {
    // The start takes 0.1 s: depth 5 takes 0.01 s more, which is not enough to be sure, and depth 6 takes 0.24 s.
    assert_eq!(depth(&[0.1, 0.1, 0.1, 0.1, 0.11, 0.34]), 6);
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
