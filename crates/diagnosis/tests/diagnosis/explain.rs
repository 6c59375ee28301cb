//! Checks whole sentences on hand-made positions, and the legality of all moves on random positions.

use std::collections::HashSet;

use perft_core::{CastlingNotation, Position, Square};
use perft_diagnosis::random::Random;
use perft_diagnosis::random::kinds::PositionKind;
use perft_diagnosis::{Theme, explain, explain_path};

/// Positions, each with a theme and a sentence.
const EXPLANATIONS: &str = include_str!("explanations.txt");

/// Each position has one trap.
#[test]
fn sentences_are_right_on_positions_made_by_hand() {
    let mut themes = HashSet::new();
    for block in EXPLANATIONS.split("\n\n").filter(|block| !block.starts_with('#')) {
        let [fen, theme, sentence] = block.lines().collect::<Vec<&str>>()[..] else { panic!("{block}") };
        let text = sentence.split(' ').next().unwrap();
        let explanation = explain(&Position::from_fen(fen).unwrap(), text);
        assert_eq!((explanation.theme.name(), explanation.text.as_str()), (theme, sentence), "{fen}");
        themes.insert(explanation.theme);
    }
    assert_eq!(themes.len(), Theme::ALL.len(), "every theme has an explanation");
}

/// Returns every pair of squares, with and without a promotion.
fn all_move_texts() -> Vec<String> {
    let mut texts = Vec::new();
    for from in Square::ALL {
        for to in Square::ALL {
            texts.extend(["", "n", "b", "r", "q", "k", "p"].map(|letter| format!("{from}{to}{letter}")));
        }
    }
    texts
}

#[test]
fn a_move_is_legal_exactly_if_it_is_in_the_list() {
    let texts = all_move_texts();
    let mut random = Random::new(7);
    for kind in PositionKind::ALL {
        for _ in 0..7 {
            let position = kind.position(&mut random);
            let legal: HashSet<String> = position
                .legal_moves()
                .into_iter()
                .flat_map(|found| {
                    [found.to_uci(CastlingNotation::Standard), found.to_uci(CastlingNotation::Chess960)]
                })
                .collect();
            for text in &texts {
                let explanation = explain(&position, text);
                assert_eq!(explanation.is_legal, legal.contains(text), "{position} {explanation:?}");
            }
        }
    }
}

#[test]
fn nonsense_is_explained_as_not_a_move() {
    let position = Position::start();
    for text in
        ["", "e", "e2", "e2e", "e2e9", "i2e4", "e2e4qq", "e2-e4", "é2e4", "e2é4", "e2e4 ", "0000", "Nf3"]
    {
        let explanation = explain(&position, text);
        assert_eq!((explanation.theme, explanation.is_legal), (Theme::Notation, false), "{text}");
    }
}

/// Returns the sentences about a path of moves in UCI notation.
fn sentences(fen: &str, path: &str) -> Vec<String> {
    let start = Position::from_fen(fen).unwrap();
    let mut position = start;
    let mut moves = Vec::new();
    for text in path.split(' ') {
        let played = position.find_move(text).unwrap();
        position = position.play_legal(played);
        moves.push(played);
    }
    explain_path(&start, &moves)
}

#[test]
fn rights_are_lost_by_kings_rooks_and_captures() {
    let rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let expected = [
        "a1a2: the rook leaves a1, and White's queen-side right is gone",
        "e8g8: the king castles, and Black's queen-side and king-side rights are gone",
        "e1e2: the king moves, and White's king-side right is gone",
    ];
    assert_eq!(sentences(rooks, "a1a2 e8g8 e1e2 g8g7"), expected);
    let promotion = "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1";
    let sentence = "b7a8q: the rook on a8 is captured, and Black's queen-side right is gone";
    assert_eq!(sentences(promotion, "b7a8q"), [sentence]);
}

#[test]
fn only_the_last_double_step_is_reported_and_only_if_it_can_be_captured() {
    let pawns = "4k3/3p1p2/8/4P3/8/8/8/4K3 b - - 0 1";
    let sentence = "d7d5 passes d6, which is now the en passant square";
    assert_eq!(sentences(pawns, "d7d5"), [sentence]);
    assert_eq!(sentences(pawns, "d7d5 e1e2 e8e7"), [""; 0]);
    assert_eq!(sentences(pawns.replace("4P3", "8").as_str(), "d7d5"), [""; 0]);
}

#[test]
fn a_move_that_is_not_legal_ends_the_path() {
    let start = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    let step = start.find_move("e1e2").unwrap();
    assert_eq!(explain_path(&start, &[step, step]).len(), 1);
}

#[test]
fn names_are_different_and_in_kebab_case() {
    let names: HashSet<&str> = Theme::ALL.iter().map(|theme| theme.name()).collect();
    assert_eq!(names.len(), Theme::ALL.len());
    assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
    assert!(Theme::ALL.iter().all(|theme| !theme.about().ends_with('.')));
}
