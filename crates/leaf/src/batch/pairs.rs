//! Lanes made of vectors of 128 bits, which have two lanes each: NEON of 64-bit ARM, and SIMD of WebAssembly.
//!
//! The operations that differ between the instruction sets are methods of [`Pair`]. A mask is a vector whose lanes have
//! all bits set or none.

use perft_core::Bitboard;

use super::bytes::ByteVector;
use super::lanes::{MAX_LANES, Vector, Width};
#[cfg(target_arch = "aarch64")]
use super::neon::Neon as Pair;
#[cfg(target_arch = "wasm32")]
use super::simd128::Simd128 as Pair;

/// The width of two lanes. Builds that have the instructions use them without a check at run time.
#[derive(Clone, Copy, Debug)]
pub struct TwoLanes;

// SAFETY: `write_moves` is that of the trait, which writes a move for each target. A test checks this at every width.
unsafe impl Width for TwoLanes {
    type Lanes = Pair;

    const LANES: usize = 2;
    const MIN_ATTACKED_PIECES: u64 = 2;

    methods! {
        fn splat(self, set: Bitboard) -> Pair = Pair::new(set.bits(), set.bits());
        fn load_sets(self, sets: &[Bitboard; MAX_LANES]) -> Pair = Pair::new(sets[0].bits(), sets[1].bits());
        fn load(self, numbers: &[u32; MAX_LANES]) -> Pair = Pair::new(numbers[0].into(), numbers[1].into());
    }

    #[inline(always)]
    fn first_lanes(self, count: usize) -> Pair {
        let full = |lane: usize| if lane < count { !0 } else { 0 };
        Pair::new(full(0), full(1))
    }
}

/// Defines methods of [`Vector`] by the methods of [`Pair`] with the same names.
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

impl Vector for Pair {
    type Mask = Pair;
    type Width = TwoLanes;

    methods! {
        fn width(self) -> TwoLanes = TwoLanes;
        fn shifted(self, places: i8) -> Pair = Pair::shifted(self, places);
    }

    native!(
        squares(),
        flipped(),
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

    methods! {
        fn bits(mask: Pair) -> u8 = mask.mask_bits();
        fn any(mask: Pair) -> bool = mask.mask_any();
    }
}

impl ByteVector for Pair {
    const CAN_MIRROR: bool = Pair::CAN_MIRROR;

    native!(popcount_bytes(), plus_bytes(other), sum_of_bytes(), mirrored());
}
