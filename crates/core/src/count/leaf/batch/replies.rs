//! Counts the replies in each lane, by kind of piece, and by direction for sliders, knights and pawn captures.

use super::boards::Boards;
use super::lanes::{Lanes, Width};
use super::rays::{Checks, Kinds, Pins, Rays, king_attacks, knight_ways, slides_of, view_from};
use crate::movegen::CastlingPaths;
use crate::position::Position;
use crate::types::{Side, Square};

/// Returns the number of replies of side `R` in each leaf parent, without captures en passant.
///
/// `parent` is the position three plies above the leaves. It says with which rooks the replier had the right to castle.
#[inline(always)]
pub fn replies<R: Side, V: Lanes>(boards: &Boards<V>, parent: &Position) -> V {
    let (mover, replier) = (&boards.mover, &boards.replier);
    let blockers = boards.occupied().blockers();
    let (enemies, own) = (Kinds::of(mover), Kinds::of(replier));
    let mover_slides = slides_of(&blockers, mover, enemies);
    let king_view = view_from(&blockers, replier.king, enemies);
    let checks = Checks::of::<R>(replier, mover, enemies, &king_view);
    let attacked = checks.attacked::<R::Other>(mover, enemies, &mover_slides);
    let pins = Pins::of(replier, enemies, &king_view, &mover_slides);
    let slides = pins.slides(&blockers, replier, own);
    count::<R, V>(boards, &checks, &pins, &slides, own, attacked, parent)
}

/// Returns the same number as [`replies`], computed from sets that the caller has already.
///
/// `slides` are the attacks of the replier's sliders, by direction, and `attacked` are the squares that the mover
/// attacks.
#[inline(always)]
pub fn count<R: Side, V: Lanes>(
    boards: &Boards<V>,
    checks: &Checks<V>,
    pins: &Pins<V>,
    slides: &Rays<V>,
    kinds: Kinds,
    attacked: V,
    parent: &Position,
) -> V {
    let replier = &boards.replier;
    let targets = checks.mask.without(replier.all);
    let mut count = king_attacks(replier.king).without(replier.all | attacked).popcount();
    if kinds.orthogonals {
        count = count.plus(moves_along(&slides[..4], targets));
    }
    if kinds.diagonals {
        count = count.plus(moves_along(&slides[4..], targets));
    }
    if kinds.knights {
        let knights = replier.knights.without(pins.all());
        count = count.plus(moves_along(&knight_ways(knights), targets));
    }
    count = count.plus(pawn_moves::<R, V>(boards, pins, checks.mask));
    for rook in parent.castling().rooks(R::COLOR) {
        let can_castle =
            CastlingConditions::of::<R>(boards, parent, rook).is_legal(boards, pins, attacked) & !checks.any;
        count = count.plus_where(can_castle, count.width().number(1));
    }
    count
}

/// Returns the number of moves to `targets`, summed over the directions of sliders or the ways of knights. Two pieces
/// of one side never reach the same square in the same direction.
#[inline(always)]
fn moves_along<V: Lanes>(attacks: &[V], targets: V) -> V {
    let mut count = targets.width().empty();
    for along in attacks {
        count = count.plus((*along & targets).popcount());
    }
    count
}

/// Returns the number of moves of the replier's pawns. A pinned pawn may still move along its pin line: it may push on
/// a file, and capture on a diagonal.
#[inline(always)]
fn pawn_moves<R: Side, V: Lanes>(boards: &Boards<V>, pins: &Pins<V>, check_mask: V) -> V {
    let width = check_mask.width();
    let (pawns, occupied) = (boards.replier.pawns, boards.occupied());
    let pushed = pawns.without(pins.across(R::FORWARD)).step(R::FORWARD).without(occupied);
    let double = (pushed & width.splat(R::THIRD_RANK)).step(R::FORWARD).without(occupied);
    let pushes = (pushed | double) & check_mask;

    let capturable = boards.mover.all & check_mask;
    let [west, east] = R::CAPTURES;
    let west = pawns.without(pins.across(west)).step(west) & capturable;
    let east = pawns.without(pins.across(east)).step(east) & capturable;

    let count = pushes.popcount().plus(west.popcount()).plus(east.popcount());
    let seventh = pawns & width.splat(R::SEVENTH_RANK);
    if !V::any(seventh.non_empty()) {
        return count;
    }
    // A promotion counts four times. It is counted once already.
    let last = width.splat(R::LAST_RANK);
    let promotions = (pushes & last).popcount().plus((west & last).popcount()).plus((east & last).popcount());
    count.plus(promotions).plus(promotions).plus(promotions)
}

/// The conditions under which the replier may castle with one of its rooks.
pub struct CastlingConditions<V: Lanes> {
    /// The lanes in which it has the castling right.
    pub has_right: V::Mask,
    /// The rook's square.
    pub rook: V,
    /// The squares that must be empty.
    pub must_be_empty: V,
    /// The squares that the mover must not attack.
    pub must_be_safe: V,
}

impl<V: Lanes> CastlingConditions<V> {
    /// Returns the conditions for this rook, with which the replier had the right in the parent.
    ///
    /// The right is gone in the lanes in which the king or the rook is no longer on its square. Another rook of the
    /// replier cannot have come to the square since.
    #[inline(always)]
    pub fn of<R: Side>(boards: &Boards<V>, parent: &Position, rook: Square) -> Self {
        let width = boards.replier.all.width();
        let king = parent.king(R::COLOR);
        let paths = CastlingPaths::of::<R>(king, rook);
        let rook = width.square(rook);
        CastlingConditions {
            has_right: boards.replier.king.meets(width.square(king)) & boards.replier.orthogonals.meets(rook),
            rook,
            must_be_empty: width.splat(paths.must_be_empty),
            must_be_safe: width.splat(paths.must_be_safe),
        }
    }

    /// Returns the lanes in which castling is legal, if the king is not in check.
    ///
    /// The rook must not be pinned: without it, the king's target square would be attacked. This happens only in
    /// Chess960.
    #[inline(always)]
    fn is_legal(&self, boards: &Boards<V>, pins: &Pins<V>, attacked: V) -> V::Mask {
        self.has_right
            & boards.occupied().misses(self.must_be_empty)
            & attacked.misses(self.must_be_safe)
            & pins.all().misses(self.rook)
    }
}
