//! Estimates hold the truth as often as they say.

use crate::campaign::{EstimateOptions, estimate};
use perft_core::Position;
use perft_core::{Perft, Progress};

/// Of the start position: counted in full, by several people.
const KNOWN: [(u32, f64); 5] = [
    (9, 2_439_530_234_167.0),
    (10, 69_352_859_712_417.0),
    (11, 2_097_651_003_696_806.0),
    (12, 62_854_969_236_701_747.0),
    (13, 1_981_066_775_000_396_239.0),
];

/// Of 100 intervals at each depth about 95 hold the truth. `PERFT_WALKS` asks for other than 2,000 walks an estimate.
#[test]
fn intervals_hold_known_counts_as_often_as_they_say() {
    let walks = std::env::var("PERFT_WALKS").map_or(2_000, |walks| walks.parse().unwrap());
    let mut held_in_all = 0;
    for (depth, truth) in KNOWN {
        let (mut held, mut sum, mut errors) = (0, 0.0, 0.0);
        for seed in 0..100 {
            let options = EstimateOptions { rest: 2, walks, seed, ..EstimateOptions::new(depth) };
            let found = estimate(&Position::start(), options, &Perft::new(), &Progress::default()).unwrap();
            let (low, high) = found.interval();
            held += u32::from((low..=high).contains(&truth));
            sum += found.nodes / truth;
            errors += found.standard_error / truth;
        }
        println!(
            "perft({depth}): {held} of 100 hold {truth}; on the average {:+.2}% off, standard error {:.2}%",
            sum - 100.0,
            errors
        );
        assert!((89..=99).contains(&held), "depth {depth}: {held} of 100");
        // The mean of a hundred is ten times as sure as one.
        assert!((sum - 100.0).abs() < 3.0 * errors / 10.0, "depth {depth}: biased");
        held_in_all += held;
    }
    assert!((460..=489).contains(&held_in_all), "{held_in_all} of 500");
}
