//! The registry: every look-up method by name.

use std::fmt;
use std::str::FromStr;

use perft_core::internals::leaf::{LeafCounter, scalar_counter};
use perft_core::{CpuPath, PathUnavailable, Perft};

use super::Sliders;

/// Hands the list of all look-up methods to a macro: for each the name by which a user chooses it, its variant of
/// [`SliderMethod`], the look-up as an `Option` (`None` where the CPU lacks what it needs), and a sentence about it. The
/// walk, which judges them, is not among them.
///
/// # Examples
/// ```
/// macro_rules! names {
///     ($($name:literal $method:ident ($sliders:expr) $about:literal;)*) => { [$($name),*] };
/// }
/// assert_eq!(crate::each_slider_method!(names)[..2], ["pext", "magic"]);
/// ```
#[macro_export]
macro_rules! each_slider_method {
    ($macro:ident) => {
        $macro! {
            "pext" Pext ($crate::sliders::Pext::detect())
                "bit extraction: one instruction makes the index of a table of all attacks; needs BMI2";
            "magic" Magic (Some($crate::sliders::Magic))
                "magic multiplication: a product makes the index of a table of all attacks";
            "rays" Rays (Some($crate::sliders::Rays))
                "the classical approach: a bit scan finds the blocker on a ray, and xor takes off what is behind it";
            "quintessence" Quintessence (Some($crate::sliders::Quintessence))
                "hyperbola quintessence: subtraction runs up to the blocker, downwards on the byte-swapped board";
            "kindergarten" Kindergarten (Some($crate::sliders::Kindergarten))
                "kindergarten bitboards: a product gathers the six inner squares of a line, a small table has the rest";
            "fill" Fill (Some($crate::sliders::Fill))
                "Kogge-Stone fills: a slider is pushed through the empty squares, in double steps and without tables";
        }
    };
}

/// What is to be done with a look-up, whichever it is: a function generic over it.
pub trait SlidersVisitor {
    /// What comes of it.
    type Output;

    /// Does it with this look-up.
    fn visit<L: Sliders>(self, sliders: L) -> Self::Output;
}

/// No look-up method has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a slider look-up")]
pub struct ParseSliderMethodError(pub String);

macro_rules! registry {
    ($($name:literal $method:ident ($sliders:expr) $about:literal;)*) => {
        /// A method to look up the attacks of sliders.
        ///
        /// # Examples
        /// ```
        /// use perft_lab::sliders::SliderMethod;
        /// assert_eq!("fill".parse(), Ok(SliderMethod::Fill));
        /// assert!(SliderMethod::Magic.is_available());
        /// assert!(SliderMethod::ALL.iter().all(|method| !method.about().is_empty()));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum SliderMethod {
            $($method,)*
        }

        impl SliderMethod {
            /// All methods, in the order in which they are shown.
            pub const ALL: &[SliderMethod] = &[$(SliderMethod::$method),*];

            /// The name by which a user chooses it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(SliderMethod::$method => $name,)*
                }
            }

            /// How it works, in a sentence without a full stop.
            pub const fn about(self) -> &'static str {
                match self {
                    $(SliderMethod::$method => $about,)*
                }
            }

            /// True if it is an instruction that came with BMI2.
            pub const fn needs_bmi2(self) -> bool {
                match self {
                    $(SliderMethod::$method => super::$method::NEEDS_BMI2,)*
                }
            }

            /// True if this CPU and this build have what it needs.
            pub fn is_available(self) -> bool {
                match self {
                    $(SliderMethod::$method => $sliders.is_some(),)*
                }
            }

            /// Returns the leaf counter of a scalar CPU path that looks sliders up in this way.
            fn leaf_counter(self, path: CpuPath) -> Option<Box<dyn LeafCounter>> {
                match self {
                    $(SliderMethod::$method => scalar_counter(path, $sliders?),)*
                }
            }

            /// Runs a visitor with its look-up; `None` if it is not available.
            pub fn visit<V: SlidersVisitor>(self, visitor: V) -> Option<V::Output> {
                match self {
                    $(SliderMethod::$method => $sliders.map(|sliders| visitor.visit(sliders)),)*
                }
            }
        }
    };
}

each_slider_method!(registry);

/// Sliders cannot be looked up in this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlidersError {
    /// The machine cannot run the CPU path.
    #[error(transparent)]
    PathUnavailable(#[from] PathUnavailable),
    /// The CPU path counts several positions at once and has no slider look-up.
    #[error("the CPU path '{0}' has no slider look-up")]
    NoLookup(CpuPath),
    /// The CPU or the build lacks what the method needs.
    #[error("this machine cannot look sliders up by '{0}'")]
    Unavailable(SliderMethod),
    /// The path does not use the instruction that the method needs.
    #[error("the CPU path '{path}' cannot look sliders up by '{method}'")]
    NotOnPath {
        /// The method.
        method: SliderMethod,
        /// The path.
        path: CpuPath,
    },
}

impl SliderMethod {
    /// Returns the look-up that a CPU path uses unless told otherwise; `None` if the path has no look-up.
    pub const fn of_path(path: CpuPath) -> Option<SliderMethod> {
        match path {
            CpuPath::Avx512 | CpuPath::Avx2 => None,
            CpuPath::Bmi2 => Some(SliderMethod::Pext),
            CpuPath::Portable => Some(SliderMethod::Magic),
        }
    }

    /// Returns a driver that counts on a scalar CPU path with this look-up.
    ///
    /// # Examples
    /// ```
    /// use perft_core::{CpuPath, Perft, Position, Progress};
    /// use perft_lab::sliders::SliderMethod;
    /// let perft = SliderMethod::Kindergarten.drive(Perft::new(), CpuPath::Portable)?;
    /// assert_eq!(perft.count(&Position::start(), 4, &Progress::default()), Ok(197_281));
    /// # Ok::<(), perft_lab::sliders::SlidersError>(())
    /// ```
    ///
    /// # Errors
    /// The machine cannot run the path or the method, or the two do not go together.
    pub fn drive(self, perft: Perft, path: CpuPath) -> Result<Perft, SlidersError> {
        let perft = perft.cpu_path(path)?;
        if !path.is_scalar() {
            return Err(SlidersError::NoLookup(path));
        }
        if !self.is_available() {
            return Err(SlidersError::Unavailable(self));
        }
        let counter = self.leaf_counter(path).ok_or(SlidersError::NotOnPath { method: self, path })?;
        Ok(perft.leaf_counter(counter))
    }
}

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
