//! The registry of slider lookups: each has a name, a variant of an enum and a type.

use std::fmt;
use std::str::FromStr;

use perft_core::internals::{Bmi2Features, LeafCounter};

use super::Sliders;
use crate::counter::LookupCounter;

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
                    $(SliderMethod::$method => super::$method::NEEDS_BMI2,)*
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
                    $(SliderMethod::$method => Some(Box::new(LookupCounter { sliders: $sliders?, features })),)*
                }
            }
        }
    };
}

each_slider_method!(registry);

impl fmt::Display for SliderMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SliderMethod {
    type Err = ParseSliderMethodError;

    fn from_str(text: &str) -> Result<SliderMethod, ParseSliderMethodError> {
        let found = SliderMethod::ALL.iter().copied().find(|method| method.name() == text);
        found.ok_or_else(|| ParseSliderMethodError(text.to_owned()))
    }
}
