//! Finding where generators differ, and why.
//!
//! Built-in generators are compared with each other on random positions ([`agree()`]). A foreign program is hunted: a wrong
//! count is followed down to the positions where its moves are wrong ([`descend`]), each is turned over until it is clear
//! what kind of bug it is ([`Verdict`]), explained in the language of the rules ([`explain()`]), and freed of all that does
//! not matter ([`shrunk`]).

mod agree;
mod case;
mod compare;
mod explain;
mod fuzz;
mod line;
pub mod random;
mod search;
pub mod serve;
mod shrink;
pub mod source;
mod state;
mod verdict;

pub use agree::{Agreement, BoardPlayer, Disagreement, Player, PlayerCounts, agree, player};
pub use case::{HuntOptions, HuntSummary, HuntTarget, hunt};
pub use compare::{DivideDifference, WrongCount};
pub use explain::{Explanation, Theme, explain, explain_path};
pub use fuzz::random_target;
pub use line::MovePath;
pub use search::{Fault, FaultKind, Halt, Inquiry, descend};
pub use shrink::shrink;
pub use verdict::{Finding, Verdict, WrongMove};
