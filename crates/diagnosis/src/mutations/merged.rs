//! A faster count with a mutation. It gives the same numbers as the plain count. The tests compare both.
//!
//! The count walks the tree without mutations and skips the parts that the mutation does not affect. Equal positions
//! with the same depth are counted once. A mutation that breaks a rule for one side or one piece often has the same
//! effect as the mutation that breaks it for all, so it also uses the counts with that mutation.

use perft_core::{Interrupted, Position, StopSignal};

use super::MutatedBoard;
use super::active::Rules;
use super::catalogue::Mutation;
use super::set::MutationSet;
use super::tree::{Checks, DifferentSets, FastMap, Key, RightTree};

/// The counts with one mutation, for all positions in which it may change something.
#[derive(Debug, Default)]
pub struct KnownCounts {
    /// The counts of the positions of the tree without mutations, by their index in the tree.
    in_tree: Vec<Option<Known>>,
    elsewhere: FastMap<Key, Known>,
    sets: DifferentSets,
}

/// The count of a position at a depth.
#[derive(Clone, Copy, Debug)]
struct Known {
    nodes: u64,
    /// The index of the set of mutations that could have changed the count.
    relevant: u32,
}

/// A count, and the mutations that could have changed it.
type Found = (u64, MutationSet);

/// The counts of one position at each depth from 0.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The number of leaf nodes at each depth.
    pub nodes: Vec<u64>,
    relevant: MutationSet,
}

/// A count in progress.
pub struct MergedCount<'a> {
    mutation: Option<Mutation>,
    tree: &'a RightTree,
    /// The counts with another mutation.
    other: Option<&'a KnownCounts>,
    /// The counts with this mutation.
    own: KnownCounts,
    /// Whether taking back a move always restores the board.
    restores: bool,
    checks: Checks<'a>,
}

impl Counted {
    /// Whether a generator with this mutation may count differently.
    pub fn differs_for(&self, mutation: Mutation) -> bool {
        self.relevant.contains(mutation)
    }
}

impl KnownCounts {
    fn found(&self, known: &Known) -> Found {
        (known.nodes, self.sets.get(known.relevant))
    }

    fn in_tree(&self, place: u32) -> Option<Found> {
        Some(self.found(self.in_tree[place as usize].as_ref()?))
    }

    fn elsewhere(&self, key: &Key) -> Option<Found> {
        Some(self.found(self.elsewhere.get(key)?))
    }

    fn known(&mut self, (nodes, relevant): Found) -> Known {
        Known { nodes, relevant: self.sets.place(relevant) }
    }
}

impl<'a> MergedCount<'a> {
    /// Returns a count with a mutation, or with none. `other` are the counts with another mutation.
    pub fn new(
        mutation: Option<Mutation>,
        tree: &'a RightTree,
        other: Option<&'a KnownCounts>,
        stop: &'a StopSignal,
    ) -> MergedCount<'a> {
        let own = KnownCounts { in_tree: vec![None; tree.nodes.len()], ..KnownCounts::default() };
        let restores = !mutation.is_some_and(Mutation::changes_taking_back);
        MergedCount { mutation, tree, other, own, restores, checks: Checks::new(stop) }
    }

    /// Counts the leaf nodes of the position of the tree at each depth from 0.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    pub fn count_all(mut self, position: &Position) -> Result<(Counted, KnownCounts), Interrupted> {
        let mut counted = Counted { nodes: Vec::new(), relevant: MutationSet::default() };
        for depth in 0..self.tree.counts.len() as u32 {
            // A move that was taken back may have left the board changed.
            let mut fresh = MutatedBoard::new(position, self.mutation);
            let (nodes, relevant) = self.count(&mut fresh, depth)?;
            counted.nodes.push(nodes);
            counted.relevant = counted.relevant.union(relevant).union(fresh.rules.relevant);
        }
        Ok((counted, self.own))
    }

    fn count(&mut self, board: &mut MutatedBoard, depth: u32) -> Result<Found, Interrupted> {
        if depth == 0 {
            return Ok((1, MutationSet::default()));
        }
        let key = (board.board.packed(), depth);
        match self.tree.places.get(&key).copied() {
            Some(place) if self.restores => self.count_in_tree(place),
            Some(place) if !self.is_concerned(self.tree.below(place)) => Ok(self.right(place)),
            _ => self.count_elsewhere(board, key),
        }
    }

    /// Counts a position of the tree without mutations.
    fn count_in_tree(&mut self, place: u32) -> Result<Found, Interrupted> {
        if !self.is_concerned(self.tree.below(place)) {
            return Ok(self.right(place));
        }
        let of_other = || self.other?.in_tree(place).filter(|&(_, relevant)| !self.is_concerned(relevant));
        if let Some(found) = self.own.in_tree(place).or_else(of_other) {
            return Ok(found);
        }
        let tree = self.tree;
        let depth = tree.nodes[place as usize].depth;
        let found = if depth > 1 && !self.is_concerned(tree.here(place)) {
            let mut sum = (0, tree.here(place));
            for &child in tree.children(place) {
                let (nodes, relevant) = self.count_in_tree(child)?;
                sum = (sum.0 + nodes, sum.1.union(relevant));
            }
            sum
        } else {
            let board = tree.boards[place as usize];
            self.count_below(&mut MutatedBoard { board, rules: Rules::new(self.mutation) }, depth)?
        };
        self.own.in_tree[place as usize] = Some(self.own.known(found));
        Ok(found)
    }

    fn count_elsewhere(&mut self, board: &mut MutatedBoard, key: Key) -> Result<Found, Interrupted> {
        let of_other = || self.other?.elsewhere(&key).filter(|&(_, relevant)| !self.is_concerned(relevant));
        if let Some(found) = self.own.elsewhere(&key).or_else(of_other) {
            return Ok(found);
        }
        let before = board.board;
        let found = self.count_below(board, key.1)?;
        // A mutation of taking back moves changes the board. Then the next position does not depend only on this count.
        if self.restores || board.board == before {
            let known = self.own.known(found);
            self.own.elsewhere.insert(key, known);
        }
        Ok(found)
    }

    fn is_concerned(&self, relevant: MutationSet) -> bool {
        self.mutation.is_some_and(|mutation| relevant.contains(mutation))
    }

    /// Returns the count of a position that the mutation does not affect.
    fn right(&self, place: u32) -> Found {
        (self.tree.nodes[place as usize].nodes, self.tree.below(place))
    }

    fn count_below(&mut self, board: &mut MutatedBoard, depth: u32) -> Result<Found, Interrupted> {
        let outer = std::mem::take(&mut board.rules.relevant);
        let (nodes, relevant) = if depth == 1 {
            self.checks.leaf_parent()?;
            (board.count_moves(), MutationSet::default())
        } else {
            self.count_children(board, depth)?
        };
        let here = std::mem::replace(&mut board.rules.relevant, outer);
        Ok((nodes, relevant.union(here)))
    }

    fn count_children(&mut self, board: &mut MutatedBoard, depth: u32) -> Result<Found, Interrupted> {
        let (mut sum, mut has_child) = (Ok((0, MutationSet::default())), false);
        board.each_child(|_, child| {
            has_child = true;
            if let Ok((nodes, relevant)) = sum {
                let more = self.count(child, depth - 1);
                sum = more.map(|(more, also)| (nodes + more, relevant.union(also)));
            }
        });
        let (nodes, relevant) = sum?;
        Ok((nodes + u64::from(!has_child && board.counts_end()), relevant))
    }
}
