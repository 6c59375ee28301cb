//! The plain generator without mutations is right, and the fast count equals the plain one.

use perft_core::suite::{Case, KnownCount, builtin};
use perft_core::{Position, perft};
use rayon::prelude::*;

use super::{KnownCounts, MergedCount, Mutation, Mutations, count};
use crate::random::Random;
use crate::random::kinds::PositionKind;

fn cases() -> Vec<&'static Case> {
    builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases).collect()
}

/// Returns the known counts of a case up to a limit.
fn known(case: &Case, max_nodes: u128) -> impl Iterator<Item = &KnownCount> {
    case.expected.iter().filter(move |known| known.nodes <= max_nodes)
}

/// Counts with the fast path at the depths from 0.
fn merged(position: &Position, depth: u32, mutations: Mutations) -> Vec<u64> {
    let go_on = || true;
    let (_, right) = KnownCounts::of(position, depth, &go_on).unwrap();
    MergedCount::of(position, depth, mutations, &right, &go_on).unwrap().0
}

#[test]
fn without_mutations_all_suites_are_right() {
    let wrong: Vec<String> = cases()
        .par_iter()
        .flat_map_iter(|case| {
            let differs = |known: &&KnownCount| {
                u128::from(count(&case.position, known.depth, Mutations::NONE)) != known.nodes
            };
            known(case, 100_000).filter(differs).map(|known| format!("{} {}", case.name(), known.depth))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn without_mutations_random_positions_are_right() {
    let mut random = Random::new(7);
    for _ in 0..100 {
        for kind in PositionKind::ALL {
            let position = kind.position(&mut random);
            let nodes = u128::from(count(&position, 2, Mutations::NONE));
            assert_eq!(nodes, perft(&position, 2), "{position}");
        }
    }
}

#[test]
fn the_fast_count_equals_the_plain_one_with_every_mutation() {
    let names = ["start", "kiwipete", "endgame", "mirrored", "talkchess", "promotion"];
    let positions = names.map(|name| builtin::position(name).unwrap().position);
    let pairs = Mutation::ALL.windows(9).step_by(3).map(|some| Mutations::from(some[0]).with(some[8]));
    let sets: Vec<Mutations> = Mutation::ALL.iter().map(|&mutation| mutation.into()).chain(pairs).collect();
    sets.par_iter().for_each(|&mutations| {
        for position in &positions {
            let plain: Vec<u64> = (0..=3).map(|depth| count(position, depth, mutations)).collect();
            assert_eq!(merged(position, 3, mutations), plain, "{mutations} in {position}");
        }
    });
}

#[test]
#[ignore = "prints the time"]
fn time() {
    use std::time::Instant;
    for (name, depth) in [("start", 5), ("kiwipete", 4), ("endgame", 6)] {
        let position = builtin::position(name).unwrap().position;
        let begin = Instant::now();
        let go_on = || true;
        let (counts, right) = KnownCounts::of(&position, depth, &go_on).unwrap();
        println!("{name} {depth}: {counts:?} in {:.2} s", begin.elapsed().as_secs_f64());
        for &mutation in Mutation::ALL {
            let begin = Instant::now();
            let (wrong, asked) = MergedCount::of(&position, depth, mutation.into(), &right, &go_on).unwrap();
            println!(
                "  {:30} {:>10} {:+10} {:2} in {:.2} s",
                mutation.name(),
                wrong[depth as usize],
                wrong[depth as usize] as i64 - counts[depth as usize] as i64,
                asked.len(),
                begin.elapsed().as_secs_f64()
            );
        }
    }
}
