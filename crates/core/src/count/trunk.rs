//! The trunk of a tree: the plies above the units.
//!
//! In the trunk totals have 128 bits, work is shared between threads, progress is noted, and the count can be
//! interrupted. Below it hang the *units*, subtrees of a few plies that one thread counts in a millisecond or so.
//!
//! ```text
//!   root                    trunk: split at every node, all the way down, so that the last second is shared too
//!     |  |  |
//!     o  o  o  ...
//!    /|\ ...
//!   o o o         SUBTREE_DEPTH plies from the leaves: units, one thread each
//! ```
//!
//! What the nodes are and how a unit is counted is the matter of a [`Tree`]: positions with leaf counters and a table
//! ([`PositionTree`]), or the boards of some generator of the laboratory.

use rayon::prelude::*;

use super::leaf::LeafCounter;
use super::progress::{Interrupted, Progress, Share};
use super::subtree;
use super::table::Table;
use crate::position::Position;
use crate::types::Move;

/// Plies from the leaves at which a subtree is no longer split or interrupted.
pub(super) const SUBTREE_DEPTH: u32 = 4;

/// What is added up over the leaves: a number of them, or several.
pub trait Total: Copy + Send {
    /// That of no leaves.
    const ZERO: Self;

    /// That of the leaves of both.
    fn plus(self, other: Self) -> Self;

    /// The number of leaf nodes.
    fn nodes(self) -> u128;
}

impl Total for u128 {
    const ZERO: u128 = 0;

    fn plus(self, other: u128) -> u128 {
        self + other
    }

    fn nodes(self) -> u128 {
        self
    }
}

/// What a trunk is made of.
pub trait Tree: Send + Sync {
    type Node: Send + Sync;

    type Total: Total;

    /// The nodes one ply below, with the moves that lead there.
    fn children(&self, node: &Self::Node) -> Vec<(Move, Self::Node)>;

    /// The total below, at most [`SUBTREE_DEPTH`] plies down.
    fn subtree(&self, node: &Self::Node, depth: u32) -> Self::Total;

    /// The total below, if it is remembered; otherwise counted, and remembered where there is a place for it.
    fn recall(
        &self,
        _node: &Self::Node,
        _depth: u32,
        count: impl FnOnce() -> Result<Self::Total, Interrupted>,
    ) -> Result<Self::Total, Interrupted> {
        count()
    }
}

/// Positions, whose last plies a leaf counter counts.
#[derive(Clone, Copy)]
pub(super) struct PositionTree<'a> {
    pub(super) counter: &'a dyn LeafCounter,
    pub(super) table: Option<&'a Table>,
}

impl Tree for PositionTree<'_> {
    type Node = Position;

    type Total = u128;

    fn children(&self, position: &Position) -> Vec<(Move, Position)> {
        let moves = self.counter.moves(position);
        moves.iter().map(|&played| (played, position.play_unchecked(played))).collect()
    }

    fn subtree(&self, position: &Position, depth: u32) -> u128 {
        subtree::count(self.counter, self.table, position, depth).into()
    }

    fn recall(
        &self,
        position: &Position,
        depth: u32,
        count: impl FnOnce() -> Result<u128, Interrupted>,
    ) -> Result<u128, Interrupted> {
        let Some(table) = self.table else { return count() };
        let key = table.key(position, depth);
        if let Some(nodes) = table.probe(key) {
            return Ok(nodes.into());
        }
        let nodes = count()?;
        table.put(key, nodes);
        Ok(nodes)
    }
}

/// A move at the root and the leaf nodes below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub played: Move,
    /// The leaf nodes of the subtree that it leads to.
    pub nodes: u128,
}

/// The recursion, with everything that was chosen at the door.
pub struct Trunk<'a, T> {
    pub tree: T,
    pub parallel: bool,
    pub progress: &'a Progress,
}

impl<'a, 'c> Trunk<'a, PositionTree<'c>> {
    /// The same, but nothing is remembered.
    pub(super) fn without_table(&self) -> Trunk<'a, PositionTree<'c>> {
        Trunk { tree: PositionTree { table: None, ..self.tree }, ..*self }
    }
}

impl<T: Tree> Trunk<'_, T> {
    /// The leaf nodes below each child.
    pub fn divide(&self, root: &T::Node, depth: u32) -> Result<Vec<RootMove>, Interrupted> {
        let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        let children = self.tree.children(root);
        let share = Share::WHOLE.split(children.len());
        let count = |(played, child): &(Move, T::Node)| {
            Ok(RootMove { played: *played, nodes: self.count(child, below, share)?.nodes() })
        };
        if self.parallel {
            children.par_iter().with_max_len(1).map(count).collect()
        } else {
            children.iter().map(count).collect()
        }
    }

    /// A node of the trunk; further down, a unit.
    pub fn count(&self, node: &T::Node, depth: u32, share: Share) -> Result<T::Total, Interrupted> {
        if self.progress.is_stopped() {
            return Err(Interrupted);
        }
        if depth <= SUBTREE_DEPTH {
            let total = self.tree.subtree(node, depth);
            self.progress.add(total.nodes(), share);
            return Ok(total);
        }
        let mut was_counted = false;
        let total = self.tree.recall(node, depth, || {
            was_counted = true;
            self.sum(node, depth, share)
        })?;
        if !was_counted {
            self.progress.add(total.nodes(), share);
        }
        Ok(total)
    }

    fn sum(&self, node: &T::Node, depth: u32, share: Share) -> Result<T::Total, Interrupted> {
        let children = self.tree.children(node);
        let child_share = share.split(children.len());
        let count = |(_, child): &(Move, T::Node)| self.count(child, depth - 1, child_share);
        // One child a piece: larger ones leave a thread without work for as long as another takes to finish its own.
        if self.parallel {
            children.par_iter().with_max_len(1).map(count).try_reduce(|| T::Total::ZERO, |a, b| Ok(a.plus(b)))
        } else {
            children.iter().map(count).try_fold(T::Total::ZERO, |sum, total| Ok(sum.plus(total?)))
        }
    }
}
