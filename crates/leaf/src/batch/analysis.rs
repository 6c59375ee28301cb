//! The analysis of the nodes: everything that is computed for all of them before the mover moves.
//!
//! It has the attacks, checks and pins of both sides, and the number of replies to a pass.

use perft_core::Position;
use perft_core::internals::Side;
use perft_core::internals::attacks::knight;

use super::boards::{Boards, Mover, Replier};
use super::lanes::{Lanes, Width};
use super::rays::{
    Checks, Kinds, Pins, Rays, king_attacks, rays_from, rays_from_kings, slides_of, view_from,
};
use super::replies::count;

/// The facts about a group of nodes, one node per lane.
pub struct Analysis<'a, V: Lanes> {
    /// The family of the nodes. Its mover has at least the mover's pieces of each node, on the same squares, and the
    /// same castling rights. The replier has a castling right of the family in each node in which the king and the rook
    /// are on their squares.
    ///
    /// For the children of a parent, the family is the parent.
    pub family: &'a Position,
    /// The nodes.
    pub boards: Boards<V>,
    /// The occupied squares, prepared for sliding.
    pub blockers: V::Blockers,
    /// The kinds of pieces that the mover has.
    pub mover_kinds: Kinds,
    /// The kinds of pieces that the replier has.
    pub replier_kinds: Kinds,
    /// The attacks of the mover's sliders, by direction.
    pub mover_slides: Rays<V>,
    /// The checks that the mover's king is in.
    pub mover_checks: Checks<V>,
    /// The pinned pieces of the mover.
    pub mover_pins: Pins<V>,
    /// The squares that the replier attacks. The mover's king does not block its sliders.
    pub attacked_by_replier: V,
    /// The rays from the replier's king, for [`Lanes::slide_on`].
    pub king_rays: Rays<V>,
    /// The squares that the replier's king sees, by direction.
    pub king_view: Rays<V>,
    /// The pinned pieces of the replier.
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
    /// The number of replies to a pass in each lane.
    pub replies_to_pass: V,
}

impl<'a, V: Lanes> Analysis<'a, V> {
    /// Returns the analysis of the nodes on `boards`.
    ///
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

/// Adds a set of attacked squares. Each square of the set must be attacked by only one piece.
#[inline(always)]
fn add_attacks<V: Lanes>([once, twice, thrice]: &mut [V; 3], attacks: V) {
    *thrice = *thrice | (*twice & attacks);
    *twice = *twice | (*once & attacks);
    *once = *once | attacks;
}
