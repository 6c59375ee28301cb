//! Reply changes: how many replies are lost or gained because a piece of the mover stands on a square.
//!
//! A plain move changes the number of replies only through its two squares. When the piece arrives on a square, sliders
//! of the replier lose the squares behind it, and a pawn loses its pushes, but pawns gain a capture. When the piece
//! leaves a square, the opposite happens. So each square has two numbers, *lost* and *gained*, and the replies to all
//! plain moves together are sums over squares. If the mover captures, the moves of the captured piece are lost, and
//! recaptures are gained.
//!
//! ```text
//!   r . . . . . . .       a rook on a8 that can go to b8 ... h8
//!     6 5 4 3 2 1 0       lost on each of these squares
//! ```
//!
//! See the section "Reply changes" of `docs/src/three-plies.md`.

use perft_core::internals::Side;

use super::analysis::Analysis;
use super::bit_sliced::BitSlicedCounts;
use super::boards::{Mover, Replier};
use super::lanes::{DIRECTIONS, Lanes, Width};
use super::rays::{each_direction, knight_ways};

/// The reply changes of all squares, and the sets that say for which moves they are not exact.
pub struct ReplyChanges<V> {
    /// The number of replies that are missing while a piece of the mover stands on the square.
    pub lost: BitSlicedCounts<V, 6>,
    /// The number of replies that exist only because a piece of the mover stands on the square.
    pub gained: BitSlicedCounts<V, 5>,
    /// The mover's pieces that a slider of the replier attacks, by line: on files, ranks, rising and falling diagonals.
    pub attacked_along: [V; 4],
    /// The mover's pieces that block a single or double push of a pawn of the replier.
    pub push_blockers: V,
    /// The pawns of the replier, and the squares to which they can push on an empty board.
    pub push_squares: V,
    /// The squares that the replier's pawns attack.
    pub attacked_by_pawns: V,
}

impl<V: Lanes> ReplyChanges<V> {
    /// Returns the reply changes of the nodes.
    #[inline(always)]
    pub fn of(analysis: &Analysis<V>) -> ReplyChanges<V> {
        let mover = analysis.boards.mover.all;
        let width = mover.width();
        let slides = &analysis.replier_slides;
        let mut changes = ReplyChanges {
            lost: BitSlicedCounts::zero(width),
            gained: BitSlicedCounts::zero(width),
            attacked_along: [
                mover & (slides[0] | slides[1]),
                mover & (slides[2] | slides[3]),
                mover & (slides[4] | slides[5]),
                mover & (slides[6] | slides[7]),
            ],
            push_blockers: width.empty(),
            push_squares: width.empty(),
            attacked_by_pawns: width.empty(),
        };
        each_direction!(analysis.replier_kinds, D => changes.add_sliders::<D>(analysis));
        changes.add_pawns(analysis);
        if analysis.captures_are_plain {
            changes.add_recaptures(analysis);
            if analysis.replier_kinds.knights {
                changes.add_captured_knights(analysis);
            }
            changes.add_captured_pawns(analysis);
        }
        changes
    }

    /// Returns `lost - gained` of a square on which a piece of the mover stands. The number of replies grows by this
    /// number when the piece leaves.
    #[inline(always)]
    pub fn at(&self, square: V, may_promote: bool) -> V {
        // At most two pawns can capture a piece of the mover. Each has one capture, unless it promotes.
        let gained = if may_promote { self.gained.at(square) } else { self.gained.low::<2>().at(square) };
        self.lost.at(square).minus(gained)
    }

    /// Adds the replies that sliders can lose in direction `D`.
    ///
    /// On an empty square, these are the replies behind it. On a piece of the mover that blocks a slider, these are the
    /// replies that it hides. On a slider, these are all its replies in this direction.
    #[inline(always)]
    fn add_sliders<const D: usize>(&mut self, analysis: &Analysis<V>) {
        let boards = &analysis.boards;
        let slide = analysis.replier_slides[D];
        let stops = slide & boards.mover.all;
        let road = slide | stops.slide::<D>(&analysis.blockers);
        let ends = stops | analysis.replier_pins.sliders::<D>(&boards.replier);
        let on = road.without(boards.occupied()) | ends;
        // The next sets are the squares with at least one reply behind them, with at least two, and so on. Each square
        // of `road` was entered by a step, so a step back never leaves the board.
        let back = DIRECTIONS[D ^ 1].offset();
        let one = road.without(boards.replier.all).shifted(back) & on;
        let two = one.without(ends).shifted(back) & on;
        let three = two.without(ends).shifted(back) & on;
        let four = three.without(ends).shifted(back) & on;
        let five = four.without(ends).shifted(back) & on;
        let six = five.without(ends).shifted(back) & on;
        let seven = six.without(ends).shifted(back) & on;
        // The sets as three-bit numbers. Squares that are already hidden cannot be lost again.
        let valid = slide.without(boards.replier.all) | ends;
        let ones = one.without(two) | three.without(four) | five.without(six) | seven;
        let twos = two.without(four) | six;
        self.lost.add_numbers([ones & valid, twos & valid, four & valid]);
    }

