//! Moves as numbers, ready to be taken eight at a time.

use std::mem::MaybeUninit;

use super::lanes::{Lanes, MAX_LANES, Width};
use crate::types::{Bitboard, MoveKind, Square};

/// A move of one of the nodes that stand side by side: `to`, `from`, the lane of the node, and the kind of move, a byte
/// each.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Entry(u32);

/// The number of a kind of move, with a bit for those that do more than take a piece from one square to another.
#[inline(always)]
const fn code(kind: MoveKind) -> u32 {
    let is_special = kind.promotion().is_some() || matches!(kind, MoveKind::EnPassant | MoveKind::Castling);
    kind as u32 | if is_special { SPECIAL } else { 0 }
}

const SPECIAL: u32 = 0x40;

/// How many entries are written at once: room for any set of squares.
pub const ROOM: usize = 64;

/// Where moves to a set of targets come from.
#[derive(Clone, Copy)]
pub enum Origin {
    /// All from one square.
    Square(Square),
    /// Each from the square whose index is lower by this.
    Offset(i8),
}

impl Entry {
    /// A move of the node in the first lane.
    #[inline(always)]
    pub fn new(kind: MoveKind, from: Square, to: Square) -> Entry {
        Entry(to as u32 | (from as u32) << 8 | code(kind) << 24)
    }

    /// From the four bytes as one number.
    #[inline(always)]
    pub fn from_bits(bits: u32) -> Entry {
        Entry(bits)
    }

    /// What the moves to several targets have in common: `to * stride` is to be added.
    #[inline(always)]
    fn base(kind: MoveKind, origin: Origin) -> (Entry, u32) {
        let kind = code(kind) << 24;
        match origin {
            Origin::Square(from) => (Entry(kind | (from as u32) << 8), 1),
            Origin::Offset(offset) => (Entry(kind.wrapping_sub((i32::from(offset) << 8) as u32)), 0x101),
        }
    }

    /// The same of the node in this lane.
    #[inline(always)]
    pub fn in_lane(self, lane: usize) -> Entry {
        Entry(self.0.wrapping_add((lane as u32) << 16))
    }

    /// Where the move goes, if it is a double push.
    #[inline(always)]
    pub fn double_push(bits: u32) -> Option<Square> {
        if bits >> 24 == code(MoveKind::DoublePush) { Square::from_index(bits as usize & 63) } else { None }
    }
}

/// A list with room for so many moves, and for one more write behind them. It is unwritten at first: a node is too
/// short-lived to clear kilobytes for it.
pub struct List<const CAPACITY: usize> {
    entries: [MaybeUninit<Entry>; CAPACITY],
    len: usize,
}

impl<const CAPACITY: usize> List<CAPACITY> {
    /// No moves yet.
    #[inline(always)]
    pub fn new() -> Self {
        List { entries: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }

    /// The number of moves.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Takes all moves out.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// One move.
    #[inline(always)]
    pub fn push(&mut self, entry: Entry) {
        self.entries[self.len] = MaybeUninit::new(entry);
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
        let (base, stride) = Entry::base(kind, origin);
        let room = self.entries[self.len..].first_chunk_mut().expect("the list has room for all moves");
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

    /// Makes the list ready to be read: what a last vector reads beyond the end is written.
    #[inline(always)]
    pub fn close(&mut self) {
        for entry in &mut self.entries[self.len..][..MAX_LANES] {
            *entry = MaybeUninit::new(Entry(0));
        }
    }

    /// The moves from this one on, as many as there are lanes; behind the last, the lanes are meaningless.
    #[inline(always)]
    pub fn octet(&self, start: usize) -> &[u32; MAX_LANES] {
        assert!(start < self.len);
        let octet = self.entries[start..].first_chunk::<MAX_LANES>().expect("there is room behind the last");
        // SAFETY: an entry is a number of 32 bits. All are written up to the length, which is above `start`, and as
        // many more as there are lanes once the list is closed.
        unsafe { &*std::ptr::from_ref(octet).cast() }
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
    pub fn load(width: V::Width, entries: &[u32; MAX_LANES]) -> Moves<V> {
        let entries = width.load(entries);
        Moves {
            from: entries.shifted(-8).squares(),
            to: entries.squares(),
            node: entries.shifted(-16),
            kind: entries.shifted(-24),
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
