//! Answers perft questions with shakmaty. See README.md in the folder above.
//!
//!     cargo build --release
//!     perft hunt --engine target/release/shakmaty --dialect lines

use std::error::Error;
use std::io::stdin;

// To test your own generator, change this line and the lines marked with "<-".
use shakmaty::{fen::Fen, uci::UciMove, CastlingMode, Chess, Position, PositionError};

fn perft(position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let below = position.legal_moves().into_iter().map(|played| {
        let mut child = position.clone();
        child.play_unchecked(played); // <- make a move
        perft(&child, depth - 1)
    });
    below.sum()
}

fn divide(depth: u32, fen: &str, moves: &[&str]) -> Result<String, Box<dyn Error>> {
    // The castling mode Chess960 includes standard chess.
    let mut position: Chess = fen
        .parse::<Fen>()?
        .into_position(CastlingMode::Chess960) // <- set up a position
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)?;
    for text in moves {
        let played = text.parse::<UciMove>()?.to_move(&position)?; // <- read a move in UCI notation
        position.play_unchecked(played);
    }
    let (mut answer, mut total) = (String::new(), 0);
    for played in position.legal_moves().into_iter().filter(|_| depth > 0) {
        let mut child = position.clone();
        child.play_unchecked(played);
        let nodes = perft(&child, depth - 1);
        let name = UciMove::from_move(played, CastlingMode::Chess960); // <- print a move in UCI notation
        answer += &format!("{name} {nodes}\n");
        total += nodes;
    }
    Ok(format!("{answer}\n{}", if depth > 0 { total } else { 1 }))
}

fn main() {
    for line in stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.as_slice() {
            [depth, fen @ ..] if fen.len() >= 6 => {
                let (fen, moves) = fen.split_at(6);
                divide(depth.parse().unwrap_or(1), &fen.join(" "), moves.get(1..).unwrap_or_default())
            }
            _ => Err("expected DEPTH FEN [moves MOVE...]".into()),
        };
        // `println!` flushes each line.
        println!("{}", answer.unwrap_or_else(|error| format!("error {error}")));
    }
}
