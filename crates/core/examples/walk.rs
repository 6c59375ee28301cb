//! Plays moves that are given as text, then lists the legal moves: `cargo run --example walk -- e2e4 e7e5 g1f3`

use std::error::Error;

use perft_core::{Position, find_move, legal_moves};

fn main() -> Result<(), Box<dyn Error>> {
    let mut position = Position::start();
    for text in std::env::args().skip(1) {
        position = position.try_play(find_move(&position, &text)?)?;
    }
    println!("{}\n{position}\n", position.diagram());
    for played in legal_moves(&position) {
        println!("{}", played.to_uci(position.castling_notation()));
    }
    Ok(())
}
