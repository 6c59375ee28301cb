//! Eight lanes: AVX-512 with the extensions of Ice Lake (2019), Zen 4 (2022) and later.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::lanes::{Lanes, MAX_LANES, Width};
use super::rows::{ROW, RowWriter};
use crate::chess::types::{Bitboard, Square};

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

impl Width for EightLanes {
    type Lanes = Lanes8;

    const LANES: usize = 8;

    #[inline(always)]
    fn splat(self, set: Bitboard) -> Lanes8 {
        // SAFETY: an EightLanes exists only where the CPU has these instructions.
        Lanes8(unsafe { _mm512_set1_epi64(set.bits() as i64) })
    }

    #[inline(always)]
    fn squares(self, squares: &[u8; MAX_LANES]) -> Lanes8 {
        // SAFETY: as above; the array is eight bytes.
        Lanes8(unsafe {
            let indices = _mm512_cvtepu8_epi64(_mm_loadl_epi64(squares.as_ptr().cast()));
            _mm512_sllv_epi64(_mm512_set1_epi64(1), indices)
        })
    }

    #[inline(always)]
    fn equal(self, numbers: &[u8; MAX_LANES], number: u8) -> __mmask8 {
        // SAFETY: as above; the array is eight bytes.
        unsafe {
            let numbers = _mm_loadl_epi64(numbers.as_ptr().cast());
            _mm_cmpeq_epi8_mask(numbers, _mm_set1_epi8(number as i8)) as __mmask8
        }
    }

    #[inline(always)]
    fn first(self, count: usize) -> __mmask8 {
        if count >= 8 { 0xff } else { (1 << count) - 1 }
    }

    #[inline(always)]
    fn lane(self, number: usize) -> __mmask8 {
        1 << (number & 7)
    }

    #[inline(always)]
    fn meeting(self, sets: &[Bitboard; 8], straights: Bitboard, diagonals: Bitboard) -> u8 {
        // SAFETY: as above; the array is eight words of 64 bits.
        unsafe {
            let sets = _mm512_loadu_si512(sets.as_ptr().cast());
            let sliders = _mm512_mask_set1_epi64(self.splat(straights).0, 0xf0, diagonals.bits() as i64);
            _mm512_test_epi64_mask(sets, sliders)
        }
    }
}

impl RowWriter for EightLanes {
    #[inline(always)]
    fn write_squares(self, set: Bitboard, squares: &mut [MaybeUninit<u8>; ROW]) {
        self.write_squares_before(set, 0, squares);
    }

    #[inline(always)]
    fn write_squares_before(self, set: Bitboard, offset: i8, squares: &mut [MaybeUninit<u8>; ROW]) {
        // SAFETY: as above; both arrays are 64 bytes.
        unsafe {
            let all = _mm512_loadu_si512(ALL_SQUARES.as_ptr().cast());
            let row = _mm512_maskz_compress_epi8(set.bits(), all);
            let before = _mm512_sub_epi8(row, _mm512_set1_epi8(offset));
            _mm512_storeu_si512(squares.as_mut_ptr().cast(), before);
        }
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
    fn plus(self, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn minus(self, other: Lanes8) -> Lanes8 {
        Lanes8(on_existing!(_mm512_sub_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn popcount(self) -> Lanes8 {
        Lanes8(on_existing!(_mm512_popcnt_epi64(self.0)))
    }

    #[inline(always)]
    fn highest(self) -> Lanes8 {
        Lanes8(on_existing!(_mm512_srlv_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(self.0))))
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
    fn sum(self) -> u64 {
        on_existing!(_mm512_reduce_add_epi64(self.0)) as u64
    }

    type Blockers = Turned;

    #[inline(always)]
    fn blockers(self) -> Turned {
        let south = self.turned();
        Turned { east: self, west: self.mirrored(), south, north: south.mirrored() }
    }

    #[inline(always)]
    fn straight_attacks(self, blockers: Turned, vertical: bool, horizontal: bool) -> Lanes8 {
        let mut attacks = self.width().empty();
        if horizontal {
            let west = self.mirrored().towards_h(blockers.west).mirrored();
            attacks = self.towards_h(blockers.east) | west;
        }
        if vertical {
            let sliders = self.turned();
            let north = sliders.mirrored().towards_h(blockers.north).mirrored();
            attacks = attacks | (sliders.towards_h(blockers.south) | north).turned_back();
        }
        attacks
    }

    #[inline(always)]
    fn straight_moves(vertical: Lanes8, horizontal: Lanes8, blockers: Turned, targets: Lanes8) -> Lanes8 {
        let wanted = targets.blockers();
        let sliders = vertical.turned();
        let south = sliders.towards_h(blockers.south) & wanted.south;
        let north = sliders.mirrored().towards_h(blockers.north) & wanted.north;
        let east = horizontal.towards_h(blockers.east) & wanted.east;
        let west = horizontal.mirrored().towards_h(blockers.west) & wanted.west;
        (south.popcount().plus(north.popcount())).plus(east.popcount().plus(west.popcount()))
    }
}

/// A set of squares turned so that each of the four straight directions becomes "towards the h-file".
#[derive(Clone, Copy)]
pub struct Turned {
    east: Lanes8,
    west: Lanes8,
    south: Lanes8,
    north: Lanes8,
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

    /// The files in reverse order.
    #[inline(always)]
    fn mirrored(self) -> Lanes8 {
        Lanes8(on_existing!(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(MAIN_DIAGONAL))))
    }

    /// A quarter turn: files become ranks, and down the board becomes towards the h-file.
    #[inline(always)]
    fn turned(self) -> Lanes8 {
        Lanes8(on_existing!(_mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(MAIN_DIAGONAL), self.0)))
    }

    /// The quarter turn back: the other way and mirrored twice comes to the same.
    #[inline(always)]
    fn turned_back(self) -> Lanes8 {
        let anti = on_existing!(_mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(ANTI_DIAGONAL), self.0));
        Lanes8(anti).mirrored()
    }
}

/// a1, b2, ... h8.
const MAIN_DIAGONAL: i64 = 0x8040_2010_0804_0201u64 as i64;

/// h1, g2, ... a8.
const ANTI_DIAGONAL: i64 = 0x0102_0408_1020_4080;
