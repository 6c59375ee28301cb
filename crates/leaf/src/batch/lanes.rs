//! Vectors of bitboards, the operations on them, and the moves that are loaded into them.
//!
//! A value of a [`Width`] exists only if the CPU has vectors of this width. It makes vectors ([`Lanes`]). Each vector
//! proves that the CPU has the instructions for all further operations. All functions are inlined into one function
//! that is compiled for the CPU's features. Logical operations are plain operators. On AVX-512, the compiler joins two
//! of them into one instruction.
//!
//! A packed move is a 32-bit number:
//!
//! ```text
//!   bits  0..7    to
//!   bits  8..15   from
//!   bits 16..23   number of the node that the move belongs to, counted from the first node of its section
//!   bits 24..31   kind of move; bit 6 of this byte marks promotion, en passant and castling
//! ```

use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use perft_core::internals::sliders::ray;
use perft_core::internals::{Direction, const_table};
use perft_core::{Bitboard, File, MoveKind, Square};

/// The eight directions, in the order of every array that has an element for each direction. The directions of rooks
/// come first, and direction `d ^ 1` is the opposite of direction `d`.
pub const DIRECTIONS: [Direction; 8] = Direction::ALL;

/// The rays from each square to the edge of the board, by direction.
pub static RAYS: [[Bitboard; 8]; 64] = const_table!([[Bitboard::EMPTY; 8]; 64], square => {
    const_table!([Bitboard::EMPTY; 8], direction => {
        ray(Square::ALL[square], DIRECTIONS[direction], Bitboard::EMPTY)
    })
});

/// A width of vectors. A value of this type is the proof that the CPU has them.
///
/// # Safety
/// [`Width::write_moves`] must write as many moves as there are targets, because the list reads them.
pub unsafe trait Width: Copy + Send + Sync {
    /// A vector of this width.
    type Lanes: Lanes<Width = Self>;

    /// The number of lanes, at most [`MAX_LANES`].
    const LANES: usize;

    /// The smallest number of attacked pieces of the replier, in all lanes together, for which the reply changes of
    /// captures save time. It was measured.
    const MIN_ATTACKED_PIECES: u64;

    /// Whether promotions of the mover can be plain moves. Otherwise they are exceptions. It was measured, except for
    /// WebAssembly: the code for plain promotions is left out there, because a browser downloads it.
    const PLAIN_PROMOTIONS: bool = cfg!(not(target_family = "wasm"));

    /// Returns the same set in every lane.
    fn splat(self, set: Bitboard) -> Self::Lanes;

    /// Returns one set in each lane. Sets beyond the last lane are left out.
    fn load_sets(self, sets: &[Bitboard; MAX_LANES]) -> Self::Lanes;

    /// Returns four sets in each lane: those of one row. Rows beyond the last lane are left out.
    #[inline(always)]
    fn load_rows(self, rows: [&[Bitboard; 4]; MAX_LANES]) -> [Self::Lanes; 4] {
        std::array::from_fn(|word| self.load_sets(&rows.map(|row| row[word])))
    }

    /// Returns one number in each lane. Numbers beyond the last lane are left out.
    fn load(self, numbers: &[u32; MAX_LANES]) -> Self::Lanes;

    /// Returns the mask of the first `count` lanes.
    fn first_lanes(self, count: usize) -> <Self::Lanes as Vector>::Mask;

