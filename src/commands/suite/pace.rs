//! Estimates how fast an engine answers, so that the time left can be shown.
//!
//! The cheapest counts come first. Most of their time is for asking, so it says little about the counts of millions of
//! nodes that follow. So two figures are needed: the time of a question, and the time of a leaf node. They come from
//! the straight line that fits the answers so far best (least squares). While the slope of the line is too uncertain,
//! no time is shown.

use std::time::Duration;

use perft_core::suite::KnownCount;

/// The largest relative standard error of the time of a leaf node at which this time counts as known.
const MAX_ERROR: f64 = 0.1;

/// A number of questions, and of the leaf nodes of their answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    questions: f64,
    nodes: f64,
}

/// The answers so far, as the sums from which the line is computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    answers: f64,
    nodes: f64,
    seconds: f64,
    nodes_squared: f64,
    seconds_squared: f64,
    nodes_by_seconds: f64,
}

impl Work {
    /// Adds a known count.
    pub fn add(&mut self, known: &KnownCount) {
        self.questions += 1.0;
        self.nodes += known.nodes as f64;
    }

    /// Removes a known count.
    pub fn remove(&mut self, known: &KnownCount) {
        self.questions -= 1.0;
        self.nodes -= known.nodes as f64;
    }

    /// Returns this work in leaf nodes. A question counts as `nodes_per_question` leaf nodes.
    pub fn in_nodes(self, nodes_per_question: f64) -> u64 {
        (self.nodes + self.questions * nodes_per_question) as u64
    }
}

impl Pace {
    /// Adds an answer.
    pub fn add(&mut self, known: &KnownCount, elapsed: Duration) {
        let (nodes, seconds) = (known.nodes as f64, elapsed.as_secs_f64());
        self.answers += 1.0;
        self.nodes += nodes;
        self.seconds += seconds;
        self.nodes_squared += nodes * nodes;
        self.seconds_squared += seconds * seconds;
        self.nodes_by_seconds += nodes * seconds;
    }

    /// Returns the number of leaf nodes that take as long as a question without leaf nodes. Returns `None` while the
    /// time of a leaf node is not known.
    pub fn nodes_per_question(&self) -> Option<f64> {
        let nodes_spread = self.answers * self.nodes_squared - self.nodes * self.nodes;
        let seconds_spread = self.answers * self.seconds_squared - self.seconds * self.seconds;
        let both = self.answers * self.nodes_by_seconds - self.nodes * self.seconds;
        // The square of the relative standard error of the slope.
        let error = (nodes_spread * seconds_spread / (both * both) - 1.0) / (self.answers - 2.0);
        let seconds_per_node = both / nodes_spread;
        let seconds_per_question = (self.seconds - seconds_per_node * self.nodes) / self.answers;
        let is_known = nodes_spread > 0.0
            && self.answers > 2.0
            && seconds_per_node > 0.0
            && error <= MAX_ERROR * MAX_ERROR;
        is_known.then(|| (seconds_per_question / seconds_per_node).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the nodes per question for an engine with these times for a question and for a node, in seconds. The
    /// times vary by a millisecond.
    fn nodes_per_question(per_question: f64, per_node: f64, nodes: &[u128]) -> Option<f64> {
        let mut pace = Pace::default();
        for (number, &nodes) in nodes.iter().enumerate() {
            let varied = per_question + 0.001 * (number % 2) as f64;
            let elapsed = Duration::from_secs_f64(varied + per_node * nodes as f64);
            pace.add(&KnownCount { depth: 1, nodes }, elapsed);
        }
        pace.nodes_per_question()
    }

    #[test]
    fn the_time_of_a_question_is_told_from_that_of_counting() {
        let counts = [20, 48, 14, 6, 400, 2039, 191, 264, 8902, 97_862, 2812, 9467];
        let slow = nodes_per_question(0.01, 1e-5, &counts).unwrap();
        assert!((800.0..1300.0).contains(&slow), "{slow}");
        assert!(nodes_per_question(0.0, 1e-5, &counts).unwrap() < 200.0);
    }

    #[test]
    fn counts_that_take_no_time_tell_nothing() {
        for counts in [&[][..], &[20], &[20, 48], &[20, 20, 20], &[20, 48, 14, 6, 44, 46, 5, 20]] {
            assert_eq!(nodes_per_question(0.01, 1e-5, counts), None, "{counts:?}");
        }
    }

    #[test]
    fn work_is_added_up() {
        let known = [KnownCount { depth: 1, nodes: 20 }, KnownCount { depth: 2, nodes: 400 }];
        let mut work = Work::default();
        known.iter().chain(&known[..1]).for_each(|known| work.add(known));
        assert_eq!(work.in_nodes(1000.0), 3440);
        work.remove(&known[1]);
        assert_eq!(work.in_nodes(1000.0), 2040);
    }
}
