//! Checks the built-in suites with every driver and on every CPU path of this machine.
//!
//! Counts above a limit are left out, so that the tests take seconds. Counts up to 300,000 revealed 305 of 308 planted
//! bugs. Use `perft suite --max-nodes` for larger counts.

use perft_count::{CpuPath, LeafMode, Perft, Table};
use perft_testing::suites::assert_right;
use rayon::prelude::*;

/// A driver: its name, the largest count that it is asked for, and how it is built on a CPU path.
type Driver = (&'static str, u128, fn(Perft) -> Perft);

const DRIVERS: [Driver; 6] = [
    ("one thread", 300_000, |perft| perft),
    ("every leaf", 300_000, |perft| perft.leaf_mode(LeafMode::EveryLeaf)),
    ("four threads", 300_000, |perft| perft.threads(4).unwrap()),
    ("table", 1_000_000, |perft| perft.table(Table::new(32 << 20, 0).unwrap())),
    ("a table that is much too small", 300_000, |perft| perft.table(Table::new(1 << 10, 1).unwrap())),
    ("four threads with a table", 300_000, |perft| {
        perft.threads(4).unwrap().table(Table::new(32 << 20, 2).unwrap())
    }),
];

#[test]
fn every_driver_counts_the_suites() {
    DRIVERS.par_iter().for_each(|(name, max_nodes, build)| {
        for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
            let perft = build(Perft::new().cpu_path(path).unwrap());
            assert_right(&format!("{name} on {path}"), &perft, *max_nodes);
        }
    });
}
