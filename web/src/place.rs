//! The position that a question is about.

use perft_core::{CastlingNotation, ColoredPiece, FenError, Position, Setup, Square};
use perft_diagnosis::{MovePath, explain};
use serde_json::{Value, json};

/// The largest number of moves of a link to the page. More would keep the worker busy.
const MOST_MOVES: usize = 1_000;

/// A position, and the moves that lead to it.
#[derive(Debug)]
pub struct Place {
    /// The root and the moves.
    pub path: MovePath,
    /// The notation of castling.
    pub notation: CastlingNotation,
}

/// The reason why a question has no answer, as JSON. Its `kind` is one of these:
///
/// - `fen`: the FEN `text` has `faults`, whose places are counted in UTF-16 code units, as in JavaScript, and `pieces` if it
///   can be read
/// - `move`: the move `move` with the index `index` in the list is not legal
/// - `request`: the question itself cannot be read
#[derive(Debug)]
pub struct Fault(pub Value);

impl Place {
    /// Plays moves from a position. `chess960` asks for castling as "king takes rook", even if the position does not
    /// need it.
    ///
    /// # Errors
    /// Returns an error if the FEN has faults, if a move is not legal, or if there are too many moves.
    pub fn of(fen: &str, moves: &[String], chess960: bool) -> Result<Place, Fault> {
        if moves.len() > MOST_MOVES {
            return Err(Fault::request(format!("a line has at most {MOST_MOVES} moves")));
        }
        let root = Position::from_fen(fen).map_err(|error| Fault::fen(&error))?;
        let mut path = MovePath::new(root);
        for (index, text) in moves.iter().enumerate() {
            let found = path.end.find_move(text).map_err(|_| {
                let message = explain(&path.end, text).text;
                Fault(json!({ "kind": "move", "index": index, "move": text, "message": message }))
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

/// Returns the letters of the pieces by square.
pub fn pieces(on: impl Fn(Square) -> Option<ColoredPiece>) -> Value {
    let letter = |square: Square| Some((square.to_string(), on(square)?.letter().to_string()));
    Square::ALL.into_iter().filter_map(letter).collect()
}

impl Fault {
    /// Returns the fault of a question that cannot be read.
    pub fn request(error: impl ToString) -> Fault {
        Fault(json!({ "kind": "request", "message": error.to_string() }))
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
        let faults: Vec<Value> = faults.collect();
        let setup = Setup::from_fen(&error.fen).ok();
        let pieces = setup.map(|setup| pieces(|square| setup.board[square.index()]));
        Fault(json!({ "kind": "fen", "text": error.fen, "faults": faults, "pieces": pieces }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_an_end() {
        let start = Position::start().to_string();
        let moves =
            |times: usize| ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(times).into_iter().map(str::to_owned);
        assert!(Place::of(&start, &moves(250).collect::<Vec<_>>(), false).is_ok());
        let Fault(fault) = Place::of(&start, &moves(2_500).collect::<Vec<_>>(), false).unwrap_err();
        assert_eq!(fault["message"], "a line has at most 1000 moves");
    }
}
