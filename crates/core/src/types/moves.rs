//! A move in 16 bits, and a list of moves; castling rights, sides, and the two notations of a castling move.
//!
//! A [`Move`] has its two squares and its kind. The captured piece is not in it, because the position has it. For
//! castling, the two squares are those of the king and its rook, in standard chess too, because only this form is
//! unambiguous in Chess960. [`Move::to_uci`] writes castling in either notation.
//!
//! A castling right is stored as the square of its rook. This is enough for Chess960, too, and makes losing rights one
//! operation. A move clears the rights on its two squares, because the rook there has moved or was captured. A king
//! move clears the rights on the king's back rank.

use arrayvec::ArrayVec;

use super::piece::{Color, Piece};
use super::square::{Bitboard, Square};

numbered! {
    /// The kind of a move: everything that playing the move needs in addition to its squares.
    ///
    /// A queen moves like a bishop or like a rook, so two kinds cover all sliders.
    pub enum MoveKind {
        /// A single step or a capture of a pawn, without promotion.
        Pawn,
        /// A double step of a pawn.
        DoublePush,
        /// A pawn captures en passant.
        EnPassant,
        /// A knight move.
        Knight,
        /// A move of a bishop, or a diagonal move of a queen.
        Diagonal,
        /// A move of a rook, or a move of a queen along a rank or file.
        Orthogonal,
        /// A king move, except castling.
        King,
        /// Castling of the king on `from` with its rook on `to`.
        Castling,
        /// A pawn promotes to a knight, with or without a capture.
        PromoteKnight,
        /// A pawn promotes to a bishop, with or without a capture.
        PromoteBishop,
        /// A pawn promotes to a rook, with or without a capture.
        PromoteRook,
        /// A pawn promotes to a queen, with or without a capture.
        PromoteQueen,
    }
}

impl MoveKind {
    /// The four promotions, queen first.
    pub const PROMOTIONS: [MoveKind; 4] =
        [MoveKind::PromoteQueen, MoveKind::PromoteRook, MoveKind::PromoteBishop, MoveKind::PromoteKnight];

    /// The kinds by their code in a [`Move`]. The four-bit field has four unused codes, which the last kind fills.
    const BY_CODE: [MoveKind; 16] = {
        let mut kinds = [MoveKind::PromoteQueen; 16];
        kinds.split_at_mut(MoveKind::ALL.len()).0.copy_from_slice(&MoveKind::ALL);
        kinds
    };

    /// Returns the piece that the pawn promotes to, or `None` for other kinds of moves.
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

/// A move: its two squares and its kind, in 16 bits.
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
    /// Returns the move of this kind. For castling, `from` is the square of the king and `to` the square of the rook.
    #[inline(always)]
    pub const fn new(kind: MoveKind, from: Square, to: Square) -> Move {
        Move(from as u16 | (to as u16) << 6 | (kind as u16) << 12)
    }

    /// Returns the square that the piece leaves; for castling, the square of the king.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0 as u32)
    }

    /// Returns the square that the piece moves to; for castling, the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.0 as u32 >> 6)
    }

    /// Returns the kind of the move.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        MoveKind::BY_CODE[(self.0 >> 12) as usize]
    }

    /// Returns the move in the long algebraic notation of UCI, such as `e2e4` or `e7e8q`.
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

/// The capacity of a [`MoveList`]: more moves than any position has, even if no game can reach it.
///
/// Let n be the number of pieces of the side to move. No piece has more moves than a queen, which has at most 27. With
/// two castling moves, that gives at most `27 n + 2` moves.
///
/// The target squares give a second limit. The moves to a square come from at most one piece in each of eight
/// directions and from at most eight knights. On the last rank, three pawns with four promotions each, two pieces along
/// the rank and four knights make at most 18 moves. There are `64 - n` possible target squares. With 2 more to each
/// square of the last rank and 2 castling moves, there are at most `16 (64 - n) + 18` moves.
///
/// The smaller of the two limits is largest for 24 pieces, where it is 650.
pub const MAX_MOVES: usize = 656;

/// A list of moves on the stack. It can be used like a slice.
///
/// # Examples
/// ```
/// use perft_core::{MoveList, Position};
///
/// let mut moves: MoveList = Position::start().legal_moves();
/// moves.sort();
/// assert_eq!((moves.len(), moves.iter().count()), (20, 20));
/// ```
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// The side of the board on which a king castles. In Chess960, the king's target square decides: g-file or c-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// King to the g-file, rook to the f-file.
    King,
    /// King to the c-file, rook to the d-file.
    Queen,
}

impl CastlingSide {
    /// Returns the side on which a king castles with a rook of the same rank.
    #[inline(always)]
    pub fn of(king: Square, rook: Square) -> CastlingSide {
        if rook > king { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// Returns the square on which the king stands after castling.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        match (self, color) {
            (CastlingSide::King, Color::White) => Square::G1,
            (CastlingSide::King, Color::Black) => Square::G8,
            (CastlingSide::Queen, Color::White) => Square::C1,
            (CastlingSide::Queen, Color::Black) => Square::C8,
        }
    }

    /// Returns the square on which the rook stands after castling.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        match (self, color) {
            (CastlingSide::King, Color::White) => Square::F1,
            (CastlingSide::King, Color::Black) => Square::F8,
            (CastlingSide::Queen, Color::White) => Square::D1,
            (CastlingSide::Queen, Color::Black) => Square::D8,
        }
    }
}

/// The castling rights of both colours: the squares of the rooks that may still castle.
///
/// # Examples
/// ```
/// use perft_core::{CastlingRights, Color, Square};
/// let mut rights = CastlingRights::NONE;
/// rights.add(Square::H1);
/// rights.add(Square::A8);
/// assert!(rights.rooks(Color::White).contains(Square::H1));
/// rights.remove(Square::H1.into());
/// assert!(rights.rooks(Color::White).is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// No castling rights.
    pub const NONE: CastlingRights = CastlingRights(Bitboard::EMPTY);

    /// Returns the squares of the rooks of both colours that may castle.
    #[inline(always)]
    pub const fn all_rooks(self) -> Bitboard {
        self.0
    }

    /// Returns the squares of the rooks of one colour that may castle. These squares are on its back rank.
    #[inline(always)]
    pub fn rooks(self, color: Color) -> Bitboard {
        self.0 & Bitboard::rank(color.back_rank())
    }

    /// Returns the rights with the colours exchanged.
    #[inline(always)]
    pub(crate) fn flipped(self) -> CastlingRights {
        CastlingRights(self.0.flipped())
    }

    /// Adds the right to castle with the rook on a square.
    pub fn add(&mut self, rook: Square) {
        self.0 |= rook.into();
    }

    /// Removes the rights of all rooks on these squares.
    #[inline(always)]
    pub fn remove(&mut self, squares: Bitboard) {
        self.0 &= !squares;
    }
}

/// The way in which a castling move is written in UCI notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingNotation {
    /// By the two squares of the king, `e1g1`, as in standard chess.
    #[default]
    Standard,
    /// By the squares of king and rook, `e1h1`, as in Chess960.
    Chess960,
}
