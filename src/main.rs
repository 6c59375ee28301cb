//! The program `perft`.

fn main() {
    println!("perft(5) of the start position: {}", perft::perft::perft(&perft::chess::position::Position::start(), 5));
}
