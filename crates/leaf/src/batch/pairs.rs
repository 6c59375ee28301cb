//! Lanes made of vectors of 128 bits, which have two lanes each: NEON of 64-bit ARM, and SIMD of WebAssembly.
//!
//! The operations that differ between the instruction sets are methods of [`Pair`]. A mask is a vector whose lanes have
//! all bits set or none.

use perft_core::{Bitboard, Square};

use super::lanes::{DIRECTIONS, Fill, Lanes, MAX_LANES, RAYS, Tally, Width, entered_by};
#[cfg(target_arch = "aarch64")]
use super::neon::Neon as Pair;
#[cfg(target_arch = "wasm32")]
use super::simd128::Simd128 as Pair;

/// The width of two lanes. Builds that have the instructions use them without a check at run time.
#[derive(Clone, Copy, Debug)]
pub struct TwoLanes(());

impl TwoLanes {
    /// Returns the width.
    pub const fn new() -> TwoLanes {
        TwoLanes(())
    }
}

// SAFETY: `write_moves` is that of the trait, which writes a move for each target. A test checks this at every width.
unsafe impl Width for TwoLanes {
    type Lanes = Pair;

    const LANES: usize = 2;
    const MIN_ATTACKED_PIECES: u64 = 2;

    #[inline(always)]
    fn splat(self, set: Bitboard) -> Pair {
        Pair::new(set.bits(), set.bits())
    }

    #[inline(always)]
    fn load_sets(self, sets: &[Bitboard; MAX_LANES]) -> Pair {
        Pair::new(sets[0].bits(), sets[1].bits())
    }

    #[inline(always)]
    fn load(self, numbers: &[u32; MAX_LANES]) -> Pair {
        Pair::new(numbers[0].into(), numbers[1].into())
    }

    #[inline(always)]
    fn first_lanes(self, count: usize) -> Pair {
        let full = |lane: usize| if lane < count { !0 } else { 0 };
        Pair::new(full(0), full(1))
    }
}

/// Defines methods of the trait by the methods of the instruction set with the same names.
macro_rules! native {
    ($($method:ident($($other:ident),*)),*) => {
        $(
            #[inline(always)]
            fn $method(self $(, $other: Pair)*) -> Pair {
                Pair::$method(self $(, $other)*)
            }
        )*
    };
}

impl Lanes for Pair {
    type Mask = Pair;
    type Width = TwoLanes;

    #[inline(always)]
    fn width(self) -> TwoLanes {
        TwoLanes(())
    }

    #[inline(always)]
    fn shifted(self, places: i8) -> Pair {
        Pair::shifted(self, places)
    }

    native!(
        squares(),
        flipped(),
        permuted(numbers),
        plus(other),
        minus(other),
        minus_bytes(other),
        times(other),
        meets(other),
        equals(other),
        replaced_where(mask, other)
    );

    #[inline(always)]
    fn popcount(self) -> Pair {
        self.popcount_bytes().sum_of_bytes()
    }

    type Tally = BytesTally;

    #[inline(always)]
    fn only_where(self, mask: Pair) -> Pair {
        self & mask
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        let [low, high] = self.to_numbers();
        low.wrapping_add(high)
    }

    #[inline(always)]
    fn to_array(self) -> [Bitboard; MAX_LANES] {
        let mut sets = [Bitboard::EMPTY; MAX_LANES];
        sets[..2].copy_from_slice(&self.to_numbers().map(Bitboard::from_bits));
        sets
    }

    #[inline(always)]
    fn bits(mask: Pair) -> u8 {
        mask.mask_bits()
    }

    #[inline(always)]
    fn any(mask: Pair) -> bool {
        mask.mask_any()
    }

    type Blockers = Blockers;

