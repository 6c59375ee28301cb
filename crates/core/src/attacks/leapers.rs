//! Attack sets of the pieces that do not slide: knights, kings and pawns.

use crate::types::{Bitboard, Color, Square};

/// Returns the squares that a knight on a square attacks.
///
/// ```text
///   . 1 . 1 .
///   1 . . . 1
///   . . N . .
///   1 . . . 1
///   . 1 . 1 .
/// ```
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    static KNIGHT: [Bitboard; 64] =
        table(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
    KNIGHT[square.index()]
}

/// Returns the squares that a king on a square attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    static KING: [Bitboard; 64] =
        table(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
    KING[square.index()]
}

/// Returns the squares that a pawn of a colour on a square attacks.
///
/// To find the pawns that attack a square, use the attacks of a pawn of the *other* colour on that square.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    static PAWN: [[Bitboard; 64]; 2] = [table(&[(-1, 1), (1, 1)]), table(&[(-1, -1), (1, -1)])];
    PAWN[color.index()][square.index()]
}

/// Returns, for every square, the squares that the leaps reach. A leap is a distance in files and ranks.
const fn table(leaps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut leap = 0;
        while leap < leaps.len() {
            let file = index as i8 % 8 + leaps[leap].0;
            let rank = index as i8 / 8 + leaps[leap].1;
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                table[index] = table[index].with(Square::ALL[(rank * 8 + file) as usize]);
            }
            leap += 1;
        }
        index += 1;
    }
    table
}
