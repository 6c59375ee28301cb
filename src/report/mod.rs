//! What several commands report. The text and the JSON are those of the same records.
//!
//! - `engine`: an engine, with notes and errors about what it is not asked, causes, and what a user types to see a bug
//! - `counts`: the counts of depths and moves
//! - `exact_time`: how long an exact count would take

pub mod counts;
pub mod engine;
pub mod exact_time;
