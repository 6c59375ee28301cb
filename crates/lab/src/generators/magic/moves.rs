//! The move of 16 bits, and the two receivers of moves: a list and a number.

use arrayvec::ArrayVec;
use perft_core::internals::{Side, origin};
use perft_core::{Bitboard, MAX_MOVES, MoveKind, Piece, Square};

/// A move in 16 bits. The moving piece and the captured piece are not in it. The board has them.
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
pub struct MagicMove(u16);

pub(super) mod flags {
    pub const QUIET: u16 = 0;
    pub const DOUBLE_PUSH: u16 = 1;
    pub const KING_CASTLING: u16 = 2;
    pub const QUEEN_CASTLING: u16 = 3;
    pub const CAPTURE: u16 = 4;
    pub const EN_PASSANT: u16 = 5;
    /// Set in all promotions. The low two bits are an index of [`super::PROMOTIONS`].
    pub const PROMOTION: u16 = 8;
}

/// The piece to which a pawn promotes, by the low two bits of the flags.
const PROMOTIONS: [(Piece, MoveKind); 4] = [
    (Piece::Knight, MoveKind::PromoteKnight),
    (Piece::Bishop, MoveKind::PromoteBishop),
    (Piece::Rook, MoveKind::PromoteRook),
    (Piece::Queen, MoveKind::PromoteQueen),
];

impl MagicMove {
    #[inline(always)]
    pub(super) fn new(flags: u16, from: Square, to: Square) -> MagicMove {
        MagicMove(to as u16 | (from as u16) << 6 | flags << 12)
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

    /// Returns the piece and the kind of a promotion. The result has no meaning for other moves.
    #[inline(always)]
    pub(super) fn promotion(self) -> (Piece, MoveKind) {
        PROMOTIONS[usize::from(self.flags() & 3)]
    }
}

/// Receives the legal moves.
pub(super) trait Moves {
    /// Adds the moves of the piece on `from` to each of these squares. Moves to an occupied square are captures.
    fn of_piece(&mut self, from: Square, targets: Bitboard, occupied: Bitboard);

    /// Adds the move of a pawn to each of these squares. The move adds `offset` to the index of the pawn's square.
    fn of_pawns(&mut self, flags: u16, targets: Bitboard, offset: i8);

    /// Adds the four promotions of a pawn on each of these squares. The move adds `offset` to the index of the pawn's
    /// square.
    fn promotions(&mut self, flags: u16, targets: Bitboard, offset: i8);

    /// Adds one move: castling or en passant.
    fn special(&mut self, flags: u16, from: Square, to: Square);
}

/// A list of moves on the stack.
pub(super) type List = ArrayVec<MagicMove, MAX_MOVES>;

/// Lists the moves. A whole set is appended at once, so the length in memory is written only once for each set.
impl Moves for List {
    #[inline(always)]
    fn of_piece(&mut self, from: Square, targets: Bitboard, occupied: Bitboard) {
        self.extend(targets.into_iter().map(|to| {
            let flags = if occupied.contains(to) { flags::CAPTURE } else { flags::QUIET };
            MagicMove::new(flags, from, to)
        }));
    }

    #[inline(always)]
    fn of_pawns(&mut self, flags: u16, targets: Bitboard, offset: i8) {
        self.extend(targets.into_iter().map(|to| MagicMove::new(flags, origin(to, offset), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, flags: u16, targets: Bitboard, offset: i8) {
        for piece in 0..4 {
            self.of_pawns(flags | flags::PROMOTION | piece, targets, offset);
        }
    }

    #[inline(always)]
    fn special(&mut self, flags: u16, from: Square, to: Square) {
        self.push(MagicMove::new(flags, from, to));
    }
}

/// Counts the moves.
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

/// Returns the square one step back, as seen by side `S`.
#[inline(always)]
pub(super) fn behind<S: Side>(square: Square) -> Square {
    origin(square, S::FORWARD.offset())
}
