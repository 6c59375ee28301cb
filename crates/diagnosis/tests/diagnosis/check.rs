//! Tests `check` and functions as sources.

use perft_core::suite::{self, Limits, Suite};
use perft_core::{Move, MoveKind, Position};
use perft_diagnosis::source::from_fen_fn;
use perft_diagnosis::{HuntTarget, SearchOptions, Verdict, check, hunt};

fn right(fen: &str, depth: u32) -> u128 {
    Position::from_fen(fen).unwrap().perft(depth)
}

/// Counts without the moves for which `is_left_out` is true.
fn without(position: &Position, depth: u32, is_left_out: fn(Move) -> bool) -> u64 {
    let moves = position.legal_moves().into_iter().filter(|&played| !is_left_out(played));
    let below = |played| match depth {
        1 => 1,
        _ => without(&position.play_legal(played), depth - 1, is_left_out),
    };
    moves.map(below).sum()
}

fn without_long_castling(fen: &str, depth: u32) -> u64 {
    without(&fen.parse().unwrap(), depth, |played| {
        played.kind() == MoveKind::Castling && played.to() < played.from()
    })
}

fn without_knights(fen: &str, depth: u32) -> u64 {
    without(&fen.parse().unwrap(), depth, |played| played.kind() == MoveKind::PromoteKnight)
}

#[test]
fn a_right_generator_passes() {
    check(suite::standard(), &Limits::max_nodes(1000), right).unwrap();
    let divide = |fen: &str, depth| -> Vec<(String, u128)> {
        let position: Position = fen.parse().unwrap();
        let counts = position.divide(depth);
        let notation = position.castling_notation();
        counts.iter().map(|root| (root.played.to_uci(notation), root.nodes)).collect()
    };
    check(suite::chess960(), &Limits::max_nodes(1000), divide).unwrap();
}

#[test]
fn a_bug_of_totals_is_explained_on_unwrapping() {
    let suite = Suite::from_text("mine", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D1 26 ;D2 568").unwrap();
    let bugs = check(&suite, &Limits::NONE, without_long_castling).unwrap_err();
    assert_eq!(bugs.0.len(), 1);
    let text = format!("{bugs:?}");
    for expected in [
        "bug 1: generation\n",
        "\n  a b c d e f g h\n\nposition  ",
        "depth 1   expected ",
        ", found ",
        "cause     no-castling-queen-side: Castling is missing (queen side).",
        "it reproduces all ",
    ] {
        assert!(text.contains(expected), "no '{expected}' in {text}");
    }
}

#[test]
fn every_bug_is_found_and_none_is_told_twice() {
    let wrong = |fen: &str, depth| match depth {
        1 => without_long_castling(fen, depth).into(),
        _ => right(fen, depth),
    };
    let target = HuntTarget::of_case(&suite::named().cases[1], &Limits::max_nodes(50));
    assert_eq!(target.depths, [1]);
    let found = hunt(
        |number| (number < 3).then(|| target.clone()),
        || Box::new(from_fen_fn(wrong)),
        SearchOptions::default(),
        &Default::default(),
        |_| {},
    );
    assert_eq!((found.findings.len(), found.faulty), (1, 3));
}

#[test]
fn totals_with_one_cause_are_one_bug() {
    let bugs = check(suite::standard(), &Limits::max_nodes(2000), without_knights).unwrap_err();
    assert_eq!(bugs.0.len(), 1, "{bugs}");
    assert_eq!(bugs.0[0].causes.named()[0].name(), "no-knight-promotion");
}

#[test]
fn a_panic_is_a_missing_answer() {
    let suite = Suite::from_text("mine", "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15").unwrap();
    let bugs = check(&suite, &Limits::NONE, |_, _| -> u64 { panic!("out of range") }).unwrap_err();
    assert_eq!(bugs.0[0].verdict, Verdict::NoAnswer);
    assert!(bugs.to_string().contains("depth 1   the function panicked: out of range"), "{bugs}");
}
