//! The AVX-512 path: the door of the batched counter, compiled for the features of the path.

use super::batch::{self, EightLanes};
use super::{Bmi2, LeafCounter};
use crate::position::Position;
use crate::types::{Black, Color, MoveList, Side, White};

/// Eight leaf parents at a time with AVX-512, one at a time as [`Bmi2`] where there are no siblings.
#[derive(Clone, Copy, Debug)]
pub struct Avx512 {
    width: EightLanes,
    bmi2: Bmi2,
}

impl Avx512 {
    /// The path, if this CPU has all the features it is compiled for.
    pub fn detect() -> Option<Avx512> {
        Some(Avx512 { width: EightLanes::detect()?, bmi2: Bmi2::detect()? })
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vpopcntdq")]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn three_plies<S: Side>(path: Avx512, position: &Position) -> u64 {
    batch::three_plies::<S, _>(path.width, position, path.bmi2.sliders())
}

impl LeafCounter for Avx512 {
    fn min_table_depth(&self) -> u32 {
        3
    }

    fn moves(&self, position: &Position) -> MoveList {
        self.bmi2.moves(position)
    }

    fn one_ply(&self, position: &Position) -> u64 {
        self.bmi2.one_ply(position)
    }

    fn two_plies(&self, position: &Position) -> u64 {
        self.bmi2.two_plies(position)
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
        self.bmi2.one_ply_played(position)
    }

    fn two_plies_played(&self, position: &Position) -> u64 {
        self.bmi2.two_plies_played(position)
    }
}
