//! Compares the statistics of leaf nodes with published tables and, move by move, with the board of the oracle.

use perft_core::suite::builtin;
use perft_core::{Bitboard, CastlingNotation, CastlingSide, MoveKind, Position, Setup, Square};
use perft_count::{CheckCounts, CpuPath, LeafStatistics, Perft, Progress, StatisticsTable};
use perft_diagnosis::random::setup_of;
use perft_lab::generators::Generator;
use perft_testing::oracle::{Board, square};
use perft_testing::random_position;

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
        let found =
            [nodes, captures, en_passant, castles, promotions, found.checks.total(), checkmates.total()];
        assert_eq!(found, expected, "{name} at depth {depth}");
    }
}

/// The numbers are those of "Perft Results" in the Chess Programming Wiki. Its "discovery checks" and "double checks"
/// do not exclude mates.
#[test]
fn kinds_of_checks_agree_with_published_tables() {
    let found = statistics(&Position::start(), 6);
    let checks =
        CheckCounts { direct: 808_724, discovered: 329, direct_and_discovered: 46, double_discovered: 0 };
    assert_eq!((found.checks, found.checkmates.total()), (checks, 10_828));
}

#[test]
fn threads_and_tables_do_not_change_the_statistics() {
    let kiwipete = builtin::position("kiwipete").unwrap().position;
    let expected = statistics(&kiwipete, 4);
    for (threads, bytes) in [(2, None), (1, Some(0)), (2, Some(10_000)), (2, Some(1 << 24))] {
        let perft = Perft::new().threads(threads).unwrap();
        let table = bytes.map(|bytes| StatisticsTable::new(bytes, 1).unwrap());
        for _ in 0..2 {
            let found = perft.statistics(&kiwipete, 4, table.as_ref(), &Progress::default());
            assert_eq!(found, Ok(expected), "{threads} threads, {bytes:?} bytes");
        }
    }
}

#[test]
fn all_paths_agree_with_the_definitions() {
    let rare = RARE.map(|fen| Position::from_fen(fen).unwrap()).into_iter();
    let cases = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    let known = cases.map(|case| case.position);
    compare_with_the_definitions(rare.chain(known).chain((0..400).map(random_position)));
}

#[test]
#[ignore = "takes some minutes"]
fn all_paths_agree_with_the_definitions_on_many_random_positions() {
    compare_with_the_definitions((0..100_000).map(random_position));
}

/// Positions with leaf nodes of rare kinds.
const RARE: [&str; 10] = [
    // A knight discovers mate, or mates together with the bishop.
    "6bk/7p/8/4N3/8/8/1B6/6K1 w - - 0 1",
    // A capture en passant opens the file of the rook and the diagonal of the bishop.
    "8/8/4k3/3pP3/8/8/B7/K3R3 w - d6 0 1",
    // The rook gives check after castling: along the file, and along the rank on which the king stood in its way.
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
    "8/8/8/8/8/8/8/RK5k w A - 0 1",
    // A promoted pawn attacks through its old square.
    "8/4P3/8/4k3/8/8/8/4K3 w - - 0 1",
    // The only piece between rook and king is a pawn, which can be pushed or capture.
    "3rkr2/8/3p1p2/4P3/8/8/8/K3R3 w - - 0 1",
    // The queen stalemates.
    "7k/4Q3/6K1/8/8/8/8/8 w - - 0 1",
    // Black can move one piece. The rook stalemates when it captures the knight, or blocks or captures the pawn.
    "k7/8/1K6/8/8/4n3/7B/4R3 w - - 0 1",
    "k7/3N4/1K6/5p2/8/8/8/5R2 w - - 0 1",
    // Black has only a king, which cannot move. Castling stalemates.
    "8/8/8/8/8/4N1Pk/7P/4K2R w K - 0 1",
];

/// Compares the statistics of positions at depth 1, on every CPU path, with the definitions, and those at depth 2 with
/// the sum over the children.
fn compare_with_the_definitions(positions: impl Iterator<Item = Position>) {
    let mut drivers: Vec<Perft> =
        CpuPath::ALL.into_iter().filter_map(|path| Perft::new().cpu_path(path).ok()).collect();
    // A counter that has no statistics of its own.
    drivers.push(Perft::new().leaf_counter(Generator::Mailbox0x88.counter(None)));
    let portable = Perft::new().cpu_path(CpuPath::Portable).unwrap();
    let at_depth_one =
        |position: &Position| portable.statistics(position, 1, None, &Progress::default()).unwrap();
    let mut seen = LeafStatistics::default();
    for position in positions {
        let below = |played| at_depth_one(&position.play_legal(played));
        let of_children = position.legal_moves().into_iter().map(below);
        let two_plies = of_children.sum();
        for (depth, expected) in [(1, by_definition(&position)), (2, two_plies)] {
            seen = seen + expected;
            for perft in &drivers {
                let found = perft.statistics(&position, depth, None, &Progress::default());
                let fen = setup_of(&position).to_fen();
                assert_eq!(found, Ok(expected), "{perft:?} on {fen} at depth {depth}");
            }
        }
    }
    let LeafStatistics { checks, checkmates, .. } = seen;
    let rare = [
        checks.discovered,
        checks.direct_and_discovered,
        checks.double_discovered,
        checkmates.direct,
        checkmates.discovered,
        checkmates.direct_and_discovered,
        seen.stalemates,
        seen.en_passant,
        seen.castles,
        seen.promotions,
    ];
    assert!(rare.iter().all(|&count| count > 0), "some kinds never occurred: {rare:?}");
}

/// Computes the statistics at depth 1 from the boards of the oracle before and after each move.
fn by_definition(position: &Position) -> LeafStatistics {
    let before = setup_of(position);
    let children = Board::new(&before).legal_moves();
    let mut statistics = LeafStatistics::default();
    for played in position.legal_moves() {
        let child = &children[&played.to_uci(CastlingNotation::Chess960)];
        let after = child.to_setup();
        let pieces = |setup: &Setup| setup.board.iter().flatten().count();
        let is_en_passant = played.kind() == MoveKind::EnPassant;
        statistics.nodes += 1;
        statistics.captures += u128::from(pieces(&after) < pieces(&before));
        statistics.en_passant += u128::from(is_en_passant);
        statistics.castles += u128::from(played.kind() == MoveKind::Castling);
        statistics.promotions += u128::from(played.kind().promotion().is_some());

        // A checker is the piece that moved if its square did not have this piece before the move. When castling, it is
        // the rook, which may keep its square in Chess960.
        let king = child.king(after.turn);
        let checkers: Bitboard = child.attackers(king, before.turn).into_iter().map(square).collect();
        let rook = (played.kind() == MoveKind::Castling)
            .then(|| CastlingSide::of(played.from(), played.to()).rook_target(before.turn));
        let was_there = |at: Square| before.board[at.index()] == after.board[at.index()];
        let moved = checkers.into_iter().any(|at| Some(at) == rook || !was_there(at));
        let has_no_reply = child.legal_moves().is_empty();
        if checkers.any() {
            statistics.checks.count(moved, checkers.has_many());
            if has_no_reply {
                statistics.checkmates.count(moved, checkers.has_many());
            }
        } else {
            statistics.stalemates += u128::from(has_no_reply);
        }
    }
    statistics
}
