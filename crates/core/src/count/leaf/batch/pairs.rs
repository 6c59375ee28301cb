//! Lanes made of vectors of 128 bits, which have two lanes each: NEON of 64-bit ARM, and SIMD of WebAssembly.
//!
//! [`Pairs`] has several such vectors. Their instructions do not depend on each other, so the CPU runs them at the same
//! time, and the work that is done once per group of nodes is shared by more nodes. [`Pair`] is what an instruction set
//! has to offer. A mask is a vector whose lanes have all bits set or none.

use std::array::from_fn;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::lanes::{DIRECTIONS, Fill, Lanes, MAX_LANES, RAYS, Tally, Width, entered_by};
use crate::types::{Bitboard, Square};

/// The vector of the CPUs of this build.
#[cfg(target_arch = "aarch64")]
pub type ThisPair = super::neon::Neon;

/// The vector of the CPUs of this build.
#[cfg(target_arch = "wasm32")]
pub type ThisPair = super::simd128::Simd128;

/// The number of vectors that the counter uses at once.
pub const VECTORS: usize = 1;

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

    /// Returns in each lane the lane of `table` whose number is in the low bits of that lane of `self`.
    fn lanes_of<const N: usize>(self, table: &[Self; N]) -> Self;

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

    /// Returns the mask of the lanes in which both are equal.
    fn equals(self, other: Self) -> Self;

    /// Returns the mask `self` as a number: bit 0 is the low lane, and bit 1 the high one.
    fn bits(self) -> u8;

    /// Whether a lane of the mask `self` is set.
    fn any(self) -> bool;

    /// Returns the boards with the ranks in reverse order.
    fn flipped(self) -> Self;

    /// Whether [`Pair::mirrored`] is cheap.
    const CAN_MIRROR: bool;

    /// Returns the boards with the files in reverse order. It is used only if [`Pair::CAN_MIRROR`] is true.
    fn mirrored(self) -> Self;
}

/// The width of `N` vectors of two lanes. Builds that have the instructions use them without a test.
#[derive(Clone, Copy, Debug)]
pub struct PairsWidth<P, const N: usize>(PhantomData<P>);

impl<P: Pair, const N: usize> PairsWidth<P, N> {
    /// Returns the width.
    pub const fn new() -> Self {
        PairsWidth(PhantomData)
    }
}

// SAFETY: `write_moves` is that of the trait, which writes a move for each target. A test checks this at every width.
unsafe impl<P: Pair, const N: usize> Width for PairsWidth<P, N> {
    type Lanes = Pairs<P, N>;

    const LANES: usize = 2 * N;
    const MIN_ATTACKED_PIECES: u64 = 2 * N as u64;

    #[inline(always)]
    fn splat(self, set: Bitboard) -> Pairs<P, N> {
        Pairs([P::new(set.bits(), set.bits()); N])
    }

    #[inline(always)]
    fn load_sets(self, sets: &[Bitboard; MAX_LANES]) -> Pairs<P, N> {
        Pairs(from_fn(|pair| P::new(sets[2 * pair].bits(), sets[2 * pair + 1].bits())))
    }

    #[inline(always)]
    fn load(self, numbers: &[u32; MAX_LANES]) -> Pairs<P, N> {
        Pairs(from_fn(|pair| P::new(numbers[2 * pair].into(), numbers[2 * pair + 1].into())))
    }

    #[inline(always)]
    fn first_lanes(self, count: usize) -> Mask<P, N> {
        let full = |lane: usize| if lane < count { !0 } else { 0 };
        Mask(from_fn(|pair| P::new(full(2 * pair), full(2 * pair + 1))))
    }
}

/// Bitboards or numbers, two in each of `N` vectors.
#[derive(Clone, Copy)]
pub struct Pairs<P, const N: usize>([P; N]);

/// A mask: each lane has all bits set, or none.
#[derive(Clone, Copy)]
pub struct Mask<P, const N: usize>([P; N]);

/// Returns the results of an operation on each of the vectors.
#[inline(always)]
fn each<P: Pair, const N: usize>(operation: impl Fn(usize) -> P) -> [P; N] {
    from_fn(operation)
}

impl<P: Pair, const N: usize> BitAnd for Mask<P, N> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Mask(each(|pair| self.0[pair].and(other.0[pair])))
    }
}

impl<P: Pair, const N: usize> BitOr for Mask<P, N> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Mask(each(|pair| self.0[pair].or(other.0[pair])))
    }
}

impl<P: Pair, const N: usize> Not for Mask<P, N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Mask(each(|pair| self.0[pair].not()))
    }
}

impl<P: Pair, const N: usize> BitAnd for Pairs<P, N> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Pairs(each(|pair| self.0[pair].and(other.0[pair])))
    }
}