    #[inline(always)]
    fn blockers(self) -> Blockers {
        let empty = !self;
        Blockers {
            occupied: self,
            flipped: self.flipped(),
            mirrored: if Pair::CAN_MIRROR { self.mirrored() } else { self },
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
    fn slide<const DIRECTION: usize>(self, blockers: &Blockers) -> Self {
        match DIRECTION {
            0 => blockers.north.attacks::<0>(self),
            1 => blockers.south.attacks::<1>(self),
            4 => blockers.north_east.attacks::<4>(self),
            5 => blockers.south_west.attacks::<5>(self),
            6 => blockers.north_west.attacks::<6>(self),
            7 => blockers.south_east.attacks::<7>(self),
            2 => self.east_attacks(blockers.occupied),
            3 if Pair::CAN_MIRROR => self.mirrored().east_attacks(blockers.mirrored).mirrored(),
            _ => blockers.west.attacks::<3>(self),
        }
    }

    #[inline(always)]
    fn look<const DIRECTION: usize>(self, blockers: &Blockers) -> Self {
        match DIRECTION {
            1 => blockers.south.look::<1>(self),
            5 => blockers.south_west.look::<5>(self),
            7 => blockers.south_east.look::<7>(self),
            2 => self.east_attacks(blockers.occupied | self),
            3 if Pair::CAN_MIRROR => {
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
    fn slide_on<const DIRECTION: usize>(self, ray: Self, blockers: &Blockers) -> Self {
        match DIRECTION {
            1 | 5 | 7 => self.flipped().attacks_on(ray, blockers.flipped).flipped(),
            3 if Pair::CAN_MIRROR => self.mirrored().attacks_on(ray, blockers.mirrored).mirrored(),
            3 => self.slide::<3>(blockers),
            _ => self.attacks_on(ray, blockers.occupied),
        }
    }
}

/// A running sum for each byte: the number of bits set in that byte of all sets added so far.
#[derive(Clone, Copy)]
pub struct BytesTally(Pair);

impl Tally<Pair> for BytesTally {
    #[inline(always)]
    fn zero(_: TwoLanes) -> Self {
        BytesTally(Pair::new(0, 0))
    }

    #[inline(always)]
    fn add(&mut self, set: Pair) {
        self.0 = self.0.plus_bytes(set.popcount_bytes());
    }

    #[inline(always)]
    fn total(self) -> Pair {
        self.0.sum_of_bytes()
    }
}

/// The occupied squares for the subtraction, on turned boards too, and the fills for the directions that do not have
/// it.
#[derive(Clone, Copy)]
pub struct Blockers {
    occupied: Pair,
    flipped: Pair,
    mirrored: Pair,
    north: Fill<Pair>,
    south: FillDown,
    west: Fill<Pair>,
    north_east: Fill<Pair>,
    south_west: FillDown,
    north_west: Fill<Pair>,
    south_east: FillDown,
}

/// A [`Fill`] towards lower squares, for CPUs that shift down and add in one instruction.
///
/// The masks are those of the fill, shifted back: the squares from which a step ends on an empty square.
#[derive(Clone, Copy)]
struct FillDown {
    one: Pair,
    two: Pair,
    four: Pair,
}

impl FillDown {
    /// Returns the masks of the fill for these empty squares.
    #[inline(always)]
    fn new<const DIRECTION: usize>(empty: Pair) -> Self {
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
    fn attacks<const DIRECTION: usize>(&self, sliders: Pair) -> Pair {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let filled = sliders.plus((sliders & self.one).shifted(places));
        let filled = filled.plus((filled & self.two).shifted(2 * places));
        let filled = filled.plus((filled & self.four).shifted(4 * places));
        filled.step(direction)
    }

    /// Returns the same as [`FillDown::attacks`], but from any squares, including empty ones.
    #[inline(always)]
    fn look<const DIRECTION: usize>(&self, squares: Pair) -> Pair {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let filled = squares | (squares & self.one).shifted(places);
        let filled = filled | (filled & self.two).shifted(2 * places);
        let filled = filled | (filled & self.four).shifted(4 * places);
        filled.step(direction)
    }
}
