//! Tests that the plain generator without mutations is right, and that the fast count equals the plain one.

use perft_core::internals::statistics_of_move;
use perft_core::suite::{Case, KnownCount, builtin};
use perft_core::{LeafStatistics, Position, StopSignal};
use perft_diagnosis::MovePath;
use perft_diagnosis::mutations::{Mutation, RuleModel, Scope, count, matching};
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

/// Returns the path of some moves from a named position.
fn path(name: &str, moves: &[&str]) -> MovePath {
    let root = MovePath::new(builtin::position(name).unwrap().position);
    moves.iter().fold(root, |path, text| path.played(path.end.find_move(text).unwrap()))
}

/// The largest number of answers of a position that are compared.
const MAX_ANSWERS: usize = 12;

/// Tests that the fast search sees the answers of all models. Models with other answers must not be found.
fn assert_fast_is_plain(path: &MovePath, depth: u32) {
    let answers: Vec<_> = RuleModel::all()
        .par_iter()
        .map(|model| (model.divide(path, depth), model.count(path, depth)))
        .collect();
    let mut different: Vec<_> = answers.iter().collect();
    different.sort_by_key(|(divide, total)| (*total, divide.len()));
    different.dedup();
    for &answer in different.iter().step_by(different.len().div_ceil(MAX_ANSWERS)) {
        let is_confirmed = |divide: &[_], total| (divide, total) == (&answer.0[..], answer.1);
        let models =
            matching(RuleModel::all().to_vec(), path, depth, &StopSignal::default(), &is_confirmed).unwrap();
        let plain = RuleModel::all().iter().zip(&answers).filter(|(_, other)| *other == answer);
        let plain: Vec<RuleModel> = plain.map(|(model, _)| *model).collect();
        assert!(models == plain, "{depth} {:?}: {models:?} instead of {plain:?}", path.end.to_string());
    }
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
            assert_eq!(nodes, position.perft(2), "{position}");
        }
    }
}

#[test]
fn the_fast_search_sees_the_plain_answers_of_all_models() {
    for (name, depth) in [("kiwipete", 2), ("endgame", 3), ("mirrored", 2), ("promotion", 2), ("kiwipete", 1)]
    {
        assert_fast_is_plain(&path(name, &[]), depth);
    }
    assert_fast_is_plain(&path("kiwipete", &["a2a4", "b4a3", "e1g1"]), 2);
    assert_fast_is_plain(&path("endgame", &["e2e4"]), 2);
}

/// Returns the right numbers of captures, en passant captures, castling moves and promotions.
fn right_kinds(position: &Position, depth: u32) -> [u128; 4] {
    let moves = position.legal_moves();
    if depth == 1 {
        return kinds(moves.into_iter().map(|played| statistics_of_move(position, played)).sum());
    }
    let below = moves.into_iter().map(|played| right_kinds(&position.play_legal(played), depth - 1));
    below.fold([0; 4], |sum, next| std::array::from_fn(|kind| sum[kind] + next[kind]))
}

fn kinds(leaves: LeafStatistics) -> [u128; 4] {
    [leaves.captures, leaves.en_passant, leaves.castles, leaves.promotions]
}

/// A model counts each leaf node as of some kind, and the right ones where its mistake does not matter.
#[test]
fn models_count_leaf_nodes_by_kind() {
    for (name, depth) in [("kiwipete", 2), ("endgame", 3), ("promotion", 3)] {
        let path = path(name, &[]);
        let (right, nodes) = (right_kinds(&path.end, depth), path.end.perft(depth));
        let with_right_kinds = RuleModel::all().par_iter().filter(|model| {
            let (leaves, counted) = (model.leaf_statistics(&path, depth), model.count(&path, depth));
            let counts_ends = model.mutation == Mutation::EndIsLeaf;
            assert!(counts_ends || leaves.nodes == u128::from(counted), "{} {name}", model.name());
            u128::from(counted) == nodes && kinds(leaves) == right
        });
        assert!(with_right_kinds.count() > 100, "{name}");
    }
    // Without en passant captures, all of these kinds are right but one.
    let no_en_passant = RuleModel { mutation: Mutation::NoEnPassant, scope: Scope::Everywhere };
    let leaves = no_en_passant.leaf_statistics(&path("kiwipete", &[]), 3);
    assert_eq!((leaves.captures, leaves.en_passant, leaves.castles), (17_047, 0, 3_160));
}

#[test]
fn the_fast_search_sees_the_plain_answers_in_random_positions() {
    let mut random = Random::new(11);
    for kind in PositionKind::ALL {
        assert_fast_is_plain(&MovePath::new(kind.position(&mut random)), 2);
    }
}

/// Small counts come first. Models that give the right count of a position stay for the next ones.
#[test]
fn every_general_mutation_changes_a_count_of_the_suites() {
    // The generator lists all moves before it takes back the first of them, so this mutation changes no count.
    let is_wanted =
        |model: &RuleModel| model.mutation.is_general() && model.name() != "unmake-loses-en-passant";
    let everywhere = RuleModel::all().iter().copied().filter(|model| model.scope == Scope::Everywhere);
    let mut missing: Vec<RuleModel> = everywhere.filter(is_wanted).collect();
    // Castling rights that are kept too long change a count only when the piece is back after four plies. Some
    // positions are made for this.
    for (part_of_name, max_nodes) in [("", 2_000), ("right-", 900_000), ("inner-and-outer", 900_000)] {
        for case in cases().into_iter().filter(|case| case.name().contains(part_of_name)) {
            let Some(known) = known(case, max_nodes).max_by_key(|known| known.depth) else { continue };
            let is_right = |_: &[_], total| u128::from(total) == known.nodes;
            let path = MovePath::new(case.position);
            missing = matching(missing, &path, known.depth, &StopSignal::default(), &is_right).unwrap();
        }
    }
    assert!(missing.is_empty(), "{missing:?} change no suite");
}
