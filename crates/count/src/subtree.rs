//! Counts a subtree with a table: the last plies of a tree, which one thread counts without interruption.
//!
//! Reading a bucket of the table from memory takes as long as counting several leaf parents. To hide this delay, all
//! children of a node are made first, together with their keys, and their buckets are prefetched. When the first child
//! is probed, most of the buckets have arrived. Two plies above the leaves, the children that are not in the table are
//! counted together, in vector lanes if the CPU path has them.

use arrayvec::ArrayVec;
use perft_core::{LeafCounter, Move, Position};

use super::table::{ProbeCounts, Table};
use crate::keys::Key;

/// The number of children whose buckets are prefetched together. Most nodes have no more children, and the cache lines
/// fit into an L1 cache.
const GROUP: usize = 32;

/// Returns the number of leaf nodes `depth` plies below a position. The depth is at least
/// [`LeafCounter::min_table_depth`].
///
/// The result fits into 64 bits, since four plies have at most `MAX_MOVES`^4 < 2^38 leaf nodes.
pub(super) fn count(counter: &dyn LeafCounter, table: &Table, position: &Position, depth: u32) -> u64 {
    let mut subtree = HashedSubtree { counter, table, probes: ProbeCounts::default() };
    let nodes = subtree.count(position, table.key(position, depth), depth);
    table.add(subtree.probes);
    nodes
}

/// Some children of a position.
type Positions = ArrayVec<Position, GROUP>;

type Keys = ArrayVec<Key, GROUP>;

/// Counts a subtree with a table.
struct HashedSubtree<'a> {
    counter: &'a dyn LeafCounter,
    table: &'a Table,
    /// The probes of this subtree. They are added to those of the table at the end.
    probes: ProbeCounts,
}

impl HashedSubtree<'_> {
    fn count(&mut self, position: &Position, key: Key, depth: u32) -> u64 {
        debug_assert!(depth >= self.counter.min_table_depth());
        if let Some(nodes) = self.probes.record(self.table.get(key)) {
            return nodes;
        }
        let nodes = if depth == self.counter.min_table_depth() {
            self.counter.count(position, depth)
        } else {
            let moves = self.counter.moves(position);
            moves.chunks(GROUP).map(|moves| self.count_children(position, moves, depth - 1)).sum()
        };
        self.table.put(key, nodes.into());
        nodes
    }

    /// Returns the number of leaf nodes `depth` plies below the positions after these moves. There are at most
    /// [`GROUP`] moves.
    fn count_children(&mut self, position: &Position, moves: &[Move], depth: u32) -> u64 {
        let (mut children, mut keys) = (Positions::new(), Keys::new());
        for played in moves {
            let child = position.play_legal(*played);
            keys.push(self.prefetched_key(&child, depth));
            children.push(child);
        }
        if depth == 2 {
            self.count_siblings(position, &children, &keys)
        } else {
            children.iter().zip(keys).map(|(child, key)| self.count(child, key, depth)).sum()
        }
    }

    /// Returns the number of leaf nodes two plies below some children of a position. The children that are not in the
    /// table are counted together.
    fn count_siblings(&mut self, parent: &Position, children: &Positions, keys: &Keys) -> u64 {
        let (mut missing, mut missing_keys) = (Positions::new(), Keys::new());
        let mut nodes = 0;
        for (child, key) in children.iter().zip(keys) {
            if let Some(known) = self.probes.record(self.table.get(*key)) {
                nodes += known;
            } else {
                missing.push(*child);
                missing_keys.push(*key);
            }
        }
        let mut counts = [0; GROUP];
        let counts = &mut counts[..missing.len()];
        self.counter.two_plies_each(parent, &missing, counts);
        for (key, count) in missing_keys.iter().zip(counts) {
            self.table.put(*key, (*count).into());
            nodes += *count;
        }
        nodes
    }

    #[inline(always)]
    fn prefetched_key(&self, position: &Position, depth: u32) -> Key {
        let key = self.table.key(position, depth);
        self.table.prefetch(key);
        key
    }
}
