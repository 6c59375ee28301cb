//! Warns of a count that would take longer than a lifetime, and says how much `--exact` would save in a long count.

use std::time::{Duration, Instant};

use perft_core::Position;
use perft_count::internals::forecast;
use perft_count::{Frontier, Perft, Progress};
use perft_lab::generators::Generator;

use crate::commands::estimate::EXACT_REST;
use crate::input::Counting;
use crate::output::CountMode;
use crate::output::context::Context;
use crate::output::error::{note, warn};
use crate::output::numbers::SECONDS_PER_YEAR;
use crate::output::terminal::format_duration;

/// The time above which a count is warned of.
const LIFETIME_YEARS: f64 = 80.0;

/// The time for the shallow counts that the forecast is made from.
const BUDGET: Duration = Duration::from_millis(20);

/// The number of times that a shallow count is timed. A busy machine may pause the program for longer than such a
/// count takes, which would make a short count look long.
const REPETITIONS: usize = 3;

/// A cautious guess of the factor by which the next depth takes longer.
const GROWTH: u32 = 40;

/// The time above which a count is compared with one by `--exact`.
const LONG: Duration = Duration::from_secs(60);

/// The largest number of nodes of a ply after which the next ply is merged for the forecast.
const MAX_NODES_ABOVE: u128 = 10_000;

/// The memory for merging a ply for the forecast, in bytes.
const MERGING_BYTES: usize = 256 << 20;

/// Warns if the count of a depth would take longer than a lifetime at the speed of shallow counts. If it takes long
/// and `--exact` would help, says so.
pub fn warn_if_long(position: &Position, depth: u32, counting: &Counting, context: &Context) {
    if context.global.quiet {
        return;
    }
    let Some((nodes, seconds)) = expected(position, depth, counting, context) else { return };
    let years = seconds / f64::from(SECONDS_PER_YEAR);
    if years > LIFETIME_YEARS {
        warn(format!("depth {depth} {}; counting anyway", size(nodes, years)));
    } else if seconds > LONG.as_secs_f64() && can_merge(counting) {
        let merged =
            seconds / nodes_per_position(position, depth.saturating_sub(EXACT_REST), &counting.plain);
        let [plain, merged] = [seconds, merged].map(Duration::from_secs_f64).map(format_duration);
        note(format!("depth {depth} takes about {plain}; with --exact it would take about {merged}"));
    }
}

/// Returns the expected number of nodes and the time of their count in seconds. Returns `None` if there are no shallow
/// counts, or if one of them was stopped.
fn expected(position: &Position, depth: u32, counting: &Counting, context: &Context) -> Option<(f64, f64)> {
    let mut counts = vec![1];
    let mut spent = Duration::ZERO;
    let mut rate = 0.0;
    for shallow in 1..depth {
        let progress = Progress::new(context.stop.clone());
        let (nodes, took) =
            least_time(|| counting.plain.count_with_progress(position, shallow, &progress).ok())?;
        counts.push(nodes);
        rate = nodes as f64 / took.as_secs_f64().max(1e-9);
        spent += took;
        if spent + took * GROWTH > BUDGET {
            break;
        }
    }
    let nodes = forecast(&counts, depth);
    (rate > 0.0).then(|| (nodes, nodes / (rate * counting.head.threads as f64)))
}

/// Makes a count [`REPETITIONS`] times. Returns the count and the shortest time, or `None` if a count was stopped.
fn least_time(mut count: impl FnMut() -> Option<u128>) -> Option<(u128, Duration)> {
    let mut timed = || {
        let start = Instant::now();
        count().map(|nodes| (nodes, start.elapsed()))
    };
    let mut least = timed()?;
    for _ in 1..REPETITIONS {
        least.1 = least.1.min(timed()?.1);
    }
    Some(least)
}

/// Whether `--exact` is possible and was not given.
fn can_merge(counting: &Counting) -> bool {
    let head = &counting.head;
    head.mode == CountMode::Plain && head.bulk && head.generator == Generator::Bitboard.name()
}

/// Estimates how many nodes of a ply share a position on average. The upper plies are merged. Below them, the number
/// is assumed to grow as in the last merged ply, so the estimate tends to be too low.
fn nodes_per_position(position: &Position, ply: u32, perft: &Perft) -> f64 {
    let mut frontier = Frontier::new(position);
    let mut shares = vec![1.0];
    while frontier.ply() < ply && frontier.nodes() <= MAX_NODES_ABOVE {
        let Ok(next) = frontier.next(perft, MERGING_BYTES, &Progress::default()) else { break };
        frontier = next;
        shares.push(frontier.nodes() as f64 / frontier.positions().max(1) as f64);
    }
    let last = shares[shares.len() - 1];
    let growth = if shares.len() < 2 { 1.0 } else { last / shares[shares.len() - 2] };
    last * growth.powi((ply - frontier.ply()) as i32)
}

/// Returns how many nodes there are and how long they take, in words.
fn size(nodes: f64, years: f64) -> String {
    if nodes.is_finite() {
        format!("has about {nodes:.0e} nodes, which takes about {years:.0e} years to count")
    } else {
        "has more than 1e308 nodes, which cannot be counted".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_a_deep_ply_is_estimated_from_the_upper_plies() {
        let start = |ply| nodes_per_position(&Position::start(), ply, &Perft::new());
        assert_eq!([0, 1, 2].map(start), [1.0, 1.0, 1.0]);
        assert_eq!(start(3), 8_902.0 / 5_362.0);
        assert_eq!(start(4), 197_281.0 / 72_078.0);
        // There are 3195901860 nodes in 96400068 positions.
        assert!((8.0..33.2).contains(&start(7)), "{}", start(7));
        let bare_kings = Position::from_fen("8/8/8/3k4/8/3K4/8/8 w - - 0 1").unwrap();
        assert!(nodes_per_position(&bare_kings, 6, &Perft::new()) > 10.0);
    }

    #[test]
    fn a_pause_does_not_make_a_shallow_count_look_slow() {
        let mut calls = 0;
        let least = least_time(|| {
            calls += 1;
            if calls == 1 {
                std::thread::sleep(Duration::from_millis(300));
            }
            Some(20)
        });
        let (nodes, took) = least.unwrap();
        assert_eq!((nodes, calls), (20, REPETITIONS));
        assert!(took < Duration::from_millis(300), "{took:?}");
        assert_eq!(least_time(|| None), None);
    }

    #[test]
    fn numbers_that_are_too_large_are_not_printed() {
        assert_eq!(size(1e30, 1e9), "has about 1e30 nodes, which takes about 1e9 years to count");
        assert_eq!(size(f64::INFINITY, f64::INFINITY), "has more than 1e308 nodes, which cannot be counted");
    }
}
