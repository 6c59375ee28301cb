//! A move in three bytes, and what takes the moves that are found: a list, or a number.

use arrayvec::ArrayVec;

use super::outlook::Outlook;
use super::squares::{Square88, Step, StepSet, step_towards};
use crate::generators::flag::Flag;
use perft_core::MAX_MOVES;

/// From, to and what is special, a byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move88(u32);

impl Move88 {
    #[inline(always)]
    pub(super) const fn new(flag: Flag, from: Square88, to: Square88) -> Move88 {
        Move88(from.byte() as u32 | (to.byte() as u32) << 8 | (flag as u32) << 16)
    }

    #[inline(always)]
    pub(super) const fn from(self) -> Square88 {
        Square88::from_byte(self.0 as u8)
    }

    #[inline(always)]
    pub(super) const fn to(self) -> Square88 {
        Square88::from_byte((self.0 >> 8) as u8)
    }

    #[inline(always)]
    pub(super) const fn flag(self) -> Flag {
        Flag::from_low_bits(self.0 >> 16)
    }
}

/// What takes the pseudo-legal moves.
pub(super) trait Sink {
    fn add_if(&mut self, condition: bool, played: Move88);

    /// Some steps of a king, or leaps of a knight.
    #[inline(always)]
    fn add_steps(&mut self, from: Square88, steps: &[Step; 8], open: StepSet) {
        for number in open {
            self.add_if(true, Move88::new(Flag::Plain, from, from.step(steps[number % 8])));
        }
    }
}

pub(super) type Moves = ArrayVec<Move88, MAX_MOVES>;

impl<const ROOM: usize> Sink for ArrayVec<Move88, ROOM> {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, played: Move88) {
        if condition {
            self.push(played);
        }
    }
}

/// Their number.
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

/// The number of those that the aims at the king allow.
pub(super) struct CountAllowed<'a> {
    pub count: u64,
    pub outlook: &'a Outlook,
}

impl Sink for CountAllowed<'_> {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, played: Move88) {
        if condition {
            self.count += u64::from(self.outlook.allow(played));
        }
    }
}

/// The number of those that leave the line through the king on which they begin.
pub(super) struct CountUncovering {
    pub count: u64,
    pub king: Square88,
    /// From the king to the man that shields him.
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
