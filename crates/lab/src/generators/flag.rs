//! What is special about a move, in three bits: for designs whose moves say that and two squares, and no more.

use super::board::plain_kind;
use perft_core::{MoveKind, Piece, Square};

/// What is special about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Flag {
    Plain,
    DoublePush,
    EnPassant,
    /// The king, on `from`, and its rook, on `to`, castle.
    Castling,
    PromoteKnight,
    PromoteBishop,
    PromoteRook,
    PromoteQueen,
}

impl Flag {
    pub const PROMOTIONS: [Flag; 4] =
        [Flag::PromoteQueen, Flag::PromoteRook, Flag::PromoteBishop, Flag::PromoteKnight];

    /// From its number, in the low three bits; the others are ignored.
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

    /// What the pawn becomes, if it promotes.
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

    /// The common form of a move of this piece.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back_to_flags() {
        for number in 0..8 {
            assert_eq!(Flag::from_low_bits(8 + number) as u32, number);
        }
        assert!(Flag::PROMOTIONS.iter().all(|flag| flag.promotion().is_some()));
    }
}
