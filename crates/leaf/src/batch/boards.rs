//! Positions in lanes, making moves on them, and the lists of packed moves that are loaded into lanes.

use std::mem::MaybeUninit;

use perft_core::internals::{Army, Black, Side, White};
use perft_core::{Bitboard, CastlingSide, MoveKind, Position, Square};

use super::lanes::{BatchMove, Lanes, MAX_LANES, Origin, SPECIAL, Width, kind_code};

/// The side to move in the parent and in the leaf parents. If Black is to move there, the board is flipped and the
/// colours are exchanged first. So the counter is compiled for one side only.
pub type Replier = White;

/// The side to move in the nodes.
pub type Mover = Black;

/// The pieces of one side, in each lane.
#[derive(Clone, Copy)]
pub struct Armies<V> {
    pub pawns: V,
    pub knights: V,
    /// The bishops and queens.
    pub diagonals: V,
    /// The rooks and queens.
    pub orthogonals: V,
    pub king: V,
    pub all: V,
}

/// One position in each lane: a node, or a leaf parent.
#[derive(Clone, Copy)]
pub struct Boards<V> {
    pub mover: Armies<V>,
    pub replier: Armies<V>,
}

impl<V: Lanes> Armies<V> {
    #[inline(always)]
    fn map(&self, change: impl Fn(V) -> V) -> Armies<V> {
        Armies {
            pawns: change(self.pawns),
            knights: change(self.knights),
            diagonals: change(self.diagonals),
            orthogonals: change(self.orthogonals),
            king: change(self.king),
            all: change(self.all),
        }
    }

    #[inline(always)]
    pub fn splat(width: V::Width, army: &Army, king: Square) -> Armies<V> {
        Armies {
            pawns: width.splat(army.pawns),
            knights: width.splat(army.knights),
            diagonals: width.splat(army.diagonals),
            orthogonals: width.splat(army.orthogonals),
            king: width.square(king),
            all: width.splat(army.all),
        }
    }

    /// Positions beyond the last lane are left out.
    #[inline(always)]
    fn load<S: Side>(width: V::Width, positions: [&Position; MAX_LANES]) -> Armies<V> {
        let sets = |of: fn(&Army) -> Bitboard| {
            width.load_sets(&positions.map(|position| of(position.army(S::COLOR))))
        };
        Armies {
            pawns: sets(|army| army.pawns),
            knights: sets(|army| army.knights),
            diagonals: sets(|army| army.diagonals),
            orthogonals: sets(|army| army.orthogonals),
            king: width.load_sets(&positions.map(|position| position.king(S::COLOR).into())),
            all: sets(|army| army.all),
        }
    }

    /// A queen is in two sets and moves in both.
    #[inline(always)]
    fn moved(&self, moves: &Moves<V>) -> Armies<V> {
        let (from, both) = (moves.from, moves.from | moves.to);
        Armies { all: self.all ^ both, ..self.map(|set| set.xor_where(set.meets(from), both)) }
    }

    #[inline(always)]
    pub fn without(&self, captured: V) -> Armies<V> {
        Armies { king: self.king, ..self.map(|set| set.without(captured)) }
    }
}

/// Returns both armies, `us` first, after a move of side `S` (`us`) in each lane.
#[inline(always)]
fn play<S: Side, V: Lanes>(
    us: &Armies<V>,
    them: &Armies<V>,
    moves: &Moves<V>,
    family: &Position,
) -> (Armies<V>, Armies<V>) {
    let (mut us, mut them) = (us.moved(moves), them.without(moves.to));
    if moves.any_special() {
        promote(&mut us, moves);
        capture_en_passant::<S, V>(&mut them, moves);
        castle::<S, V>(&mut us, moves, family);
    }
    (us, them)
}

#[inline(always)]
fn promote<V: Lanes>(us: &mut Armies<V>, moves: &Moves<V>) {
    let (knight, bishop) = (moves.are(MoveKind::PromoteKnight), moves.are(MoveKind::PromoteBishop));
    let (rook, queen) = (moves.are(MoveKind::PromoteRook), moves.are(MoveKind::PromoteQueen));
    us.pawns = us.pawns.xor_where(knight | bishop | rook | queen, moves.to);
    us.knights = us.knights.xor_where(knight, moves.to);
    us.diagonals = us.diagonals.xor_where(bishop | queen, moves.to);
    us.orthogonals = us.orthogonals.xor_where(rook | queen, moves.to);
}

#[inline(always)]
fn capture_en_passant<S: Side, V: Lanes>(them: &mut Armies<V>, moves: &Moves<V>) {
    let is_en_passant = moves.are(MoveKind::EnPassant);
    let captured = moves.to.step(S::Other::FORWARD);
    them.pawns = them.pawns.xor_where(is_en_passant, captured);
    them.all = them.all.xor_where(is_en_passant, captured);
}

