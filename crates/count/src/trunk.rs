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
//! The trunk is generic over a [`Tree`], which says what is added up over the leaf nodes. [`PositionTree`] adds up
//! their number.

use std::iter::Sum;
use std::ops::{Add, Mul};

use perft_core::{Interrupted, LeafCounter, Move, Position};
use rayon::prelude::*;

use super::progress::{Progress, Share};
use super::subtree;
use super::table::Table;

/// The depth, in plies, at which a subtree is no longer split between threads or interrupted.
pub(super) const SUBTREE_DEPTH: u32 = 4;

/// The value that is added up over the leaf nodes: their number, or several numbers.
pub(super) trait Total:
    Copy + Default + Send + Add<Output = Self> + Mul<u128, Output = Self> + Sum
{
    fn nodes(self) -> u128;
}

impl Total for u128 {
    fn nodes(self) -> u128 {
        self
    }
}

/// A tree of positions whose last plies a leaf counter counts, with or without a table.
pub(super) trait Tree: Send + Sync {
    type Total: Total;

    fn counter(&self) -> &dyn LeafCounter;

    /// Returns the total `depth` plies below a position. The depth is at most `SUBTREE_DEPTH`.
    fn subtree(&self, position: &Position, depth: u32) -> Self::Total;

    /// Returns the sum over some parents of a family, as [`LeafCounter::three_plies_of_family`] does. It returns `None`
    /// for all parents, or for none.
    fn three_plies_of_family(&self, parents: &[(Position, u64)]) -> Option<Self::Total>;

    /// Returns the total `depth` plies below a position if the table has it.
    fn get(&self, position: &Position, depth: u32) -> Option<Self::Total>;

    /// Stores the total `depth` plies below a position in the table.
    fn put(&self, position: &Position, depth: u32, total: Self::Total);
}

/// The tree whose leaf nodes are counted.
#[derive(Clone, Copy)]
pub(super) struct PositionTree<'a> {
    pub(super) counter: &'a dyn LeafCounter,
    pub(super) table: Option<&'a Table>,
}

impl Tree for PositionTree<'_> {
    type Total = u128;

    fn counter(&self) -> &dyn LeafCounter {
        self.counter
    }

    fn subtree(&self, position: &Position, depth: u32) -> u128 {
        let nodes = match self.table.filter(|_| depth >= self.counter.min_table_depth()) {
            Some(table) => subtree::count(self.counter, table, position, depth),
            None => self.counter.count(position, depth),
        };
        nodes.into()
    }

    fn three_plies_of_family(&self, parents: &[(Position, u64)]) -> Option<u128> {
        self.counter.three_plies_of_family(parents).map(u128::from)
    }

    fn get(&self, position: &Position, depth: u32) -> Option<u128> {
        let table = self.table?;
        table.probe(table.key(position, depth)).map(u128::from)
    }

    fn put(&self, position: &Position, depth: u32, nodes: u128) {
        if let Some(table) = self.table {
            table.put(table.key(position, depth), nodes);
        }
    }
}

/// Counts a tree from the root down to its subtrees.
pub(super) struct Trunk<'a, T> {
    pub(super) tree: T,
    pub(super) threads: Threads,
    pub(super) progress: &'a Progress,
}

impl<T: Tree> Trunk<'_, T> {
    pub(super) fn plain(&self) -> Trunk<'_, PositionTree<'_>> {
        let tree = PositionTree { counter: self.tree.counter(), table: None };
        Trunk { tree, threads: self.threads, progress: self.progress }
    }

    /// At depth 0 the list is empty.
    pub(super) fn divide(&self, root: &Position, depth: u32) -> Result<Vec<(Move, T::Total)>, Interrupted> {
        let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        let children = self.children(root);
        let share = Share::WHOLE.split(children.len());
        let count = |(played, child): &(Move, Position)| Ok((*played, self.count(child, below, share)?));
        self.threads.map(&children, count)
    }

    /// Returns the total `depth` plies below a position. The count is this share of the whole.
    pub(super) fn count(
        &self,
        position: &Position,
        depth: u32,
        share: Share,
    ) -> Result<T::Total, Interrupted> {
        if self.progress.is_stopped() {
            return Err(Interrupted);
        }
        let known = if depth <= SUBTREE_DEPTH {
            Some(self.tree.subtree(position, depth))
        } else {
            self.tree.get(position, depth)
        };
        if let Some(total) = known {
            self.progress.add(total.nodes(), share);
            return Ok(total);
        }
        let total = self.sum(position, depth, share)?;
        self.tree.put(position, depth, total);
        Ok(total)
    }

    fn sum(&self, position: &Position, depth: u32, share: Share) -> Result<T::Total, Interrupted> {
        let children = self.children(position);
        let share = share.split(children.len());
        let count = |(_, child): &(Move, Position)| self.count(child, depth - 1, share);
        Ok(self.threads.map(&children, count)?.into_iter().sum())
    }

    fn children(&self, position: &Position) -> Vec<(Move, Position)> {
        let moves = self.tree.counter().moves(position);
        moves.iter().map(|&played| (played, position.play_legal(played))).collect()
    }
}

/// The threads that share a loop. Each item of the loop is a separate task. With larger tasks, a thread without work
/// would have to wait until another thread has finished its whole task.
#[derive(Clone, Copy, Debug)]
pub(super) enum Threads {
    Caller,
    /// The threads of the current rayon pool.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "there is no pool"))]
    Pool,
}

impl Threads {
    pub(super) fn count(self) -> usize {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Threads::Pool => rayon::current_num_threads(),
            _ => 1,
        }
    }

    /// Returns the results for all items, in the order of the items, or an error if there is one.
    pub(super) fn map<I, T, R, E>(
        self,
        items: I,
        result_of: impl Fn(T) -> Result<R, E> + Sync + Send,
    ) -> Result<Vec<R>, E>
    where
        I: IntoIterator<Item = T> + IntoParallelIterator<Item = T, Iter: IndexedParallelIterator>,
        T: Send,
        R: Send,
        E: Send,
    {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Threads::Pool => items.into_par_iter().with_max_len(1).map(result_of).collect(),
            _ => items.into_iter().map(result_of).collect(),
        }
    }
}
