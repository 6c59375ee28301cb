//! Checks a move generator with the built-in positions, and explains its bugs: `cargo run --example check`
//!
//! Replace `my_perft` with your own function. In your code, put the call of `check` into a `#[test]`.

use perft_core::suite::{self, Limits};
use perft_core::{MoveKind, Position};
use perft_diagnosis::check;

fn main() {
    if let Err(bugs) = check(suite::standard(), &Limits::max_nodes(2_000), my_perft) {
        println!("{bugs}");
    }
}

/// Counts leaf nodes with a bug: pawns never promote to knights.
fn my_perft(fen: &str, depth: u32) -> u64 {
    count(&fen.parse().expect("the FENs of a suite are valid"), depth)
}

fn count(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves().into_iter();
    let found = moves.filter(|played| played.kind() != MoveKind::PromoteKnight);
    found.map(|played| count(&position.play_unchecked(played), depth - 1)).sum()
}
