//! Slider lookup by rays: the classical approach.
//!
//! A table has the eight rays of every square: the squares in one direction on an empty board. In the four directions
//! in which the indices of squares grow (north, north-east, north-west and east), the first blocker on a ray is its
//! lowest occupied square. In the other four directions, it is the highest one. One bit scan finds it. The squares
//! behind the blocker are its own ray in this direction. An exclusive or removes them. A bishop on b2, to the
//! north-east (x is occupied):
//!
//! ```text
//!   its ray                   the blocker's ray          attacked
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
//! A ray without a blocker needs no branch, which would often be mispredicted. The scan then counts 64 zeros, and the
//! table has an empty ray at index 64, so that nothing is removed. Many programs instead add a corner square to the
//! blockers before the scan. This takes one more instruction for each ray, and another one to turn leading zeros into a
//! square. Here, the index of the table is the number that the scan counts.
//!
//! The rays of a piece have no common square. So all four are read as one set, and the squares behind the four blockers
//! are removed one after another.
//!
//! **Cost.** 9 KiB of tables. 20 instructions: a mask, a scan and two loads for each ray. It needs bit scans in both
//! directions that are defined for zero (`tzcnt` and `lzcnt`). Without them, it takes 1.5 times as many instructions.
//!
//! Source: Chess Programming Wiki, "Classical Approach"; the first programs were probably Slate and Atkin's Chess and
//! Kaissa.

use perft_core::internals::Direction;
use perft_core::internals::attacks::{diagonal_rays, orthogonal_rays};
use perft_core::internals::sliders::{Sliders, ray};
use perft_core::{Bitboard, Square};

/// Looks up attacks by rays and bit scans. Works on every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Rays;

impl Sliders for Rays {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        diagonal_rays(square)
            ^ behind(Direction::NorthEast, square, occupied)
            ^ behind(Direction::NorthWest, square, occupied)
            ^ behind(Direction::SouthEast, square, occupied)
            ^ behind(Direction::SouthWest, square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        orthogonal_rays(square)
            ^ behind(Direction::North, square, occupied)
            ^ behind(Direction::East, square, occupied)
            ^ behind(Direction::South, square, occupied)
            ^ behind(Direction::West, square, occupied)
    }
}

/// Returns the squares behind the first blocker on a ray. On a ray towards h8, it is the lowest blocker, and on a ray
/// towards a1 the highest one.
#[inline(always)]
fn behind(direction: Direction, square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[direction as usize];
    let blockers = (rays.from[square.index()] & occupied).bits();
    let zeros = if direction.offset() > 0 { blockers.trailing_zeros() } else { blockers.leading_zeros() };
    rays.behind[zeros as usize]
}

/// The rays of all squares, by direction. One register points to all tables.
static RAYS: [RayTable; 8] = {
    let mut rays = [RayTable { from: [Bitboard::EMPTY; 64], behind: [Bitboard::EMPTY; 65] }; 8];
    let mut index = 0;
    while index < 8 * 64 {
        let (direction, square) = (Direction::ALL[index / 64], index % 64);
        let set = ray(Square::ALL[square], direction, Bitboard::EMPTY);
        rays[index / 64].from[square] = set;
        rays[index / 64].behind[if direction.offset() > 0 { square } else { 63 - square }] = set;
        index += 1;
    }
    rays
};

/// The rays of one direction.
#[derive(Clone, Copy)]
struct RayTable {
    /// The ray of each square.
    from: [Bitboard; 64],
    /// The squares behind the first blocker, by the number of zeros that the bit scan counts. Without a blocker, it
    /// counts 64, and the set is empty.
    behind: [Bitboard; 65],
}
