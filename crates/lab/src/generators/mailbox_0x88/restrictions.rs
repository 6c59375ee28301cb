//! The pass before the moves, which finds checks, pins and attacked squares, and the test of legality.

use arrayvec::ArrayVec;
use perft_core::Piece;
use perft_core::internals::Side;

use super::Mailbox0x88Board;
use super::moves::Move88;
use super::squares::{
    KING_STEPS, PieceCode, Square88, Step, StepSet, Zone, attacks, step_towards, zone_attacks,
};
use crate::generators::flag::Flag;

const SLIDERS: [Piece; 3] = [Piece::Bishop, Piece::Rook, Piece::Queen];

/// The restrictions on the moves of the side to move.
pub(super) struct Restrictions {
    pub king: Square88,
    /// The steps of the king to squares that are not attacked.
    pub steps: StepSet,
    /// The castling rights that can be used now, one bit each.
    pub castlings: u8,
    /// The number of checkers.
    pub checkers: u32,
    /// The square of the last checker that was found. It has no meaning without a check.
    pub checker: Square88,
    /// The squares of pinned pieces.
    pub pinned: ArrayVec<Square88, 8>,
}

impl Restrictions {
    /// Whether a move leaves the king safe. It must not be a move of the king or en passant.
    #[inline(always)]
    pub(super) fn allows(&self, played: Move88) -> bool {
        (self.checkers == 0 || self.resolves_check(played.to()))
            && (!self.is_pinned(played.from()) || self.stays_on_line(played))
    }

    #[inline(always)]
    fn is_pinned(&self, square: Square88) -> bool {
        for &pinned in &self.pinned {
            if pinned == square {
                return true;
            }
        }
        false
    }

    /// Whether a move of a pinned piece stays on the pin line.
    #[inline(always)]
    fn stays_on_line(&self, played: Move88) -> bool {
        step_towards(self.king, played.from()) == step_towards(self.king, played.to())
    }

    /// Whether a move to this square captures the only checker or blocks its line.
    #[inline(always)]
    fn resolves_check(&self, to: Square88) -> bool {
        let step = step_towards(self.king, self.checker);
        let is_between =
            step != 0 && step_towards(self.king, to) == step && step_towards(to, self.checker) == step;
        self.checkers == 1 && (to == self.checker || is_between)
    }
}

impl Mailbox0x88Board {
    /// Finds the restrictions on the moves of side `S`, the side to move.
    #[inline(always)]
    pub(super) fn restrictions<S: Side>(&mut self) -> Restrictions {
        let king = self.king::<S>();
        let mut attacked = self.leaper_attacks::<S::Other>(king);
        let own = self.steps_to_own_pieces::<S>(king, &KING_STEPS);
        let steps = StepSet::of_king(king).without(own);
        let mut found =
            Restrictions { king, steps, castlings: 0, checkers: 0, checker: king, pinned: ArrayVec::new() };
        if !attacked.and(Zone::KING).is_empty() {
            self.add_checking_leapers::<S>(&mut found);
        }
        let mut relevant = Zone::of_steps(steps);
        if self.has_rights::<S>() {
            found.castlings = self.free_castlings::<S>();
            relevant = relevant.or(self.castling_zone::<S>(found.castlings));
        }
        // Without the king, sliders also attack the squares behind it.
        self.squares[king.index_with_margin()] = PieceCode::NONE;
        for piece in SLIDERS {
            for from in self.list::<S::Other>(piece) {
                let reached = zone_attacks(PieceCode::new(S::Other::COLOR, piece), from, king);
                if !reached.and(Zone::KING).is_empty() {
                    self.add_slider::<S>(from, &mut found);
                }
                let mut untested = reached.and(relevant).without(attacked);
                while !untested.is_empty() {
                    let (step, square, others) = untested.split_first();
                    if self.is_clear_between(from, king.step(step)) {
                        attacked = attacked.or(square);
                    }
                    untested = others;
                }
            }
        }
        self.squares[king.index_with_margin()] = PieceCode::new(S::COLOR, Piece::King);
        found.steps = steps.without(attacked.steps());
        if found.castlings != 0 {
            found.castlings = self.safe_castlings::<S>(&found, attacked);
        }
        found
    }

