//! A move to explain, and the board on which it would be played.

use perft_core::internals::Direction;
use perft_core::{Bitboard, Color, ColoredPiece, Piece, Position, Rank, Square};

use super::board::Board;

/// Parses a move, legal or not: two squares, and the piece that a pawn promotes to. Returns `None` if the text is not a
/// move.
pub(super) fn parse(text: &str) -> Option<(Square, Square, Option<Piece>)> {
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let mut letters = text.get(4..)?.chars();
    let promotion = match letters.next() {
        None => None,
        Some(letter) => Some(Piece::from_letter(letter)?),
    };
    letters.next().is_none().then_some((from, to, promotion))
}

/// A move of a piece of the side to move, legal or not, and the facts about the position that the rules need.
#[derive(Debug)]
pub(super) struct Attempt<'a> {
    pub position: &'a Position,
    pub board: Board,
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Piece>,
    /// The piece on `from`.
    pub mover: ColoredPiece,
    /// The king of the side to move.
    pub king: Square,
    /// The pieces that give check to this king.
    pub checkers: Bitboard,
}

impl<'a> Attempt<'a> {
    /// Returns the attempt, or `None` if the side to move has no piece on the first square of the move.
    pub fn of(
        position: &'a Position,
        (from, to, promotion): (Square, Square, Option<Piece>),
    ) -> Option<Attempt<'a>> {
        let board = Board::of(position);
        let us = position.turn();
        let mover = board.at(from).filter(|piece| piece.color == us)?;
        let king = position.king(us);
        let checkers = board.attackers(king, !us);
        Some(Attempt { position, board, from, to, promotion, mover, king, checkers })
    }

    /// Returns the side to move.
    pub fn us(&self) -> Color {
        self.mover.color
    }

    /// Returns the direction in which the pawns of the side to move move.
    pub fn forward(&self) -> Direction {
        self.us().forward()
    }

    /// Whether a pawn moves to its last rank.
    pub fn reaches_last_rank(&self) -> bool {
        self.mover.piece == Piece::Pawn && self.to.rank() == (!self.us()).back_rank()
    }

    /// Whether a pawn leaves its file.
    pub fn is_pawn_capture(&self) -> bool {
        self.mover.piece == Piece::Pawn && self.from.file() != self.to.file()
    }

    /// Returns the square of the captured pawn if a pawn moves diagonally to the en passant square.
    pub fn captured_en_passant(&self) -> Option<Square> {
        let passed = self.position.en_passant().filter(|&passed| passed == self.to)?;
        if self.is_pawn_capture() { self.behind(passed) } else { None }
    }

    /// Returns the square behind another one, as seen by the side to move.
    pub fn behind(&self, square: Square) -> Option<Square> {
        (!self.us()).forward().step(square)
    }

    /// Returns the board after the move, which must not be castling.
    pub fn after(&self) -> Board {
        let moved = self.board.moved(self.from, self.to);
        match self.captured_en_passant() {
            Some(captured) => moved.without(captured),
            None => moved,
        }
    }

    /// Returns the piece that pins the moving piece to its king.
    pub fn pinner(&self) -> Option<Square> {
        if self.mover.piece == Piece::King {
            return None;
        }
        let uncovered = self.board.without(self.from).attackers(self.king, !self.us());
        (uncovered & !self.checkers).first()
    }
}

/// Returns the rank from which the pawns of a colour may make a double step.
pub(super) const fn pawn_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Second,
        Color::Black => Rank::Seventh,
    }
}
