//! The eight directions of the board, named as on a map with White in the south, and single steps in these directions.

use super::Square;

/// One of the eight directions in which a queen moves.
///
/// The value of a direction is the number that one step adds to the index of a square.
///
/// ```text
///   NorthWest   North   NorthEast        +7  +8  +9
///        West     .     East             -1   .  +1
///   SouthWest   South   SouthEast        -9  -8  -7
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Direction {
    North,
    South,
    East,
    West,
    NorthEast,
    SouthWest,
    NorthWest,
    SouthEast,
}

impl Direction {
    /// All directions: those of a rook, then those of a bishop.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::South,
        Direction::East,
        Direction::West,
        Direction::NorthEast,
        Direction::SouthWest,
        Direction::NorthWest,
        Direction::SouthEast,
    ];

    /// The four directions of a rook.
    pub const ORTHOGONAL: [Direction; 4] =
        [Direction::North, Direction::South, Direction::East, Direction::West];

    /// The four directions of a bishop.
    pub const DIAGONAL: [Direction; 4] =
        [Direction::NorthEast, Direction::SouthWest, Direction::NorthWest, Direction::SouthEast];

    /// Returns the number of files (towards h) and ranks (towards 8) of one step.
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Direction::North => (0, 1),
            Direction::South => (0, -1),
            Direction::East => (1, 0),
            Direction::West => (-1, 0),
            Direction::NorthEast => (1, 1),
            Direction::SouthWest => (-1, -1),
            Direction::NorthWest => (-1, 1),
            Direction::SouthEast => (1, -1),
        }
    }

    /// Returns the number that one step adds to the index of a square.
    #[inline(always)]
    pub const fn offset(self) -> i8 {
        let (files, ranks) = self.delta();
        ranks * 8 + files
    }

    /// Returns the square one step away, or `None` if that is off the board.
    ///
    /// # Examples
    /// ```
    /// use perft_core::internals::Direction;
    /// use perft_core::Square;
    /// assert_eq!(Direction::NorthEast.step(Square::E4), Some(Square::F5));
    /// assert_eq!(Direction::East.step(Square::H4), None);
    /// ```
    pub const fn step(self, square: Square) -> Option<Square> {
        let (files, ranks) = self.delta();
        let file = (square as i8 % 8) + files;
        let rank = (square as i8 / 8) + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Square::from_index((rank * 8 + file) as usize)
    }
}
