//! A plain board for explanations: pieces on squares, moves made one square at a time, and attackers.
//!
//! It is slow and independent of the move generator, so it can check the moves of the generator.

use perft_core::internals::attacks::{king, knight, pawn};
use perft_core::internals::sliders::{Sliders, Walk};
use perft_core::{Bitboard, Color, ColoredPiece, Piece, Position, Square};

/// The piece on each square.
#[derive(Clone, Debug)]
pub(super) struct Board([Option<ColoredPiece>; 64]);

impl Board {
    /// Returns the board of a position.
    pub fn of(position: &Position) -> Board {
        Board(Square::ALL.map(|square| position.piece_at(square)))
    }

    /// Returns the piece on a square.
    pub fn at(&self, square: Square) -> Option<ColoredPiece> {
        self.0[square.index()]
    }

    /// Whether a piece of this colour is on a square.
    pub fn has_color(&self, color: Color, square: Square) -> bool {
        self.at(square).is_some_and(|piece| piece.color == color)
    }

    /// Whether this piece of this colour is on a square.
    pub fn has_piece(&self, color: Color, piece: Piece, square: Square) -> bool {
        self.at(square) == Some(ColoredPiece { color, piece })
    }

    /// Returns the occupied squares.
    pub fn occupied(&self) -> Bitboard {
        Square::ALL.into_iter().filter(|&square| self.at(square).is_some()).collect()
    }

    /// Returns the board without the piece on a square.
    pub fn without(&self, square: Square) -> Board {
        let mut board = self.clone();
        board.0[square.index()] = None;
        board
    }

    /// Returns the board after the piece on `from` moved to `to`.
    pub fn moved(&self, from: Square, to: Square) -> Board {
        let mut board = self.without(from);
        board.0[to.index()] = self.at(from);
        board
    }

    /// Returns the board after castling. `king` and `rook` are pairs of a start and a target square. Both pieces leave
    /// their squares before either arrives, because in Chess960 one may move to the other's square.
    pub fn castled(&self, king: [Square; 2], rook: [Square; 2]) -> Board {
        let mut board = self.without(king[0]).without(rook[0]);
        board.0[king[1].index()] = self.at(king[0]);
        board.0[rook[1].index()] = self.at(rook[0]);
        board
    }

    /// Returns the squares of the pieces of a colour that attack a square.
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let occupied = self.occupied();
        let attacks_it = |from: Square| {
            let piece = self.at(from).filter(|piece| piece.color == by);
            piece.is_some_and(|piece| attacks(piece, from, occupied).contains(square))
        };
        occupied.into_iter().filter(|&from| attacks_it(from)).collect()
    }
}

/// Returns the squares that a piece attacks.
pub(super) fn attacks(piece: ColoredPiece, from: Square, occupied: Bitboard) -> Bitboard {
    match piece.piece {
        Piece::Pawn => pawn(piece.color, from),
        Piece::Knight => knight(from),
        Piece::Bishop => Walk.bishop(from, occupied),
        Piece::Rook => Walk.rook(from, occupied),
        Piece::Queen => Walk.bishop(from, occupied) | Walk.rook(from, occupied),
        Piece::King => king(from),
    }
}
