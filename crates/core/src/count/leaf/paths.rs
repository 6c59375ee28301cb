//! The doors: one compilation of the scalar counter for each CPU path and slider look-up.
//!
//! A path is a value. The ones that need CPU features can only be made where the CPU has them, and hold that as their
//! proof; behind the door everything is inlined, and so compiled with those features.

use super::{LeafCounter, scalar};
#[cfg(vector_paths)]
use crate::attacks::sliders::Pext;
use crate::attacks::sliders::{Magic, Sliders};
use crate::count::CpuPath;
use crate::movegen::legal_moves_by;
use crate::position::Position;
use crate::types::{Black, Color, MoveList, Side, White};

/// Plain Rust: works on every CPU. Sliders are looked up by `L`, which should not need BMI2: its instruction would be
/// called as a function.
#[derive(Clone, Copy, Debug)]
pub struct Portable<L = Magic> {
    sliders: L,
}

/// Bit extraction and the other bit instructions of 2013 and later x86-64. Sliders are looked up by `L`: there are CPUs
/// that emulate bit extraction, slowly, and would do better with magic multiplication.
#[cfg(vector_paths)]
#[derive(Clone, Copy, Debug)]
pub struct Bmi2<L = Pext> {
    sliders: L,
    _features: Bmi2Features,
}

/// The proof that this CPU has the features that the entry points of the BMI2 path are compiled for.
#[derive(Clone, Copy, Debug)]
pub struct Bmi2Features(());

impl Portable {
    /// The path with its own look-up.
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
    /// The path with this look-up.
    pub const fn with(sliders: L) -> Portable<L> {
        Portable { sliders }
    }
}

#[cfg(vector_paths)]
impl Bmi2 {
    /// The path with its own look-up, if this CPU has all the features it is compiled for.
    pub fn detect() -> Option<Bmi2> {
        Bmi2::with(Pext::detect()?)
    }
}

#[cfg(vector_paths)]
impl<L: Sliders> Bmi2<L> {
    /// The path with this look-up, if this CPU has all the features it is compiled for.
    pub fn with(sliders: L) -> Option<Bmi2<L>> {
        Some(Bmi2 { sliders, _features: Bmi2Features::detect()? })
    }

    /// The look-up.
    pub(super) const fn sliders(self) -> L {
        self.sliders
    }
}

impl Bmi2Features {
    /// Returns the proof, if this CPU has all the features and this build uses them.
    pub fn detect() -> Option<Bmi2Features> {
        #[cfg(vector_paths)]
        let has_all = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        #[cfg(not(vector_paths))]
        let has_all = false;
        has_all.then_some(Bmi2Features(()))
    }
}

/// Returns the counter of a scalar path with this slider look-up; `None` if this machine cannot run the path, the path
/// is not scalar, or the look-up needs BMI2 and the path does not have it.
pub fn scalar_counter<L: Sliders + 'static>(path: CpuPath, sliders: L) -> Option<Box<dyn LeafCounter>> {
    match path {
        #[cfg(vector_paths)]
        CpuPath::Bmi2 => Some(Box::new(Bmi2::with(sliders)?)),
        CpuPath::Portable if !L::NEEDS_BMI2 => Some(Box::new(Portable::with(sliders))),
        _ => None,
    }
}

/// Writes the doors of a path: functions that are compiled with its features, one a colour and look-up, and the counter
/// that opens them.
macro_rules! doors {
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

            /// Opens a door for the side to move.
            macro_rules! open {
                ($this:expr, $position:expr, $door:ident) => {{
                    // SAFETY: the path exists, so the CPU has the features that its doors are compiled for.
                    #[allow(unused_unsafe)]
                    unsafe {
                        match $position.turn() {
                            Color::White => $door::<White, L>($this.sliders, $position),
                            Color::Black => $door::<Black, L>($this.sliders, $position),
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
                    open!(self, position, one_ply)
                }

                fn two_plies(&self, position: &Position) -> u64 {
                    open!(self, position, two_plies)
                }

                fn three_plies(&self, position: &Position) -> u64 {
                    open!(self, position, three_plies)
                }

                fn one_ply_played(&self, position: &Position) -> u64 {
                    open!(self, position, one_ply_played)
                }

                fn two_plies_played(&self, position: &Position) -> u64 {
                    open!(self, position, two_plies_played)
                }
            }
        };
    };
}

doors!(Portable);

#[cfg(vector_paths)]
doors!(Bmi2, #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
