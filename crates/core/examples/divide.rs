//! Counts the leaf nodes below each move of Kiwipete, as Stockfish prints them: `cargo run --example divide -- 3`

use std::error::Error;

use perft_core::{CastlingNotation, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(3), |text| text.parse())?;
    let kiwipete: Position =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse()?;
    let counts = kiwipete.divide(depth);
    for root_move in &counts {
        println!("{}: {}", root_move.played.to_uci(CastlingNotation::Standard), root_move.nodes);
    }
    println!("\nNodes searched: {}", counts.iter().map(|root_move| root_move.nodes).sum::<u128>());
    Ok(())
}
