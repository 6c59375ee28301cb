//! Finding where generators differ: random positions, comparisons, and what is left of a position when all that does not
//! matter is taken away.

mod agree;
pub mod random;
mod shrink;

pub use agree::{Agreement, BoardPlayer, Disagreement, Player, PlayerCounts, agree, player};
pub use shrink::shrunk;
