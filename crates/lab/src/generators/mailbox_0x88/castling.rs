//! Castling: what each right asks for, found once for a game, and which rights can be used now.

use arrayvec::ArrayVec;

use super::Mailbox0x88Board;
use super::outlook::Outlook;
use super::squares::{Man, SQUARES, Square88, Zone, step_towards};
use perft_core::internals::Side;
use perft_core::{CastlingSide, Color, File, Piece, Square};

/// What castling asks for, fixed for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Castling {
    /// White's sides, then Black's; the king's side comes first.
    pub ways: [CastlingWay; 4],
    /// The rights that are left after a move from or to a square.
    pub kept: [u8; SQUARES],
}

/// Castling of one king with one rook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CastlingWay {
    pub rook: u8,
    /// Crossed or entered by king or rook, and not their own: all bits of a byte for each file.
    pub must_be_empty: u64,
    /// Crossed or entered by the king.
    pub must_be_safe: ArrayVec<u8, 6>,
    /// The same, if all of it is in the king's zone, and the rook is in the corner, where it hides nothing.
    pub zone: Option<Zone>,
}

impl CastlingWay {
    fn new(color: Color, side: CastlingSide, king: Square88, rook: Square88) -> CastlingWay {
        let target = side.king_target(color).into();
        let crossed = path(king, target).chain(path(rook, side.rook_target(color).into()));
        let mut must_be_empty = 0;
        for square in crossed.filter(|&square| square != king && square != rook) {
            must_be_empty |= 0xff << (8 * square.to_square().file().index());
        }
        // A king that is on its target already must still be safe there when its rook has left.
        let king_squares = path(king, target).filter(|&square| square != target).chain([target]);
        let is_in_corner = matches!(rook.to_square().file(), File::A | File::H);
        let mut zone = king_squares.clone().map(|square| Zone::of_square(king, square));
        CastlingWay {
            rook: rook.byte(),
            must_be_empty,
            must_be_safe: king_squares.map(Square88::byte).collect(),
            zone: zone.try_fold(Zone::EMPTY, |all, one| Some(all.or(one?))).filter(|_| is_in_corner),
        }
    }
}

impl Mailbox0x88Board {
    pub(super) fn add_right(&mut self, color: Color, side: CastlingSide, king: Square88, rook: Square88) {
        let right = right_index(color, side);
        self.state.rights |= 1 << right;
        self.castling.ways[right] = CastlingWay::new(color, side, king, rook);
        for square in [king, rook] {
            self.castling.kept[square.index()] &= !(1 << right);
        }
    }

    #[inline(always)]
    pub(super) fn has_rights<S: Side>(&self) -> bool {
        self.state.rights >> rights_of::<S>().start & 3 != 0
    }

    /// The rights of side `S` to castle where nothing stands in the way.
    #[inline(always)]
    pub(super) fn free_castlings<S: Side>(&self) -> u8 {
        let mut castlings = 0;
        let a_file = Square88::from(Square::new(File::A, S::COLOR.back_rank())).index_with_margin();
        let rank = Man::of_rank(std::array::from_fn(|file| self.men[a_file + file]));
        for right in rights_of::<S>() {
            let is_free = rank & self.castling.ways[right].must_be_empty == 0;
            castlings |= u8::from(is_free) << right;
        }
        castlings & self.state.rights
    }

    /// What these castlings ask for of the king's zone.
    #[inline(always)]
    pub(super) fn castling_zone<S: Side>(&self, castlings: u8) -> Zone {
        let mut asked = Zone::EMPTY;
        for right in rights_of::<S>() {
            if castlings >> right & 1 != 0 {
                asked = asked.or(self.castling.ways[right].zone.unwrap_or(Zone::EMPTY));
            }
        }
        asked
    }

    /// Those of the free castlings in which the king is safe on all his way.
    #[inline(always)]
    pub(super) fn safe_castlings<S: Side>(&mut self, outlook: &Outlook, attacked: Zone) -> u8 {
        let mut castlings = 0;
        for right in rights_of::<S>() {
            if outlook.checkers == 0 && outlook.castlings >> right & 1 != 0 {
                let is_safe = match self.castling.ways[right].zone {
                    Some(zone) => zone.and(attacked).is_empty(),
                    None => self.is_safe_without_rook::<S>(right, outlook.king),
                };
                castlings |= u8::from(is_safe) << right;
            }
        }
        castlings
    }

    /// True if nothing attacks the king's way when he castles. The rook is off the board meanwhile: in Chess960 it may be
    /// all that hides the king's target from a slider on the back rank.
    #[inline(always)]
    fn is_safe_without_rook<S: Side>(&mut self, right: usize, king: Square88) -> bool {
        let rook = Square88::from_byte(self.castling.ways[right].rook);
        self.men[king.index_with_margin()] = Man::NONE;
        self.men[rook.index_with_margin()] = Man::NONE;
        let mut is_safe = true;
        for &to in &self.castling.ways[right].must_be_safe {
            is_safe = is_safe && !self.is_attacked::<S::Other>(Square88::from_byte(to));
        }
        self.men[king.index_with_margin()] = Man::new(S::COLOR, Piece::King);
        self.men[rook.index_with_margin()] = Man::new(S::COLOR, Piece::Rook);
        is_safe
    }
}

/// The numbers of the rights of a side.
pub(super) const fn rights_of<S: Side>() -> std::ops::Range<usize> {
    2 * S::COLOR.index()..2 * S::COLOR.index() + 2
}

/// Where king and rook of side `S` stand after castling.
#[inline(always)]
pub(super) fn castled<S: Side>(side: CastlingSide) -> [Square88; 2] {
    [side.king_target(S::COLOR).into(), side.rook_target(S::COLOR).into()]
}

/// The squares of a rank from `from`, left out, to `to`, included.
fn path(from: Square88, to: Square88) -> impl Iterator<Item = Square88> + Clone {
    let step = step_towards(from, to);
    std::iter::successors(Some(from), move |&here| (here != to).then(|| here.step(step))).skip(1)
}

const fn right_index(color: Color, side: CastlingSide) -> usize {
    2 * color.index() + side as usize
}
