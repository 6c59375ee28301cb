//! Positions in lanes, and making moves on them.

use perft_core::internals::{Army, Black, Side, White};
use perft_core::{Bitboard, CastlingSide, MoveKind, Position, Square};

use super::lanes::{Lanes, MAX_LANES, Width};
use super::list::Moves;

/// The side to move in the parent and in the leaf parents. If Black is to move there, the board is flipped and the
/// colours are exchanged first. So the counter is compiled for one side only.
pub type Replier = White;

/// The side to move in the nodes.
pub type Mover = Black;

/// The pieces of one side, in each lane.
#[derive(Clone, Copy)]
pub struct Armies<V> {
    /// The pawns.
    pub pawns: V,
    /// The knights.
    pub knights: V,
    /// The bishops and queens.
    pub diagonals: V,
    /// The rooks and queens.
    pub orthogonals: V,
    /// The king.
    pub king: V,
    /// All pieces.
    pub all: V,
}

/// One position in each lane: a node, or a leaf parent.
#[derive(Clone, Copy)]
pub struct Boards<V> {
    /// The pieces of the mover.
    pub mover: Armies<V>,
    /// The pieces of the replier.
    pub replier: Armies<V>,
}

impl<V: Lanes> Armies<V> {
    /// Returns the army with the order of the ranks reversed in each lane.
    #[inline(always)]
    fn flipped(&self) -> Armies<V> {
        Armies {
            pawns: self.pawns.flipped(),
            knights: self.knights.flipped(),
            diagonals: self.diagonals.flipped(),
            orthogonals: self.orthogonals.flipped(),
            king: self.king.flipped(),
            all: self.all.flipped(),
        }
    }

    /// Returns the same army in every lane.
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

    /// Returns the army of side `S` in each of these positions. Positions beyond the last lane are left out.
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

    /// Returns in each lane the army of another lane. The number of that lane is in the low bits of `numbers`.
    #[inline(always)]
    fn permuted(&self, numbers: V) -> Armies<V> {
        Armies {
            pawns: self.pawns.permuted(numbers),
            knights: self.knights.permuted(numbers),
            diagonals: self.diagonals.permuted(numbers),
            orthogonals: self.orthogonals.permuted(numbers),
            king: self.king.permuted(numbers),
            all: self.all.permuted(numbers),
        }
    }

    /// Returns the army after one of its pieces has moved in each lane. A queen is in two sets and moves in both.
    #[inline(always)]
    fn moved(&self, moves: &Moves<V>) -> Armies<V> {
        let (from, both) = (moves.from, moves.from | moves.to);
        Armies {
            pawns: self.pawns.xor_where(self.pawns.meets(from), both),
            knights: self.knights.xor_where(self.knights.meets(from), both),
            diagonals: self.diagonals.xor_where(self.diagonals.meets(from), both),
            orthogonals: self.orthogonals.xor_where(self.orthogonals.meets(from), both),
            king: self.king.xor_where(self.king.meets(from), both),
            all: self.all ^ both,
        }
    }

    /// Returns the army without the piece on the square `captured`.
    #[inline(always)]
    fn without(&self, captured: V) -> Armies<V> {
        Armies {
            pawns: self.pawns.without(captured),
            knights: self.knights.without(captured),
            diagonals: self.diagonals.without(captured),
            orthogonals: self.orthogonals.without(captured),
            king: self.king,
            all: self.all.without(captured),
        }
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

/// Replaces the pawns that have just promoted by their new pieces.
#[inline(always)]
fn promote<V: Lanes>(us: &mut Armies<V>, moves: &Moves<V>) {
    let (knight, bishop) = (moves.are(MoveKind::PromoteKnight), moves.are(MoveKind::PromoteBishop));
    let (rook, queen) = (moves.are(MoveKind::PromoteRook), moves.are(MoveKind::PromoteQueen));
    us.pawns = us.pawns.xor_where(knight | bishop | rook | queen, moves.to);
    us.knights = us.knights.xor_where(knight, moves.to);
    us.diagonals = us.diagonals.xor_where(bishop | queen, moves.to);
    us.orthogonals = us.orthogonals.xor_where(rook | queen, moves.to);
}

/// Removes the pawns that are captured en passant.
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
    /// Returns these nodes. Nodes beyond the last lane are left out.
    #[inline(always)]
    pub fn load(width: V::Width, nodes: [&Position; MAX_LANES]) -> Boards<V> {
        Boards { mover: Armies::load::<Mover>(width, nodes), replier: Armies::load::<Replier>(width, nodes) }
    }

    /// Returns the boards with the armies exchanged and the order of the ranks reversed.
    #[inline(always)]
    pub fn flipped(&self) -> Boards<V> {
        Boards { mover: self.replier.flipped(), replier: self.mover.flipped() }
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

    /// Returns the leaf parents: the positions after these moves of the mover. Each move names the lane of its node in
    /// `self`.
    #[inline(always)]
    pub fn leaf_parents(&self, family: &Position, moves: &Moves<V>) -> Boards<V> {
        let (mover, replier) = (self.mover.permuted(moves.node), self.replier.permuted(moves.node));
        // The mover has the castling rights of the family.
        let (mover, replier) = play::<Mover, V>(&mover, &replier, moves, family);
        Boards { mover, replier }
    }

    /// Returns the occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> V {
        self.mover.all | self.replier.all
    }
}
