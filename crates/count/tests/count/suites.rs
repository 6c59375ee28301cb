//! Checks the built-in suites with every driver and on every CPU path of this machine.
//!
//! Counts above a limit are left out, so that the tests take seconds. Counts up to 300,000 reveal 305 of the 308
//! mistakes of the catalogue in `perft-diagnosis`. Use `perft suite --max-nodes` for larger counts.

use perft_core::suite::builtin;
use perft_count::{CpuPath, LeafMode, Perft, Table};
use perft_testing::suites::assert_right;

/// Checks all built-in suites with a driver, once on each CPU path.
fn check_suites(driver: &str, max_nodes: u128, build: impl Fn(Perft) -> Perft) {
    for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
        let perft = build(Perft::new().cpu_path(path).unwrap());
        assert_right(&format!("{driver} on {path}"), &perft, max_nodes);
    }
}

#[test]
fn one_thread_counts_the_suites() {
    check_suites("one thread", 2_000_000, |perft| perft);
}

#[test]
fn making_every_leaf_counts_the_suites() {
    check_suites("every leaf", 300_000, |perft| perft.leaf_mode(LeafMode::EveryLeaf));
}

#[test]
fn several_threads_count_the_suites() {
    check_suites("four threads", 2_000_000, |perft| perft.threads(4).unwrap());
}

#[test]
fn a_table_counts_the_suites() {
    check_suites("table", 10_000_000, |perft| perft.table(Table::new(32 << 20, 0).unwrap()));
}

#[test]
fn a_table_that_is_much_too_small_counts_the_suites() {
    check_suites("small table", 1_000_000, |perft| perft.table(Table::new(1 << 10, 1).unwrap()));
}

#[test]
fn several_threads_with_a_table_count_the_suites() {
    check_suites("four threads with a table", 2_000_000, |perft| {
        perft.threads(4).unwrap().table(Table::new(32 << 20, 2).unwrap())
    });
}

#[test]
fn the_suites_have_as_many_positions_as_documented() {
    let size = |name: &str| builtin::suite(name).unwrap().suite().cases.len();
    assert_eq!(size("named"), 7);
    assert!(size("standard") + size("chess960") > 500);
}
