//! Counting a unit: a subtree that one thread counts in one go, with the table or without.
//!
//! With a table, reading a bucket from memory takes as long as counting several leaf parents. So the children of a
//! node are all made first, their keys with them, and their buckets are asked for; by the time the first is probed,
//! most are there.

use arrayvec::ArrayVec;

use super::leaf::LeafCounter;
use super::table::{Table, Tally};
use crate::position::{Key, Position};
use crate::types::Move;

/// Children whose buckets are asked for together: most nodes have no more, and an L1 cache has room for their lines.
const GROUP: usize = 32;

/// The number of leaf nodes to a depth in plies. (With four plies at most 656^4 < 2^38.)
pub(super) fn count(
    counter: &dyn LeafCounter,
    table: Option<&Table>,
    position: &Position,
    depth: u32,
) -> u64 {
    let Some(table) = table.filter(|_| depth >= counter.min_table_depth()) else {
        return count_without_table(counter, position, depth);
    };
    let mut subtree = HashedSubtree { counter, table, tally: Tally::default() };
    let nodes = subtree.count(position, table.key(position, depth), depth);
    table.add(subtree.tally);
    nodes
}

fn count_without_table(counter: &dyn LeafCounter, position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => counter.one_ply(position),
        2 => counter.two_plies(position),
        3 => counter.three_plies(position),
        _ => {
            let count =
                |played: &Move| count_without_table(counter, &position.play_unchecked(*played), depth - 1);
            counter.moves(position).iter().map(count).sum()
        }
    }
}

/// A unit that is counted with a table, and what it has noted of its probes.
struct HashedSubtree<'a> {
    counter: &'a dyn LeafCounter,
    table: &'a Table,
    tally: Tally,
}

impl HashedSubtree<'_> {
    fn count(&mut self, position: &Position, key: Key, depth: u32) -> u64 {
        debug_assert!(depth >= self.counter.min_table_depth());
        if let Some(nodes) = self.tally.note(self.table.get(key)) {
            return nodes;
        }
        let nodes = if depth == self.counter.min_table_depth() {
            count_without_table(self.counter, position, depth)
        } else {
            let moves = self.counter.moves(position);
            moves.chunks(GROUP).map(|moves| self.count_children(position, moves, depth - 1)).sum()
        };
        self.table.put(key, nodes.into());
        nodes
    }

    /// The sum over these moves, at most [`GROUP`], of the counts to a depth behind them.
    fn count_children(&mut self, position: &Position, moves: &[Move], depth: u32) -> u64 {
        let children: ArrayVec<Position, GROUP> =
            moves.iter().map(|played| position.play_unchecked(*played)).collect();
        let keys: ArrayVec<Key, GROUP> = children.iter().map(|child| self.fetch(child, depth)).collect();
        children.iter().zip(keys).map(|(child, key)| self.count(child, key, depth)).sum()
    }

    /// The key of a position, whose bucket is on its way from now on.
    fn fetch(&self, position: &Position, depth: u32) -> Key {
        let key = self.table.key(position, depth);
        self.table.prefetch(key);
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::leaf::Portable;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn with_and_without_a_table_counts_are_the_same() {
        // The second has 218 moves, several groups; the third has none.
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
    fn a_node_and_its_children_are_probed_down_to_the_least_depth() {
        let table = Table::new(1 << 20, 0).unwrap();
        let probes_and_hits = |depth| {
            count(&Portable::new(), Some(&table), &Position::start(), depth);
            (table.statistics().probes, table.statistics().hits)
        };
        let pays = Portable::new().min_table_depth();
        assert_eq!(probes_and_hits(pays - 1), (0, 0));
        assert_eq!(probes_and_hits(pays), (1, 0));
        assert_eq!(probes_and_hits(pays), (2, 1));
        assert_eq!(probes_and_hits(pays + 1), (2 + 1 + 20, 1));
        assert_eq!(probes_and_hits(pays + 1), (2 + 1 + 20 + 1, 2));
    }
}
