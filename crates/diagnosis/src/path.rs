//! A position together with the moves that lead to it.

use perft_core::{CastlingNotation, Move, Position, Setup, legal_moves};

use crate::random::setup_of;
use crate::source::Question;

/// A root position, the moves played from it, and the position at their end.
///
/// A source is asked about the end by way of the moves, so that a bug in making moves shows.
///
/// # Examples
/// ```
/// use perft_core::{Position, find_move};
/// use perft_diagnosis::MovePath;
///
/// let root = MovePath::new(Position::start());
/// let path = root.played(find_move(&root.end, "e2e4").unwrap());
/// assert_eq!(path.uci_moves(), ["e2e4"]);
/// assert_eq!(path.without_moves(), MovePath::new(path.end));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovePath {
    /// The position before the first move.
    pub root: Position,
    /// The moves.
    pub moves: Vec<Move>,
    /// The position after the last move.
    pub end: Position,
}

impl MovePath {
    /// Returns a path without moves.
    pub fn new(root: Position) -> MovePath {
        MovePath { root, moves: Vec::new(), end: root }
    }

    /// Returns the path with one more move, which must be legal.
    pub fn played(&self, played: Move) -> MovePath {
        let mut path = self.clone();
        path.moves.push(played);
        path.end = path.end.play_unchecked(played);
        path
    }

    /// Returns the path without moves to the same end.
    pub fn without_moves(&self) -> MovePath {
        MovePath::new(self.end)
    }

    /// Returns the path to the same end that starts `count` moves later.
    ///
    /// # Panics
    /// Panics if the path has fewer moves.
    pub fn without_first(&self, count: usize) -> MovePath {
        let (skipped, moves) = self.moves.split_at(count);
        let root = skipped.iter().fold(self.root, |position, &played| position.play_unchecked(played));
        MovePath { root, moves: moves.to_vec(), end: self.end }
    }

    /// Returns the same moves played from another root, or `None` if they are not legal there.
    pub fn replayed_from(&self, root: &Position) -> Option<MovePath> {
        let mut path = MovePath::new(*root);
        for &played in &self.moves {
            if !legal_moves(&path.end).contains(&played) {
                return None;
            }
            path = path.played(played);
        }
        Some(path)
    }

    /// Returns the castling notation that the root needs. All moves of the path are written in it.
    pub fn notation(&self) -> CastlingNotation {
        self.root.castling_notation()
    }

    /// Returns the moves in UCI notation.
    pub fn uci_moves(&self) -> Vec<String> {
        self.moves.iter().map(|played| played.to_uci(self.notation())).collect()
    }

    /// Returns the setup of the end, with its en passant square even if no capture on it is legal.
    pub fn end_setup(&self) -> Setup {
        setup_of(&self.end)
    }

    /// Returns the question about the end that gives the root as a FEN and then the moves.
    pub fn question(&self, depth: u32) -> Question {
        Question { moves: self.uci_moves(), ..Question::new(&self.root, depth) }
    }
}
