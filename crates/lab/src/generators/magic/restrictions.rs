//! The pass before the moves: finds checks, pins and attacked squares.

use perft_core::internals::attacks::{
    between, diagonal_rays, king as king_attacks, knight, orthogonal_rays, pawn,
};
use perft_core::internals::sliders::{Magic, Sliders};
use perft_core::internals::{CastlingPaths, Side};
use perft_core::{Bitboard, Piece, Square};

use super::MagicBoard;

/// The restrictions on the moves of the side to move.
pub(super) struct Restrictions {
    /// The square of the king.
    pub king: Square,
    /// The enemy pieces that give check.
    pub checkers: Bitboard,
    /// The squares on which a move of any piece except the king may end. Without a check, these are all squares. In
    /// check, they are the checker and the squares between it and the king. In double check, there are none.
    pub check_mask: Bitboard,
    /// The diagonals from the king to the pinners, including the pinners' squares.
    pub diagonal_pins: Bitboard,
    /// The ranks and files from the king to the pinners, including the pinners' squares.
    pub orthogonal_pins: Bitboard,
    /// The squares next to the king without a piece of its side. Attacked squares are included.
    pub steps: Bitboard,
    /// The rooks with which the king can castle if no square on its path is attacked.
    pub castling: Bitboard,
    /// The squares that the enemy attacks if the king is removed. The set is empty if `steps` and `castling` are empty.
    pub attacked: Bitboard,
}

impl MagicBoard {
    /// Finds the restrictions on the moves of side `S`, the side to move.
    #[inline(always)]
    pub(super) fn restrictions<S: Side>(&self) -> Restrictions {
        let king = self.king::<S>();
        let leapers = self.checking_leapers::<S>(king);
        let mut found = Restrictions {
            king,
            checkers: leapers,
            check_mask: leapers,
            diagonal_pins: Bitboard::EMPTY,
            orthogonal_pins: Bitboard::EMPTY,
            steps: king_attacks(king) & !self.pieces_of::<S>(),
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

    /// Returns the knights and pawns that attack the king of side `S`.
    #[inline(always)]
    pub(super) fn checking_leapers<S: Side>(&self, king: Square) -> Bitboard {
        (knight(king) & self.set::<S::Other>(Piece::Knight))
            | (pawn(S::COLOR, king) & self.set::<S::Other>(Piece::Pawn))
    }

    /// Finds the sliders that check or pin. They are among the sliders that would attack the king if all pieces of its
    /// side were removed. Most kings are on no line with an enemy slider, so this is tested before any lookup.
    #[inline(always)]
    fn find_lines<S: Side>(&self, found: &mut Restrictions) {
        let (king, us, them) = (found.king, self.pieces_of::<S>(), self.pieces_of::<S::Other>());
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

    /// Returns the rooks with which the king can castle over empty squares.
    ///
    /// A rook that is pinned on the back rank cannot castle, because the pinner would attack the king on its target
    /// square. This happens only in Chess960.
    #[inline(always)]
    fn castling_rooks<S: Side>(&self, found: &Restrictions) -> Bitboard {
        let mut free = Bitboard::EMPTY;
        for rook in self.castling.rooks(S::COLOR) & !found.orthogonal_pins {
            let paths = CastlingPaths::of::<S>(found.king, rook);
            if (paths.must_be_empty & self.occupied()).is_empty() {
                free |= rook.into();
            }
        }
        free
    }

    /// Returns the squares that side `S` attacks. These occupied squares block sliders.
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

impl Restrictions {
    /// Adds the check of a slider if only pieces of `us` are between it and the king. If exactly one piece is between,
    /// the slider pins it, and the function returns the pin line.
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
