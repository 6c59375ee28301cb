//! Vectors of two lanes: NEON, which every 64-bit ARM CPU has.

use std::arch::aarch64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Two bitboards or numbers. As a mask, each lane has all bits set, or none.
#[derive(Clone, Copy, Debug)]
pub struct Neon(uint64x2_t);

/// Evaluates an expression of NEON intrinsics.
macro_rules! intrinsics {
    ($body:expr) => {
        // SAFETY: `build.rs` compiles this module only for targets whose CPUs all have NEON.
        unsafe { $body }
    };
}

operators!(Neon:
    not |sets| intrinsics!(veorq_u64(sets, vdupq_n_u64(!0))),
    BitAnd bitand |one, other| intrinsics!(vandq_u64(one, other)),
    BitOr bitor |one, other| intrinsics!(vorrq_u64(one, other)),
    BitXor bitxor |one, other| intrinsics!(veorq_u64(one, other))
);

impl Neon {
    pub const CAN_MIRROR: bool = true;

    methods! {
        pub fn new(low: u64, high: u64) -> Neon =
            Neon(intrinsics!(vcombine_u64(vcreate_u64(low), vcreate_u64(high))));
        pub fn to_numbers(self) -> [u64; 2] =
            intrinsics!([vgetq_lane_u64::<0>(self.0), vgetq_lane_u64::<1>(self.0)]);
        pub fn plus(self, other: Neon) -> Neon = Neon(intrinsics!(vaddq_u64(self.0, other.0)));
        pub fn minus(self, other: Neon) -> Neon = Neon(intrinsics!(vsubq_u64(self.0, other.0)));
        pub fn meets(self, other: Neon) -> Neon = Neon(intrinsics!(vtstq_u64(self.0, other.0)));
        pub fn equals(self, other: Neon) -> Neon = Neon(intrinsics!(vceqq_u64(self.0, other.0)));
        pub fn replaced_where(self, mask: Neon, other: Neon) -> Neon =
            Neon(intrinsics!(vbslq_u64(mask.0, other.0, self.0)));
        pub fn shifted(self, places: i8) -> Neon =
            Neon(intrinsics!(vshlq_u64(self.0, vdupq_n_s64(places.into()))));
    }

    #[inline(always)]
    pub fn squares(self) -> Neon {
        Neon(intrinsics!({
            let indices = vandq_u64(self.0, vdupq_n_u64(63));
            vshlq_u64(vdupq_n_u64(1), vreinterpretq_s64_u64(indices))
        }))
    }

    #[inline(always)]
    pub fn minus_bytes(self, other: Neon) -> Neon {
        intrinsics!({
            Neon(vreinterpretq_u64_u8(vsubq_u8(vreinterpretq_u8_u64(self.0), vreinterpretq_u8_u64(other.0))))
        })
    }

    #[inline(always)]
    pub fn times(self, other: Neon) -> Neon {
        Neon(intrinsics!({
            let halves = |numbers: Neon| vmovn_s64(vreinterpretq_s64_u64(numbers.0));
            vreinterpretq_u64_s64(vmull_s32(halves(self), halves(other)))
        }))
    }

    #[inline(always)]
    pub fn popcount_bytes(self) -> Neon {
        Neon(intrinsics!(vreinterpretq_u64_u8(vcntq_u8(vreinterpretq_u8_u64(self.0)))))
    }

    #[inline(always)]
    pub fn plus_bytes(self, other: Neon) -> Neon {
        Neon(intrinsics!(vreinterpretq_u64_u8(vaddq_u8(
            vreinterpretq_u8_u64(self.0),
            vreinterpretq_u8_u64(other.0)
        ))))
    }

    methods! {
        pub fn sum_of_bytes(self) -> Neon =
            Neon(intrinsics!(vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vreinterpretq_u8_u64(self.0))))));

        /// NEON has no instruction for this. Each lane keeps the bit with its number, and both lanes are added.
        pub fn mask_bits(self) -> u8 = intrinsics!(vaddvq_u64(vandq_u64(self.0, Neon::new(1, 2).0)) as u8);
        pub fn mask_any(self) -> bool = intrinsics!(vmaxvq_u32(vreinterpretq_u32_u64(self.0)) != 0);

        /// Reverses the order of the bytes, which are the ranks.
        pub fn flipped(self) -> Neon =
            Neon(intrinsics!(vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(self.0)))));

        /// Reverses the order of the bits of each byte, which is a rank.
        pub fn mirrored(self) -> Neon =
            Neon(intrinsics!(vreinterpretq_u64_u8(vrbitq_u8(vreinterpretq_u8_u64(self.0)))));
    }
}
