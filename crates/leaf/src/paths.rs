//! The scalar paths: entry points of the scalar counter, compiled for each CPU path and slider lookup.
//!
//! A path is a value. A path that needs CPU features can only be created on a CPU that has them, so the value proves
//! that its entry points may be called. All code below an entry point is inlined, so it is compiled for the features of
//! the entry point.
//!
//! The module for browsers has to be small, so it leaves some entry points out. Slower code takes their place.

#[cfg(not(target_family = "wasm"))]
use perft_core::internals::play_moves;
use perft_core::internals::sliders::{Magic, Sliders};
use perft_core::internals::{
    Side, add_leaf_statistics, count_moves, for_each_child, legal_moves_by, sum_over_children, with_side,
};
#[cfg(x86_paths)]
use perft_core::{Bmi2Features, internals::sliders::Pext};
use perft_core::{LeafCounter, LeafStatistics, MoveList, Position};

/// The scalar path that works on every CPU, with the slider lookup `L`.
///
/// `L` should not need BMI2. Without that feature, its instruction cannot be inlined, and each lookup is a function
/// call.
#[derive(Clone, Copy, Debug)]
pub struct Portable<L = Magic> {
    pub(super) sliders: L,
}

/// The scalar path for x86-64 CPUs with BMI2 and the other bit instructions (2013 and later), with the slider lookup
/// `L`.
///
/// Magic multiplication is the better lookup for CPUs that emulate `PEXT`.
#[cfg(x86_paths)]
#[derive(Clone, Copy, Debug)]
pub struct Bmi2<L = Pext> {
    pub(super) sliders: L,
    _features: Bmi2Features,
}

#[cfg(x86_paths)]
impl Bmi2 {
    /// Returns the path with its default lookup if this CPU has all features that it is compiled for.
    pub fn detect() -> Option<Bmi2> {
        Bmi2::with(Pext::detect()?)
    }
}

#[cfg(x86_paths)]
impl<L: Sliders> Bmi2<L> {
    /// Returns the path with this lookup if this CPU has all features that it is compiled for.
    pub fn with(sliders: L) -> Option<Bmi2<L>> {
        Some(Bmi2 { sliders, _features: Bmi2Features::detect()? })
    }
}

