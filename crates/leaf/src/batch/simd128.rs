//! Vectors of two lanes: the SIMD instructions of WebAssembly. The intrinsics are safe, because `build.rs` includes
//! this module only if the target has the instructions.

use std::arch::wasm32::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Two bitboards or numbers. As a mask, each lane has all bits set, or none.
#[derive(Clone, Copy, Debug)]
pub struct Simd128(v128);

operators!(Simd128:
    not |sets| v128_not(sets),
    BitAnd bitand |one, other| v128_and(one, other),
    BitOr bitor |one, other| v128_or(one, other),
    BitXor bitxor |one, other| v128_xor(one, other)
);

impl Simd128 {
    /// `simd128` has no instruction that reverses bits.
    pub const CAN_MIRROR: bool = false;

    methods! {
        pub fn new(low: u64, high: u64) -> Simd128 = Simd128(u64x2(low, high));
        pub fn to_numbers(self) -> [u64; 2] =
            [u64x2_extract_lane::<0>(self.0), u64x2_extract_lane::<1>(self.0)];
        pub fn plus(self, other: Simd128) -> Simd128 = Simd128(u64x2_add(self.0, other.0));
        pub fn plus_bytes(self, other: Simd128) -> Simd128 = Simd128(i8x16_add(self.0, other.0));
        pub fn minus(self, other: Simd128) -> Simd128 = Simd128(u64x2_sub(self.0, other.0));
        pub fn minus_bytes(self, other: Simd128) -> Simd128 = Simd128(i8x16_sub(self.0, other.0));
        pub fn equals(self, other: Simd128) -> Simd128 = Simd128(i64x2_eq(self.0, other.0));
        pub fn popcount_bytes(self) -> Simd128 = Simd128(u8x16_popcnt(self.0));
        pub fn replaced_where(self, mask: Simd128, other: Simd128) -> Simd128 =
            Simd128(v128_bitselect(other.0, self.0, mask.0));
    }

    #[inline(always)]
    pub fn shifted(self, places: i8) -> Simd128 {
        let count = places.unsigned_abs().into();
        Simd128(if places >= 0 { u64x2_shl(self.0, count) } else { u64x2_shr(self.0, count) })
    }

    /// A shift uses the same number for all lanes, so each lane is shifted separately.
    #[inline(always)]
    pub fn squares(self) -> Simd128 {
        let [low, high] = self.to_numbers();
        Simd128::new(1 << (low & 63), 1 << (high & 63))
    }

    #[inline(always)]
    pub fn times(self, other: Simd128) -> Simd128 {
        let halves = |numbers: Simd128| i32x4_shuffle::<0, 2, 0, 2>(numbers.0, numbers.0);
        Simd128(i64x2_extmul_low_i32x4(halves(self), halves(other)))
    }

    #[inline(always)]
    pub fn sum_of_bytes(self) -> Simd128 {
        let pairs = u16x8_extadd_pairwise_u8x16(self.0);
        let fours = u32x4_extadd_pairwise_u16x8(pairs);
        let high = u64x2_shr(fours, 32);
        Simd128(u64x2_add(v128_and(fours, u64x2_splat(0xffff_ffff)), high))
    }

    methods! {
        pub fn meets(self, other: Simd128) -> Simd128 =
            Simd128(i64x2_ne(v128_and(self.0, other.0), u64x2_splat(0)));
        pub fn mask_bits(self) -> u8 = i64x2_bitmask(self.0);
        pub fn mask_any(self) -> bool = v128_any_true(self.0);
        pub fn flipped(self) -> Simd128 =
            Simd128(i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(self.0, self.0));
        pub fn mirrored(self) -> Simd128 = self;
    }
}
