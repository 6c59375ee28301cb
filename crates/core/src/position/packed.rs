//! A position in 32 bytes, without loss.
//!
//! Sixty-four squares of four bits each, kept as four planes: bit `n` of the code of a square is in plane `n`. There are
//! twelve pieces and the empty square; the three codes that are left hold everything else a position has:
//!
//! ```text
//!   code, planes 2 to 0      plane 3 clear: white       plane 3 set: black
//!   0 0 0                    empty                      marked (below)
//!   0 0 1                    bishop                     bishop
//!   0 1 0                    rook                       rook
//!   0 1 1                    queen                      queen
//!   1 0 0                    pawn                       pawn
//!   1 0 1                    knight                     knight
//!   1 1 0                    king                       king
//!   1 1 1                    king, to move              king, to move
//! ```
//!
//! A *marked* piece is a rook that may still castle, or a pawn that may be taken en passant. Where it stands tells
//! which, and whose: a white rook on rank 1, a white pawn on rank 4, a black pawn on rank 5, a black rook on rank 8.
//!
//! Any number of any pieces fits, whatever game could or could not lead there, and so do the rights of Chess960. Making
//! the planes and reading them are a dozen operations on whole boards each, without a loop over squares. (Coding the
//! pieces of a board with a few bits a square is old; that the codes left over hold the rest of the state is common in
//! formats for training data.)

use super::{Army, Position};
use crate::types::{Bitboard, CastlingRights, Color, Rank, Square};

/// A position in 32 bytes: pieces, side to move, castling rights, and the en passant square if some capture on it is
/// legal. Two positions are the same exactly if their packed forms are equal.
///
/// # Examples
/// ```
/// use perft_core::internals::PackedPosition;
/// use perft_core::Position;
/// let unusable = Position::from_fen("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1")?; // the pawn on d4 is pinned
/// let without = Position::from_fen("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1")?;
/// assert_ne!(unusable, without);
/// assert_eq!(PackedPosition::from(&unusable), PackedPosition::from(&without));
/// assert_eq!(PackedPosition::from(&unusable).unpack(), without);
/// # Ok::<(), crate::position::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedPosition([Bitboard; 4]);

const _: () = assert!(size_of::<PackedPosition>() == 32);

/// Where the marked rooks stand, and where the marked pawns.
const ROOKS: Bitboard = ranks(Rank::First, Rank::Eighth);
const PAWNS: Bitboard = ranks(Rank::Fourth, Rank::Fifth);

/// Where Black's marked pieces stand: the far half of the board.
const BLACK_HALF: Bitboard = Bitboard::from_bits(!0 << 32);

const fn ranks(a: Rank, b: Rank) -> Bitboard {
    Bitboard::from_bits(Bitboard::rank(a).bits() | Bitboard::rank(b).bits())
}

impl From<&Position> for PackedPosition {
    #[inline]
    fn from(position: &Position) -> PackedPosition {
        let [white, black] = &position.armies;
        let mover = Bitboard::from(position.king(position.turn));
        let kings = mover | position.king(!position.turn).into();
        let knights = white.knights | black.knights;
        let marked = (position.castling.all_rooks() & ROOKS) | position.pawn_to_take_en_passant();
        PackedPosition([
            white.diagonals | black.diagonals | knights | mover,
            ((white.orthogonals | black.orthogonals) & !marked) | kings,
            ((white.pawns | black.pawns) & !marked) | knights | kings,
            black.all | marked,
        ])
    }
}

impl Position {
    /// The pawn that may legally be taken en passant.
    #[inline]
    fn pawn_to_take_en_passant(&self) -> Bitboard {
        if self.en_passant.is_none() {
            return Bitboard::EMPTY;
        }
        let passed = self.legal_en_passant().map_or(Bitboard::EMPTY, Bitboard::from);
        passed.step((!self.turn).forward())
    }
}

impl PackedPosition {
    /// The position again; an en passant square that nobody could use is gone.
    #[inline]
    pub fn unpack(&self) -> Position {
        let [one, two, four, eight] = self.0;
        let marked = eight & !(one | two | four);
        let (pawns_and_knights, kings) = (four & !two, four & two);
        let pieces = Army {
            pawns: (pawns_and_knights & !one) | (marked & PAWNS),
            knights: pawns_and_knights & one,
            diagonals: one & !four,
            orthogonals: (two & !four) | (marked & ROOKS),
            all: one | two | four | eight,
        };
        let black = (eight & !marked) | (marked & BLACK_HALF);
        let turn = if (kings & one & black).any() { Color::Black } else { Color::White };
        let passed = (marked & PAWNS).step(turn.forward()).first();
        let mut castling = CastlingRights::NONE;
        (marked & ROOKS).into_iter().for_each(|rook| castling.add(rook));
        Position {
            armies: [pieces.on(!black), pieces.on(black)],
            castling,
            kings: [only(kings & !black), only(kings & black)],
            turn,
            en_passant: passed,
        }
    }

    /// The four planes as words. They are never all zero, as there are kings.
    #[inline(always)]
    pub fn to_words(self) -> [u64; 4] {
        self.0.map(Bitboard::bits)
    }

    /// The packed position of words that came from [`PackedPosition::to_words`].
    #[inline(always)]
    pub fn from_words(words: [u64; 4]) -> PackedPosition {
        PackedPosition(words.map(Bitboard::from_bits))
    }
}

impl Army {
    /// What stands on these squares.
    #[inline(always)]
    fn on(&self, squares: Bitboard) -> Army {
        Army {
            pawns: self.pawns & squares,
            knights: self.knights & squares,
            diagonals: self.diagonals & squares,
            orthogonals: self.orthogonals & squares,
            all: self.all & squares,
        }
    }
}

/// The square of a king, of which a packed position has one a colour.
#[inline(always)]
fn only(king: Bitboard) -> Square {
    king.first().expect("a packed position has two kings")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(fen: &str) -> PackedPosition {
        PackedPosition::from(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn packing_loses_nothing() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
            "1rk3r1/pp4pp/8/3pp3/3PP3/8/PP4PP/1RK3R1 w GBgb - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "rnbqkbnr/pppppppp/nnnnnnnn/bbbbbbbb/BBBBBBBB/NNNNNNNN/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "kn1Q2QK/pp2Q3/QnQ2Q1Q/1Q5Q/3Q2QQ/Q6Q/Q1Q3QQ/2nQQQQ1 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(packed(fen).unpack(), position, "{fen}");
            assert_eq!(PackedPosition::from_words(packed(fen).to_words()), packed(fen), "{fen}");
        }
    }

    #[test]
    fn everything_that_makes_a_position_counts() {
        let all = [
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w K - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",
            "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "4k3/8/8/8/8/8/8/R3K2r w Q - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
        ];
        for (index, a) in all.iter().enumerate() {
            for b in &all[..index] {
                assert_ne!(packed(a), packed(b), "{a} {b}");
            }
        }
    }

    #[test]
    fn an_en_passant_square_that_nobody_can_use_does_not_count() {
        let beside_nobody = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";
        assert_eq!(packed(beside_nobody), packed("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
        let pinned = "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1";
        assert_eq!(packed(pinned), packed("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"));
    }
}
