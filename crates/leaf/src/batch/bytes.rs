//! Sliding and popcounts for vectors that work in bytes: AVX2, NEON of 64-bit ARM, and SIMD of WebAssembly.
//!
//! A mask is a vector whose lanes have all bits set or none.

use perft_core::{Bitboard, Square};

use super::lanes::{DIRECTIONS, Fill, Lanes, RAYS, Tally, Vector, Width, entered_by};

/// A vector whose masks are vectors, with operations on the bytes of its lanes.
pub trait ByteVector: Vector<Mask = Self> {
    /// Whether there is an instruction for [`ByteVector::mirrored`].
    const CAN_MIRROR: bool;

    /// Whether fills towards lower squares shift the masks and not the squares: see [`FillDown`].
    const SHIFTS_MASKS: bool = true;

    /// Returns the boards with the order of the files reversed, if there is an instruction for this.
    fn mirrored(self) -> Self;

    fn popcount_bytes(self) -> Self;

    fn plus_bytes(self, other: Self) -> Self;

    /// Returns the sum of the bytes of each lane.
    fn sum_of_bytes(self) -> Self;
}

impl<V: ByteVector> Lanes for V {
    type Tally = BytesTally<V>;
    type Blockers = Blockers<V>;

    #[inline(always)]
    fn blockers(self) -> Blockers<V> {
        let empty = !self;
        Blockers {
            occupied: self,
            flipped: self.flipped(),
            mirrored: if V::CAN_MIRROR { self.mirrored() } else { self },
            north: Fill::new::<0>(empty),
            south: FillDown::new::<1>(empty),
            west: Fill::new::<3>(empty),
            north_east: Fill::new::<4>(empty),
            south_west: FillDown::new::<5>(empty),
            north_west: Fill::new::<6>(empty),
            south_east: FillDown::new::<7>(empty),
        }
    }

    #[inline(always)]
    fn slide<const DIRECTION: usize>(self, blockers: &Blockers<V>) -> Self {
        match DIRECTION {
            0 => blockers.north.attacks::<0>(self),
            1 => blockers.south.attacks::<1>(self),
            4 => blockers.north_east.attacks::<4>(self),
            5 => blockers.south_west.attacks::<5>(self),
            6 => blockers.north_west.attacks::<6>(self),
            7 => blockers.south_east.attacks::<7>(self),
            2 => self.east_attacks(blockers.occupied),
            3 if V::CAN_MIRROR => self.mirrored().east_attacks(blockers.mirrored).mirrored(),
            _ => blockers.west.attacks::<3>(self),
        }
    }

    #[inline(always)]
    fn look<const DIRECTION: usize>(self, blockers: &Blockers<V>) -> Self {
        match DIRECTION {
            1 => blockers.south.look::<1>(self),
            5 => blockers.south_west.look::<5>(self),
            7 => blockers.south_east.look::<7>(self),
            2 => self.east_attacks(blockers.occupied | self),
            3 if V::CAN_MIRROR => {
                let mirrored = self.mirrored();
                mirrored.east_attacks(blockers.mirrored | mirrored).mirrored()
            }
            _ => self.slide::<DIRECTION>(blockers),
        }
    }

    /// The ray towards the south is that of the flipped board, and the ray towards the west that of the mirrored board.
    #[inline(always)]
    fn ray<const DIRECTION: usize>(from: Square) -> Bitboard {
        match DIRECTION {
            1 => RAYS[from.index() ^ 56][0],
            3 => RAYS[from.index() ^ 7][2],
            5 => RAYS[from.index() ^ 56][6],
            7 => RAYS[from.index() ^ 56][4],
            _ => RAYS[from.index()][DIRECTION],
        }
    }

    /// The subtraction works only for a ray towards higher squares. So the board is turned for the other directions.
    #[inline(always)]
    fn slide_on<const DIRECTION: usize>(self, ray: Self, blockers: &Blockers<V>) -> Self {
        match DIRECTION {
            1 | 5 | 7 => self.flipped().attacks_on(ray, blockers.flipped).flipped(),
            3 if V::CAN_MIRROR => self.mirrored().attacks_on(ray, blockers.mirrored).mirrored(),
            3 => self.slide::<3>(blockers),
            _ => self.attacks_on(ray, blockers.occupied),
        }
    }
}

/// A running sum for each byte: the number of bits set in that byte of all sets added so far.
#[derive(Clone, Copy)]
pub struct BytesTally<V>(V);

impl<V: ByteVector> Tally<V> for BytesTally<V> {
    #[inline(always)]
    fn zero(width: V::Width) -> Self {
        BytesTally(width.empty())
    }

    #[inline(always)]
    fn add(&mut self, set: V) {
        self.0 = self.0.plus_bytes(set.popcount_bytes());
    }

    #[inline(always)]
    fn total(self) -> V {
        self.0.sum_of_bytes()
    }
}

/// The occupied squares, and what is computed from them: the turned boards for the directions that use the subtraction,
/// and the fills for all other directions.
#[derive(Clone, Copy)]
pub struct Blockers<V> {
    occupied: V,
    flipped: V,
    mirrored: V,
    north: Fill<V>,
    south: FillDown<V>,
    west: Fill<V>,
    north_east: Fill<V>,
    south_west: FillDown<V>,
    north_west: Fill<V>,
    south_east: FillDown<V>,
}

/// A [`Fill`] towards lower squares. ARM shifts down and adds in one instruction.
///
/// The masks are those of the fill, shifted back: the squares from which a step ends on an empty square.
#[derive(Clone, Copy)]
struct FillDown<V>(Fill<V>);

impl<V: ByteVector> FillDown<V> {
    #[inline(always)]
    fn new<const DIRECTION: usize>(empty: V) -> Self {
        if !V::SHIFTS_MASKS {
            return FillDown(Fill::new::<DIRECTION>(empty));
        }
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let one = (empty & empty.width().splat(entered_by(direction))).shifted(-places);
        let two = one & one.shifted(-places);
        let four = two & two.shifted(-2 * places);
        FillDown(Fill { one, two, four })
    }

    /// Returns the squares that sliders on occupied squares attack. No step reaches a square a second time, because the
    /// reached squares are empty and a second slider would block the way. So a sum is the same as a union.
    #[inline(always)]
    fn attacks<const DIRECTION: usize>(&self, sliders: V) -> V {
        if !V::SHIFTS_MASKS {
            return self.0.attacks::<DIRECTION>(sliders);
        }
        let Fill { one, two, four } = self.0;
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let filled = sliders.plus((sliders & one).shifted(places));
        let filled = filled.plus((filled & two).shifted(2 * places));
        let filled = filled.plus((filled & four).shifted(4 * places));
        filled.step(direction)
    }

    /// Returns the same as [`FillDown::attacks`], but from any squares, including empty ones.
    #[inline(always)]
    fn look<const DIRECTION: usize>(&self, squares: V) -> V {
        if !V::SHIFTS_MASKS {
            return self.0.attacks::<DIRECTION>(squares);
        }
        let Fill { one, two, four } = self.0;
        let direction = DIRECTIONS[DIRECTION];
        let places = direction.offset();
        let filled = squares | (squares & one).shifted(places);
        let filled = filled | (filled & two).shifted(2 * places);
        let filled = filled | (filled & four).shifted(4 * places);
        filled.step(direction)
    }
}
