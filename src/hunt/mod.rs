//! Finding where generators differ: random positions, comparisons, and what is left of a position when all that does not
//! matter is taken away; and why a move is legal or not, in the language of the rules.

mod agree;
mod explain;
pub mod random;
mod shrink;

pub use agree::{Agreement, BoardPlayer, Disagreement, Player, PlayerCounts, agree, player};
pub use explain::{Explanation, Theme, explain, history};
pub use shrink::shrunk;
