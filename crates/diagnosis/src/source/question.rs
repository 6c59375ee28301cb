//! What is asked of a program.

use perft_core::CastlingNotation;
use perft_core::{Position, Setup};

/// The counts below a position, to a depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position from which moves are played.
    pub fen: String,
    /// The moves, in UCI, as the notation has castling.
    pub moves: Vec<String>,
    /// The depth in plies.
    pub depth: u32,
    /// True if castling is written as Chess960 has it, king takes rook.
    pub is_chess960: bool,
}

impl Question {
    /// About a position, in the notation that it needs. The en passant square is told even if no capture on it is legal:
    /// whether the program sees that is part of the question.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Question;
    /// let question = Question::new(&Position::start(), 5);
    /// assert!(question.fen.starts_with("rnbqkbnr/") && !question.is_chess960);
    /// let pinned = Position::from_fen("8/8/8/K2Pp2r/8/8/8/6k1 w - e6 0 1").unwrap();
    /// assert!(Question::new(&pinned, 1).fen.contains(" e6 "));
    /// ```
    pub fn new(position: &Position, depth: u32) -> Question {
        Question {
            fen: Setup { en_passant: position.en_passant(), ..Setup::from(position) }.to_fen(),
            moves: Vec::new(),
            depth,
            is_chess960: position.castling_notation() == CastlingNotation::Chess960,
        }
    }

    /// About a position as a text has it, so that the program's own reading of it is put to the test too. Clocks, which some
    /// programs need, are added if there are none.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Question;
    /// let fen = "4k3/8/8/8/4P3/8/8/4K3 b - e3";
    /// let question = Question::with_fen(fen, &Position::from_fen(fen).unwrap(), 5);
    /// assert_eq!(question.fen, "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
    /// ```
    pub fn with_fen(fen: &str, position: &Position, depth: u32) -> Question {
        let mut fields: Vec<&str> = fen.split_whitespace().collect();
        if fields.len() == 4 {
            fields.extend(["0", "1"]);
        }
        Question { fen: fields.join(" "), ..Question::new(position, depth) }
    }
}