    /// Returns the squares of a king's zone that the pawns, knights and king of side `S` attack.
    #[inline(always)]
    fn leaper_attacks<S: Side>(&self, king: Square88) -> Zone {
        let mut attacked = Zone::EMPTY;
        for piece in [Piece::Pawn, Piece::Knight, Piece::King] {
            for from in self.list::<S>(piece) {
                attacked = attacked.or(zone_attacks(PieceCode::new(S::COLOR, piece), from, king));
            }
        }
        attacked
    }

    /// Adds the pawns and knights that give check to side `S`.
    #[inline(always)]
    fn add_checking_leapers<S: Side>(&self, found: &mut Restrictions) {
        for piece in [Piece::Pawn, Piece::Knight] {
            for from in self.list::<S::Other>(piece) {
                if attacks(PieceCode::new(S::Other::COLOR, piece), from, found.king) {
                    found.checkers += 1;
                    found.checker = from;
                }
            }
        }
    }

    /// Adds the check or the pin of an enemy slider on a line with the king, if it gives check or pins.
    #[inline(always)]
    fn add_slider<S: Side>(&self, from: Square88, found: &mut Restrictions) {
        let step = step_towards(found.king, from);
        let first = self.first_piece(found.king, step);
        if first == from {
            found.checkers += 1;
            found.checker = from;
        } else if self.piece_on(first).is_of(S::COLOR) && self.first_piece(first, step) == from {
            found.pinned.push(first);
        }
    }

    /// Returns the square of the first piece in one direction. The caller must know that there is one.
    #[inline(always)]
    fn first_piece(&self, from: Square88, step: Step) -> Square88 {
        let mut here = from.step(step);
        while !here.is_off_board() && self.piece_on(here).is_none() {
            here = here.step(step);
        }
        here
    }

    /// Whether a pseudo-legal move leaves the king of side `S` safe. Leaves the board unchanged.
    #[inline(always)]
    pub(super) fn is_legal<S: Side>(&mut self, found: &Restrictions, played: Move88) -> bool {
        if played.flag() == Flag::EnPassant {
            self.en_passant_is_legal::<S>(played)
        } else {
            // Moves of the king were already tested.
            played.from() == found.king || found.allows(played)
        }
    }

    /// Whether an en passant capture leaves the king safe. The capture is made for this test, because it empties two
    /// squares.
    #[inline(never)]
    pub(super) fn en_passant_is_legal<S: Side>(&mut self, played: Move88) -> bool {
        let undo = self.make::<S>(played);
        let is_legal = !self.is_attacked::<S::Other>(self.king::<S>());
        self.unmake::<S>(played, undo);
        is_legal
    }

    /// Whether side `S` attacks a square.
    #[inline(always)]
    pub(super) fn is_attacked<S: Side>(&self, to: Square88) -> bool {
        for piece in [Piece::Pawn, Piece::Knight, Piece::King] {
            for from in self.list::<S>(piece) {
                if attacks(PieceCode::new(S::COLOR, piece), from, to) {
                    return true;
                }
            }
        }
        for piece in SLIDERS {
            for from in self.list::<S>(piece) {
                if attacks(PieceCode::new(S::COLOR, piece), from, to) && self.is_clear_between(from, to) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether all squares between two squares of a line are empty.
    #[inline(always)]
    fn is_clear_between(&self, from: Square88, to: Square88) -> bool {
        let step = step_towards(from, to);
        let mut here = from.step(step);
        while here != to {
            if !self.piece_on(here).is_none() {
                return false;
            }
            here = here.step(step);
        }
        true
    }
}
