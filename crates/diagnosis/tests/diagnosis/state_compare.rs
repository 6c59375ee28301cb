//! Comparing a printed FEN with the right one, field by field.

use perft_core::Position;
use perft_diagnosis::internals::wrong_fields;
use perft_diagnosis::source::State;
use perft_diagnosis::state::{StateAbilities, StateField};
use perft_diagnosis::{Clocks, MovePath};

/// Returns the wrong fields of a FEN that is printed after d2d4.
fn wrong_after_double_push(root: &str, fen: &str) -> Vec<StateField> {
    let root = MovePath::new(Position::from_fen(root).unwrap());
    let path = root.played(root.end.find_move("d2d4").unwrap());
    let at = MovePath { clocks: Clocks { halfmove: 4, number: 9 }, ..path };
    let prints = StateAbilities { fen: true, key: false, halfmove_clock: true, move_number: true };
    let state = State { fen: Some(fen.to_owned()), key: None };
    wrong_fields(&state, &at, prints).into_iter().map(|wrong| wrong.field).collect()
}

#[test]
fn each_wrong_field_is_named() {
    use StateField::*;
    let legal = "r3k3/8/8/8/4p3/8/3P4/4K3 w q - 4 9";
    for (fen, wrong) in [
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b q d3 0 9", &[][..]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b a d3 0 9", &[]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b q d3", &[]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b q - 0 9", &[EnPassantSquare]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b q d4 0 9", &[EnPassantSquare]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 w kq d3 5 10", &[SideToMove, CastlingRights, HalfMoveClock, MoveNumber]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b z d3 0 9", &[CastlingRights]),
        ("r3k3/8/8/8/4p3/8/3P4/4K3 b q d3 0 9", &[Board]),
        ("r3k3/8/8/8/3Pp3/8/8/4K4 b q d3 0 9", &[Board]),
    ] {
        assert_eq!(wrong_after_double_push(legal, fen), wrong, "{fen}");
    }
    // No capture on d3 is legal, so both conventions are right.
    let idle = "4k3/8/8/8/8/8/3P4/4K3 w - - 4 9";
    for (square, wrong) in [("-", &[][..]), ("d3", &[]), ("e3", &[EnPassantSquare])] {
        let fen = format!("4k3/8/8/8/3P4/8/8/4K3 b - {square} 0 9");
        assert_eq!(wrong_after_double_push(idle, &fen), wrong, "{square}");
    }
}
