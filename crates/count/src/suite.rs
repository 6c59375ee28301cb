//! Checking the drivers of this crate against a suite.

use perft_core::suite::{Case, KnownCount, Limits, Suite};
use perft_core::{Interrupted, StopSignal};

use crate::driver::Perft;
use crate::progress::Progress;

/// A known count and the count that was found.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The case.
    pub case: &'a Case,
    /// The known count.
    pub expected: KnownCount,
    /// The number of leaf nodes that was found.
    pub nodes: u128,
    /// Whether [`Outcome::nodes`] is only a lower bound. The count was stopped because it was above
    /// [`Limits::max_nodes`].
    pub is_lower_bound: bool,
}

impl Outcome<'_> {
    /// Whether the count that was found is the known count.
    pub fn is_right(&self) -> bool {
        self.nodes == self.expected.nodes && !self.is_lower_bound
    }
}

/// Counts every case within the limits with a [`Perft`], and returns the outcomes in the order of the suite.
///
/// If the [`Perft`] has several threads, they count several cases at once. Each outcome is also passed to `report` as
/// soon as it is known, so that it is not lost if the check is stopped. A count that is larger than the known count
/// ends soon after [`Limits::max_nodes`].
///
/// # Examples
/// ```
/// use perft_core::StopSignal;
/// use perft_core::suite::{self, Limits};
/// use perft_count::{Outcome, Perft, check_suite};
///
/// let (perft, stop) = (Perft::new().threads(2)?, StopSignal::default());
/// let outcomes = check_suite(suite::named(), &Limits::max_nodes(100_000), &perft, &stop, |_| {});
/// assert!(outcomes.unwrap().iter().all(Outcome::is_right));
/// # Ok::<(), perft_count::ThreadsError>(())
/// ```
///
/// # Errors
/// Returns [`Interrupted`] if the stop signal was raised.
pub fn check_suite<'a>(
    suite: &'a Suite,
    limits: &Limits,
    perft: &Perft,
    stop: &StopSignal,
    report: impl Fn(&Outcome<'a>) + Sync,
) -> Result<Vec<Outcome<'a>>, Interrupted> {
    let checks = suite.known_counts(limits);
    let check = |&(case, expected): &(&'a Case, KnownCount)| {
        let progress = Progress::limited(stop.clone(), limits.max_nodes);
        let (nodes, is_lower_bound) =
            match perft.count_with_progress(&case.position, expected.depth, &progress) {
                Err(Interrupted) if stop.is_raised() => return Err(Interrupted),
                Err(Interrupted) => (progress.nodes().into(), true),
                Ok(nodes) => (nodes, false),
            };
        let outcome = Outcome { case, expected, nodes, is_lower_bound };
        report(&outcome);
        Ok(outcome)
    };
    perft.map(&checks, check)
}
