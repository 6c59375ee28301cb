//! A UCI engine with a bug: it castles out of check. It is `my-engine` in the examples of the README and the book.
//!
//! ```console
//! $ cargo build --release --example my-engine
//! $ perft hunt target/release/examples/my-engine
//! ```
//!
//! [`serve`] makes an engine of any move generator. Replace `MutatedBoard` with your own generator.

use std::io::{self, BufReader};

use perft_core::{CastlingNotation, Position, START_FEN};
use perft_diagnosis::mutations::{MutatedBoard, Mutation};
use perft_diagnosis::serve::{DivideTask, UciEngine, serve};

/// The bug. Try another one: `perft diagnose --list` describes all of them.
const BUG: Mutation = Mutation::CastlingOutOfCheck;

fn main() -> io::Result<()> {
    let position = Position::start();
    let board = MutatedBoard::new(&position, BUG.into());
    let mut engine = MyEngine { position, board, notation: CastlingNotation::Standard };
    serve(&mut engine, BufReader::new(io::stdin()), &mut io::stdout())
}

/// A generator with a bug, and the position that the client has set.
struct MyEngine {
    position: Position,
    board: MutatedBoard,
    notation: CastlingNotation,
}

impl UciEngine for MyEngine {
    fn name(&self) -> String {
        "My engine 0.1".to_owned()
    }

    fn author(&self) -> String {
        "the perft authors".to_owned()
    }

    fn options(&self) -> Vec<String> {
        vec!["UCI_Chess960 type check default false".to_owned()]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name != "UCI_Chess960" {
            return Err(format!("there is no option '{name}'"));
        }
        self.notation = if value == "true" { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        Ok(())
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String> {
        self.position = Position::from_fen(fen.unwrap_or(START_FEN)).map_err(|error| error.to_string())?;
        self.board = MutatedBoard::new(&self.position, BUG.into());
        for text in moves {
            let played = self.position.find_move(text).map_err(|error| error.to_string())?;
            self.board.play(played);
            self.position = self.position.play_legal(played);
        }
        Ok(())
    }

    fn divide(&self, depth: u32) -> DivideTask {
        let (mut board, notation) = (self.board, self.notation);
        Box::new(move |_| {
            let mut moves = Vec::new();
            if let Some(below) = depth.checked_sub(1) {
                board.each_child(|played, child| {
                    moves.push((played.to_uci(notation), child.count(below).into()));
                });
            }
            Ok(moves)
        })
    }

    fn diagram(&self) -> String {
        self.position.diagram()
    }
}
