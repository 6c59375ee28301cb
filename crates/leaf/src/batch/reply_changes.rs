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
//! *Pin release* is a correction: if a slider of the mover leaves the line on which it pins a piece, this piece has
//! more replies. Their number is known before the move, so the move can be plain.
//!
//! *King steps* are another correction. A square next to the replier's king that the mover does not attack is a step of
//! the king. If a piece arrives on a square from which it attacks the step, the step is lost. In the same way, castling
//! is lost if the piece attacks a square of the castling path. The other replies stay, so the move can be plain.
//!
//! ```text
//!   8  . . . 1 k 1 . .       The king has five steps.
//!   7  . . . 1 1 1 . .       A rook on the 7th rank takes three of them away.
//!   6  . . . . . . . .
//!   5  . . . N . . . .       A knight on d5 takes e7 away, and one on c5 takes d7 away.
//!      a b c d e f g h
//! ```
//!
//! The numbers of all squares of a lane are stored as bit planes ([`BitSlicedCounts`]). See the sections "Reply
//! changes" and "Plain moves with a correction" of `crates/leaf/README.md`.

use perft_core::internals::Side;

use super::analysis::Analysis;
use super::boards::{Mover, Replier};
use super::lanes::{DIRECTIONS, Lanes, Tally, Width, count_all};
use super::rays::{Kinds, Rays, Slider, each_direction, knight_attacks, knight_ways, sliders, union};

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

/// The number of moves of the king that a piece of the mover takes away by arriving on a square, by kind of piece.
pub struct StepsTaken<V> {
    /// The number of bit planes in use: 0 if nothing can be taken away, and 1 if no number is above 1.
    pub planes: usize,
    pub knights: BitSlicedCounts<V, 3>,
    /// The numbers for bishops, and for diagonal moves of queens.
    pub diagonals: BitSlicedCounts<V, 3>,
    /// The numbers for rooks, and for orthogonal moves of queens.
    pub orthogonals: BitSlicedCounts<V, 3>,
    pub queens: BitSlicedCounts<V, 3>,
    pub pawns: BitSlicedCounts<V, 3>,
    /// The squares from which a slider sees a step or a castling path, by the direction towards it.
    pub seen_from: Rays<V>,
}

impl<V: Lanes> StepsTaken<V> {
    /// Returns the numbers of steps that a slider on each square takes from the king.
    #[inline(always)]
    pub fn of_slider(&self, slider: Slider) -> &BitSlicedCounts<V, 3> {
        match (slider.is_diagonal, slider.is_orthogonal) {
            (true, true) => &self.queens,
            (true, false) => &self.diagonals,
            (false, _) => &self.orthogonals,
        }
    }

    /// Returns the numbers of a king without moves.
    #[inline(always)]
    pub fn none(width: V::Width) -> StepsTaken<V> {
        let none = BitSlicedCounts::zero(width);
        StepsTaken {
            planes: 0,
            knights: none,
            diagonals: none,
            orthogonals: none,
            queens: none,
            pawns: none,
            seen_from: [width.empty(); 8],
        }
    }

    /// Returns the numbers for these steps of the replier's king. The mover has pieces of these kinds.
    #[inline(always)]
    pub fn of(steps: V, kinds: Kinds, empty: V, blockers: &V::Blockers) -> StepsTaken<V> {
        let width = steps.width();
        let mut taken = StepsTaken::none(width);
        if !V::any(steps.non_empty()) {
            return taken;
        }
        let [west, east] = Replier::CAPTURES;
        taken.pawns.add_three_sets(steps.step(west), steps.step(east), width.empty());
        // The shorter code for one step is left out of WebAssembly, because a browser downloads it.
        if cfg!(target_family = "wasm") || V::any(steps.meets(steps.minus(width.number(1)))) {
            taken.planes = 3;
            let ways = knight_ways(steps);
            taken.knights.add_three_sets(ways[0], ways[1], ways[2]);
            taken.knights.add_three_sets(ways[3], ways[4], ways[5]);
            taken.knights.add_three_sets(ways[6], ways[7], width.empty());
            each_direction!(kinds, D => taken.add_sliders::<D>(steps, empty, blockers));
        } else {
            taken.planes = 1;
            taken.knights.set_lowest(knight_attacks(steps));
            each_direction!(kinds, D => taken.add_sliders_to_one::<D>(steps, blockers));
        }
        taken.queens = taken.orthogonals;
        taken.queens.add_numbers(taken.diagonals.0);
        taken
    }

