//! The sets of squares that make a move of the mover an exception.
//!
//! The reply changes of `from` and `to` do not cover all effects. A move may also give check, begin or end a pin, or
//! free a square near the replier's king or on its castling path. It is an exception if no correction is known. Moves
//! are not examined one by one: `from` of an exception is in a *departure* set of its kind of piece, or `to` is in an
//! *arrival* set. The sets may contain too many squares, but never too few.
//!
//! The section "What makes a move an exception" of `crates/leaf/README.md` has the tables of all sets, with the
//! reasons.

use perft_core::internals::Side;

use super::analysis::{Analysis, CastlingConditions};
use super::boards::{Armies, Replier};
use super::lanes::{Lanes, Width};
use super::rays::{Slider, each_direction, king_attacks, knight_attacks, sliders};
use super::reply_changes::{StepsTaken, attackers_from};

/// The departure and arrival sets of the nodes.
///
/// The *zone* is the set of squares that matter to the replier's king: the squares that it could step to, and its
/// castling path. A square of the zone is *held* if the mover attacks it, and *free* otherwise.
pub struct Exceptions<V> {
    /// Departures of any piece. At first they do not include [`Self::pinners`].
    pub departures: V,
    /// The mover's sliders that pin a piece. They are departures, unless the pin release is simple.
    pub pinners: V,
    /// The pin lines of the replier, from its king to the pinning sliders. They are arrivals of any piece except the
    /// pinning slider itself.
    pub pin_lines: V,
    /// The steps of the replier's king that exactly one piece of the mover prevents.
    pub held_once: V,
    /// The squares that the mover attacks on each castling path, if each of them is attacked by only one piece and
    /// nothing else prevents castling. If the same piece attacks all of them, its moves can make castling legal.
    castling_held: [V; 2],
    pub steps_taken: StepsTaken<V>,
    /// Arrivals of any piece.
    arrivals: V,
    orthogonal_arrivals: V,
    diagonal_arrivals: V,
    /// Arrivals of rooks and queens that attack a square of `held_once` now.
    orthogonal_arrivals_of_holders: V,
    /// Arrivals of bishops and queens that attack a square of `held_once` now.
    diagonal_arrivals_of_holders: V,
    knight_arrivals: V,
    pawn_arrivals: V,
    king_arrivals: V,
}

impl<V: Lanes> Exceptions<V> {
    #[inline(always)]
    pub fn of(analysis: &Analysis<V>) -> Exceptions<V> {
        let (mover, replier) = (&analysis.boards.mover, &analysis.boards.replier);
        let steps = king_attacks(replier.king).without(replier.all);
        let (occupied, kinds) = (analysis.boards.occupied(), analysis.mover_kinds);
        let free = steps.without(analysis.attacked);
        let mut exceptions = Exceptions::none(mover.all.width());
        exceptions.steps_taken = StepsTaken::of(free, kinds, !occupied, &analysis.blockers);
        let zone = steps | exceptions.add_castling(analysis);
        exceptions.held_once = (steps & analysis.attacked).without(analysis.attacked_twice);
        // One move can remove two attacks on a square: the attack of the moving piece, because it leaves, and the
        // attack of a slider, because the moving piece arrives on its line.
        let held_lightly = (zone & analysis.attacked).without(analysis.attacked_thrice);

        exceptions.add_castling_holders(mover);
        exceptions.add_captures(analysis);

        let [west, east] = Replier::CAPTURES;
        exceptions.knight_arrivals = knight_attacks(replier.king);
        exceptions.pawn_arrivals = replier.king.step(west) | replier.king.step(east);
        exceptions.king_arrivals = exceptions.king_arrivals | king_attacks(free);
        each_direction!(kinds, D => exceptions.add_sliders::<D>(analysis, held_lightly));
        exceptions
    }

