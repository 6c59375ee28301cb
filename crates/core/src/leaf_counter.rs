//! The interface between the drivers that walk a tree and the counters of its last plies.
//!
//! The drivers of `perft-count` walk the upper plies of a tree. A [`LeafCounter`] counts the last ones, where nearly
//! all of the time is spent. The counters of `perft-leaf` and the generators of `perft-lab` implement it, so a driver
//! can count with each of them.
//!
//! Counters that are compiled for the features of a CPU need a proof that this CPU has them ([`Bmi2Features`]).

use crate::leaf_statistics::LeafStatistics;
use crate::movegen::statistics_of_move;
use crate::position::Position;
use crate::types::{Move, MoveList};

/// Counts the last plies below a position.
///
/// The drivers call it through `&dyn LeafCounter`. The indirect call costs a few millionths of the instructions,
/// because one call counts three plies. In return, the drivers are compiled only once and not once for each
/// counter.
pub trait LeafCounter: Send + Sync {
    /// Returns the legal moves, for the plies above the last ones.
    fn moves(&self, position: &Position) -> MoveList;

    /// Returns the number of leaf nodes a few plies below a position. The moves of the last ply are counted and not
    /// made.
    fn count(&self, position: &Position, depth: u32) -> u64;

    /// Returns the same as [`LeafCounter::count`], but makes every move, also on the last ply.
    ///
    /// The default makes a list of the moves in each node. Counters that are benchmarked have faster code.
    fn count_played(&self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let below = |played: Move| self.count_played(&position.play_legal(played), depth - 1);
        self.moves(position).into_iter().map(below).sum()
    }

    /// Returns the smallest depth, in plies from the leaves, at which the transposition table is probed: 2 or 3. Below
    /// this depth, counting is as fast as a probe. The value was measured: see the chapter "Experiments" of the book.
    fn min_table_depth(&self) -> u32 {
        2
    }

    /// Writes perft to depth 2 of each node into `counts`, which has an element for each node.
    ///
    /// The nodes belong to a *family*, so that they can be counted together. The same side is to move in all of them.
    /// `family` is a position in which this side has the same king's square and castling rights as in each node, and at
    /// least the same pieces on the same squares. The other side has a castling right in a node if it has the right in
    /// `family`, and king and rook are on their squares. All children of a position belong to its family.
    fn two_plies_each(&self, family: &Position, nodes: &[Position], counts: &mut [u64]) {
        let _ = family;
        for (node, count) in nodes.iter().zip(counts) {
            *count = self.count(node, 2);
        }
    }

    /// Returns the sum over some parents: ways times perft to depth 3. The default is `None`: the counter has no code
    /// that is faster than counting below each parent.
    ///
    /// White is to move in all parents. They are of one family, which the first of them represents: Black has the same
    /// pieces and castling rights in all of them. White has no castling rights that it does not have in the first
    /// parent, and a king with castling rights is on the same square as there.
    ///
    /// The sum must fit into 64 bits.
    fn three_plies_of_family(&self, parents: &[(Position, u64)]) -> Option<u64> {
        let _ = parents;
        None
    }

    /// Returns the statistics of the leaf nodes a few plies below a position.
    ///
    /// The default is for counters that only count nodes. It makes every leaf.
    fn statistics(&self, position: &Position, depth: u32) -> LeafStatistics {
        let below = |played: Move| match depth {
            1 => statistics_of_move(position, played),
            _ => self.statistics(&position.play_legal(played), depth - 1),
        };
        match depth {
            0 => LeafStatistics::of_root(),
            _ => self.moves(position).into_iter().map(below).sum(),
        }
    }
}

/// Proves that this CPU has BMI2 and the features that came with it (2013 and later): AVX2, BMI1, LZCNT and POPCNT.
///
/// A function that is compiled for these features may be called where a value of this type exists.
#[derive(Clone, Copy, Debug)]
pub struct Bmi2Features(());

impl Bmi2Features {
    /// Returns the proof if this CPU has all the features and this build uses them.
    pub fn detect() -> Option<Bmi2Features> {
        #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
        let has_all = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        #[cfg(not(all(target_arch = "x86_64", not(perft_portable))))]
        let has_all = false;
        has_all.then_some(Bmi2Features(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter that has only what the trait asks for.
    struct Plain;

    impl LeafCounter for Plain {
        fn moves(&self, position: &Position) -> MoveList {
            position.legal_moves()
        }

        fn count(&self, position: &Position, depth: u32) -> u64 {
            position.perft(depth) as u64
        }
    }

    #[test]
    fn the_defaults_count_as_the_plain_generator_does() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
        let position = Position::from_fen(kiwipete).unwrap();
        for (depth, nodes) in [(0, 1), (1, 48), (2, 2039), (3, 97_862)] {
            assert_eq!(Plain.count_played(&position, depth), nodes);
            assert_eq!(Plain.statistics(&position, depth).nodes, u128::from(nodes));
        }
        let found = Plain.statistics(&position, 3);
        assert_eq!((found.captures, found.en_passant, found.castles), (17_102, 45, 3162));
        assert_eq!((found.checks.total(), found.checkmates.total()), (993, 1));
    }
}
