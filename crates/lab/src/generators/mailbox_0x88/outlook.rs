//! What is seen from the king before the moves, and which moves it makes illegal.

use arrayvec::ArrayVec;

use super::Mailbox0x88Board;
use super::moves::Move88;
use super::squares::{KING_STEPS, Man, Square88, Step, StepSet, Zone, attacks, step_towards, zone_attacks};
use crate::generators::flag::Flag;
use perft_core::Piece;
use perft_core::internals::Side;

const SLIDERS: [Piece; 3] = [Piece::Bishop, Piece::Rook, Piece::Queen];

/// What is seen from the king, and decides which moves are legal.
pub(super) struct Outlook {
    pub king: Square88,
    /// His steps to safe squares.
    pub steps: StepSet,
    /// The rights with which he can castle now.
    pub castlings: u8,
    pub checkers: u32,
    /// One that gives check, if one does.
    pub checker: Square88,
    /// The king's men that alone stand between him and a slider.
    pub shields: ArrayVec<Square88, 8>,
}

impl Outlook {
    /// True if a move does not leave the king in check. It is no move of the king, and not en passant.
    #[inline(always)]
    pub(super) fn allow(&self, played: Move88) -> bool {
        (self.checkers == 0 || self.meets_check(played.to()))
            && (!self.is_shield(played.from()) || self.stays_on_line(played))
    }

    #[inline(always)]
    fn is_shield(&self, square: Square88) -> bool {
        for &shield in &self.shields {
            if shield == square {
                return true;
            }
        }
        false
    }

    /// True if a move from a line through the king ends on it, on the same side of him.
    #[inline(always)]
    fn stays_on_line(&self, played: Move88) -> bool {
        step_towards(self.king, played.from()) == step_towards(self.king, played.to())
    }

    /// True if the only checker is taken on this square, or shut out.
    #[inline(always)]
    fn meets_check(&self, to: Square88) -> bool {
        let step = step_towards(self.king, self.checker);
        let is_between =
            step != 0 && step_towards(self.king, to) == step && step_towards(to, self.checker) == step;
        self.checkers == 1 && (to == self.checker || is_between)
    }
}

impl Mailbox0x88Board {
    /// Looks at the king of side `S`, at what aims at him, and at where he might go.
    #[inline(always)]
    pub(super) fn outlook<S: Side>(&mut self) -> Outlook {
        let king = self.king::<S>();
        let mut attacked = self.leaper_attacks::<S::Other>(king);
        let own = self.own_men_on::<S>(king, &KING_STEPS);
        let steps = StepSet::of_king(king).without(own);
        let mut outlook =
            Outlook { king, steps, castlings: 0, checkers: 0, checker: king, shields: ArrayVec::new() };
        if !attacked.and(Zone::KING).is_empty() {
            self.leapers_that_check::<S>(&mut outlook);
        }
        let mut asked = Zone::of_steps(steps);
        if self.has_rights::<S>() {
            outlook.castlings = self.free_castlings::<S>();
            asked = asked.or(self.castling_zone::<S>(outlook.castlings));
        }
        // The king does not hide what is behind him.
        self.men[king.index_with_margin()] = Man::NONE;
        for piece in SLIDERS {
            for from in self.list::<S::Other>(piece) {
                let reached = zone_attacks(Man::new(S::Other::COLOR, piece), from, king);
                if !reached.and(Zone::KING).is_empty() {
                    self.note_slider::<S>(from, &mut outlook);
                }
                let mut open = reached.and(asked).without(attacked);
                while !open.is_empty() {
                    let (step, square, others) = open.split_first();
                    if self.reaches(from, king.step(step)) {
                        attacked = attacked.or(square);
                    }
                    open = others;
                }
            }
        }
        self.men[king.index_with_margin()] = Man::new(S::COLOR, Piece::King);
        outlook.steps = steps.without(attacked.steps());
        if outlook.castlings != 0 {
            outlook.castlings = self.safe_castlings::<S>(&outlook, attacked);
        }
        outlook
    }

    /// The squares of a king's zone that pawns, knights and the king of side `S` attack.
    #[inline(always)]
    fn leaper_attacks<S: Side>(&self, king: Square88) -> Zone {
        let mut attacked = Zone::EMPTY;
        for piece in [Piece::Pawn, Piece::Knight, Piece::King] {
            for from in self.list::<S>(piece) {
                attacked = attacked.or(zone_attacks(Man::new(S::COLOR, piece), from, king));
            }
        }
        attacked
    }

    #[inline(always)]
    fn leapers_that_check<S: Side>(&self, outlook: &mut Outlook) {
        for piece in [Piece::Pawn, Piece::Knight] {
            for from in self.list::<S::Other>(piece) {
                if attacks(Man::new(S::Other::COLOR, piece), from, outlook.king) {
                    outlook.checkers += 1;
                    outlook.checker = from;
                }
            }
        }
    }

    /// Notes what a slider on a line with the king does: gives check, aims at a man that alone is between, or nothing.
    #[inline(always)]
    fn note_slider<S: Side>(&self, from: Square88, outlook: &mut Outlook) {
        let step = step_towards(outlook.king, from);
        let first = self.first_man(outlook.king, step);
        if first == from {
            outlook.checkers += 1;
            outlook.checker = from;
        } else if self.man(first).is_of(S::COLOR) && self.first_man(first, step) == from {
            outlook.shields.push(first);
        }
    }

    /// The first square on the way from here that is not empty. Something must stand there.
    #[inline(always)]
    fn first_man(&self, from: Square88, step: Step) -> Square88 {
        let mut here = from.step(step);
        while !here.is_off_board() && self.man(here).is_none() {
            here = here.step(step);
        }
        here
    }

    /// True if the king of side `S` is safe after one of its pseudo-legal moves. The board is as it was before.
    #[inline(always)]
    pub(super) fn is_legal<S: Side>(&mut self, outlook: &Outlook, played: Move88) -> bool {
        if played.flag() == Flag::EnPassant {
            self.en_passant_is_legal::<S>(played)
        } else {
            // What the king does has been tested.
            played.from() == outlook.king || outlook.allow(played)
        }
    }

    /// En passant, which empties two squares, is played and looked at.
    #[inline(always)]
    pub(super) fn en_passant_is_legal<S: Side>(&mut self, played: Move88) -> bool {
        let undo = self.make::<S>(played);
        let is_legal = !self.is_attacked::<S::Other>(self.king::<S>());
        self.unmake::<S>(played, undo);
        is_legal
    }

    /// True if side `S` attacks a square.
    #[inline(always)]
    pub(super) fn is_attacked<S: Side>(&self, to: Square88) -> bool {
        for piece in [Piece::Pawn, Piece::Knight, Piece::King] {
            for from in self.list::<S>(piece) {
                if attacks(Man::new(S::COLOR, piece), from, to) {
                    return true;
                }
            }
        }
        for piece in SLIDERS {
            for from in self.list::<S>(piece) {
                if attacks(Man::new(S::COLOR, piece), from, to) && self.reaches(from, to) {
                    return true;
                }
            }
        }
        false
    }

    /// True if nothing stands between two squares of a line.
    #[inline(always)]
    fn reaches(&self, from: Square88, to: Square88) -> bool {
        let step = step_towards(from, to);
        let mut here = from.step(step);
        while here != to {
            if !self.man(here).is_none() {
                return false;
            }
            here = here.step(step);
        }
        true
    }
}
