//! Lists of packed moves, and loading them into lanes.

use std::mem::MaybeUninit;

use perft_core::{Bitboard, MoveKind};

use super::lanes::{Lanes, MAX_LANES, Width};
use super::packed_move::{BatchMove, Origin, SPECIAL, kind_code};

/// A list of moves that are written in groups and read in groups.
///
/// `CAPACITY` is the largest number of moves plus [`ROOM`](super::packed_move::ROOM), because a write may use that much
/// memory behind the last move. The memory is not initialized at first, because clearing some kilobytes takes too long
/// for one count.
pub struct List<const CAPACITY: usize> {
    packed_moves: [MaybeUninit<BatchMove>; CAPACITY],
    len: usize,
}

impl<const CAPACITY: usize> List<CAPACITY> {
    /// Returns an empty list.
    #[inline(always)]
    pub fn new() -> Self {
        List { packed_moves: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }

    /// Removes all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the number of moves.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Appends one move.
    #[inline(always)]
    pub fn push(&mut self, packed: BatchMove) {
        self.packed_moves[self.len] = MaybeUninit::new(packed);
        self.len += 1;
    }

    /// Appends a move to each target, in the node of one lane.
    #[inline(always)]
    pub fn append<W: Width>(
        &mut self,
        width: W,
        kind: MoveKind,
        origin: Origin,
        lane: usize,
        targets: Bitboard,
    ) {
        let (base, stride) = BatchMove::base(kind, origin);
        let room = self.packed_moves[self.len..].first_chunk_mut().expect("the list has room for all moves");
        width.write_moves(targets, base.in_lane(lane).0, stride, room);
        self.len += targets.count() as usize;
    }

    /// Appends a move to each target, in the nodes of all lanes.
    #[inline(always)]
    pub fn append_lanes<V: Lanes>(&mut self, kind: MoveKind, origin: Origin, targets: V) {
        let width = targets.width();
        let mut lanes = V::bits(targets.non_empty());
        if lanes == 0 {
            return;
        }
        let sets = targets.to_array();
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize & (MAX_LANES - 1);
            lanes &= lanes - 1;
            self.append(width, kind, origin, lane, sets[lane]);
        }
    }

    /// Returns the list in a form that can be read.
    ///
    /// The last vector that is read may reach beyond the last move, so this function writes zeros there.
    #[inline(always)]
    pub fn close(&mut self) -> ClosedList<'_> {
        let written = &mut self.packed_moves[..self.len + MAX_LANES];
        for packed in &mut written[self.len..] {
            *packed = MaybeUninit::new(BatchMove(0));
        }
        // SAFETY: `push` and `append` write every move below the length, and the loop above writes the rest. A packed
        // move has the layout of its 32-bit number.
        let numbers = unsafe { &*(std::ptr::from_ref(written) as *const [u32]) };
        ClosedList { numbers, len: self.len }
    }
}

/// A list that can be read: all its moves are initialized, and a whole vector can be loaded at each of them.
#[derive(Clone, Copy)]
pub struct ClosedList<'a> {
    /// The moves as numbers, and [`MAX_LANES`] zeros.
    numbers: &'a [u32],
    len: usize,
}

impl<'a> ClosedList<'a> {
    /// Returns the number of moves.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// Returns all moves as numbers.
    #[inline(always)]
    pub fn all(self) -> &'a [u32] {
        &self.numbers[..self.len]
    }

    /// Returns the group of moves that begins at index `start`, with zeros behind the last move of the list.
    #[inline(always)]
    pub fn group(self, start: usize) -> &'a [u32; MAX_LANES] {
        self.numbers[start..].first_chunk().expect("a vector can be loaded at every move")
    }
}

/// A group of moves, one per lane.
pub struct Moves<V> {
    /// The square that the move leaves, as a set of one square.
    pub from: V,
    /// The square on which the move arrives, as a set of one square.
    pub to: V,
    /// The number of the lane whose node the move is made in, in the low bits.
    pub node: V,
    /// The kind of move, as the number that [`kind_code`] returns.
    kind: V,
}

impl<V: Lanes> Moves<V> {
    /// Returns the moves of a group. Moves beyond the last lane of this width are left out.
    #[inline(always)]
    pub fn load(width: V::Width, packed_moves: &[u32; MAX_LANES]) -> Moves<V> {
        let packed_moves = width.load(packed_moves);
        Moves {
            from: packed_moves.shifted(-8).squares(),
            to: packed_moves.squares(),
            node: packed_moves.shifted(-16),
            kind: packed_moves.shifted(-24),
        }
    }

    /// Whether any move is a promotion, a capture en passant or castling.
    #[inline(always)]
    pub fn any_special(&self) -> bool {
        V::any(self.kind.meets(self.kind.width().number(SPECIAL.into())))
    }

    /// Returns the lanes in which the move is of this kind.
    #[inline(always)]
    pub fn are(&self, kind: MoveKind) -> V::Mask {
        self.kind.equals(self.kind.width().number(kind_code(kind).into()))
    }
}
