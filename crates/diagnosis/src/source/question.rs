//! A question to a source.

use std::fmt::Display;

use perft_core::{CastlingNotation, FenError, Position, Setup};

use super::SourceError;
use crate::path::MovePath;
use crate::random::setup_of;

/// A question for the leaf nodes below each move of a position, at a depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position from which the moves are played.
    pub fen: String,
    /// The moves to play first, in UCI notation.
    pub moves: Vec<String>,
    /// The depth in plies, counted from the position after the moves.
    pub depth: u32,
    /// Whether castling is written as in Chess960: the king takes its own rook.
    pub is_chess960: bool,
}

impl Question {
    /// Returns a question about a position, with the castling notation that the position needs.
    ///
    /// The FEN has an en passant square even if no capture on it is legal. Handling this is a part of the test.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Question;
    ///
    /// let question = Question::new(&Position::start(), 5);
    /// assert!(question.fen.starts_with("rnbqkbnr/") && !question.is_chess960);
    /// let pinned = Position::from_fen("8/8/8/K2Pp2r/8/8/8/6k1 w - e6 0 1").unwrap();
    /// assert!(Question::new(&pinned, 1).fen.contains(" e6 "));
    /// ```
    pub fn new(position: &Position, depth: u32) -> Question {
        Question {
            fen: setup_of(position).to_fen(),
            moves: Vec::new(),
            depth,
            is_chess960: position.castling_notation() == CastlingNotation::Chess960,
        }
    }

    /// Returns a question that keeps the given text of a FEN, so that the FEN parser of the source is tested too.
    ///
    /// A FEN of four fields gets the move counters that some engines need. Castling rights of standard chess are
    /// written as K and Q, because a program that does not know Chess960 does not know other letters.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Question;
    ///
    /// let fen = "4k3/8/8/8/4P3/8/8/4K3 b - e3";
    /// let question = Question::with_fen(fen, &Position::from_fen(fen).unwrap(), 5);
    /// assert_eq!(question.fen, "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
    ///
    /// let fen = "r3k2r/8/8/8/8/8/8/4K3 b ha - 0 1";
    /// let question = Question::with_fen(fen, &Position::from_fen(fen).unwrap(), 1);
    /// assert_eq!(question.fen, "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1");
    /// ```
    pub fn with_fen(fen: &str, position: &Position, depth: u32) -> Question {
        let mut fields: Vec<&str> = fen.split_whitespace().collect();
        if fields.len() == 4 {
            fields.extend(["0", "1"]);
        }
        let question = Question::new(position, depth);
        if let (Some(rights), false) = (fields.get_mut(2), question.is_chess960) {
            *rights = question.fen.split(' ').nth(2).unwrap_or("-");
        }
        Question { fen: fields.join(" "), ..question }
    }

    /// Returns the position after the moves, as this library plays them. A source that tests your code plays them
    /// itself.
    ///
    /// # Errors
    /// Returns an error if the FEN or a move is not legal. It may be that of a chess variant.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Question;
    ///
    /// let moves = vec!["e2e4".to_owned(), "c7c5".to_owned()];
    /// let question = Question { moves, ..Question::new(&Position::start(), 1) };
    /// let end = question.end().unwrap().to_string();
    /// assert_eq!(end, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    /// ```
    pub fn end(&self) -> Result<Position, SourceError> {
        let cannot_count = |reason: &dyn Display| SourceError::CannotCount(reason.to_string());
        let root = Position::from_fen(&self.fen).map_err(|error| cannot_count(&error))?;
        self.moves.iter().try_fold(root, |position, text| {
            let played = position.find_move(text).map_err(|error| cannot_count(&error))?;
            Ok(position.play_unchecked(played))
        })
    }

    /// Returns the FEN of the position after the moves, with its clocks.
    ///
    /// # Errors
    /// Returns an error if the FEN or a move is not legal.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Question;
    ///
    /// let moves = vec!["g1f3".to_owned()];
    /// let question = Question { moves, ..Question::new(&Position::start(), 1) };
    /// assert_eq!(question.end_fen().unwrap(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
    /// ```
    pub fn end_fen(&self) -> Result<String, SourceError> {
        if self.moves.is_empty() {
            return Ok(self.fen.clone());
        }
        let cannot_count = |reason: &dyn Display| SourceError::CannotCount(reason.to_string());
        let setup: Setup = self.fen.parse().map_err(|error: FenError| cannot_count(&error))?;
        let root = MovePath::of_setup(&setup).ok_or_else(|| cannot_count(&"the FEN is not legal"))?;
        let path = self.moves.iter().try_fold(root, |path, text| {
            Ok(path.played(path.end.find_move(text).map_err(|error| cannot_count(&error))?))
        })?;
        Ok(path.end_setup().to_fen())
    }

    /// Returns the question about the position after one more move, one ply less deep. The move is a text, so it may be
    /// a move of a chess variant.
    pub(crate) fn after(&self, played: &str) -> Question {
        let mut question = Question { depth: self.depth - 1, ..self.clone() };
        question.moves.push(played.to_owned());
        question
    }
}
