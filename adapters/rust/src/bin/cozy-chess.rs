//! Answers perft questions with cozy-chess. See README.md in the folder above.
//!
//!     cargo build --release
//!     perft hunt --engine target/release/cozy-chess --dialect lines

use std::io::stdin;

// To test your own generator, change this line and the lines marked with "<-".
use cozy_chess::{Board, File, Move};

fn perft(position: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    legal_moves(position).into_iter().map(|played| perft(&after(position, played), depth - 1)).sum()
}

fn legal_moves(position: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    position.generate_moves(|of_piece| {
        moves.extend(of_piece); // <- the legal moves of a position
        false
    });
    moves
}

fn after(position: &Board, played: Move) -> Board {
    let mut child = position.clone();
    child.play_unchecked(played); // <- make a move
    child
}

/// Returns a move in UCI notation. The crate writes castling as "king takes rook"; so does Chess960.
fn name(position: &Board, played: Move) -> String {
    let is_castling = position.color_on(played.to) == Some(position.side_to_move());
    match (is_castling && played.from.file() == File::E, played.to.file()) {
        (true, File::A) => format!("{}c{}", played.from, played.to.rank()),
        (true, File::H) => format!("{}g{}", played.from, played.to.rank()),
        _ => played.to_string(),
    }
}

fn divide(depth: u32, fen: &str, moves: &[&str]) -> Result<String, String> {
    let mut position: Board = fen.parse().map_err(|error| format!("{error}"))?; // <- set up a position; Chess960 needs a Shredder-FEN
    for text in moves {
        let is_wanted =
            |played: &Move| [played.to_string(), name(&position, *played)].contains(&text.to_string());
        let played = legal_moves(&position).into_iter().find(is_wanted);
        position = after(&position, played.ok_or_else(|| format!("{text} is not a legal move"))?);
    }
    let (mut answer, mut total) = (String::new(), 0);
    for played in legal_moves(&position).into_iter().filter(|_| depth > 0) {
        let nodes = perft(&after(&position, played), depth - 1);
        answer += &format!("{} {nodes}\n", name(&position, played));
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
