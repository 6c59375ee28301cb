//! Lines on the board: the rays of a slider on an empty board, and the squares between two squares.

use super::sliders::ray;
use crate::types::{Bitboard, Direction, Square};

/// Returns the squares that a rook attacks on an empty board.
#[inline(always)]
pub fn orthogonal_rays(square: Square) -> Bitboard {
    static ORTHOGONAL: [Bitboard; 64] = rays(&Direction::ORTHOGONAL);
    ORTHOGONAL[square.index()]
}

/// Returns the squares that a bishop attacks on an empty board.
#[inline(always)]
pub fn diagonal_rays(square: Square) -> Bitboard {
    static DIAGONAL: [Bitboard; 64] = rays(&Direction::DIAGONAL);
    DIAGONAL[square.index()]
}

/// Returns the squares strictly between two squares of one rank, file or diagonal, or no squares if they share none.
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

const fn rays(directions: &[Direction; 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut d = 0;
        while d < 4 {
            let ray = ray(Square::ALL[index], directions[d], Bitboard::EMPTY);
            table[index] = Bitboard::from_bits(table[index].bits() | ray.bits());
            d += 1;
        }
        index += 1;
    }
    table
}

const fn between_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 64 {
        let mut d = 0;
        while d < 8 {
            walk(&mut table[index], Square::ALL[index], Direction::ALL[d]);
            d += 1;
        }
        index += 1;
    }
    table
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
