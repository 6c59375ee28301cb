//! Plays moves that are given as text, then lists the legal moves: `cargo run --example walk -- e2e4 e7e5 g1f3`

use std::error::Error;

use perft_core::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let mut position = Position::start();
    for text in std::env::args().skip(1) {
        position = position.try_play(position.find_move(&text)?)?;
    }
    println!("{}\n{position}\n", position.diagram());
    for played in position.legal_moves() {
        println!("{}", played.to_uci(position.castling_notation()));
    }
    Ok(())
}
