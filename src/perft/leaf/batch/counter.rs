//! The counter: a node's moves into rows, the rows into lanes, the lanes into a sum.

use super::boards::Boards;
use super::lanes::Lanes;
use super::replies::{Common, Reach, castled_kings, castled_rooks, replies};
use super::rows::{RowWriter, Rows};
use crate::chess::attacks::sliders::Sliders;
use crate::chess::position::Position;
use crate::chess::types::{MoveKind, Side};
use crate::movegen::{generate, origin};

/// The number of replies to all moves of side `S`, the side to move.
#[inline(always)]
pub fn two_plies<S: Side, W: RowWriter>(width: W, position: &Position, sliders: impl Sliders) -> u64 {
    let (us, them) = position.armies_of::<S>();
    let mut rows = Rows::new(width, us, them);
    generate::<S>(position, sliders, &mut rows);
    let common = Common::new::<S::Other>(width, position, &reach::<S, W>(position, &rows));

    let mut specials = rows.special.iter();
    let mut sum = width.empty();
    let mut start = 0;
    loop {
        let regular = (rows.len() - start).min(W::LANES);
        let mut boards = if regular > 0 {
            children::<S, W>(width, position, &rows, start)
        } else {
            Boards::splat(width, position, S::COLOR)
        };
        let mut lanes = regular;
        for special in specials.by_ref().take(W::LANES - regular) {
            let child = position.play_as::<S>(special.kind(), special.from(), special.to());
            boards = boards.with_lane(lanes, Boards::splat(width, &child, S::COLOR));
            lanes += 1;
        }
        if lanes == 0 {
            break;
        }
        sum = sum.plus_where(width.first(lanes), replies::<S::Other, W::Lanes>(&boards, &common));
        start += regular;
    }
    sum.sum() + captures_en_passant::<S, W>(position, &rows, sliders)
}

/// The children that the regular moves from this one on lead to.
#[inline(always)]
fn children<S: Side, W: RowWriter>(
    width: W,
    position: &Position,
    rows: &Rows<W>,
    start: usize,
) -> Boards<W::Lanes> {
    let moves = rows.octet(start);
    let boards = Boards::children(width, position, S::COLOR, &moves);
    if rows.promoted.any() { boards.with_promotions(&moves) } else { boards }
}

/// Where sliders and king of side `S` may stand after one of its moves.
#[inline(always)]
fn reach<S: Side, W: RowWriter>(position: &Position, rows: &Rows<W>) -> Reach {
    let us = position.army(S::COLOR);
    let king = position.king(S::COLOR);
    let mut reach = Reach {
        diagonals: us.diagonals | rows.diagonal_targets | rows.promoted,
        straights: us.straights | rows.straight_targets | rows.promoted,
        king: king.into(),
        targets: rows.targets,
        has_knights: (us.knights | rows.promoted).any(),
    };
    if !rows.special.is_empty() {
        reach.straights |= castled_rooks::<S>();
        reach.king |= castled_kings::<S>();
    }
    reach
}

/// The captures en passant that answer double pushes of side `S`, which the lanes do not count.
#[inline(always)]
fn captures_en_passant<S: Side, W: RowWriter>(
    position: &Position,
    rows: &Rows<W>,
    sliders: impl Sliders,
) -> u64 {
    let mut count = 0;
    for to in rows.pushed_beside_pawns {
        let child = position.play_as::<S>(MoveKind::DoublePush, origin(to, 2 * S::FORWARD.offset()), to);
        let Some(passed) = child.en_passant() else { continue };
        for from in child.en_passant_captors(passed) {
            count += u64::from(child.en_passant_is_legal::<S::Other>(from, passed, sliders));
        }
    }
    count
}
