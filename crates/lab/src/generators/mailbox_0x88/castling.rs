//! Castling: the conditions of each castling right, which are computed once, and the rights that can be used now.

use arrayvec::ArrayVec;
use perft_core::internals::{CastlingPaths, Side};
use perft_core::{CastlingSide, Color, File, Piece, Square};

use super::Mailbox0x88Board;
use super::restrictions::Restrictions;
use super::squares::{PieceCode, SQUARES, Square88, Zone};

/// The conditions of castling, which do not change during a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Castling {
    /// The conditions by castling right: White's king side and queen side, then Black's.
    pub conditions: [CastlingConditions; 4],
    /// The rights that remain after a move from or to a square, one bit for each right.
    pub kept_rights: [u8; SQUARES],
}

/// The conditions of one castling right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CastlingConditions {
    /// The square of the rook.
    pub rook: u8,
    /// The files on which the back rank must be empty. Each file is a byte with all bits set.
    pub must_be_empty: u64,
    /// The squares of the king's path, including its target square.
    pub must_be_safe: ArrayVec<u8, 6>,
    /// The path of the king as a part of its zone. It is `None` if the path leaves the zone, or if the rook is not in
    /// the corner. Such a rook may block an attack on the king's target square.
    pub zone: Option<Zone>,
}

impl CastlingConditions {
    fn new(color: Color, side: CastlingSide, king: Square88, rook: Square88) -> CastlingConditions {
        let [king_file, rook_file] = [king, rook].map(|square| square.to_square().file());
        let paths = CastlingPaths::between(color, king_file, rook_file);
        let mut must_be_empty = 0;
        for square in paths.must_be_empty {
            must_be_empty |= 0xff << (8 * square.file().index());
        }
        // If the king is already on its target square, it does not move. But it must still be safe there without the
        // rook.
        let must_be_safe = paths.must_be_safe.with(side.king_target(color)).into_iter().map(Square88::from);
        let is_in_corner = matches!(rook_file, File::A | File::H);
        let mut zone = must_be_safe.clone().map(|square| Zone::of_square(king, square));
        CastlingConditions {
            rook: rook.byte(),
            must_be_empty,
            must_be_safe: must_be_safe.map(Square88::byte).collect(),
            zone: zone.try_fold(Zone::EMPTY, |all, one| Some(all.or(one?))).filter(|_| is_in_corner),
        }
    }
}

impl Mailbox0x88Board {
    /// Adds a castling right and its conditions.
    pub(super) fn add_right(&mut self, color: Color, side: CastlingSide, king: Square88, rook: Square88) {
        let right = right_index(color, side);
        self.state.rights |= 1 << right;
        self.castling.conditions[right] = CastlingConditions::new(color, side, king, rook);
        for square in [king, rook] {
            self.castling.kept_rights[square.index()] &= !(1 << right);
        }
    }

    /// Whether side `S` has any castling right.
    #[inline(always)]
    pub(super) fn has_rights<S: Side>(&self) -> bool {
        self.state.rights >> rights_of::<S>().start & 3 != 0
    }

    /// Returns the castling rights of side `S` whose path is empty, one bit for each right.
    #[inline(always)]
    pub(super) fn free_castlings<S: Side>(&self) -> u8 {
        let mut castlings = 0;
        let a_file = Square88::from(Square::new(File::A, S::COLOR.back_rank())).index_with_margin();
        let rank = PieceCode::of_rank(std::array::from_fn(|file| self.squares[a_file + file]));
        for right in rights_of::<S>() {
            let is_free = rank & self.castling.conditions[right].must_be_empty == 0;
            castlings |= u8::from(is_free) << right;
        }
        castlings & self.state.rights
    }

    /// Returns the squares of the king's zone that must be safe for at least one of these castling moves.
    #[inline(always)]
    pub(super) fn castling_zone<S: Side>(&self, castlings: u8) -> Zone {
        let mut zone = Zone::EMPTY;
        for right in rights_of::<S>() {
            if castlings >> right & 1 != 0 {
                zone = zone.or(self.castling.conditions[right].zone.unwrap_or(Zone::EMPTY));
            }
        }
        zone
    }

    /// Returns the castling moves in which no square of the king's path is attacked.
    #[inline(always)]
    pub(super) fn safe_castlings<S: Side>(&mut self, restrictions: &Restrictions, attacked: Zone) -> u8 {
        let mut castlings = 0;
        for right in rights_of::<S>() {
            if restrictions.checkers == 0 && restrictions.castlings >> right & 1 != 0 {
                let is_safe = match self.castling.conditions[right].zone {
                    Some(zone) => zone.and(attacked).is_empty(),
                    None => self.is_safe_without_rook::<S>(right, restrictions.king),
                };
                castlings |= u8::from(is_safe) << right;
            }
        }
        castlings
    }

    /// Whether no square of the king's path is attacked if the rook is removed. In Chess960, the rook may be the only
    /// piece between the king's target square and a slider on the back rank.
    #[inline(never)]
    fn is_safe_without_rook<S: Side>(&mut self, right: usize, king: Square88) -> bool {
        let rook = Square88::from_byte(self.castling.conditions[right].rook);
        self.squares[king.index_with_margin()] = PieceCode::NONE;
        self.squares[rook.index_with_margin()] = PieceCode::NONE;
        let mut is_safe = true;
        for &to in &self.castling.conditions[right].must_be_safe {
            is_safe = is_safe && !self.is_attacked::<S::Other>(Square88::from_byte(to));
        }
        self.squares[king.index_with_margin()] = PieceCode::new(S::COLOR, Piece::King);
        self.squares[rook.index_with_margin()] = PieceCode::new(S::COLOR, Piece::Rook);
        is_safe
    }
}

/// Returns the indices of the castling rights of a side.
pub(super) const fn rights_of<S: Side>() -> std::ops::Range<usize> {
    2 * S::COLOR.index()..2 * S::COLOR.index() + 2
}

/// Returns the squares of king and rook of side `S` after castling.
#[inline(always)]
pub(super) fn castling_targets<S: Side>(side: CastlingSide) -> [Square88; 2] {
    [side.king_target(S::COLOR).into(), side.rook_target(S::COLOR).into()]
}

const fn right_index(color: Color, side: CastlingSide) -> usize {
    2 * color.index() + side as usize
}
