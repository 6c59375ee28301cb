//! Three plies below many parents of one family. Equal nodes are merged and counted once.
//!
//! The mover has the same pieces in all parents of a family. In a node, it has those on whose squares the replier does
//! not stand. So the pieces of the replier identify the node. They are stored in three bit planes:
//!
//! ```text
//!   plane    pawn  knight  bishop  rook  queen  king
//!   0          1      .       1      .     1      .
//!   1          .      1       1      .     .      1
//!   2          .      .       .      1     1      1
//! ```
//!
//! The planes do not identify a few nodes, which are not merged ([`OtherNode`]).

use std::ops::Range;

use perft_core::internals::sliders::Sliders;
use perft_core::internals::{Direction, Side};
use perft_core::{Bitboard, LeafCounter, MAX_MOVES, MoveKind, Position};

use super::boards::{Armies, Boards, Mover, Moves, Replier};
use super::counter::count_nodes;
use super::lanes::{BatchMove, Lanes, MAX_LANES, Vector, Width};
use super::moves::ExceptionMoves;
use super::nodes::{Children, FirstMoves, Nodes};

/// A parent and the number of ways to reach it.
type Parent = (Position, u64);

/// The number of slots for each parent. Half of them may be used.
const SLOTS_PER_PARENT: usize = 32;

/// The smallest and the largest number of slots. The nodes of the largest number take 2 MB.
const SLOTS: [usize; 2] = [4 * MAX_MOVES.next_power_of_two(), 1 << 17];

/// Returns the sum over some parents of a family, in which White is to move: ways times perft to depth 3. The first
/// parent represents the family: see [`LeafCounter::three_plies_of_family`].
///
/// `add_children` and `replies` are [`MergedNodes::add_children`] and [`MergedNodes::replies`], and `counter` counts the
/// nodes that are not merged. Both are entry points of their own, without memory that must be freed if they panic:
/// otherwise they take several times as long to compile where panics unwind.
pub fn three_plies_of_family<'a>(
    parents: &'a [Parent],
    counter: &dyn LeafCounter,
    add_children: impl Fn(&mut MergedNodes<'a>, &'a Parent),
    replies: impl Fn(&mut MergedNodes<'a>) -> u64,
) -> u64 {
    let Some((family, _)) = parents.first() else { return 0 };
    let mut merged = MergedNodes::new(family, parents.len());
    let mut remaining = parents.iter().peekable();
    let mut sum = 0u64;
    while remaining.peek().is_some() {
        merged.clear();
        while let Some(parent) = remaining.next_if(|_| merged.has_room()) {
            add_children(&mut merged, parent);
        }
        sum = sum.wrapping_add(replies(&mut merged));
    }
    sum.wrapping_add(OtherNode::sum(&merged.others, counter))
}

/// A node that is not merged, because the replier's pieces do not identify it: the mover may capture en passant, or the
/// replier has just done it, or king and rook are on their squares but the castling right is lost.
struct OtherNode<'a> {
    node: Position,
    parent: &'a Parent,
}

impl<'a> OtherNode<'a> {
    #[cold]
    fn after(parent: &'a Parent, packed: BatchMove) -> OtherNode<'a> {
        let (from, to) = packed.squares();
        OtherNode { node: parent.0.play_as::<Replier>(packed.kind(), from, to), parent }
    }

    /// Returns the sum over these nodes: ways times perft to depth 2.
    fn sum(others: &[OtherNode], counter: &dyn LeafCounter) -> u64 {
        let same_rights = others.chunk_by(|a, b| a.parent.0.castling() == b.parent.0.castling());
        let mut sum = 0;
        for others in same_rights {
            let nodes: Vec<Position> = others.iter().map(|other| other.node).collect();
            let mut counts = vec![0; nodes.len()];
            counter.two_plies_each(&others[0].parent.0, &nodes, &mut counts);
            sum += others.iter().zip(counts).map(|(other, count)| other.parent.1 * count).sum::<u64>();
        }
        sum
    }
}

/// The three planes of a node, and the number of ways to reach it.
type Row = [Bitboard; 4];

/// Distinct nodes of a family.
pub struct MergedNodes<'a> {
    family: &'a Position,
    others: Vec<OtherNode<'a>>,
    rows: Vec<Row>,
    /// A hash table with linear probing. Each slot has the index of a row plus 1, or 0. The number of slots is a power
    /// of two.
    slots: Vec<u32>,
}

