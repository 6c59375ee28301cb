//! Vectors of bitboards, and the operations on them.
//!
//! A value of a [`Width`] exists only if the CPU has vectors of this width. It makes vectors ([`Lanes`]), and each
//! vector is the proof that the CPU has the instructions for all further operations. All functions are inlined into one
//! function that is compiled for the CPU's features. Logic is written with plain operators. On AVX-512, the compiler
//! joins two of them into one instruction.

use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::packed_move::{PackedMove, ROOM, write_four_at_a_time};
use crate::attacks::sliders::ray;
use crate::types::{Bitboard, Direction, File, Square};

/// The largest number of lanes of any width.
pub const MAX_LANES: usize = 8;

/// The eight directions, in the order of every array that has an element for each direction. The directions of rooks
/// come first, and direction `d ^ 1` is the opposite of direction `d`.
pub const DIRECTIONS: [Direction; 8] = [
    Direction::North,
    Direction::South,
    Direction::East,
    Direction::West,
    Direction::NorthEast,
    Direction::SouthWest,
    Direction::NorthWest,
    Direction::SouthEast,
];

/// The rays from each square to the edge of the board, by direction.
pub static RAYS: [[Bitboard; 8]; 64] = {
    let mut table = [[Bitboard::EMPTY; 8]; 64];
    let mut index = 0;
    while index < 64 * 8 {
        table[index / 8][index % 8] = ray(Square::ALL[index / 8], DIRECTIONS[index % 8], Bitboard::EMPTY);
        index += 1;
    }
    table
};

/// A width of vectors. A value of this type is the proof that the CPU has them.
///
/// # Safety
/// [`Width::write_moves`] must write as many moves as there are targets, because [`List`](super::list::List) reads
/// them.
pub unsafe trait Width: Copy + Send + Sync {
    /// A vector of this width.
    type Lanes: Lanes<Width = Self>;

    /// The number of lanes, at most [`MAX_LANES`].
    const LANES: usize;

    /// The number of attacked pieces of the replier, in all lanes together, from which the reply changes of captures are
    /// worth their cost. It was measured.
    const MIN_ATTACKED_PIECES: u64;

    /// Whether several groups take each step of the counter in a row. It was measured.
    const STEPS_IN_A_ROW: bool = true;

    /// Whether promotions of the mover can be plain moves. Otherwise they are exceptions. It was measured, except for
    /// WebAssembly: the code for plain promotions is left out there, because a browser downloads it.
    const PLAIN_PROMOTIONS: bool = cfg!(not(target_family = "wasm"));

    /// Returns the same set in every lane.
    fn splat(self, set: Bitboard) -> Self::Lanes;

    /// Returns one set in each lane. Sets beyond the last lane are left out.
    fn load_sets(self, sets: &[Bitboard; MAX_LANES]) -> Self::Lanes;

    /// Returns one number in each lane. Numbers beyond the last lane are left out.
    fn load(self, numbers: &[u32; MAX_LANES]) -> Self::Lanes;

    /// Returns the mask of the first `count` lanes.
    fn first_lanes(self, count: usize) -> <Self::Lanes as Lanes>::Mask;

    /// Writes the move `base + to * stride` for each target `to`, in ascending order. The memory behind the last move
    /// may be overwritten.
    #[inline(always)]
    fn write_moves(
        self,
        targets: Bitboard,
        base: u32,
        stride: u32,
        room: &mut [MaybeUninit<PackedMove>; ROOM],
    ) {
        write_four_at_a_time(targets, base, stride, room);
    }

    /// Returns the empty set in every lane.
    #[inline(always)]
    fn empty(self) -> Self::Lanes {
        self.splat(Bitboard::EMPTY)
    }

    /// Returns the same number in every lane.
    #[inline(always)]
    fn number(self, number: u64) -> Self::Lanes {
        self.splat(Bitboard::from_bits(number))
    }

    /// Returns the set of one square in every lane.
    #[inline(always)]
    fn square(self, square: Square) -> Self::Lanes {
        self.splat(square.into())
    }
}

