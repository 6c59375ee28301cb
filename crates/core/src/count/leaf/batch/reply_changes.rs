//! What it costs the replier that a man stands on a square.
//!
//! Take any quiet move of the mover that leaves checks, pins and the squares around the replying king as they are. It
//! changes the number of replies only through its two squares. A man that arrives on an empty square takes replies away:
//! those of the sliders that looked through it, and pushes of a pawn before it; and it gives some: captures by pawns. A
//! man that leaves gives back, and takes away, the same. So each square has two reply_changes, of what a man there *takes* and
//! *gives*, and all such moves of a piece together are counted by sums over squares.
//!
//! ```text
//!    r . . . . . . .     the rook's moves to the right: 7. A man that arrives on the third square
//!    r 6 5 4 3 2 1 0     leaves two and itself to be captured: it takes 4, the price of that square
//! ```

use super::analysis::Analysis;
use super::bit_sliced::BitSlicedCounts;
use super::lanes::{DIRECTIONS, Lanes, Width};
use super::rays::knight_ways;
use crate::types::Side;

/// ReplyChanges of all squares, and where they do not hold.
pub struct ReplyChanges<V> {
    /// Replies that are missing while a man stands on an empty square, or would come back if the mover's man there
    /// left.
    pub lost: BitSlicedCounts<V, 6>,
    /// Replies that there are only because a man of the mover stands here.
    pub gained: BitSlicedCounts<V, 5>,
    /// The mover's men that sliders attack, by line: on files, ranks, rising and falling diagonals.
    pub hit: [V; 4],
    /// The mover's men in the way of a pawn.
    pub before_pawn: V,
    /// What pawns attack.
    pub attacked_by_pawns: V,
}

impl<V: Lanes> ReplyChanges<V> {
    /// In which side `R` is to reply.
    #[inline(always)]
    pub fn of<R: Side>(analysis: &Analysis<V>) -> ReplyChanges<V> {
        let mover = analysis.boards.mover.all;
        let width = mover.width();
        let slides = &analysis.replier_slides;
        let mut reply_changes = ReplyChanges {
            lost: BitSlicedCounts::zero(width),
            gained: BitSlicedCounts::zero(width),
            hit: [
                mover & (slides[0] | slides[1]),
                mover & (slides[2] | slides[3]),
                mover & (slides[4] | slides[5]),
                mover & (slides[6] | slides[7]),
            ],
            before_pawn: width.empty(),
            attacked_by_pawns: width.empty(),
        };
        if analysis.replier_kinds.orthogonals {
            reply_changes.add_slides::<0>(analysis);
            reply_changes.add_slides::<1>(analysis);
            reply_changes.add_slides::<2>(analysis);
            reply_changes.add_slides::<3>(analysis);
        }
        if analysis.replier_kinds.diagonals {
            reply_changes.add_slides::<4>(analysis);
            reply_changes.add_slides::<5>(analysis);
            reply_changes.add_slides::<6>(analysis);
            reply_changes.add_slides::<7>(analysis);
        }
        reply_changes.add_pawns::<R>(analysis);
        if analysis.captures_are_plain {
            reply_changes.add_captors(analysis);
            if analysis.replier_kinds.knights {
                reply_changes.add_captured_knights(analysis);
            }
            reply_changes.add_captured_pawns::<R>(analysis);
        }
        reply_changes
    }

    /// What the mover gives back when its man leaves this square.
    #[inline(always)]
    pub fn at(&self, square: V, may_promote: bool) -> V {
        // Two pawns at most may take a man of the mover, and each once, unless it promotes.
        let gained = if may_promote { self.gained.at(square) } else { self.gained.low::<2>().at(square) };
        self.lost.at(square).minus(gained)
    }

    /// What sliders lose in one direction: from an empty square on their way, all that is further on; from a man of the
    /// mover that stops them, what it hides; from their own squares, all.
    #[inline(always)]
    fn add_slides<const D: usize>(&mut self, analysis: &Analysis<V>) {
        let boards = &analysis.boards;
        let slide = analysis.replier_slides[D];
        let stops = slide & boards.mover.all;
        let road = slide | stops.slide::<D>(&analysis.blockers);
        let ends = stops | analysis.replier_pins.sliders::<D>(&boards.replier);
        let on = road.without(boards.occupied()) | ends;
        let back = DIRECTIONS[D ^ 1];
        let one = road.without(boards.replier.all).step(back) & on;
        let two = one.without(ends).step(back) & on;
        let three = two.without(ends).step(back) & on;
        let four = three.without(ends).step(back) & on;
        let five = four.without(ends).step(back) & on;
        let six = five.without(ends).step(back) & on;
        let seven = six.without(ends).step(back) & on;
        // As binary numbers of three bits. What lies behind a stop is nobody's way.
        let countable = slide.without(boards.replier.all) | ends;
        let ones = one.without(two) | three.without(four) | five.without(six) | seven;
        let twos = two.without(four) | six;
        self.lost.add_three([ones & countable, twos & countable, four & countable]);
    }

