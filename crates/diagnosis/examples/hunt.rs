//! Hunts for the bugs of a move generator in random positions: `cargo run --example hunt`
//!
//! The generator gets moves as well as FENs, so the hunt can distinguish a bug in playing moves from a bug in
//! generating them. Replace `my_divide` with your own function.

use perft_core::{Position, Setup, StopSignal};
use perft_diagnosis::source::{Question, from_fn};
use perft_diagnosis::{SearchOptions, hunt, random_target};

/// The number of random positions.
const POSITIONS: usize = 1000;

fn main() {
    let summary = hunt(
        |number| (number < POSITIONS).then(|| random_target(1, number as u64, 2)),
        || Box::new(from_fn(my_divide)),
        SearchOptions::default(),
        &StopSignal::default(),
        |_| {},
    );
    for bug in &summary.findings {
        println!("{}\n\n{bug}", bug.name());
    }
    println!("{} bugs in {} positions", summary.bugs(), summary.positions);
}

/// Counts the leaf nodes below each move, with a bug: there is no en passant square after a move.
fn my_divide(question: &Question) -> Vec<(String, u128)> {
    let mut position: Position = question.fen.parse().expect("a question has a legal position");
    for text in &question.moves {
        position = position.play_legal(position.find_move(text).expect("a question has legal moves"));
    }
    if !question.moves.is_empty() {
        let setup = Setup { en_passant: None, ..Setup::from(&position) };
        position = Position::try_from(&setup).expect("the position stays legal");
    }
    let below = |played| position.play_legal(played).perft(question.depth - 1);
    let notation = position.castling_notation();
    position.legal_moves().into_iter().map(|played| (played.to_uci(notation), below(played))).collect()
}