    /// Writes the move `base + to * stride` for each target `to`, in ascending order. It may overwrite the memory
    /// after the last move.
    #[inline(always)]
    fn write_moves(
        self,
        targets: Bitboard,
        base: u32,
        stride: u32,
        room: &mut [MaybeUninit<BatchMove>; ROOM],
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

/// A vector of bitboards or of 64-bit numbers, one in each lane. [`Lanes`] adds the attacks of sliders.
pub trait Vector:
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

    /// Returns the boards with the order of the ranks reversed.
    fn flipped(self) -> Self;

    /// Returns the sum in each lane.
    fn plus(self, other: Self) -> Self;

    /// Returns the difference in each lane.
    fn minus(self, other: Self) -> Self;

    /// Returns the difference in each byte.
    fn minus_bytes(self, other: Self) -> Self;

    /// Returns the product in each lane, of the low 32 bits as signed numbers.
    fn times(self, other: Self) -> Self;

    /// Returns the low 64 bits of the product in each lane.
    #[inline(always)]
    fn product(self, other: Self) -> Self {
        let (one, other) = (self.to_array(), other.to_array());
        let product = |lane: usize| Bitboard::from_bits(one[lane].bits().wrapping_mul(other[lane].bits()));
        self.width().load_sets(&std::array::from_fn(product))
    }

    /// Returns the number of squares in each lane.
    fn popcount(self) -> Self;

    /// Returns the lanes in which both sets have a square in common.
    fn meets(self, other: Self) -> Self::Mask;

    /// Returns the lanes in which both vectors are equal.
    fn equals(self, other: Self) -> Self::Mask;

    /// Returns the union with `other` in the lanes of the mask, and `self` in the other lanes.
    #[inline(always)]
    fn or_where(self, mask: Self::Mask, other: Self) -> Self {
        self | other.only_where(mask)
    }

    /// Returns the exclusive or with `other` in the lanes of the mask, and `self` in the other lanes.
    #[inline(always)]
    fn xor_where(self, mask: Self::Mask, other: Self) -> Self {
        self ^ other.only_where(mask)
    }

    /// Returns the sum with `other` in the lanes of the mask, and `self` in the other lanes.
    #[inline(always)]
    fn plus_where(self, mask: Self::Mask, other: Self) -> Self {
        self.plus(other.only_where(mask))
    }

    /// Returns `other` in the lanes of the mask, and `self` in the other lanes.
    fn replaced_where(self, mask: Self::Mask, other: Self) -> Self;

    /// Returns `self` in the lanes of the mask, and the empty set in the other lanes.
    fn only_where(self, mask: Self::Mask) -> Self;

    /// Returns the sum of all lanes.
    fn sum(self) -> u64;

    /// Returns the lanes as an array. The elements beyond the last lane are empty.
    fn to_array(self) -> [Bitboard; MAX_LANES];

    /// Returns the mask as a number: bit `i` is lane `i`.
    fn bits(mask: Self::Mask) -> u8;

    /// Returns the attacks of sliders towards the east, by `o ^ (o - 2s)` in each byte, which is a rank.
    ///
    /// The subtraction borrows from the next occupied square. So it changes all bits from the square after the slider
    /// up to and including the first blocker. See the section "Subtraction in bytes" of `crates/leaf/README.md`.
    #[inline(always)]
    fn east_attacks(self, occupied: Self) -> Self {
        occupied ^ occupied.minus_bytes(self).minus_bytes(self)
    }

    /// Returns the attacks of one slider along its ray, by `o ^ (o - 2s)` with the occupied squares of the ray. The ray
    /// must lead to higher squares.
    #[inline(always)]
    fn attacks_on(self, ray: Self, occupied: Self) -> Self {
        let blockers = occupied & ray;
        (blockers ^ blockers.minus(self).minus(self)) & ray
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

/// A vector that slides pieces.
pub trait Lanes: Vector {
    /// A sum of popcounts.
    type Tally: Tally<Self>;

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
}

/// A sum of popcounts, in each lane, of at most [`MAX_TALLIED`] sets.
///
/// CPUs that count the bits of each byte add up the bytes of a lane only once, at the end.
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

/// Returns the number of squares in all sets, in each lane. There may be at most [`MAX_TALLIED`] sets.
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
    pub(super) one: V,
    /// The squares that two such steps can end on.
    pub(super) two: V,
    /// The squares that four such steps can end on.
    pub(super) four: V,
}

impl<V: Vector> Fill<V> {
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

/// The largest number of nodes of a section: the number of a node in its section has eight bits.
pub const SECTION: usize = 256;

/// The largest number of lanes of any width.
pub const MAX_LANES: usize = 8;

/// A move in one of the nodes of a section, as one number.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct BatchMove(pub u32);

/// Returns the number of a kind of move, with the bit [`SPECIAL`] if it is a promotion, en passant or castling.
#[inline(always)]
pub const fn kind_code(kind: MoveKind) -> u32 {
    let is_special = kind.promotion().is_some() || matches!(kind, MoveKind::EnPassant | MoveKind::Castling);
    kind as u32 | if is_special { SPECIAL } else { 0 }
}

/// The bit that marks promotions, en passant captures and castling in the number of a kind of move.
pub const SPECIAL: u32 = 0x40;

/// The number of packed moves for which every write needs room.
pub const ROOM: usize = 64;

/// The squares that the moves to a set of targets leave.
#[derive(Clone, Copy)]
pub enum Origin {
    /// All moves leave this square.
    Square(Square),
    /// Each move leaves the square whose index is this much lower than the index of its target.
    Offset(i8),
}

impl BatchMove {
    /// Returns a move in node 0.
    #[inline(always)]
    pub fn new(kind: MoveKind, from: Square, to: Square) -> BatchMove {
        BatchMove(to as u32 | (from as u32) << 8 | kind_code(kind) << 24)
    }

    /// Returns a base and a stride. The move to target `to`, in node 0, has the number `base + to * stride`.
    #[inline(always)]
    pub fn base(kind: MoveKind, origin: Origin) -> (BatchMove, u32) {
        let kind = kind_code(kind) << 24;
        match origin {
            Origin::Square(from) => (BatchMove(kind | (from as u32) << 8), 1),
            Origin::Offset(offset) => (BatchMove(kind.wrapping_sub((i32::from(offset) << 8) as u32)), 0x101),
        }
    }

    /// Returns this move, which is in node 0, in another node.
    #[inline(always)]
    pub fn in_node(self, node: usize) -> BatchMove {
        BatchMove(self.0.wrapping_add((node as u32) << 16))
    }

    /// Returns the squares that the move leaves and enters.
    #[inline(always)]
    pub fn squares(self) -> (Square, Square) {
        (square(self.0 >> 8), square(self.0))
    }

    /// Returns the number of the node in which the move is made.
    #[inline(always)]
    pub fn node(self) -> usize {
        (self.0 >> 16) as usize & (SECTION - 1)
    }

    /// Returns the kind of the move.
    #[inline(always)]
    pub fn kind(self) -> MoveKind {
        let has_code = |kind: &MoveKind| kind_code(*kind) == self.0 >> 24;
        MoveKind::ALL.into_iter().find(has_code).expect("a packed move has the code of a kind")
    }

    /// Returns the target of the move with this number if it is a double push.
    #[inline(always)]
    pub fn double_push_target(bits: u32) -> Option<Square> {
        (bits >> 24 == kind_code(MoveKind::DoublePush)).then_some(square(bits))
    }
}

/// Returns the square whose index is the low six bits of a number.
#[inline(always)]
fn square(bits: u32) -> Square {
    Square::ALL[bits as usize & 63]
}

/// Writes the move `base + to * stride` for each target `to`, in ascending order.
///
/// It writes four moves per step, also after the last target. Most sets have at most four targets. The end of a loop
/// with one move per step would often be mispredicted.
#[inline(always)]
pub fn write_four_at_a_time(
    targets: Bitboard,
    base: u32,
    stride: u32,
    room: &mut [MaybeUninit<BatchMove>; ROOM],
) {
    let mut remaining = targets.bits();
    for four in room.as_chunks_mut::<4>().0 {
        for packed in four {
            let number = base.wrapping_add(remaining.trailing_zeros() * stride);
            *packed = MaybeUninit::new(BatchMove(number));
            remaining &= remaining.wrapping_sub(1);
        }
        if remaining == 0 {
            break;
        }
    }
}
