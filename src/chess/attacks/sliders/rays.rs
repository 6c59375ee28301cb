//! Sliders by rays: the classical approach.
//!
//! A table has the eight rays of every square: the squares in one direction on an empty board. The first blocker on a
//! ray is its lowest occupied square in the four directions in which the numbers of squares grow (north, east and
//! between), its highest in the other four; one bit scan finds it. What lies behind it is the blocker's own ray in that
//! direction, and xor takes it away. A bishop on b2, to the north-east (x is occupied):
//!
//! ```text
//!   its ray                   that of the blocker        attacked
//!   . . . . . . . 1           . . . . . . . 1            . . . . . . . .
//!   . . . . . . x .           . . . . . . 1 .            . . . . . . . .
//!   . . . . . x . .           . . . . . B . .            . . . . . 1 . .
//!   . . . . 1 . . .           . . . . . . . .            . . . . 1 . . .
//!   . . . 1 . . . .    xor    . . . . . . . .      =     . . . 1 . . . .
//!   . . 1 . . . . .           . . . . . . . .            . . 1 . . . . .
//!   . B . . . . . .           . . . . . . . .            . B . . . . . .
//!   . . . . . . . .           . . . . . . . .            . . . . . . . .
//! ```
//!
//! A ray without a blocker would need a branch, which is mispredicted often. Instead the last square of the scan, h8 or
//! a1, always counts as blocker: nothing lies behind it in any of its four directions, so that nothing is taken away.
//!
//! The rays of a piece share no square. So all of them are read at once, and what lies behind four blockers is taken
//! away one after another.
//!
//! Costs: 5 KiB of tables, and 25 instructions a look-up; it needs a bit scan in both directions, which every CPU of the
//! last decades has. (Chess Programming Wiki, "Classical Approach"; Slate and Atkin's Chess and the program Kaissa are
//! thought to be the first.)

use super::{Sliders, ray};
use crate::chess::types::{Bitboard, Direction, Square};

/// Look-up by rays and bit scans: works on every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Rays;

impl Sliders for Rays {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        TABLES.diagonal[square.index()]
            ^ behind_lowest(Direction::NorthEast, square, occupied)
            ^ behind_lowest(Direction::NorthWest, square, occupied)
            ^ behind_highest(Direction::SouthWest, square, occupied)
            ^ behind_highest(Direction::SouthEast, square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        TABLES.straight[square.index()]
            ^ behind_lowest(Direction::North, square, occupied)
            ^ behind_lowest(Direction::East, square, occupied)
            ^ behind_highest(Direction::South, square, occupied)
            ^ behind_highest(Direction::West, square, occupied)
    }
}

/// What the first blocker hides in a direction in which the numbers of squares grow.
#[inline(always)]
fn behind_lowest(direction: Direction, square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &TABLES.rays[direction as usize];
    let blockers = (rays[square.index()] & occupied).with(Square::H8);
    rays[blockers.bits().trailing_zeros() as usize]
}

/// What the first blocker hides in a direction in which the numbers of squares fall.
#[inline(always)]
fn behind_highest(direction: Direction, square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &TABLES.rays[direction as usize];
    let blockers = (rays[square.index()] & occupied).with(Square::A1);
    rays[63 - blockers.bits().leading_zeros() as usize]
}

/// In one piece, so that one register points to all of it.
struct Tables {
    diagonal: [Bitboard; 64],
    straight: [Bitboard; 64],
    /// By direction, then by square.
    rays: [[Bitboard; 64]; 8],
}

static TABLES: Tables = Tables::new();

impl Tables {
    const fn new() -> Tables {
        let none = [Bitboard::EMPTY; 64];
        let mut tables = Tables { diagonal: none, straight: none, rays: [none; 8] };
        let mut d = 0;
        while d < 4 {
            tables.add(Direction::DIAGONAL[d]);
            tables.add(Direction::STRAIGHT[d]);
            d += 1;
        }
        let mut index = 0;
        while index < 64 {
            tables.diagonal[index] = tables.all_of(&Direction::DIAGONAL, index);
            tables.straight[index] = tables.all_of(&Direction::STRAIGHT, index);
            index += 1;
        }
        tables
    }

    const fn add(&mut self, direction: Direction) {
        let mut index = 0;
        while index < 64 {
            self.rays[direction as usize][index] = ray(Square::ALL[index], direction, Bitboard::EMPTY);
            index += 1;
        }
    }

    const fn all_of(&self, directions: &[Direction; 4], index: usize) -> Bitboard {
        let mut set = 0;
        let mut d = 0;
        while d < 4 {
            set |= self.rays[directions[d] as usize][index].bits();
            d += 1;
        }
        Bitboard::from_bits(set)
    }
}
