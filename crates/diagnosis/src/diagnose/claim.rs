//! Numbers of a program, and the right ones.

use perft_core::{Interrupted, Position};

/// The largest right count that is counted with mutations. Above it, a single mutation takes seconds.
const MAX_NODES: u128 = 60_000_000;

/// A number of leaf nodes that a program gave, right or wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The position.
    pub position: Position,
    /// The depth in plies.
    pub depth: u32,
    /// The number that the program gave.
    pub nodes: u128,
}

/// A number of a program, together with the right number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedClaim {
    /// The number that the program gave.
    pub claim: Claim,
    /// The right number of leaf nodes.
    pub right: u128,
}

impl CheckedClaim {
    /// Whether the program is right.
    pub fn is_right(&self) -> bool {
        self.claim.nodes == self.right
    }

    /// Whether the right number is small enough to be counted with mutations.
    pub fn is_tried(&self) -> bool {
        self.right <= MAX_NODES
    }
}

/// A function that returns the right number of leaf nodes at a depth below a position, unless it is interrupted.
pub type Count<'a> = &'a (dyn Fn(&Position, u32) -> Result<u128, Interrupted> + Sync);
