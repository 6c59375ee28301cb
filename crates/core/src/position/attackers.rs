//! Who attacks the king, who is pinned, which squares the enemy holds.
//!
//! Everything is found by looking outward from a square: what a knight there would attack is where knights attack it
//! from, and so on.

use super::{Army, Position};
use crate::attacks::sliders::{Magic, Sliders};
use crate::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
use crate::types::{Bitboard, Color, Side, Square, White};

/// What checks and pins leave a side to play.
///
/// ```text
///   8  . . . . r . . .      The rook on e8 pins the pawn on e4 (pin line e2 to e8), the bishop on b4
///   7  . . . . 1 . . .      checks: every move but the king's must end on the check mask c3, b4... here
///   6  . . . . 1 . . .      marked 2.
///   5  . . . . 1 . . .
///   4  . 2 . . P . . .
///   3  . . 2 . 1 . . .
///   2  . . . 2 1 . . .
///   1  . . . . K . . .
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ChecksAndPins {
    /// The enemy pieces that give check.
    pub checkers: Bitboard,
    /// Where a move of any piece but the king must end: everywhere without a check, on the checker or between it and
    /// the king in a check, nowhere in a double check.
    pub check_mask: Bitboard,
    /// The diagonals between the king and pinning pieces, the pinning pieces included.
    pub diagonal_pins: Bitboard,
    /// The ranks and files between the king and pinning pieces, the pinning pieces included.
    pub orthogonal_pins: Bitboard,
}

impl ChecksAndPins {
    /// Finds what checks and pins the king of side `S`.
    #[inline(always)]
    pub fn of<S: Side>(position: &Position, sliders: impl Sliders) -> ChecksAndPins {
        let (us, them) = position.armies_of::<S>();
        let king = position.king(S::COLOR);
        let leapers = (knight(king) & them.knights) | (pawn(S::COLOR, king) & them.pawns);
        let mut found = ChecksAndPins {
            checkers: leapers,
            check_mask: leapers,
            diagonal_pins: Bitboard::EMPTY,
            orthogonal_pins: Bitboard::EMPTY,
        };
        // The rays end at the enemy's pieces and pass through our own: what they meet checks, or pins.
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

    /// A slider that meets the king through our pieces only: with none between it checks, with one it pins, and the
    /// pin line is returned.
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

    /// True if the king is attacked.
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// All pin lines.
    #[inline(always)]
    pub fn pins(&self) -> Bitboard {
        self.diagonal_pins | self.orthogonal_pins
    }
}

impl Position {
    /// The pieces of a colour that attack a square when the board is occupied like this.
    #[inline(always)]
    pub fn attackers(
        &self,
        square: Square,
        by: Color,
        occupied: Bitboard,
        sliders: impl Sliders,
    ) -> Bitboard {
        let army = self.army(by);
        (knight(square) & army.knights)
            | (pawn(!by, square) & army.pawns)
            | (sliders.bishop(square, occupied) & army.diagonals)
            | (sliders.rook(square, occupied) & army.orthogonals)
            | (king(square) & Bitboard::from(self.king(by)))
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), !self.turn, self.occupied(), Magic)
    }

    /// The squares that the pieces of side `S` attack when the board is occupied like this.
    #[inline(always)]
    pub(crate) fn attacked_by<S: Side>(&self, occupied: Bitboard, sliders: impl Sliders) -> Bitboard {
        let army = self.army(S::COLOR);
        let [west, east] = S::CAPTURES;
        let mut attacked = army.pawns.step(west) | army.pawns.step(east) | king(self.king(S::COLOR));
        for square in army.knights {
            attacked |= knight(square);
        }
        for square in army.diagonals {
            attacked |= sliders.bishop(square, occupied);
        }
        for square in army.orthogonals {
            attacked |= sliders.rook(square, occupied);
        }
        attacked
    }

    /// The pawns of the side to move that attack this square, which an enemy pawn has just passed.
    #[inline(always)]
    pub(crate) fn en_passant_captors(&self, passed: Square) -> Bitboard {
        pawn(!self.turn, passed) & self.army(self.turn).pawns
    }

    /// True if side `S` may take en passant from this square: the board without both pawns, and with the capturing
    /// one on the passed square, leaves its king unattacked. Nothing else tells: the two pawns may uncover a rank
    /// together, and the captured one alone may uncover a diagonal.
    #[inline(always)]
    pub(crate) fn en_passant_is_legal<S: Side>(
        &self,
        from: Square,
        passed: Square,
        sliders: impl Sliders,
    ) -> bool {
        let captured = Bitboard::from(passed).step(S::Other::FORWARD);
        let occupied = (self.occupied() ^ Bitboard::from(from) ^ captured) | passed.into();
        let king = self.king(S::COLOR);
        (self.attackers(king, S::Other::COLOR, occupied, sliders) & !captured).is_empty()
    }

    /// The en passant square, if some capture on it is legal. Two positions that differ only in an en passant square
    /// nobody can use are the same.
    pub fn legal_en_passant(&self) -> Option<Square> {
        fn is_legal<S: Side>(position: &Position, passed: Square) -> bool {
            let mut captors = position.en_passant_captors(passed).into_iter();
            captors.any(|from| position.en_passant_is_legal::<S>(from, passed, Magic))
        }
        self.en_passant.filter(|&passed| match self.turn {
            Color::White => is_legal::<White>(self, passed),
            Color::Black => is_legal::<<White as Side>::Other>(self, passed),
        })
    }
}
