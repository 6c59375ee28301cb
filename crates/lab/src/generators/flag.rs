//! A flag of three bits for moves whose other data are only two squares.

use perft_core::{MoveKind, Piece, Square};

use super::board::plain_kind;

/// The effect of a move, apart from moving one piece from `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Flag {
    Plain,
    DoublePush,
    EnPassant,
    /// The king on `from` castles with the rook on `to`.
    Castling,
    PromoteKnight,
    PromoteBishop,
    PromoteRook,
    PromoteQueen,
}

impl Flag {
    pub const PROMOTIONS: [Flag; 4] =
        [Flag::PromoteQueen, Flag::PromoteRook, Flag::PromoteBishop, Flag::PromoteKnight];

    /// Returns the flag whose number is in the low three bits. The other bits are ignored.
    #[inline(always)]
    pub const fn from_low_bits(bits: u32) -> Flag {
        match bits & 7 {
            0 => Flag::Plain,
            1 => Flag::DoublePush,
            2 => Flag::EnPassant,
            3 => Flag::Castling,
            4 => Flag::PromoteKnight,
            5 => Flag::PromoteBishop,
            6 => Flag::PromoteRook,
            _ => Flag::PromoteQueen,
        }
    }

    /// Returns the piece to which the pawn promotes, or `None` if the move is not a promotion.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Piece> {
        match self {
            Flag::PromoteKnight => Some(Piece::Knight),
            Flag::PromoteBishop => Some(Piece::Bishop),
            Flag::PromoteRook => Some(Piece::Rook),
            Flag::PromoteQueen => Some(Piece::Queen),
            _ => None,
        }
    }

    /// Returns the kind of a move of this piece in the common form.
    pub fn kind(self, piece: Piece, from: Square, to: Square) -> MoveKind {
        match self {
            Flag::Plain | Flag::DoublePush => plain_kind(piece, from, to),
            Flag::EnPassant => MoveKind::EnPassant,
            Flag::Castling => MoveKind::Castling,
            Flag::PromoteKnight => MoveKind::PromoteKnight,
            Flag::PromoteBishop => MoveKind::PromoteBishop,
            Flag::PromoteRook => MoveKind::PromoteRook,
            Flag::PromoteQueen => MoveKind::PromoteQueen,
        }
    }
}
