//! Checks that a drawing has the squares of its sentence, and what they are. `perft_testing::planted` checks this for the
//! findings of the planted bugs.

use perft_core::Position;
use perft_diagnosis::{Arrow, ArrowKind, Drawing, Mark, WrongMove, explain};
use perft_testing::planted::{drawn_squares, squares_of};

/// Positions with a sentence for each theme, from the test of the sentences.
#[test]
fn the_drawing_of_every_sentence_has_its_squares() {
    for block in include_str!("explanations.txt").split("\n\n").filter(|block| !block.starts_with('#')) {
        let [fen, _, sentence] = block.lines().collect::<Vec<&str>>()[..] else { panic!("{block}") };
        let drawing = drawing(fen, sentence.split(' ').next().unwrap());
        let drawn = drawn_squares(&drawing);
        assert!(squares_of(sentence).is_subset(&drawn), "{sentence}: {drawn:?}");
        // Whatever attacks something has its line.
        for square in drawn {
            let has_line =
                drawing.arrows.iter().any(|arrow| arrow.kind == ArrowKind::Line && arrow.from == square);
            assert_eq!(drawing.mark(square) == Some(Mark::Attacker), has_line, "{sentence}: {square}");
        }
        let has_line = drawing.arrows.iter().any(|arrow| arrow.kind == ArrowKind::Line);
        let tells_line = ["check by the ", "pinned to its king", "attacks the king", "next to the king"];
        assert!(has_line || !tells_line.iter().any(|words| sentence.contains(words)), "{sentence}");
    }
}

fn drawing(fen: &str, text: &str) -> Drawing {
    let position = Position::from_fen(fen).unwrap();
    let why = explain(&position, text);
    let is_missing = why.is_legal;
    Drawing::of_moves(&position, &[WrongMove { text: text.to_owned(), is_missing, why }])
}

#[test]
fn lines_lead_from_the_attacker_to_what_it_attacks() {
    for (fen, text, lines) in [
        // En passant, a castling king that passes an attacked square, a king that steps back, and a pin.
        ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "e5d6", "h5a5"),
        ("4k3/8/8/8/6b1/8/8/R3K2R w KQ - 0 1", "e1c1", "g4d1"),
        ("4k3/4r3/8/8/8/8/4K3/8 w - - 0 1", "e2e1", "e7e1"),
        ("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "d2c4", "b4e1"),
        // A double check, and castling out of check by a knight.
        ("4k3/4r3/8/8/1b6/8/8/1R2K3 w - - 0 1", "b1b4", "b4e1 e7e1"),
        ("4k2r/8/3N4/8/8/8/6K1/8 b k - 0 1", "e8g8", "d6e8"),
    ] {
        let drawing = drawing(fen, text);
        let is_line = |arrow: &&Arrow| arrow.kind == ArrowKind::Line;
        let found: Vec<String> = drawing
            .arrows
            .iter()
            .filter(is_line)
            .map(|arrow| format!("{}{}", arrow.from, arrow.to))
            .collect();
        assert_eq!(found.join(" "), lines, "{fen} {text}");
        assert_eq!(drawing.to_svg("").matches("stroke-dasharray=\"20 50\"").count(), found.len());
    }
}

#[test]
fn pictures_show_promotions_moves_listed_twice_and_moves_taken_back() {
    let (fen, knight) = ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n");
    let promotions = |drawing: &Drawing| drawing.to_svg("").matches("width=\"19\"").count();
    assert_eq!(promotions(&drawing(fen, knight)), 1);
    let position = Position::from_fen(fen).unwrap();
    let mut twice = Drawing::of_moves(&position, &[]);
    let why = explain(&position, knight);
    twice.add_wrong_move(&position, &WrongMove { text: knight.to_owned(), is_missing: false, why });
    assert!(twice.to_svg("").contains(">2×</text>") && twice.to_overlay().contains("\"pieces.svg#piece-n\""));
    let heads = |kind| {
        let mut drawing = Drawing::of_moves(&position, &[]);
        drawing.add_move(&position, "e1e2", kind);
        drawing.to_svg("").rsplit(" d=\"").next().unwrap().matches('z').count()
    };
    assert_eq!([ArrowKind::Played, ArrowKind::TakenBack].map(heads), [1, 2]);
}

#[test]
fn a_right_that_is_gone_is_marked() {
    let drawing = drawing("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1");
    assert_eq!(drawing.mark("h1".parse().unwrap()), Some(Mark::Right));
    assert_eq!(drawing.move_on("g1".parse().unwrap()), Some(ArrowKind::Extra));
    assert!(drawing.to_svg("a & b").contains("aria-label=\"a &amp; b\""));
}
