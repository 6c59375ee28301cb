//! Tests that each mutation changes what its description says, and nothing else, in a small position made for it.

use std::collections::HashSet;

use perft_core::{CastlingNotation, Position, find_move, legal_moves};
use perft_diagnosis::mutations::Mutation::{self, *};
use perft_diagnosis::mutations::{MutatedBoard, count};
use rayon::prelude::*;

/// Mutations that change the moves of a position: the first position, the moves from it to the position with the
/// changed moves, and the difference.
const MOVES: &[(Mutation, &str, &str, &str)] = &[
    (NoEnPassant, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "-e5d6"),
    (NoEnPassantByWhite, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "-e5d6"),
    (NoEnPassantByBlack, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "", "-d4e3"),
    (EnPassantUnread, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "-e5d6"),
    (EnPassantPin, "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "", "+e5d6"),
    (EnPassantRankPin, "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "", "+e5d6"),
    (EnPassantDiagonalPin, "b3k3/8/8/3pP3/8/8/6K1/8 w - d6 0 1", "", "+e5d6"),
    (EnPassantUnchecked, "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "+e5d6"),
    (EnPassantNotAnswer, "4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", "", "-e5d6"),
    (EnPassantStays, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e1e2 e8e7", "+e5d6"),
    (EnPassantLeavesPawn, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "+d5d4"),
    (EnPassantOnePawn, "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "", "-e5d6"),
    (EnPassantWraps, "4k3/p7/8/8/7P/8/8/4K3 b - - 0 1", "a7a5", "+h4a6"),
    (NoCastling, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "-e1c1 -e1g1"),
    (NoCastlingKingSide, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "-e1g1"),
    (NoCastlingQueenSide, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "-e1c1"),
    (NoCastlingByWhite, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "-e1c1 -e1g1"),
    (NoCastlingByBlack, "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "", "-e8c8 -e8g8"),
    (CastlingUnread, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "-e1c1 -e1g1"),
    (CastlingOutOfCheck, "4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    (CastlingThroughCheck, "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    (CastlingIntoCheck, "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    (CastlingOverPieces, "4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "", "+e1g1"),
    (CastlingUnchecked, "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    (CastlingThroughPieces, "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "", "+e1c1"),
    (CastlingRookAttacked, "4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "", "-e1g1"),
    (CastlingRookPathAttacked, "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "", "-e1c1"),
    (CastlingIgnoresPawns, "4k3/8/8/8/8/8/6p1/4K2R w K - 0 1", "", "+e1g1"),
    (CastlingIgnoresKing, "8/8/8/8/8/8/6k1/4K2R w K - 0 1", "", "+e1g1"),
    // The rook on f1 would give check.
    (CastlingLeavesRook, "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "+f8f7"),
    (CastlingTwice, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    (RookCaptureKeepsRight, "4k3/8/8/8/8/8/6b1/4K1RR b K - 0 1", "g2h1 g1h1 e8d8", "+e1g1"),
    (PromotionCaptureKeepsRight, "4k3/8/8/8/8/8/6p1/4KR1R b K - 0 1", "g2h1n f1h1 e8d8", "+e1g1"),
    (PhantomRook, "4k3/8/8/8/8/8/6b1/4K2R b K - 0 1", "g2h1", "+e1g1"),
    (RookMoveKeepsRight, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h2 e8e7 h2h1 e7e8", "+e1g1"),
    (KingMoveKeepsRights, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1e2 e8e7 e2e1 e7e8", "+e1g1"),
    (RightsAreKept, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1e2 e8e7 e2e1 e7e8", "+e1g1"),
    (RookMoveLosesBoth, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1a2 e8e7", "-e1g1"),
    (RookOnFileLosesRight, "4k3/8/8/8/8/R7/8/R3K3 w Q - 0 1", "a3a4 e8e7", "-e1c1"),
    (RookCaptureLosesBoth, "4k3/8/8/8/8/8/6b1/R3K2R b KQ - 0 1", "g2h1", "-e1c1"),
    (PinsIgnored, "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "", "+d2b1 +d2b3 +d2c4 +d2e4 +d2f1 +d2f3"),
    (PinnedPieceMoves, "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "", "+d2b1 +d2b3 +d2c4 +d2e4 +d2f1 +d2f3"),
    (DiagonalPinsIgnored, "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "", "+d2b1 +d2b3 +d2c4 +d2e4 +d2f1 +d2f3"),
    (OrthogonalPinsIgnored, "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "", "+e2c1 +e2c3 +e2d4 +e2f4 +e2g1 +e2g3"),
    (PinnedPawnCaptures, "4k3/8/8/8/1b6/4n3/3P4/4K3 w - - 0 1", "", "+d2e3"),
    (PinnedPawnPushes, "4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1", "", "+d2d3 +d2d4"),
    (PinnedPiecesFrozen, "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "", "-e2e3 -e2e4 -e2e5 -e2e6 -e2e7"),
    (PinnedPawnsFrozen, "4k3/4r3/8/8/8/8/4P3/4K3 w - - 0 1", "", "-e2e3 -e2e4"),
    (PseudoLegal, "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "", "+a2a3 +a2a4 +e1e2"),
    (CheckIgnored, "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "", "+a2a3 +a2a4"),
    (DoubleCheck, "4k3/4r3/8/8/1b6/8/8/1R2K3 w - - 0 1", "", "+b1b4"),
    (OnlyKingMovesInCheck, "4k3/4r3/8/8/8/8/8/4K2B w - - 0 1", "", "-h1e4"),
    (NoInterposition, "4k3/4r3/8/8/8/8/8/4K2B w - - 0 1", "", "-h1e4"),
    (NoCaptureOfChecker, "4k3/4r3/8/8/7B/8/8/4K3 w - - 0 1", "", "-h4e7"),
    (KingStepsBack, "4k3/4r3/8/8/8/8/4K3/8 w - - 0 1", "", "+e2e1"),
    (KingIntoCheck, "4k3/3r4/8/8/8/8/8/4K3 w - - 0 1", "", "+e1d1 +e1d2"),
    (KingsAdjacent, "8/8/8/8/8/4k3/8/4K3 w - - 0 1", "", "+e1d2 +e1e2 +e1f2"),
    (KingCapturesDefended, "4k3/8/8/8/8/2b5/3n4/4K3 w - - 0 1", "", "+e1d2"),
    (PawnAttacksIgnored, "4k3/8/8/8/8/4p3/8/4K3 w - - 0 1", "", "+e1d2 +e1f2"),
    (PawnAttacksReversed, "4k3/8/8/8/8/4p3/8/4K3 w - - 0 1", "", "+e1d2 +e1f2"),
    (KnightAttacksIgnored, "4k3/8/8/8/8/6n1/8/4K3 w - - 0 1", "", "+e1e2 +e1f1"),
    (BishopAttacksIgnored, "4k3/8/8/8/8/7b/8/4K3 w - - 0 1", "", "+e1f1"),
    (RookAttacksIgnored, "4k3/3r4/8/8/8/8/8/4K3 w - - 0 1", "", "+e1d1 +e1d2"),
    (QueenAttacksIgnored, "4k3/3q4/8/8/8/8/8/4K3 w - - 0 1", "", "+e1d1 +e1d2"),
    (NoPromotion, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "+a7a8 -a7a8b -a7a8n -a7a8q -a7a8r"),
    (PromotionToQueenOnly, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8b -a7a8n -a7a8r"),
    (NoKnightPromotion, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8n"),
    (PromotionToQueenOrKnight, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8b -a7a8r"),
    (PromotionToRookOrBishop, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8n -a7a8q"),
    (PromotionToRookOrKnight, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8b -a7a8q"),
    (PromotionToBishopOrKnight, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8q -a7a8r"),
    (CapturePromotesToQueen, "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7b8b -a7b8n -a7b8r"),
    (CaptureNoPromotion, "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "+a7b8 -a7b8b -a7b8n -a7b8q -a7b8r"),
    (PromotionPushMissing, "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8b -a7a8n -a7a8q -a7a8r"),
    (PromotionCaptureMissing, "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7b8b -a7b8n -a7b8q -a7b8r"),
    (PromotionIsWhite, "4k3/8/8/8/8/8/p7/6K1 b - - 0 1", "a2a1n", "+a1b3 +a1c2"),
    (PromotionIsBlack, "6k1/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "+a8b6 +a8c7"),
    (NoDoubleStep, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "", "-a2a4"),
    (DoubleStepJumps, "4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "", "+a2a4"),
    (DoubleStepFromThirdRank, "4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "", "+a3a5"),
    (DoubleStepFromAnyRank, "4k3/8/8/8/P7/8/8/4K3 w - - 0 1", "", "+a4a6"),
    (DoubleStepCaptures, "4k3/8/8/8/n7/8/P7/4K3 w - - 0 1", "", "+a2a4"),
    (PawnPushCaptures, "4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "", "+a2a3"),
    (PawnStepsAside, "4k3/8/8/8/P7/8/8/4K3 w - - 0 1", "", "+a4b5"),
    (NoPawnCaptureTowardsA, "4k3/8/8/n1n5/1P6/8/8/4K3 w - - 0 1", "", "-b4a5"),
    (NoPawnCaptureTowardsH, "4k3/8/8/n1n5/1P6/8/8/4K3 w - - 0 1", "", "-b4c5"),
    (NoPawnCaptureOnA, "4k3/8/8/n1n5/1P6/8/8/4K3 w - - 0 1", "", "-b4a5"),
    (NoPawnCaptureOnH, "4k3/8/8/7n/6P1/8/8/4K3 w - - 0 1", "", "-g4h5"),
    (PawnWraps, "4k3/8/8/P6p/8/8/8/4K3 w - - 0 1", "", "+a5h5"),
    (KnightWraps, "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "", "+a1g1 +a1h2"),
    (KingWraps, "4k3/8/8/8/8/8/8/K7 w - - 0 1", "", "+a1h1"),
    (SlideNeverToEdge, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", "-a1a8"),
    (SlideNeverSeven, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", "-a1a8"),
    (SlideStopsShort, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", "-a1a8 -a1d1"),
];

/// Mutations that change only counts: a position, a depth, the right count and the wrong one.
const COUNTS: &[(Mutation, &str, u32, u64, u64)] = &[
    (LeafPromotionOnce, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 1, 9, 6),
    (LeafCastlingMissing, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 1, 26, 24),
    (LeafEnPassantMissing, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 1, 7, 6),
    (LeafPseudoLegal, "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", 1, 4, 7),
    // Rh1 is checkmate, and Rg7 is stalemate.
    (EndIsLeaf, "7k/5K2/8/8/8/8/8/6R1 w - - 0 1", 2, 18, 20),
    (InsufficientMaterialEnds, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1, 5, 0),
];

/// Mutations of taking back moves: a position, and the depth at which the mutation shows in it.
const UNMAKES: &[(Mutation, &str, u32)] = &[
    (UnmakeLosesRights, "4k3/8/8/8/8/8/6b1/4K2R b K - 0 1", 2),
    (UnmakeLosesMovedRights, "4k3/8/8/8/8/8/P7/4K2R w K - 0 1", 3),
    (UnmakeKeepsPromotion, "7K/P7/8/8/8/8/8/4k3 w - - 0 1", 3),
    (UnmakeLosesPawn, "7K/8/8/3pP3/8/8/8/4k3 w - d6 0 1", 2),
    (UnmakeLeavesRook, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2),
];

/// Returns the moves in UCI notation, sorted.
fn texts(moves: impl IntoIterator<Item = perft_core::Move>) -> Vec<String> {
    let texts = moves.into_iter().map(|played| played.to_uci(CastlingNotation::Standard));
    let mut texts: Vec<String> = texts.collect();
    texts.sort_unstable();
    texts
}

/// Returns the difference of two sorted lists, such as `+a2a4 -e1g1`. A move may be listed twice.
fn difference(right: &[String], wrong: &[String]) -> String {
    differences(right, wrong).join(" ")
}

fn differences(right: &[String], wrong: &[String]) -> Vec<String> {
    let minus = |from: &[String], list: &[String], sign: char| -> Vec<String> {
        let mut rest = list.to_vec();
        let mut left = Vec::new();
        for text in from {
            match rest.iter().position(|other| other == text) {
                Some(index) => drop(rest.remove(index)),
                None => left.push(format!("{sign}{text}")),
            }
        }
        left
    };
    [minus(wrong, right, '+'), minus(right, wrong, '-')].concat()
}

/// Returns the changes by a mutation in the position after some moves.
fn changes(mutation: Mutation, fen: &str, path: &str) -> Vec<String> {
    let mut position = Position::from_fen(fen).unwrap();
    let mut board = MutatedBoard::new(&position, mutation.into());
    for text in path.split_whitespace() {
        let played = find_move(&position, text).unwrap();
        board.play(played);
        position = position.play_unchecked(played);
    }
    differences(&texts(legal_moves(&position)), &texts(board.legal_moves()))
}

#[test]
fn each_mutation_changes_the_moves_that_it_names() {
    for &(mutation, fen, path, expected) in MOVES {
        assert_eq!(changes(mutation, fen, path).join(" "), expected, "{mutation:?} in {fen}");
    }
}

#[test]
fn a_variant_changes_only_what_the_general_form_changes() {
    let variants = Mutation::ALL.iter().flat_map(|&variant| {
        let generals = Mutation::ALL.iter().filter(move |&&general| variant.is_variant_of(general));
        generals.map(move |&general| (variant, general))
    });
    variants.collect::<Vec<_>>().par_iter().for_each(|&(variant, general)| {
        for &(_, fen, path, _) in MOVES {
            let all = changes(general, fen, path);
            let some = changes(variant, fen, path);
            assert!(some.iter().all(|change| all.contains(change)), "{variant:?}, {general:?} in {fen}");
        }
    });
}

#[test]
fn each_mutation_of_counting_changes_the_count() {
    for &(mutation, fen, depth, right, wrong) in COUNTS {
        let position = Position::from_fen(fen).unwrap();
        let counts = [None, Some(mutation)].map(|some| count(&position, depth, some));
        assert_eq!(counts, [right, wrong], "{mutation:?} in {fen}");
    }
}

#[test]
fn each_mutation_of_taking_back_changes_later_counts_only() {
    for &(mutation, fen, depth) in UNMAKES {
        let position = Position::from_fen(fen).unwrap();
        let moves = texts(MutatedBoard::new(&position, mutation.into()).legal_moves());
        assert_eq!(moves, texts(legal_moves(&position)), "{mutation:?} in {fen}");
        let counts = [None, Some(mutation)].map(|some| count(&position, depth, some));
        assert_ne!(counts[0], counts[1], "{mutation:?} in {fen}");
    }
}

/// Most generators list all moves before they make the first one. They do not miss the en passant square until they
/// generate moves again. So this mutation changes no count.
#[test]
fn an_en_passant_square_is_missed_when_moves_are_generated_again() {
    let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
    let mut board = MutatedBoard::new(&position, UnmakeLosesEnPassant.into());
    let before = texts(board.legal_moves());
    board.each_child(|_, _| {});
    assert_eq!(difference(&before, &texts(board.legal_moves())), "-e5d6");
}

/// The tests of the merged count check that every mutation changes a count of the suites.
#[test]
fn every_mutation_has_a_position_here_or_is_a_variant_of_one_that_has() {
    let here = MOVES.iter().map(|row| row.0).chain(COUNTS.iter().map(|row| row.0));
    let here: Vec<Mutation> = here.chain(UNMAKES.iter().map(|row| row.0)).collect();
    let is_here =
        |mutation: Mutation| here.iter().any(|&other| mutation == other || mutation.is_variant_of(other));
    let without = Mutation::ALL.iter().filter(|&&mutation| !is_here(mutation));
    assert_eq!(without.collect::<Vec<_>>(), [&UnmakeLosesEnPassant]);
}

#[test]
fn names_are_unique_and_descriptions_are_sentences() {
    let names: HashSet<&str> = Mutation::ALL.iter().map(|mutation| mutation.name()).collect();
    let sentences: HashSet<&str> = Mutation::ALL.iter().map(|mutation| mutation.about()).collect();
    assert_eq!((names.len(), sentences.len()), (Mutation::ALL.len(), Mutation::ALL.len()));
    for (index, &mutation) in Mutation::ALL.iter().enumerate() {
        assert_eq!((mutation as usize, mutation.name().parse()), (index, Ok(mutation)));
        assert!(mutation.about().ends_with('.'), "{mutation:?}");
    }
    assert!("nothing".parse::<Mutation>().is_err());
}

#[test]
fn a_variant_belongs_to_the_nearest_general_form() {
    let general = |mutation: Mutation| mutation.general();
    assert_eq!(general(Mutation::NoEnPassantByWhite), Some(Mutation::NoEnPassant));
    assert_eq!(general(Mutation::PinnedKnightMoves), Some(Mutation::PinnedPieceMoves));
    assert_eq!(general(Mutation::NoEnPassant), None);
    // It breaks fewer rules than the bug of which it is a part.
    assert_eq!(general(Mutation::RookCaptureKeepsRight), None);
    let pairs = Mutation::ALL.iter().filter_map(|&mutation| Some((general(mutation)?, mutation)));
    for (general, variant) in pairs.filter(|(general, variant)| general.topic() == variant.topic()) {
        assert!(general < variant, "{general:?} stands below {variant:?}");
    }
}