    /// Adds castling with one rook, which is legal in the lanes in which `path` is not empty. It is lost if a piece
    /// attacks a square of the path or arrives on a square of `blocking`.
    #[inline(always)]
    pub fn add_castling(&mut self, path: V, blocking: V, kinds: Kinds, blockers: &V::Blockers) {
        let (mut orthogonals, mut diagonals) = (blocking, blocking);
        each_direction!(kinds, D => {
            let seen_from = attackers_from::<D, V>(path, blockers);
            self.seen_from[D] = self.seen_from[D] | seen_from;
            if D < 4 {
                orthogonals = orthogonals | seen_from;
            } else {
                diagonals = diagonals | seen_from;
            }
        });
        let [west, east] = Replier::CAPTURES;
        self.planes = 3;
        self.orthogonals.add(orthogonals);
        self.diagonals.add(diagonals);
        self.queens.add(orthogonals | diagonals);
        self.knights.add(knight_attacks(path) | blocking);
        self.pawns.add(path.step(west) | path.step(east));
    }

    /// Adds the steps that sliders take away in direction `D`, if no lane has more than one step.
    #[inline(always)]
    fn add_sliders_to_one<const D: usize>(&mut self, step: V, blockers: &V::Blockers) {
        let one = attackers_from::<D, V>(step, blockers);
        self.seen_from[D] = one;
        let numbers = if D < 4 { &mut self.orthogonals } else { &mut self.diagonals };
        numbers.set_lowest(one);
    }

    /// Adds the steps that sliders take away in direction `D`.
    ///
    /// A slider attacks a second step through the first one if the first one is empty. Three steps are in line only on
    /// the ranks and files next to the king.
    #[inline(always)]
    fn add_sliders<const D: usize>(&mut self, steps: V, empty: V, blockers: &V::Blockers) {
        let open = steps & empty;
        let one = attackers_from::<D, V>(steps, blockers);
        let two = attackers_from::<D, V>(open & one, blockers);
        self.seen_from[D] = one;
        if D < 4 {
            let three = attackers_from::<D, V>(open & two, blockers);
            self.orthogonals.add_numbers([one.without(two) | three, two, steps.width().empty()]);
        } else {
            self.diagonals.add_numbers([one.without(two), two, steps.width().empty()]);
        }
    }
}

/// The sum, over plain moves, of the king's steps that they take away.
#[derive(Clone, Copy)]
pub struct StepsTally<V: Lanes>([V::Tally; 3]);

impl<V: Lanes> StepsTally<V> {
    #[inline(always)]
    pub fn zero(width: V::Width) -> Self {
        StepsTally([V::Tally::zero(width); 3])
    }

    /// Adds the numbers of the squares on which a piece arrives.
    ///
    /// A tally has room for all pieces of a node, because two pieces of one kind never reach a square in the same
    /// direction. So each square is added at most 19 times: for 8 directions of sliders, 8 ways of knights and 3
    /// directions of pawns.
    #[inline(always)]
    pub fn add(&mut self, numbers: &BitSlicedCounts<V, 3>, planes: usize, arrivals: V) {
        let [ones, twos, fours] = &numbers.0;
        if planes > 0 {
            self.0[0].add(*ones & arrivals);
        }
        if planes > 1 {
            self.0[1].add(*twos & arrivals);
            self.0[2].add(*fours & arrivals);
        }
    }

    #[inline(always)]
    pub fn total(self) -> V {
        let [ones, twos, fours] = self.0;
        let fours = fours.total();
        let twos = fours.plus(fours).plus(twos.total());
        twos.plus(twos).plus(ones.total())
    }
}

/// Returns the squares from which a slider that moves in direction `D` attacks one of `squares`. This is `look(D ^ 1,
/// squares)`.
#[inline(always)]
pub fn attackers_from<const D: usize, V: Lanes>(squares: V, blockers: &V::Blockers) -> V {
    match D {
        0 => squares.look::<1>(blockers),
        1 => squares.look::<0>(blockers),
        2 => squares.look::<3>(blockers),
        3 => squares.look::<2>(blockers),
        4 => squares.look::<5>(blockers),
        5 => squares.look::<4>(blockers),
        6 => squares.look::<7>(blockers),
        _ => squares.look::<6>(blockers),
    }
}

