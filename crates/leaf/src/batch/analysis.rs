//! The analysis of the nodes: everything that is computed for all of them before the mover moves.
//!
//! It has the attacks, checks and pins of both sides, and the number of replies to a pass. Replies are counted in each
//! lane by kind of piece, and by direction for sliders, knights and pawn captures.

use perft_core::internals::attacks::knight;
use perft_core::internals::{CastlingPaths, Side};
use perft_core::{Position, Square};

use super::boards::{Boards, Mover, Replier};
use super::lanes::{Lanes, Tally, Width, count_all};
use super::rays::{
    Checks, Kinds, Pins, Rays, king_attacks, knight_ways, rays_from, rays_from_kings, slides_of, view_from,
};

/// The facts about a group of nodes, one node per lane.
pub struct Analysis<'a, V: Lanes> {
    /// The family of the nodes. Its mover has at least the mover's pieces of each node, on the same squares, and the
    /// same castling rights. The replier has a castling right of the family in each node in which the king and the rook
    /// are on their squares.
    ///
    /// For the children of a parent, the family is the parent.
    pub family: &'a Position,
    pub boards: Boards<V>,
    pub blockers: V::Blockers,
    pub mover_kinds: Kinds,
    pub replier_kinds: Kinds,
    /// The attacks of the mover's sliders, by direction.
    pub mover_slides: Rays<V>,
    pub mover_checks: Checks<V>,
    pub mover_pins: Pins<V>,
    /// The squares that the replier attacks. The mover's king does not block sliders.
    pub attacked_by_replier: V,
    /// The rays from the replier's king, for [`Lanes::slide_on`].
    pub king_rays: Rays<V>,
    /// The squares that the replier's king sees, by direction.
    pub king_view: Rays<V>,
    pub replier_pins: Pins<V>,
    /// The attacks of the replier's sliders, by direction. Pinned sliders have only those on their pin line.
    pub replier_slides: Rays<V>,
    /// The squares that the mover attacks at least once.
    pub attacked: V,
    /// The squares that the mover attacks at least twice.
    pub attacked_twice: V,
    /// The squares that the mover attacks at least three times.
    pub attacked_thrice: V,
    /// Whether captures have reply changes. Otherwise every capture is an exception.
    pub captures_are_plain: bool,
    /// Whether a pawn of the replier is on its seventh rank in any lane.
    pub may_promote: bool,
    pub replies_to_pass: V,
}

impl<'a, V: Lanes> Analysis<'a, V> {
    /// The function is long because each fact needs the ones before it.
    #[inline(always)]
    pub fn of<const PROMOTES: bool>(boards: Boards<V>, family: &'a Position) -> Analysis<'a, V> {
        let (mover, replier) = (&boards.mover, &boards.replier);
        let blockers = boards.occupied().blockers();
        // A pawn that can promote may become any piece.
        let mover_kinds = if PROMOTES && V::Width::PLAIN_PROMOTIONS { Kinds::ALL } else { Kinds::of(mover) };
        let replier_kinds = Kinds::of(replier);
        let mover_slides = slides_of(&blockers, mover, mover_kinds);
        let enemy_slides = slides_of(&blockers, replier, replier_kinds);
        let mover_rays = rays_from(mover.all.width(), family.king(Mover::COLOR));
        let mover_view = view_from(&blockers, mover.king, &mover_rays, replier_kinds);
        let king_rays = rays_from_kings(replier.king, family.king(Replier::COLOR));
        let king_view = view_from(&blockers, replier.king, &king_rays, mover_kinds);

        let mover_checks = Checks::of::<Mover>(mover, replier, replier_kinds, &mover_view);
        let mover_pins = Pins::of(mover, replier_kinds, &mover_view, &enemy_slides);
        let attacked_by_replier = mover_checks.attacked::<Replier>(replier, replier_kinds, &enemy_slides);

        let [attacked, attacked_twice, attacked_thrice] =
            attacks_of_mover(&boards, family, mover_kinds, &mover_slides);
        let replier_pins = Pins::of(replier, mover_kinds, &king_view, &mover_slides);
        let replier_sliders = replier.orthogonals | replier.diagonals;
        let replier_slides = if V::any(replier_sliders.meets(replier_pins.all())) {
            replier_pins.slides(&blockers, replier, replier_kinds)
        } else {
            enemy_slides
        };
        // The replier has just made a legal move, so a pass leaves it without a check.
        let no_check = Checks::none(mover.all.width());
        let replies_to_pass =
            count(&boards, &no_check, &replier_pins, &replier_slides, replier_kinds, attacked, family);
        let attacked_pieces = (attacked & replier.all).popcount().sum();
        Analysis {
            may_promote: V::any(replier.pawns.meets(replier.all.width().splat(Replier::SEVENTH_RANK))),
            captures_are_plain: attacked_pieces >= V::Width::MIN_ATTACKED_PIECES,
            family,
            blockers,
            mover_kinds,
            replier_kinds,
            mover_slides,
            mover_checks,
            mover_pins,
            attacked_by_replier,
            king_rays,
            king_view,
            replier_pins,
            replier_slides,
            attacked,
            attacked_twice,
            attacked_thrice,
            replies_to_pass,
            boards,
        }
    }
}

/// Returns the squares that the mover attacks at least once, at least twice and at least three times.
#[inline(always)]
fn attacks_of_mover<V: Lanes>(
    boards: &Boards<V>,
    family: &Position,
    kinds: Kinds,
    slides: &Rays<V>,
) -> [V; 3] {
    let mover = &boards.mover;
    let width = mover.all.width();
    let [west, east] = Mover::CAPTURES;
    let (west, east) = (mover.pawns.step(west), mover.pawns.step(east));
    let mut attacked = [west | east, west & east, width.empty()];
    add_attacks(&mut attacked, king_attacks(mover.king));
    if kinds.orthogonals {
        for slide in &slides[..4] {
            add_attacks(&mut attacked, *slide);
        }
    }
    if kinds.diagonals {
        for slide in &slides[4..] {
            add_attacks(&mut attacked, *slide);
        }
    }
    // The mover's knights are on the squares of the family, unless they were captured.
    for square in family.army(Mover::COLOR).knights {
        let is_there = mover.knights.meets(width.square(square));
        add_attacks(&mut attacked, width.splat(knight(square)).only_where(is_there));
    }
    attacked
}

/// Each square of the set must be attacked by only one piece.
#[inline(always)]
fn add_attacks<V: Lanes>([once, twice, thrice]: &mut [V; 3], attacks: V) {
    *thrice = *thrice | (*twice & attacks);
    *twice = *twice | (*once & attacks);
    *once = *once | attacks;
}

/// Returns the number of replies in each leaf parent, without en passant captures.
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

/// The conditions under which a side may castle with one of its rooks.
pub struct CastlingConditions<V: Lanes> {
    pub has_right: V::Mask,
    pub rook: V,
    pub must_be_empty: V,
    pub must_be_safe: V,
}

impl<V: Lanes> CastlingConditions<V> {
    /// Returns the conditions for castling with this rook, which has a castling right in the family.
    ///
    /// Side `S` castles. Its pieces are those of the replier in `boards`.
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
