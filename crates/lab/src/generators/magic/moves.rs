//! A move in 16 bits, and where moves go: a list, or a number.

use arrayvec::ArrayVec;

use perft_core::internals::Side;
use perft_core::{Bitboard, MAX_MOVES, MoveKind, Piece, Square};

/// A move in 16 bits: what needs to be known to play it, but for what stands on the board.
///
/// ```text
///   15 14 13 12   11 ... 6   5 ... 0       0  quiet            4  capture
///     flags         from        to         1  double push      5  en passant
///                                          2  castling, g-file
///   castling: to is the rook's square      3  castling, c-file
///                                          8 to 11   promotion to knight, bishop, rook, queen
///                                          12 to 15  the same, capturing
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedMove(u16);

pub(super) mod flags {
    pub const QUIET: u16 = 0;
    pub const DOUBLE_PUSH: u16 = 1;
    pub const KING_CASTLING: u16 = 2;
    pub const QUEEN_CASTLING: u16 = 3;
    pub const CAPTURE: u16 = 4;
    pub const EN_PASSANT: u16 = 5;
    /// Set in all promotions; the low two bits count through [`super::PROMOTIONS`].
    pub const PROMOTION: u16 = 8;
}

/// What a pawn becomes, by the low two bits of the flags.
const PROMOTIONS: [(Piece, MoveKind); 4] = [
    (Piece::Knight, MoveKind::PromoteKnight),
    (Piece::Bishop, MoveKind::PromoteBishop),
    (Piece::Rook, MoveKind::PromoteRook),
    (Piece::Queen, MoveKind::PromoteQueen),
];

impl PackedMove {
    #[inline(always)]
    pub(super) fn new(flags: u16, from: Square, to: Square) -> PackedMove {
        PackedMove(to as u16 | (from as u16) << 6 | flags << 12)
    }

    #[inline(always)]
    pub(super) fn to(self) -> Square {
        Square::from_low_bits(u32::from(self.0))
    }

    #[inline(always)]
    pub(super) fn from(self) -> Square {
        Square::from_low_bits(u32::from(self.0 >> 6))
    }

    #[inline(always)]
    pub(super) fn flags(self) -> u16 {
        self.0 >> 12
    }

    /// What it promotes to, if it does.
    #[inline(always)]
    pub(super) fn promotion(self) -> (Piece, MoveKind) {
        PROMOTIONS[usize::from(self.flags() & 3)]
    }
}

/// Where generated moves go.
pub(super) trait Moves {
    /// The piece on `from` may go to each of these squares; it captures on those that are occupied.
    fn of_piece(&mut self, from: Square, targets: Bitboard, occupied: Bitboard);

    /// To each of these squares a pawn may go from the square whose index is lower by `offset`.
    fn of_pawns(&mut self, flags: u16, targets: Bitboard, offset: i8);

    /// As [`Moves::of_pawns`], but on the last rank: four moves a square.
    fn promotions(&mut self, flags: u16, targets: Bitboard, offset: i8);

    /// One move: castling, en passant.
    fn special(&mut self, flags: u16, from: Square, to: Square);
}

/// A list of moves that lives on the stack.
pub(super) type List = ArrayVec<PackedMove, MAX_MOVES>;

/// The moves themselves. Sets are appended whole: the list's length, in memory, is then written once a set.
impl Moves for List {
    #[inline(always)]
    fn of_piece(&mut self, from: Square, targets: Bitboard, occupied: Bitboard) {
        self.extend(targets.into_iter().map(|to| {
            let flags = if occupied.contains(to) { flags::CAPTURE } else { flags::QUIET };
            PackedMove::new(flags, from, to)
        }));
    }

    #[inline(always)]
    fn of_pawns(&mut self, flags: u16, targets: Bitboard, offset: i8) {
        self.extend(targets.into_iter().map(|to| PackedMove::new(flags, origin(to, offset), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, flags: u16, targets: Bitboard, offset: i8) {
        for piece in 0..4 {
            self.of_pawns(flags | flags::PROMOTION | piece, targets, offset);
        }
    }

    #[inline(always)]
    fn special(&mut self, flags: u16, from: Square, to: Square) {
        self.push(PackedMove::new(flags, from, to));
    }
}

/// Their number.
impl Moves for u64 {
    #[inline(always)]
    fn of_piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        *self += u64::from(targets.count());
    }

    #[inline(always)]
    fn of_pawns(&mut self, _: u16, targets: Bitboard, _: i8) {
        *self += u64::from(targets.count());
    }

    #[inline(always)]
    fn promotions(&mut self, _: u16, targets: Bitboard, _: i8) {
        *self += 4 * u64::from(targets.count());
    }

    #[inline(always)]
    fn special(&mut self, _: u16, _: Square, _: Square) {
        *self += 1;
    }
}

/// The square one step back for the pawns of side `S`.
#[inline(always)]
pub(super) fn behind<S: Side>(square: Square) -> Square {
    origin(square, S::FORWARD.offset())
}

/// Where a pawn that stands on `to` came from.
#[inline(always)]
fn origin(to: Square, offset: i8) -> Square {
    Square::from_low_bits((to as u32).wrapping_add_signed(-i32::from(offset)))
}
