//! The trunk: the upper plies of a tree, down to the subtrees that one thread counts.
//!
//! In the trunk, totals have 128 bits, threads share the work, progress is reported, and the count can be stopped.
//! Below the trunk are the *subtrees*: the last [`SUBTREE_DEPTH`] plies, which one thread counts in about a millisecond
//! without interruption.
//!
//! ```text
//!   root                    trunk: every node is split between the threads, so that no thread is idle near the end
//!     |  |  |
//!     o  o  o  ...
//!    /|\ ...
//!   o o o                   SUBTREE_DEPTH plies above the leaves: subtrees
//! ```
//!
//! The trunk is generic over a [`Tree`], which defines the nodes and how a subtree is counted. [`PositionTree`] is the
//! tree of positions with a leaf counter and a table.

use std::iter::Sum;
use std::ops::Add;

use perft_core::internals::LeafCounter;
use perft_core::{Interrupted, Move, Position};
use rayon::prelude::*;

use super::progress::{Progress, Share};
use super::subtree;
use super::table::Table;

/// The depth, in plies, at which a subtree is no longer split between threads or interrupted.
pub(super) const SUBTREE_DEPTH: u32 = 4;

/// The largest number of positions that are counted together below a frontier.
pub(super) const FAMILY_BATCH: usize = 64;

/// The value that is added up over the leaf nodes: their number, or several numbers.
pub trait Total: Copy + Default + Send + Add<Output = Self> + Sum {
    /// Returns the total of this many equal subtrees.
    fn times(self, multiplicity: u64) -> Self;

    /// Returns the number of leaf nodes.
    fn nodes(self) -> u128;
}

impl Total for u128 {
    fn times(self, multiplicity: u64) -> u128 {
        self * u128::from(multiplicity)
    }

    fn nodes(self) -> u128 {
        self
    }
}

/// A tree: its nodes, and how its subtrees are counted.
pub trait Tree: Send + Sync {
    /// A node: a position in some representation.
    type Node: Send + Sync;

    /// The value that is added up over the leaf nodes.
    type Total: Total;

    /// Returns the nodes one ply below, each with the move that leads to it.
    fn children(&self, node: &Self::Node) -> Vec<(Move, Self::Node)>;

    /// Returns the total `depth` plies below a node. The depth is at most `SUBTREE_DEPTH`.
    fn subtree(&self, node: &Self::Node, depth: u32) -> Self::Total;

    /// Returns the total below a node of the trunk from the tree's table, or calls `count` and stores its result there.
    ///
    /// The default is for trees without a table.
    fn get_or_count(
        &self,
        _node: &Self::Node,
        _depth: u32,
        count: impl FnOnce() -> Result<Self::Total, Interrupted>,
    ) -> Result<Self::Total, Interrupted> {
        count()
    }
}

/// A tree whose nodes are positions, so that it can be counted below the positions of a frontier.
pub(crate) trait BelowPositions: Tree<Node = Position> {
    /// Returns the counter of the last plies.
    fn counter(&self) -> &dyn LeafCounter;

    /// Returns the sum over some nodes of a family: multiplicity times the total two plies below. `family` is one of
    /// these positions, or another one of the family (see [`LeafCounter::two_plies_each`]).
    fn two_plies(&self, family: &Position, nodes: &[Position], multiplicities: &[u64]) -> Self::Total;
}

/// The tree of positions, whose last plies a leaf counter counts.
#[derive(Clone, Copy)]
pub(super) struct PositionTree<'a> {
    pub(super) counter: &'a dyn LeafCounter,
    pub(super) table: Option<&'a Table>,
}

impl Tree for PositionTree<'_> {
    type Node = Position;

    type Total = u128;

    fn children(&self, position: &Position) -> Vec<(Move, Position)> {
        children(self.counter, position)
    }

    fn subtree(&self, position: &Position, depth: u32) -> u128 {
        subtree::count(self.counter, self.table, position, depth).into()
    }

    fn get_or_count(
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

impl BelowPositions for PositionTree<'_> {
    fn counter(&self) -> &dyn LeafCounter {
        self.counter
    }

    fn two_plies(&self, family: &Position, nodes: &[Position], multiplicities: &[u64]) -> u128 {
        let mut counts = [0; FAMILY_BATCH];
        let counts = &mut counts[..nodes.len()];
        self.counter.two_plies_each(family, nodes, counts);
        let weighted = counts.iter().zip(multiplicities);
        weighted.map(|(&count, &multiplicity)| u128::from(count) * u128::from(multiplicity)).sum()
    }
}

/// Returns the positions after all legal moves, each with its move.
pub(super) fn children(counter: &dyn LeafCounter, position: &Position) -> Vec<(Move, Position)> {
    let moves = counter.moves(position);
    moves.iter().map(|&played| (played, position.play_unchecked(played))).collect()
}

/// Counts a tree from the root down to its subtrees.
pub struct Trunk<'a, T> {
    /// The tree.
    pub tree: T,
    /// Whether the threads of the current rayon pool share the work.
    pub parallel: bool,
    /// Receives the progress and has the stop signal.
    pub progress: &'a Progress,
}

impl<T: BelowPositions> Trunk<'_, T> {
    /// Returns the trunk of a plain count without a table, with the same leaf counter.
    pub(super) fn plain(&self) -> Trunk<'_, PositionTree<'_>> {
        let tree = PositionTree { counter: self.tree.counter(), table: None };
        Trunk { tree, parallel: self.parallel, progress: self.progress }
    }
}

impl<T: Tree> Trunk<'_, T> {
    /// Returns the total below each move at the root. At depth 0 there are no moves.
    pub fn divide(&self, root: &T::Node, depth: u32) -> Result<Vec<(Move, T::Total)>, Interrupted> {
        let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        let children = self.tree.children(root);
        let share = Share::WHOLE.split(children.len());
        let count = |(played, child): &(Move, T::Node)| Ok((*played, self.count(child, below, share)?));
        if self.parallel {
            children.par_iter().with_max_len(1).map(count).collect()
        } else {
            children.iter().map(count).collect()
        }
    }

    /// Returns the total `depth` plies below a node. The count is this share of the whole.
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
        let total = self.tree.get_or_count(node, depth, || {
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
        // Each child is a separate task. With larger tasks, a thread without work would have to wait until another
        // thread has finished its whole task.
        if self.parallel {
            children.par_iter().with_max_len(1).map(count).try_reduce(T::Total::default, |a, b| Ok(a + b))
        } else {
            children.iter().map(count).sum()
        }
    }
}
