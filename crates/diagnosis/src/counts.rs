//! The right counts of a position, as in a line of a test suite.

use perft_core::{Position, StopSignal};

/// Returns the numbers of leaf nodes at the depths from 1 on, up to `depth`.
///
/// It stops before a count that is probably above `max_nodes`. The estimate uses the growth of the counts so far. It
/// also stops when the stop signal is raised. The count of depth 1 is always returned.
///
/// # Examples
/// ```
/// use perft_core::{Position, StopSignal};
/// use perft_diagnosis::counts_to;
///
/// let counts = counts_to(&Position::start(), 10, 1e6, &StopSignal::default());
/// assert_eq!(counts, [20, 400, 8_902, 197_281]);
/// ```
pub fn counts_to(position: &Position, depth: u32, max_nodes: f64, stop: &StopSignal) -> Vec<u128> {
    let mut counts = vec![position.perft(1)];
    let mut last = 1.0;
    for depth in 2..=depth {
        let nodes = counts[counts.len() - 1] as f64;
        if nodes * (nodes / last).max(1.0) > max_nodes {
            break;
        }
        let Ok(found) = position.perft_until(depth, stop) else { break };
        counts.push(found);
        last = nodes.max(1.0);
    }
    counts
}