impl<'a> MergedNodes<'a> {
    fn new(family: &'a Position, parents: usize) -> MergedNodes<'a> {
        let [least, most] = SLOTS;
        let slots = parents.saturating_mul(SLOTS_PER_PARENT).clamp(least, most).next_power_of_two();
        let rows = Vec::with_capacity(slots / 2 + MAX_MOVES + MAX_LANES);
        MergedNodes { family, others: Vec::new(), rows, slots: vec![0; slots] }
    }

    fn clear(&mut self) {
        if !self.rows.is_empty() {
            self.rows.clear();
            self.slots.fill(0);
        }
    }

    fn has_room(&self) -> bool {
        self.rows.len() <= self.slots.len() / 2
    }

    /// Adds the nodes below a parent.
    #[inline(always)]
    pub fn add_children<W: Width>(&mut self, width: W, parent: &'a Parent, sliders: impl Sliders) {
        let (position, ways) = parent;
        let mut list = FirstMoves::new();
        let children = Children::<W::Lanes>::of(width, position, &mut list, sliders);
        let mergeable = Mergeable::<W::Lanes>::of(width, self.family, position);
        for start in (0..children.len()).step_by(W::LANES) {
            let packed_moves = children.group(start);
            let moves = Moves::<W::Lanes>::load(width, packed_moves);
            let army = Boards::nodes(position, &moves).replier;
            let planes = planes_of(&army).map(|plane| plane.to_array());
            let others_in_lanes = !mergeable.lanes(&army, &moves);
            for lane in 0..(children.len() - start).min(W::LANES) {
                if others_in_lanes >> lane & 1 == 0 {
                    self.add(planes.each_ref().map(|plane| plane[lane]), *ways);
                } else {
                    self.others.push(OtherNode::after(parent, BatchMove(packed_moves[lane])));
                }
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, planes: [Bitboard; 3], ways: u64) {
        let mask = self.slots.len() - 1;
        let mut slot = hash(planes) as usize & mask;
        loop {
            let number = self.slots[slot] as usize;
            if number == 0 {
                self.rows.push([planes[0], planes[1], planes[2], Bitboard::from_bits(ways)]);
                self.slots[slot] = self.rows.len() as u32;
                return;
            }
            let row = &mut self.rows[number - 1];
            if row[..3] == planes {
                row[3] = Bitboard::from_bits(row[3].bits() + ways);
                return;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Returns the sum over the merged nodes: ways times perft to depth 2.
    #[inline(always)]
    pub fn replies<W: Width>(&mut self, width: W, sliders: impl Sliders) -> u64 {
        let len = self.rows.len();
        self.put_usual_kings_first();
        let filler = self.rows.first().copied().unwrap_or_default();
        self.rows.extend([filler; MAX_LANES]);
        let family = self.family;
        let mover = Armies::splat(width, family.army(Mover::COLOR), family.king(Mover::COLOR));
        let mut nodes = RowNodes { rows: &self.rows, len, mover, in_lanes: width.empty(), others: 0 };
        count_nodes::<W, true>(family, &mut nodes, sliders);
        nodes.in_lanes.sum().wrapping_add(nodes.others)
    }

    /// Puts the nodes in which the replier's king is on its square in the family before the others. Then most groups
    /// have all kings on one square.
    fn put_usual_kings_first(&mut self) {
        let usual = Bitboard::from(self.family.king(Replier::COLOR));
        let mut usual_nodes = 0;
        for index in 0..self.rows.len() {
            let [one, two, three, _] = self.rows[index];
            if two & three & !one == usual {
                self.rows.swap(index, usual_nodes);
                usual_nodes += 1;
            }
        }
    }
}

/// The facts about a parent that tell which nodes below it can be merged.
struct Mergeable<V> {
    beside_enemy_pawns: V,
    /// The square of the replier's king in the family.
    king: V,
    /// The rooks with which the replier may castle in the family, but not in the parent.
    lost_rooks: V,
}

impl<V: Lanes> Mergeable<V> {
    #[inline(always)]
    fn of(width: V::Width, family: &Position, parent: &Position) -> Mergeable<V> {
        let pawns = parent.army(Mover::COLOR).pawns;
        let rooks = |position: &Position| position.castling().rooks(Replier::COLOR);
        Mergeable {
            beside_enemy_pawns: width.splat(pawns.step(Direction::West) | pawns.step(Direction::East)),
            king: width.square(family.king(Replier::COLOR)),
            lost_rooks: width.splat(rooks(family) & !rooks(parent)),
        }
    }

    /// Returns the lanes whose node can be merged: bit `i` is lane `i`. In the nodes, the replier has made these moves
    /// and has this army.
    #[inline(always)]
    fn lanes(&self, army: &Armies<V>, moves: &Moves<V>) -> u8 {
        let en_passant = moves.are(MoveKind::EnPassant)
            | (moves.are(MoveKind::DoublePush) & moves.to.meets(self.beside_enemy_pawns));
        let seems_to_castle = army.king.meets(self.king) & army.orthogonals.meets(self.lost_rooks);
        V::bits(!(en_passant | seems_to_castle))
    }
}

#[inline(always)]
fn planes_of<V: Lanes>(army: &Armies<V>) -> [V; 3] {
    let bishops = army.diagonals.without(army.orthogonals);
    [army.pawns | army.diagonals, army.knights | bishops | army.king, army.orthogonals | army.king]
}

#[inline(always)]
fn army_of<V: Lanes>([one, two, three]: [V; 3]) -> Armies<V> {
    Armies {
        pawns: one.without(two | three),
        knights: two.without(one | three),
        diagonals: one & (two ^ three),
        orthogonals: three & (one | !two),
        king: (two & three).without(one),
        all: one | two | three,
    }
}

#[inline(always)]
fn hash([one, two, three]: [Bitboard; 3]) -> u64 {
    let products = [
        one.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15),
        two.bits().wrapping_mul(0xbf58_476d_1ce4_e5b9),
        three.bits().wrapping_mul(0x94d0_49bb_1331_11eb),
    ];
    let sum = products[0].wrapping_add(products[1]).wrapping_add(products[2]);
    (sum ^ sum >> 32).wrapping_mul(0xff51_afd7_ed55_8ccd) >> 32
}

/// Distinct nodes. Their replies are added up, each times the ways to reach its node.
struct RowNodes<'a, V: Lanes> {
    /// The nodes, and [`MAX_LANES`] more.
    rows: &'a [Row],
    len: usize,
    /// The mover's pieces in the family.
    mover: Armies<V>,
    in_lanes: V,
    others: u64,
}

impl<V: Lanes> RowNodes<'_, V> {
    #[inline(always)]
    fn words(&self, numbers: &[usize; MAX_LANES]) -> [V; 4] {
        self.in_lanes.width().load_rows(numbers.map(|number| &self.rows[number]))
    }
}

#[inline(always)]
fn group(start: usize) -> [usize; MAX_LANES] {
    std::array::from_fn(|lane| start + lane)
}

impl<V: Lanes> Nodes<V> for RowNodes<'_, V> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn boards(&self, start: usize) -> Boards<V> {
        self.boards_of(&group(start))
    }

    #[inline(always)]
    fn boards_of(&self, numbers: &[usize; MAX_LANES]) -> Boards<V> {
        let [one, two, three, _] = self.words(numbers);
        let replier = army_of([one, two, three]);
        Boards { mover: self.mover.without(replier.all), replier }
    }

    #[inline(always)]
    fn width(&self) -> V::Width {
        self.in_lanes.width()
    }

    /// The mover cannot capture en passant in these nodes.
    #[inline(always)]
    fn list_en_passant(&self, _: Range<usize>, _: &mut ExceptionMoves, _: impl Sliders) {}

    #[inline(always)]
    fn add_lanes(&mut self, start: usize, replies: V) {
        self.add_each(&group(start), replies);
    }

    #[inline(always)]
    fn add_each(&mut self, numbers: &[usize; MAX_LANES], replies: V) {
        self.in_lanes = self.in_lanes.plus(replies.product(self.words(numbers)[3]));
    }

    #[inline(always)]
    fn add(&mut self, node: usize, replies: u64) {
        self.others = self.others.wrapping_add(replies.wrapping_mul(self.rows[node][3].bits()));
    }
}
