//! Chess as a perft counter needs it.

pub mod types;
