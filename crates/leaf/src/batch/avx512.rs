//! Vectors of eight lanes: AVX-512 with the extensions of Ice Lake (2019), Zen 4 (2022) and later.
//!
//! Rook directions use subtraction in bytes. It works towards the east only, so the board is turned for the other three
//! directions. See the section "Turned boards" of `crates/leaf/README.md`. Bishop directions use the fill.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use perft_core::{Bitboard, Square};

use super::lanes::{BatchMove, Fill, Lanes, MAX_LANES, ROOM, Tally, Vector, Width};

/// The width of eight lanes. A value exists only if the CPU has all the features that this module uses.
#[derive(Clone, Copy, Debug)]
pub struct EightLanes(());

impl EightLanes {
    /// Returns the width if this CPU has it.
    pub fn detect() -> Option<EightLanes> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("gfni");
        has_all.then_some(EightLanes(()))
    }
}

// SAFETY: `write_moves` writes a move for each target. A test checks this at every width.
unsafe impl Width for EightLanes {
    type Lanes = Lanes8;

    const LANES: usize = 8;
    const MIN_ATTACKED_PIECES: u64 = 12;
    const PLAIN_PROMOTIONS: bool = false;

    #[inline(always)]
    fn splat(self, set: Bitboard) -> Lanes8 {
        // SAFETY: an `EightLanes` exists only if the CPU has these instructions.
        Lanes8(unsafe { _mm512_set1_epi64(set.bits() as i64) })
    }

