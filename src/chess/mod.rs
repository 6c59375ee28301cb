//! Chess as a perft counter needs it.

pub mod attacks;
pub mod types;
