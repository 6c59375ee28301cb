//! Vectors of four lanes: AVX2, which x86-64 CPUs have had since Haswell (2013) and Zen (2017).
//!
//! AVX2 has no mask registers. A mask is a vector whose lanes have all bits set or none, and an operation "in the lanes
//! of the mask" uses a logical `and`. AVX2 has no population count either. It is computed by a lookup for each half of
//! a byte.

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use perft_core::Bitboard;

use super::bytes::ByteVector;
use super::lanes::{MAX_LANES, Vector, Width};

/// The width of four lanes. A value exists only if the CPU has AVX2.
#[derive(Clone, Copy, Debug)]
pub struct FourLanes(());

impl FourLanes {
    /// Returns the width if this CPU has it.
    pub fn detect() -> Option<FourLanes> {
        is_x86_feature_detected!("avx2").then_some(FourLanes(()))
    }
}

/// Evaluates an expression of AVX2 intrinsics. It is used only in methods of [`FourLanes`] and [`Lanes4`].
macro_rules! intrinsics {
    ($body:expr) => {
        // SAFETY: a `FourLanes` exists only if the CPU has AVX2, and only a `FourLanes` makes the first vector or mask.
        unsafe { $body }
    };
}

// SAFETY: `write_moves` is that of the trait, which writes a move for each target. A test checks this at every width.
unsafe impl Width for FourLanes {
    type Lanes = Lanes4;

    const LANES: usize = 4;
    const MIN_ATTACKED_PIECES: u64 = 12;

    #[inline(always)]
    fn splat(self, set: Bitboard) -> Lanes4 {
        Lanes4(intrinsics!(_mm256_set1_epi64x(set.bits() as i64)))
    }

