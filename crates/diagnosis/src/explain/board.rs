//! The board as a player sees it: men on squares, moved by hand, and who attacks what.
//!
//! Slow and plain, and independent of the generator, whose work is explained here.

use perft_core::Position;
use perft_core::internals::attacks::{king, knight, pawn};
use perft_core::internals::sliders::{Sliders, Walk};
use perft_core::{Bitboard, Color, ColoredPiece, Piece, Square};

/// What stands on each square.
#[derive(Clone, Debug)]
pub(super) struct Board([Option<ColoredPiece>; 64]);

impl Board {
    /// The men of a position.
    pub fn of(position: &Position) -> Board {
        Board(Square::ALL.map(|square| position.piece_at(square)))
    }

    /// What stands on a square.
    pub fn at(&self, square: Square) -> Option<ColoredPiece> {
        self.0[square.index()]
    }

    /// True if a man of this colour stands there.
    pub fn has(&self, color: Color, square: Square) -> bool {
        self.at(square).is_some_and(|man| man.color == color)
    }

    /// True if this very man stands there.
    pub fn has_piece(&self, color: Color, piece: Piece, square: Square) -> bool {
        self.at(square) == Some(ColoredPiece { color, piece })
    }

    /// All squares with a man.
    pub fn occupied(&self) -> Bitboard {
        Square::ALL.into_iter().filter(|&square| self.at(square).is_some()).collect()
    }

    /// The board without the man on a square.
    pub fn without(&self, square: Square) -> Board {
        let mut board = self.clone();
        board.0[square.index()] = None;
        board
    }

    /// The board with the man of one square on another.
    pub fn moved(&self, from: Square, to: Square) -> Board {
        let mut board = self.without(from);
        board.0[to.index()] = self.at(from);
        board
    }

    /// The board with two men that leave their squares before either arrives.
    pub fn castled(&self, king: [Square; 2], rook: [Square; 2]) -> Board {
        let mut board = self.without(king[0]).without(rook[0]);
        board.0[king[1].index()] = self.at(king[0]);
        board.0[rook[1].index()] = self.at(rook[0]);
        board
    }

    /// The men of a colour that attack a square.
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let occupied = self.occupied();
        let attacks_it = |from: Square| {
            let man = self.at(from).filter(|man| man.color == by);
            man.is_some_and(|man| reach(man, from, occupied).contains(square))
        };
        occupied.into_iter().filter(|&from| attacks_it(from)).collect()
    }
}

/// The squares that a man attacks.
pub(super) fn reach(man: ColoredPiece, from: Square, occupied: Bitboard) -> Bitboard {
    match man.piece {
        Piece::Pawn => pawn(man.color, from),
        Piece::Knight => knight(from),
        Piece::Bishop => Walk.bishop(from, occupied),
        Piece::Rook => Walk.rook(from, occupied),
        Piece::Queen => Walk.bishop(from, occupied) | Walk.rook(from, occupied),
        Piece::King => king(from),
    }
}
