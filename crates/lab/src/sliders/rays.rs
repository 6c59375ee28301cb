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
//! A ray without a blocker needs no branch, which would be mispredicted often: the scan then counts 64 zeros, and behind
//! the rays of the 64 squares the table has one more, an empty one, so that nothing is taken away. (The usual way is to
//! or a corner square into the blockers before the scan: one more instruction a ray, and another to turn leading zeros
//! into a square. Here the rays that hide are in the order in which the scan counts.)
//!
//! The rays of a piece share no square. So all of them are read at once, and what lies behind four blockers is taken
//! away one after another.
//!
//! Costs: 9 KiB of tables, and 20 instructions a look-up, mask, scan and two loads a ray; it needs a bit scan in both
//! directions that is defined for zero (`tzcnt` and `lzcnt`), else it is half as much again. (Chess Programming Wiki,
//! "Classical Approach"; Slate and Atkin's Chess and the program Kaissa are thought to be the first.)

use super::Sliders;
use perft_core::internals::Direction;
use perft_core::internals::attacks::{diagonal_rays, orthogonal_rays};
use perft_core::internals::sliders::ray;
use perft_core::{Bitboard, Square};

/// Look-up by rays and bit scans: works on every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Rays;

impl Sliders for Rays {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        diagonal_rays(square)
            ^ TABLES.north_east.hidden_upwards(square, occupied)
            ^ TABLES.north_west.hidden_upwards(square, occupied)
            ^ TABLES.south_east.hidden_downwards(square, occupied)
            ^ TABLES.south_west.hidden_downwards(square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        orthogonal_rays(square)
            ^ TABLES.north.hidden_upwards(square, occupied)
            ^ TABLES.east.hidden_upwards(square, occupied)
            ^ TABLES.south.hidden_downwards(square, occupied)
            ^ TABLES.west.hidden_downwards(square, occupied)
    }
}

/// The rays of all squares, one table a direction, all at fixed distances from one address.
struct Tables {
    north: Ray,
    east: Ray,
    north_east: Ray,
    north_west: Ray,
    south: Ray,
    west: Ray,
    south_east: Ray,
    south_west: Ray,
}

static TABLES: Tables = Tables {
    north: Ray::all(Direction::North),
    east: Ray::all(Direction::East),
    north_east: Ray::all(Direction::NorthEast),
    north_west: Ray::all(Direction::NorthWest),
    south: Ray::all(Direction::South),
    west: Ray::all(Direction::West),
    south_east: Ray::all(Direction::SouthEast),
    south_west: Ray::all(Direction::SouthWest),
};

/// The rays of one direction.
struct Ray {
    /// By the square that they start from.
    from: [Bitboard; 64],
    /// By the zeros that the bit scan counts before it meets the blocker, what that hides. With no blocker there are
    /// 64 zeros, and nothing is hidden.
    hidden: [Bitboard; 65],
}

impl Ray {
    const fn all(direction: Direction) -> Ray {
        let mut rays = Ray { from: [Bitboard::EMPTY; 64], hidden: [Bitboard::EMPTY; 65] };
        let mut index = 0;
        while index < 64 {
            let set = ray(Square::ALL[index], direction, Bitboard::EMPTY);
            rays.from[index] = set;
            rays.hidden[if direction.offset() > 0 { index } else { 63 - index }] = set;
            index += 1;
        }
        rays
    }

    /// What the first blocker hides on a ray towards h8: it is the lowest one.
    #[inline(always)]
    fn hidden_upwards(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let blockers = self.from[square.index()] & occupied;
        self.hidden[blockers.bits().trailing_zeros() as usize]
    }

    /// What the first blocker hides on a ray towards a1: it is the highest one.
    #[inline(always)]
    fn hidden_downwards(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let blockers = self.from[square.index()] & occupied;
        self.hidden[blockers.bits().leading_zeros() as usize]
    }
}
