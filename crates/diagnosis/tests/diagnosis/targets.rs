//! Random numbers, positions and targets, and counts up to a limit.

use std::collections::HashSet;

use perft_core::{Position, StopSignal};
use perft_diagnosis::random::chess960_start;
use perft_diagnosis::{HuntTarget, counts_to, random_target};

#[test]
fn the_960_arrays_are_different_and_valid() {
    let array = |number: u32| chess960_start(number, 0).split(['/', ' ']).nth(7).unwrap().to_owned();
    let arrays: HashSet<String> = (0..960).map(array).collect();
    assert_eq!(arrays.len(), 960);
    for array in &arrays {
        let files = |wanted| array.char_indices().filter(move |(_, piece)| *piece == wanted);
        let of = |wanted| files(wanted).map(|(file, _)| file).collect::<Vec<usize>>();
        let (bishops, rooks, king) = (of('B'), of('R'), of('K'));
        assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{array}");
        assert!(rooks[0] < king[0] && king[0] < rooks[1], "{array}");
    }
    assert_eq!(array(0), "BBQNNRKR");
    assert_eq!(array(959), "RKRNNQBB");
}

/// The hash (FNV-1a) of the questions about the first 3000 targets of a seed.
#[test]
fn the_targets_of_a_seed_never_change() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for number in 0..3000 {
        let HuntTarget { path, depths } = random_target(1, number, 2);
        let question = path.question(1);
        for byte in format!("{} {:?} {depths:?}", question.fen, question.moves).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(hash, 0x2f55_8ad4_cc27_99ae);
}

#[test]
fn counts_are_bounded() {
    let counts = counts_to(&Position::start(), 41, 1e8, &StopSignal::default());
    assert!((5..=7).contains(&counts.len()), "{counts:?}");
    let stop = StopSignal::default();
    stop.raise();
    assert_eq!(counts_to(&Position::start(), 41, 1e8, &stop), [20]);
    let mate = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    assert_eq!(counts_to(&mate, 3, 1e8, &StopSignal::default()), [0, 0, 0]);
}
