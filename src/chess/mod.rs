//! Chess as a perft counter needs it: the nouns, who attacks what, and positions.
//!
//! [`types`] knows no rules, [`attacks`] knows how pieces move on a board with given blockers, and [`position`]
//! knows what a legal position is, how text becomes one, and how a move changes it. Which moves are legal is decided
//! one layer up, in [`crate::movegen`].

pub mod attacks;
pub mod position;
pub mod types;
