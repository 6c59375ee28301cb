//! Compares every operation on vectors with a plain version, at every width that this machine has.
#![cfg(vector_paths)]

use std::array::from_fn;
use std::mem::MaybeUninit;

use perft_core::Bitboard;
use perft_core::internals::sliders::ray;
use perft_core::internals::{Direction, split_mix_64};
#[cfg(two_lane_paths)]
use perft_leaf::internals::TwoLanes;
use perft_leaf::internals::*;
#[cfg(x86_paths)]
use perft_leaf::internals::{EightLanes, FourLanes};

type Sets = [Bitboard; MAX_LANES];

/// A generator of random numbers that depend on a seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        split_mix_64(&mut self.0)
    }

    /// Returns random sets, some dense and some sparse, and sometimes empty or full ones.
    fn sets(&mut self) -> Sets {
        from_fn(|_| {
            let dense = self.next();
            let thinner = [dense, dense & self.next(), dense & self.next() & self.next(), 0, !0];
            Bitboard::from_bits(thinner[(self.next() % 14 / 3) as usize])
        })
    }
}

/// Runs each test at every width that this machine has.
macro_rules! at_each_width {
    ($($name:ident;)*) => {$(
        #[test]
        fn $name() {
            #[cfg(x86_paths)]
            if let Some(width) = FourLanes::detect() {
                plain::$name(width, &mut Numbers(1));
            }
            #[cfg(x86_paths)]
            if let Some(width) = EightLanes::detect() {
                plain::$name(width, &mut Numbers(2));
            }
            #[cfg(two_lane_paths)]
            plain::$name(TwoLanes, &mut Numbers(3));
        }
    )*};
}

at_each_width! {
    vectors_can_be_made_and_read_back;
    logic_and_numbers_are_lane_by_lane;
    masks_choose_lanes;
    squares_and_lanes_move;
    moves_are_written;
    sliders_attack_up_to_the_first_blocker;
}

/// Compares each operation with a plain version.
mod plain {
    use super::*;

    const ROUNDS: usize = 2000;

    fn lanes<W: Width>(width: W, sets: Sets) -> W::Lanes {
        let mut lanes = width.empty();
        for (lane, set) in sets.into_iter().enumerate().take(W::LANES) {
            let this = mask(width, 1 << lane);
            lanes = lanes.replaced_where(this, width.splat(set));
        }
        lanes
    }

    /// Returns the mask of the lanes whose bits are set.
    fn mask<W: Width>(width: W, bits: u8) -> <W::Lanes as Vector>::Mask {
        let mut mask = width.first_lanes(0);
        for lane in 0..W::LANES {
            if bits >> lane & 1 != 0 {
                mask = mask | (width.first_lanes(lane + 1) & !width.first_lanes(lane));
            }
        }
        mask
    }

    fn bits<W: Width>(_: W, mask: <W::Lanes as Vector>::Mask) -> u8 {
        W::Lanes::bits(mask)
    }

    /// Returns the sets, with empty ones beyond the last lane of this width.
    fn kept<W: Width>(sets: Sets) -> Sets {
        from_fn(|lane| if lane < W::LANES { sets[lane] } else { Bitboard::EMPTY })
    }

    fn zipped<W: Width>(a: Sets, b: Sets, f: impl Fn(u64, u64) -> u64) -> Sets {
        kept::<W>(from_fn(|lane| Bitboard::from_bits(f(a[lane].bits(), b[lane].bits()))))
    }

    fn condition<W: Width>(a: Sets, b: Sets, f: impl Fn(u64, u64) -> bool) -> u8 {
        (0..W::LANES).map(|lane| u8::from(f(a[lane].bits(), b[lane].bits())) << lane).sum()
    }

