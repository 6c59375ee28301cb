//! How deep to count so that a run takes a sensible time on this machine.
//!
//! Known counts come by depth, each some ten to forty times the one before, so no time can be hit exactly. The depth is
//! taken whose time is nearest to [`TARGET_SECONDS`] by its ratio: mostly between a tenth of a second and three. The first
//! count is so small that its time is that of the question: a program that is run for every question takes it each time.

use super::subject::{Subject, SubjectError, Task};
use perft_core::suite::{Case, KnownCount};

/// What a run should take: long enough for the clock and for what disturbs it to be small beside it, short enough for many.
pub const TARGET_SECONDS: f64 = 0.5;

/// A count that takes less says little about the speed.
const TELLING_SECONDS: f64 = 0.005;

/// The known count of a case that takes a sensible time, as far as smaller counts tell; `None` if none is known.
///
/// # Errors
/// The subject does not count.
pub fn calibrate(case: &Case, subject: &mut dyn Subject) -> Result<Option<KnownCount>, SubjectError> {
    let mut rate = None;
    let mut overhead = None;
    let mut best: Option<(f64, KnownCount)> = None;
    for &expected in &case.expected {
        let seconds = match rate {
            Some(rate) => overhead.unwrap_or(0.0) + expected.nodes as f64 / rate,
            None => {
                let seconds = subject.count(&Task::new(case, expected))?.seconds;
                let counting = seconds - *overhead.get_or_insert(seconds);
                rate = (counting >= TELLING_SECONDS).then(|| expected.nodes as f64 / counting);
                seconds
            }
        };
        let distance = (seconds.max(1e-9) / TARGET_SECONDS).ln().abs();
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, expected));
        }
        if seconds > TARGET_SECONDS {
            break;
        }
    }
    Ok(best.map(|(_, expected)| expected))
}

#[cfg(test)]
mod tests {
    use super::super::fake::{FakeClock, FakeSubject};
    use super::*;
    use perft_core::suite::builtin;

    /// The depth for the start position, counted in these times.
    fn depth(seconds: &[f64]) -> u32 {
        let clock = FakeClock::default();
        let mut subject = FakeSubject::new("fake", &clock, seconds);
        let case = builtin::position("start").unwrap();
        calibrate(case, &mut subject).unwrap().unwrap().depth
    }

    #[test]
    fn the_depth_nearest_to_half_a_second() {
        // 119,060,324 nodes in 10 ms: depth 7 takes 0.27 s, depth 8 7.1 s.
        assert_eq!(depth(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.01]), 7);
        // In 5 ms: depth 7 takes 0.13 s, depth 8 3.6 s.
        assert_eq!(depth(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.005]), 7);
        // A slow one: depth 5 in 5 ms, depth 6 in 0.12 s, depth 7 in 3.3 s.
        assert_eq!(depth(&[0.0, 0.0, 0.0, 0.0, 0.005]), 6);
    }

    #[test]
    fn the_time_to_start_is_not_that_of_counting() {
        // A tenth of a second to start: depth 5 takes 0.01 s more, depth 6 0.24 s, depth 7 6.6 s.
        assert_eq!(depth(&[0.1, 0.1, 0.1, 0.1, 0.11]), 6);
    }

    #[test]
    fn a_very_slow_one_counts_the_shallowest() {
        assert_eq!(depth(&[60.0]), 1);
    }

    #[test]
    fn nothing_known_is_nothing_to_count() {
        let clock = FakeClock::default();
        let mut subject = FakeSubject::new("fake", &clock, &[1.0]);
        let case = Case { expected: Vec::new(), ..builtin::position("start").unwrap().clone() };
        assert_eq!(calibrate(&case, &mut subject), Ok(None));
    }
}
