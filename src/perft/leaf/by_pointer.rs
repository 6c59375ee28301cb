//! A leaf counter behind a pointer.
//!
//! What is generic over leaf counters, the trunk with all its modes, is compiled once for each of them: a tenth of a
//! megabyte. The paths with a look-up that is not their own share one copy through this type. That costs one indirect call
//! for two or three plies, a few millionths of the instructions.

use super::LeafCounter;
use crate::chess::position::Position;
use crate::chess::types::MoveList;

/// Any counter, at the price of an indirect call for each of its functions.
#[derive(Clone, Copy)]
pub struct ByPointer<'a>(&'a dyn Plies);

impl<'a> ByPointer<'a> {
    /// A counter that counts one leaf parent at a time.
    pub fn new<C: LeafCounter>(scalar: &'a C) -> ByPointer<'a> {
        debug_assert_eq!(C::MIN_TABLE_DEPTH, ByPointer::MIN_TABLE_DEPTH);
        ByPointer(scalar)
    }
}

/// What a counter does, callable without knowing its type.
trait Plies: Send + Sync {
    fn moves(&self, position: &Position) -> MoveList;
    fn one_ply(&self, position: &Position) -> u64;
    fn two_plies(&self, position: &Position) -> u64;
    fn three_plies(&self, position: &Position) -> u64;
    fn one_ply_played(&self, position: &Position) -> u64;
    fn two_plies_played(&self, position: &Position) -> u64;
}

impl<C: LeafCounter> Plies for C {
    fn moves(&self, position: &Position) -> MoveList {
        LeafCounter::moves(*self, position)
    }

    fn one_ply(&self, position: &Position) -> u64 {
        LeafCounter::one_ply(*self, position)
    }

    fn two_plies(&self, position: &Position) -> u64 {
        LeafCounter::two_plies(*self, position)
    }

    fn three_plies(&self, position: &Position) -> u64 {
        LeafCounter::three_plies(*self, position)
    }

    fn one_ply_played(&self, position: &Position) -> u64 {
        LeafCounter::one_ply_played(*self, position)
    }

    fn two_plies_played(&self, position: &Position) -> u64 {
        LeafCounter::two_plies_played(*self, position)
    }
}

impl LeafCounter for ByPointer<'_> {
    const MIN_TABLE_DEPTH: u32 = 2;

    fn moves(self, position: &Position) -> MoveList {
        self.0.moves(position)
    }

    fn one_ply(self, position: &Position) -> u64 {
        self.0.one_ply(position)
    }

    fn two_plies(self, position: &Position) -> u64 {
        self.0.two_plies(position)
    }

    fn three_plies(self, position: &Position) -> u64 {
        self.0.three_plies(position)
    }

    fn one_ply_played(self, position: &Position) -> u64 {
        self.0.one_ply_played(position)
    }

    fn two_plies_played(self, position: &Position) -> u64 {
        self.0.two_plies_played(position)
    }
}
