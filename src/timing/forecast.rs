//! Forecasts how long the rest of a benchmark takes.
//!
//! The interval of a time gets narrower with the square root of the number of runs. So the number of runs that a
//! position needs can be computed from the width of its interval so far. Before it has its minimum number of runs, it
//! is assumed to need no more than the minimum.

use std::time::Duration;

use super::measured::Measured;
use super::schedule::Schedule;

impl Schedule {
    /// Returns the time that the rest probably takes, with this number of warm-up rounds. `None` if nothing has run
    /// yet.
    pub fn time_left(&self, all: &[Measured], warmups_left: usize) -> Option<Duration> {
        let known: Vec<f64> = all.iter().filter_map(round_seconds).collect();
        if known.is_empty() {
            return None;
        }
        // A position that has not run yet is assumed to be like the others.
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        let timed = |measured: &Measured| {
            let seconds = round_seconds(measured).unwrap_or(mean);
            self.rounds_left(measured, seconds) * seconds
        };
        let seconds = all.iter().map(timed).sum::<f64>() + warmups_left as f64 * mean;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Returns the number of rounds that a position probably still needs, if a round takes `round_seconds`.
    fn rounds_left(&self, measured: &Measured, round_seconds: f64) -> f64 {
        if measured.is_complete {
            return 0.0;
        }
        let done = measured.rounds() as f64;
        let for_precision = measured.width.map_or(0.0, |width| done * (width / self.relative_width).powi(2));
        let within = |time: Duration| (time.as_secs_f64() / round_seconds.max(1e-9)).ceil();
        let wanted = for_precision.min(within(self.max_time)).max(within(self.min_time));
        wanted.clamp(f64::from(self.min_runs), f64::from(self.max_runs)).max(done + 1.0) - done
    }
}

/// Returns the time of a round of a position in seconds; `None` if there was none.
fn round_seconds(measured: &Measured) -> Option<f64> {
    match measured.rounds() {
        0 => measured.warmup_time.map(|time| time.as_secs_f64()),
        rounds => Some(measured.time.as_secs_f64() / rounds as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::clock::Measure;
    use crate::timing::fake::{FakeClock, FakeSource, schedule, task};
    use crate::timing::schedule::Step;

    /// Returns the times left in seconds, and the speeds so far in nodes per second, before each run of one position.
    fn shown(schedule: &Schedule, seconds: &[f64]) -> Vec<(Option<u64>, Option<f64>)> {
        let clock = FakeClock::default();
        let source = FakeSource::new("fake", &clock, seconds).timed(&clock);
        let mut shown = Vec::new();
        let note =
            |step: Step| shown.push((step.time_left.map(|time| time.as_secs()), step.nodes_per_second));
        schedule.run(&[task("start", 3)], &mut [source], &clock, note);
        shown
    }

    #[test]
    fn a_fixed_number_of_runs_takes_as_long_as_the_runs_so_far() {
        let schedule = Schedule { warmup: 1, ..schedule() }.fixed(3);
        let speed = Some(8902.0 / 2.0);
        let steps = [(None, None), (Some(6), None), (Some(4), speed), (Some(2), speed)];
        assert_eq!(shown(&schedule, &[2.0]), steps);
    }

    #[test]
    fn an_imprecise_time_needs_more_runs_within_the_limit_of_time() {
        let patient = Schedule { max_time: Duration::from_secs(1000), ..schedule() };
        let left = |schedule: &Schedule, run: usize| shown(schedule, &[1.0, 2.0])[run].0.unwrap();
        assert_eq!(left(&patient, 4), 1, "the minimum of runs");
        assert!((60..=72).contains(&left(&patient, 6)), "all 50 runs: {}", left(&patient, 6));
        let hasty = Schedule { max_time: Duration::from_secs(15), ..schedule() };
        assert!((5..=7).contains(&left(&hasty, 6)), "15 s in all: {}", left(&hasty, 6));
    }

    #[test]
    fn a_position_without_runs_is_like_the_others() {
        let schedule = schedule().fixed(3);
        let mut known = Measured::new(&task("start", 3), 1, Measure::Wall);
        known.warmup_time = Some(Duration::from_secs(2));
        let all = [known, Measured::new(&task("kiwipete", 2), 1, Measure::Wall)];
        assert_eq!(schedule.time_left(&all, 1), Some(Duration::from_secs(14)));
        assert_eq!(schedule.time_left(&all[1..], 1), None);
    }
}
