//! A move that somebody asks about, on the board where it should be played.

use super::board::Board;
use perft_core::Position;
use perft_core::internals::Direction;
use perft_core::{Bitboard, Color, ColoredPiece, Piece, Rank, Square};

/// A move as text has it: two squares, and what a pawn shall become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Piece>,
}

impl Asked {
    /// Reads a move, legal or not; `None` if the text is not one at all.
    pub fn parse(text: &str) -> Option<Asked> {
        let from = text.get(..2)?.parse().ok()?;
        let to = text.get(2..4)?.parse().ok()?;
        let mut letters = text.get(4..)?.chars();
        let promotion = match letters.next() {
            None => None,
            Some(letter) => Some(Piece::from_letter(letter)?),
        };
        letters.next().is_none().then_some(Asked { from, to, promotion })
    }
}

/// Everything that the rules ask about.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub position: &'a Position,
    pub board: Board,
    pub asked: Asked,
    /// The man that shall move, of the side to move.
    pub man: ColoredPiece,
    /// The king of the side to move.
    pub king: Square,
    /// What gives check to it.
    pub checkers: Bitboard,
}

impl<'a> Scene<'a> {
    /// The scene of a move; `None` if no man of the side to move stands where it starts.
    pub fn of(position: &'a Position, asked: Asked) -> Option<Scene<'a>> {
        let board = Board::of(position);
        let us = position.turn();
        let man = board.at(asked.from).filter(|man| man.color == us)?;
        let king = position.king(us);
        let checkers = board.attackers(king, !us);
        Some(Scene { position, board, asked, man, king, checkers })
    }

    /// The side to move.
    pub fn us(&self) -> Color {
        self.man.color
    }

    /// The way the pawns of the side to move go.
    pub fn forward(&self) -> Direction {
        self.us().forward()
    }

    /// True if a pawn shall go to its last rank.
    pub fn reaches_last_rank(&self) -> bool {
        self.man.piece == Piece::Pawn && self.asked.to.rank() == (!self.us()).back_rank()
    }

    /// True if a pawn shall leave its file.
    pub fn is_pawn_capture(&self) -> bool {
        self.man.piece == Piece::Pawn && self.asked.from.file() != self.asked.to.file()
    }

    /// The pawn that is taken en passant, if a pawn goes diagonally to the square that it has just passed.
    pub fn taken_en_passant(&self) -> Option<Square> {
        let passed = self.position.en_passant().filter(|&passed| passed == self.asked.to)?;
        if self.is_pawn_capture() { self.behind(passed) } else { None }
    }

    /// The square behind another, as the side to move sees it.
    pub fn behind(&self, square: Square) -> Option<Square> {
        (!self.us()).forward().step(square)
    }

    /// The board after the move, which is no castling.
    pub fn after(&self) -> Board {
        let moved = self.board.moved(self.asked.from, self.asked.to);
        match self.taken_en_passant() {
            Some(taken) => moved.without(taken),
            None => moved,
        }
    }

    /// What attacks the king once the man that shall move is gone, and did not before: the pinner.
    pub fn pinner(&self) -> Option<Square> {
        if self.man.piece == Piece::King {
            return None;
        }
        let uncovered = self.board.without(self.asked.from).attackers(self.king, !self.us());
        (uncovered & !self.checkers).first()
    }
}

/// The rank from which the pawns of a colour may step twice.
pub(super) const fn pawn_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Second,
        Color::Black => Rank::Seventh,
    }
}
