//! Checks whole sentences on hand-made positions, and the legality of all moves on random positions.

use std::collections::HashSet;

use perft_core::{CastlingNotation, Square, legal_moves};

use super::*;
use crate::random::Random;
use crate::random::kinds::PositionKind;

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
        for _ in 0..20 {
            let position = kind.position(&mut random);
            let legal: HashSet<String> = legal_moves(&position)
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
    for text in [
        "", "e", "e2", "e2e", "e2e9", "i2e4", "e2e4qq", "e2-e4", "é2e4", "e2é4", "O-O", "e2e4 ", "0000",
        "Nf3",
    ] {
        let explanation = explain(&position, text);
        assert_eq!((explanation.theme, explanation.is_legal), (Theme::Notation, false), "{text}");
    }
}
