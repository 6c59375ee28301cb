//! Counts the built-in suites on every CPU path of this machine, and compares the paths on random positions: counts and
//! leaf statistics.
//!
//! ```text
//! every-path [MAX_NODES] [POSITIONS]
//! ```
//!
//! It ends with an error if a path is missing although every CPU of the platform has it.
//!
//! The tests of `perft-count` do the same and more. This program is for platforms on which compiling the tests takes
//! too long. `scripts/check-cpus` runs it.

use std::error::Error;

use perft_count::{CpuPath, Perft, Progress, Table};
use perft_diagnosis::random::setup_of;
use perft_testing::suites::assert_right;
use perft_testing::{drivers, random_position};

/// The size of the table with which the suites are counted a second time, in bytes.
const TABLE_BYTES: usize = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let max_nodes = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let positions = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    for (path, perft) in drivers() {
        assert_right(path.name(), &perft, max_nodes);
        assert_right(path.name(), &perft.table(Table::new(TABLE_BYTES, 1)?), max_nodes);
        println!("{path}: the suites up to {max_nodes} nodes are right, with a table and without");
    }
    let has_vectors = cfg!(target_arch = "aarch64");
    assert!(!has_vectors || !CpuPath::best().is_scalar(), "the vector path is missing");
    for number in 0..positions {
        compare_paths(number)?;
    }
    println!("the paths agree on {positions} random positions, best: {}", CpuPath::best());
    Ok(())
}

/// Compares the paths on the random position with this number.
fn compare_paths(number: u64) -> Result<(), Box<dyn Error>> {
    let position = random_position(number);
    let reference = Perft::new().cpu_path(CpuPath::Portable)?;
    for (path, perft) in drivers() {
        let statistics = |perft: &Perft| perft.statistics(&position, 2, None, &Progress::default());
        if statistics(&perft)? != statistics(&reference)? {
            let fen = setup_of(&position).to_shredder_fen();
            return Err(format!("{path}: other statistics at depth 2 in {fen}").into());
        }
        for depth in 1..=3 {
            let (found, expected) = (perft.count(&position, depth), reference.count(&position, depth));
            if found != expected {
                let fen = setup_of(&position).to_shredder_fen();
                return Err(format!("{path}: {found} instead of {expected} at depth {depth} in {fen}").into());
            }
        }
    }
    Ok(())
}
