//! Slider lookups, which return the squares that a bishop or a rook attacks, all behind one trait.
//!
//! Each method is a type that implements [`Sliders`], and has a name in [`SliderMethod`]:
//!
//! | method | how it works | tables |
//! |---|---|---|
//! | [`Pext`] | extracts the relevant squares as the index of a table of all attacks | 843 KiB |
//! | [`Magic`] | multiplies the relevant squares to get the index | 844 KiB |
//! | [`Kindergarten`] | gathers each line by a multiplication | 10.5 KiB |
//! | [`Rays`] | scans each ray for the first blocker | 9 KiB |
//! | [`Quintessence`] | subtracts the slider from each line | 3 KiB |
//! | [`Fill`] | moves the slider through empty squares | none |
//!
//! `perft-core` has the first two, which its generator uses. The tests compare all methods with a walk from square to
//! square.

mod kindergarten;
mod quintessence;

use perft_core::internals::attacks::{diagonal_rays, orthogonal_rays};
use perft_core::internals::sliders::ray;
use perft_core::internals::{Bmi2Features, Direction, LeafCounter, by_name, const_table};
use perft_core::{Bitboard, File, Square};
use perft_leaf::counter_with;

pub use kindergarten::Kindergarten;
pub use perft_core::internals::sliders::Magic;
pub use perft_core::internals::sliders::Pext;
pub use perft_core::internals::sliders::Sliders;
pub use quintessence::Quintessence;

/// Calls a macro with the list of all slider lookups.
///
/// The macro receives for each lookup its name on the command line, its variant of
/// [`SliderMethod`](crate::sliders::SliderMethod), and the lookup as an `Option` (`None` if the CPU cannot run it).
///
/// # Examples
/// ```
/// macro_rules! names {
///     ($($name:literal $method:ident ($sliders:expr);)*) => { [$($name),*] };
/// }
///
/// assert_eq!(perft_lab::each_slider_method!(names)[..2], ["pext", "magic"]);
/// ```
#[macro_export]
macro_rules! each_slider_method {
    ($macro:ident) => {
        $macro! {
            "pext" Pext ($crate::sliders::Pext::detect());
            "magic" Magic (Some($crate::sliders::Magic));
            "rays" Rays (Some($crate::sliders::Rays));
            "quintessence" Quintessence (Some($crate::sliders::Quintessence));
            "kindergarten" Kindergarten (Some($crate::sliders::Kindergarten));
            "fill" Fill (Some($crate::sliders::Fill));
        }
    };
}

/// The error of parsing a name that no slider lookup has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a slider lookup")]
pub struct ParseSliderMethodError(pub String);

macro_rules! registry {
    ($($name:literal $method:ident ($sliders:expr);)*) => {
        /// A slider lookup, by name.
        ///
        /// # Examples
        /// ```
        /// use perft_lab::sliders::SliderMethod;
        ///
        /// assert_eq!("fill".parse(), Ok(SliderMethod::Fill));
        /// assert!(SliderMethod::Magic.is_available());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum SliderMethod {
            $($method,)*
        }

        impl SliderMethod {
            /// All lookups, in the order in which they are shown.
            pub const ALL: &[SliderMethod] = &[$(SliderMethod::$method),*];

            /// Returns the name on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(SliderMethod::$method => $name,)*
                }
            }

            /// Whether it uses an instruction of BMI2.
            pub const fn needs_bmi2(self) -> bool {
                match self {
                    $(SliderMethod::$method => $method::NEEDS_BMI2,)*
                }
            }

            /// Whether this CPU and this build can run it.
            pub fn is_available(self) -> bool {
                match self {
                    $(SliderMethod::$method => $sliders.is_some(),)*
                }
            }

            /// Returns a counter with the generator of `perft-core` and this lookup, or `None` if the lookup is not
            /// available.
            ///
            /// If there is a proof that the CPU has BMI2, the counter uses the code that is compiled for BMI2. Without
            /// the proof, a lookup that [needs BMI2](SliderMethod::needs_bmi2) is not available.
            ///
            /// # Examples
            /// ```
            /// use perft_core::Position;
            /// use perft_lab::sliders::SliderMethod;
            ///
            /// let counter = SliderMethod::Kindergarten.counter(None).unwrap();
            /// assert_eq!(counter.count(&Position::start(), 4), 197_281);
            /// assert!(SliderMethod::Pext.counter(None).is_none());
            /// ```
            pub fn counter(self, features: Option<Bmi2Features>) -> Option<Box<dyn LeafCounter>> {
                if self.needs_bmi2() && features.is_none() {
                    return None;
                }
                match self {
                    $(SliderMethod::$method => Some(counter_with($sliders?, features)),)*
                }
            }
        }
    };
}

each_slider_method!(registry);

by_name!(SliderMethod, ParseSliderMethodError);

/// Looks up attacks by fills. Works on every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Fill;

impl Sliders for Fill {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (slider, empty) = (Bitboard::from(square).bits(), !occupied.bits());
        let attacks = along::<9>(slider, empty, NOT_A)
            | along::<7>(slider, empty, NOT_H)
            | along::<-9>(slider, empty, NOT_H)
            | along::<-7>(slider, empty, NOT_A);
        Bitboard::from_bits(attacks)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (slider, empty) = (Bitboard::from(square).bits(), !occupied.bits());
        let attacks = along::<8>(slider, empty, ALL)
            | along::<1>(slider, empty, NOT_A)
            | along::<-8>(slider, empty, ALL)
            | along::<-1>(slider, empty, NOT_H);
        Bitboard::from_bits(attacks)
    }
}