    #[inline(always)]
    fn none(width: V::Width) -> Exceptions<V> {
        let nothing = width.empty();
        Exceptions {
            departures: nothing,
            pinners: nothing,
            pin_lines: nothing,
            held_once: nothing,
            castling_held: [nothing; 2],
            steps_taken: StepsTaken::none(width),
            arrivals: nothing,
            orthogonal_arrivals: nothing,
            diagonal_arrivals: nothing,
            orthogonal_arrivals_of_holders: nothing,
            diagonal_arrivals_of_holders: nothing,
            knight_arrivals: nothing,
            pawn_arrivals: nothing,
            king_arrivals: nothing,
        }
    }

    /// Adds castling of the replier. Returns the castling paths that the mover holds where nothing else prevents
    /// castling.
    ///
    /// Castling is *open* if the right exists, the rook is not pinned and no piece of the replier is on the path. If
    /// castling is legal, a move of the mover can only prevent it, and [`StepsTaken`] has the correction. If the mover
    /// holds the path, a move can make castling legal.
    #[inline(always)]
    fn add_castling(&mut self, analysis: &Analysis<V>) -> V {
        let (mover, replier) = (&analysis.boards.mover, &analysis.boards.replier);
        let mut held_paths = replier.all.width().empty();
        // A loop over the rooks is not unrolled, so it has less code than a loop over the two paths.
        for (path, rook) in analysis.family.castling().rooks(Replier::COLOR).into_iter().enumerate() {
            let castling = CastlingConditions::of::<Replier>(&analysis.boards, analysis.family, rook);
            let CastlingConditions { must_be_empty, must_be_safe, .. } = castling;
            let open = castling.has_right
                & replier.all.misses(must_be_empty)
                & analysis.replier_pins.all().misses(castling.rook);
            self.departures = self.departures.or_where(open, must_be_empty);
            let not_blocked = open & mover.all.misses(must_be_empty);
            let is_safe = analysis.attacked.misses(must_be_safe);
            let legal = not_blocked & is_safe;
            if V::any(legal) {
                let path_squares = must_be_safe.only_where(legal);
                let blocking = (must_be_empty | castling.rook).only_where(legal);
                self.king_arrivals = self.king_arrivals | blocking | king_attacks(path_squares);
                let blockers = &analysis.blockers;
                self.steps_taken.add_castling(path_squares, blocking, analysis.mover_kinds, blockers);
            }
            let held = not_blocked & !is_safe;
            let held_once = held & analysis.attacked_twice.misses(must_be_safe);
            self.castling_held[path & 1] = (must_be_safe & analysis.attacked).only_where(held_once);
            held_paths = held_paths.or_where(held, must_be_safe);
        }
        held_paths
    }

    /// Adds the pawns and the king of the mover that attack a square of `castling_held`. If one of them leaves,
    /// castling may become possible.
    #[inline(always)]
    fn add_castling_holders(&mut self, mover: &Armies<V>) {
        let [west, east] = Replier::CAPTURES;
        let held = self.castling_held[0] | self.castling_held[1];
        self.departures = self.departures
            | ((held.step(west) | held.step(east)) & mover.pawns)
            | (king_attacks(held) & mover.king);
    }

    /// Adds the captures that are exceptions for every kind of piece.
    #[inline(always)]
    fn add_captures(&mut self, analysis: &Analysis<V>) {
        let replier = &analysis.boards.replier;
        // The king may recapture on a square next to it. Other captures have reply changes if `captures_are_plain`.
        let captures = if analysis.captures_are_plain {
            king_attacks(replier.king)
        } else {
            !replier.all.width().empty()
        };
        self.arrivals = self.arrivals | (captures & replier.all);
        // Capturing a pawn on its seventh rank is an exception: `lost` counts one move per target there, not four.
        self.arrivals = self.arrivals | (replier.pawns & replier.all.width().splat(Replier::SEVENTH_RANK));
    }

