//! Perft over a protocol: ours served to other programs.

mod serve;

pub use serve::{Divide, Served, serve};
