//! Pin release: the moves that a pinned piece of the replier would have if its pin ended.
//!
//! If a slider of the mover leaves the line on which it pins a piece, this piece has more replies. Their number is
//! known before the move, so the move can be plain. See the section "Plain moves with a correction" of
//! `docs/src/three-plies.md`.

use perft_core::internals::Side;

use super::analysis::Analysis;
use super::boards::Replier;
use super::lanes::{DIRECTIONS, Lanes, Width, count_all};
use super::rays::{each_direction, knight_ways, sliders};

/// The correction for moves that end a pin.
pub struct PinRelease<V> {
    /// The number of moves that the pinned pieces would have off their pin lines. It is used only with
    /// [`Self::pinners`].
    pub released: V,
    /// The mover's sliders whose moves can be corrected. Each of them pins the only pinned piece of its lane.
    pub pinners: V,
    /// The squares on which a piece of the mover would change `released`.
    pub ways: V,
}

impl<V: Lanes> PinRelease<V> {
    /// Returns the correction. `pinners` are all sliders that pin a piece of the replier.
    ///
    /// Lanes with two pinned pieces are left out. So are pinned pawns on their seventh rank, and pinned rooks with a
    /// castling right.
    #[inline(always)]
    pub fn of(analysis: &Analysis<V>, pinners: V) -> PinRelease<V> {
        let replier = &analysis.boards.replier;
        let pinned = analysis.replier_pins.all();
        let width = pinned.width();
        let nothing = width.empty();
        if !V::any(pinned.non_empty()) {
            return PinRelease { released: nothing, pinners: nothing, ways: nothing };
        }
        let left_out = width.splat(analysis.family.castling().rooks(Replier::COLOR))
            | (replier.pawns & width.splat(Replier::SEVENTH_RANK));
        let is_used = pinned.misses(pinned.minus(width.number(1))) & pinned.misses(left_out);

        let targets = !replier.all;
        let mut release =
            PinRelease { released: nothing, pinners: pinners.only_where(is_used), ways: nothing };
        each_direction!(analysis.replier_kinds, D => release.add_sliders::<D>(analysis));
        let knights_moves = knight_ways(replier.knights & pinned).map(|way| way & targets);
        release.released = release.released.plus(count_all(knights_moves));
        release.add_pawns(analysis);
        release
    }

    /// Adds the moves in direction `D` of sliders that are pinned on another line.
    #[inline(always)]
    fn add_sliders<const D: usize>(&mut self, analysis: &Analysis<V>) {
        let replier = &analysis.boards.replier;
        let pinned = sliders(replier, D) & analysis.replier_pins.across(DIRECTIONS[D]);
        let slide = pinned.slide::<D>(&analysis.blockers);
        self.released = self.released.plus(slide.without(replier.all).popcount());
        self.ways = self.ways | slide;
    }

    /// Adds the pushes and captures of pawns that are pinned on another line.
    #[inline(always)]
    fn add_pawns(&mut self, analysis: &Analysis<V>) {
        let (boards, pins) = (&analysis.boards, &analysis.replier_pins);
        let pawns = boards.replier.pawns;
        let occupied = boards.occupied();
        let ahead = (pawns & pins.across(Replier::FORWARD)).step(Replier::FORWARD);
        let single = ahead.without(occupied);
        let far = (single & pawns.width().splat(Replier::THIRD_RANK)).step(Replier::FORWARD);
        let [west, east] = Replier::CAPTURES;
        let west = (pawns & pins.across(west)).step(west);
        let east = (pawns & pins.across(east)).step(east);
        let pushes = single | far.without(occupied);
        let captures = [west & boards.mover.all, east & boards.mover.all];
        self.released = self.released.plus(count_all([pushes, captures[0], captures[1]]));
        self.ways = self.ways | ahead | far | west | east;
    }
}
