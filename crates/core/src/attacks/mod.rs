//! Attack sets: the squares that a piece on a square attacks.
//!
//! The attacks of knights, kings and pawns, the rays of a slider on an empty board, and the squares between two squares
//! are tables. The attacks of sliders depend on the occupied squares. A lookup method finds them: see
//! [`sliders::Sliders`]. The tables of this file are built at compile time.

pub mod sliders;

use crate::const_table;
use crate::types::{Bitboard, Color, Direction, Square};
use sliders::{BISHOP_LINES, Lines, ROOK_LINES, line};

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
    const_table!([Bitboard::EMPTY; 64], index => {
        let mut reached = Bitboard::EMPTY;
        let mut leap = 0;
        while leap < leaps.len() {
            let file = index as i8 % 8 + leaps[leap].0;
            let rank = index as i8 / 8 + leaps[leap].1;
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                reached = reached.with(Square::ALL[(rank * 8 + file) as usize]);
            }
            leap += 1;
        }
        reached
    })
}

/// Returns the squares that a rook attacks on an empty board.
#[inline(always)]
pub fn orthogonal_rays(square: Square) -> Bitboard {
    static ORTHOGONAL: [Bitboard; 64] = rays(&ROOK_LINES);
    ORTHOGONAL[square.index()]
}

/// Returns the squares that a bishop attacks on an empty board.
#[inline(always)]
pub fn diagonal_rays(square: Square) -> Bitboard {
    static DIAGONAL: [Bitboard; 64] = rays(&BISHOP_LINES);
    DIAGONAL[square.index()]
}

/// Returns the squares strictly between two squares of one rank, file or diagonal. Otherwise returns no squares.
///
/// # Examples
/// ```
/// use perft_core::internals::attacks::between;
/// use perft_core::{Bitboard, Square};
/// assert_eq!(between(Square::A1, Square::C3), Bitboard::from(Square::B2));
/// assert!(between(Square::A1, Square::B3).is_empty());
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    static BETWEEN: [[Bitboard; 64]; 64] = between_table();
    BETWEEN[a.index()][b.index()]
}

const fn rays(lines: &Lines) -> [Bitboard; 64] {
    const_table!([Bitboard::EMPTY; 64], index => {
        let square = Square::ALL[index];
        Bitboard::from_bits(line(square, lines[0]) | line(square, lines[1]))
    })
}

const fn between_table() -> [[Bitboard; 64]; 64] {
    const_table!([[Bitboard::EMPTY; 64]; 64], index => {
        let mut row = [Bitboard::EMPTY; 64];
        let mut d = 0;
        while d < 8 {
            walk(&mut row, Square::ALL[index], Direction::ALL[d]);
            d += 1;
        }
        row
    })
}

/// Walks from a square to the edge. For every square on the way, it stores the squares in between.
const fn walk(row: &mut [Bitboard; 64], from: Square, direction: Direction) {
    let mut passed = Bitboard::EMPTY;
    let mut next = direction.step(from);
    while let Some(square) = next {
        row[square.index()] = passed;
        passed = passed.with(square);
        next = direction.step(square);
    }
}
