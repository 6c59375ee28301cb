//! Runs the built-in suites on a driver.

use perft_core::StopSignal;
use perft_core::suite::{Limits, builtin};
use perft_count::{Outcome, Perft, check_suite};

/// Checks all built-in suites, without counts above `max_nodes`. `driver` is the name of the driver in failure
/// messages.
///
/// # Panics
/// Panics if a count is wrong.
pub fn assert_right(driver: &str, perft: &Perft, max_nodes: u128) {
    let limits = Limits { max_nodes, ..Limits::NONE };
    for built_in in builtin::suites() {
        let outcomes = check_suite(built_in.suite(), &limits, perft, &StopSignal::default(), |_| {}).unwrap();
        assert!(outcomes.len() >= 2 * built_in.suite().cases.len(), "{} is hardly run", built_in.name);
        let wrong: Vec<String> =
            outcomes.iter().filter(|outcome| !outcome.is_right()).map(describe).collect();
        assert!(wrong.is_empty(), "{driver}:\n{}", wrong.join("\n"));
    }
}

fn describe(outcome: &Outcome) -> String {
    let (depth, expected) = (outcome.expected.depth, outcome.expected.nodes);
    format!("{} depth {depth}: {} instead of {expected}", outcome.case.name(), outcome.nodes)
}
