//! Castling rights, sides, and the two ways to write a castling move.
//!
//! A right is kept as the square of the rook that it belongs to. That is all Chess960 asks for, and it makes the
//! rule of losing rights one operation: a move clears the bits of its two squares (the rook moved, or was
//! captured), a king's move clears its back rank.

use super::{Bitboard, Color, Square};

/// The side of the board on which a king castles, named by where the king ends: g-file or c-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// King to the g-file, rook to the f-file.
    King,
    /// King to the c-file, rook to the d-file.
    Queen,
}

impl CastlingSide {
    /// The side of a king and a rook on the same rank: the rook's side of the king.
    #[inline(always)]
    pub fn of(king: Square, rook: Square) -> CastlingSide {
        if rook > king { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// Where the king of a colour ends.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        match (self, color) {
            (CastlingSide::King, Color::White) => Square::G1,
            (CastlingSide::King, Color::Black) => Square::G8,
            (CastlingSide::Queen, Color::White) => Square::C1,
            (CastlingSide::Queen, Color::Black) => Square::C8,
        }
    }

    /// Where the rook of a colour ends.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        match (self, color) {
            (CastlingSide::King, Color::White) => Square::F1,
            (CastlingSide::King, Color::Black) => Square::F8,
            (CastlingSide::Queen, Color::White) => Square::D1,
            (CastlingSide::Queen, Color::Black) => Square::D8,
        }
    }
}

/// Which rooks may still castle: the set of their squares.
///
/// # Examples
/// ```
/// use perft_core::{CastlingRights, Color, Square};
/// let mut rights = CastlingRights::NONE;
/// rights.add(Square::H1);
/// rights.add(Square::A8);
/// assert!(rights.rooks(Color::White).contains(Square::H1));
/// rights.remove(Square::H1.into());
/// assert!(rights.rooks(Color::White).is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: CastlingRights = CastlingRights(Bitboard::EMPTY);

    /// All rooks that may castle, of both colours.
    #[inline(always)]
    pub const fn all_rooks(self) -> Bitboard {
        self.0
    }

    /// The rooks of a colour that may castle: those on its back rank.
    #[inline(always)]
    pub fn rooks(self, color: Color) -> Bitboard {
        self.0 & Bitboard::rank(color.back_rank())
    }

    /// Gives the right to the rook on a square.
    pub fn add(&mut self, rook: Square) {
        self.0 |= rook.into();
    }

    /// Takes the right from every rook on these squares.
    #[inline(always)]
    pub fn remove(&mut self, squares: Bitboard) {
        self.0 &= !squares;
    }
}

/// How a castling move is written in UCI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingNotation {
    /// The king's own step, `e1g1`: standard chess.
    #[default]
    Standard,
    /// The king takes its rook, `e1h1`: Chess960.
    Chess960,
}
