//! Vectors of bitboards: the operations that the kernel is written in.
//!
//! A width of vector is a value that exists only where the CPU has it ([`Width`]); it makes vectors ([`Lanes`]), whose
//! existence is the proof for all further operations. Everything is inlined into a function that is compiled for the
//! CPU's features. Logic is written with plain operators: the compiler joins two of them into one ternary operation
//! where the CPU has that.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::chess::types::{Bitboard, Direction, File, Square};

/// The greatest number of lanes of any width.
pub const MAX_LANES: usize = 8;

/// The eight directions, those of rooks first, opposite ones side by side: the order of everything that has a bit or a
/// lane for each direction.
pub const DIRECTIONS: [Direction; 8] = [
    Direction::North,
    Direction::South,
    Direction::East,
    Direction::West,
    Direction::NorthEast,
    Direction::SouthWest,
    Direction::NorthWest,
    Direction::SouthEast,
];

/// A width of vector, as a proof that the CPU has it.
pub trait Width: Copy + Send + Sync {
    /// A vector of this width.
    type Lanes: Lanes<Width = Self>;

    /// How many lanes it has, at most [`MAX_LANES`].
    const LANES: usize;

    /// The same set in every lane.
    fn splat(self, set: Bitboard) -> Self::Lanes;

    /// In each lane the set of one square, from its index.
    fn squares(self, squares: &[u8; MAX_LANES]) -> Self::Lanes;

    /// The lanes whose number equals this one.
    fn equal(self, numbers: &[u8; MAX_LANES], number: u8) -> <Self::Lanes as Lanes>::Mask;

    /// The first so many lanes.
    fn first(self, count: usize) -> <Self::Lanes as Lanes>::Mask;

    /// One lane.
    fn lane(self, number: usize) -> <Self::Lanes as Lanes>::Mask;

    /// Which of eight sets, one a direction, have a square in common with sliders of that direction: the first four
    /// with straight sliders, the others with diagonal ones. A bit a direction.
    #[inline(always)]
    fn meeting(self, sets: &[Bitboard; 8], straights: Bitboard, diagonals: Bitboard) -> u8 {
        let mut meeting = 0;
        for (index, set) in sets.iter().enumerate() {
            let sliders = if index < 4 { straights } else { diagonals };
            meeting |= u8::from((*set & sliders).any()) << index;
        }
        meeting
    }

    /// No square in any lane.
    #[inline(always)]
    fn empty(self) -> Self::Lanes {
        self.splat(Bitboard::EMPTY)
    }

    /// The set of one square in every lane.
    #[inline(always)]
    fn square(self, square: Square) -> Self::Lanes {
        self.splat(square.into())
    }
}

/// A few bitboards, or a few numbers of 64 bits, side by side.
pub trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// A yes or no for each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// The width of this vector.
    type Width: Width<Lanes = Self>;

    /// The width of this vector, since it exists.
    fn width(self) -> Self::Width;

    /// Every bit moved up by this many places, or down by a negative number; without regard to the board's edges.
    fn shifted(self, places: i8) -> Self;

    /// Lane by lane, as numbers.
    fn plus(self, other: Self) -> Self;

    /// Lane by lane, as numbers.
    fn minus(self, other: Self) -> Self;

    /// How many squares each lane has.
    fn popcount(self) -> Self;

    /// The highest square of each lane.
    fn highest(self) -> Self;

    /// The lanes that have a square in common with the other.
    fn meets(self, other: Self) -> Self::Mask;

    /// The other where the mask says so.
    fn or_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Flips the other's squares where the mask says so.
    fn xor_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Adds the other, as numbers, where the mask says so.
    fn plus_where(self, mask: Self::Mask, other: Self) -> Self;

    /// The other where the mask says so, this elsewhere.
    fn replaced_where(self, mask: Self::Mask, other: Self) -> Self;

    /// The sum of all lanes, as numbers.
    fn sum(self) -> u64;

    /// What sliding along ranks and files needs to know of the occupied squares; made once for both sides.
    type Blockers: Copy;

    /// These squares, as occupied ones.
    fn blockers(self) -> Self::Blockers;

    /// The squares that sliders attack along files (if `vertical`) and ranks (if `horizontal`).
    fn straight_attacks(self, blockers: Self::Blockers, vertical: bool, horizontal: bool) -> Self;

    /// How many of the targets sliders on files and sliders on ranks reach, counted once a slider.
    fn straight_moves(vertical: Self, horizontal: Self, blockers: Self::Blockers, targets: Self) -> Self;

    /// The lanes without a square in common with the other.
    #[inline(always)]
    fn misses(self, other: Self) -> Self::Mask {
        !self.meets(other)
    }

    /// The lowest square of each lane.
    #[inline(always)]
    fn lowest(self) -> Self {
        self & self.width().empty().minus(self)
    }

    /// What of this the other does not have.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// Every square moved one step; what would leave the board is dropped.
    #[inline(always)]
    fn step(self, direction: Direction) -> Self {
        self.shifted(direction.offset()) & self.width().splat(entered_by(direction))
    }
}

/// The squares on which a step in this direction can end.
#[inline(always)]
pub fn entered_by(direction: Direction) -> Bitboard {
    match direction.delta().0 {
        1 => !Bitboard::file(File::A),
        -1 => !Bitboard::file(File::H),
        _ => Bitboard::FULL,
    }
}
