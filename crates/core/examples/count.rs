//! Counts leaf nodes: `cargo run --example count -- "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" 6`

use std::error::Error;

use perft_core::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let position: Position = arguments.next().map_or(Ok(Position::start()), |fen| fen.parse())?;
    let depth = arguments.next().map_or(Ok(5), |text| text.parse())?;
    println!("perft({depth}) = {}", position.perft(depth));
    Ok(())
}
