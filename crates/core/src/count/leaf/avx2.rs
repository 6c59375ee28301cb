//! The AVX2 path: the door of the batched counter, compiled for the features of the path.

use super::batch::{self, FourLanes};
use super::{Bmi2, LeafCounter};
use crate::attacks::sliders::Magic;
use crate::position::Position;
use crate::types::{Black, Color, MoveList, Side, White};

/// Four leaf parents at a time with AVX2, one at a time where there are no siblings. Sliders that are looked up, which are
/// few, are looked up by multiplication: it costs no more here than bit extraction (1.00 of the time on Sapphire Rapids),
/// and the path is fast on CPUs that emulate that.
#[derive(Clone, Copy, Debug)]
pub struct Avx2 {
    width: FourLanes,
    scalar: Bmi2<Magic>,
}

impl Avx2 {
    /// The path, if this CPU has all the features it is compiled for.
    pub fn detect() -> Option<Avx2> {
        Some(Avx2 { width: FourLanes::detect()?, scalar: Bmi2::with(Magic)? })
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn three_plies<S: Side>(path: Avx2, position: &Position) -> u64 {
    batch::three_plies::<S, _>(path.width, position, Magic)
}

impl LeafCounter for Avx2 {
    fn min_table_depth(&self) -> u32 {
        3
    }

    fn moves(&self, position: &Position) -> MoveList {
        self.scalar.moves(position)
    }

    fn one_ply(&self, position: &Position) -> u64 {
        self.scalar.one_ply(position)
    }

    fn two_plies(&self, position: &Position) -> u64 {
        self.scalar.two_plies(position)
    }

    fn three_plies(&self, position: &Position) -> u64 {
        // SAFETY: the path exists, so the CPU has the features that its doors are compiled for.
        unsafe {
            match position.turn() {
                Color::White => three_plies::<White>(*self, position),
                Color::Black => three_plies::<Black>(*self, position),
            }
        }
    }

    fn one_ply_played(&self, position: &Position) -> u64 {
        self.scalar.one_ply_played(position)
    }

    fn two_plies_played(&self, position: &Position) -> u64 {
        self.scalar.two_plies_played(position)
    }
}
