//! Finding where generators differ, and why.
//!
//! Built-in generators are compared with each other on random positions ([`agree()`]). A foreign program is hunted: a wrong
//! count is followed down to the positions where its moves are wrong ([`descend`]), each is turned over until it is clear
//! what kind of bug it is ([`Verdict`]), explained in the language of the rules ([`explain()`]), and freed of all that does
//! not matter ([`shrunk`]).

mod agree;
#[cfg(feature = "engine")]
mod case;
#[cfg(feature = "engine")]
mod compare;
mod explain;
#[cfg(feature = "engine")]
mod fuzz;
#[cfg(feature = "engine")]
mod line;
pub mod random;
#[cfg(feature = "engine")]
mod search;
mod shrink;
#[cfg(feature = "engine")]
mod state;
#[cfg(feature = "engine")]
mod suspect;
#[cfg(feature = "engine")]
mod verdict;

pub use agree::{Agreement, BoardPlayer, Disagreement, Player, PlayerCounts, agree, player};
#[cfg(feature = "engine")]
pub use case::{Bounds, Hunted, Quarry, hunt};
#[cfg(feature = "engine")]
pub use compare::{Comparison, WrongCount};
pub use explain::{Explanation, Theme, explain, history};
#[cfg(feature = "engine")]
pub use fuzz::random_quarry;
#[cfg(feature = "engine")]
pub use line::Line;
#[cfg(feature = "engine")]
pub use search::{Fault, FaultKind, Halt, Inquiry, descend};
pub use shrink::shrunk;
#[cfg(feature = "engine")]
pub use suspect::Suspect;
#[cfg(feature = "engine")]
pub use verdict::{Disputed, Finding, Verdict};