/// A vector of bitboards, or of 64-bit numbers. It has one in each lane.
pub trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// A mask of lanes: the lanes to which an operation applies, or in which a condition holds.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// The type of the width of this vector.
    type Width: Width<Lanes = Self>;

    /// Returns the width of this vector.
    fn width(self) -> Self::Width;

    /// Returns all bits shifted up by `places`, or down if `places` is negative. Squares may wrap around the board.
    fn shifted(self, places: i8) -> Self;

    /// Returns in each lane the set of one square, whose index is the low six bits of the lane.
    fn squares(self) -> Self;

    /// Returns in each lane the lane of `self` whose number is in the low bits of that lane of `numbers`.
    fn permuted(self, numbers: Self) -> Self;

    /// Returns the sum in each lane.
    fn plus(self, other: Self) -> Self;

    /// Returns the difference in each lane.
    fn minus(self, other: Self) -> Self;

    /// Returns the product in each lane, of the low 32 bits as signed numbers.
    fn times(self, other: Self) -> Self;

    /// Returns the number of squares in each lane.
    fn popcount(self) -> Self;

    /// A sum of popcounts.
    type Tally: Tally<Self>;

    /// Returns the lanes in which both sets have a square in common.
    fn meets(self, other: Self) -> Self::Mask;

    /// Returns the lanes in which both are equal.
    fn equals(self, other: Self) -> Self::Mask;

    /// Returns the union with `other` in the lanes of the mask, and `self` in the other lanes.
    fn or_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Returns the exclusive or with `other` in the lanes of the mask, and `self` in the other lanes.
    fn xor_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Returns the sum with `other` in the lanes of the mask, and `self` in the other lanes.
    fn plus_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Returns `other` in the lanes of the mask, and `self` in the other lanes.
    fn replaced_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Returns `self` in the lanes of the mask, and the empty set in the other lanes.
    fn only_where(self, mask: Self::Mask) -> Self;

    /// Returns the sum of all lanes.
    fn sum(self) -> u64;

    /// Returns the lanes as an array. What is beyond the last lane is empty.
    fn to_array(self) -> [Bitboard; MAX_LANES];

    /// Returns the mask as a number: bit `i` is lane `i`.
    fn bits(mask: Self::Mask) -> u8;

    /// The occupied squares, prepared for sliding. They are prepared once for all sliders of both sides.
    type Blockers: Copy;

    /// Returns these squares as blockers.
    fn blockers(self) -> Self::Blockers;

    /// Returns the squares that sliders on these squares attack in one direction, up to and including the first
    /// blocker. The sliders must stand on occupied squares.
    fn slide<const DIRECTION: usize>(self, blockers: &Self::Blockers) -> Self;

    /// Returns the same as [`Lanes::slide`], but from any squares, including empty ones.
    fn look<const DIRECTION: usize>(self, blockers: &Self::Blockers) -> Self;

    /// Returns the ray from a square to the edge of the board, in the form in which [`Lanes::slide_on`] needs it.
    #[inline(always)]
    fn ray<const DIRECTION: usize>(from: Square) -> Bitboard {
        RAYS[from.index()][DIRECTION]
    }

    /// Returns the same as [`Lanes::slide`] for at most one slider in each lane, which may stand on an empty square.
    ///
    /// `ray` is the [`Lanes::ray`] from the slider, or from a square behind it on the same line.
    #[inline(always)]
    fn slide_on<const DIRECTION: usize>(self, ray: Self, blockers: &Self::Blockers) -> Self {
        let _ = ray;
        self.look::<DIRECTION>(blockers)
    }

    /// Returns the lanes in which both sets have no square in common.
    #[inline(always)]
    fn misses(self, other: Self) -> Self::Mask {
        !self.meets(other)
    }

    /// Whether the mask has at least one lane.
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        Self::bits(mask) != 0
    }

    /// Returns the lanes whose set is not empty.
    #[inline(always)]
    fn non_empty(self) -> Self::Mask {
        self.meets(self)
    }

    /// Returns the set difference in each lane.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// Returns all squares moved by one step. Squares that would leave the board are dropped.
    #[inline(always)]
    fn step(self, direction: Direction) -> Self {
        self.shifted(direction.offset()) & self.width().splat(entered_by(direction))
    }
}

/// A sum of popcounts, in each lane, of at most [`MAX_TALLIED`] sets.
///
/// CPUs that count the bits of bytes add the bytes of a lane up once, at the end.
pub trait Tally<V: Lanes>: Copy {
    /// Returns the tally of no sets.
    fn zero(width: V::Width) -> Self;

    /// Adds the number of squares of a set.
    fn add(&mut self, set: V);

