//! Sliders by walking from square to square. The method is slow and obvious. The tests compare every other method with
//! it.

use super::Sliders;
use crate::types::{Bitboard, Direction, Square};

/// The lookup that walks along each ray, up to an occupied square or the edge of the board.
///
/// # Examples
/// ```
/// use perft_core::internals::sliders::{Sliders, Walk};
/// use perft_core::{Bitboard, Square};
/// let blocker = Bitboard::from(Square::A3);
/// assert_eq!(Walk.rook(Square::A1, blocker).count(), 2 + 7);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Walk;

impl Sliders for Walk {
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        walk(square, occupied, Direction::DIAGONAL)
    }

    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        walk(square, occupied, Direction::ORTHOGONAL)
    }
}

/// Returns the squares from a square in one direction, up to and including the first occupied square.
pub const fn ray(from: Square, direction: Direction, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut next = direction.step(from);
    while let Some(square) = next {
        set = set.with(square);
        next = if occupied.contains(square) { None } else { direction.step(square) };
    }
    set
}

fn walk(square: Square, occupied: Bitboard, directions: [Direction; 4]) -> Bitboard {
    directions.into_iter().fold(Bitboard::EMPTY, |set, direction| set | ray(square, direction, occupied))
}
