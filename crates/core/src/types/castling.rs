//! Castling: rights, sides, and the two notations of a castling move.
//!
//! A castling right is stored as the square of its rook. This is enough for Chess960, too, and makes losing rights one
//! operation. A move clears the rights on its two squares, because the rook there has moved or was captured. A king
//! move clears the rights on the king's back rank.

use super::{Bitboard, Color, Square};

/// The side of the board on which a king castles. In Chess960, the king's target square decides: g-file or c-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// King to the g-file, rook to the f-file.
    King,
    /// King to the c-file, rook to the d-file.
    Queen,
}

impl CastlingSide {
    /// Returns the side on which a king castles with a rook of the same rank.
    #[inline(always)]
    pub fn of(king: Square, rook: Square) -> CastlingSide {
        if rook > king { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// Returns the square on which the king stands after castling.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        match (self, color) {
            (CastlingSide::King, Color::White) => Square::G1,
            (CastlingSide::King, Color::Black) => Square::G8,
            (CastlingSide::Queen, Color::White) => Square::C1,
            (CastlingSide::Queen, Color::Black) => Square::C8,
        }
    }

    /// Returns the square on which the rook stands after castling.
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

/// The castling rights of both colours: the squares of the rooks that may still castle.
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
    /// No castling rights.
    pub const NONE: CastlingRights = CastlingRights(Bitboard::EMPTY);

    /// Returns the squares of the rooks of both colours that may castle.
    #[inline(always)]
    pub const fn all_rooks(self) -> Bitboard {
        self.0
    }

    /// Returns the squares of the rooks of one colour that may castle. These squares are on its back rank.
    #[inline(always)]
    pub fn rooks(self, color: Color) -> Bitboard {
        self.0 & Bitboard::rank(color.back_rank())
    }

    /// Returns the rights with the colours exchanged.
    #[inline(always)]
    pub(crate) fn flipped(self) -> CastlingRights {
        CastlingRights(self.0.flipped())
    }

    /// Adds the right to castle with the rook on a square.
    pub fn add(&mut self, rook: Square) {
        self.0 |= rook.into();
    }

    /// Removes the rights of all rooks on these squares.
    #[inline(always)]
    pub fn remove(&mut self, squares: Bitboard) {
        self.0 &= !squares;
    }
}

/// The way in which a castling move is written in UCI notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingNotation {
    /// By the two squares of the king, `e1g1`, as in standard chess.
    #[default]
    Standard,
    /// By the squares of king and rook, `e1h1`, as in Chess960.
    Chess960,
}
