//! Finds and explains bugs in chess move generators.
//!
//! Correct moves and counts come from [`perft_core`]. Nothing in this crate starts a process or prints anything.
//!
//! # Check your generator
//!
//! Write a function that sets up a FEN in your generator and returns each legal move with the number of leaf nodes
//! below it. Pass it to [`check()`] in a test. If a count is wrong, the test fails and prints the bugs: the rule, the
//! moves that are missing or illegal, and a small position for each.
//!
//! ```
//! use perft_core::suite::{self, Limits};
//! use perft_diagnosis::check;
//!
//! fn my_divide(fen: &str, depth: u32) -> Vec<(String, u128)> {
//!     // Call your generator here.
//! #   let position = perft_core::Position::from_fen(fen).unwrap();
//! #   let notation = position.castling_notation();
//! #   position.divide(depth).iter().map(|root| (root.played.to_uci(notation), root.nodes)).collect()
//! }
//!
//! check(suite::standard(), &Limits::max_nodes(2_000), my_divide).unwrap();
//! ```
//!
//! # More
//!
//! - [`hunt()`] follows the wrong counts of a generator ([`source::from_fn`]) or of another
//!   [`CountSource`](source::CountSource) down to the positions where it goes wrong. Each bug gets a [`Verdict`] (the
//!   kind of bug), the moves that are missing or not legal, and a small position that shows it.
//! - [`compare_with_reference`] finds where two sources disagree. It knows no rules, so they may play a variant.
//! - A [`Program`] asks a source. It judges refusals, asks again after a new start, and knows which letters of castling
//!   rights the source reads.
//! - A [`Model`] is a program that counts wrongly in one definite way. A cause is reported only if its model reproduces
//!   every answer. [`diagnose()`] finds the models that give wrong numbers, without the program.
//! - [`state::hunt_states`] compares the FENs and the keys that a program prints. Counts do not check these.
//! - [`DivideDifference`] compares one answer with the correct divide, and [`wrong_moves`] explains the difference.
//! - [`explain()`] says by the rules of chess why a move is legal or not, and [`explanations`] for each piece that a
//!   text can mean. [`explain_path`] says which moves changed castling rights and the en passant square.
//! - [`Drawing`] has the squares that a sentence talks about, and writes boards with arrows as SVG.
//! - [`shrink()`] removes everything from a position that a property does not need.
//! - [`random`] makes random positions with many checks, pins, promotions and castling moves.
//! - [`lines`] reads lines of limited length.
//! - With the feature `serde`, findings and summaries can be serialised.
//! - [`serve`] makes a UCI engine of a generator. [`source::Answer`] parses what engines print for a perft.
//!
//! # Other examples
//!
//! Hunt a bug in random positions, with moves played from them. This generator never castles:
//!
//! ```
//! use perft_core::{MoveKind, StopSignal};
//! use perft_diagnosis::source::{Question, from_fn};
//! use perft_diagnosis::{SearchOptions, Theme, hunt, random_target};
//!
//! fn never_castles(question: &Question) -> Vec<(String, u128)> {
//!     let position = question.end().unwrap();
//!     let mut counts = position.divide(question.depth);
//!     counts.retain(|root| root.played.kind() != MoveKind::Castling);
//!     let notation = position.castling_notation();
//!     counts.iter().map(|root| (root.played.to_uci(notation), root.nodes)).collect()
//! }
//!
//! let target = |number| (number < 1000).then(|| random_target(1, number as u64, 1));
//! let options = SearchOptions { findings: 1, ..SearchOptions::default() };
//! let summary = hunt(target, || Box::new(from_fn(never_castles)), options, &StopSignal::default(), |_| {});
//! let bug = &summary.findings[0];
//! assert!(bug.themes().iter().all(|(theme, is_missing)| {
//!     *is_missing && matches!(theme, Theme::CastlingKingSide | Theme::CastlingQueenSide)
//! }));
//! ```
//!
//! Explain why a move is illegal:
//!
//! ```
//! use perft_core::Position;
//! use perft_diagnosis::explain;
//!
//! let position = Position::from_fen("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1").unwrap();
//! assert_eq!(
//!     explain(&position, "e5d6").text,
//!     "e5d6 en passant is illegal: both pawns leave the fifth rank, \
//!      and the rook on h5 then attacks the king on a5",
//! );
//! ```
//!
//! Shrink a random position to the pieces that give a double check:
//!
//! ```
//! use perft_core::Position;
//! use perft_diagnosis::random::Random;
//! use perft_diagnosis::random::kinds::PositionKind;
//! use perft_diagnosis::shrink;
//!
//! let is_double_check = |position: &Position| position.checkers().has_many();
//! let mut random = Random::new(1);
//! let mut positions = std::iter::repeat_with(|| PositionKind::KingZone.position(&mut random));
//! let position = positions.find(is_double_check).unwrap();
//! let smallest = shrink(&position, is_double_check);
//! assert_eq!(smallest.occupied().count(), 4);
//! ```