    /// What pawns lose and win.
    #[inline(always)]
    fn add_pawns<R: Side>(&mut self, analysis: &Analysis<V>) {
        let boards = &analysis.boards;
        let (pawns, pins) = (boards.replier.pawns, &analysis.replier_pins);
        let width = pawns.width();
        let [west, east] = R::CAPTURES;
        let takes_west = pawns.without(pins.across(west)).step(west);
        let takes_east = pawns.without(pins.across(east)).step(east);
        self.attacked_by_pawns = takes_west | takes_east;
        self.gained.add(takes_west);
        self.gained.add(takes_east);

        let occupied = boards.occupied();
        let third = width.splat(R::THIRD_RANK);
        let ahead = pawns.without(pins.across(R::FORWARD)).step(R::FORWARD).without(boards.replier.all);
        let far_ahead = (ahead.without(occupied) & third).step(R::FORWARD).without(boards.replier.all);
        self.lost.add(ahead | far_ahead);
        // On the third rank a man stops the double push as well, if nothing else does.
        self.lost.add((ahead & third).step(R::FORWARD).without(occupied).step(R::Other::FORWARD));
        self.before_pawn = (ahead | far_ahead) & boards.mover.all;
        if analysis.may_promote {
            // Three more each.
            let last = width.splat(R::LAST_RANK);
            let (west, east, ahead) = (takes_west & last, takes_east & last, ahead & last);
            self.gained.add_three([west, west, width.empty()]);
            self.gained.add_three([east, east, width.empty()]);
            self.lost.add_three([ahead, ahead, width.empty()]);
        }
    }
    /// What the king wins when a pawn leaves that alone held a square; its man is one of the mover's.
    #[inline(always)]
    pub fn add_holding_pawns<R: Side>(&mut self, analysis: &Analysis<V>, held_once: V) {
        let [west, east] = R::CAPTURES;
        let pawns = analysis.boards.mover.pawns;
        self.lost.add(held_once.step(west) & pawns);
        self.lost.add(held_once.step(east) & pawns);
    }

    /// The replier's sliders and knights that may take back where one of its men is captured. (Its king may only
    /// beside it, and such captures are exceptions.)
    #[inline(always)]
    fn add_captors(&mut self, analysis: &Analysis<V>) {
        let replier = &analysis.boards.replier;
        let slides = &analysis.replier_slides;
        let own = replier.all;
        self.gained.add_sets(slides[0] & own, slides[1] & own, slides[2] & own);
        self.gained.add_sets(slides[3] & own, slides[4] & own, slides[5] & own);
        self.gained.add_sets(slides[6] & own, slides[7] & own, own.width().empty());
        let knights = replier.knights.without(analysis.replier_pins.all());
        let ways = knight_ways(knights);
        self.gained.add_sets(ways[0] & own, ways[1] & own, ways[2] & own);
        self.gained.add_sets(ways[3] & own, ways[4] & own, ways[5] & own);
        self.gained.add_sets(ways[6] & own, ways[7] & own, own.width().empty());
    }

    /// All moves of a knight, on its square.
    #[inline(always)]
    fn add_captured_knights(&mut self, analysis: &Analysis<V>) {
        let replier = &analysis.boards.replier;
        let knights = replier.knights.without(analysis.replier_pins.all());
        let ways = knight_ways(!replier.all);
        self.lost.add_sets(ways[0] & knights, ways[1] & knights, ways[2] & knights);
        self.lost.add_sets(ways[3] & knights, ways[4] & knights, ways[5] & knights);
        self.lost.add_sets(ways[6] & knights, ways[7] & knights, knights.width().empty());
    }

    /// All moves of a pawn, on its square. (Those about to promote are exceptions to capture.)
    #[inline(always)]
    fn add_captured_pawns<R: Side>(&mut self, analysis: &Analysis<V>) {
        let boards = &analysis.boards;
        let (pawns, pins) = (boards.replier.pawns, &analysis.replier_pins);
        let [west, east] = R::CAPTURES;
        let [back_west, back_east] = <R::Other as Side>::CAPTURES;
        let back = R::Other::FORWARD;
        let takes_west = pawns.without(pins.across(west)) & boards.mover.all.step(back_east);
        let takes_east = pawns.without(pins.across(east)) & boards.mover.all.step(back_west);
        let empty = !boards.occupied();
        let pushes = pawns.without(pins.across(R::FORWARD)) & empty.step(back);
        let third = empty & pawns.width().splat(R::THIRD_RANK);
        let pushes_twice = pushes & (third & empty.step(back)).step(back);
        self.lost.add_sets(takes_west, takes_east, pushes);
        self.lost.add(pushes_twice);
    }
}
