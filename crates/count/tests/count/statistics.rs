//! Compares the statistics of leaf nodes with published tables and, move by move, with the board of the oracle.

use perft_core::suite::builtin;
use perft_core::{Bitboard, CastlingNotation, MoveKind, Position, Setup, Square, legal_moves};
use perft_count::{LeafStatistics, Perft, Progress};
use perft_diagnosis::random::kinds::PositionKind;
use perft_diagnosis::random::{Random, setup_of};
use perft_testing::oracle::{Board, square};

fn statistics(position: &Position, depth: u32) -> LeafStatistics {
    Perft::new().statistics(position, depth, None, &Progress::default()).unwrap()
}

/// The numbers are those of "Perft Results" in the Chess Programming Wiki: nodes, captures, en passant, castles,
/// promotions, checks and checkmates.
#[test]
fn statistics_agree_with_published_tables() {
    let tables: [(&str, u32, [u128; 7]); 8] = [
        ("start", 4, [197_281, 1576, 0, 0, 0, 469, 8]),
        ("start", 5, [4_865_609, 82_719, 258, 0, 0, 27_351, 347]),
        ("kiwipete", 3, [97_862, 17_102, 45, 3162, 0, 993, 1]),
        ("kiwipete", 4, [4_085_603, 757_163, 1929, 128_013, 15_172, 25_523, 43]),
        ("endgame", 4, [43_238, 3348, 123, 0, 0, 1680, 17]),
        ("endgame", 5, [674_624, 52_051, 1165, 0, 0, 52_950, 0]),
        ("mirrored", 3, [9467, 1021, 4, 0, 120, 38, 22]),
        ("mirrored", 4, [422_333, 131_393, 0, 7795, 60_032, 15_492, 5]),
    ];
    for (name, depth, expected) in tables {
        let found = statistics(&builtin::position(name).unwrap().position, depth);
        let LeafStatistics { nodes, captures, en_passant, castles, promotions, checkmates, .. } = found;
        let found = [nodes, captures, en_passant, castles, promotions, found.checks(), checkmates];
        assert_eq!(found, expected, "{name} at depth {depth}");
    }
}

#[test]
fn statistics_of_random_positions_agree_with_the_definitions() {
    let mut seen = LeafStatistics::default();
    for number in 0..1000 {
        let mut random = Random::new(number);
        let position = PositionKind::ALL[number as usize % PositionKind::ALL.len()].position(&mut random);
        let (found, expected) = (statistics(&position, 1), by_definition(&position));
        assert_eq!(found, expected, "{}", setup_of(&position).to_fen());
        seen.double_discovered_checks += found.double_discovered_checks;
        seen.direct_and_discovered_checks += found.direct_and_discovered_checks;
        seen.checkmates += found.checkmates;
        seen.stalemates += found.stalemates;
    }
    let rare =
        [seen.double_discovered_checks, seen.direct_and_discovered_checks, seen.checkmates, seen.stalemates];
    assert!(rare.iter().all(|&count| count > 0), "some kinds never occurred: {rare:?}");
}

/// Computes the statistics at depth 1 from the boards of the oracle before and after each move.
fn by_definition(position: &Position) -> LeafStatistics {
    let before = setup_of(position);
    let children = Board::new(&before).legal_moves();
    let mut statistics = LeafStatistics::default();
    for played in legal_moves(position) {
        let child = &children[&played.to_uci(CastlingNotation::Chess960)];
        let after = child.to_setup();
        let pieces = |setup: &Setup| setup.board.iter().flatten().count();
        let is_en_passant = played.kind() == MoveKind::EnPassant;
        statistics.nodes += 1;
        statistics.captures += u128::from(pieces(&after) < pieces(&before));
        statistics.en_passant += u128::from(is_en_passant);
        statistics.castles += u128::from(played.kind() == MoveKind::Castling);
        statistics.promotions += u128::from(played.kind().promotion().is_some());

        // A checker is the piece that moved if its square did not have this piece before the move.
        let king = child.king(after.turn);
        let checkers: Bitboard = child.attackers(king, before.turn).into_iter().map(square).collect();
        let was_there = |at: Square| before.board[at.index()] == after.board[at.index()];
        let moved = checkers.into_iter().any(|at| !was_there(at));
        match (checkers.count(), moved) {
            (0, _) => {}
            (1, true) => statistics.direct_checks += 1,
            (1, false) => statistics.discovered_checks += 1,
            (_, true) => statistics.direct_and_discovered_checks += 1,
            (_, false) => statistics.double_discovered_checks += 1,
        }
        let has_no_reply = child.legal_moves().is_empty();
        statistics.checkmates += u128::from(has_no_reply && checkers.any());
        statistics.stalemates += u128::from(has_no_reply && checkers.is_empty());
    }
    statistics
}
