//! Lists of positions with known counts, read by [`Suite::from_text`](perft_core::suite::Suite::from_text).

mod files;
mod forms;
