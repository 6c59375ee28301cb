//! Counting three plies in vectors: nodes side by side, a node a lane, and few leaf parents made at all.
//!
//! Three plies from the leaves a side, the *replier*, moves; that leads to the *nodes*, in which the *mover* moves; the
//! replier's moves after that are the *replies* that are counted. Sibling nodes differ very little, and so do the leaf
//! parents below one node. Both are used.
//!
//! ```text
//!   parent          replier moves, eight moves at once: eight nodes in the lanes of each set
//!     |
//!   nodes           pawns   | a2.. | a2.. | a3.. |  | a2.. |      analysis: slides, checks, pins, replies to a pass
//!     |             knights | b1.. | c3.. | b1.. |  | b1.. |      reply_changes: what a man on each square takes from the
//!     |             ...                                            replier, and gives
//!     +-- plain moves of the mover: never made. replies = replies to a pass + reply_changes, summed over squares
//!     |
//!     +-- exceptions moves (checks, pins, the king's zone): listed, made eight at a time, from whichever node
//!           |
//!         leaf parents    replies  |  20  |  3  |  22  |  |  19  |      sums of popcounts of masked target sets
//! ```
//!
//! The stages, in the order of the data: the moves of the parent as a [`list`] of numbers; [`boards`] in lanes; a
//! [`analysis`] of the nodes (sliders' [`rays`], checks and pins of both sides, attacked squares); [`reply_changes`] of squares, in
//! numbers of a few bits a square ([`bit_sliced`]), and what an [`pin_release`] man could do; what makes a move [`exceptions`]; the
//! mover's [`moves`], sorted; and the [`replies`] to the exceptions ones. [`counter`] ties them together.
//!
//! Nothing is looked up. On ranks and files all sliders of a side move at once by subtraction in bytes, on diagonals by an
//! occluded fill; two sliders of one side never reach one square in the same direction, so the popcounts of the directional
//! sets are the number of moves. The code is written once for all widths of vector ([`lanes`]).
//!
//! That plain moves are plain is an argument with many cases, so it is not left to the argument: every count is compared
//! with the scalar counter's in the ordinary tests, on the suites and on random positions made to be awkward
//! (`tests/paths.rs`).

mod analysis;
mod avx2;
mod avx512;
mod bit_sliced;
mod boards;
mod counter;
mod exceptions;
mod lanes;
mod list;
mod moves;
mod packed_move;
mod pin_release;
mod rays;
mod replies;
mod reply_changes;

pub use avx2::FourLanes;
pub use avx512::EightLanes;
pub use counter::three_plies;
