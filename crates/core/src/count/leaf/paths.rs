//! The scalar paths: entry points of the scalar counter, compiled for each CPU path and slider lookup.
//!
//! A path is a value. A path that needs CPU features can only be created on a CPU that has them, so the value proves that
//! its entry points may be called. Everything below an entry point is inlined into it, and so compiled with its features.

use super::{LeafCounter, scalar};
#[cfg(x86_paths)]
use crate::attacks::sliders::Pext;
use crate::attacks::sliders::{Magic, Sliders};
use crate::count::CpuPath;
use crate::movegen::legal_moves_by;
use crate::position::Position;
use crate::types::{Black, Color, MoveList, Side, White};

/// The scalar path that works on every CPU, with the slider lookup `L`.
///
/// `L` should not need BMI2: without that feature, its instruction cannot be inlined and each lookup is a function call.
#[derive(Clone, Copy, Debug)]
pub struct Portable<L = Magic> {
    sliders: L,
}

/// The scalar path for x86-64 CPUs with BMI2 and the other bit instructions (2013 and later), with the slider lookup `L`.
///
/// Magic multiplication is the better lookup on CPUs that emulate `PEXT`.
#[cfg(x86_paths)]
#[derive(Clone, Copy, Debug)]
pub struct Bmi2<L = Pext> {
    sliders: L,
    _features: Bmi2Features,
}

/// Proves that this CPU has the features that the entry points of the BMI2 path are compiled for.
#[derive(Clone, Copy, Debug)]
pub struct Bmi2Features(());

impl Portable {
    /// Returns the path with its default lookup.
    pub const fn new() -> Portable {
        Portable { sliders: Magic }
    }
}

impl Default for Portable {
    fn default() -> Portable {
        Portable::new()
    }
}

impl<L: Sliders> Portable<L> {
    /// Returns the path with this lookup.
    pub const fn with(sliders: L) -> Portable<L> {
        Portable { sliders }
    }

    /// Returns the slider lookup.
    #[cfg(two_lane_paths)]
    pub(super) const fn sliders(self) -> L {
        self.sliders
    }
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

    /// Returns the slider lookup.
    pub(super) const fn sliders(self) -> L {
        self.sliders
    }
}

impl Bmi2Features {
    /// Returns the proof if this CPU has all the features and this build uses them.
    pub fn detect() -> Option<Bmi2Features> {
        #[cfg(x86_paths)]
        let has_all = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        #[cfg(not(x86_paths))]
        let has_all = false;
        has_all.then_some(Bmi2Features(()))
    }
}

/// Returns the counter of a scalar path with this slider lookup.
///
/// The result is `None` if this machine cannot run the path, if the path is not scalar, or if the lookup needs BMI2 and the
/// path does not have it.
pub fn scalar_counter<L: Sliders + 'static>(path: CpuPath, sliders: L) -> Option<Box<dyn LeafCounter>> {
    match path {
        #[cfg(x86_paths)]
        CpuPath::Bmi2 => Some(Box::new(Bmi2::with(sliders)?)),
        CpuPath::Portable if !L::NEEDS_BMI2 => Some(Box::new(Portable::with(sliders))),
        _ => None,
    }
}

/// Writes the entry points of a scalar path, compiled for its CPU features, and its leaf counter. There is one entry point
/// for each number of plies, side to move and slider lookup.
macro_rules! entry_points {
    ($path:ident $(, #[$features:meta])?) => {
        const _: () = {
            $(#[$features])?
            fn moves<L: Sliders>(sliders: L, position: &Position) -> MoveList {
                legal_moves_by(position, sliders)
            }

            $(#[$features])?
            fn one_ply<S: Side, L: Sliders>(sliders: L, position: &Position) -> u64 {
                scalar::count::<S>(position, sliders)
            }

            $(#[$features])?
            fn two_plies<S: Side, L: Sliders>(sliders: L, position: &Position) -> u64 {
                scalar::sum_over_children::<S>(position, sliders, |child| one_ply::<S::Other, L>(sliders, child))
            }

            $(#[$features])?
            fn three_plies<S: Side, L: Sliders>(sliders: L, position: &Position) -> u64 {
                scalar::sum_over_children::<S>(position, sliders, |child| two_plies::<S::Other, L>(sliders, child))
            }

            $(#[$features])?
            fn one_ply_played<S: Side, L: Sliders>(sliders: L, position: &Position) -> u64 {
                scalar::sum_over_children::<S>(position, sliders, scalar::one)
            }

            $(#[$features])?
            fn two_plies_played<S: Side, L: Sliders>(sliders: L, position: &Position) -> u64 {
                scalar::sum_over_children::<S>(position, sliders, |child| {
                    one_ply_played::<S::Other, L>(sliders, child)
                })
            }

            /// Calls the entry point for the side to move.
            macro_rules! enter {
                ($this:expr, $position:expr, $entry_point:ident) => {{
                    // SAFETY: a value of this type exists only on a CPU that has the features that the entry points are
                    // compiled for.
                    #[allow(unused_unsafe)]
                    unsafe {
                        match $position.turn() {
                            Color::White => $entry_point::<White, L>($this.sliders, $position),
                            Color::Black => $entry_point::<Black, L>($this.sliders, $position),
                        }
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

                fn one_ply(&self, position: &Position) -> u64 {
                    enter!(self, position, one_ply)
                }

                fn two_plies(&self, position: &Position) -> u64 {
                    enter!(self, position, two_plies)
                }

                fn three_plies(&self, position: &Position) -> u64 {
                    enter!(self, position, three_plies)
                }

                fn one_ply_played(&self, position: &Position) -> u64 {
                    enter!(self, position, one_ply_played)
                }

                fn two_plies_played(&self, position: &Position) -> u64 {
                    enter!(self, position, two_plies_played)
                }
            }
        };
    };
}

entry_points!(Portable);

#[cfg(x86_paths)]
entry_points!(Bmi2, #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
