//! Which moves change more than their two squares: they are made, and their replies counted one by one.
//!
//! A quiet move is exceptions if it may give or uncover a check, make or end a pin, or change which squares around the
//! replying king, or on its way to castle, are attacked. Whether it does is a question of where it leaves and where it
//! arrives, so two sets say it for each kind of man. They may say too much, never too little.

use super::analysis::Analysis;
use super::lanes::{Lanes, Width};
use super::rays::{king_attacks, knight_attacks, sliders};
use super::replies::CastlingQuestion;
use crate::types::Side;

/// Squares that make a move exceptions.
pub struct Exceptions<V> {
    /// If any man leaves one of them.
    pub departures: V,
    /// Sliders that pin a man: that it is free when one of them leaves the line may have a price.
    pub pinners: V,
    /// From the king to such a slider: if any man arrives there but the slider itself, which moves on its line.
    pub pin_lines: V,
    /// Squares that matter to the king and that one man attacks, or one pawn. They become free if it leaves, unless it
    /// attacks them from where it arrives.
    pub held_once: V,
    /// If a slider that attacks one of them leaves: the only one that keeps the king from castling over it.
    pub castling_held: V,
    /// If any man arrives on one of them.
    arrivals: V,
    /// If a rook or queen arrives.
    orthogonal_arrivals: V,
    /// If a bishop or queen arrives.
    diagonal_arrivals: V,
    /// If a rook or queen arrives that has held squares.
    orthogonal_holds: V,
    /// If a bishop or queen arrives that has held squares.
    diagonal_holds: V,
    /// If a knight arrives.
    knight_arrivals: V,
    /// If a pawn arrives.
    pawn_arrivals: V,
    /// If the king arrives.
    king_arrivals: V,
}

impl<V: Lanes> Exceptions<V> {
    /// In which side `R` is to reply.
    #[inline(always)]
    pub fn of<R: Side>(analysis: &Analysis<V>) -> Exceptions<V> {
        let (mover, replier) = (&analysis.boards.mover, &analysis.boards.replier);
        let width = mover.all.width();
        let nothing = width.empty();
        let (mut departures, mut arrivals) = (nothing, nothing);

        let mut zone = king_attacks(replier.king).without(replier.all);
        let mut castling_path = nothing;
        for rook in analysis.parent.castling().rooks(R::COLOR) {
            let asked = CastlingQuestion::of::<R>(&analysis.boards, analysis.parent, rook);
            let open = asked.has_right & replier.all.misses(asked.must_be_empty);
            castling_path = castling_path.or_where(open, asked.must_be_safe);
            arrivals = arrivals.or_where(open, asked.must_be_empty | asked.rook);
            departures = departures.or_where(open, asked.must_be_empty);
        }
        zone = zone | castling_path;
        // What becomes attacked, or stops being so.
        let free = zone.without(analysis.attacked);
        let held_once = (zone & analysis.attacked).without(analysis.attacked_twice);
        // One move may take two attacks off a square: its man's by leaving, and a slider's by arriving in its way.
        let held_lightly = (zone & analysis.attacked).without(analysis.attacked_thrice);

        let [west, east] = R::CAPTURES;
        let castling_held = held_once & castling_path;
        let held_once = held_once.without(castling_path);
        departures = departures
            | (knight_attacks(castling_held) & mover.knights)
            | ((castling_held.step(west) | castling_held.step(east)) & mover.pawns)
            | (king_attacks(castling_held) & mover.king);

        let reached = free | replier.king;
        // A man beside the king that is captured leaves it a capture. Elsewhere captures may have a price.
        let captures = if analysis.captures_are_plain { king_attacks(replier.king) } else { !nothing };
        arrivals = arrivals | (captures & replier.all);

        // The moves of a pawn about to promote count four times; they are not countable on its own square.
        arrivals = arrivals | (replier.pawns & width.splat(R::SEVENTH_RANK));

        let mut exceptions = Exceptions {
            departures,
            pinners: nothing,
            pin_lines: nothing,
            held_once,
            castling_held,
            arrivals,
            orthogonal_arrivals: nothing,
            diagonal_arrivals: nothing,
            orthogonal_holds: nothing,
            diagonal_holds: nothing,
            knight_arrivals: knight_attacks(reached),
            pawn_arrivals: reached.step(west) | reached.step(east),
            king_arrivals: king_attacks(free),
        };
        if analysis.mover_kinds.orthogonals {
            exceptions.look_along::<0>(analysis, free, held_lightly);
            exceptions.look_along::<1>(analysis, free, held_lightly);
            exceptions.look_along::<2>(analysis, free, held_lightly);
            exceptions.look_along::<3>(analysis, free, held_lightly);
        }
        if analysis.mover_kinds.diagonals {
            exceptions.look_along::<4>(analysis, free, held_lightly);
            exceptions.look_along::<5>(analysis, free, held_lightly);
            exceptions.look_along::<6>(analysis, free, held_lightly);
            exceptions.look_along::<7>(analysis, free, held_lightly);
        }
        exceptions
    }

