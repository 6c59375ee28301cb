//! Checks that the multiplicities of a new ply are right.

use std::ops::Add;

use perft_core::{Interrupted, Position};

use super::{CountedPosition, Counts, Frontier, FrontierError};
use crate::progress::Share;
use crate::trunk::{PositionTree, Trunk};

/// The largest number of nodes for each move that was played to make a ply, up to which the ply is compared with a
/// plain count. Up to this number, the plain count takes no more work than making the ply.
const CHECKED_NODES_PER_CHILD: u128 = 256;

/// The error of a frontier that failed its own check. The cause is a bug in the program or faulty memory of the
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the multiplicities at ply {ply} add up to {found}, not to the {expected} nodes of that ply")]
pub struct WrongSum {
    /// The ply.
    pub ply: u32,
    /// The number of nodes of the ply, counted in another way.
    pub expected: u128,
    /// The sum of the multiplicities.
    pub found: u128,
}

impl Frontier {
    /// Returns the root if the next ply, which has these children, is compared with a plain count.
    fn compared_root(&self, children: Counts) -> Option<&Position> {
        let is_cheap = children.nodes <= u128::from(children.positions) * CHECKED_NODES_PER_CHILD;
        self.root.as_ref().filter(|_| is_cheap)
    }

    /// Returns the share of the check of the next ply. It is half of the share of the ply if there is a plain count,
    /// and otherwise nothing.
    pub(super) fn share_of_check(&self, children: Counts, share: Share) -> Share {
        if self.compared_root(children).is_some() { share.part(1, 2) } else { Share::NONE }
    }

    /// Returns the number of legal moves of all positions, and the same number weighted by multiplicity, which is the
    /// number of nodes of the next ply.
    pub(super) fn count_children(&self, trunk: &Trunk<PositionTree>) -> Result<Counts, FrontierError> {
        let children = trunk.progress.while_merging(self.ply + 1, || self.count_moves(trunk))?;
        // Every multiplicity of the next ply is a part of this sum. If the sum fits into 64 bits, none overflows.
        if children.nodes > u64::MAX.into() {
            return Err(FrontierError::TooManyNodes { ply: self.ply + 1 });
        }
        Ok(children)
    }

    fn count_moves(&self, trunk: &Trunk<PositionTree>) -> Result<Counts, Interrupted> {
        self.sum(trunk, |positions| {
            let of_one = |counted: &CountedPosition| {
                let moves = trunk.tree.counter.count(&counted.position.unpack(), 1);
                Counts { positions: moves, nodes: u128::from(moves) * u128::from(counted.multiplicity) }
            };
            Ok(positions.iter().map(of_one).fold(Counts::default(), Counts::add))
        })
    }

    /// Counts the stored positions and adds up their multiplicities.
    pub(super) fn recount(&self, trunk: &Trunk<PositionTree>) -> Result<Counts, Interrupted> {
        self.sum(trunk, |positions| Ok(Counts::of(positions)))
    }

    /// Compares the next ply with the number of children of this one, and with a plain count of the tree if that is
    /// cheap. Returns the last ply that was compared with a plain count. `share` is the share of the check in the whole
    /// count.
    pub(super) fn check(
        &self,
        next: Counts,
        children: Counts,
        trunk: &Trunk<PositionTree>,
        share: Share,
    ) -> Result<u32, FrontierError> {
        let ply = self.ply + 1;
        let compare = |expected: u128| match next.nodes {
            found if found == expected => Ok(()),
            found => Err(WrongSum { ply, expected, found }),
        };
        compare(children.nodes)?;
        let Some(root) = self.compared_root(children) else { return Ok(self.checked_ply) };
        let plain = trunk.plain();
        compare(trunk.progress.while_checking(ply, || plain.count(root, ply, share))?)?;
        Ok(ply)
    }
}
