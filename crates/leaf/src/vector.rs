//! The vector paths: entry points of the batched counter, compiled for AVX2, AVX-512, and vectors of 128 bits.
//!
//! The batched counter needs sibling positions, so it counts three plies. One and two plies, plies on which every move
//! is made, and the kinds of leaf nodes are counted by a scalar path: BMI2 on x86-64, and the portable one elsewhere.
//!
//! The batched counter is compiled for White only. If Black is to move, the board is flipped and the colours are
//! exchanged first.
//!
//! The module for browsers has to be small, so it leaves an entry point out, as the scalar paths do.

use perft_core::internals::sliders::Magic;
use perft_core::{Color, LeafCounter, LeafStatistics, MoveList, Position};

#[cfg(not(target_family = "wasm"))]
use super::batch::MergedNodes;
use super::batch::{self, Width};
#[cfg(x86_paths)]
use super::batch::{EightLanes, FourLanes};
#[cfg(x86_paths)]
use super::paths::Bmi2;
use super::paths::count_children;
#[cfg(two_lane_paths)]
use super::{batch::TwoLanes, paths::Portable};

/// Counts four leaf parents at once with AVX2.
///
/// The few sliders that need a lookup use magic multiplication. It is as fast here as `PEXT` (1.00 of the time on
/// Sapphire Rapids), and it keeps the path fast on CPUs that emulate `PEXT`.
#[cfg(x86_paths)]
#[derive(Clone, Copy, Debug)]
pub struct Avx2 {
    width: FourLanes,
    scalar: Bmi2<Magic>,
}

/// Counts eight leaf parents at once with AVX-512.
#[cfg(x86_paths)]
#[derive(Clone, Copy, Debug)]
pub struct Avx512 {
    width: EightLanes,
    scalar: Bmi2,
}

/// Counts two leaf parents at once with vectors of 128 bits, which all CPUs of this build have.
#[cfg(two_lane_paths)]
#[derive(Clone, Copy, Debug)]
pub struct Paired {
    width: TwoLanes,
    scalar: Portable,
}

#[cfg(two_lane_paths)]
impl Paired {
    /// The path.
    pub const PATH: Paired = Paired { width: TwoLanes, scalar: Portable { sliders: Magic } };
}

#[cfg(x86_paths)]
impl Avx2 {
    /// Returns the path if this CPU has all features that it is compiled for.
    pub fn detect() -> Option<Avx2> {
        Some(Avx2 { width: FourLanes::detect()?, scalar: Bmi2::with(Magic)? })
    }
}

#[cfg(x86_paths)]
impl Avx512 {
    /// Returns the path if this CPU has all features that it is compiled for.
    pub fn detect() -> Option<Avx512> {
        Some(Avx512 { width: EightLanes::detect()?, scalar: Bmi2::detect()? })
    }
}

#[inline(always)]
fn with_white_to_move(position: &Position) -> Position {
    match position.turn() {
        Color::White => *position,
        Color::Black => position.flipped(),
    }
}

/// Defines the entry points of a vector path, compiled for its CPU features, and its leaf counter. The number in the
/// call is the [`LeafCounter::min_table_depth`].
///
/// Each entry point contains a whole counter, in which everything is inlined. LLVM needs more than twice the time for a
/// function of twice the size. So counts with and without promotions have separate entry points.
macro_rules! vector_path {
    ($path:ident, $width:ty, $min_table_depth:literal $(, #[$features:meta])*) => {
        const _: () = {
            $(#[$features])*
            fn three_plies<const PROMOTES: bool>(path: $path, position: &Position) -> u64 {
                batch::three_plies::<_, PROMOTES>(path.width, position, path.scalar.sliders)
            }

            $(#[$features])*
            #[cfg(not(target_family = "wasm"))]
            fn two_plies_each(path: $path, family: &Position, nodes: &[Position], counts: &mut [u64]) {
                batch::two_plies_each(path.width, family, nodes, counts, path.scalar.sliders);
            }

            $(#[$features])*
            #[cfg(not(target_family = "wasm"))]
            fn add_children<'a>(path: $path, merged: &mut MergedNodes<'a>, parent: &'a (Position, u64)) {
                merged.add_children(path.width, parent, path.scalar.sliders);
            }

            $(#[$features])*
            #[cfg(not(target_family = "wasm"))]
            fn replies(path: $path, merged: &mut MergedNodes) -> u64 {
                merged.replies(path.width, path.scalar.sliders)
            }

            impl LeafCounter for $path {
                fn min_table_depth(&self) -> u32 {
                    $min_table_depth
                }

                fn moves(&self, position: &Position) -> MoveList {
                    self.scalar.moves(position)
                }

                fn count(&self, position: &Position, depth: u32) -> u64 {
                    match depth {
                        0..=2 => return self.scalar.count(position, depth),
                        3 => {}
                        _ => return count_children(self, position, depth),
                    }
                    let position = &with_white_to_move(position);
                    // SAFETY: a value of this type exists only if `detect` found all CPU features that the entry point
                    // is compiled for, or if all CPUs of this build have them.
                    #[allow(unused_unsafe)]
                    unsafe {
                        // For a width without plain promotions, the compiler knows that only the second branch is used.
                        if <$width>::PLAIN_PROMOTIONS && !batch::may_promote(position) {
                            three_plies::<false>(*self, position)
                        } else {
                            three_plies::<true>(*self, position)
                        }
                    }
                }

                // Counts in browsers have no table.
                #[cfg(not(target_family = "wasm"))]
                fn two_plies_each(&self, family: &Position, nodes: &[Position], counts: &mut [u64]) {
                    // SAFETY: the same as above.
                    #[allow(unused_unsafe)]
                    unsafe {
                        two_plies_each(*self, family, nodes, counts);
                    }
                }

                #[cfg(not(target_family = "wasm"))]
                #[allow(unused_unsafe)]
                fn three_plies_of_family(&self, parents: &[(Position, u64)]) -> Option<u64> {
                    // SAFETY: the same as above.
                    let add_children = |merged: &mut _, parent| unsafe { add_children(*self, merged, parent) };
                    // SAFETY: the same as above.
                    let replies = |merged: &mut _| unsafe { replies(*self, merged) };
                    Some(batch::three_plies_of_family(parents, self, add_children, replies))
                }

                fn count_played(&self, position: &Position, depth: u32) -> u64 {
                    self.scalar.count_played(position, depth)
                }

                fn statistics(&self, position: &Position, depth: u32) -> LeafStatistics {
                    self.scalar.statistics(position, depth)
                }
            }
        };
    };
}

#[cfg(two_lane_paths)]
vector_path!(Paired, TwoLanes, 2);

#[cfg(x86_paths)]
vector_path!(Avx2, FourLanes, 2, #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);

#[cfg(x86_paths)]
vector_path!(
    Avx512,
    EightLanes,
    3,
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vpopcntdq")],
    #[target_feature(enable = "avx512vbmi,avx512vbmi2,gfni,avx2,bmi1,bmi2,lzcnt,popcnt")]
);