    pub fn vectors_can_be_made_and_read_back<W: Width>(width: W, numbers: &mut Numbers) {
        for count in 0..=MAX_LANES {
            let first = if count >= W::LANES { (1u16 << W::LANES) - 1 } else { (1 << count) - 1 };
            assert_eq!(bits(width, width.first_lanes(count)), first as u8);
        }
        for _ in 0..ROUNDS {
            let sets = numbers.sets();
            assert_eq!(lanes(width, sets).to_array(), kept::<W>(sets));
            assert_eq!(width.splat(sets[0]).to_array(), kept::<W>([sets[0]; MAX_LANES]));
            let row: [u32; MAX_LANES] = from_fn(|_| numbers.next() as u32);
            let wide = from_fn(|lane| Bitboard::from_bits(u64::from(row[lane])));
            assert_eq!(width.load(&row).to_array(), kept::<W>(wide));
            let chosen = numbers.next() as u8 & ((1u16 << W::LANES) - 1) as u8;
            assert_eq!(bits(width, mask(width, chosen)), chosen);
        }
    }

    pub fn logic_and_numbers_are_lane_by_lane<W: Width>(width: W, numbers: &mut Numbers) {
        for _ in 0..ROUNDS {
            let (a, b) = (numbers.sets(), numbers.sets());
            let (x, y) = (lanes(width, a), lanes(width, b));
            assert_eq!((x & y).to_array(), zipped::<W>(a, b, |a, b| a & b));
            assert_eq!((x | y).to_array(), zipped::<W>(a, b, |a, b| a | b));
            assert_eq!((x ^ y).to_array(), zipped::<W>(a, b, |a, b| a ^ b));
            assert_eq!((!x).to_array(), zipped::<W>(a, b, |a, _| !a));
            assert_eq!(x.without(y).to_array(), zipped::<W>(a, b, |a, b| a & !b));
            assert_eq!(x.plus(y).to_array(), zipped::<W>(a, b, u64::wrapping_add));
            assert_eq!(x.minus(y).to_array(), zipped::<W>(a, b, u64::wrapping_sub));
            let product = |a, b| (i64::from(a as i32) * i64::from(b as i32)) as u64;
            assert_eq!(x.times(y).to_array(), zipped::<W>(a, b, product));
            assert_eq!(x.popcount().to_array(), zipped::<W>(a, b, |a, _| a.count_ones().into()));
            let sum = kept::<W>(a).iter().fold(0, |sum: u64, set| sum.wrapping_add(set.bits()));
            assert_eq!(x.sum(), sum);
        }
    }

    pub fn masks_choose_lanes<W: Width>(width: W, numbers: &mut Numbers) {
        for _ in 0..ROUNDS {
            let (a, mut b) = (numbers.sets(), numbers.sets());
            b[numbers.next() as usize % MAX_LANES] = a[0];
            let (x, y) = (lanes(width, a), lanes(width, b));
            assert_eq!(bits(width, x.meets(y)), condition::<W>(a, b, |a, b| a & b != 0));
            assert_eq!(bits(width, x.misses(y)), condition::<W>(a, b, |a, b| a & b == 0));
            assert_eq!(bits(width, x.equals(y)), condition::<W>(a, b, |a, b| a == b));
            assert_eq!(bits(width, x.non_empty()), condition::<W>(a, b, |a, _| a != 0));
            let (p, q) = (x.meets(y), x.equals(y));
            assert_eq!(bits(width, p & q), bits(width, p) & bits(width, q));
            assert_eq!(bits(width, p | q), bits(width, p) | bits(width, q));
            assert_eq!(bits(width, !p), bits(width, x.misses(y)));

            let chosen = numbers.next() as u8;
            let mask = mask(width, chosen);
            let full = from_fn(|lane| Bitboard::from_bits(0u64.wrapping_sub(u64::from(chosen >> lane & 1))));
            let c = zipped::<W>(b, full, |b, full| b & full);
            assert_eq!(y.only_where(mask).to_array(), c);
            assert_eq!(x.or_where(mask, y).to_array(), zipped::<W>(a, c, |a, c| a | c));
            assert_eq!(x.xor_where(mask, y).to_array(), zipped::<W>(a, c, |a, c| a ^ c));
            assert_eq!(x.plus_where(mask, y).to_array(), zipped::<W>(a, c, u64::wrapping_add));
            let kept = zipped::<W>(a, full, |a, full| a & !full);
            assert_eq!(x.replaced_where(mask, y).to_array(), zipped::<W>(kept, c, |a, c| a | c));
        }
    }

