//! Lanes made of vectors of 128 bits, which have two lanes each: NEON of 64-bit ARM, and SIMD of WebAssembly.
//!
//! [`Pairs`] is such a vector. [`Pair`] has the operations that differ between the instruction sets. A mask is a vector
//! whose lanes have all bits set or none.

use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use perft_core::{Bitboard, Square};

use super::lanes::{DIRECTIONS, Fill, Lanes, MAX_LANES, RAYS, Tally, Width, entered_by};

/// A vector of two 64-bit lanes.
pub trait Pair: Copy + Send + Sync {
    /// Returns a vector of these two numbers.
    fn new(low: u64, high: u64) -> Self;

    /// Returns the numbers of both lanes.
    fn to_numbers(self) -> [u64; 2];

    /// Returns the intersection in each lane.
    fn and(self, other: Self) -> Self;

    /// Returns the union in each lane.
    fn or(self, other: Self) -> Self;

    /// Returns the exclusive or in each lane.
    fn xor(self, other: Self) -> Self;

    /// Returns the complement in each lane.
    fn not(self) -> Self;

    /// Returns `yes` where the bits of the mask `self` are set, and `no` elsewhere.
    fn select(self, yes: Self, no: Self) -> Self;

    /// Returns all bits shifted up by `places`, or down if `places` is negative.
    fn shifted(self, places: i8) -> Self;

    /// Returns in each lane the set of one square, whose index is the low six bits of the lane.
    fn squares(self) -> Self;

    /// Returns in each lane the content of a lane of `table`. The number of that lane is in the low bits of `self`.
    fn lanes_of(self, table: Self) -> Self;

    /// Returns the sum in each lane.
    fn plus(self, other: Self) -> Self;

    /// Returns the difference in each lane.
    fn minus(self, other: Self) -> Self;

    /// Returns the difference in each byte.
    fn minus_bytes(self, other: Self) -> Self;

    /// Returns the product in each lane, of the low 32 bits as signed numbers.
    fn times(self, other: Self) -> Self;

    /// Returns the number of squares in each byte.
    fn popcount_bytes(self) -> Self;

    /// Returns the sum in each byte.
    fn plus_bytes(self, other: Self) -> Self;

    /// Returns the sum of the eight bytes of each lane.
    fn sum_of_bytes(self) -> Self;

    /// Returns the mask of the lanes in which both sets have a square in common.
    fn meets(self, other: Self) -> Self;

    /// Returns the mask of the lanes in which both vectors are equal.
    fn equals(self, other: Self) -> Self;

    /// Returns the mask `self` as a number: bit 0 is the low lane, and bit 1 the high one.
    fn bits(self) -> u8;

    /// Whether a lane of the mask `self` is set.
    fn any(self) -> bool;

    /// Returns the boards with the order of the ranks reversed.
    fn flipped(self) -> Self;

    /// Whether [`Pair::mirrored`] is cheap.
    const CAN_MIRROR: bool;

    /// Returns the boards with the order of the files reversed. It is used only if [`Pair::CAN_MIRROR`] is true.
    fn mirrored(self) -> Self;
}

/// The width of two lanes. Builds that have the instructions use them without a check at run time.
#[derive(Clone, Copy, Debug)]
pub struct PairsWidth<P>(PhantomData<P>);

impl<P: Pair> PairsWidth<P> {
    /// Returns the width.
    pub const fn new() -> Self {
        PairsWidth(PhantomData)
    }
}

// SAFETY: `write_moves` is that of the trait, which writes a move for each target. A test checks this at every width.
unsafe impl<P: Pair> Width for PairsWidth<P> {
    type Lanes = Pairs<P>;

    const LANES: usize = 2;
    const MIN_ATTACKED_PIECES: u64 = 2;

    #[inline(always)]
    fn splat(self, set: Bitboard) -> Pairs<P> {
        Pairs(P::new(set.bits(), set.bits()))
    }

    #[inline(always)]
    fn load_sets(self, sets: &[Bitboard; MAX_LANES]) -> Pairs<P> {
        Pairs(P::new(sets[0].bits(), sets[1].bits()))
    }

    #[inline(always)]
    fn load(self, numbers: &[u32; MAX_LANES]) -> Pairs<P> {
        Pairs(P::new(numbers[0].into(), numbers[1].into()))
    }

    #[inline(always)]
    fn first_lanes(self, count: usize) -> Mask<P> {
        let full = |lane: usize| if lane < count { !0 } else { 0 };
        Mask(P::new(full(0), full(1)))
    }
}

/// Two bitboards or numbers.
#[derive(Clone, Copy)]
pub struct Pairs<P>(P);

