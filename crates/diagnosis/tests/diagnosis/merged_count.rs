//! Tests that the plain generator without mutations is right, and that the fast count equals the plain one.

use perft_core::suite::{Case, KnownCount, builtin};
use perft_core::{Position, StopSignal, perft};
use perft_diagnosis::internals::{Counted, KnownCounts, MergedCount, RightTree};
use perft_diagnosis::mutations::{Mutation, count};
use perft_diagnosis::random::Random;
use perft_diagnosis::random::kinds::PositionKind;
use rayon::prelude::*;

fn cases() -> Vec<&'static Case> {
    builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases).collect()
}

/// Returns the known counts of a case up to a limit.
fn known(case: &Case, max_nodes: u128) -> impl Iterator<Item = &KnownCount> {
    case.expected.iter().filter(move |known| known.nodes <= max_nodes)
}

/// Counts one by one at the depths from 0 on.
fn plain(position: &Position, depth: u32, mutation: Option<Mutation>) -> Vec<u64> {
    (0..=depth).map(|depth| count(position, depth, mutation)).collect()
}

/// Counts in the fast way.
fn counted(
    position: &Position,
    tree: &RightTree,
    mutation: Option<Mutation>,
    other: Option<&KnownCounts>,
) -> (Counted, KnownCounts) {
    MergedCount::new(mutation, tree, other, &StopSignal::default()).count_all(position).unwrap()
}

#[test]
fn without_mutations_all_suites_are_right() {
    let wrong: Vec<String> = cases()
        .par_iter()
        .flat_map_iter(|case| {
            let differs =
                |known: &&KnownCount| u128::from(count(&case.position, known.depth, None)) != known.nodes;
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
            let nodes = u128::from(count(&position, 2, None));
            assert_eq!(nodes, perft(&position, 2), "{position}");
        }
    }
}

#[test]
fn the_fast_count_equals_the_plain_one_with_every_mutation() {
    for (name, depth) in [("kiwipete", 2), ("endgame", 3), ("mirrored", 2), ("promotion", 2)] {
        let position = builtin::position(name).unwrap().position;
        let tree = RightTree::of(&position, depth, &StopSignal::default()).unwrap();
        Mutation::ALL.par_iter().for_each(|&mutation| {
            let (counted, _) = counted(&position, &tree, Some(mutation), None);
            assert_eq!(counted.nodes, plain(&position, depth, Some(mutation)), "{mutation:?} in {name}");
        });
    }
}

#[test]
fn the_counts_with_the_general_form_are_those_of_a_variant_where_they_are_the_same() {
    let position = builtin::position("kiwipete").unwrap().position;
    let tree = RightTree::of(&position, 3, &StopSignal::default()).unwrap();
    let variants = Mutation::ALL.par_iter().filter_map(|&variant| Some((variant.general()?, variant)));
    let same = variants.filter(|&(general, variant)| {
        let (of_general, known) = counted(&position, &tree, Some(general), None);
        let (alone, _) = counted(&position, &tree, Some(variant), None);
        let (beside, _) = counted(&position, &tree, Some(variant), Some(&known));
        assert_eq!(beside.nodes, alone.nodes, "{variant:?} beside {general:?}");
        let is_same = !of_general.differs_for(variant);
        assert!(!is_same || of_general.nodes == alone.nodes, "{variant:?} is {general:?}");
        is_same
    });
    let same = same.count();
    assert!(same >= 20, "{same}");
}

/// Small counts come first. A mutation is not counted in a position in which no rule asks about it.
#[test]
fn every_mutation_changes_a_count_of_the_suites() {
    // The generator lists all moves before it takes back the first of them, so this mutation changes no count.
    let is_wanted = |mutation: &Mutation| *mutation != Mutation::UnmakeLosesEnPassant;
    let mut missing: Vec<Mutation> = Mutation::ALL.iter().copied().filter(is_wanted).collect();
    // Castling rights that are kept too long change a count only when the piece is back after four plies. Some
    // positions are made for this. A game without enough material goes on in the corner only after six plies.
    let rounds =
        [("", 2_000), ("right-", 900_000), ("inner-and-outer", 900_000), ("rook-pawn-corner", 60_000)];
    for (part_of_name, max_nodes) in rounds {
        for case in cases().into_iter().filter(|case| case.name().contains(part_of_name)) {
            let Some(known) = known(case, max_nodes).max_by_key(|known| known.depth) else { continue };
            if missing.is_empty() {
                return;
            }
            let tree = RightTree::of(&case.position, known.depth, &StopSignal::default()).unwrap();
            let counted = |mutation| counted(&case.position, &tree, mutation, None).0;
            let right = counted(None);
            let is_same =
                |mutation| !right.differs_for(mutation) || counted(Some(mutation)).nodes == tree.counts;
            missing.retain(|&mutation| is_same(mutation));
        }
    }
    assert!(missing.is_empty(), "{missing:?} change no suite");
}
