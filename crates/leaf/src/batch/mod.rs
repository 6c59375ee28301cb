//! Counts three plies at once, with several positions in the lanes of vector registers.
//!
//! The chapter "How three plies are counted at once" of the book (`docs/src/three-plies.md`) shows the method on a board,
//! and `crates/leaf/README.md` has its rules. The code uses the words and names of both. The most important words are:
//!
//! - The *parent* is the position that the counter gets, three plies above the leaves. The *replier* is to move.
//! - A *node* is a position after a move of the replier. The *mover* is to move. Each lane has one node.
//! - A *leaf parent* is a position after a move of the mover. The legal moves of the replier there are the *replies*,
//!   which are counted.
//! - A *pass* means that the mover does not move. The replies to a pass are counted once per node.
//! - A *plain move* of the mover is never made. Its number of replies is computed from the replies to a pass and the
//!   *reply changes* of its two squares. An *exception* is made, and its replies are counted.
//!
//! ```text
//!   parent          the replier moves: its moves are made, one per lane
//!     |
//!   nodes           pawns   | a2.. | a2.. | a3.. | ... | a2.. |
//!     |             knights | b1.. | c3.. | b1.. | ... | b1.. |      and the other sets of pieces
//!     |
//!     +-- plain moves of the mover: never made, replies = replies to a pass + reply changes of from and to
//!     |
//!     +-- exceptions (checks, pins, squares near the king): listed, then made, one per lane
//!           |
//!         leaf parents      replies |  20  |  3  |  22  | ... |  19  |
//! ```
//!
//! Nodes can also be given as positions. Then each node has its own count ([`nodes`]). All nodes of a count are of one
//! *family*: they have the mover's pieces and the castling rights in common. The parent represents the family of its
//! children. Below many parents of one family, equal nodes are merged (`family.rs`).
//!
//! [`counter`] calls the other modules in this order:
//!
//! - [`boards`] stores moves as numbers and makes them.
//! - [`analysis`] finds attacks, checks and pins of the nodes with [`rays`], and counts the replies to a pass and to
//!   the exceptions.
//! - [`reply_changes`] computes lost and gained replies, and the corrections for pins that end and for moves that the
//!   king loses.
//! - [`exceptions`] finds the squares that make a move an exception.
//! - [`moves`] sorts the mover's moves. [`counter`] computes the correction for moves along a line of attack.
//!
//! The code is written once for all widths of vectors ([`lanes`]). The widths are in `avx2.rs`, `avx512.rs`, and
//! `pairs.rs` for ARM and WebAssembly. All but AVX-512 slide in the same way (`bytes.rs`).
//!
//! The test `crates/count/tests/count/paths.rs` compares the counts with those of the scalar counter.

// The module for WebAssembly has no counts of listed nodes.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

#[macro_use]
mod operators;

mod analysis;
#[cfg(x86_paths)]
mod avx2;
#[cfg(x86_paths)]
mod avx512;
mod boards;
mod bytes;
mod counter;
mod exceptions;
#[cfg(not(target_family = "wasm"))]
mod family;
pub mod lanes;
mod moves;
#[cfg(all(two_lane_paths, target_arch = "aarch64"))]
mod neon;
mod nodes;
#[cfg(two_lane_paths)]
mod pairs;
mod rays;
mod reply_changes;
#[cfg(all(two_lane_paths, target_arch = "wasm32"))]
mod simd128;

#[cfg(x86_paths)]
pub use avx2::FourLanes;
#[cfg(x86_paths)]
pub use avx512::EightLanes;
#[cfg(not(target_family = "wasm"))]
pub use counter::two_plies_each;
pub use counter::{may_promote, three_plies};
#[cfg(not(target_family = "wasm"))]
pub use family::{MergedNodes, three_plies_of_family};
pub use lanes::Width;
#[cfg(two_lane_paths)]
pub use pairs::TwoLanes;