impl<P: Pair, const N: usize> BitOr for Pairs<P, N> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Pairs(each(|pair| self.0[pair].or(other.0[pair])))
    }
}

impl<P: Pair, const N: usize> BitXor for Pairs<P, N> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Pairs(each(|pair| self.0[pair].xor(other.0[pair])))
    }
}

impl<P: Pair, const N: usize> Not for Pairs<P, N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Pairs(each(|pair| self.0[pair].not()))
    }
}

impl<P: Pair, const N: usize> Lanes for Pairs<P, N> {
    type Mask = Mask<P, N>;
    type Width = PairsWidth<P, N>;

    #[inline(always)]
    fn width(self) -> PairsWidth<P, N> {
        PairsWidth::new()
    }

    #[inline(always)]
    fn shifted(self, places: i8) -> Self {
        Pairs(each(|pair| self.0[pair].shifted(places)))
    }

    #[inline(always)]
    fn squares(self) -> Self {
        Pairs(each(|pair| self.0[pair].squares()))
    }

    #[inline(always)]
    fn permuted(self, numbers: Self) -> Self {
        Pairs(each(|pair| numbers.0[pair].lanes_of(&self.0)))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Pairs(each(|pair| self.0[pair].plus(other.0[pair])))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Pairs(each(|pair| self.0[pair].minus(other.0[pair])))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Pairs(each(|pair| self.0[pair].times(other.0[pair])))
    }

    #[inline(always)]
    fn popcount(self) -> Self {
        Pairs(each(|pair| self.0[pair].popcount_bytes().sum_of_bytes()))
    }

    type Tally = BytesTally<P, N>;

