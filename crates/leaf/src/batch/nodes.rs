//! The nodes of a count: their source, and the sums of their replies.
//!
//! [`Children`] are the nodes after all moves of one parent. Their replies are added up. [`Listed`] nodes are given as
//! positions, and each has its own count.

use std::ops::Range;

use perft_core::internals::sliders::Sliders;
use perft_core::internals::{Direction, Side, Sink, generate, origin};
use perft_core::{Bitboard, MAX_MOVES, MoveKind, Position, Square};

use super::boards::{Boards, ClosedList, List, Mover, Moves, Replier};
use super::lanes::{BatchMove, Lanes, MAX_LANES, Origin, ROOM, Vector, Width};
use super::moves::ExceptionMoves;

/// The nodes of a count. They have numbers from 0 on, and a group of nodes has one node per lane.
pub trait Nodes<V: Lanes> {
    fn len(&self) -> usize;

    /// Returns the nodes of the group that begins with node `start`. The content of lanes without a node is arbitrary
    /// and may be illegal.
    fn boards(&self, start: usize) -> Boards<V>;

    fn boards_of(&self, numbers: &[usize; MAX_LANES]) -> Boards<V>;

    fn width(&self) -> V::Width;

    /// Lists the mover's legal en passant captures in some nodes of one group.
    fn list_en_passant(&self, nodes: Range<usize>, list: &mut ExceptionMoves, sliders: impl Sliders);

    /// Adds the replies in each lane of the group that begins with node `start`. Lanes without a node have 0 replies.
    fn add_lanes(&mut self, start: usize, replies: V);

    /// Adds replies in these nodes, one number per lane. The replies of a lane without a node are 0.
    fn add_each(&mut self, numbers: &[usize; MAX_LANES], replies: V);

    /// Adds replies in one node. A negative number wraps around.
    fn add(&mut self, node: usize, replies: u64);
}

/// The nodes after all moves of a parent. The replies are summed over all of them.
pub struct Children<'a, V: Lanes> {
    parent: &'a Position,
    moves: ClosedList<'a>,
    /// Whether a double push ends beside a pawn of the mover. Otherwise there is no en passant capture.
    allows_en_passant: bool,
    in_lanes: V,
    others: u64,
}

/// The list of the moves of a parent.
pub type FirstMoves = List<{ MAX_MOVES + ROOM }>;

impl<'a, V: Lanes> Children<'a, V> {
    /// Returns the children of a position with White to move. `list` is empty, and receives the moves.
    #[inline(always)]
    pub fn of(
        width: V::Width,
        parent: &'a Position,
        list: &'a mut FirstMoves,
        sliders: impl Sliders,
    ) -> Self {
        let pawns = parent.army(Mover::COLOR).pawns;
        let beside_enemy_pawns = pawns.step(Direction::West) | pawns.step(Direction::East);
        let mut collector = Collector { width, list, beside_enemy_pawns, allows_en_passant: false };
        generate::<Replier>(parent, sliders, &mut collector);
        let allows_en_passant = collector.allows_en_passant;
        Children { parent, moves: list.close(), allows_en_passant, in_lanes: width.empty(), others: 0 }
    }

    /// Returns the moves to the group of nodes that begins with node `start`.
    #[inline(always)]
    pub fn group(&self, start: usize) -> &'a [u32; MAX_LANES] {
        self.moves.group(start)
    }

    /// Returns the sum of all replies that were added.
    #[inline(always)]
    pub fn replies(&self) -> u64 {
        self.in_lanes.sum().wrapping_add(self.others)
    }
}

impl<V: Lanes> Nodes<V> for Children<'_, V> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.moves.len()
    }

    #[inline(always)]
    fn boards(&self, start: usize) -> Boards<V> {
        let moves = Moves::load(self.in_lanes.width(), self.moves.group(start));
        Boards::nodes(self.parent, &moves)
    }

    #[inline(always)]
    fn boards_of(&self, numbers: &[usize; MAX_LANES]) -> Boards<V> {
        let moves = self.moves.all();
        let packed_moves = numbers.map(|number| moves.get(number).copied().unwrap_or_default());
        Boards::nodes(self.parent, &Moves::load(self.in_lanes.width(), &packed_moves))
    }

    #[inline(always)]
    fn width(&self) -> V::Width {
        self.in_lanes.width()
    }

    #[inline(always)]
    fn list_en_passant(&self, nodes: Range<usize>, list: &mut ExceptionMoves, sliders: impl Sliders) {
        if !self.allows_en_passant {
            return;
        }
        let packed_moves = &self.moves.group(nodes.start)[..nodes.len()];
        for (lane, packed) in packed_moves.iter().enumerate() {
            let Some(to) = BatchMove::double_push_target(*packed) else { continue };
            let from = origin(to, 2 * Replier::FORWARD.offset());
            let node = self.parent.play_as::<Replier>(MoveKind::DoublePush, from, to);
            list_captures_en_passant(&node, lane, list, sliders);
        }
    }

    #[inline(always)]
    fn add_lanes(&mut self, _: usize, replies: V) {
        self.in_lanes = self.in_lanes.plus(replies);
    }

    #[inline(always)]
    fn add_each(&mut self, _: &[usize; MAX_LANES], replies: V) {
        self.in_lanes = self.in_lanes.plus(replies);
    }

    #[inline(always)]
    fn add(&mut self, _: usize, replies: u64) {
        self.others = self.others.wrapping_add(replies);
    }
}

