//! The built-in suites, on every driver and every CPU path of this machine.
//!
//! Counts above a limit are left out, so that this stays a matter of seconds; `perft suite --max-nodes` has no such
//! limit.

use perft_core::suite::{Limits, Outcome, builtin};
use perft_core::{CpuPath, LeafMode, Perft, StopSignal, Table};

/// Runs all built-in suites on a driver, once for each CPU path.
fn all_suites_are_right(driver: &str, max_nodes: u128, build: impl Fn(Perft) -> Perft) {
    let limits = Limits { max_nodes, ..Limits::NONE };
    for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
        let perft = build(Perft::new().cpu_path(path).unwrap());
        for built_in in builtin::suites() {
            let outcomes = built_in.suite().check(&limits, &perft, &StopSignal::default(), |_| {}).unwrap();
            assert!(
                outcomes.len() >= 4 * built_in.suite().cases.len() / 2,
                "{} is hardly run",
                built_in.name
            );
            let wrong: Vec<String> =
                outcomes.iter().filter(|outcome| !outcome.is_right()).map(describe).collect();
            assert!(wrong.is_empty(), "{driver} on {path}:\n{}", wrong.join("\n"));
        }
    }
}

fn describe(outcome: &Outcome) -> String {
    let (depth, expected) = (outcome.expected.depth, outcome.expected.nodes);
    format!("{} depth {depth}: {} instead of {expected}", outcome.case.name(), outcome.nodes)
}

#[test]
fn serial() {
    all_suites_are_right("serial", 5_000_000, |perft| perft);
}

#[test]
fn every_leaf_made() {
    all_suites_are_right("every leaf", 500_000, |perft| perft.leaf_mode(LeafMode::EveryLeaf));
}

#[test]
fn parallel() {
    all_suites_are_right("parallel", 5_000_000, |perft| perft.threads(4).unwrap());
}

#[test]
fn hashed() {
    all_suites_are_right("hashed", 200_000_000, |perft| perft.table(Table::new(32 << 20, 0).unwrap()));
}

#[test]
fn hashed_in_a_table_that_is_far_too_small() {
    all_suites_are_right("small table", 5_000_000, |perft| perft.table(Table::new(1 << 10, 1).unwrap()));
}

#[test]
fn parallel_and_hashed() {
    all_suites_are_right("parallel and hashed", 200_000_000, |perft| {
        perft.threads(4).unwrap().table(Table::new(32 << 20, 2).unwrap())
    });
}

#[test]
fn the_suites_are_as_large_as_they_claim() {
    for (name, size) in [("named", 7), ("standard", 150), ("chess960", 150)] {
        assert!(builtin::suite(name).unwrap().suite().cases.len() >= size, "{name}");
    }
}
