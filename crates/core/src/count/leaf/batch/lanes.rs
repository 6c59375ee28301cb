//! Vectors of bitboards: the operations that the kernel is written in.
//!
//! A width of vector is a value that exists only where the CPU has it ([`Width`]); it makes vectors ([`Lanes`]), whose
//! existence is the proof for all further operations. Everything is inlined into a function that is compiled for the
//! CPU's features. Logic is written with plain operators: the compiler joins two of them into one ternary operation
//! where the CPU has that.

use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::packed_move::{PackedMove, ROOM};
use crate::types::{Bitboard, Direction, File, Square};

/// The greatest number of lanes of any width.
pub const MAX_LANES: usize = 8;

/// The eight directions, those of rooks first, opposite ones side by side: the order of everything that has a bit or a
/// lane for each direction.
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

/// A width of vector, as a proof that the CPU has it.
///
/// # Safety
/// [`Width::write_moves`] must write as many moves as there are targets: [`List`](super::list::List) reads them.
pub unsafe trait Width: Copy + Send + Sync {
    /// A vector of this width.
    type Lanes: Lanes<Width = Self>;

    /// How many lanes it has, at most [`MAX_LANES`].
    const LANES: usize;

    /// The same set in every lane.
    fn splat(self, set: Bitboard) -> Self::Lanes;

    /// A number a lane; what is beyond the last lane is left out.
    fn load(self, numbers: &[u32; MAX_LANES]) -> Self::Lanes;

    /// The first so many lanes.
    fn first(self, count: usize) -> <Self::Lanes as Lanes>::Mask;

    /// Writes `base + to * stride` for each target, ascending; what lies behind the last is undefined.
    fn write_moves(
        self,
        targets: Bitboard,
        base: u32,
        stride: u32,
        room: &mut [MaybeUninit<PackedMove>; ROOM],
    );

    /// No square in any lane.
    #[inline(always)]
    fn empty(self) -> Self::Lanes {
        self.splat(Bitboard::EMPTY)
    }

    /// The same number in every lane.
    #[inline(always)]
    fn number(self, number: u64) -> Self::Lanes {
        self.splat(Bitboard::from_bits(number))
    }

    /// The set of one square in every lane.
    #[inline(always)]
    fn square(self, square: Square) -> Self::Lanes {
        self.splat(square.into())
    }
}

/// A few bitboards, or a few numbers of 64 bits, side by side.
pub trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// A yes or no for each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// The width of this vector.
    type Width: Width<Lanes = Self>;

    /// The width of this vector, since it exists.
    fn width(self) -> Self::Width;

    /// Every bit moved up by this many places, or down by a negative number; without regard to the board's edges.
    fn shifted(self, places: i8) -> Self;

    /// In each lane the set of the square that its lowest six bits are the index of.
    fn squares(self) -> Self;

    /// In each lane what stands in the lane of this whose number the lowest bits of `numbers` are.
    fn permuted(self, numbers: Self) -> Self;

    /// Lane by lane, as numbers.
    fn plus(self, other: Self) -> Self;

    /// Lane by lane, as numbers.
    fn minus(self, other: Self) -> Self;

    /// Lane by lane, as numbers with a sign, of at most 32 bits each.
    fn times(self, other: Self) -> Self;

    /// How many squares each lane has.
    fn popcount(self) -> Self;

    /// The lanes that have a square in common with the other.
    fn meets(self, other: Self) -> Self::Mask;

    /// The lanes that equal the other's.
    fn equals(self, other: Self) -> Self::Mask;

    /// The other where the mask says so.
    fn or_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Flips the other's squares where the mask says so.
    fn xor_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Adds the other, as numbers, where the mask says so.
    fn plus_where(self, mask: Self::Mask, other: Self) -> Self;

    /// The other where the mask says so, this elsewhere.
    fn replaced_where(self, mask: Self::Mask, other: Self) -> Self;

    /// This where the mask says so, nothing elsewhere.
    fn only_where(self, mask: Self::Mask) -> Self;

    /// The sum of all lanes, as numbers.
    fn sum(self) -> u64;

    /// The lanes one by one.
    fn to_array(self) -> [Bitboard; MAX_LANES];

    /// The lanes of a mask, a bit each.
    fn bits(mask: Self::Mask) -> u8;

    /// What sliding needs to know of the occupied squares; made once for all sliders.
    type Blockers: Copy;

    /// These squares, as occupied ones.
    fn blockers(self) -> Self::Blockers;

    /// The squares that these sliders attack in one direction, the first occupied one included. They must stand on
    /// occupied squares.
    fn slide<const DIRECTION: usize>(self, blockers: &Self::Blockers) -> Self;

    /// As [`Lanes::slide`], from any squares.
    fn look<const DIRECTION: usize>(self, blockers: &Self::Blockers) -> Self;

    /// The lanes without a square in common with the other.
    #[inline(always)]
    fn misses(self, other: Self) -> Self::Mask {
        !self.meets(other)
    }

    /// The lanes that have a square.
    #[inline(always)]
    fn occupied(self) -> Self::Mask {
        self.meets(self)
    }

    /// What of this the other does not have.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// Every square moved one step; what would leave the board is dropped.
    #[inline(always)]
    fn step(self, direction: Direction) -> Self {
        self.shifted(direction.offset()) & self.width().splat(entered_by(direction))
    }
}