    #[inline(always)]
    fn load_sets(self, sets: &[Bitboard; MAX_LANES]) -> Lanes4 {
        // SAFETY: the CPU has AVX2, because `self` exists. The array has 64 bytes, and 32 are read.
        Lanes4(unsafe { _mm256_loadu_si256(sets.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_rows(self, rows: [&[Bitboard; 4]; MAX_LANES]) -> [Lanes4; 4] {
        // SAFETY: the CPU has AVX2, because `self` exists. A row has the 32 bytes that are read.
        unsafe {
            let row = |lane: usize| _mm256_loadu_si256(rows[lane].as_ptr().cast());
            let (first, second, third, fourth) = (row(0), row(1), row(2), row(3));
            // In each half, one word of two rows.
            let even = [_mm256_unpacklo_epi64(first, second), _mm256_unpacklo_epi64(third, fourth)];
            let odd = [_mm256_unpackhi_epi64(first, second), _mm256_unpackhi_epi64(third, fourth)];
            let low = |halves: [__m256i; 2]| _mm256_permute2x128_si256::<0x20>(halves[0], halves[1]);
            let high = |halves: [__m256i; 2]| _mm256_permute2x128_si256::<0x31>(halves[0], halves[1]);
            [low(even), low(odd), high(even), high(odd)].map(Lanes4)
        }
    }

    #[inline(always)]
    fn load(self, numbers: &[u32; MAX_LANES]) -> Lanes4 {
        // SAFETY: the CPU has AVX2, because `self` exists. The array has 32 bytes, and 16 are read.
        Lanes4(unsafe { _mm256_cvtepu32_epi64(_mm_loadu_si128(numbers.as_ptr().cast())) })
    }

    #[inline(always)]
    fn first_lanes(self, count: usize) -> Lanes4 {
        Lanes4(intrinsics!(_mm256_cmpgt_epi64(
            _mm256_set1_epi64x(count as i64),
            _mm256_setr_epi64x(0, 1, 2, 3)
        )))
    }
}

/// Four bitboards or numbers.
#[derive(Clone, Copy)]
pub struct Lanes4(__m256i);

operators!(Lanes4:
    not |sets| intrinsics!(_mm256_xor_si256(sets, _mm256_set1_epi64x(-1))),
    BitAnd bitand |one, other| intrinsics!(_mm256_and_si256(one, other)),
    BitOr bitor |one, other| intrinsics!(_mm256_or_si256(one, other)),
    BitXor bitxor |one, other| intrinsics!(_mm256_xor_si256(one, other))
);

impl Vector for Lanes4 {
    type Mask = Lanes4;
    type Width = FourLanes;

    #[inline(always)]
    fn width(self) -> FourLanes {
        FourLanes(())
    }

    #[inline(always)]
    fn shifted(self, places: i8) -> Lanes4 {
        let count = i64::from(places.unsigned_abs());
        Lanes4(intrinsics!(if places >= 0 {
            _mm256_sllv_epi64(self.0, _mm256_set1_epi64x(count))
        } else {
            _mm256_srlv_epi64(self.0, _mm256_set1_epi64x(count))
        }))
    }

    #[inline(always)]
    fn squares(self) -> Lanes4 {
        Lanes4(intrinsics!({
            let indices = _mm256_and_si256(self.0, _mm256_set1_epi64x(63));
            _mm256_sllv_epi64(_mm256_set1_epi64x(1), indices)
        }))
    }

    #[inline(always)]
    fn flipped(self) -> Lanes4 {
        Lanes4(intrinsics!({
            let reversed = _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
            _mm256_shuffle_epi8(self.0, _mm256_broadcastsi128_si256(reversed))
        }))
    }

    methods! {
        fn plus(self, other: Lanes4) -> Lanes4 = Lanes4(intrinsics!(_mm256_add_epi64(self.0, other.0)));
        fn minus(self, other: Lanes4) -> Lanes4 = Lanes4(intrinsics!(_mm256_sub_epi64(self.0, other.0)));
        fn minus_bytes(self, other: Lanes4) -> Lanes4 = Lanes4(intrinsics!(_mm256_sub_epi8(self.0, other.0)));
        fn times(self, other: Lanes4) -> Lanes4 = Lanes4(intrinsics!(_mm256_mul_epi32(self.0, other.0)));
        fn popcount(self) -> Lanes4 = self.popcount_bytes().sum_of_bytes();
        fn meets(self, other: Lanes4) -> Lanes4 = !self.misses(other);
        fn misses(self, other: Lanes4) -> Lanes4 = (self & other).equals(self.width().empty());
        fn equals(self, other: Lanes4) -> Lanes4 = Lanes4(intrinsics!(_mm256_cmpeq_epi64(self.0, other.0)));
        fn replaced_where(self, mask: Lanes4, other: Lanes4) -> Lanes4 =
            Lanes4(intrinsics!(_mm256_blendv_epi8(self.0, other.0, mask.0)));
        fn only_where(self, mask: Lanes4) -> Lanes4 = Lanes4(intrinsics!(_mm256_and_si256(self.0, mask.0)));
    }

    #[inline(always)]
    fn to_array(self) -> [Bitboard; MAX_LANES] {
        let mut sets = [Bitboard::EMPTY; MAX_LANES];
        // SAFETY: the CPU has AVX2, because `self` exists. The array has 64 bytes, and 32 are written.
        unsafe { _mm256_storeu_si256(sets.as_mut_ptr().cast(), self.0) };
        sets
    }

    #[inline(always)]
    fn bits(mask: Lanes4) -> u8 {
        intrinsics!(_mm256_movemask_pd(_mm256_castsi256_pd(mask.0))) as u8
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        intrinsics!({
            let (low, high) = (_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
            let two = _mm_add_epi64(low, high);
            _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as u64
        })
    }
}

impl ByteVector for Lanes4 {
    const CAN_MIRROR: bool = false;
    const SHIFTS_MASKS: bool = false;

    /// Returns the number of squares in each byte. It looks up each half of a byte in a table of sixteen counts.
    ///
    /// Source: Muła, Kurz, Lemire, "Faster Population Counts Using AVX2 Instructions", 2016.
    #[inline(always)]
    fn popcount_bytes(self) -> Lanes4 {
        Lanes4(intrinsics!({
            let counts =
                _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let half = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(self.0, half));
            let high = _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi64::<4>(self.0), half));
            _mm256_add_epi8(low, high)
        }))
    }

    methods! {
        fn plus_bytes(self, other: Lanes4) -> Lanes4 = Lanes4(intrinsics!(_mm256_add_epi8(self.0, other.0)));
        fn sum_of_bytes(self) -> Lanes4 =
            Lanes4(intrinsics!(_mm256_sad_epu8(self.0, _mm256_setzero_si256())));
        fn mirrored(self) -> Lanes4 = self;
    }
}
