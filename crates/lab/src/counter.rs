//! The leaf counter with any slider lookup. The one on the boards of any generator is in `generators/board.rs`.
//!
//! Each is one recursion that is compiled twice: once for every CPU, and once for CPUs with BMI2 and the features that
//! came with it. The code of a generator or lookup is inlined into both. The two entry points are `#[inline(never)]`,
//! because otherwise the compiler would copy all of the code into each of their callers.

use perft_core::internals::sliders::Sliders;
use perft_core::internals::{
    Bmi2Features, LeafCounter, Side, count_moves, play_moves, sum_over_children, with_side,
};
use perft_core::{MoveList, Position};

/// Whether the moves of the last ply are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LastPly {
    /// They are only counted.
    Counted,
    /// They are made.
    Played,
}

/// Counts below a position with one lookup. The moves near the root are few, so `perft-core` lists them with its
/// default lookup.
pub struct LookupCounter<L> {
    /// The lookup.
    pub sliders: L,
    /// The proof of the CPU features, if they are used.
    pub features: Option<Bmi2Features>,
}

impl<L: Sliders> LeafCounter for LookupCounter<L> {
    fn moves(&self, position: &Position) -> MoveList {
        position.legal_moves()
    }

    fn count(&self, position: &Position, depth: u32) -> u64 {
        self.count_to(position, depth, LastPly::Counted)
    }

    fn count_played(&self, position: &Position, depth: u32) -> u64 {
        self.count_to(position, depth, LastPly::Played)
    }
}

impl<L: Sliders> LookupCounter<L> {
    fn count_to(&self, position: &Position, depth: u32, last_ply: LastPly) -> u64 {
        match self.features {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the value `Bmi2Features` exists only if the CPU has the features that this entry point needs.
            Some(_) => unsafe {
                with_side!(position.turn(), S => {
                    count_positions_with_bmi2::<S, L>(self.sliders, position, depth, last_ply)
                })
            },
            // This avoids compiling code that never runs.
            None if L::NEEDS_BMI2 => unreachable!("`SliderMethod::counter` asks for the features"),
            _ => with_side!(position.turn(), S => {
                count_positions::<S, L>(self.sliders, position, depth, last_ply)
            }),
        }
    }
}

#[inline(never)]
fn count_positions<S: Side, L: Sliders>(
    sliders: L,
    position: &Position,
    depth: u32,
    last_ply: LastPly,
) -> u64 {
    count_positions_by::<S, L>(sliders, position, depth, last_ply, |child, depth| {
        count_positions::<S::Other, L>(sliders, child, depth, last_ply)
    })
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count_positions_with_bmi2<S: Side, L: Sliders>(
    sliders: L,
    position: &Position,
    depth: u32,
    last_ply: LastPly,
) -> u64 {
    count_positions_by::<S, L>(sliders, position, depth, last_ply, |child, depth| {
        count_positions_with_bmi2::<S::Other, L>(sliders, child, depth, last_ply)
    })
}

/// Counts the leaf nodes below a position. `below` counts below each child, so each entry point calls itself.
#[inline(always)]
fn count_positions_by<S: Side, L: Sliders>(
    sliders: L,
    position: &Position,
    depth: u32,
    last_ply: LastPly,
    below: impl Fn(&Position, u32) -> u64,
) -> u64 {
    match (depth, last_ply) {
        (0, _) => 1,
        (1, LastPly::Counted) => count_moves::<S>(position, sliders),
        (1, LastPly::Played) => play_moves::<S>(position, sliders),
        _ => sum_over_children::<S>(position, sliders, |child| below(child, depth - 1)),
    }
}
