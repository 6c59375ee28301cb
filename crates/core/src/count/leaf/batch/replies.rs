//! Counting the replies in every lane, by kind of piece.

use super::boards::Boards;
use super::lanes::{Lanes, Width};
use super::rays::{Checks, Kinds, Pins, Rays, king_attacks, knight_ways, slides_of, views_from};
use crate::movegen::CastlingPaths;
use crate::position::Position;
use crate::types::{Side, Square};

/// The number of replies of side `R` in every lane, but for captures en passant.
#[inline(always)]
pub fn replies<R: Side, V: Lanes>(boards: &Boards<V>, parent: &Position) -> V {
    let (mover, replier) = (&boards.mover, &boards.replier);
    let blockers = boards.occupied().blockers();
    let (enemies, own) = (Kinds::of(mover), Kinds::of(replier));
    let mover_slides = slides_of(&blockers, mover, enemies);
    let king_views = views_from(&blockers, replier.king, enemies);
    let checks = Checks::of::<R>(replier, mover, enemies, &king_views);
    let attacked = checks.attacked::<R::Other>(mover, enemies, &mover_slides);
    let pins = Pins::of(replier, enemies, &king_views, &mover_slides);
    let slides = pins.slides(&blockers, replier, own);
    count::<R, V>(boards, &checks, &pins, &slides, own, attacked, parent)
}

/// As [`replies`], from what is known already.
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
            CastlingQuestion::of::<R>(boards, parent, rook).is_legal(boards, pins, attacked) & !checks.any;
        count = count.plus_where(can_castle, count.width().number(1));
    }
    count
}

/// Moves of sliders or knights, by direction: two of one side never reach a square in the same direction.
#[inline(always)]
fn moves_along<V: Lanes>(attacks: &[V], targets: V) -> V {
    let mut count = targets.width().empty();
    for along in attacks {
        count = count.plus((*along & targets).popcount());
    }
    count
}

/// A pawn that is pinned still moves along the pin line: it pushes on a file, and captures on its diagonal.
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
    if V::bits(seventh.occupied()) == 0 {
        return count;
    }
    let last = width.splat(R::LAST_RANK);
    let promotions = (pushes & last).popcount().plus((west & last).popcount()).plus((east & last).popcount());
    count.plus(promotions).plus(promotions).plus(promotions)
}

/// Whether the replier may castle with a rook, asked in every lane.
pub struct CastlingQuestion<V: Lanes> {
    /// The lanes in which it has the right.
    pub has_right: V::Mask,
    /// The rook's square.
    pub rook: V,
    /// What must be empty.
    pub must_be_empty: V,
    /// What the enemy must not attack.
    pub must_be_safe: V,
}

impl<V: Lanes> CastlingQuestion<V> {
    /// About this rook, which had the right in the parent: it is gone if king or rook are no longer there. (No other
    /// rook of the replier can have come to its square since.)
    #[inline(always)]
    pub fn of<R: Side>(boards: &Boards<V>, parent: &Position, rook: Square) -> Self {
        let width = boards.replier.all.width();
        let king = parent.king(R::COLOR);
        let paths = CastlingPaths::of::<R>(king, rook);
        let rook = width.square(rook);
        CastlingQuestion {
            has_right: boards.replier.king.meets(width.square(king)) & boards.replier.orthogonals.meets(rook),
            rook,
            must_be_empty: width.splat(paths.must_be_empty),
            must_be_safe: width.splat(paths.must_be_safe),
        }
    }

    /// The lanes in which it is legal, but for check. A pinned rook is all that covers the king on its new square from
    /// behind; that happens in Chess960 only.
    #[inline(always)]
    fn is_legal(&self, boards: &Boards<V>, pins: &Pins<V>, attacked: V) -> V::Mask {
        self.has_right
            & boards.occupied().misses(self.must_be_empty)
            & attacked.misses(self.must_be_safe)
            & pins.all().misses(self.rook)
    }
}
