//! Checks a move generator with the built-in positions, and explains its bugs: `cargo run --example check`
//!
//! Replace `my_divide` with your own function. In your code, put the call of `check` into a `#[test]`.

use perft_core::suite::{self, Limits};
use perft_core::{Move, MoveKind, Position};
use perft_diagnosis::check;

fn main() {
    if let Err(bugs) = check(suite::standard(), &Limits::max_nodes(2_000), my_divide) {
        println!("{bugs}");
    }
}

/// Counts the leaf nodes below each move, with a bug: pawns never promote to knights.
fn my_divide(fen: &str, depth: u32) -> Vec<(String, u64)> {
    let position: Position = fen.parse().expect("the FENs of a suite are valid");
    let notation = position.castling_notation();
    let below = |played| count(&position.play_legal(played), depth - 1);
    moves(&position).map(|played| (played.to_uci(notation), below(played))).collect()
}

fn count(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    moves(position).map(|played| count(&position.play_legal(played), depth - 1)).sum()
}

fn moves(position: &Position) -> impl Iterator<Item = Move> {
    position.legal_moves().into_iter().filter(|played| played.kind() != MoveKind::PromoteKnight)
}
