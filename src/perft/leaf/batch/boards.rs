//! The children of a node, in lanes: the first stage.

use super::lanes::{Lanes, Width};
use super::rows::Octet;
use crate::chess::position::{Army, Position};
use crate::chess::types::{Color, MoveKind};

/// The pieces of one side in each lane.
#[derive(Clone, Copy)]
pub struct Armies<V> {
    pub pawns: V,
    pub knights: V,
    pub diagonals: V,
    pub straights: V,
    pub all: V,
}

/// A position in each lane: the side that has moved, and the side that will reply.
#[derive(Clone, Copy)]
pub struct Boards<V> {
    /// The side that has moved.
    pub mover: Armies<V>,
    /// The king of the side that has moved.
    pub mover_king: V,
    /// The side that will reply.
    pub replier: Armies<V>,
}

impl<V: Lanes> Armies<V> {
    #[inline(always)]
    fn splat(width: V::Width, army: &Army) -> Armies<V> {
        Armies {
            pawns: width.splat(army.pawns),
            knights: width.splat(army.knights),
            diagonals: width.splat(army.diagonals),
            straights: width.splat(army.straights),
            all: width.splat(army.all),
        }
    }

    #[inline(always)]
    fn replaced_where(self, lanes: V::Mask, other: Armies<V>) -> Armies<V> {
        Armies {
            pawns: self.pawns.replaced_where(lanes, other.pawns),
            knights: self.knights.replaced_where(lanes, other.knights),
            diagonals: self.diagonals.replaced_where(lanes, other.diagonals),
            straights: self.straights.replaced_where(lanes, other.straights),
            all: self.all.replaced_where(lanes, other.all),
        }
    }

    #[inline(always)]
    fn without(self, captured: V) -> Armies<V> {
        Armies {
            pawns: self.pawns.without(captured),
            knights: self.knights.without(captured),
            diagonals: self.diagonals.without(captured),
            straights: self.straights.without(captured),
            all: self.all.without(captured),
        }
    }
}

impl<V: Lanes> Boards<V> {
    /// The positions after regular moves: two squares are flipped in the set of what moved, and the target is cleared
    /// in all sets of the other side.
    #[inline(always)]
    pub fn children(width: V::Width, parent: &Position, mover: Color, moves: &Octet) -> Boards<V> {
        let (from, to) = (width.squares(moves.from), width.squares(moves.to));
        let moved = from | to;
        let is = |kind: MoveKind| width.equal(moves.kind, kind as u8);
        let us = Armies::<V>::splat(width, parent.army(mover));
        // A queen is in both sets of sliders, and moves in both.
        let is_queen = (us.diagonals & us.straights).meets(from);
        let is_slider = is(MoveKind::Diagonal) | is(MoveKind::Straight);
        Boards {
            mover: Armies {
                pawns: us.pawns.xor_where(is(MoveKind::Pawn), moved),
                knights: us.knights.xor_where(is(MoveKind::Knight), moved),
                diagonals: us.diagonals.xor_where(is(MoveKind::Diagonal) | (is_slider & is_queen), moved),
                straights: us.straights.xor_where(is(MoveKind::Straight) | (is_slider & is_queen), moved),
                all: us.all ^ moved,
            },
            mover_king: width.square(parent.king(mover)).xor_where(is(MoveKind::King), moved),
            replier: Armies::splat(width, parent.army(!mover)).without(to),
        }
    }

    /// These children, in which promotions have changed no set but the one of all men, with the pawn gone and the piece
    /// there.
    #[inline(always)]
    pub fn with_promotions(mut self, moves: &Octet) -> Boards<V> {
        let width = self.mover_king.width();
        let (from, to) = (width.squares(moves.from), width.squares(moves.to));
        let is = |kind: MoveKind| width.equal(moves.kind, kind as u8);
        let (knight, bishop) = (is(MoveKind::PromoteKnight), is(MoveKind::PromoteBishop));
        let (rook, queen) = (is(MoveKind::PromoteRook), is(MoveKind::PromoteQueen));
        let mover = &mut self.mover;
        mover.pawns = mover.pawns.xor_where(knight | bishop | rook | queen, from);
        mover.knights = mover.knights.xor_where(knight, to);
        mover.diagonals = mover.diagonals.xor_where(bishop | queen, to);
        mover.straights = mover.straights.xor_where(rook | queen, to);
        self
    }

    /// The position that the mover has reached, in every lane.
    #[inline(always)]
    pub fn splat(width: V::Width, child: &Position, mover: Color) -> Boards<V> {
        Boards {
            mover: Armies::splat(width, child.army(mover)),
            mover_king: width.square(child.king(mover)),
            replier: Armies::splat(width, child.army(!mover)),
        }
    }

    /// One lane of the other, all else of these.
    #[inline(always)]
    pub fn with_lane(self, number: usize, other: Boards<V>) -> Boards<V> {
        let lane = self.mover_king.width().lane(number);
        Boards {
            mover: self.mover.replaced_where(lane, other.mover),
            mover_king: self.mover_king.replaced_where(lane, other.mover_king),
            replier: self.replier.replaced_where(lane, other.replier),
        }
    }
}
