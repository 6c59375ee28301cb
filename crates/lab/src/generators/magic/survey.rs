//! The pass before the moves: what checks, what is pinned, what is attacked.

use super::MagicBoard;
use perft_core::internals::CastlingPaths;
use perft_core::internals::Side;
use perft_core::internals::attacks::{
    between, diagonal_rays, king as king_attacks, knight, orthogonal_rays, pawn,
};
use perft_core::internals::sliders::{Magic, Sliders};
use perft_core::{Bitboard, Piece, Square};

/// What the pass before the moves finds, for the side to move.
pub(super) struct Survey {
    pub king: Square,
    pub checkers: Bitboard,
    /// Where every piece but the king must end: anywhere, on the line of a check, nowhere in a double check.
    pub check_mask: Bitboard,
    /// The lines from the king to pinning pieces, those included. A piece moves along a pin or not at all, so that
    /// diagonals, and ranks and files, are kept apart.
    pub diagonal_pins: Bitboard,
    pub orthogonal_pins: Bitboard,
    /// Where the king could step, if nothing were attacked.
    pub steps: Bitboard,
    /// The rooks that it could castle with, if nothing were attacked.
    pub castling: Bitboard,
    /// What the enemy attacks with the king off the board; not looked for, and empty, if the king can do neither.
    pub attacked: Bitboard,
}

impl MagicBoard {
    #[inline(always)]
    pub(super) fn survey<S: Side>(&self) -> Survey {
        let king = self.king::<S>();
        let leapers = self.checking_leapers::<S>(king);
        let mut found = Survey {
            king,
            checkers: leapers,
            check_mask: leapers,
            diagonal_pins: Bitboard::EMPTY,
            orthogonal_pins: Bitboard::EMPTY,
            steps: king_attacks(king) & !self.army::<S>(),
            castling: Bitboard::EMPTY,
            attacked: Bitboard::EMPTY,
        };
        self.find_lines::<S>(&mut found);
        if found.checkers.is_empty() {
            found.check_mask = Bitboard::FULL;
            found.castling = self.castling_rooks::<S>(&found);
        } else if found.checkers.has_many() {
            found.check_mask = Bitboard::EMPTY;
        }
        if (found.steps | found.castling).any() {
            found.attacked = self.attacked_by::<S::Other>(self.occupied() ^ king.into());
        }
        found
    }

    /// The knights and pawns that attack the king of side `S`.
    #[inline(always)]
    pub(super) fn checking_leapers<S: Side>(&self, king: Square) -> Bitboard {
        (knight(king) & self.set::<S::Other>(Piece::Knight))
            | (pawn(S::COLOR, king) & self.set::<S::Other>(Piece::Pawn))
    }

    /// Sliders that check or pin: those that the king would see if only the enemy's pieces stood on the board. Most
    /// kings share no line with a slider, which is found before anything is looked up.
    #[inline(always)]
    fn find_lines<S: Side>(&self, found: &mut Survey) {
        let (king, us, them) = (found.king, self.army::<S>(), self.army::<S::Other>());
        let orthogonals = self.orthogonals::<S::Other>();
        if (orthogonal_rays(king) & orthogonals).any() {
            for slider in Magic.rook(king, them) & orthogonals {
                let pin = found.check_or_pin(slider, us);
                found.orthogonal_pins |= pin;
            }
        }
        let diagonals = self.diagonals::<S::Other>();
        if (diagonal_rays(king) & diagonals).any() {
            for slider in Magic.bishop(king, them) & diagonals {
                let pin = found.check_or_pin(slider, us);
                found.diagonal_pins |= pin;
            }
        }
    }

    /// The rooks to which the way is free. One that is pinned, along the back rank, is all that covers the king on its
    /// new square from behind; that happens in Chess960 only.
    #[inline(always)]
    fn castling_rooks<S: Side>(&self, found: &Survey) -> Bitboard {
        let mut free = Bitboard::EMPTY;
        for rook in self.castling.rooks(S::COLOR) & !found.orthogonal_pins {
            let paths = CastlingPaths::of::<S>(found.king, rook);
            if (paths.must_be_empty & self.occupied()).is_empty() {
                free |= rook.into();
            }
        }
        free
    }

    /// The squares that side `S` attacks on a board that is occupied like this.
    #[inline(always)]
    fn attacked_by<S: Side>(&self, occupied: Bitboard) -> Bitboard {
        let pawns = self.set::<S>(Piece::Pawn);
        let [west, east] = S::CAPTURES;
        let mut attacked = pawns.step(west) | pawns.step(east) | king_attacks(self.king::<S>());
        for square in self.set::<S>(Piece::Knight) {
            attacked |= knight(square);
        }
        for square in self.diagonals::<S>() {
            attacked |= Magic.bishop(square, occupied);
        }
        for square in self.orthogonals::<S>() {
            attacked |= Magic.rook(square, occupied);
        }
        attacked
    }
}

impl Survey {
    /// A slider that meets the king through our pieces only: with none between it checks, with one it pins, and the pin
    /// line is returned.
    #[inline(always)]
    fn check_or_pin(&mut self, slider: Square, us: Bitboard) -> Bitboard {
        let span = between(self.king, slider);
        let line = span.with(slider);
        let blockers = span & us;
        if blockers.is_empty() {
            self.checkers |= slider.into();
            self.check_mask |= line;
        } else if !blockers.has_many() {
            return line;
        }
        Bitboard::EMPTY
    }
}