    #[inline(always)]
    fn load_sets(self, sets: &[Bitboard; MAX_LANES]) -> Lanes8 {
        // SAFETY: the CPU has these instructions, because `self` exists. The array has the 64 bytes that are read.
        Lanes8(unsafe { _mm512_loadu_si512(sets.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_rows(self, rows: [&[Bitboard; 4]; MAX_LANES]) -> [Lanes8; 4] {
        // SAFETY: the CPU has these instructions, because `self` exists. A row has the 32 bytes that are read.
        unsafe {
            let row = |lane: usize| _mm256_loadu_si256(rows[lane].as_ptr().cast());
            let two = |lane: usize| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(row(lane)), row(lane + 4));
            let (first, second, third, fourth) = (two(0), two(1), two(2), two(3));
            // In each quarter, one word of two rows.
            let even = [_mm512_unpacklo_epi64(first, second), _mm512_unpacklo_epi64(third, fourth)];
            let odd = [_mm512_unpackhi_epi64(first, second), _mm512_unpackhi_epi64(third, fourth)];
            let low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
            let high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
            let word = |halves: [__m512i; 2], places| _mm512_permutex2var_epi64(halves[0], places, halves[1]);
            [word(even, low), word(odd, low), word(even, high), word(odd, high)].map(Lanes8)
        }
    }

    #[inline(always)]
    fn load(self, numbers: &[u32; MAX_LANES]) -> Lanes8 {
        // SAFETY: the CPU has these instructions, because `self` exists. The array has the 32 bytes that are read.
        Lanes8(unsafe { _mm512_cvtepu32_epi64(_mm256_loadu_si256(numbers.as_ptr().cast())) })
    }

    #[inline(always)]
    fn first_lanes(self, count: usize) -> __mmask8 {
        if count >= 8 { 0xff } else { (1 << count) - 1 }
    }

    /// Compresses the numbers of the targets into the low bytes of a vector, and writes them in groups of sixteen.
    #[inline(always)]
    fn write_moves(
        self,
        targets: Bitboard,
        base: u32,
        stride: u32,
        room: &mut [MaybeUninit<BatchMove>; ROOM],
    ) {
        // SAFETY: the CPU has these instructions, because `self` exists. The table has 64 bytes. The room has 64 packed
        // moves of four bytes, so each of its quarters has the 64 bytes that are written.
        unsafe {
            let all = _mm512_loadu_si512(ALL_SQUARES.as_ptr().cast());
            let squares = _mm512_maskz_compress_epi8(targets.bits(), all);
            let room = room.as_mut_ptr();
            write_sixteen(_mm512_castsi512_si128(squares), base, stride, room);
            if targets.count() > 16 {
                write_sixteen(_mm512_extracti32x4_epi32::<1>(squares), base, stride, room.add(16));
                write_sixteen(_mm512_extracti32x4_epi32::<2>(squares), base, stride, room.add(32));
                write_sixteen(_mm512_extracti32x4_epi32::<3>(squares), base, stride, room.add(48));
            }
        }
    }
}

/// Writes sixteen packed moves, `base + square * stride` for each byte of `squares`.
///
/// # Safety
/// The CPU must have AVX-512 F and BW, and `room` must have space for sixteen packed moves, which are 64 bytes.
#[inline(always)]
unsafe fn write_sixteen(squares: __m128i, base: u32, stride: u32, room: *mut MaybeUninit<BatchMove>) {
    // SAFETY: the caller guarantees both.
    unsafe {
        // The product of a square and a stride has at most 16 bits.
        let squares = _mm512_mullo_epi16(_mm512_cvtepu8_epi32(squares), _mm512_set1_epi32(stride as i32));
        let packed_moves = _mm512_add_epi32(squares, _mm512_set1_epi32(base as i32));
        _mm512_storeu_si512(room.cast(), packed_moves);
    }
}

/// The numbers 0 to 63, one per byte.
static ALL_SQUARES: [Square; 64] = Square::ALL;

/// Eight bitboards or numbers.
#[derive(Clone, Copy)]
pub struct Lanes8(__m512i);

/// Evaluates an expression of AVX-512 intrinsics. It is used only in methods of [`Lanes8`].
macro_rules! intrinsics {
    ($body:expr) => {
        // SAFETY: only an `EightLanes` makes the first `Lanes8`, and it exists only if the CPU has these instructions.
        unsafe { $body }
    };
}

operators!(Lanes8:
    not |sets| intrinsics!(_mm512_xor_si512(sets, _mm512_set1_epi64(-1))),
    BitAnd bitand |one, other| intrinsics!(_mm512_and_si512(one, other)),
    BitOr bitor |one, other| intrinsics!(_mm512_or_si512(one, other)),
    BitXor bitxor |one, other| intrinsics!(_mm512_xor_si512(one, other))
);

impl Vector for Lanes8 {
    type Mask = __mmask8;
    type Width = EightLanes;

    #[inline(always)]
    fn width(self) -> EightLanes {
        EightLanes(())
    }

    #[inline(always)]
    fn shifted(self, places: i8) -> Lanes8 {
        let count = i64::from(places.unsigned_abs());
        Lanes8(intrinsics!(if places >= 0 {
            _mm512_sllv_epi64(self.0, _mm512_set1_epi64(count))
        } else {
            _mm512_srlv_epi64(self.0, _mm512_set1_epi64(count))
        }))
    }

    #[inline(always)]
    fn squares(self) -> Lanes8 {
        Lanes8(intrinsics!({
            let indices = _mm512_and_si512(self.0, _mm512_set1_epi64(63));
            _mm512_sllv_epi64(_mm512_set1_epi64(1), indices)
        }))
    }

    #[inline(always)]
    fn flipped(self) -> Lanes8 {
        Lanes8(intrinsics!({
            let reversed = _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
            _mm512_shuffle_epi8(self.0, _mm512_broadcast_i32x4(reversed))
        }))
    }

    methods! {
        fn plus(self, other: Lanes8) -> Lanes8 = Lanes8(intrinsics!(_mm512_add_epi64(self.0, other.0)));
        fn minus(self, other: Lanes8) -> Lanes8 = Lanes8(intrinsics!(_mm512_sub_epi64(self.0, other.0)));
        fn minus_bytes(self, other: Lanes8) -> Lanes8 = Lanes8(intrinsics!(_mm512_sub_epi8(self.0, other.0)));
        fn times(self, other: Lanes8) -> Lanes8 = Lanes8(intrinsics!(_mm512_mul_epi32(self.0, other.0)));
        fn product(self, other: Lanes8) -> Lanes8 = Lanes8(intrinsics!(_mm512_mullo_epi64(self.0, other.0)));
        fn popcount(self) -> Lanes8 = Lanes8(intrinsics!(_mm512_popcnt_epi64(self.0)));
        fn meets(self, other: Lanes8) -> __mmask8 = intrinsics!(_mm512_test_epi64_mask(self.0, other.0));
        fn misses(self, other: Lanes8) -> __mmask8 = intrinsics!(_mm512_testn_epi64_mask(self.0, other.0));
        fn equals(self, other: Lanes8) -> __mmask8 = intrinsics!(_mm512_cmpeq_epi64_mask(self.0, other.0));
        fn or_where(self, mask: __mmask8, other: Lanes8) -> Lanes8 =
            Lanes8(intrinsics!(_mm512_mask_or_epi64(self.0, mask, self.0, other.0)));
        fn xor_where(self, mask: __mmask8, other: Lanes8) -> Lanes8 =
            Lanes8(intrinsics!(_mm512_mask_xor_epi64(self.0, mask, self.0, other.0)));
        fn plus_where(self, mask: __mmask8, other: Lanes8) -> Lanes8 =
            Lanes8(intrinsics!(_mm512_mask_add_epi64(self.0, mask, self.0, other.0)));
        fn replaced_where(self, mask: __mmask8, other: Lanes8) -> Lanes8 =
            Lanes8(intrinsics!(_mm512_mask_mov_epi64(self.0, mask, other.0)));
        fn only_where(self, mask: __mmask8) -> Lanes8 =
            Lanes8(intrinsics!(_mm512_maskz_mov_epi64(mask, self.0)));
    }

    #[inline(always)]
    fn to_array(self) -> [Bitboard; MAX_LANES] {
        let mut sets = [Bitboard::EMPTY; MAX_LANES];
        intrinsics!(_mm512_storeu_si512(sets.as_mut_ptr().cast(), self.0));
        sets
    }

    methods! {
        fn bits(mask: __mmask8) -> u8 = mask;
        fn sum(self) -> u64 = intrinsics!(_mm512_reduce_add_epi64(self.0)) as u64;
    }
}

impl Lanes for Lanes8 {
    type Tally = Tally8;
    type Blockers = Blockers8;

    #[inline(always)]
    fn blockers(self) -> Blockers8 {
        let south = self.reflected();
        let empty = !self;
        Blockers8 {
            north: south.mirrored(),
            south,
            east: self,
            west: self.mirrored(),
            diagonals: [
                Fill::new::<4>(empty),
                Fill::new::<5>(empty),
                Fill::new::<6>(empty),
                Fill::new::<7>(empty),
            ],
        }
    }

    #[inline(always)]
    fn slide<const DIRECTION: usize>(self, blockers: &Blockers8) -> Lanes8 {
        match DIRECTION {
            0 => self.reflected().mirrored().east_attacks(blockers.north).mirrored().reflected(),
            1 => self.reflected().east_attacks(blockers.south).reflected(),
            2 => self.east_attacks(blockers.east),
            3 => self.mirrored().east_attacks(blockers.west).mirrored(),
            _ => blockers.diagonals[DIRECTION - 4].attacks::<DIRECTION>(self),
        }
    }

    #[inline(always)]
    fn look<const DIRECTION: usize>(self, blockers: &Blockers8) -> Lanes8 {
        match DIRECTION {
            0 => self.reflected().mirrored().look_east(blockers.north).mirrored().reflected(),
            1 => self.reflected().look_east(blockers.south).reflected(),
            2 => self.look_east(blockers.east),
            3 => self.mirrored().look_east(blockers.west).mirrored(),
            _ => self.slide::<DIRECTION>(blockers),
        }
    }
}

/// The sum of the popcounts of lanes. AVX-512 has an instruction for the popcount of a lane.
#[derive(Clone, Copy)]
pub struct Tally8(Lanes8);

impl Tally<Lanes8> for Tally8 {
    #[inline(always)]
    fn zero(width: EightLanes) -> Tally8 {
        Tally8(width.empty())
    }

    #[inline(always)]
    fn add(&mut self, set: Lanes8) {
        self.0 = self.0.plus(set.popcount());
    }

    #[inline(always)]
    fn total(self) -> Lanes8 {
        self.0
    }
}

/// The occupied squares, turned so that each rook direction becomes "east", and the fills for the bishop directions.
#[derive(Clone, Copy)]
pub struct Blockers8 {
    north: Lanes8,
    south: Lanes8,
    east: Lanes8,
    west: Lanes8,
    diagonals: [Fill<Lanes8>; 4],
}

/// Sliding towards the east, and turning boards.
///
/// A bitboard is a matrix of 8x8 bits. The instruction `gf2p8affineqb` multiplies each byte of its first operand by the
/// matrix in the same lane of its second operand, over GF(2). With a constant as one operand, it turns the board in
/// each lane.
impl Lanes8 {
    methods! {
        /// Returns the same as [`Vector::east_attacks`], but from any squares, including empty ones. If one of them
        /// blocks the ray of another, its own ray continues, so the union is right.
        fn look_east(self, occupied: Lanes8) -> Lanes8 = self.east_attacks(occupied | self);

        /// Returns the boards with the order of the files reversed.
        fn mirrored(self) -> Lanes8 =
            Lanes8(intrinsics!(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(MAIN_DIAGONAL))));

        /// Returns the boards reflected in the diagonal a8-h1. Files become ranks, and "south" becomes "east".
        fn reflected(self) -> Lanes8 =
            Lanes8(intrinsics!(_mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(ANTI_DIAGONAL), self.0)));
    }
}

/// The diagonal a1-h8. As a matrix it reverses the bits of a byte.
const MAIN_DIAGONAL: i64 = 0x8040_2010_0804_0201u64 as i64;

/// The diagonal h1-a8.
const ANTI_DIAGONAL: i64 = 0x0102_0408_1020_4080;