    /// Returns the sum.
    fn total(self) -> V;
}

/// The largest number of sets of a [`Tally`]. A byte of a set has at most eight squares, and a sum of bytes must stay
/// below 256.
pub const MAX_TALLIED: usize = 31;

/// Returns the number of squares in all sets, in each lane. There may be [`MAX_TALLIED`] of them.
#[inline(always)]
pub fn count_all<V: Lanes, const N: usize>(sets: [V; N]) -> V {
    const { assert!(N <= MAX_TALLIED) };
    let mut tally = V::Tally::zero(sets[0].width());
    for set in sets {
        tally.add(set);
    }
    tally.total()
}

/// An occluded fill in one direction, which moves sliders over empty squares in steps of 1, 2 and 4.
///
/// Source: Chess Programming Wiki, "Kogge-Stone Algorithm".
#[derive(Clone, Copy)]
pub struct Fill<V> {
    /// The empty squares that a step of one square can end on.
    one: V,
    /// The squares that two such steps can end on.
    two: V,
    /// The squares that four such steps can end on.
    four: V,
}

impl<V: Lanes> Fill<V> {
    /// Returns the masks of the fill for these empty squares.
    #[inline(always)]
    pub fn new<const DIRECTION: usize>(empty: V) -> Fill<V> {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let one = empty & empty.width().splat(entered_by(direction));
        let two = one & one.shifted(places);
        let four = two & two.shifted(2 * places);
        Fill { one, two, four }
    }

    /// Returns the squares that sliders on these squares attack, up to and including the first blocker.
    #[inline(always)]
    pub fn attacks<const DIRECTION: usize>(&self, sliders: V) -> V {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let filled = sliders | (self.one & sliders.shifted(places));
        let filled = filled | (self.two & filled.shifted(2 * places));
        let filled = filled | (self.four & filled.shifted(4 * places));
        filled.step(direction)
    }
}

/// Returns the squares on which a step in this direction can end.
#[inline(always)]
pub fn entered_by(direction: Direction) -> Bitboard {
    match direction.delta().0 {
        1 => !Bitboard::file(File::A),
        -1 => !Bitboard::file(File::H),
        _ => Bitboard::FULL,
    }
}

#[cfg(test)]
mod tests {
    use std::array::from_fn;
    use std::mem::MaybeUninit;

    #[cfg(two_lane_paths)]
    use super::super::PairedLanes;
    #[cfg(x86_paths)]
    use super::super::{EightLanes, FourLanes};
    use super::*;

    type Sets = [Bitboard; MAX_LANES];

    /// A pseudorandom number generator: SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
    /// Generators", 2014).
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
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
                plain::$name(PairedLanes::new(), &mut Numbers(3));
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
        fn mask<W: Width>(width: W, bits: u8) -> <W::Lanes as Lanes>::Mask {
            let mut mask = width.first_lanes(0);
            for lane in 0..W::LANES {
                if bits >> lane & 1 != 0 {
                    mask = mask | (width.first_lanes(lane + 1) & !width.first_lanes(lane));
                }
            }
            mask
        }

        fn bits<W: Width>(_: W, mask: <W::Lanes as Lanes>::Mask) -> u8 {
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
                let full =
                    from_fn(|lane| Bitboard::from_bits(0u64.wrapping_sub(u64::from(chosen >> lane & 1))));
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
                let (x, y) = (lanes(width, a), lanes(width, b));
                for places in -63i8..=63 {
                    let shift = |a: u64, _| if places < 0 { a >> -places } else { a << places };
                    assert_eq!(x.shifted(places).to_array(), zipped::<W>(a, b, shift));
                }
                for direction in DIRECTIONS {
                    let stepped: Sets = from_fn(|lane| a[lane].step(direction));
                    assert_eq!(x.step(direction).to_array(), kept::<W>(stepped));
                }
                assert_eq!(x.squares().to_array(), zipped::<W>(a, b, |a, _| 1 << (a & 63)));
                // The bits above the lane's number are ignored.
                let permuted = from_fn(|lane| a[b[lane].bits() as usize % W::LANES]);
                assert_eq!(x.permuted(y).to_array(), kept::<W>(permuted));
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
                            assert_eq!(format!("{packed:?}"), format!("PackedMove({expected})"));
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
            all!(0 1 2 3 4 5 6 7).map(Lanes::to_array)
        }
    }
}