    /// Adds the pushes that pawns can lose and the captures that they can gain.
    #[inline(always)]
    fn add_pawns(&mut self, analysis: &Analysis<V>) {
        let boards = &analysis.boards;
        let (pawns, pins) = (boards.replier.pawns, &analysis.replier_pins);
        let width = pawns.width();
        let [west, east] = Replier::CAPTURES;
        let attacked_west = pawns.without(pins.across(west)).step(west);
        let attacked_east = pawns.without(pins.across(east)).step(east);
        self.attacked_by_pawns = attacked_west | attacked_east;
        self.gained.add(attacked_west);
        self.gained.add(attacked_east);

        let occupied = boards.occupied();
        let third = width.splat(Replier::THIRD_RANK);
        let ahead =
            pawns.without(pins.across(Replier::FORWARD)).step(Replier::FORWARD).without(boards.replier.all);
        let far = (ahead.without(occupied) & third).step(Replier::FORWARD).without(boards.replier.all);
        self.lost.add(ahead | far);
        // On the third rank, a piece also blocks the double push, if nothing else does.
        self.lost.add((ahead & third).step(Replier::FORWARD).without(occupied).step(Mover::FORWARD));
        self.push_blockers = (ahead | far) & boards.mover.all;
        let single = pawns.step(Replier::FORWARD);
        self.push_squares = pawns | single | (single & third).step(Replier::FORWARD);
        if analysis.may_promote {
            // A move to the last rank counts four times, so three more are added.
            let last = width.splat(Replier::LAST_RANK);
            let (west, east, ahead) = (attacked_west & last, attacked_east & last, ahead & last);
            self.gained.add_numbers([west, west, width.empty()]);
            self.gained.add_numbers([east, east, width.empty()]);
            self.lost.add_numbers([ahead, ahead, width.empty()]);
        }
    }

    /// Adds the king's steps that are missing only because a pawn of the mover attacks a square of `held_once`. They
    /// are lost replies on the pawn's square.
    #[inline(always)]
    pub fn add_holding_pawns(&mut self, analysis: &Analysis<V>, held_once: V) {
        let [west, east] = Replier::CAPTURES;
        let pawns = analysis.boards.mover.pawns;
        self.lost.add(held_once.step(west) & pawns);
        self.lost.add(held_once.step(east) & pawns);
    }

    /// Adds the recaptures by sliders and knights on the squares of the replier's pieces.
    ///
    /// Recaptures by pawns are already in `gained`. The king has none, because captures next to it are exceptions.
    #[inline(always)]
    fn add_recaptures(&mut self, analysis: &Analysis<V>) {
        let replier = &analysis.boards.replier;
        let slides = &analysis.replier_slides;
        let own = replier.all;
        self.gained.add_three_sets(slides[0] & own, slides[1] & own, slides[2] & own);
        self.gained.add_three_sets(slides[3] & own, slides[4] & own, slides[5] & own);
        self.gained.add_three_sets(slides[6] & own, slides[7] & own, own.width().empty());
        let knights = replier.knights.without(analysis.replier_pins.all());
        let ways = knight_ways(knights);
        self.gained.add_three_sets(ways[0] & own, ways[1] & own, ways[2] & own);
        self.gained.add_three_sets(ways[3] & own, ways[4] & own, ways[5] & own);
        self.gained.add_three_sets(ways[6] & own, ways[7] & own, own.width().empty());
    }

    /// Adds the moves of each knight to `lost` on its square. They are lost if it is captured.
    #[inline(always)]
    fn add_captured_knights(&mut self, analysis: &Analysis<V>) {
        let replier = &analysis.boards.replier;
        let knights = replier.knights.without(analysis.replier_pins.all());
        // From the targets, each way leads back to the knight.
        let ways = knight_ways(!replier.all);
        self.lost.add_three_sets(ways[0] & knights, ways[1] & knights, ways[2] & knights);
        self.lost.add_three_sets(ways[3] & knights, ways[4] & knights, ways[5] & knights);
        self.lost.add_three_sets(ways[6] & knights, ways[7] & knights, knights.width().empty());
    }

    /// Adds the moves of each pawn to `lost` on its square. They are lost if it is captured.
    ///
    /// Promotions count once here. That is harmless, because captures of a pawn on its seventh rank are exceptions.
    #[inline(always)]
    fn add_captured_pawns(&mut self, analysis: &Analysis<V>) {
        let boards = &analysis.boards;
        let (pawns, pins) = (boards.replier.pawns, &analysis.replier_pins);
        let [west, east] = Replier::CAPTURES;
        let [back_west, back_east] = Mover::CAPTURES;
        let back = Mover::FORWARD;
        let can_capture_west = pawns.without(pins.across(west)) & boards.mover.all.step(back_east);
        let can_capture_east = pawns.without(pins.across(east)) & boards.mover.all.step(back_west);
        let empty = !boards.occupied();
        let can_push = pawns.without(pins.across(Replier::FORWARD)) & empty.step(back);
        let third = empty & pawns.width().splat(Replier::THIRD_RANK);
        let can_push_twice = can_push & (third & empty.step(back)).step(back);
        self.lost.add_three_sets(can_capture_west, can_capture_east, can_push);
        self.lost.add(can_push_twice);
    }
}
