//! Estimates of known counts of the start position.

use perft_core::Position;
use perft_count::{Perft, Progress};

use super::{EstimateOptions, estimate};

/// Depths and counts of the start position, which several people have counted.
const KNOWN: [(u32, f64); 5] = [
    (9, 2_439_530_234_167.0),
    (10, 69_352_859_712_417.0),
    (11, 2_097_651_003_696_806.0),
    (12, 62_854_969_236_701_747.0),
    (13, 1_981_066_775_000_396_239.0),
];

/// About 95 of 100 intervals at each depth should contain the true count. The environment variable `PERFT_WALKS` sets
/// the number of walks of an estimate; the default is 1,000.
#[test]
fn about_95_percent_of_the_intervals_contain_the_known_count() {
    let walks = std::env::var("PERFT_WALKS").map_or(1_000, |walks| walks.parse().unwrap());
    let mut held_in_all = 0;
    for (depth, truth) in KNOWN {
        let (mut held, mut sum, mut errors) = (0, 0.0, 0.0);
        for seed in 0..100 {
            let options = EstimateOptions { depth, rest: 2, walks, seed };
            let found = estimate(&Position::start(), options, &Perft::new(), &Progress::default()).unwrap();
            let (low, high) = found.interval();
            held += u32::from((low..=high).contains(&truth));
            sum += found.nodes / truth;
            errors += found.standard_error / truth;
        }
        println!(
            "perft({depth}): {held} of 100 contain {truth}; mean deviation {:+.2} %, standard error {:.2} %",
            sum - 100.0,
            errors
        );
        assert!((89..=99).contains(&held), "depth {depth}: {held} of 100");
        // The standard error of the mean of 100 estimates is a tenth of that of one.
        assert!((sum - 100.0).abs() < 3.0 * errors / 10.0, "depth {depth}: biased");
        held_in_all += held;
    }
    assert!((460..=489).contains(&held_in_all), "{held_in_all} of 500");
}