    /// Squares that make a move exceptions if a slider that moves in these ways arrives, however it has come, but for the
    /// lines of pins; `holds` in the lanes in which it has held squares.
    #[inline(always)]
    pub fn slider_arrivals(&self, diagonally: bool, orthogonal: bool, holds: V::Mask) -> V {
        let mut arrivals = self.arrivals;
        if diagonally {
            arrivals = (arrivals | self.diagonal_arrivals).or_where(holds, self.diagonal_holds);
        }
        if orthogonal {
            arrivals = (arrivals | self.orthogonal_arrivals).or_where(holds, self.orthogonal_holds);
        }
        arrivals
    }

    /// The same for a knight.
    #[inline(always)]
    pub fn knight_arrivals(&self, holds: V::Mask) -> V {
        (self.arrivals | self.pin_lines | self.knight_arrivals)
            .or_where(holds, knight_attacks(self.held_once))
    }

    /// The same for the king.
    #[inline(always)]
    pub fn king_arrivals(&self, holds: V::Mask) -> V {
        (self.arrivals | self.pin_lines | self.king_arrivals).or_where(holds, king_attacks(self.held_once))
    }

    /// The same for pawns.
    #[inline(always)]
    pub fn pawn_arrivals(&self) -> V {
        self.arrivals | self.pin_lines | self.pawn_arrivals
    }

    /// What sliders of the mover make exceptions that look along a line: at the king, at squares that are free for it, and
    /// at squares that few of the mover's men hold.
    #[inline(always)]
    fn look_along<const D: usize>(&mut self, analysis: &Analysis<V>, free: V, held_lightly: V) {
        let (mover, replier) = (&analysis.boards.mover, &analysis.boards.replier);
        let occupied = analysis.boards.occupied();
        let slides = analysis.mover_slides[D];

        let view = analysis.king_views[D];
        let towards_king = analysis.mover_slides[D ^ 1];
        let first = view & occupied;
        let beyond = first.slide::<D>(&analysis.blockers);
        let behind_own = beyond.only_where(first.meets(replier.all));
        // The line of a pin, from the king to the slider.
        let is_pin = (first & replier.all).meets(towards_king);
        self.pin_lines = self.pin_lines.or_where(is_pin, view | beyond);
        self.pinners = self.pinners | (behind_own & sliders(mover, D));
        // What stands between a slider and the king, or between a slider and the man before the king.
        let shields = view & towards_king;
        let second = behind_own & towards_king;
        // What stands before a man that would be pinned without it.
        let would_be_pinned = (beyond & replier.all).meets(towards_king);
        let before = view.only_where(would_be_pinned);
        // What stands between a slider and a square that is free, or would be when it left.
        let free_from = look_back::<D, V>(free, &analysis.blockers);
        let held_from = look_back::<D, V>(held_lightly, &analysis.blockers);
        let screens = (free_from | held_from) & slides;
        self.departures = self.departures | ((shields | second | before | screens) & mover.all);
        // What a slider holds by looking through this square.
        self.arrivals = self.arrivals | (held_from & slides).without(occupied);

        let (arrivals, holds) = match D {
            0..4 => (&mut self.orthogonal_arrivals, &mut self.orthogonal_holds),
            _ => (&mut self.diagonal_arrivals, &mut self.diagonal_holds),
        };
        *arrivals = *arrivals | view | behind_own.only_where(!is_pin) | free_from;
        *holds = *holds | held_from;
    }
}

/// The squares from which a slider that moves in this direction attacks one of these.
#[inline(always)]
fn look_back<const D: usize, V: Lanes>(squares: V, blockers: &V::Blockers) -> V {
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
