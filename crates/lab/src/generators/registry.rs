//! The registry: every generator by name.

use std::fmt;
use std::str::FromStr;

use perft_core::Perft;
use perft_core::internals::TreeWalk;

use super::{Board, Design};
use crate::tree::BoardWalk;

/// Hands the list of all generators to a macro: for each the name by which a user chooses it, its variant of
/// [`Generator`], and the type of its [`Board`]. The first is our own.
///
/// # Examples
/// ```
/// macro_rules! names {
///     ($($name:literal $variant:ident $board:ty;)*) => { [$($name),*] };
/// }
/// assert_eq!(crate::each_generator!(names)[0], "bitboard");
/// ```
#[macro_export]
macro_rules! each_generator {
    ($macro:ident) => {
        $macro! {
            "bitboard" Bitboard ::perft_core::Position;
            "magic" Magic $crate::generators::magic::MagicBoard;
            "rays" Rays $crate::generators::rays::RaysBoard;
            "mailbox-0x88" Mailbox0x88 $crate::generators::mailbox_0x88::Mailbox0x88Board;
            "rank-lookup" RankLookup $crate::generators::rank_lookup::RankLookupBoard;
            "pseudo-legal" PseudoLegal $crate::generators::pseudo_legal::PseudoLegalBoard;
        }
    };
}

/// What is to be done with a generator, whichever it is: a function generic over its [`Board`].
pub trait BoardVisitor {
    /// What comes of it.
    type Output;

    /// Does it with this type of board.
    fn visit<B: Board>(self) -> Self::Output;
}

/// No generator has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a generator")]
pub struct ParseGeneratorError(pub String);

macro_rules! registry {
    ($($name:literal $variant:ident $board:ty;)*) => {
        /// One of the generators.
        ///
        /// # Examples
        /// ```
        /// use perft_lab::generators::Generator;
        /// assert_eq!("bitboard".parse(), Ok(Generator::Bitboard));
        /// assert!(Generator::ALL.iter().all(|generator| !generator.design().about.is_empty()));
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Generator {
            #[default]
            $($variant,)*
        }

        impl Generator {
            /// All generators, our own first.
            pub const ALL: &[Generator] = &[$(Generator::$variant),*];

            /// The name by which a user chooses it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Generator::$variant => $name,)*
                }
            }

            /// What is to be said of its design.
            pub const fn design(self) -> Design {
                match self {
                    $(Generator::$variant => <$board as Board>::DESIGN,)*
                }
            }

            /// Returns what walks trees on its boards.
            fn tree_walk(self) -> Box<dyn TreeWalk> {
                match self {
                    $(Generator::$variant => Box::new(BoardWalk::<$board>::new()),)*
                }
            }

            /// Runs a visitor with its type of board.
            pub fn visit<V: BoardVisitor>(self, visitor: V) -> V::Output {
                match self {
                    $(Generator::$variant => visitor.visit::<$board>(),)*
                }
            }
        }
    };
}

each_generator!(registry);

impl Generator {
    /// Returns a driver that counts with this generator.
    ///
    /// The generators of the laboratory are compiled for BMI2 and for every CPU. A path with wider vectors stands for
    /// BMI2. They probe no table and cannot merge positions.
    ///
    /// # Examples
    /// ```
    /// use perft_core::{Perft, Position, Progress};
    /// use perft_lab::generators::Generator;
    /// for generator in Generator::ALL {
    ///     let perft = generator.drive(Perft::new());
    ///     assert_eq!(perft.count(&Position::start(), 3, &Progress::default()), Ok(8902));
    /// }
    /// ```
    pub fn drive(self, perft: Perft) -> Perft {
        if self == Generator::Bitboard { perft } else { perft.tree_walk(self.tree_walk()) }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Generator {
    type Err = ParseGeneratorError;

    fn from_str(text: &str) -> Result<Generator, ParseGeneratorError> {
        let found = Generator::ALL.iter().copied().find(|generator| generator.name() == text);
        found.ok_or_else(|| ParseGeneratorError(text.to_owned()))
    }
}
