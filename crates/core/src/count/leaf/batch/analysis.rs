//! What is known of the nodes before the mover moves.

use super::boards::Boards;
use super::lanes::{Lanes, Width};
use super::rays::{Checks, Kinds, Pins, Rays, king_attacks, slides_of, views_from};
use super::replies::count;
use crate::attacks::knight;
use crate::position::Position;
use crate::types::Side;

/// Both sides' lines, what the mover may do, and what the replier could do if the mover passed.
pub struct Analysis<'a, V: Lanes> {
    /// From which the nodes come.
    pub parent: &'a Position,
    pub boards: Boards<V>,
    pub blockers: V::Blockers,
    pub mover_kinds: Kinds,
    pub replier_kinds: Kinds,
    /// What the mover's sliders attack.
    pub mover_slides: Rays<V>,
    pub mover_checks: Checks<V>,
    pub mover_pins: Pins<V>,
    /// What the replier attacks, the mover's king not being in the way.
    pub attacked_by_replier: V,
    /// What can be seen from the replier's king.
    pub king_views: Rays<V>,
    pub replier_pins: Pins<V>,
    /// Where the replier's sliders may go, their own men included.
    pub replier_slides: Rays<V>,
    /// Squares that the mover attacks.
    pub attacked: V,
    /// Squares that it attacks more than once.
    pub attacked_twice: V,
    /// Squares that it attacks more than twice.
    pub attacked_thrice: V,
    /// True if there are so many captures that it pays to find their reply_changes too.
    pub captures_are_plain: bool,
    /// True if a pawn of the replier is about to promote in some lane.
    pub may_promote: bool,
    /// How many replies there are if the mover passes.
    pub replies_to_pass: V,
}

/// The number of men under attack, in all lanes together, from which captures pay.
const MIN_CAPTURABLE_FOR_PLAIN: u64 = 12;

impl<'a, V: Lanes> Analysis<'a, V> {
    /// Of nodes in which side `R` is to reply.
    #[inline(always)]
    pub fn of<R: Side>(boards: Boards<V>, parent: &'a Position) -> Analysis<'a, V> {
        let (mover, replier) = (&boards.mover, &boards.replier);
        let blockers = boards.occupied().blockers();
        let (mover_kinds, replier_kinds) = (Kinds::of(mover), Kinds::of(replier));
        let mover_slides = slides_of(&blockers, mover, mover_kinds);
        let enemy_slides = slides_of(&blockers, replier, replier_kinds);
        let mover_views = views_from(&blockers, mover.king, replier_kinds);
        let king_views = views_from(&blockers, replier.king, mover_kinds);

        let mover_checks = Checks::of::<R::Other>(mover, replier, replier_kinds, &mover_views);
        let mover_pins = Pins::of(mover, replier_kinds, &mover_views, &enemy_slides);
        let attacked_by_replier = mover_checks.attacked::<R>(replier, replier_kinds, &enemy_slides);

        let [attacked, attacked_twice, attacked_thrice] =
            attacks_of_mover::<R, V>(&boards, parent, mover_kinds, &mover_slides);
        let replier_pins = Pins::of(replier, mover_kinds, &king_views, &mover_slides);
        let replier_slides = replier_pins.slides(&blockers, replier, replier_kinds);
        let no_check = Checks::none(mover.all.width());
        let replies_to_pass = count::<R, V>(
            &boards,
            &no_check,
            &replier_pins,
            &replier_slides,
            replier_kinds,
            attacked,
            parent,
        );
        let capturable = (attacked & replier.all).popcount().sum();
        Analysis {
            may_promote: V::bits(replier.pawns.meets(replier.all.width().splat(R::SEVENTH_RANK))) != 0,
            captures_are_plain: capturable >= MIN_CAPTURABLE_FOR_PLAIN,
            parent,
            blockers,
            mover_kinds,
            replier_kinds,
            mover_slides,
            mover_checks,
            mover_pins,
            attacked_by_replier,
            king_views,
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

/// What the mover attacks; what more than once; what more than twice.
#[inline(always)]
fn attacks_of_mover<R: Side, V: Lanes>(
    boards: &Boards<V>,
    parent: &Position,
    kinds: Kinds,
    slides: &Rays<V>,
) -> [V; 3] {
    let mover = &boards.mover;
    let width = mover.all.width();
    let [west, east] = <R::Other as Side>::CAPTURES;
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
    // The mover has not moved since the parent.
    for square in parent.army(R::Other::COLOR).knights {
        let is_there = mover.knights.meets(width.square(square));
        add_attacks(&mut attacked, width.splat(knight(square)).only_where(is_there));
    }
    attacked
}

#[inline(always)]
fn add_attacks<V: Lanes>([once, twice, thrice]: &mut [V; 3], attacks: V) {
    *thrice = *thrice | (*twice & attacks);
    *twice = *twice | (*once & attacks);
    *once = *once | attacks;
}
