//! A faster count with mutations. It gives the same numbers as the plain one, which the tests compare.
//!
//! Two things make it fast. Equal positions with the same depth are counted once. And the count without mutations
//! remembers for each position which mutations the generator asked about anywhere below it. A generator with other
//! mutations does exactly the same there, so the known count is its count too. Few mutations matter in most positions.

use std::collections::HashMap;

use perft_core::{Interrupted, Position};

use super::MutatedBoard;
use super::catalogue::Mutations;

/// A packed board and a depth.
type Key = ([u64; 6], u32);

/// The count of a position at a depth.
#[derive(Clone, Copy, Debug)]
struct Known {
    nodes: u64,
    /// The mutations that the generator asked about.
    asked: Mutations,
}

/// The counts of all positions of a tree without mutations.
#[derive(Debug, Default)]
pub(crate) struct KnownCounts(HashMap<Key, Known>);

/// How many leaf parents are counted before the caller is asked whether to go on.
const LEAF_PARENTS_BETWEEN_CHECKS: u32 = 1024;

/// A count in progress.
pub(crate) struct MergedCount<'a> {
    /// The counts without mutations, or `None` while these are counted.
    right: Option<&'a KnownCounts>,
    /// The counts with the mutations.
    own: KnownCounts,
    may_go_on: &'a (dyn Fn() -> bool + Sync),
    leaf_parents: u32,
}

impl KnownCounts {
    /// Counts the leaf nodes without mutations at each depth from 0, and keeps the counts of all positions.
    ///
    /// # Errors
    /// Returns an error if the caller does not want to go on.
    pub fn of(
        position: &Position,
        depth: u32,
        may_go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Vec<u64>, KnownCounts), Interrupted> {
        let mut merged = MergedCount::new(None, may_go_on);
        let (counts, _) = merged.count_all(position, depth, Mutations::NONE)?;
        Ok((counts, merged.own))
    }
}

impl<'a> MergedCount<'a> {
    fn new(right: Option<&'a KnownCounts>, may_go_on: &'a (dyn Fn() -> bool + Sync)) -> MergedCount<'a> {
        MergedCount { right, own: KnownCounts::default(), may_go_on, leaf_parents: 0 }
    }

    /// Counts the leaf nodes with mutations at each depth from 0. Also returns the mutations that could have changed
    /// the counts.
    ///
    /// # Errors
    /// Returns an error if the caller does not want to go on.
    pub fn of(
        position: &Position,
        depth: u32,
        mutations: Mutations,
        right: &'a KnownCounts,
        may_go_on: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<(Vec<u64>, Mutations), Interrupted> {
        MergedCount::new(Some(right), may_go_on).count_all(position, depth, mutations)
    }

    fn count_all(
        &mut self,
        position: &Position,
        depth: u32,
        mutations: Mutations,
    ) -> Result<(Vec<u64>, Mutations), Interrupted> {
        let mut board = MutatedBoard::new(position, mutations);
        let counts = (0..=depth).map(|depth| {
            // An unmade move may have left the board changed.
            let mut fresh = MutatedBoard::new(position, mutations);
            let nodes = self.count(&mut fresh, depth);
            board.rules.asked = board.rules.asked.union(fresh.rules.asked);
            nodes
        });
        let counts = counts.collect::<Result<_, _>>()?;
        Ok((counts, board.rules.asked))
    }

    fn count(&mut self, board: &mut MutatedBoard, depth: u32) -> Result<u64, Interrupted> {
        if depth == 0 {
            return Ok(1);
        }
        let key = (board.board.packed(), depth);
        let mutations = board.rules.mutations;
        let right = self.right.and_then(|right| right.0.get(&key));
        let known = right.filter(|known| !known.asked.intersects(mutations)).or_else(|| self.own.0.get(&key));
        if let Some(known) = known {
            board.rules.asked = board.rules.asked.union(known.asked);
            return Ok(known.nodes);
        }
        let (before, asked_before) = (board.board, board.rules.asked);
        board.rules.asked = Mutations::NONE;
        let nodes = self.count_below(board, depth)?;
        let asked = board.rules.asked;
        // A mutation of taking back moves changes the board. Then the next position depends on more than this count.
        if board.board == before && (depth > 1 || self.right.is_none()) {
            self.own.0.insert(key, Known { nodes, asked });
        }
        board.rules.asked = asked.union(asked_before);
        Ok(nodes)
    }

    fn count_below(&mut self, board: &mut MutatedBoard, depth: u32) -> Result<u64, Interrupted> {
        if depth == 1 {
            self.leaf_parents += 1;
            if self.leaf_parents.is_multiple_of(LEAF_PARENTS_BETWEEN_CHECKS) && !(self.may_go_on)() {
                return Err(Interrupted);
            }
            return Ok(board.count_moves());
        }
        let (mut nodes, mut has_child) = (Ok(0), false);
        board.each_child(|_, child| {
            has_child = true;
            if let Ok(sum) = nodes {
                nodes = self.count(child, depth - 1).map(|more| sum + more);
            }
        });
        Ok(nodes? + u64::from(!has_child && board.counts_end()))
    }
}
