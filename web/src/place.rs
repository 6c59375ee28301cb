//! The place of a question: a position, and moves from there.

use perft_core::{CastlingNotation, FenError, Position};
use perft_diagnosis::{MovePath, explain};
use serde::Serialize;
use serde_json::{Value, json};

/// A position, and the moves that lead to it.
#[derive(Debug)]
pub struct Place {
    /// The root and the moves.
    pub path: MovePath,
    /// The notation of castling.
    pub notation: CastlingNotation,
}

/// The reason why a question has no answer.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fault {
    /// The FEN has faults.
    Fen {
        /// The FEN.
        text: String,
        /// The faults of the FEN, in the order of the text. Their places are counted in UTF-16 units, as in JavaScript.
        faults: Vec<Value>,
    },
    /// A move is not legal.
    Move {
        /// The index of the move in the list of moves.
        index: usize,
        /// The move.
        #[serde(rename = "move")]
        played: String,
        /// The reason why the move is not legal.
        message: String,
    },
    /// The question itself cannot be read.
    Request {
        /// The reason why it cannot be read.
        message: String,
    },
}

impl Place {
    /// Plays moves from a position. `chess960` asks for castling as "king takes rook", even if the position does not
    /// need it.
    ///
    /// # Errors
    /// Returns an error if the FEN has faults, or if a move is not legal.
    pub fn of(fen: &str, moves: &[String], chess960: bool) -> Result<Place, Fault> {
        let root = Position::from_fen(fen).map_err(|error| Fault::fen(&error))?;
        let mut path = MovePath::new(root);
        for (index, text) in moves.iter().enumerate() {
            let found = path.end.find_move(text).map_err(|_| Fault::Move {
                index,
                played: text.clone(),
                message: explain(&path.end, text).text,
            })?;
            path = path.played(found);
        }
        let notation = if chess960 { CastlingNotation::Chess960 } else { path.notation() };
        Ok(Place { path, notation })
    }

    /// Returns the FEN after the moves. It has an en passant square even if no capture on it is legal.
    pub fn fen(&self) -> String {
        self.path.end_setup().to_fen()
    }

    /// Returns the position after the moves.
    pub fn position(&self) -> &Position {
        &self.path.end
    }
}

impl Fault {
    /// Returns the fault of a question that cannot be read.
    pub fn request(error: impl ToString) -> Fault {
        Fault::Request { message: error.to_string() }
    }

    fn fen(error: &FenError) -> Fault {
        let units = |bytes: usize| error.fen[..bytes].encode_utf16().count();
        let faults = error.faults.iter().map(|fault| {
            json!({
                "start": units(fault.span.start),
                "end": units(fault.span.end),
                "message": fault.kind.to_string(),
                "help": fault.kind.help(),
            })
        });
        Fault::Fen { text: error.fen.clone(), faults: faults.collect() }
    }
}
