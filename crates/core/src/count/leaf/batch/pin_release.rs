//! What a pinned man could do if it were not pinned: the price of the move that ends the pin.

use super::analysis::Analysis;
use super::lanes::{DIRECTIONS, Lanes, Width};
use super::rays::{knight_ways, sliders};
use crate::types::Side;

/// The replies that are missing because one man of the replier is pinned.
pub struct PinRelease<V> {
    /// How many, in the lanes in which only one man is pinned.
    pub moves: V,
    /// The sliders that pin those men.
    pub pinners: V,
    /// Squares on which anything in the way of these moves, or to be captured, would change their number.
    pub ways: V,
}

impl<V: Lanes> PinRelease<V> {
    /// In which side `R` is to reply, and these are all sliders that pin. The pins that are not so simple are left out:
    /// several in one lane, and those of pawns about to promote and of rooks that may castle.
    #[inline(always)]
    pub fn of<R: Side>(analysis: &Analysis<V>, pinners: V) -> PinRelease<V> {
        let replier = &analysis.boards.replier;
        let pinned = analysis.replier_pins.all();
        let width = pinned.width();
        let nothing = width.empty();
        if V::bits(pinned.occupied()) == 0 {
            return PinRelease { moves: nothing, pinners: nothing, ways: nothing };
        }
        let awkward = width.splat(analysis.parent.castling().rooks(R::COLOR))
            | (replier.pawns & width.splat(R::SEVENTH_RANK));
        let is_simple = pinned.misses(pinned.minus(width.number(1))) & pinned.misses(awkward);

        let targets = !replier.all;
        let mut pin_release =
            PinRelease { moves: nothing, pinners: pinners.only_where(is_simple), ways: nothing };
        if analysis.replier_kinds.orthogonals {
            pin_release.add_slide::<0>(analysis);
            pin_release.add_slide::<1>(analysis);
            pin_release.add_slide::<2>(analysis);
            pin_release.add_slide::<3>(analysis);
        }
        if analysis.replier_kinds.diagonals {
            pin_release.add_slide::<4>(analysis);
            pin_release.add_slide::<5>(analysis);
            pin_release.add_slide::<6>(analysis);
            pin_release.add_slide::<7>(analysis);
        }
        for way in knight_ways(replier.knights & pinned) {
            pin_release.moves = pin_release.moves.plus((way & targets).popcount());
        }
        pin_release.add_pawns::<R>(analysis);
        pin_release
    }

    /// A slider in a direction in which its pin does not let it go.
    #[inline(always)]
    fn add_slide<const D: usize>(&mut self, analysis: &Analysis<V>) {
        let replier = &analysis.boards.replier;
        let stopped = sliders(replier, D) & analysis.replier_pins.across(DIRECTIONS[D]);
        let slide = stopped.slide::<D>(&analysis.blockers);
        self.moves = self.moves.plus(slide.without(replier.all).popcount());
        self.ways = self.ways | slide;
    }

    #[inline(always)]
    fn add_pawns<R: Side>(&mut self, analysis: &Analysis<V>) {
        let (boards, pins) = (&analysis.boards, &analysis.replier_pins);
        let pawns = boards.replier.pawns;
        let occupied = boards.occupied();
        let ahead = (pawns & pins.across(R::FORWARD)).step(R::FORWARD);
        let single = ahead.without(occupied);
        let far_ahead = (single & pawns.width().splat(R::THIRD_RANK)).step(R::FORWARD);
        let [west, east] = R::CAPTURES;
        let west = (pawns & pins.across(west)).step(west);
        let east = (pawns & pins.across(east)).step(east);
        let pushes = single | far_ahead.without(occupied);
        self.moves = self.moves.plus(pushes.popcount());
        self.moves = self.moves.plus((west & boards.mover.all).popcount());
        self.moves = self.moves.plus((east & boards.mover.all).popcount());
        self.ways = self.ways | ahead | far_ahead | west | east;
    }
}
