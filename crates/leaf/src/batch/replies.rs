//! Counts the replies in each lane, by kind of piece, and by direction for sliders, knights and pawn captures.

use perft_core::internals::{CastlingPaths, Side};
use perft_core::{Position, Square};

use super::boards::{Boards, Mover, Replier};
use super::lanes::{Lanes, Tally, Width, count_all};
use super::rays::{
    Checks, Kinds, Pins, Rays, king_attacks, knight_ways, rays_from_kings, slides_of, view_from,
};

/// Returns the number of replies in each leaf parent, without captures en passant.
///
/// `family` has the rooks with which the replier may have a castling right: see
/// [`Analysis`](super::analysis::Analysis).
#[inline(always)]
pub fn replies<V: Lanes>(boards: &Boards<V>, family: &Position) -> V {
    let (mover, replier) = (&boards.mover, &boards.replier);
    let blockers = boards.occupied().blockers();
    let (enemies, own) = (Kinds::of(mover), Kinds::of(replier));
    let mover_slides = slides_of(&blockers, mover, enemies);
    let king_rays = rays_from_kings(replier.king, family.king(Replier::COLOR));
    let king_view = view_from(&blockers, replier.king, &king_rays, enemies);
    let checks = Checks::of::<Replier>(replier, mover, enemies, &king_view);
    let attacked = checks.attacked::<Mover>(mover, enemies, &mover_slides);
    let pins = Pins::of(replier, enemies, &king_view, &mover_slides);
    let slides = pins.slides(&blockers, replier, own);
    count(boards, &checks, &pins, &slides, own, attacked, family)
}

/// Returns the same number as [`replies`], computed from sets that the caller already has.
///
/// `slides` are the attacks of the replier's sliders, by direction. `attacked` are the squares that the mover attacks.
#[inline(always)]
pub fn count<V: Lanes>(
    boards: &Boards<V>,
    checks: &Checks<V>,
    pins: &Pins<V>,
    slides: &Rays<V>,
    kinds: Kinds,
    attacked: V,
    family: &Position,
) -> V {
    let replier = &boards.replier;
    let targets = checks.mask.without(replier.all);
    // At most 20 sets: the king's steps, 8 directions, 8 ways of knights, and 3 directions of pawns.
    let mut tally = V::Tally::zero(targets.width());
    tally.add(king_attacks(replier.king).without(replier.all | attacked));
    if kinds.orthogonals {
        add_moves_along(&mut tally, &slides[..4], targets);
    }
    if kinds.diagonals {
        add_moves_along(&mut tally, &slides[4..], targets);
    }
    if kinds.knights {
        let knights = replier.knights.without(pins.all());
        add_moves_along(&mut tally, &knight_ways(knights), targets);
    }
    let capturable = boards.mover.all & checks.mask;
    let [single, double, west, east] =
        pawn_moves::<Replier, V>(replier.pawns, boards.occupied(), capturable, pins);
    let pawn_moves = [(single | double) & checks.mask, west, east];
    for moves in pawn_moves {
        tally.add(moves);
    }
    let mut count = tally.total();
    if V::any(replier.pawns.meets(targets.width().splat(Replier::SEVENTH_RANK))) {
        // A promotion counts four times. The tally already has it once.
        let last = targets.width().splat(Replier::LAST_RANK);
        let promotions = count_all(pawn_moves.map(|moves| moves & last));
        count = count.plus(promotions).plus(promotions).plus(promotions);
    }
    for rook in family.castling().rooks(Replier::COLOR) {
        let can_castle = CastlingConditions::of::<Replier>(boards, family, rook)
            .is_legal(boards, pins, attacked)
            & !checks.any;
        count = count.plus_where(can_castle, count.width().number(1));
    }
    count
}

/// Adds the moves to `targets`, in each direction of sliders or way of knights. Two pieces of one side never reach the
/// same square in the same direction.
#[inline(always)]
fn add_moves_along<V: Lanes>(tally: &mut V::Tally, attacks: &[V], targets: V) {
    for along in attacks {
        tally.add(*along & targets);
    }
}

/// Returns the targets of pawns of side `S`: of single pushes, of double pushes, and of captures towards the west and
/// towards the east. The check mask is not applied to pushes. A pinned pawn may still move along its pin line: it may
/// push on a file, and capture on a diagonal.
#[inline(always)]
pub fn pawn_moves<S: Side, V: Lanes>(pawns: V, occupied: V, capturable: V, pins: &Pins<V>) -> [V; 4] {
    let pushed = pawns.without(pins.across(S::FORWARD)).step(S::FORWARD).without(occupied);
    let third_rank = pawns.width().splat(S::THIRD_RANK);
    let double = (pushed & third_rank).step(S::FORWARD).without(occupied);
    let [west, east] = S::CAPTURES;
    let west = pawns.without(pins.across(west)).step(west) & capturable;
    let east = pawns.without(pins.across(east)).step(east) & capturable;
    [pushed, double, west, east]
}

/// The conditions under which a side may castle with one of its rooks. Its pieces are those of the replier.
pub struct CastlingConditions<V: Lanes> {
    /// The lanes in which it has the castling right.
    pub has_right: V::Mask,
    /// The rook's square.
    pub rook: V,
    /// The squares that must be empty.
    pub must_be_empty: V,
    /// The squares that the enemy must not attack.
    pub must_be_safe: V,
}

impl<V: Lanes> CastlingConditions<V> {
    /// Returns the conditions for castling with this rook, which has a castling right in the family.
    ///
    /// Side `S` castles, with the pieces of the replier. For castling of the mover, the caller exchanges the armies.
    ///
    /// The right is lost in the lanes in which the king or the rook is no longer on its square. Another rook of the
    /// side cannot have come to the square in the meantime.
    #[inline(always)]
    pub fn of<S: Side>(boards: &Boards<V>, family: &Position, rook: Square) -> Self {
        let width = boards.replier.all.width();
        let king = family.king(S::COLOR);
        let paths = CastlingPaths::of::<S>(king, rook);
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
    pub fn is_legal(&self, boards: &Boards<V>, pins: &Pins<V>, attacked: V) -> V::Mask {
        self.has_right
            & boards.occupied().misses(self.must_be_empty)
            & attacked.misses(self.must_be_safe)
            & pins.all().misses(self.rook)
    }
}
