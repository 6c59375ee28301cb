//! Vectors of bitboards: the operations that the kernel is written in.
//!
//! A width of vector is a value that exists only where the CPU has it ([`Width`]); it makes vectors ([`Lanes`]), whose
//! existence is the proof for all further operations. Everything is inlined into a function that is compiled for the
//! CPU's features. Logic is written with plain operators: the compiler joins two of them into one ternary operation
//! where the CPU has that.

use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::list::{Entry, ROOM};
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

    /// A number a lane; what is beyond the last lane is left out.
    fn load(self, numbers: &[u32; MAX_LANES]) -> Self::Lanes;

    /// The first so many lanes.
    fn first(self, count: usize) -> <Self::Lanes as Lanes>::Mask;

    /// Writes `base + to * stride` for each target, ascending; what lies behind the last is undefined.
    fn write_moves(self, targets: Bitboard, base: u32, stride: u32, room: &mut [MaybeUninit<Entry>; ROOM]);

    /// No square in any lane.
    #[inline(always)]
    fn empty(self) -> Self::Lanes {
        self.splat(Bitboard::EMPTY)
    }

    /// The same number in every lane.
    #[inline(always)]
    fn number(self, number: u64) -> Self::Lanes {
        self.splat(Bitboard::from_bits(number))
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

    /// In each lane the set of the square that its lowest six bits are the index of.
    fn squares(self) -> Self;

    /// In each lane what stands in the lane of this whose number the lowest bits of `numbers` are.
    fn permuted(self, numbers: Self) -> Self;

    /// Lane by lane, as numbers.
    fn plus(self, other: Self) -> Self;

    /// Lane by lane, as numbers.
    fn minus(self, other: Self) -> Self;

    /// Lane by lane, as numbers with a sign, of at most 32 bits each.
    fn times(self, other: Self) -> Self;

    /// How many squares each lane has.
    fn popcount(self) -> Self;

    /// The lanes that have a square in common with the other.
    fn meets(self, other: Self) -> Self::Mask;

    /// The lanes that equal the other's.
    fn equals(self, other: Self) -> Self::Mask;

    /// The other where the mask says so.
    fn or_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Flips the other's squares where the mask says so.
    fn xor_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Adds the other, as numbers, where the mask says so.
    fn plus_where(self, mask: Self::Mask, other: Self) -> Self;

    /// The other where the mask says so, this elsewhere.
    fn replaced_where(self, mask: Self::Mask, other: Self) -> Self;

    /// This where the mask says so, nothing elsewhere.
    fn only_where(self, mask: Self::Mask) -> Self;

    /// The sum of all lanes, as numbers.
    fn sum(self) -> u64;

    /// The lanes one by one.
    fn to_array(self) -> [Bitboard; MAX_LANES];

    /// The lanes of a mask, a bit each.
    fn bits(mask: Self::Mask) -> u8;

    /// What sliding needs to know of the occupied squares; made once for all sliders.
    type Roads: Copy;

    /// These squares, as occupied ones.
    fn roads(self) -> Self::Roads;

    /// The squares that these sliders attack in one direction, the first occupied one included. They must stand on
    /// occupied squares.
    fn slide<const DIRECTION: usize>(self, roads: &Self::Roads) -> Self;

    /// As [`Lanes::slide`], from any squares.
    fn look<const DIRECTION: usize>(self, roads: &Self::Roads) -> Self;

    /// The lanes without a square in common with the other.
    #[inline(always)]
    fn misses(self, other: Self) -> Self::Mask {
        !self.meets(other)
    }

    /// The lanes that have a square.
    #[inline(always)]
    fn occupied(self) -> Self::Mask {
        self.meets(self)
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

/// Sliding in one direction over empty squares, by doubling steps. (Chess Programming Wiki, "Kogge-Stone Algorithm".)
#[derive(Clone, Copy)]
pub struct Fill<V> {
    one: V,
    two: V,
    four: V,
}

impl<V: Lanes> Fill<V> {
    /// Which squares can be passed in one, two and four steps.
    #[inline(always)]
    pub fn new<const DIRECTION: usize>(empty: V) -> Fill<V> {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let one = empty & empty.width().splat(entered_by(direction));
        let two = one & one.shifted(places);
        let four = two & two.shifted(2 * places);
        Fill { one, two, four }
    }

    /// The squares that these sliders attack, the first occupied one included.
    #[inline(always)]
    pub fn attacks<const DIRECTION: usize>(&self, sliders: V) -> V {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let filled = sliders | (self.one & sliders.shifted(places));
        let filled = filled | (self.two & filled.shifted(2 * places));
        let filled = filled | (self.four & filled.shifted(4 * places));
        filled.step(direction)
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