    /// Returns the lanes in which a piece that attacks these squares is the only one that prevents castling.
    #[inline(always)]
    pub fn prevents_castling(&self, attacks: V) -> V::Mask {
        let [first, second] = self.castling_held;
        (first.non_empty() & first.misses(!attacks)) | (second.non_empty() & second.misses(!attacks))
    }

    /// Returns the arrivals of a slider, without the pin lines. `holds` are the lanes in which it attacks a square of
    /// `held_once` now.
    #[inline(always)]
    pub fn slider_arrivals(&self, slider: Slider, holds: V::Mask) -> V {
        let mut arrivals = self.arrivals;
        if slider.is_diagonal {
            arrivals = (arrivals | self.diagonal_arrivals).or_where(holds, self.diagonal_arrivals_of_holders);
        }
        if slider.is_orthogonal {
            arrivals =
                (arrivals | self.orthogonal_arrivals).or_where(holds, self.orthogonal_arrivals_of_holders);
        }
        arrivals
    }

    /// `holds` are the lanes in which the knight attacks a square of `held_once` now.
    #[inline(always)]
    pub fn knight_arrivals(&self, holds: V::Mask) -> V {
        (self.arrivals | self.pin_lines | self.knight_arrivals)
            .or_where(holds, knight_attacks(self.held_once))
    }

    /// `holds` are the lanes in which the king attacks a square of `held_once` now.
    #[inline(always)]
    pub fn king_arrivals(&self, holds: V::Mask) -> V {
        (self.arrivals | self.pin_lines | self.king_arrivals).or_where(holds, king_attacks(self.held_once))
    }

    #[inline(always)]
    pub fn pawn_arrivals(&self) -> V {
        self.arrivals | self.pin_lines | self.pawn_arrivals
    }

    /// Adds the sets that depend on the mover's sliders, for one direction `D`: checks, pins, and attacks on the
    /// squares of the zone.
    #[inline(always)]
    fn add_sliders<const D: usize>(&mut self, analysis: &Analysis<V>, held_lightly: V) {
        let (mover, replier) = (&analysis.boards.mover, &analysis.boards.replier);
        let occupied = analysis.boards.occupied();
        let slides = analysis.mover_slides[D];

        // `first` is the first blocker that the king sees, and `beyond` ends with the second.
        let view = analysis.king_view[D];
        let toward = analysis.mover_slides[D ^ 1];
        let first = view & occupied;
        let beyond = first.slide_on::<D>(analysis.king_rays[D], &analysis.blockers);
        let beyond_replier = beyond.only_where(first.meets(replier.all));
        let is_pin = (first & replier.all).meets(toward);
        self.pin_lines = self.pin_lines.or_where(is_pin, view | beyond);
        self.pinners = self.pinners | (beyond_replier & sliders(mover, D));
        // These departures discover a check.
        let before_king = view & toward;
        // These departures begin a pin. They are behind the pinned piece, or between it and the king.
        let behind_pinned = beyond_replier & toward;
        let would_be_pinned = (beyond & replier.all).meets(toward);
        let before_pinned = view.only_where(would_be_pinned);
        // These departures open the line of a slider to a square of the zone.
        let held_from = attackers_from::<D, V>(held_lightly, &analysis.blockers);
        let before_zone = (self.steps_taken.seen_from[D] | held_from) & slides;
        self.departures =
            self.departures | ((before_king | behind_pinned | before_pinned | before_zone) & mover.all);
        // These arrivals block a slider that holds a square of the zone.
        self.arrivals = self.arrivals | (held_from & slides).without(occupied);

        let (arrivals, arrivals_of_holders) = match D {
            0..4 => (&mut self.orthogonal_arrivals, &mut self.orthogonal_arrivals_of_holders),
            _ => (&mut self.diagonal_arrivals, &mut self.diagonal_arrivals_of_holders),
        };
        *arrivals = *arrivals | view | beyond_replier.only_where(!is_pin);
        *arrivals_of_holders = *arrivals_of_holders | held_from;
    }
}
