//! Warns of a count that would take longer than a lifetime.

use std::time::{Duration, Instant};

use perft_core::internals::forecast;
use perft_core::{Position, Progress};

use super::args::Counting;
use super::context::Context;
use super::error::warn;

const SECONDS_PER_YEAR: f64 = 31_557_600.0;

/// A count that takes longer is warned of.
const LIFETIME_SECONDS: f64 = 80.0 * SECONDS_PER_YEAR;

/// Time to spend on shallow counts that the forecast is made from.
const BUDGET: Duration = Duration::from_millis(20);

/// How many times longer the next depth takes, as a cautious guess.
const GROWTH: u32 = 40;

/// Warns if the count of a depth would take longer than a lifetime, judged by the speed of shallow counts.
pub fn warn_if_endless(position: &Position, depth: u32, counting: &Counting, context: &Context) {
    let mut counts = vec![1];
    let start = Instant::now();
    let mut rate = 0.0;
    for shallow in 1..depth {
        let before = start.elapsed();
        let Ok(nodes) = counting.plain.count(position, shallow, &Progress::new(context.stop.clone())) else {
            return;
        };
        let took = start.elapsed() - before;
        counts.push(nodes);
        rate = nodes as f64 / took.as_secs_f64().max(1e-9);
        if start.elapsed() + took * GROWTH > BUDGET {
            break;
        }
    }
    let nodes = forecast(&counts, depth);
    let seconds = nodes / (rate * counting.head.threads as f64);
    if rate > 0.0 && seconds > LIFETIME_SECONDS && !context.global.quiet {
        warn(format!("depth {depth} {}; counting anyway", size(nodes, seconds / SECONDS_PER_YEAR)));
    }
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
    fn numbers_that_are_too_large_are_not_printed() {
        assert_eq!(size(1e30, 1e9), "has about 1e30 nodes, which takes about 1e9 years to count");
        assert_eq!(size(f64::INFINITY, f64::INFINITY), "has more than 1e308 nodes, which cannot be counted");
    }
}