/// Sliding in one direction over empty squares, by doubling steps. (Chess Programming Wiki, "Kogge-Stone Algorithm".)
#[derive(Clone, Copy)]
pub struct Fill<V> {
    one: V,
    two: V,
    four: V,
}

impl<V: Lanes> Fill<V> {
    /// Which squares can be passed in one, two and four steps.
    #[inline(always)]
    pub fn new<const DIRECTION: usize>(empty: V) -> Fill<V> {
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let one = empty & empty.width().splat(entered_by(direction));
        let two = one & one.shifted(places);
        let four = two & two.shifted(2 * places);
        Fill { one, two, four }
    }

    /// The squares that these sliders attack, the first occupied one included.
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

/// The squares on which a step in this direction can end.
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

    use super::super::{EightLanes, FourLanes};
    use super::*;
    use crate::attacks::sliders::ray;

    type Sets = [Bitboard; MAX_LANES];

    /// Numbers that look random (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014), dense and
    /// sparse by turns.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        }

        /// Empty and full lanes too.
        fn sets(&mut self) -> Sets {
            from_fn(|_| {
                let dense = self.next();
                let thinner = [dense, dense & self.next(), dense & self.next() & self.next(), 0, !0];
                Bitboard::from_bits(thinner[(self.next() % 14 / 3) as usize])
            })
        }
    }

    /// Runs a test at each width that this machine has.
    macro_rules! at_each_width {
        ($($name:ident;)*) => {$(
            #[test]
            fn $name() {
                if let Some(width) = FourLanes::detect() {
                    plain::$name(width, &mut Numbers(1));
                }
                if let Some(width) = EightLanes::detect() {
                    plain::$name(width, &mut Numbers(2));
                }
            }
        )*};
    }

    at_each_width! {
        vectors_are_made_and_read_back;
        logic_and_numbers_are_lane_by_lane;
        masks_choose_lanes;
        squares_and_lanes_move;
        rows_of_moves_are_written;
        sliders_go_to_the_first_blocker;
    }

    /// Each operation, and the same written plainly.
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

        /// The lanes whose bits are set.
        fn mask<W: Width>(width: W, bits: u8) -> <W::Lanes as Lanes>::Mask {
            let mut mask = width.first(0);
            for lane in 0..W::LANES {
                if bits >> lane & 1 != 0 {
                    mask = mask | (width.first(lane + 1) & !width.first(lane));
                }
            }
            mask
        }

        fn bits<W: Width>(_: W, mask: <W::Lanes as Lanes>::Mask) -> u8 {
            W::Lanes::bits(mask)
        }

        /// What is expected of the lanes that there are: nothing of the others.
        fn kept<W: Width>(sets: Sets) -> Sets {
            from_fn(|lane| if lane < W::LANES { sets[lane] } else { Bitboard::EMPTY })
        }

        fn zipped<W: Width>(a: Sets, b: Sets, f: impl Fn(u64, u64) -> u64) -> Sets {
            kept::<W>(from_fn(|lane| Bitboard::from_bits(f(a[lane].bits(), b[lane].bits()))))
        }

        fn asked<W: Width>(a: Sets, b: Sets, f: impl Fn(u64, u64) -> bool) -> u8 {
            (0..W::LANES).map(|lane| u8::from(f(a[lane].bits(), b[lane].bits())) << lane).sum()
        }

        pub fn vectors_are_made_and_read_back<W: Width>(width: W, numbers: &mut Numbers) {
            for count in 0..=MAX_LANES {
                let first = if count >= W::LANES { (1u16 << W::LANES) - 1 } else { (1 << count) - 1 };
                assert_eq!(bits(width, width.first(count)), first as u8);
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
                assert_eq!(bits(width, x.meets(y)), asked::<W>(a, b, |a, b| a & b != 0));
                assert_eq!(bits(width, x.misses(y)), asked::<W>(a, b, |a, b| a & b == 0));
                assert_eq!(bits(width, x.equals(y)), asked::<W>(a, b, |a, b| a == b));
                assert_eq!(bits(width, x.occupied()), asked::<W>(a, b, |a, _| a != 0));
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
                // The bits above those of a lane's number mean something else.
                let permuted = from_fn(|lane| a[b[lane].bits() as usize % W::LANES]);
                assert_eq!(x.permuted(y).to_array(), kept::<W>(permuted));
            }
        }

        pub fn rows_of_moves_are_written<W: Width>(width: W, numbers: &mut Numbers) {
            for _ in 0..ROUNDS {
                for targets in numbers.sets() {
                    for stride in [1, 0x101] {
                        let base = numbers.next() as u32;
                        let mut room = [const { MaybeUninit::uninit() }; ROOM];
                        width.write_moves(targets, base, stride, &mut room);
                        for (target, packed) in targets.into_iter().zip(&room) {
                            // SAFETY: as many packed moves are written as there are targets.
                            let packed = unsafe { packed.assume_init() };
                            let expected = base.wrapping_add(target.index() as u32 * stride);
                            assert_eq!(format!("{packed:?}"), format!("PackedMove({expected})"));
                        }
                    }
                }
            }
        }

        pub fn sliders_go_to_the_first_blocker<W: Width>(width: W, numbers: &mut Numbers) {
            for _ in 0..ROUNDS {
                let (occupied, squares) = (numbers.sets(), numbers.sets());
                let men = zipped::<W>(occupied, squares, |occupied, squares| occupied & squares);
                let blockers = lanes(width, occupied).blockers();
                let slid = go::<W>(lanes(width, men), &blockers, true);
                let looked = go::<W>(lanes(width, squares), &blockers, false);
                for (index, direction) in DIRECTIONS.into_iter().enumerate() {
                    assert_eq!(slid[index], rays::<W>(men, occupied, direction), "{direction:?}");
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

        fn go<W: Width>(from: W::Lanes, blockers: &Blockers<W>, from_men: bool) -> [Sets; 8] {
            macro_rules! all {
                ($($direction:literal)*) => {
                    [$(if from_men { from.slide::<$direction>(blockers) } else { from.look::<$direction>(blockers) }),*]
                };
            }
            all!(0 1 2 3 4 5 6 7).map(Lanes::to_array)
        }
    }
}