#![warn(clippy::print_stderr, clippy::print_stdout)]

// The modules in the order in which data flows through them. A module uses those of its own group and of the groups
// before it; `difference` also uses `explain`, and `survey` uses `causes` and the lock of `search`.

// Modules that others use.
#[cfg(feature = "serde")]
mod fields;
pub mod lines;
mod named_enum;

// Random positions and games.
pub mod random;

// Questions, and reading the answers of programs.
pub mod source;

// The positions to ask about.
mod generated;
mod target;

// Comparing an answer with the right one.
mod difference;

// Causes of wrong answers: rules that are broken, and models of wrong programs.
mod chess960;
mod explain;
mod models;
pub mod mutations;
mod program;

// What wrong answers have in common.
mod evidence;
mod in_common;
mod properties;
mod survey;

// A bug: its smallest position, its kind and its causes, and its drawing.
mod causes;
mod drawing;
mod finding;
mod finding_text;
mod shrink;

// Searches for bugs, and for the causes of a number.
mod check;
mod diagnose;
mod hunt;
mod reference;
mod search;
#[cfg(feature = "serde")]
mod serialize;
pub mod state;

// A UCI engine made of a generator.
#[allow(clippy::disallowed_methods, reason = "a clock distinguishes a script from a client")]
pub mod serve;

pub use causes::{Causes, OtherWrong};
pub use check::{Bugs, check};
pub use diagnose::{
    AllButOne, Diagnosis, MAX_NODES_OF_CAUSES, MAX_NODES_OF_KINDS, TellingCount, Tried, causes_of, diagnose,
};
pub use difference::{
    DivideDifference, Told, Verdict, WrongCount, WrongMove, WrongTheme, explanations, wrong_moves,
};
pub use drawing::{Arrow, ArrowKind, Drawing, Mark};
pub use evidence::{About, Shared, shared_facts};
pub use explain::{Explanation, Theme, explain, explain_path};
pub use finding::Finding;
pub use finding_text::{FindingLine, FindingText};
pub use hunt::{CountFacts, HuntSummary, hunt};
pub use in_common::{InCommon, in_common};
pub use models::{Adding, Draw, Misreading, Model};
pub use program::Program;
pub use properties::{Property, PropertySet};
pub use reference::{
    AnswerDifference, Disagreement, DisagreementKind, Judgement, ReferenceFacts, ReferenceSummary,
    ReferenceTarget, compare_with_reference,
};
pub use search::{SearchOptions, SearchSummary, share_work};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serialize::PositionInfo;
pub use shrink::shrink;
pub use source::{Clocks, MovePath};
pub use survey::survey_for;
pub use target::{HuntTarget, counts_to, random_target, special_targets, unrestricted_target};

/// The items that the tests of this crate use in addition to the public API.
#[doc(hidden)]
pub mod internals {
    pub use crate::state::fields::wrong_fields;
}

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
