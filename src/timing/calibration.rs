//! Chooses the depth so that a run takes a suitable time on this machine.
//!
//! Each depth takes some ten to forty times as
//! long as the one before, so the target time cannot be met exactly. The depth whose time is nearest to
//! [`TARGET_SECONDS`], as a ratio, is chosen. Its time is mostly between 0.04 s and 1 s. The smallest count itself takes
//! hardly any time. So its time is the time to ask the question: for a program that is run once for each question, this
//! is the time to start it.

use perft_core::suite::{Case, KnownCount};
use perft_diagnosis::source::SourceError;

use super::source::{Task, TimedSource};

/// The target time of a run, in seconds. Disturbances and the resolution of the clock are small compared with it, and
/// many such runs can be made.
const TARGET_SECONDS: f64 = 0.2;

/// The shortest time of a count, in seconds, from which a speed is computed.
const MIN_SECONDS: f64 = 0.005;

/// Returns the known count of a case whose time is nearest to the target, or `None` if no count is known. Times of
/// larger counts are estimated from the smaller ones.
///
/// # Errors
/// The source gives no count.
pub fn calibrate(case: &Case, source: &mut TimedSource) -> Result<Option<KnownCount>, SourceError> {
    let mut nodes_per_second = None;
    let mut overhead = None;
    let mut best: Option<(f64, KnownCount)> = None;
    for &expected in &case.expected {
        let seconds = match nodes_per_second {
            Some(speed) => overhead.unwrap_or(0.0) + expected.nodes as f64 / speed,
            None => {
                let seconds = source.run(&Task::new(case, expected))?.wall_seconds;
                let counting = seconds - *overhead.get_or_insert(seconds);
                nodes_per_second = (counting >= MIN_SECONDS).then(|| expected.nodes as f64 / counting);
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
    use perft_core::suite::builtin;

    use super::*;
    use crate::timing::fake::{FakeClock, FakeSource};

    /// Returns the depth that is chosen for the start position, if its depths take these times.
    fn depth(seconds: &[f64]) -> u32 {
        let clock = FakeClock::default();
        let mut source = FakeSource::new("fake", &clock, seconds).timed(&clock);
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
        let clock = FakeClock::default();
        let mut source = FakeSource::new("fake", &clock, &[1.0]).timed(&clock);
        let case = Case { expected: Vec::new(), ..builtin::position("start").unwrap().clone() };
        assert_eq!(calibrate(&case, &mut source), Ok(None));
    }
}
