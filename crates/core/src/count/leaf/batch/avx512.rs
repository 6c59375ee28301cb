//! Eight lanes: AVX-512 with the extensions of Ice Lake (2019), Zen 4 (2022) and later.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::lanes::{Fill, Lanes, MAX_LANES, Width};
use super::packed_move::{PackedMove, ROOM};
use crate::types::{Bitboard, Square};

/// Vectors of eight lanes: exists only where the CPU has all the features that are used.
#[derive(Clone, Copy, Debug)]
pub struct EightLanes(());

impl EightLanes {
    /// The width, if this CPU has it.
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

// SAFETY: `write_moves` writes each target, which a test compares at every width.
unsafe impl Width for EightLanes {
    type Lanes = Lanes8;

    const LANES: usize = 8;

    #[inline(always)]
    fn splat(self, set: Bitboard) -> Lanes8 {
        // SAFETY: an EightLanes exists only where the CPU has these instructions.
        Lanes8(unsafe { _mm512_set1_epi64(set.bits() as i64) })
    }

    #[inline(always)]
    fn load(self, numbers: &[u32; MAX_LANES]) -> Lanes8 {
        // SAFETY: as above; the array is 32 bytes.
        Lanes8(unsafe { _mm512_cvtepu32_epi64(_mm256_loadu_si256(numbers.as_ptr().cast())) })
    }

    #[inline(always)]
    fn first(self, count: usize) -> __mmask8 {
        if count >= 8 { 0xff } else { (1 << count) - 1 }
    }

    /// The targets are squeezed into the low bytes of a vector, and widened sixteen at a time.
    #[inline(always)]
    fn write_moves(
        self,
        targets: Bitboard,
        base: u32,
        stride: u32,
        room: &mut [MaybeUninit<PackedMove>; ROOM],
    ) {
        // SAFETY: as above; each of the four quarters of the room has 64 bytes.
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

/// Writes sixteen packed moves.
///
/// # Safety
/// The CPU must have AVX-512 F and BW, and the room 64 bytes.
#[inline(always)]
unsafe fn write_sixteen(squares: __m128i, base: u32, stride: u32, room: *mut MaybeUninit<PackedMove>) {
    // SAFETY: the caller's. A square times a stride has 16 bits.
    unsafe {
        let squares = _mm512_mullo_epi16(_mm512_cvtepu8_epi32(squares), _mm512_set1_epi32(stride as i32));
        let packed_moves = _mm512_add_epi32(squares, _mm512_set1_epi32(base as i32));
        _mm512_storeu_si512(room.cast(), packed_moves);
    }
}

static ALL_SQUARES: [Square; 64] = Square::ALL;

/// Eight bitboards.
#[derive(Clone, Copy)]
pub struct Lanes8(__m512i);

/// Writes a method whose body is intrinsics on vectors that exist.
macro_rules! on_existing {
    ($body:expr) => {
        // SAFETY: a Lanes8 exists only where the CPU has these instructions.
        unsafe { $body }
    };
}

impl BitAnd for Lanes8 {
    type Output = Lanes8;

    #[inline(always)]
    fn bitand(self, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_and_si512(self.0, other.0)))
    }
}

impl BitOr for Lanes8 {
    type Output = Lanes8;

    #[inline(always)]
    fn bitor(self, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_or_si512(self.0, other.0)))
    }
}

impl BitXor for Lanes8 {
    type Output = Lanes8;

    #[inline(always)]
    fn bitxor(self, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_xor_si512(self.0, other.0)))
    }
}

impl Not for Lanes8 {
    type Output = Lanes8;

    #[inline(always)]
    fn not(self) -> Lanes8 {
        Lanes8(on_existing!(_mm512_xor_si512(self.0, _mm512_set1_epi64(-1))))
    }
}

impl Lanes for Lanes8 {
    type Mask = __mmask8;
    type Width = EightLanes;

    #[inline(always)]
    fn width(self) -> EightLanes {
        EightLanes(())
    }

    #[inline(always)]
    fn shifted(self, places: i8) -> Lanes8 {
        let count = i64::from(places.unsigned_abs());
        Lanes8(on_existing!(if places >= 0 {
            _mm512_sllv_epi64(self.0, _mm512_set1_epi64(count))
        } else {
            _mm512_srlv_epi64(self.0, _mm512_set1_epi64(count))
        }))
    }

    #[inline(always)]
    fn squares(self) -> Lanes8 {
        Lanes8(on_existing!({
            let indices = _mm512_and_si512(self.0, _mm512_set1_epi64(63));
            _mm512_sllv_epi64(_mm512_set1_epi64(1), indices)
        }))
    }

