//! Moves as numbers, ready to be taken eight at a time.

use std::mem::MaybeUninit;

use super::lanes::{Lanes, MAX_LANES, Width};
use super::packed_move::{Origin, PackedMove, SPECIAL, code};
use crate::types::{Bitboard, MoveKind};

/// A list with room for so many moves, and for one more write behind them. It is unwritten at first: a node is too
/// short-lived to clear kilobytes for it.
pub struct List<const CAPACITY: usize> {
    packed_moves: [MaybeUninit<PackedMove>; CAPACITY],
    len: usize,
}

impl<const CAPACITY: usize> List<CAPACITY> {
    /// No moves yet.
    #[inline(always)]
    pub fn new() -> Self {
        List { packed_moves: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }

    /// Takes all moves out.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// One move.
    #[inline(always)]
    pub fn push(&mut self, packed: PackedMove) {
        self.packed_moves[self.len] = MaybeUninit::new(packed);
        self.len += 1;
    }

    /// A move to each target, in the node of one lane.
    #[inline(always)]
    pub fn append<W: Width>(
        &mut self,
        width: W,
        kind: MoveKind,
        origin: Origin,
        lane: usize,
        targets: Bitboard,
    ) {
        let (base, stride) = PackedMove::base(kind, origin);
        let room = self.packed_moves[self.len..].first_chunk_mut().expect("the list has room for all moves");
        width.write_moves(targets, base.in_lane(lane).0, stride, room);
        self.len += targets.count() as usize;
    }

    /// A move to each target, in all lanes.
    #[inline(always)]
    pub fn append_lanes<V: Lanes>(&mut self, kind: MoveKind, origin: Origin, targets: V) {
        let width = targets.width();
        let mut lanes = V::bits(targets.occupied());
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

    /// Closes the list: only what this returns can be read.
    ///
    /// The last vector that is read may reach beyond the last move. Moves that mean nothing are written there.
    #[inline(always)]
    pub fn close(&mut self) -> ClosedList<'_> {
        let written = &mut self.packed_moves[..self.len + MAX_LANES];
        for packed in &mut written[self.len..] {
            *packed = MaybeUninit::new(PackedMove(0));
        }
        // SAFETY: `push` and `append` write every move below the length, and the loop above writes the rest. A packed move
        // has the layout of its 32-bit number.
        let numbers = unsafe { &*(std::ptr::from_ref(written) as *const [u32]) };
        ClosedList { numbers, len: self.len }
    }
}

/// A list that can be read: every move in it is written, and a whole vector can be loaded at each of them.
#[derive(Clone, Copy)]
pub struct ClosedList<'a> {
    /// The moves as numbers, and [`MAX_LANES`] more.
    numbers: &'a [u32],
    len: usize,
}

impl<'a> ClosedList<'a> {
    /// Returns the number of moves.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// Returns the moves from index `start`, as many as a vector may have lanes. Those after the last mean nothing.
    #[inline(always)]
    pub fn group(self, start: usize) -> &'a [u32; MAX_LANES] {
        self.numbers[start..].first_chunk().expect("a vector can be loaded at every move")
    }
}

/// Some moves of a list, in lanes.
pub struct Moves<V> {
    /// What they come from: a square a lane.
    pub from: V,
    /// Where they go: a square a lane.
    pub to: V,
    /// The number of the node that they belong to, in the low bits.
    pub node: V,
    /// The kind of move as a number.
    kind: V,
}

impl<V: Lanes> Moves<V> {
    /// These moves.
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

    /// True if one of them does more than take a piece from one square to another.
    #[inline(always)]
    pub fn any_special(&self) -> bool {
        V::bits(self.kind.meets(self.kind.width().number(SPECIAL.into()))) != 0
    }

    /// The lanes in which a move is of this kind.
    #[inline(always)]
    pub fn are(&self, kind: MoveKind) -> V::Mask {
        self.kind.equals(self.kind.width().number(code(kind).into()))
    }
}