/// A mask: each lane has all bits set, or none.
#[derive(Clone, Copy)]
pub struct Mask<P>(P);

operators!([P: Pair] Mask<P>, Mask:
    not |mask| mask.not(),
    BitAnd bitand |one, other| one.and(other),
    BitOr bitor |one, other| one.or(other)
);

operators!([P: Pair] Pairs<P>, Pairs:
    not |sets| sets.not(),
    BitAnd bitand |one, other| one.and(other),
    BitOr bitor |one, other| one.or(other),
    BitXor bitxor |one, other| one.xor(other)
);

impl<P: Pair> Lanes for Pairs<P> {
    type Mask = Mask<P>;
    type Width = PairsWidth<P>;

    #[inline(always)]
    fn width(self) -> PairsWidth<P> {
        PairsWidth::new()
    }

    #[inline(always)]
    fn shifted(self, places: i8) -> Self {
        Pairs(self.0.shifted(places))
    }

    #[inline(always)]
    fn squares(self) -> Self {
        Pairs(self.0.squares())
    }

    #[inline(always)]
    fn permuted(self, numbers: Self) -> Self {
        Pairs(numbers.0.lanes_of(self.0))
    }

    #[inline(always)]
    fn flipped(self) -> Self {
        Pairs(self.0.flipped())
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Pairs(self.0.plus(other.0))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Pairs(self.0.minus(other.0))
    }

    #[inline(always)]
    fn minus_bytes(self, other: Self) -> Self {
        Pairs(self.0.minus_bytes(other.0))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Pairs(self.0.times(other.0))
    }

    #[inline(always)]
    fn popcount(self) -> Self {
        Pairs(self.0.popcount_bytes().sum_of_bytes())
    }

    type Tally = BytesTally<P>;

    #[inline(always)]
    fn meets(self, other: Self) -> Mask<P> {
        Mask(self.0.meets(other.0))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Mask<P> {
        Mask(self.0.equals(other.0))
    }

    #[inline(always)]
    fn replaced_where(self, mask: Mask<P>, other: Self) -> Self {
        Pairs(mask.0.select(other.0, self.0))
    }

    #[inline(always)]
    fn only_where(self, mask: Mask<P>) -> Self {
        Pairs(self.0.and(mask.0))
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        let [low, high] = self.0.to_numbers();
        low.wrapping_add(high)
    }

    #[inline(always)]
    fn to_array(self) -> [Bitboard; MAX_LANES] {
        let mut sets = [Bitboard::EMPTY; MAX_LANES];
        sets[..2].copy_from_slice(&self.0.to_numbers().map(Bitboard::from_bits));
        sets
    }

    #[inline(always)]
    fn bits(mask: Mask<P>) -> u8 {
        mask.0.bits()
    }

    #[inline(always)]
    fn any(mask: Mask<P>) -> bool {
        mask.0.any()
    }

    type Blockers = Blockers<P>;

    #[inline(always)]
    fn blockers(self) -> Blockers<P> {
        let empty = !self;
        Blockers {
            occupied: self,
            flipped: self.flipped(),
            mirrored: if P::CAN_MIRROR { self.mirrored() } else { self },
            north: Fill::new::<0>(empty),
            south: FillDown::new::<1>(empty),
            west: Fill::new::<3>(empty),
            north_east: Fill::new::<4>(empty),
            south_west: FillDown::new::<5>(empty),
            north_west: Fill::new::<6>(empty),
            south_east: FillDown::new::<7>(empty),
        }
    }

    #[inline(always)]
    fn slide<const DIRECTION: usize>(self, blockers: &Blockers<P>) -> Self {
        match DIRECTION {
            0 => blockers.north.attacks::<0>(self),
            1 => blockers.south.attacks::<1>(self),
            4 => blockers.north_east.attacks::<4>(self),
            5 => blockers.south_west.attacks::<5>(self),
            6 => blockers.north_west.attacks::<6>(self),
            7 => blockers.south_east.attacks::<7>(self),
            2 => self.east_attacks(blockers.occupied),
            3 if P::CAN_MIRROR => self.mirrored().east_attacks(blockers.mirrored).mirrored(),
            _ => blockers.west.attacks::<3>(self),
        }
    }

    #[inline(always)]
    fn look<const DIRECTION: usize>(self, blockers: &Blockers<P>) -> Self {
        match DIRECTION {
            1 => blockers.south.look::<1>(self),
            5 => blockers.south_west.look::<5>(self),
            7 => blockers.south_east.look::<7>(self),
            2 => self.east_attacks(blockers.occupied | self),
            3 if P::CAN_MIRROR => {
                let mirrored = self.mirrored();
                mirrored.east_attacks(blockers.mirrored | mirrored).mirrored()
            }
            _ => self.slide::<DIRECTION>(blockers),
        }
    }

    /// The ray towards the south is that of the flipped board, and the ray towards the west that of the mirrored board.
    #[inline(always)]
    fn ray<const DIRECTION: usize>(from: Square) -> Bitboard {
        match DIRECTION {
            1 => RAYS[from.index() ^ 56][0],
            3 => RAYS[from.index() ^ 7][2],
            5 => RAYS[from.index() ^ 56][6],
            7 => RAYS[from.index() ^ 56][4],
            _ => RAYS[from.index()][DIRECTION],
        }
    }

    /// The subtraction works only for a ray towards higher squares. So the board is turned for the other directions.
    #[inline(always)]
    fn slide_on<const DIRECTION: usize>(self, ray: Self, blockers: &Blockers<P>) -> Self {
        match DIRECTION {
            1 | 5 | 7 => self.flipped().attacks_on(ray, blockers.flipped).flipped(),
            3 if P::CAN_MIRROR => self.mirrored().attacks_on(ray, blockers.mirrored).mirrored(),
            3 => self.slide::<3>(blockers),
            _ => self.attacks_on(ray, blockers.occupied),
        }
    }
}

/// A running sum for each byte: the number of bits set in that byte of all sets added so far.
#[derive(Clone, Copy)]
pub struct BytesTally<P>(P);

impl<P: Pair> Tally<Pairs<P>> for BytesTally<P> {
    #[inline(always)]
    fn zero(_: PairsWidth<P>) -> Self {
        BytesTally(P::new(0, 0))
    }