/// The largest number of different weights in a product of two numbers.
const MAX_WEIGHTS: usize = 10;

/// A number from 0 to 2^N - 1 for each square of each lane. Plane `i` is the set of squares whose number has bit `i`.
#[derive(Clone, Copy)]
pub struct BitSlicedCounts<V, const N: usize>([V; N]);

impl<V: Lanes, const N: usize> BitSlicedCounts<V, N> {
    #[inline(always)]
    pub fn zero(width: V::Width) -> Self {
        BitSlicedCounts([width.empty(); N])
    }

    /// Makes the number of each of these squares at least 1. No number may be above 1 before.
    #[inline(always)]
    pub fn set_lowest(&mut self, squares: V) {
        self.0[0] = self.0[0] | squares;
    }

    /// Adds 1 on each of `squares`, by a ripple carry over the planes.
    #[inline(always)]
    pub fn add(&mut self, squares: V) {
        let mut carry = squares;
        for plane in &mut self.0 {
            let next = *plane & carry;
            *plane = *plane ^ carry;
            carry = next;
        }
    }

    /// Adds a three-bit number on each square. The sets are the planes of these numbers, the lowest bit first.
    #[inline(always)]
    pub fn add_numbers(&mut self, [ones, twos, fours]: [V; 3]) {
        let planes = &mut self.0;
        let mut carry = planes[0] & ones;
        planes[0] = planes[0] ^ ones;
        for (plane, bit) in planes[1..3].iter_mut().zip([twos, fours]) {
            let next = (*plane & bit) | (carry & (*plane ^ bit));
            *plane = *plane ^ bit ^ carry;
            carry = next;
        }
        for plane in &mut planes[3..] {
            let next = *plane & carry;
            *plane = *plane ^ carry;
            carry = next;
        }
    }

    /// Adds 1 on the squares of each of three sets. A full adder first makes a two-bit number for each square.
    #[inline(always)]
    pub fn add_three_sets(&mut self, a: V, b: V, c: V) {
        let either = a ^ b;
        self.add_numbers([either ^ c, (a & b) | (either & c), a.width().empty()]);
    }

    /// Returns the squares whose number is not 0.
    #[inline(always)]
    pub fn any(&self) -> V {
        union(&self.0)
    }

    /// Returns the number of one square in each lane.
    #[inline(always)]
    pub fn at(&self, square: V) -> V {
        let width = square.width();
        let mut number = width.empty();
        for (bit, plane) in self.0.iter().enumerate() {
            number = number.plus_where(plane.meets(square), width.number(1 << bit));
        }
        number
    }

    /// Returns the lowest `M` planes: the same numbers, if none of them has more bits.
    #[inline(always)]
    pub fn low<const M: usize>(&self) -> BitSlicedCounts<V, M> {
        let mut low = [self.0[0]; M];
        low.copy_from_slice(&self.0[..M]);
        BitSlicedCounts(low)
    }

    /// Whether a number in any lane has more than `bits` bits.
    #[inline(always)]
    pub fn exceeds_bits(&self, bits: usize) -> bool {
        V::any(union(&self.0[bits..]).non_empty())
    }

    /// Returns the sum, over all squares of a lane, of the products of both numbers.
    ///
    /// The planes of `self` above the lowest two are skipped where they are empty in all lanes, which is often the
    /// case.
    #[inline(always)]
    pub fn dot<const M: usize>(&self, other: &BitSlicedCounts<V, M>) -> V {
        const { assert!(N + M - 1 <= MAX_WEIGHTS) };
        let width = self.0[0].width();
        // Products of the planes `i` and `j` have the weight 2^(i + j).
        let mut tallies = [V::Tally::zero(width); MAX_WEIGHTS];
        for (i, ours) in self.0.iter().enumerate() {
            if i >= 2 && !V::any(ours.non_empty()) {
                continue;
            }
            for (j, theirs) in other.0.iter().enumerate() {
                tallies[i + j].add(*ours & *theirs);
            }
        }
        // This is a loop and not an iterator, because the compiler does not inline long chains of iterators. Vectors
        // would then go through memory.
        let mut sum = width.empty();
        for weight in (0..N + M - 1).rev() {
            sum = sum.plus(sum).plus(tallies[weight].total());
        }
        sum
    }
}
