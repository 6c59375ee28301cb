//! The doors: one compilation of the scalar counter for each CPU path.
//!
//! A path is a value. The ones that need CPU features can only be made where the CPU has them, and hold that as their
//! proof; behind the door everything is inlined, and so compiled with those features.

use super::{LeafCounter, scalar};
use crate::chess::attacks::sliders::Magic;
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
use crate::chess::attacks::sliders::Pext;
use crate::chess::position::Position;
use crate::chess::types::{Black, Color, MoveList, Side, White};
use crate::movegen::legal_moves_by;

/// Plain Rust, magic sliders: works on every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// Bit extraction and the other bit instructions of 2013 and later x86-64.
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
#[derive(Clone, Copy, Debug)]
pub struct Bmi2(pub(super) Pext);

/// The same features, but magic sliders: some CPUs have bit extraction, and emulate it slowly.
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
#[derive(Clone, Copy, Debug)]
pub struct BmiMagic(());

#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
impl Bmi2 {
    /// The path, if this CPU has all the features it is compiled for.
    pub fn detect() -> Option<Bmi2> {
        let has_others = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        Pext::detect().filter(|_| has_others).map(Bmi2)
    }
}

#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
impl BmiMagic {
    /// The path, if this CPU has all the features it is compiled for.
    pub fn detect() -> Option<BmiMagic> {
        Bmi2::detect().map(|_| BmiMagic(()))
    }
}

/// Writes the doors of a path: functions that are compiled with its features, one a colour, and the counter that
/// opens them.
macro_rules! doors {
    ($path:ty, $sliders:ty, |$this:ident| $lookup:expr, $(#[$features:meta])?) => {
        const _: () = {
            $(#[$features])?
            fn moves(sliders: $sliders, position: &Position) -> MoveList {
                legal_moves_by(position, sliders)
            }

            $(#[$features])?
            fn one_ply<S: Side>(sliders: $sliders, position: &Position) -> u64 {
                scalar::count::<S>(position, sliders)
            }

            $(#[$features])?
            fn two_plies<S: Side>(sliders: $sliders, position: &Position) -> u64 {
                scalar::sum_over_children::<S>(position, sliders, |child| one_ply::<S::Other>(sliders, child))
            }

            $(#[$features])?
            fn three_plies<S: Side>(sliders: $sliders, position: &Position) -> u64 {
                scalar::sum_over_children::<S>(position, sliders, |child| two_plies::<S::Other>(sliders, child))
            }

            $(#[$features])?
            fn one_ply_played<S: Side>(sliders: $sliders, position: &Position) -> u64 {
                scalar::sum_over_children::<S>(position, sliders, scalar::one)
            }

            $(#[$features])?
            fn two_plies_played<S: Side>(sliders: $sliders, position: &Position) -> u64 {
                scalar::sum_over_children::<S>(position, sliders, |child| {
                    one_ply_played::<S::Other>(sliders, child)
                })
            }

            /// Opens a door for the side to move.
            macro_rules! open {
                ($this_path:expr, $position:expr, $door:ident) => {{
                    let $this = $this_path;
                    // SAFETY: the path exists, so the CPU has the features that its doors are compiled for.
                    #[allow(unused_unsafe)]
                    unsafe {
                        match $position.turn() {
                            Color::White => $door::<White>($lookup, $position),
                            Color::Black => $door::<Black>($lookup, $position),
                        }
                    }
                }};
            }

            impl LeafCounter for $path {
                const MIN_TABLE_DEPTH: u32 = 2;

                fn moves(self, position: &Position) -> MoveList {
                    let $this = self;
                    // SAFETY: as above.
                    #[allow(unused_unsafe)]
                    unsafe {
                        moves($lookup, position)
                    }
                }

                fn one_ply(self, position: &Position) -> u64 {
                    open!(self, position, one_ply)
                }

                fn two_plies(self, position: &Position) -> u64 {
                    open!(self, position, two_plies)
                }

                fn three_plies(self, position: &Position) -> u64 {
                    open!(self, position, three_plies)
                }

                fn one_ply_played(self, position: &Position) -> u64 {
                    open!(self, position, one_ply_played)
                }

                fn two_plies_played(self, position: &Position) -> u64 {
                    open!(self, position, two_plies_played)
                }
            }
        };
    };
}

doors!(Portable, Magic, |_path| Magic,);

#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
doors!(Bmi2, Pext, |path| path.0, #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);

#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
doors!(BmiMagic, Magic, |_path| Magic, #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
