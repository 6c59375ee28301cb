//! A move in 16 bits, and a list of moves.
//!
//! A [`Move`] carries from, to and what kind of change it is; what it captures is known to the position. Castling is
//! written as the king taking its own rook, in standard chess too: that is the one form which is unambiguous in
//! Chess960. The usual text is a matter of output ([`Move::to_uci`]).

use arrayvec::ArrayVec;

use super::{CastlingNotation, CastlingSide, Piece, Square};

/// What a move does to the board, in as much detail as playing it needs.
///
/// A queen moves as a bishop or as a rook, so two kinds cover the three sliders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// A pawn's single step or capture, without promotion.
    Pawn,
    /// A pawn's first double step.
    DoublePush,
    /// A pawn captures the pawn that has just passed it.
    EnPassant,
    /// A knight's move.
    Knight,
    /// A bishop, or a queen moving as one.
    Diagonal,
    /// A rook, or a queen moving as one.
    Orthogonal,
    /// A king's single step.
    King,
    /// The king, on `from`, and its rook, on `to`, castle.
    Castling,
    /// A pawn becomes a knight, capturing or not.
    PromoteKnight,
    /// A pawn becomes a bishop, capturing or not.
    PromoteBishop,
    /// A pawn becomes a rook, capturing or not.
    PromoteRook,
    /// A pawn becomes a queen, capturing or not.
    PromoteQueen,
}

impl MoveKind {
    /// The four promotions, queen first.
    pub const PROMOTIONS: [MoveKind; 4] =
        [MoveKind::PromoteQueen, MoveKind::PromoteRook, MoveKind::PromoteBishop, MoveKind::PromoteKnight];

    /// By number; the four unused codes of the four-bit field stand for the last kind and are never made.
    const BY_CODE: [MoveKind; 16] = [
        MoveKind::Pawn,
        MoveKind::DoublePush,
        MoveKind::EnPassant,
        MoveKind::Knight,
        MoveKind::Diagonal,
        MoveKind::Orthogonal,
        MoveKind::King,
        MoveKind::Castling,
        MoveKind::PromoteKnight,
        MoveKind::PromoteBishop,
        MoveKind::PromoteRook,
        MoveKind::PromoteQueen,
        MoveKind::PromoteQueen,
        MoveKind::PromoteQueen,
        MoveKind::PromoteQueen,
        MoveKind::PromoteQueen,
    ];

    /// What the pawn becomes, if it promotes.
    pub const fn promotion(self) -> Option<Piece> {
        match self {
            MoveKind::PromoteKnight => Some(Piece::Knight),
            MoveKind::PromoteBishop => Some(Piece::Bishop),
            MoveKind::PromoteRook => Some(Piece::Rook),
            MoveKind::PromoteQueen => Some(Piece::Queen),
            _ => None,
        }
    }
}

/// A move: from, to and kind in 16 bits.
///
/// # Examples
/// ```
/// use perft_core::{CastlingNotation, Move, MoveKind, Square};
/// let push = Move::new(MoveKind::DoublePush, Square::E2, Square::E4);
/// assert_eq!(push.to_uci(CastlingNotation::Standard), "e2e4");
/// let castling = Move::new(MoveKind::Castling, Square::E1, Square::H1);
/// assert_eq!(castling.to_uci(CastlingNotation::Standard), "e1g1");
/// assert_eq!(castling.to_uci(CastlingNotation::Chess960), "e1h1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// A move of this kind; for castling, from the king's square to the rook's.
    #[inline(always)]
    pub const fn new(kind: MoveKind, from: Square, to: Square) -> Move {
        Move(from as u16 | (to as u16) << 6 | (kind as u16) << 12)
    }

    /// Where the piece (for castling, the king) comes from.
    #[inline(always)]
    pub const fn from(self) -> Square {
        // SAFETY: six bits are below 64.
        unsafe { Square::from_index_unchecked((self.0 & 63) as u8) }
    }

    /// Where the piece goes (for castling, where the rook stands).
    #[inline(always)]
    pub const fn to(self) -> Square {
        // SAFETY: six bits are below 64.
        unsafe { Square::from_index_unchecked((self.0 >> 6 & 63) as u8) }
    }

    /// What the move does.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        MoveKind::BY_CODE[(self.0 >> 12) as usize]
    }

    /// The move in UCI's long algebraic notation: `e2e4`, `e7e8q`, and castling as the notation has it.
    pub fn to_uci(self, notation: CastlingNotation) -> String {
        let (from, mut to) = (self.from(), self.to());
        if self.kind() == MoveKind::Castling && notation == CastlingNotation::Standard {
            let king = CastlingSide::of(from, to).king_target(super::Color::White);
            to = Square::new(king.file(), from.rank());
        }
        match self.kind().promotion() {
            Some(piece) => format!("{from}{to}{}", piece.letter()),
            None => format!("{from}{to}"),
        }
    }
}

/// More moves than any placement of pieces has, be it reachable or not.
///
/// A queen has at most 27 moves and no piece has more, so N men (and two castlings) have at most 27 N + 2. Counted by
/// target, a square takes at most one mover from each of eight directions and eight knights; on the last rank
/// three pawns with four promotions each, two movers along the rank and four knights, 18. So 64 - N target squares
/// take at most 16 (64 - N) + 18. The smaller of the two is largest at N = 24 with 650.
pub const MAX_MOVES: usize = 656;

/// A list of moves that lives on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_loses_nothing() {
        for code in 0..12 {
            let kind = MoveKind::BY_CODE[code];
            assert_eq!(kind as usize, code);
            for from in Square::ALL {
                for to in Square::ALL {
                    let packed = Move::new(kind, from, to);
                    assert_eq!((packed.kind(), packed.from(), packed.to()), (kind, from, to));
                }
            }
        }
    }
}