    #[inline(always)]
    fn permuted(self, numbers: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_permutexvar_epi64(numbers.0, self.0)))
    }

    #[inline(always)]
    fn plus(self, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn minus(self, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_sub_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn times(self, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_mul_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn popcount(self) -> Lanes8 {
        Lanes8(on_existing!(_mm512_popcnt_epi64(self.0)))
    }

    #[inline(always)]
    fn meets(self, other: Lanes8) -> __mmask8 {
        on_existing!(_mm512_test_epi64_mask(self.0, other.0))
    }

    #[inline(always)]
    fn misses(self, other: Lanes8) -> __mmask8 {
        on_existing!(_mm512_testn_epi64_mask(self.0, other.0))
    }

    #[inline(always)]
    fn equals(self, other: Lanes8) -> __mmask8 {
        on_existing!(_mm512_cmpeq_epi64_mask(self.0, other.0))
    }

    #[inline(always)]
    fn or_where(self, mask: __mmask8, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_mask_or_epi64(self.0, mask, self.0, other.0)))
    }

    #[inline(always)]
    fn xor_where(self, mask: __mmask8, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_mask_xor_epi64(self.0, mask, self.0, other.0)))
    }

    #[inline(always)]
    fn plus_where(self, mask: __mmask8, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_mask_add_epi64(self.0, mask, self.0, other.0)))
    }

    #[inline(always)]
    fn replaced_where(self, mask: __mmask8, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_mask_mov_epi64(self.0, mask, other.0)))
    }

    #[inline(always)]
    fn only_where(self, mask: __mmask8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_maskz_mov_epi64(mask, self.0)))
    }

    #[inline(always)]
    fn to_array(self) -> [Bitboard; MAX_LANES] {
        let mut sets = [Bitboard::EMPTY; MAX_LANES];
        on_existing!(_mm512_storeu_si512(sets.as_mut_ptr().cast(), self.0));
        sets
    }

    #[inline(always)]
    fn bits(mask: __mmask8) -> u8 {
        mask
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        on_existing!(_mm512_reduce_add_epi64(self.0)) as u64
    }

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
            0 => self.reflected().mirrored().towards_h(blockers.north).mirrored().reflected(),
            1 => self.reflected().towards_h(blockers.south).reflected(),
            2 => self.towards_h(blockers.east),
            3 => self.mirrored().towards_h(blockers.west).mirrored(),
            _ => blockers.diagonals[DIRECTION - 4].attacks::<DIRECTION>(self),
        }
    }

    #[inline(always)]
    fn look<const DIRECTION: usize>(self, blockers: &Blockers8) -> Lanes8 {
        match DIRECTION {
            0 => self.reflected().mirrored().look_towards_h(blockers.north).mirrored().reflected(),
            1 => self.reflected().look_towards_h(blockers.south).reflected(),
            2 => self.look_towards_h(blockers.east),
            3 => self.mirrored().look_towards_h(blockers.west).mirrored(),
            _ => self.slide::<DIRECTION>(blockers),
        }
    }
}

/// The occupied squares, turned so that each of the four orthogonal directions becomes "towards the h-file", and what can
/// be passed on the diagonals.
#[derive(Clone, Copy)]
pub struct Blockers8 {
    north: Lanes8,
    south: Lanes8,
    east: Lanes8,
    west: Lanes8,
    diagonals: [Fill<Lanes8>; 4],
}

/// Each lane as a matrix of 8 by 8 bits. A multiplication over GF(2) by a constant, from the left or the right, turns
/// or mirrors it. (`gf2p8affineqb` multiplies each byte of one operand by the matrix that the other operand's lane
/// is.)
impl Lanes8 {
    /// The attacks of sliders towards higher bits within each byte, which is towards the h-file: `o ^ (o - 2s)` turns
    /// over all bits from a slider up to its first blocker, and bytes keep the ranks apart.
    #[inline(always)]
    fn towards_h(self, occupied: Lanes8) -> Lanes8 {
        Lanes8(on_existing!({
            let twice = _mm512_add_epi8(self.0, self.0);
            _mm512_xor_si512(occupied.0, _mm512_sub_epi8(occupied.0, twice))
        }))
    }

    /// As `towards_h`, from squares that may be empty: one of them that stands in another's way goes on itself.
    #[inline(always)]
    fn look_towards_h(self, occupied: Lanes8) -> Lanes8 {
        self.towards_h(occupied | self)
    }

    /// The files in reverse order.
    #[inline(always)]
    fn mirrored(self) -> Lanes8 {
        Lanes8(on_existing!(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(MAIN_DIAGONAL))))
    }

    /// Reflected in the diagonal from a8 to h1: files become ranks, and down the board becomes towards the h-file.
    #[inline(always)]
    fn reflected(self) -> Lanes8 {
        Lanes8(on_existing!(_mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(ANTI_DIAGONAL), self.0)))
    }
}

/// a1, b2, ... h8.
const MAIN_DIAGONAL: i64 = 0x8040_2010_0804_0201u64 as i64;

/// h1, g2, ... a8.
const ANTI_DIAGONAL: i64 = 0x0102_0408_1020_4080;