    pub fn squares_and_lanes_move<W: Width>(width: W, numbers: &mut Numbers) {
        for _ in 0..ROUNDS {
            let (a, b) = (numbers.sets(), numbers.sets());
            let x = lanes(width, a);
            for places in -63i8..=63 {
                let shift = |a: u64, _| if places < 0 { a >> -places } else { a << places };
                assert_eq!(x.shifted(places).to_array(), zipped::<W>(a, b, shift));
            }
            for direction in DIRECTIONS {
                let stepped: Sets = from_fn(|lane| a[lane].step(direction));
                assert_eq!(x.step(direction).to_array(), kept::<W>(stepped));
            }
            assert_eq!(x.flipped().to_array(), zipped::<W>(a, b, |a, _| a.swap_bytes()));
            assert_eq!(x.squares().to_array(), zipped::<W>(a, b, |a, _| 1 << (a & 63)));
            let rows: [[Bitboard; 4]; MAX_LANES] =
                from_fn(|lane| [a[lane], b[lane], !a[lane], a[lane] ^ b[lane]]);
            let loaded = width.load_rows(rows.each_ref());
            for (word, loaded) in loaded.into_iter().enumerate() {
                assert_eq!(loaded.to_array(), kept::<W>(from_fn(|lane| rows[lane][word])));
            }
        }
    }

    pub fn moves_are_written<W: Width>(width: W, numbers: &mut Numbers) {
        for _ in 0..ROUNDS {
            for targets in numbers.sets() {
                for stride in [1, 0x101] {
                    let base = numbers.next() as u32;
                    let mut room = [const { MaybeUninit::uninit() }; ROOM];
                    width.write_moves(targets, base, stride, &mut room);
                    for (target, packed) in targets.into_iter().zip(&room) {
                        // SAFETY: `write_moves` has written as many packed moves as there are targets.
                        let packed = unsafe { packed.assume_init() };
                        let expected = base.wrapping_add(target.index() as u32 * stride);
                        assert_eq!(format!("{packed:?}"), format!("BatchMove({expected})"));
                    }
                }
            }
        }
    }

    pub fn sliders_attack_up_to_the_first_blocker<W: Width>(width: W, numbers: &mut Numbers) {
        for _ in 0..ROUNDS {
            let (occupied, squares) = (numbers.sets(), numbers.sets());
            let sliders = zipped::<W>(occupied, squares, |occupied, squares| occupied & squares);
            let blockers = lanes(width, occupied).blockers();
            let slid = attacks::<W>(lanes(width, sliders), &blockers, true);
            let looked = attacks::<W>(lanes(width, squares), &blockers, false);
            for (index, direction) in DIRECTIONS.into_iter().enumerate() {
                assert_eq!(slid[index], rays::<W>(sliders, occupied, direction), "{direction:?}");
                assert_eq!(looked[index], rays::<W>(squares, occupied, direction), "{direction:?}");
            }
        }
    }

    fn rays<W: Width>(from: Sets, occupied: Sets, direction: Direction) -> Sets {
        let from_each = |lane: usize| {
            let rays = from[lane].into_iter().map(|square| ray(square, direction, occupied[lane]));
            rays.fold(Bitboard::EMPTY, |union, ray| union | ray)
        };
        kept::<W>(from_fn(from_each))
    }

    type Blockers<W> = <<W as Width>::Lanes as Lanes>::Blockers;

    fn attacks<W: Width>(from: W::Lanes, blockers: &Blockers<W>, from_occupied: bool) -> [Sets; 8] {
        macro_rules! all {
            ($($direction:literal)*) => {
                [$(if from_occupied { from.slide::<$direction>(blockers) } else { from.look::<$direction>(blockers) }),*]
            };
        }
        all!(0 1 2 3 4 5 6 7).map(Vector::to_array)
    }
}