    #[inline(always)]
    fn meets(self, other: Self) -> Mask<P, N> {
        Mask(each(|pair| self.0[pair].meets(other.0[pair])))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Mask<P, N> {
        Mask(each(|pair| self.0[pair].equals(other.0[pair])))
    }

    #[inline(always)]
    fn or_where(self, mask: Mask<P, N>, other: Self) -> Self {
        self | other.only_where(mask)
    }

    #[inline(always)]
    fn xor_where(self, mask: Mask<P, N>, other: Self) -> Self {
        self ^ other.only_where(mask)
    }

    #[inline(always)]
    fn plus_where(self, mask: Mask<P, N>, other: Self) -> Self {
        self.plus(other.only_where(mask))
    }

    #[inline(always)]
    fn replaced_where(self, mask: Mask<P, N>, other: Self) -> Self {
        Pairs(each(|pair| mask.0[pair].select(other.0[pair], self.0[pair])))
    }

    #[inline(always)]
    fn only_where(self, mask: Mask<P, N>) -> Self {
        Pairs(each(|pair| self.0[pair].and(mask.0[pair])))
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        let all = self.0[1..].iter().fold(self.0[0], |sum, pair| sum.plus(*pair));
        let [low, high] = all.to_numbers();
        low.wrapping_add(high)
    }

    #[inline(always)]
    fn to_array(self) -> [Bitboard; MAX_LANES] {
        let mut sets = [Bitboard::EMPTY; MAX_LANES];
        for (pair, sets) in self.0.iter().zip(sets.as_chunks_mut::<2>().0) {
            *sets = pair.to_numbers().map(Bitboard::from_bits);
        }
        sets
    }

    #[inline(always)]
    fn bits(mask: Mask<P, N>) -> u8 {
        mask.0.iter().enumerate().fold(0, |bits, (pair, mask)| bits | mask.bits() << (2 * pair))
    }

    #[inline(always)]
    fn any(mask: Mask<P, N>) -> bool {
        mask.0[1..].iter().fold(mask.0[0], |any, pair| any.or(*pair)).any()
    }

    type Blockers = Blockers<P, N>;

    #[inline(always)]
    fn blockers(self) -> Blockers<P, N> {
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
    fn slide<const DIRECTION: usize>(self, blockers: &Blockers<P, N>) -> Self {
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
    fn look<const DIRECTION: usize>(self, blockers: &Blockers<P, N>) -> Self {
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

    /// Southern rays are those of the flipped board, and rays towards the west those of the mirrored board.
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

    /// The subtraction works for one ray towards higher squares. So the board is turned for the other directions.
    #[inline(always)]
    fn slide_on<const DIRECTION: usize>(self, ray: Self, blockers: &Blockers<P, N>) -> Self {
        match DIRECTION {
            1 | 5 | 7 => self.flipped().attacks_on(ray, blockers.flipped).flipped(),
            3 if P::CAN_MIRROR => self.mirrored().attacks_on(ray, blockers.mirrored).mirrored(),
            3 => self.slide::<3>(blockers),
            _ => self.attacks_on(ray, blockers.occupied),
        }
    }
}

/// The sum of the popcounts of bytes, in each byte.
#[derive(Clone, Copy)]
pub struct BytesTally<P, const N: usize>([P; N]);

impl<P: Pair, const N: usize> Tally<Pairs<P, N>> for BytesTally<P, N> {
    #[inline(always)]
    fn zero(_: PairsWidth<P, N>) -> Self {
        BytesTally([P::new(0, 0); N])
    }

    #[inline(always)]
    fn add(&mut self, set: Pairs<P, N>) {
        self.0 = each(|pair| self.0[pair].plus_bytes(set.0[pair].popcount_bytes()));
    }

    #[inline(always)]
    fn total(self) -> Pairs<P, N> {
        Pairs(each(|pair| self.0[pair].sum_of_bytes()))
    }
}

/// The occupied squares for the subtraction, on turned boards too, and the fills for the directions that do not have it.
#[derive(Clone, Copy)]
pub struct Blockers<P, const N: usize> {
    occupied: Pairs<P, N>,
    flipped: Pairs<P, N>,
    mirrored: Pairs<P, N>,
    north: Fill<Pairs<P, N>>,
    south: FillDown<P, N>,
    west: Fill<Pairs<P, N>>,
    north_east: Fill<Pairs<P, N>>,
    south_west: FillDown<P, N>,
    north_west: Fill<Pairs<P, N>>,
    south_east: FillDown<P, N>,
}

/// A [`Fill`] towards lower squares, for CPUs that shift down and add in one instruction.
///
/// The masks are those of the fill, shifted back: the squares from which a step ends on an empty square.
#[derive(Clone, Copy)]
struct FillDown<P, const N: usize> {
    one: Pairs<P, N>,
    two: Pairs<P, N>,
    four: Pairs<P, N>,
}

impl<P: Pair, const N: usize> FillDown<P, N> {
    /// Returns the masks of the fill for these empty squares.
    #[inline(always)]
    fn new<const DIRECTION: usize>(empty: Pairs<P, N>) -> Self {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let one = (empty & empty.width().splat(entered_by(direction))).shifted(-places);
        let two = one & one.shifted(-places);
        let four = two & two.shifted(-2 * places);
        FillDown { one, two, four }
    }

    /// Returns the squares that sliders on occupied squares attack. Squares that are reached are empty, and a slider
    /// between two of them would end the way, so no step reaches a square again and sums are unions.
    #[inline(always)]
    fn attacks<const DIRECTION: usize>(&self, sliders: Pairs<P, N>) -> Pairs<P, N> {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let filled = sliders.plus((sliders & self.one).shifted(places));
        let filled = filled.plus((filled & self.two).shifted(2 * places));
        let filled = filled.plus((filled & self.four).shifted(4 * places));
        filled.step(direction)
    }

    /// Returns the same as [`FillDown::attacks`], but from any squares, including empty ones.
    #[inline(always)]
    fn look<const DIRECTION: usize>(&self, squares: Pairs<P, N>) -> Pairs<P, N> {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let filled = squares | (squares & self.one).shifted(places);
        let filled = filled | (filled & self.two).shifted(2 * places);
        let filled = filled | (filled & self.four).shifted(4 * places);
        filled.step(direction)
    }
}

impl<P: Pair, const N: usize> Pairs<P, N> {
    /// Returns the attacks of sliders towards the east, by `o ^ (o - 2s)` in each byte, which is a rank.
    ///
    /// The subtraction borrows from the next occupied square. So it changes all bits from the square after the slider
    /// up to and including the first blocker. See the section "Subtraction in bytes" of the chapter.
    #[inline(always)]
    fn east_attacks(self, occupied: Self) -> Self {
        Pairs(each(|pair| {
            let (sliders, occupied) = (self.0[pair], occupied.0[pair]);
            occupied.xor(occupied.minus_bytes(sliders).minus_bytes(sliders))
        }))
    }

    /// Returns the attacks of one slider along its ray, by `o ^ (o - 2s)` with the occupied squares of the ray. The ray
    /// must lead to higher squares.
    #[inline(always)]
    fn attacks_on(self, ray: Self, occupied: Self) -> Self {
        let blockers = occupied & ray;
        (blockers ^ blockers.minus(self).minus(self)) & ray
    }

    /// Returns the boards with the ranks in reverse order.
    #[inline(always)]
    fn flipped(self) -> Self {
        Pairs(each(|pair| self.0[pair].flipped()))
    }

    /// Returns the boards with the files in reverse order.
    #[inline(always)]
    fn mirrored(self) -> Self {
        Pairs(each(|pair| self.0[pair].mirrored()))
    }
}
