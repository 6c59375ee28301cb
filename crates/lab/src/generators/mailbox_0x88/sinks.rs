//! The receivers of pseudo-legal moves: a list and several counters.

use arrayvec::ArrayVec;
use perft_core::MAX_MOVES;

use super::moves::Move88;
use super::restrictions::Restrictions;
use super::squares::{Square88, Step, StepSet, step_towards};
use crate::generators::flag::Flag;

/// Receives pseudo-legal moves.
pub(super) trait Sink {
    /// Adds a move if the condition holds.
    fn add_if(&mut self, condition: bool, played: Move88);

    /// Adds the steps of a king or a knight whose numbers are in `open`.
    #[inline(always)]
    fn add_steps(&mut self, from: Square88, steps: &[Step; 8], open: StepSet) {
        for number in open {
            self.add_if(true, Move88::new(Flag::Plain, from, from.step(steps[number % 8])));
        }
    }
}

/// A list of moves on the stack.
pub(super) type MoveList88 = ArrayVec<Move88, MAX_MOVES>;

impl<const ROOM: usize> Sink for ArrayVec<Move88, ROOM> {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, played: Move88) {
        if condition {
            self.push(played);
        }
    }
}

/// Counts the moves.
pub(super) struct Count(pub u64);

impl Sink for Count {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, _: Move88) {
        self.0 += u64::from(condition);
    }

    #[inline(always)]
    fn add_steps(&mut self, _: Square88, _: &[Step; 8], open: StepSet) {
        self.0 += u64::from(open.count());
    }
}

/// Counts the legal moves.
pub(super) struct CountLegal<'a> {
    pub count: u64,
    pub restrictions: &'a Restrictions,
}

impl Sink for CountLegal<'_> {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, played: Move88) {
        if condition {
            self.count += u64::from(self.restrictions.allows(played));
        }
    }
}

/// Counts the moves of a pinned piece that leave its pin line.
pub(super) struct CountUncovering {
    pub count: u64,
    pub king: Square88,
    /// The step from the king towards the pinned piece.
    pub step: Step,
}

impl Sink for CountUncovering {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, played: Move88) {
        if condition {
            self.count += u64::from(step_towards(self.king, played.to()) != self.step);
        }
    }
}
