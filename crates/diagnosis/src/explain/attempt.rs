//! A move to explain, the plain board on which it is made, and chess terms as text: pieces, lines and sides.
//!
//! The board is that of the plain generator, which does not use the move generator of [`perft_core`].

use perft_core::internals::attacks::pawn;
use perft_core::{
    Bitboard, CastlingSide, Color, ColoredPiece, Move, MoveKind, Piece, Position, Rank, Square,
};

use crate::mutations::Board;

/// A move of a piece of the side to move, legal or not, and the facts about the position that the rules need.
pub(crate) struct Attempt<'a> {
    pub position: &'a Position,
    pub board: Board,
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Piece>,
    /// The piece on `from`.
    pub mover: ColoredPiece,
    pub us: Color,
    pub king: Square,
    pub checkers: Bitboard,
}

impl<'a> Attempt<'a> {
    /// Returns the attempt, or `None` if the side to move has no piece on the first square of the move.
    pub fn new(
        position: &'a Position,
        (from, to, promotion): (Square, Square, Option<Piece>),
    ) -> Option<Attempt<'a>> {
        let board = Board::new(position);
        let us = position.turn();
        let mover = board.at(from).filter(|piece| piece.color == us)?;
        let king = position.king(us);
        let checkers = board.right_attackers(king, !us);
        Some(Attempt { position, board, from, to, promotion, mover, us, king, checkers })
    }

    /// Whether a pawn moves one square diagonally ahead.
    pub fn is_pawn_capture(&self) -> bool {
        self.mover.piece == Piece::Pawn && pawn(self.us, self.from).contains(self.to)
    }

    /// Returns the square of the captured pawn if a pawn moves diagonally to the en passant square.
    pub fn captured_en_passant(&self) -> Option<Square> {
        let passed = self.position.en_passant().filter(|&passed| passed == self.to)?;
        if self.is_pawn_capture() { self.behind(passed) } else { None }
    }

    /// Returns the square behind another one, as seen by the side to move.
    pub fn behind(&self, square: Square) -> Option<Square> {
        (!self.us).forward().step(square)
    }

    /// Returns the enemy pieces that attack a square after the move, which must not be castling.
    pub fn attackers_after(&self, square: Square) -> Bitboard {
        let is_en_passant = self.captured_en_passant().is_some();
        let kind = if is_en_passant { MoveKind::EnPassant } else { MoveKind::King };
        let after = self.board.with_piece_moved(Move::new(kind, self.from, self.to));
        after.right_attackers(square, !self.us)
    }

    /// Returns the piece that pins the moving piece to its king.
    pub fn pinner(&self) -> Option<Square> {
        if self.mover.piece == Piece::King {
            return None;
        }
        let uncovered = self.board.without(self.from).right_attackers(self.king, !self.us);
        (uncovered & !self.checkers).first()
    }

    /// Returns a text such as `the knight on e4`, or only `e4` if the square is empty.
    pub fn piece_on(&self, square: Square) -> String {
        match self.board.at(square) {
            Some(piece) => format!("the {} on {square}", piece.piece),
            None => square.to_string(),
        }
    }

    /// Returns a text such as `the knight on c3 and the rook on e8`.
    pub fn pieces_on(&self, squares: Bitboard) -> String {
        joined(squares.into_iter().map(|square| self.piece_on(square)).collect())
    }

    /// Returns a text such as `the bishop on g4 attacks`.
    pub fn attack(&self, attackers: Bitboard) -> String {
        self.pieces_on(attackers) + if attackers.has_many() { " attack" } else { " attacks" }
    }

    /// Returns the moving piece with its square.
    pub fn mover(&self) -> String {
        self.piece_on(self.from)
    }
}

pub(super) const fn side(color: Color) -> &'static str {
    ["White", "Black"][color.index()]
}

pub(super) const fn castling_side(side: CastlingSide) -> &'static str {
    ["king-side", "queen-side"][side as usize]
}

pub(super) const fn rank(rank: Rank) -> &'static str {
    const NAMES: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
    NAMES[rank.index()]
}

/// Returns a text such as `a, b and c`.
pub(super) fn joined(mut words: Vec<String>) -> String {
    match words.pop() {
        None => String::new(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} and {last}", words.join(", ")),
    }
}

/// Returns the line through two squares. For a diagonal, the text has both squares: `the e-file`, `the diagonal from e1
/// to h4`.
pub(super) fn line(from: Square, to: Square) -> String {
    let name = line_name(from, to);
    if name == DIAGONAL { format!("{name} from {from} to {to}") } else { name }
}

const DIAGONAL: &str = "the diagonal";

/// Returns the line through two squares: `the e-file`, `the fifth rank`, `the diagonal`.
pub(super) fn line_name(from: Square, to: Square) -> String {
    if from.file() == to.file() {
        format!("the {}-file", from.file().letter())
    } else if from.rank() == to.rank() {
        format!("the {} rank", rank(from.rank()))
    } else {
        DIAGONAL.to_owned()
    }
}