/// Defines the entry points of a scalar path, compiled for its CPU features, and its leaf counter. There is one entry
/// point for each number of plies, side to move and slider lookup.
macro_rules! entry_points {
    ($path:ident $(, #[$features:meta])?) => {
        const _: () = {
            $(#[$features])?
            fn moves<L: Sliders>(sliders: L, position: &Position) -> MoveList {
                legal_moves_by(position, sliders)
            }

            $(#[$features])?
            fn one_ply<S: Side, L: Sliders>(sliders: L, position: &Position) -> u64 {
                count_moves::<S>(position, sliders)
            }

            $(#[$features])?
            fn two_plies<S: Side, L: Sliders>(sliders: L, position: &Position) -> u64 {
                sum_over_children::<S>(position, sliders, |child| one_ply::<S::Other, L>(sliders, child))
            }

            $(#[$features])?
            #[cfg(not(target_family = "wasm"))]
            fn three_plies<S: Side, L: Sliders>(sliders: L, position: &Position) -> u64 {
                sum_over_children::<S>(position, sliders, |child| two_plies::<S::Other, L>(sliders, child))
            }

            $(#[$features])?
            #[cfg(not(target_family = "wasm"))]
            fn one_ply_played<S: Side, L: Sliders>(sliders: L, position: &Position) -> u64 {
                play_moves::<S>(position, sliders)
            }

            $(#[$features])?
            #[cfg(not(target_family = "wasm"))]
            fn two_plies_played<S: Side, L: Sliders>(sliders: L, position: &Position) -> u64 {
                sum_over_children::<S>(position, sliders, |child| one_ply_played::<S::Other, L>(sliders, child))
            }

            // Inlined into each entry point for statistics, this code made the module for browsers 9 kB larger. The
            // calls change the number of instructions by less than a thousandth.
            #[inline(never)]
            $(#[$features])?
            fn add_one_ply<S: Side, L: Sliders>(sliders: L, position: &Position, statistics: &mut LeafStatistics) {
                add_leaf_statistics::<S>(position, sliders, statistics);
            }

            $(#[$features])?
            fn one_ply_statistics<S: Side, L: Sliders>(sliders: L, position: &Position) -> LeafStatistics {
                let mut statistics = LeafStatistics::default();
                add_one_ply::<S, L>(sliders, position, &mut statistics);
                statistics
            }

            $(#[$features])?
            fn two_plies_statistics<S: Side, L: Sliders>(sliders: L, position: &Position) -> LeafStatistics {
                let mut statistics = LeafStatistics::default();
                for_each_child::<S>(position, sliders, |child| {
                    add_one_ply::<S::Other, L>(sliders, child, &mut statistics);
                });
                statistics
            }

            /// Calls the entry point for the side to move.
            macro_rules! enter {
                ($this:expr, $position:expr, $entry_point:ident) => {{
                    // SAFETY: a value of this type exists only on a CPU that has the features that the entry points are
                    // compiled for.
                    #[allow(unused_unsafe)]
                    unsafe {
                        with_side!($position.turn(), S => $entry_point::<S, L>($this.sliders, $position))
                    }
                }};
            }

            impl<L: Sliders> LeafCounter for $path<L> {
                fn moves(&self, position: &Position) -> MoveList {
                    // SAFETY: as above.
                    #[allow(unused_unsafe)]
                    unsafe {
                        moves(self.sliders, position)
                    }
                }

                fn count(&self, position: &Position, depth: u32) -> u64 {
                    match depth {
                        0 => 1,
                        1 => enter!(self, position, one_ply),
                        2 => enter!(self, position, two_plies),
                        #[cfg(not(target_family = "wasm"))]
                        3 => enter!(self, position, three_plies),
                        _ => count_children(self, position, depth),
                    }
                }

                #[cfg(not(target_family = "wasm"))]
                fn count_played(&self, position: &Position, depth: u32) -> u64 {
                    match depth {
                        0 => 1,
                        1 => enter!(self, position, one_ply_played),
                        2 => enter!(self, position, two_plies_played),
                        _ => count_children(&EveryLeaf(self), position, depth),
                    }
                }

                fn statistics(&self, position: &Position, depth: u32) -> LeafStatistics {
                    match depth {
                        0 => LeafStatistics::of_root(),
                        1 => enter!(self, position, one_ply_statistics),
                        2 => enter!(self, position, two_plies_statistics),
                        _ => statistics_of_children(self, position, depth),
                    }
                }
            }
        };
    };
}

entry_points!(Portable);

#[cfg(x86_paths)]
entry_points!(Bmi2, #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);

/// Counts below each child of a position.
pub fn count_children(counter: &dyn LeafCounter, position: &Position, depth: u32) -> u64 {
    let moves = counter.moves(position);
    moves.iter().map(|played| counter.count(&position.play_legal(*played), depth - 1)).sum()
}

/// Returns the sum of the statistics below each child of a position.
pub fn statistics_of_children(counter: &dyn LeafCounter, position: &Position, depth: u32) -> LeafStatistics {
    let below = |&played| counter.statistics(&position.play_legal(played), depth - 1);
    counter.moves(position).iter().map(below).sum()
}

/// Wraps a leaf counter so that it makes every move.
pub struct EveryLeaf<'a>(pub &'a dyn LeafCounter);

impl LeafCounter for EveryLeaf<'_> {
    fn moves(&self, position: &Position) -> MoveList {
        self.0.moves(position)
    }

    fn count(&self, position: &Position, depth: u32) -> u64 {
        self.0.count_played(position, depth)
    }

    fn count_played(&self, position: &Position, depth: u32) -> u64 {
        self.0.count_played(position, depth)
    }

    fn min_table_depth(&self) -> u32 {
        self.0.min_table_depth()
    }

    fn statistics(&self, position: &Position, depth: u32) -> LeafStatistics {
        self.0.statistics(position, depth)
    }
}
