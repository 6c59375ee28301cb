//! Positions in lanes: the nodes, and what the mover makes of them.

use super::lanes::{Lanes, Width};
use super::list::Moves;
use crate::position::{Army, Position};
use crate::types::{CastlingSide, MoveKind, Side, Square};

/// The pieces of one side in each lane.
#[derive(Clone, Copy)]
pub struct Armies<V> {
    pub pawns: V,
    pub knights: V,
    pub diagonals: V,
    pub orthogonals: V,
    pub king: V,
    pub all: V,
}

/// A position in each lane: the side that is to move there, or has just moved, and the side that replies to it.
#[derive(Clone, Copy)]
pub struct Boards<V> {
    pub mover: Armies<V>,
    pub replier: Armies<V>,
}

impl<V: Lanes> Armies<V> {
    /// The same army in every lane.
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

    /// In each lane the army of the lane with this number.
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

    /// With the sets flipped in which what moves stands; both, for a queen.
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

/// Both armies after a move of side `S` in each lane: that of `S`, and the other.
#[inline(always)]
fn play<S: Side, V: Lanes>(
    us: &Armies<V>,
    them: &Armies<V>,
    moves: &Moves<V>,
    parent: &Position,
) -> (Armies<V>, Armies<V>) {
    let (mut us, mut them) = (us.moved(moves), them.without(moves.to));
    if moves.any_special() {
        promote(&mut us, moves);
        take_en_passant::<S, V>(&mut them, moves);
        castle::<S, V>(&mut us, moves, parent);
    }
    (us, them)
}

/// Where a pawn has come to promote, it becomes the piece.
#[inline(always)]
fn promote<V: Lanes>(us: &mut Armies<V>, moves: &Moves<V>) {
    let (knight, bishop) = (moves.are(MoveKind::PromoteKnight), moves.are(MoveKind::PromoteBishop));
    let (rook, queen) = (moves.are(MoveKind::PromoteRook), moves.are(MoveKind::PromoteQueen));
    us.pawns = us.pawns.xor_where(knight | bishop | rook | queen, moves.to);
    us.knights = us.knights.xor_where(knight, moves.to);
    us.diagonals = us.diagonals.xor_where(bishop | queen, moves.to);
    us.orthogonals = us.orthogonals.xor_where(rook | queen, moves.to);
}

/// The pawn that was passed goes.
#[inline(always)]
fn take_en_passant<S: Side, V: Lanes>(them: &mut Armies<V>, moves: &Moves<V>) {
    let is_en_passant = moves.are(MoveKind::EnPassant);
    let captured = moves.to.step(S::Other::FORWARD);
    them.pawns = them.pawns.xor_where(is_en_passant, captured);
    them.all = them.all.xor_where(is_en_passant, captured);
}

/// The king has gone to the rook's square, which has emptied it of both; they belong elsewhere.
#[inline(always)]
fn castle<S: Side, V: Lanes>(us: &mut Armies<V>, moves: &Moves<V>, parent: &Position) {
    let width = us.all.width();
    let is_castling = moves.are(MoveKind::Castling);
    for rook in parent.castling().rooks(S::COLOR) {
        let with_this = is_castling & moves.to.meets(width.square(rook));
        let side = CastlingSide::of(parent.king(S::COLOR), rook);
        let (king, target) =
            (width.square(side.king_target(S::COLOR)), width.square(side.rook_target(S::COLOR)));
        us.king = us.king.replaced_where(with_this, king);
        us.orthogonals = us.orthogonals.replaced_where(with_this, us.orthogonals.without(moves.to) | target);
        us.all = us.all.or_where(with_this, king | target);
    }
}

impl<V: Lanes> Boards<V> {
    /// The positions after moves of the replier, side `R`, from one parent.
    #[inline(always)]
    pub fn nodes<R: Side>(parent: &Position, moves: &Moves<V>) -> Boards<V> {
        let width = moves.to.width();
        let replier = Armies::splat(width, parent.army(R::COLOR), parent.king(R::COLOR));
        let mover = Armies::splat(width, parent.army(R::Other::COLOR), parent.king(R::Other::COLOR));
        let (replier, mover) = play::<R, V>(&replier, &mover, moves, parent);
        Boards { mover, replier }
    }

    /// The positions after moves of the mover, side `R::Other`, each from the node that it says. The mover has not moved
    /// since the parent.
    #[inline(always)]
    pub fn after<R: Side>(&self, parent: &Position, moves: &Moves<V>) -> Boards<V> {
        let (mover, replier) = (self.mover.permuted(moves.node), self.replier.permuted(moves.node));
        let (mover, replier) = play::<R::Other, V>(&mover, &replier, moves, parent);
        Boards { mover, replier }
    }

    /// All men.
    #[inline(always)]
    pub fn occupied(&self) -> V {
        self.mover.all | self.replier.all
    }
}
