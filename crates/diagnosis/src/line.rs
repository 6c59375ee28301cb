//! A position with the moves that led there.

use super::random::setup_of;
use crate::source::Question;
use perft_core::legal_moves;
use perft_core::{CastlingNotation, Move};
use perft_core::{Position, Setup};

/// A position, and where and how a game came to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovePath {
    /// Where the game began.
    pub root: Position,
    /// The moves from there.
    pub moves: Vec<Move>,
    /// The position after them.
    pub end: Position,
}

impl MovePath {
    /// A position without a past.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::MovePath;
    /// use perft_core::find_move;
    /// let line = MovePath::new(Position::start());
    /// let line = line.played(find_move(&line.end, "e2e4").unwrap());
    /// assert_eq!(line.uci_moves(), ["e2e4"]);
    /// assert_eq!(line.without_moves().moves, []);
    /// ```
    pub fn new(root: Position) -> MovePath {
        MovePath { root, moves: Vec::new(), end: root }
    }

    /// After one more move, which must be legal.
    pub fn played(&self, played: Move) -> MovePath {
        let mut line = self.clone();
        line.moves.push(played);
        line.end = line.end.play_unchecked(played);
        line
    }

    /// The same position without its past.
    pub fn without_moves(&self) -> MovePath {
        MovePath::new(self.end)
    }

    /// The same line, begun so many moves later.
    pub fn without_first(&self, skipped: usize) -> MovePath {
        let root =
            self.moves[..skipped].iter().fold(self.root, |position, &played| position.play_unchecked(played));
        MovePath { root, moves: self.moves[skipped..].to_vec(), end: self.end }
    }

    /// The same moves from another position, if they are legal there.
    pub fn replayed_from(&self, root: &Position) -> Option<MovePath> {
        let mut line = MovePath::new(*root);
        for &played in &self.moves {
            if !legal_moves(&line.end).contains(&played) {
                return None;
            }
            line = line.played(played);
        }
        Some(line)
    }

    /// How castling is written in this line: as its first position needs it.
    pub fn notation(&self) -> CastlingNotation {
        self.root.castling_notation()
    }

    /// The moves in UCI.
    pub fn uci_moves(&self) -> Vec<String> {
        self.moves.iter().map(|played| played.to_uci(self.notation())).collect()
    }

    /// The position after the moves as a setup, with an en passant square even where no capture on it is legal.
    pub fn end_setup(&self) -> Setup {
        setup_of(&self.end)
    }

    /// The counts below the position, asked for by way of the moves.
    pub fn question(&self, depth: u32) -> Question {
        Question {
            fen: setup_of(&self.root).to_fen(),
            moves: self.uci_moves(),
            depth,
            is_chess960: self.notation() == CastlingNotation::Chess960,
        }
    }
}
