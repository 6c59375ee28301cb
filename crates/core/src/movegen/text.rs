//! Moves from user input: moves in text form, and moves that may be illegal.

use super::AlgebraicMove;
use crate::position::Position;
use crate::types::{CastlingNotation, Move, MoveList};

/// The error of a move that is not legal in its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a legal move in {fen}")]
pub struct IllegalMove {
    /// The move, in text form.
    pub text: String,
    /// The FEN of the position.
    pub fen: String,
    /// The legal moves of the position, in text form.
    pub legal: Vec<String>,
}

impl IllegalMove {
    fn new(text: String, position: &Position, moves: &MoveList) -> IllegalMove {
        let notation = position.castling_notation();
        let legal = moves.iter().map(|legal| legal.to_uci(notation)).collect();
        IllegalMove { text, fen: position.to_string(), legal }
    }
}

/// Returns the move that a text in standard algebraic notation means, or `None` if it can mean several.
pub(super) fn only_meaning(position: &Position, moves: &MoveList, text: &str) -> Option<Move> {
    let written = AlgebraicMove::parse(text)?;
    let mut meant = moves.iter().copied().filter(|&played| written.can_mean(position, played));
    meant.next().filter(|_| meant.next().is_none())
}

impl Position {
    /// Returns the legal move that a text means. The text is in the notation of UCI (`g1f3`, `e7e8q`) or in standard
    /// algebraic notation (`Nf3`, `e8=Q`, `O-O`).
    ///
    /// In UCI notation, castling may be written in either [`CastlingNotation`]. Text such as `f1g1` can mean a king move
    /// or castling. It means the king move if that is legal.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K -".parse().unwrap();
    /// assert_eq!(position.find_move("e1g1"), position.find_move("e1h1"));
    /// assert_eq!(position.find_move("e1g1"), position.find_move("O-O"));
    /// assert!(position.find_move("e1c1").unwrap_err().legal.contains(&"e1g1".to_owned()));
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a legal move of the position, or if it can mean several of them.
    pub fn find_move(&self, text: &str) -> Result<Move, IllegalMove> {
        let moves = self.legal_moves();
        let find = |notation| moves.iter().copied().find(|found| found.to_uci(notation) == text);
        find(CastlingNotation::Chess960)
            .or_else(|| find(CastlingNotation::Standard))
            .or_else(|| only_meaning(self, &moves, text))
            .ok_or_else(|| IllegalMove::new(text.to_owned(), self, &moves))
    }

    /// Returns the position after a move, if the move is legal.
    ///
    /// The kind of the move must be right as well. For example, a double step of a pawn must be a
    /// [`MoveKind::DoublePush`](crate::MoveKind::DoublePush).
    ///
    /// # Examples
    /// ```
    /// use perft_core::{Move, MoveKind, Position, Square};
    /// let start = Position::start();
    /// let after = start.try_play(Move::new(MoveKind::Knight, Square::G1, Square::F3))?;
    /// assert_eq!(after.to_string(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 0 1");
    ///
    /// let error = start.try_play(Move::new(MoveKind::Knight, Square::G1, Square::E2)).unwrap_err();
    /// assert_eq!(error.text, "g1e2");
    /// # Ok::<(), perft_core::IllegalMove>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the move is not one of the [`legal_moves`](Position::legal_moves) of the position.
    pub fn try_play(&self, played: Move) -> Result<Position, IllegalMove> {
        let moves = self.legal_moves();
        if moves.contains(&played) {
            Ok(self.play_unchecked(played))
        } else {
            Err(IllegalMove::new(played.to_uci(self.castling_notation()), self, &moves))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn a_king_move_is_preferred_to_castling_with_the_same_text() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 1").unwrap();
        assert_eq!(position.find_move("f1g1").map(Move::kind), Ok(MoveKind::Castling));
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        assert_eq!(position.find_move("f1g1").map(Move::kind), Ok(MoveKind::King));
        assert_eq!(position.find_move("f1h1").map(Move::kind), Ok(MoveKind::Castling));
    }

    #[test]
    fn only_legal_moves_are_played() {
        let start = Position::start();
        for played in start.legal_moves() {
            assert_eq!(start.try_play(played), Ok(start.play_unchecked(played)));
        }
        let wrong_kind = Move::new(MoveKind::Pawn, Square::E2, Square::E4);
        let error = start.try_play(wrong_kind).unwrap_err();
        assert_eq!(error.legal.len(), 20);
        assert_eq!(
            error.to_string(),
            "'e2e4' is not a legal move in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
    }
}