    #[inline(always)]
    fn add(&mut self, set: Pairs<P>) {
        self.0 = self.0.plus_bytes(set.0.popcount_bytes());
    }

    #[inline(always)]
    fn total(self) -> Pairs<P> {
        Pairs(self.0.sum_of_bytes())
    }
}

/// The occupied squares for the subtraction, on turned boards too, and the fills for the directions that do not have
/// it.
#[derive(Clone, Copy)]
pub struct Blockers<P> {
    occupied: Pairs<P>,
    flipped: Pairs<P>,
    mirrored: Pairs<P>,
    north: Fill<Pairs<P>>,
    south: FillDown<P>,
    west: Fill<Pairs<P>>,
    north_east: Fill<Pairs<P>>,
    south_west: FillDown<P>,
    north_west: Fill<Pairs<P>>,
    south_east: FillDown<P>,
}

/// A [`Fill`] towards lower squares, for CPUs that shift down and add in one instruction.
///
/// The masks are those of the fill, shifted back: the squares from which a step ends on an empty square.
#[derive(Clone, Copy)]
struct FillDown<P> {
    one: Pairs<P>,
    two: Pairs<P>,
    four: Pairs<P>,
}

impl<P: Pair> FillDown<P> {
    /// Returns the masks of the fill for these empty squares.
    #[inline(always)]
    fn new<const DIRECTION: usize>(empty: Pairs<P>) -> Self {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let one = (empty & empty.width().splat(entered_by(direction))).shifted(-places);
        let two = one & one.shifted(-places);
        let four = two & two.shifted(-2 * places);
        FillDown { one, two, four }
    }

    /// Returns the squares that sliders on occupied squares attack. No step reaches a square a second time, because the
    /// reached squares are empty and a second slider would block the way. So a sum is the same as a union.
    #[inline(always)]
    fn attacks<const DIRECTION: usize>(&self, sliders: Pairs<P>) -> Pairs<P> {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let filled = sliders.plus((sliders & self.one).shifted(places));
        let filled = filled.plus((filled & self.two).shifted(2 * places));
        let filled = filled.plus((filled & self.four).shifted(4 * places));
        filled.step(direction)
    }

    /// Returns the same as [`FillDown::attacks`], but from any squares, including empty ones.
    #[inline(always)]
    fn look<const DIRECTION: usize>(&self, squares: Pairs<P>) -> Pairs<P> {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let filled = squares | (squares & self.one).shifted(places);
        let filled = filled | (filled & self.two).shifted(2 * places);
        let filled = filled | (filled & self.four).shifted(4 * places);
        filled.step(direction)
    }
}

impl<P: Pair> Pairs<P> {
    /// Returns the boards with the order of the files reversed.
    #[inline(always)]
    fn mirrored(self) -> Self {
        Pairs(self.0.mirrored())
    }
}
