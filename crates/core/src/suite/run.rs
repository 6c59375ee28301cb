//! Running a suite: every known count is counted and compared.

use rayon::prelude::*;

use super::{Case, KnownCount, Suite};
use crate::count::{Interrupted, Perft, Progress, StopSignal};

/// Which of the known counts are to be made.
///
/// # Examples
/// ```
/// use perft_core::suite::{KnownCount, Limits};
/// let limits = Limits { max_nodes: 1000, ..Limits::NONE };
/// assert!(limits.allows(&KnownCount { depth: 3, nodes: 1000 }));
/// assert!(!limits.allows(&KnownCount { depth: 4, nodes: 1001 }));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Leave out counts above this number of nodes.
    pub max_nodes: u128,
    /// Leave out counts deeper than this, in plies.
    pub max_depth: u32,
}

impl Limits {
    /// Every count.
    pub const NONE: Limits = Limits { max_nodes: u128::MAX, max_depth: u32::MAX };

    /// True if a count is within the limits.
    pub fn allows(&self, expected: &KnownCount) -> bool {
        expected.nodes <= self.max_nodes && expected.depth <= self.max_depth
    }
}

/// A known count and what was counted.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The position.
    pub case: &'a Case,
    /// The known count.
    pub expected: KnownCount,
    /// What was counted.
    pub nodes: u128,
}

impl Outcome<'_> {
    /// True if the count is the known one.
    pub fn is_right(&self) -> bool {
        self.nodes == self.expected.nodes
    }
}

impl Suite {
    /// Counts every case of a suite within the limits, several cases at once on the threads of the driver, and hands each
    /// outcome to `report` as soon as it is known. The outcomes are also returned, in the order of the suite.
    ///
    /// # Errors
    /// The signal was raised.
    pub fn check<'a>(
        &'a self,
        limits: &Limits,
        perft: &Perft,
        stop: &StopSignal,
        report: impl Fn(&Outcome) + Sync,
    ) -> Result<Vec<Outcome<'a>>, Interrupted> {
        let checks: Vec<(&Case, KnownCount)> = self
            .cases
            .iter()
            .flat_map(|case| case.expected.iter().map(move |expected| (case, *expected)))
            .filter(|(_, expected)| limits.allows(expected))
            .collect();
        let check = |&(case, expected): &(&'a Case, KnownCount)| {
            let progress = Progress::new(stop.clone());
            let nodes = perft.count(&case.position, expected.depth, &progress)?;
            let outcome = Outcome { case, expected, nodes };
            report(&outcome);
            Ok(outcome)
        };
        perft.in_pool(|parallel| {
            if parallel { checks.par_iter().map(check).collect() } else { checks.iter().map(check).collect() }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn right_and_wrong_counts_are_told_apart() {
        let text = "8/8/8/8/8/8/8/k1K5 w - - ;D1 3 ;D2 4 ;D3 11 ;D4 1000000";
        let suite = Suite::from_epd("test", text).unwrap();
        let limits = Limits { max_nodes: 1000, max_depth: 2 };
        let seen = Mutex::new(0);
        let outcomes = suite
            .check(&limits, &Perft::new(), &StopSignal::default(), |_| *seen.lock().unwrap() += 1)
            .unwrap();
        let right: Vec<bool> = outcomes.iter().map(Outcome::is_right).collect();
        assert_eq!((right, *seen.lock().unwrap()), (vec![true, false], 2));
        assert_eq!(outcomes[1].nodes, 7);
    }

    #[test]
    fn a_raised_signal_ends_the_run() {
        let stop = StopSignal::default();
        stop.raise();
        let suite = Suite::from_epd("test", "8/8/8/8/8/8/8/k1K5 w - - ;D1 3").unwrap();
        assert_eq!(suite.check(&Limits::NONE, &Perft::new(), &stop, |_| {}).unwrap_err(), Interrupted);
    }
}
