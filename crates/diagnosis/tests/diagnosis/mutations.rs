//! Tests that each mutation changes what its description says, and nothing else, in a small position made for it.

use std::collections::HashSet;

use perft_core::{CastlingNotation, Position};
use perft_diagnosis::mutations::{MutatedBoard, Mutation, count};
use rayon::prelude::*;

/// Mutations that change the moves of a position: the first position, the moves from it to the position with the
/// changed moves, and the difference.
const MOVES: &[(&str, &str, &str, &str)] = &[
    ("no-en-passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "-e5d6"),
    ("no-en-passant-white", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "-e5d6"),
    ("no-en-passant-black", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "", "-d4e3"),
    ("en-passant-unread", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "-e5d6"),
    ("en-passant-pin", "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "", "+e5d6"),
    ("en-passant-pin-on-rank", "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "", "+e5d6"),
    ("en-passant-pin-on-diagonal", "b3k3/8/8/3pP3/8/8/6K1/8 w - d6 0 1", "", "+e5d6"),
    ("en-passant-unchecked", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "", "+e5d6"),
    ("en-passant-not-answer", "4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", "", "-e5d6"),
    ("en-passant-stays", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e1e2 e8e7", "+e5d6"),
    ("en-passant-not-set", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "-e5d6"),
    ("en-passant-leaves-pawn", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "+d5d4"),
    ("en-passant-one-pawn", "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "", "-e5d6"),
    ("en-passant-wraps", "4k3/p7/8/8/7P/8/8/4K3 b - - 0 1", "a7a5", "+h4a6"),
    ("no-castling", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "-e1c1 -e1g1"),
    ("no-castling-king-side", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "-e1g1"),
    ("no-castling-queen-side", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "-e1c1"),
    ("no-castling-white", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "-e1c1 -e1g1"),
    ("no-castling-black", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "", "-e8c8 -e8g8"),
    ("castling-out-of-check", "4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    ("castling-through-check", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    ("castling-into-check", "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    ("castling-path-unchecked", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    ("castling-over-pieces", "4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "", "+e1g1"),
    ("castling-unchecked", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    ("castling-through-pieces", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "", "+e1c1"),
    ("castling-rook-attacked", "4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "", "-e1g1"),
    ("castling-rook-path-attacked", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "", "-e1c1"),
    ("castling-unchecked-by-pawn", "4k3/8/8/8/8/8/6p1/4K2R w K - 0 1", "", "+e1g1"),
    ("castling-unchecked-by-king", "8/8/8/8/8/8/6k1/4K2R w K - 0 1", "", "+e1g1"),
    ("castling-tested-with-moves", "4k3/8/8/8/8/8/7p/4K2R w K - 0 1", "", "+e1g1"),
    ("one-right-for-both-sides", "4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "", "+e1c1"),
    ("sliders-see-through-pawns", "8/2p4r/K7/8/7k/8/8/8 w - - 0 1", "", "-a6b7"),
    ("king-shuns-shielded-squares", "8/2p4r/K7/8/7k/8/8/8 w - - 0 1", "", "-a6b7"),
    ("double-step-from-any-rank-plain", "4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "", "+a3a5"),
    // The rook on f1 would give check.
    ("castling-leaves-rook", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "+f8f7"),
    ("castling-twice", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "", "+e1g1"),
    ("rook-capture-keeps-right", "4k3/8/8/8/8/8/6b1/4K1RR b K - 0 1", "g2h1 g1h1 e8d8", "+e1g1"),
    ("promotion-capture-keeps-right", "4k3/8/8/8/8/8/6p1/4KR1R b K - 0 1", "g2h1n f1h1 e8d8", "+e1g1"),
    ("phantom-rook", "4k3/8/8/8/8/8/6b1/4K2R b K - 0 1", "g2h1", "+e1g1"),
    ("rook-move-keeps-right", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h2 e8e7 h2h1 e7e8", "+e1g1"),
    ("king-move-keeps-rights", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1e2 e8e7 e2e1 e7e8", "+e1g1"),
    ("rights-are-kept", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1e2 e8e7 e2e1 e7e8", "+e1g1"),
    ("rook-move-loses-both", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1a2 e8e7", "-e1g1"),
    ("rook-on-file-loses-right", "4k3/8/8/8/8/R7/8/R3K3 w Q - 0 1", "a3a4 e8e7", "-e1c1"),
    ("rook-capture-loses-both", "4k3/8/8/8/8/8/6b1/R3K2R b KQ - 0 1", "g2h1", "-e1c1"),
    ("underpromotions-unchecked", "8/k1P5/8/8/8/8/8/K6r w - - 0 1", "", "+c7c8b +c7c8n +c7c8r"),
    ("pins-ignored", "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "", "+d2b1 +d2b3 +d2c4 +d2e4 +d2f1 +d2f3"),
    ("pinned-piece-moves", "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "", "+d2b1 +d2b3 +d2c4 +d2e4 +d2f1 +d2f3"),
    (
        "pins-ignored-on-diagonal",
        "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1",
        "",
        "+d2b1 +d2b3 +d2c4 +d2e4 +d2f1 +d2f3",
    ),
    (
        "orthogonal-pins-ignored",
        "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1",
        "",
        "+e2c1 +e2c3 +e2d4 +e2f4 +e2g1 +e2g3",
    ),
    ("pinned-pawn-captures", "4k3/8/8/8/1b6/4n3/3P4/4K3 w - - 0 1", "", "+d2e3"),
    ("pinned-pawn-pushes", "4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1", "", "+d2d3 +d2d4"),
    ("pinned-all-frozen", "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "", "-e2e3 -e2e4 -e2e5 -e2e6 -e2e7"),
    ("pinned-pieces-frozen", "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "", "-e2e3 -e2e4 -e2e5 -e2e6 -e2e7"),
    ("pinned-pawn-en-passant-missing", "4k3/2b5/8/3pP3/8/6K1/8/8 w - d6 0 1", "", "-e5d6"),
    ("pinned-pawns-frozen", "4k3/4r3/8/8/8/8/4P3/4K3 w - - 0 1", "", "-e2e3 -e2e4"),
    ("pseudo-legal", "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "", "+a2a3 +a2a4 +e1e2"),
    ("check-ignored", "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "", "+a2a3 +a2a4"),
    ("double-check", "4k3/4r3/8/8/1b6/8/8/1R2K3 w - - 0 1", "", "+b1b4"),
    ("only-king-moves-in-check", "4k3/4r3/8/8/8/8/8/4K2B w - - 0 1", "", "-h1e4"),
    ("no-interposition", "4k3/4r3/8/8/8/8/8/4K2B w - - 0 1", "", "-h1e4"),
    ("no-capture-of-checker", "4k3/4r3/8/8/7B/8/8/4K3 w - - 0 1", "", "-h4e7"),
    ("king-steps-back", "4k3/4r3/8/8/8/8/4K3/8 w - - 0 1", "", "+e2e1"),
    ("king-into-check", "4k3/3r4/8/8/8/8/8/4K3 w - - 0 1", "", "+e1d1 +e1d2"),
    ("kings-adjacent", "8/8/8/8/8/4k3/8/4K3 w - - 0 1", "", "+e1d2 +e1e2 +e1f2"),
    ("king-captures-defended", "4k3/8/8/8/8/2b5/3n4/4K3 w - - 0 1", "", "+e1d2"),
    ("pawn-attacks-ignored", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 1", "", "+e1d2 +e1f2"),
    ("pawn-attacks-reversed", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 1", "", "+e1d2 +e1f2"),
    ("knight-attacks-ignored", "4k3/8/8/8/8/6n1/8/4K3 w - - 0 1", "", "+e1e2 +e1f1"),
    ("bishop-attacks-ignored", "4k3/8/8/8/8/7b/8/4K3 w - - 0 1", "", "+e1f1"),
    ("rook-attacks-ignored", "4k3/3r4/8/8/8/8/8/4K3 w - - 0 1", "", "+e1d1 +e1d2"),
    ("queen-attacks-ignored", "4k3/3q4/8/8/8/8/8/4K3 w - - 0 1", "", "+e1d1 +e1d2"),
    ("no-promotion", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "+a7a8 -a7a8b -a7a8n -a7a8q -a7a8r"),
    ("promotion-missing", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8b -a7a8n -a7a8q -a7a8r"),
    ("promotion-to-queen-only", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8b -a7a8n -a7a8r"),
    ("no-knight-promotion", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8n"),
    ("promotion-to-queen-or-knight", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8b -a7a8r"),
    ("promotion-to-rook-or-bishop", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8n -a7a8q"),
    ("promotion-to-rook-or-knight", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8b -a7a8q"),
    ("promotion-to-bishop-or-knight", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8q -a7a8r"),
    ("capture-promotes-to-queen", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7b8b -a7b8n -a7b8r"),
    ("capture-no-promotion", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "+a7b8 -a7b8b -a7b8n -a7b8q -a7b8r"),
    ("promotion-push-missing", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7a8b -a7a8n -a7a8q -a7a8r"),
    ("promotion-capture-missing", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "-a7b8b -a7b8n -a7b8q -a7b8r"),
    ("promotion-is-white", "4k3/8/8/8/8/8/p7/6K1 b - - 0 1", "a2a1n", "+a1b3 +a1c2"),
    ("promotion-is-black", "6k1/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "+a8b6 +a8c7"),
    ("no-double-step", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "", "-a2a4"),
    ("double-step-jumps", "4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "", "+a2a4"),
    ("double-step-from-third-rank", "4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "", "+a3a5"),
    ("double-step-from-any-rank", "4k3/8/8/8/P7/8/8/4K3 w - - 0 1", "", "+a4a6"),
    ("double-step-captures", "4k3/8/8/8/n7/8/P7/4K3 w - - 0 1", "", "+a2a4"),
    ("pawn-push-captures", "4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "", "+a2a3"),
    ("pawn-steps-aside", "4k3/8/8/8/P7/8/8/4K3 w - - 0 1", "", "+a4b5"),
    ("no-pawn-capture", "4k3/8/8/n1n5/1P6/8/8/4K3 w - - 0 1", "", "-b4a5 -b4c5"),
    ("no-pawn-capture-towards-a", "4k3/8/8/n1n5/1P6/8/8/4K3 w - - 0 1", "", "-b4a5"),
    ("no-pawn-capture-towards-h", "4k3/8/8/n1n5/1P6/8/8/4K3 w - - 0 1", "", "-b4c5"),
    ("no-pawn-capture-on-a", "4k3/8/8/n1n5/1P6/8/8/4K3 w - - 0 1", "", "-b4a5"),
    ("no-pawn-capture-on-h", "4k3/8/8/7n/6P1/8/8/4K3 w - - 0 1", "", "-g4h5"),
    ("pawns-capture-backwards", "4k3/8/8/2n5/1P6/n7/8/4K3 w - - 0 1", "", "+b4a3 -b4c5"),
    ("pawn-wraps", "4k3/8/8/P6p/8/8/8/4K3 w - - 0 1", "", "+a5h5"),
    ("knight-wraps", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "", "+a1g1 +a1h2"),
    ("king-wraps", "4k3/8/8/8/8/8/8/K7 w - - 0 1", "", "+a1h1"),
    ("no-moves", "4k3/8/8/8/8/P7/8/7K w - - 0 1", "", "-a3a4 -h1g1 -h1g2 -h1h2"),
    (
        "moves-not-made",
        "4k3/8/8/8/8/P7/8/7K w - - 0 1",
        "a3a4",
        "+a3a4 +h1g1 +h1g2 +h1h2 -e8d7 -e8d8 -e8e7 -e8f7 -e8f8",
    ),
    ("slide-never-to-edge", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", "-a1a8"),
    ("slide-never-seven", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", "-a1a8"),
    ("slide-stops-short", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", "-a1a8 -a1d1"),
];

/// Mutations that change only counts: a position, a depth, the right count and the wrong one.
const COUNTS: &[(&str, &str, u32, u64, u64)] = &[
    // Both numbers are those of one real program.
    ("pinned-pawn-en-passant-missing", "8/p7/5p2/3Bqn1k/P5p1/7p/5P1K/3Q4 w - - 0 1", 4, 77_382, 77_240),
    (
        "pinned-pawn-en-passant-missing",
        "r1b2rk1/q4ppp/p2B4/1pPP4/N6n/3B4/PP3KPP/R2Q4 w - b6 0 1",
        4,
        1_806_256,
        1_768_453,
    ),
    ("moves-not-made", perft_core::START_FEN, 3, 8902, 8000),
    ("moves-not-made", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 2, 191, 196),
    // Rh1 is checkmate, and Rg7 is stalemate.
    ("end-is-leaf", "7k/5K2/8/8/8/8/8/6R1 w - - 0 1", 2, 18, 20),
];

/// Mutations of taking back moves: a position, and the depth at which the mutation shows in it.
const UNMAKES: &[(&str, &str, u32)] = &[
    ("unmake-loses-rights", "4k3/8/8/8/8/8/6b1/4K2R b K - 0 1", 2),
    ("unmake-loses-moved-rights", "4k3/8/8/8/8/8/P7/4K2R w K - 0 1", 3),
    ("unmake-keeps-promotion", "7K/P7/8/8/8/8/8/4k3 w - - 0 1", 3),
    ("unmake-loses-pawn", "7K/8/8/3pP3/8/8/8/4k3 w - d6 0 1", 2),
    ("unmake-wrong-pawn", "7K/8/8/3pP3/8/8/8/4k3 w - d6 0 1", 2),
    ("unmake-leaves-rook", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2),
];

fn named(name: &str) -> Mutation {
    Mutation::from_name(name).unwrap()
}

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
        let played = position.find_move(text).unwrap();
        board.play(played);
        position = position.play_legal(played);
    }
    differences(&texts(position.legal_moves()), &texts(board.legal_moves()))
}

#[test]
fn each_mutation_changes_the_moves_that_it_names() {
    for &(mutation, fen, path, expected) in MOVES {
        assert_eq!(changes(named(mutation), fen, path).join(" "), expected, "{mutation:?} in {fen}");
    }
}

#[test]
fn a_variant_changes_only_what_the_general_form_changes() {
    // If only the sliders of one side are too weak, other moves become legal.
    let is_monotone = |variant: &&Mutation| !variant.name().starts_with("slide-never");
    let variants = Mutation::ALL.iter().filter(is_monotone).flat_map(|&variant| {
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
        let counts = [None, Some(named(mutation))].map(|some| count(&position, depth, some));
        assert_eq!(counts, [right, wrong], "{mutation:?} in {fen}");
    }
}

#[test]
fn each_mutation_of_taking_back_changes_later_counts_only() {
    for &(mutation, fen, depth) in UNMAKES {
        let position = Position::from_fen(fen).unwrap();
        let moves = texts(MutatedBoard::new(&position, named(mutation).into()).legal_moves());
        assert_eq!(moves, texts(position.legal_moves()), "{mutation:?} in {fen}");
        let counts = [None, Some(named(mutation))].map(|some| count(&position, depth, some));
        assert_ne!(counts[0], counts[1], "{mutation:?} in {fen}");
    }
}

/// Most generators list all moves before they make the first one. They do not miss the en passant square until they
/// generate moves again. So this mutation changes no count.
#[test]
fn an_en_passant_square_is_missed_when_moves_are_generated_again() {
    let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
    let mut board = MutatedBoard::new(&position, Mutation::UnmakeLosesEnPassant.into());
    let before = texts(board.legal_moves());
    board.each_child(|_, _| {});
    assert_eq!(difference(&before, &texts(board.legal_moves())), "-e5d6");
}

/// The tests of `models.rs` check that every general mutation but one changes a count of the suites.
#[test]
fn every_mutation_has_a_position_here_or_is_a_variant_of_one_that_has() {
    let here = MOVES.iter().map(|row| row.0).chain(COUNTS.iter().map(|row| row.0));
    let here: Vec<Mutation> = here.chain(UNMAKES.iter().map(|row| row.0)).map(named).collect();
    let is_here =
        |mutation: Mutation| here.iter().any(|&other| mutation == other || mutation.is_variant_of(other));
    let without = Mutation::ALL.iter().filter(|&&mutation| !is_here(mutation));
    let without: Vec<&Mutation> = without.filter(|mutation| mutation.is_general()).collect();
    assert_eq!(without, [&Mutation::UnmakeLosesEnPassant]);
}

#[test]
fn names_are_unique_and_descriptions_are_sentences() {
    let names: HashSet<&str> = Mutation::ALL.iter().map(|mutation| mutation.name()).collect();
    let sentences: HashSet<&str> = Mutation::ALL.iter().map(|mutation| mutation.about()).collect();
    assert_eq!((names.len(), sentences.len()), (Mutation::ALL.len(), Mutation::ALL.len()));
    for &mutation in Mutation::ALL {
        assert_eq!(Mutation::from_name(mutation.name()), Some(mutation));
        assert!(mutation.about().ends_with('.'), "{mutation:?}");
    }
    assert_eq!(Mutation::from_name("nothing"), None);
}

#[test]
fn a_variant_breaks_the_same_rules_for_fewer_facts() {
    let is_variant = |name: &str, of: &str| named(name).is_variant_of(named(of));
    assert!(is_variant("no-en-passant-white", "no-en-passant"));
    assert!(is_variant("pins-ignored-knight", "pinned-piece-moves"));
    assert!(is_variant("no-castling-white-king-side", "no-castling-king-side"));
    assert!(named("no-en-passant").is_general());
    // It breaks fewer rules than the bug of which it is a part.
    assert!(named("rook-capture-keeps-right").is_general());
}
