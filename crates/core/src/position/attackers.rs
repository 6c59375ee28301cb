//! Attackers, checks and pins.
//!
//! The attackers of a square are found from the square itself. A knight attacks the square if a knight on the square
//! would attack the knight's square. The same is true of every other piece, but pawns must have the other colour.

use super::{Armies, Army, Position};
use crate::attacks::sliders::{Magic, Sliders};
use crate::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
use crate::types::{Bitboard, Color, Side, Square};
use crate::with_side;

/// The checks and pins of the side to move.
///
/// ```text
///   8  . . . . r . . .      The rook on e8 pins the pawn on e4. The pin line is e2 to e8: the squares
///   7  . . . . 1 . . .      marked 1, the pawn and the rook.
///   6  . . . . 1 . . .
///   5  . . . . 1 . . .      The bishop on b4 gives check. The check mask is b4 and the squares marked 2.
///   4  . b . . P . . .      A move of any piece except the king must end there.
///   3  . . 2 . 1 . . .
///   2  . . . 2 1 . . .
///   1  . . . . K . . .
///      a b c d e f g h
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ChecksAndPins {
    /// The pieces that give check.
    pub checkers: Bitboard,
    /// The squares on which a move of any piece except the king must end. Without a check, these are all squares. In
    /// check, they are the checker's square and the squares between it and the king. In double check, there are none.
    pub check_mask: Bitboard,
    /// The diagonal pin lines: the squares between the king and each pinner, and the pinner's square.
    pub diagonal_pins: Bitboard,
    /// The pin lines along ranks and files: the squares between the king and each pinner, and the pinner's square.
    pub orthogonal_pins: Bitboard,
}

impl ChecksAndPins {
    /// Finds the checks and pins of side `S`, the side to move, whose pieces are `armies.us`.
    #[inline(always)]
    pub fn find<S: Side>(armies: &Armies, sliders: impl Sliders) -> ChecksAndPins {
        let Armies { us, them, king, .. } = *armies;
        let leapers = (knight(king) & them.knights) | (pawn(S::COLOR, king) & them.pawns);
        let mut found = ChecksAndPins {
            checkers: leapers,
            check_mask: leapers,
            diagonal_pins: Bitboard::EMPTY,
            orthogonal_pins: Bitboard::EMPTY,
        };
        // Only the opponent's pieces block these rays. A slider on a ray gives check or pins one of our pieces, unless
        // two or more of our pieces are in between.
        if (orthogonal_rays(king) & them.orthogonals).any() {
            for slider in sliders.rook(king, them.all) & them.orthogonals {
                let pin = found.check_or_pin_line(king, slider, us);
                found.orthogonal_pins |= pin;
            }
        }
        if (diagonal_rays(king) & them.diagonals).any() {
            for slider in sliders.bishop(king, them.all) & them.diagonals {
                let pin = found.check_or_pin_line(king, slider, us);
                found.diagonal_pins |= pin;
            }
        }
        if found.checkers.is_empty() {
            found.check_mask = Bitboard::FULL;
        } else if found.checkers.has_many() {
            found.check_mask = Bitboard::EMPTY;
        }
        found
    }

    /// Adds a slider that has only our pieces between itself and the king. If no piece is in between, it gives check.
    /// If one piece is in between, the slider pins it, and the function returns the pin line.
    #[inline(always)]
    fn check_or_pin_line(&mut self, king: Square, slider: Square, us: &Army) -> Bitboard {
        let span = between(king, slider);
        let blockers = span & us.all;
        let line = span.with(slider);
        if blockers.is_empty() {
            self.checkers |= slider.into();
            self.check_mask |= line;
        } else if !blockers.has_many() {
            return line;
        }
        Bitboard::EMPTY
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Returns the squares of all pin lines.
    #[inline(always)]
    pub fn pins(&self) -> Bitboard {
        self.diagonal_pins | self.orthogonal_pins
    }
}

impl Army {
    /// Returns the pieces that attack a square, except the king.
    #[inline(always)]
    fn attackers(&self, square: Square, color: Color, occupied: Bitboard, sliders: impl Sliders) -> Bitboard {
        (knight(square) & self.knights)
            | (pawn(!color, square) & self.pawns)
            | (sliders.bishop(square, occupied) & self.diagonals)
            | (sliders.rook(square, occupied) & self.orthogonals)
    }

    /// Returns the squares that the pieces of side `S` attack, with their king on `from`. The given occupied squares
    /// block sliders.
    #[inline(always)]
    pub fn attacked<S: Side>(&self, from: Square, occupied: Bitboard, sliders: impl Sliders) -> Bitboard {
        let [west, east] = S::CAPTURES;
        let mut attacked = self.pawns.step(west) | self.pawns.step(east) | king(from);
        for square in self.knights {
            attacked |= knight(square);
        }
        for square in self.diagonals {
            attacked |= sliders.bishop(square, occupied);
        }
        for square in self.orthogonals {
            attacked |= sliders.rook(square, occupied);
        }
        attacked
    }
}

impl Armies<'_> {
    /// Whether side `S`, the side to move, may capture en passant with the pawn on `from`.
    ///
    /// This makes the capture on the occupied squares and tests whether the king is attacked. Pin lines are not enough
    /// here: both pawns together may have blocked a rank, and the captured pawn alone may have blocked a diagonal.
    #[inline(always)]
    pub fn en_passant_is_legal<S: Side>(&self, from: Square, passed: Square, sliders: impl Sliders) -> bool {
        let captured = Bitboard::from(passed).step(S::Other::FORWARD);
        let occupied = (self.occupied() ^ from.into() ^ captured) | passed.into();
        (self.them.attackers(self.king, S::Other::COLOR, occupied, sliders) & !captured).is_empty()
    }
}

impl Position {
    /// Returns the pieces of a colour that attack a square. The given occupied squares block sliders.
    #[doc(hidden)]
    #[inline(always)]
    pub fn attackers(
        &self,
        square: Square,
        by: Color,
        occupied: Bitboard,
        sliders: impl Sliders,
    ) -> Bitboard {
        self.army(by).attackers(square, by, occupied, sliders)
            | (king(square) & Bitboard::from(self.king(by)))
    }

    /// Returns the pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), !self.turn, self.occupied(), Magic)
    }

    /// Returns the pawns of the side to move that attack the en passant square.
    #[doc(hidden)]
    #[inline(always)]
    pub fn en_passant_captors(&self, passed: Square) -> Bitboard {
        pawn(!self.turn, passed) & self.army(self.turn).pawns
    }

    /// Returns the en passant square if some en passant capture is legal.
    ///
    /// Two positions that differ only in an en passant square without a legal capture have the same legal moves.
    pub fn legal_en_passant(&self) -> Option<Square> {
        fn is_legal<S: Side>(position: &Position, passed: Square) -> bool {
            let mut captors = position.en_passant_captors(passed).into_iter();
            captors.any(|from| position.armies_of::<S>().en_passant_is_legal::<S>(from, passed, Magic))
        }
        self.en_passant.filter(|&passed| with_side!(self.turn, S => is_legal::<S>(self, passed)))
    }
}