const ALL: u64 = Bitboard::FULL.bits();

/// The squares to which a step to the east can lead. A step to the a-file would wrap around the edge.
const NOT_A: u64 = !Bitboard::file(File::A).bits();

/// The squares to which a step to the west can lead.
const NOT_H: u64 = !Bitboard::file(File::H).bits();

/// Returns the attacks in a direction that adds `STEP` to the index of a square.
#[inline(always)]
const fn along<const STEP: i32>(slider: u64, empty: u64, arrivals: u64) -> u64 {
    let mut filled = slider;
    let mut passable = empty & arrivals;
    filled |= passable & moved(filled, STEP);
    passable &= moved(passable, STEP);
    filled |= passable & moved(filled, 2 * STEP);
    passable &= moved(passable, 2 * STEP);
    filled |= passable & moved(filled, 4 * STEP);
    moved(filled, STEP) & arrivals
}

/// Returns the set with `offset` added to the index of each square.
#[inline(always)]
const fn moved(set: u64, offset: i32) -> u64 {
    if offset > 0 { set << offset } else { set >> -offset }
}

/// Looks up attacks by rays and bit scans. Works on every CPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rays;

impl Sliders for Rays {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        diagonal_rays(square)
            ^ behind(Direction::NorthEast, square, occupied)
            ^ behind(Direction::NorthWest, square, occupied)
            ^ behind(Direction::SouthEast, square, occupied)
            ^ behind(Direction::SouthWest, square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        orthogonal_rays(square)
            ^ behind(Direction::North, square, occupied)
            ^ behind(Direction::East, square, occupied)
            ^ behind(Direction::South, square, occupied)
            ^ behind(Direction::West, square, occupied)
    }
}

/// Returns the squares behind the first blocker on a ray. On a ray towards h8, it is the lowest blocker, and on a ray
/// towards a1 the highest one.
#[inline(always)]
fn behind(direction: Direction, square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[direction as usize];
    let blockers = (rays.from[square.index()] & occupied).bits();
    let zeros = if direction.offset() > 0 { blockers.trailing_zeros() } else { blockers.leading_zeros() };
    rays.behind[zeros as usize]
}

/// The rays of all squares, by direction. One register points to all tables.
static RAYS: [RayTable; 8] = {
    const NONE: RayTable = RayTable { from: [Bitboard::EMPTY; 64], behind: [Bitboard::EMPTY; 65] };
    const_table!([NONE; 8], index => {
        let direction = Direction::ALL[index];
        let from = const_table!([Bitboard::EMPTY; 64], square => {
            ray(Square::ALL[square], direction, Bitboard::EMPTY)
        });
        let is_up = direction.offset() > 0;
        let behind = const_table!([Bitboard::EMPTY; 65], zeros => match zeros {
            64 => Bitboard::EMPTY,
            _ => from[if is_up { zeros } else { 63 - zeros }],
        });
        RayTable { from, behind }
    })
};

/// The rays of one direction.
#[derive(Clone, Copy)]
struct RayTable {
    /// The ray of each square.
    from: [Bitboard; 64],
    /// The squares behind the first blocker, by the number of zeros that the bit scan counts. Without a blocker, it
    /// counts 64, and the set is empty.
    behind: [Bitboard; 65],
}

#[cfg(test)]
mod tests {
    use perft_core::internals::sliders::{BISHOP_LINES, ROOK_LINES, Walk, relevant};
    use perft_core::{Bitboard, Square};

    use super::*;

    /// Compares a lookup with the walk for every square and every subset of the relevant squares, once with all other
    /// squares empty and once with all of them occupied.
    fn agrees_with_the_walk(sliders: impl Sliders) {
        for square in Square::ALL {
            for (lines, rook) in [(ROOK_LINES, true), (BISHOP_LINES, false)] {
                let mask = relevant(square, &lines);
                let mut subset = 0;
                loop {
                    for occupied in [subset, subset | !mask].map(Bitboard::from_bits) {
                        if rook {
                            assert_eq!(sliders.rook(square, occupied), Walk.rook(square, occupied));
                        } else {
                            assert_eq!(sliders.bishop(square, occupied), Walk.bishop(square, occupied));
                        }
                    }
                    subset = subset.wrapping_sub(mask) & mask;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }

    macro_rules! agreement {
        ($($name:literal $method:ident ($sliders:expr);)*) => {
            #[allow(non_snake_case)]
            mod agrees_with_the_walk {
                $(
                    #[test]
                    fn $method() {
                        if let Some(sliders) = $sliders {
                            super::agrees_with_the_walk(sliders);
                        }
                    }
                )*
            }
        };
    }

    crate::each_slider_method!(agreement);

    #[test]
    fn every_method_has_its_name() {
        for &method in SliderMethod::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            assert_eq!(method.needs_bmi2(), method == SliderMethod::Pext, "{method}");
        }
        assert_eq!("walk".parse::<SliderMethod>(), Err(ParseSliderMethodError("walk".to_owned())));
    }
}
