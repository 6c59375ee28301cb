//! Move generators of different designs, which all implement one trait.
//!
//! A generator is a type that implements [`Board`]: a position in the representation of the design, which plays its
//! legal moves one after another and counts them. All other code is the same for all generators: reading a FEN, walking
//! the tree and sharing it between threads. So two generators differ only in their design. A design that only finds the
//! moves of a [`Position`](perft_core::Position) implements [`Design`].
//!
//! | name | board | how illegal moves are avoided |
//! |---|---|---|
//! | `bitboard` | bitboards by colour | check mask, pins and attacked squares are found before the moves |
//! | [`magic`] | bitboards, and an array of pieces | the same, in one pass |
//! | [`rays`] | bitboards by colour | the same, without a lookup for pins |
//! | [`mailbox_0x88`] | an array of 128 squares, and piece lists | tables of square differences test each move |
//! | [`rank_lookup`] | bitboards by colour | king moves, castling, en passant and pinned pieces are tested |
//! | [`pseudo_legal`] | bitboards by colour, checkers and pinned pieces | each move is tested before it is made |
//!
//! To add a generator, write a file that implements [`Board`], add a `mod` line here, and add a line to the registry
//! [`each_generator!`](crate::each_generator). The command line, the tests and the comparisons read the registry.

mod board;
pub mod magic;
pub mod mailbox_0x88;
pub mod pseudo_legal;
pub mod rank_lookup;
pub mod rays;

pub use board::{Bitboards, Board, Design, PositionBoard};

use perft_core::internals::by_name;
use perft_core::{Bmi2Features, LeafCounter};

/// Calls a macro with the list of all generators.
///
/// The macro receives for each generator its name on the command line, its variant of
/// [`Generator`](crate::generators::Generator), the type of its [`Board`](crate::generators::Board), and its idea and
/// its source, as phrases. The first one is `bitboard`.
///
/// # Examples
/// ```
/// macro_rules! names {
///     ($($name:literal $variant:ident $board:ty, $about:literal, $source:literal;)*) => { [$($name),*] };
/// }
///
/// assert_eq!(perft_lab::each_generator!(names)[0], "bitboard");
/// ```
#[macro_export]
macro_rules! each_generator {
    ($macro:ident) => {
        $macro! {
            "bitboard" Bitboard $crate::generators::PositionBoard<$crate::generators::Bitboards>,
                "sets of legal moves, listed only to play them", "this project";
            "magic" Magic $crate::generators::magic::MagicBoard,
                "legal moves in a list, with magic bitboards", "Magic Bitboards";
            "rays" Rays $crate::generators::rays::RaysBoard,
                "legal moves, with rays cut by bit scans", "Classical Approach";
            "mailbox-0x88" Mailbox0x88 $crate::generators::mailbox_0x88::Mailbox0x88Board,
                "an array of 128 squares, and piece lists", "0x88";
            "rank-lookup" RankLookup $crate::generators::rank_lookup::RankLookupBoard,
                "sliders looked up on the first rank", "First Rank Attacks";
            "pseudo-legal" PseudoLegal $crate::generators::pseudo_legal::PseudoLegalBoard,
                "pseudo-legal moves, tested one by one", "Pseudo-Legal Move";
        }
    };
}

/// The error of parsing a name that no generator has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a generator")]
pub struct ParseGeneratorError(pub String);

macro_rules! registry {
    ($($name:literal $variant:ident $board:ty, $about:literal, $source:literal;)*) => {
        /// A generator of this crate, by name.
        ///
        /// # Examples
        /// ```
        /// use perft_lab::generators::Generator;
        ///
        /// assert_eq!("bitboard".parse(), Ok(Generator::Bitboard));
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Generator {
            #[default]
            $($variant,)*
        }

        impl Generator {
            /// All generators. The first one is `bitboard`.
            pub const ALL: &[Generator] = &[$(Generator::$variant),*];

            /// Returns the name on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Generator::$variant => $name,)*
                }
            }

            /// Returns the idea of the design.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Generator::$variant => $about,)*
                }
            }

            /// Returns the source of the design: pages of the Chess Programming Wiki, or this project.
            pub const fn source(self) -> &'static str {
                match self {
                    $(Generator::$variant => $source,)*
                }
            }

            /// Returns a counter on the boards of this generator.
            ///
            /// If there is a proof that the CPU has BMI2, the counter uses the code that is compiled for BMI2.
            ///
            /// # Examples
            /// ```
            /// use perft_core::Position;
            /// use perft_lab::Bmi2Features;
            /// use perft_lab::generators::Generator;
            ///
            /// for generator in Generator::ALL {
            ///     let counter = generator.counter(Bmi2Features::detect());
            ///     assert_eq!(counter.count(&Position::start(), 3), 8902);
            /// }
            /// ```
            pub fn counter(self, features: Option<Bmi2Features>) -> Box<dyn LeafCounter> {
                match self {
                    $(Generator::$variant => <$board as Board>::counter(features),)*
                }
            }
        }
    };
}

each_generator!(registry);

by_name!(Generator, ParseGeneratorError);
