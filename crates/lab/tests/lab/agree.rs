//! Tests that comparing generators finds every faulty generator, and nothing else.

use perft_core::StopSignal;
use perft_core::suite::{Suite, builtin};
use perft_diagnosis::mutations::Mutation;
use perft_lab::generators::Generator;
use perft_lab::{Agreement, Player, agree, player};
use perft_testing::faulty::FaultyPlayer;

/// The number of positions within which every bug must be found.
const MAX_POSITIONS: u64 = 100_000;

/// Compares a generator with a bug with the default generator.
fn compare(bug: Option<Mutation>, suites: &[&Suite], positions: u64) -> Agreement {
    let players =
        || -> Vec<Box<dyn Player>> { vec![player(Generator::Bitboard), Box::new(FaultyPlayer::new(bug))] };
    agree(players, suites, positions, 1, &StopSignal::default(), |_| {})
}

fn suites() -> Vec<&'static Suite> {
    builtin::suites().iter().map(|built_in| built_in.suite()).collect()
}

/// Checks that a bug is found from random positions and from the suites, and prints the number of positions it took.
fn assert_found(bug: Mutation, is_in_position: bool) {
    let random = compare(Some(bug), &[], MAX_POSITIONS);
    let with_suites = compare(Some(bug), &suites(), MAX_POSITIONS);
    let name = format!("{bug:?}");
    let found = random.disagreement.unwrap_or_else(|| panic!("{name} is not found in random positions"));
    assert!(with_suites.disagreement.is_some(), "{name} is not found from the suites");
    let smallest = found.smallest.as_ref().map_or("-".to_owned(), ToString::to_string);
    println!(
        "{name}: after {} random positions, {} from the suites on; {} moves from the root; smallest: {smallest}",
        random.positions,
        with_suites.positions,
        found.path.moves.len(),
    );
    assert_eq!(found.is_in_position, is_in_position, "{name}: {}", found.fen());
    match found.smallest {
        Some(smallest) => assert!(smallest.occupied().count() <= 8, "{name}: {smallest}"),
        None => assert!(!found.path.moves.is_empty(), "{name}: the path has no moves"),
    }
}

macro_rules! found {
    ($($test:ident $bug:ident $is_in_position:literal;)*) => {
        $(
            #[test]
            fn $test() {
                assert_found(Mutation::$bug, $is_in_position);
            }
        )*
    };
}

// The value is `true` if the position alone shows the bug, and `false` if only a game shows it.
found! {
    en_passant_pin EnPassantPin true;
    en_passant_stays EnPassantStays false;
    castling_through_check CastlingThroughCheck true;
    castling_out_of_check CastlingOutOfCheck true;
    castling_through_pieces CastlingThroughPieces true;
    rook_capture_keeps_right RookCaptureKeepsRight false;
    rook_move_keeps_right RookMoveKeepsRight false;
    king_move_keeps_rights KingMoveKeepsRights false;
    pinned_piece_moves PinnedPieceMoves true;
    pinned_pawn_captures PinnedPawnCaptures true;
    double_check DoubleCheck true;
    king_steps_back KingStepsBack true;
    no_knight_promotion NoKnightPromotion true;
    capture_promotes_to_queen CapturePromotesToQueen true;
    double_step_jumps DoubleStepJumps true;
    unmake_loses_rights UnmakeLosesRights true;
    unmake_loses_en_passant UnmakeLosesEnPassant true;
    unmake_keeps_promotion UnmakeKeepsPromotion true;
    unmake_loses_pawn UnmakeLosesPawn false;
}

#[test]
fn no_bug_is_found_in_the_same_board_without_a_bug() {
    let agreement = compare(None, &suites(), 30_000);
    let found = agreement.disagreement.map(|found| (found.fen(), found.moves));
    assert_eq!(found, None);
    assert!(agreement.positions >= 30_000 && agreement.moves > 10 * agreement.positions);
}

#[test]
fn a_seed_gives_the_same_games_on_any_number_of_threads() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let agreement = pool.install(|| compare(Some(Mutation::EnPassantPin), &[], MAX_POSITIONS));
        (agreement.positions, agreement.disagreement.map(|found| found.fen()))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn all_generators_agree() {
    let players =
        || -> Vec<Box<dyn Player>> { Generator::ALL.iter().map(|&generator| player(generator)).collect() };
    let agreement = agree(players, &suites(), 30_000, 2, &StopSignal::default(), |_| {});
    let found = agreement.disagreement.map(|found| (found.fen(), found.moves, found.players));
    assert_eq!(found, None);
}

#[test]
fn an_interrupted_comparison_keeps_what_it_has_compared() {
    let stop = StopSignal::default();
    let players = || -> Vec<Box<dyn Player>> { vec![player(Generator::Bitboard)] };
    let agreement = agree(players, &[], 1_000_000, 1, &stop, |_| stop.raise());
    assert!(agreement.is_interrupted && agreement.disagreement.is_none());
    assert!((1..1_000_000).contains(&agreement.positions) && agreement.games > 0);
}
