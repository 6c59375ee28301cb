//! Counts a subtree: the last plies of a tree, which one thread counts without interruption, with or without a table.
//!
//! Reading a bucket of the table from memory takes as long as counting several leaf parents. To hide this delay, all
//! children of a node are made first, together with their keys, and their buckets are prefetched. When the first child
//! is probed, most of the buckets have arrived. Two plies above the leaves, the children that are not in the table are
//! counted together, in vector lanes if the CPU path has them.

use arrayvec::ArrayVec;
use perft_core::internals::LeafCounter;
use perft_core::{Move, Position};

use super::table::{ProbeCounts, Table};
use crate::keys::Key;

/// The number of children whose buckets are prefetched together. Most nodes have no more children, and the cache lines
/// fit into an L1 cache.
const GROUP: usize = 32;

/// Returns the number of leaf nodes `depth` plies below a position.
///
/// The result fits into 64 bits, since four plies have at most `MAX_MOVES`^4 < 2^38 leaf nodes.
pub(super) fn count(
    counter: &dyn LeafCounter,
    table: Option<&Table>,
    position: &Position,
    depth: u32,
) -> u64 {
    let Some(table) = table.filter(|_| depth >= counter.min_table_depth()) else {
        return counter.count(position, depth);
    };
    let mut subtree = HashedSubtree { counter, table, probes: ProbeCounts::default() };
    let nodes = subtree.count(position, table.key(position, depth), depth);
    table.add(subtree.probes);
    nodes
}

/// Some children of a position.
type Positions = ArrayVec<Position, GROUP>;

/// The keys of these children.
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
            let child = position.play_unchecked(*played);
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

    /// Returns the key of a position and prefetches its bucket.
    #[inline(always)]
    fn prefetched_key(&self, position: &Position, depth: u32) -> Key {
        let key = self.table.key(position, depth);
        self.table.prefetch(key);
        key
    }
}

#[cfg(test)]
mod tests {
    use perft_leaf::Portable;

    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn a_table_does_not_change_the_count() {
        // The second position has 218 moves, which make several groups. The third has no moves.
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            let (path, position) = (&Portable::new(), position(fen));
            for depth in 0..=4 {
                let table = Table::new(1 << 20, 0).unwrap();
                let expected = count(path, None, &position, depth);
                assert_eq!(count(path, Some(&table), &position, depth), expected, "{fen} depth {depth}");
                assert_eq!(count(path, Some(&table), &position, depth), expected, "{fen} again");
            }
        }
    }

    #[test]
    fn nodes_are_probed_down_to_the_smallest_table_depth() {
        let table = Table::new(1 << 20, 0).unwrap();
        let probes_and_hits = |depth| {
            count(&Portable::new(), Some(&table), &Position::start(), depth);
            (table.statistics().probes, table.statistics().hits)
        };
        let min_depth = Portable::new().min_table_depth();
        assert_eq!(probes_and_hits(min_depth - 1), (0, 0));
        assert_eq!(probes_and_hits(min_depth), (1, 0));
        assert_eq!(probes_and_hits(min_depth), (2, 1));
        assert_eq!(probes_and_hits(min_depth + 1), (2 + 1 + 20, 1));
        assert_eq!(probes_and_hits(min_depth + 1), (2 + 1 + 20 + 1, 2));
    }
}
