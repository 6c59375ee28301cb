//! Answers perft questions with the crate chess. See README.md in the folder above.
//!
//!     cargo build --release
//!     perft hunt --engine target/release/chess --dialect lines

use std::io::stdin;

// To test your own generator, change this line and the lines marked with "<-".
use chess::{Board, ChessMove, MoveGen};

fn perft(position: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let legal = MoveGen::new_legal(position); // <- the legal moves of a position
    legal.map(|played| perft(&position.make_move_new(played), depth - 1)).sum() // <- make a move
}

fn divide(depth: u32, fen: &str, moves: &[&str]) -> Result<String, String> {
    let mut position: Board = fen.parse().map_err(|error| format!("{error}"))?; // <- set up a position
    for text in moves {
        let played: ChessMove = text.parse().map_err(|error| format!("{error}"))?; // <- read a move in UCI notation
        position = position.make_move_new(played);
    }
    let (mut answer, mut total) = (String::new(), 0);
    for played in MoveGen::new_legal(&position).filter(|_| depth > 0) {
        let nodes = perft(&position.make_move_new(played), depth - 1);
        answer += &format!("{played} {nodes}\n"); // <- print a move in UCI notation
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
            _ => Err("expected DEPTH FEN [moves MOVE...]".to_string()),
        };
        // `println!` flushes each line.
        println!("{}", answer.unwrap_or_else(|error| format!("error {error}")));
    }
}
