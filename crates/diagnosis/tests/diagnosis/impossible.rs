//! Tests the conditions of positions that no game can reach, on random positions and games, and the labels of the
//! suites.

use perft_core::suite::builtin;
use perft_core::{Impossibility, Position, START_FEN, impossibilities};
use perft_diagnosis::random::kinds::{MOST_MOVES, PositionKind};
use perft_diagnosis::random::{ROOTS, Random, chess960_start, choose};

/// The operation that labels a position, before the reasons.
const LABEL: &str = ";c2 \"impossible: ";

#[test]
fn impossible_positions_of_the_suites_are_labelled() {
    let mut labelled = 0;
    let mut wrong = Vec::new();
    for built_in in builtin::suites() {
        let lines: Vec<&str> = built_in.text.lines().collect();
        for case in &built_in.suite().cases {
            let reasons: Vec<String> =
                impossibilities(&case.position).iter().map(Impossibility::to_string).collect();
            let label = lines[case.line - 1].split_once(LABEL).map(|(_, rest)| rest);
            let label = label.and_then(|rest| rest.split('"').next());
            labelled += usize::from(label.is_some());
            if label.unwrap_or_default() != reasons.join("; ") {
                wrong.push(format!("{}:{} {}", built_in.name, case.line, reasons.join("; ")));
            }
        }
    }
    assert!(wrong.is_empty(), "wrong labels:\n{}", wrong.join("\n"));
    assert!(labelled >= 6, "{labelled}");
}

fn reasons(fen: &str) -> Vec<String> {
    impossibilities(&Position::from_fen(fen).unwrap()).iter().map(Impossibility::to_string).collect()
}

#[test]
fn too_much_material_is_impossible() {
    for (fen, reason) in [
        ("4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1", "white has 17 pieces, more than 16"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "black has 9 pawns, more than 8"),
        (
            "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
            "white has 1 promoted pieces, but only 0 of its pawns can have promoted",
        ),
        (
            "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1",
            "white has 1 promoted pieces, but only 0 of its pawns can have promoted",
        ),
    ] {
        assert_eq!(reasons(fen), [reason], "{fen}");
    }
    assert_eq!(reasons("4k3/8/8/8/8/8/1PPPPPPP/QQ2K3 w - - 0 1"), [""; 0]);
    assert_eq!(reasons("4k3/8/8/8/8/8/PPPPPPPP/BB2K3 w - - 0 1"), [""; 0]);
    assert_eq!(reasons(MOST_MOVES), [""; 0]);
}

#[test]
fn two_checks_need_a_last_move() {
    for fen in [
        // Two rooks on one line; three checks; two bishops that no single move can discover together.
        "4k3/8/8/8/r3K2r/8/8/8 w - - 0 1",
        "4k3/8/4r3/8/4K2r/8/6n1/1b6 w - - 0 1",
        "4k3/8/2b3b1/8/4K3/8/8/8 w - - 0 1",
    ] {
        assert_eq!(reasons(fen), ["no single move can have given these checks to white"], "{fen}");
    }
}

#[test]
fn double_checks_of_games_are_possible() {
    // A knight discovers the check of a rook. En passant discovers the check of a rook.
    assert_eq!(reasons("4r1k1/8/8/8/8/3n4/8/4K3 w - - 0 1"), [""; 0]);
    assert_eq!(reasons("2r5/1b2k2n/3P4/8/8/8/1P6/4R1K1 b - - 0 1"), [""; 0]);
}

#[test]
fn an_en_passant_square_needs_a_double_push() {
    for fen in [
        "bn5k/2p5/8/3pP3/8/8/6KP/R7 w - d6 0 1",
        "3r4/1pk5/8/8/5Pp1/8/P6Q/1K6 b - f3 0 1",
        "2b5/1p5k/8/3pP3/8/5n2/7P/1R4K1 w - d6 0 1",
        "6k1/2p5/r6K/3pP3/8/8/1P6/8 w - d6 0 1",
        "2r5/p7/7k/8/3pP3/8/8/1KB4N b - e3 0 1",
    ] {
        let found = reasons(fen);
        assert!(
            found.len() == 1 && found[0].contains("was in check before the double push"),
            "{fen}: {found:?}"
        );
    }
    assert_eq!(reasons("1k4r1/8/8/4nPpP/7K/r7/8/8 w - g6 0 1"), [""; 0]);
}

/// The conditions are necessary: every position of a game meets them.
#[test]
fn positions_of_games_are_possible() {
    let starts = ROOTS.map(str::to_owned).into_iter().chain([START_FEN.to_owned()]);
    let starts = starts.chain((0..40).map(|game| chess960_start(game * 23, game * 7 % 960)));
    let mut checks = 0;
    for (number, fen) in starts.enumerate() {
        for seed in 0..20 {
            let mut random = Random::new(100 * number as u64 + seed);
            let mut position = Position::from_fen(&fen).unwrap();
            for _ in 0..120 {
                let Some(played) = choose(&position.legal_moves(), random.number()) else { break };
                position = position.play_legal(played);
                assert_eq!(impossibilities(&position), [], "{position} after {played:?}");
                checks += u32::from(position.checkers().any());
            }
        }
    }
    assert!(checks > 1000, "{checks}");
}

/// The conditions hold after every legal move if they hold before it.
#[test]
fn moves_lead_from_possible_positions_to_possible_ones() {
    let mut random = Random::new(3);
    let mut double_checks = 0;
    for number in 0..1100 {
        let kind = PositionKind::of_number(number);
        let position = kind.possible_position(&mut random);
        assert_eq!(impossibilities(&position), [], "{kind:?}");
        for played in position.legal_moves() {
            let next = position.play_legal(played);
            assert_eq!(impossibilities(&next), [], "{position} after {played:?}");
            double_checks += u32::from(next.checkers().has_many());
        }
    }
    assert!(double_checks > 5, "{double_checks}");
}