/// Puts the king and the rook on their target squares where the move is castling.
///
/// Castling is stored as "king captures its own rook". So both pieces are already removed from `us.all`, and the king
/// is on the rook's square.
#[inline(always)]
fn castle<S: Side, V: Lanes>(us: &mut Armies<V>, moves: &Moves<V>, family: &Position) {
    let width = us.all.width();
    let is_castling = moves.are(MoveKind::Castling);
    for rook in family.castling().rooks(S::COLOR) {
        let with_this = is_castling & moves.to.meets(width.square(rook));
        let side = CastlingSide::of(family.king(S::COLOR), rook);
        let (king, target) =
            (width.square(side.king_target(S::COLOR)), width.square(side.rook_target(S::COLOR)));
        us.king = us.king.replaced_where(with_this, king);
        us.orthogonals = us.orthogonals.replaced_where(with_this, us.orthogonals.without(moves.to) | target);
        us.all = us.all.or_where(with_this, king | target);
    }
}

impl<V: Lanes> Boards<V> {
    /// Nodes beyond the last lane are left out.
    #[inline(always)]
    pub fn load(width: V::Width, nodes: [&Position; MAX_LANES]) -> Boards<V> {
        Boards { mover: Armies::load::<Mover>(width, nodes), replier: Armies::load::<Replier>(width, nodes) }
    }

    /// Returns the boards with the armies exchanged and the order of the ranks reversed.
    #[inline(always)]
    pub fn flipped(&self) -> Boards<V> {
        Boards { mover: self.replier.map(V::flipped), replier: self.mover.map(V::flipped) }
    }

    /// Returns the nodes: the positions after these moves of the replier in the parent.
    #[inline(always)]
    pub fn nodes(parent: &Position, moves: &Moves<V>) -> Boards<V> {
        let width = moves.to.width();
        let replier = Armies::splat(width, parent.army(Replier::COLOR), parent.king(Replier::COLOR));
        let mover = Armies::splat(width, parent.army(Mover::COLOR), parent.king(Mover::COLOR));
        let (replier, mover) = play::<Replier, V>(&replier, &mover, moves, parent);
        Boards { mover, replier }
    }

    /// Returns the leaf parents: the positions after these moves of the mover.
    #[inline(always)]
    pub fn leaf_parents(&self, family: &Position, moves: &Moves<V>) -> Boards<V> {
        // The mover has the castling rights of the family.
        let (mover, replier) = play::<Mover, V>(&self.mover, &self.replier, moves, family);
        Boards { mover, replier }
    }

    #[inline(always)]
    pub fn occupied(&self) -> V {
        self.mover.all | self.replier.all
    }
}

/// A list of moves that are written in groups and read in groups.
///
/// `CAPACITY` is the largest number of moves plus [`ROOM`](super::lanes::ROOM), because a write may use that much
/// memory after the last move. The memory is not initialized at first, because clearing some kilobytes takes too long
/// for one count.
pub struct List<const CAPACITY: usize> {
    packed_moves: [MaybeUninit<BatchMove>; CAPACITY],
    len: usize,
    /// The number of the node in lane 0.
    node: usize,
}

impl<const CAPACITY: usize> List<CAPACITY> {
    #[inline(always)]
    pub fn new() -> Self {
        List { packed_moves: [const { MaybeUninit::uninit() }; CAPACITY], len: 0, node: 0 }
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Says that lane 0 of the moves that come next is the node with this number.
    #[inline(always)]
    pub fn set_node(&mut self, node: usize) {
        self.node = node;
    }

    /// Appends a move in the node of a lane.
    #[inline(always)]
    pub fn push(&mut self, packed: BatchMove, lane: usize) {
        let packed = packed.in_node(self.node + lane);
        self.packed_moves[self.len] = MaybeUninit::new(packed);
        self.len += 1;
    }

    /// Appends a move to each target, in one node.
    #[inline(always)]
    pub fn append<W: Width>(
        &mut self,
        width: W,
        kind: MoveKind,
        origin: Origin,
        node: usize,
        targets: Bitboard,
    ) {
        let (base, stride) = BatchMove::base(kind, origin);
        let room = self.packed_moves[self.len..].first_chunk_mut().expect("the list has room for all moves");
        width.write_moves(targets, base.in_node(node).0, stride, room);
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
            self.append(width, kind, origin, self.node + lane, sets[lane]);
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
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn all(self) -> &'a [u32] {
        &self.numbers[..self.len]
    }

    /// Returns the group of moves that begins at index `start`, with zeros after the last move of the list.
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
    /// The kind of move, as the number that [`kind_code`] returns.
    kind: V,
}

impl<V: Lanes> Moves<V> {
    /// Moves beyond the last lane of this width are left out.
    #[inline(always)]
    pub fn load(width: V::Width, packed_moves: &[u32; MAX_LANES]) -> Moves<V> {
        let packed_moves = width.load(packed_moves);
        Moves {
            from: packed_moves.shifted(-8).squares(),
            to: packed_moves.squares(),
            kind: packed_moves.shifted(-24),
        }
    }

    /// Whether any move is a promotion, an en passant capture or castling.
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
