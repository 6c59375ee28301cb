//! King steps: how many moves of the replier's king a piece of the mover takes away by arriving on a square.
//!
//! A square next to the replier's king that the mover does not attack yet is a step of the king. If a piece arrives on
//! a square from which it attacks the step, this step is lost. In the same way, castling is lost if the piece attacks a
//! square of the castling path. The other replies stay, so the move can be plain.
//!
//! ```text
//!   8  . . . 1 k 1 . .       The king has five steps.
//!   7  . . . 1 1 1 . .       A rook on the 7th rank takes three of them away.
//!   6  . . . . . . . .
//!   5  . . . N . . . .       A knight on d5 takes e7 away, and one on c5 takes d7 away.
//!      a b c d e f g h
//! ```
//!
//! See the section "Plain moves with a correction" of `docs/src/three-plies.md`.

use perft_core::internals::Side;

use super::bit_sliced::BitSlicedCounts;
use super::boards::Replier;
use super::lanes::{Lanes, Tally, Width};
use super::rays::{Kinds, Rays, each_direction, knight_attacks, knight_ways};

/// The number of king's moves that a piece of the mover takes away by arriving on a square, by kind of piece.
pub struct StepsTaken<V> {
    /// The number of bit planes in use: 0 if nothing can be taken away, and 1 if no number is above 1.
    pub planes: usize,
    /// The numbers for knights.
    pub knights: BitSlicedCounts<V, 3>,
    /// The numbers for bishops, and for diagonal moves of queens.
    pub diagonals: BitSlicedCounts<V, 3>,
    /// The numbers for rooks, and for orthogonal moves of queens.
    pub orthogonals: BitSlicedCounts<V, 3>,
    /// The numbers for queens.
    pub queens: BitSlicedCounts<V, 3>,
    /// The numbers for pawns.
    pub pawns: BitSlicedCounts<V, 3>,
    /// The squares from which a slider sees a step or a castling path, by the direction towards it.
    pub seen_from: Rays<V>,
}

impl<V: Lanes> StepsTaken<V> {
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
        taken.queens.add_counts(&taken.diagonals);
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
    /// Returns the sum over no moves.
    #[inline(always)]
    pub fn zero(width: V::Width) -> Self {
        StepsTally([V::Tally::zero(width); 3])
    }

    /// Adds the numbers of the squares on which a piece arrives.
    ///
    /// A tally has room for all pieces of a node, because two pieces of one kind never reach a square in the same
    /// direction. So each square is added at most 27 times: for 8 directions of sliders, 8 ways of knights, 8 steps of
    /// the king and 3 directions of pawns.
    #[inline(always)]
    pub fn add(&mut self, numbers: &BitSlicedCounts<V, 3>, planes: usize, arrivals: V) {
        let [ones, twos, fours] = numbers.planes();
        if planes > 0 {
            self.0[0].add(*ones & arrivals);
        }
        if planes > 1 {
            self.0[1].add(*twos & arrivals);
            self.0[2].add(*fours & arrivals);
        }
    }

    /// Returns the sum in each lane.
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
