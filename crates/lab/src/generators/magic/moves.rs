//! The move of 16 bits, and the list of moves.

use arrayvec::ArrayVec;
use perft_core::internals::{Side, Sink, origin};
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

/// Lists the moves on the stack. A whole set is appended at once, so the length in memory is written only once for each
/// set.
pub(super) struct List {
    pub moves: ArrayVec<MagicMove, MAX_MOVES>,
    /// The occupied squares. Moves of pieces to them are captures.
    pub occupied: Bitboard,
}

impl List {
    /// Adds the move of a pawn to each of these squares, as [`Sink::pawns`] does.
    #[inline(always)]
    fn push_pawns(&mut self, flags: u16, offset: i8, targets: Bitboard) {
        self.moves.extend(targets.into_iter().map(|to| MagicMove::new(flags, origin(to, offset), to)));
    }
}

impl Sink for List {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        let occupied = self.occupied;
        self.moves.extend(targets.into_iter().map(|to| {
            let flags = match kind {
                MoveKind::EnPassant => flags::EN_PASSANT,
                MoveKind::Castling if to > from => flags::KING_CASTLING,
                MoveKind::Castling => flags::QUEEN_CASTLING,
                _ if occupied.contains(to) => flags::CAPTURE,
                _ => flags::QUIET,
            };
            MagicMove::new(flags, from, to)
        }));
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        let flags = if kind == MoveKind::DoublePush { flags::DOUBLE_PUSH } else { capture_flag(offset) };
        self.push_pawns(flags, offset, targets);
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for piece in 0..4 {
            self.push_pawns(capture_flag(offset) | flags::PROMOTION | piece, offset, targets);
        }
    }
}

/// Returns the flag of a move of a pawn that adds `offset` to the index of its square. Captures change the file.
const fn capture_flag(offset: i8) -> u16 {
    if offset % 8 == 0 { flags::QUIET } else { flags::CAPTURE }
}

/// Returns the square one step back, as seen by side `S`.
#[inline(always)]
pub(super) fn behind<S: Side>(square: Square) -> Square {
    origin(square, S::FORWARD.offset())
}