/// Collects the moves of a parent.
struct Collector<'a, W> {
    width: W,
    list: &'a mut FirstMoves,
    /// The squares to the west and east of the mover's pawns.
    beside_enemy_pawns: Bitboard,
    allows_en_passant: bool,
}

impl<W: Width> Collector<'_, W> {
    /// Appends a move to each target. All moves are for lane 0, because every lane has the same parent.
    #[inline(always)]
    fn append(&mut self, kind: MoveKind, origin: Origin, targets: Bitboard) {
        self.list.append(self.width, kind, origin, 0, targets);
    }
}

impl<W: Width> Sink for Collector<'_, W> {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        self.append(kind, Origin::Square(from), targets);
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        if kind == MoveKind::DoublePush {
            self.allows_en_passant = (targets & self.beside_enemy_pawns).any();
        }
        self.append(kind, Origin::Offset(offset), targets);
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for kind in MoveKind::PROMOTIONS {
            self.append(kind, Origin::Offset(offset), targets);
        }
    }
}

/// Nodes that are given as positions. Each has a count.
pub struct Listed<'a, W> {
    pub width: W,
    pub nodes: &'a [Position],
    /// Whether White is to move in the nodes. Then they are flipped, so that the replier is White.
    pub must_flip: bool,
    /// The replies that were added for each node.
    pub counts: &'a mut [u64],
}

impl<W: Width> Listed<'_, W> {
    #[inline(always)]
    fn load(&self, nodes: [&Position; MAX_LANES]) -> Boards<W::Lanes> {
        let boards = Boards::load(self.width, nodes);
        if self.must_flip { boards.flipped() } else { boards }
    }
}

impl<W: Width> Nodes<W::Lanes> for Listed<'_, W> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline(always)]
    fn boards(&self, start: usize) -> Boards<W::Lanes> {
        let last = self.nodes.len() - 1;
        let nodes: [&Position; MAX_LANES] = std::array::from_fn(|lane| {
            &self.nodes[if lane < W::LANES { (start + lane).min(last) } else { start }]
        });
        self.load(nodes)
    }

    #[inline(always)]
    fn boards_of(&self, numbers: &[usize; MAX_LANES]) -> Boards<W::Lanes> {
        self.load(numbers.map(|number| &self.nodes[number]))
    }

    #[inline(always)]
    fn width(&self) -> W {
        self.width
    }

    #[inline(always)]
    fn list_en_passant(&self, nodes: Range<usize>, list: &mut ExceptionMoves, sliders: impl Sliders) {
        for (lane, node) in self.nodes[nodes].iter().enumerate() {
            if node.en_passant().is_some() {
                let node = if self.must_flip { node.flipped() } else { *node };
                list_captures_en_passant(&node, lane, list, sliders);
            }
        }
    }

    #[inline(always)]
    fn add_lanes(&mut self, start: usize, replies: W::Lanes) {
        let counts = self.counts[start..].iter_mut().take(W::LANES);
        for (count, replies) in counts.zip(replies.to_array()) {
            *count = count.wrapping_add(replies.bits());
        }
    }

    #[inline(always)]
    fn add_each(&mut self, numbers: &[usize; MAX_LANES], replies: W::Lanes) {
        for (number, replies) in numbers.iter().zip(replies.to_array()) {
            self.add(*number, replies.bits());
        }
    }

    #[inline(always)]
    fn add(&mut self, node: usize, replies: u64) {
        self.counts[node] = self.counts[node].wrapping_add(replies);
    }
}

#[inline(always)]
fn list_captures_en_passant(node: &Position, lane: usize, list: &mut ExceptionMoves, sliders: impl Sliders) {
    let Some(passed) = node.en_passant() else { return };
    for from in node.en_passant_captors(passed) {
        if node.armies_of::<Mover>().en_passant_is_legal::<Mover>(from, passed, sliders) {
            list.push(BatchMove::new(MoveKind::EnPassant, from, passed), lane);
        }
    }
}
