//! The tree below a position without mutations, and the changes that mutations make in each of its positions.
//!
//! In each position, most mutations change nothing, and many of the others make the same change. The generator records
//! which mutations could change something, so it runs once for each different change. This gives the counts of all
//! leaf parents with all mutations.

use std::collections::HashMap;
use std::ops::Range;

use perft_core::{Move, MoveList, StopSignal};
use rayon::prelude::*;

use super::MutatedBoard;
use super::board::{Board, PACKED_WORDS, Rules};
use super::catalogue::{COUNT, Mutation, MutationSet, UNMAKING};

/// A packed board and a depth.
pub(super) type Key = ([u64; PACKED_WORDS], u32);

/// The number of positions that are examined between two tests of the stop signal.
const POSITIONS_BETWEEN_CHECKS: usize = 4096;

/// The largest number of positions of a tree. They need about 1 GiB.
const MAX_POSITIONS: usize = 4_000_000;

/// The tree below a position without mutations, down to the leaf parents.
#[derive(Default)]
pub(super) struct Tree {
    /// The positions. Each comes after its children. The root is the last one.
    nodes: Vec<Node>,
    /// The moves of the root.
    pub moves: Vec<Move>,
    children: Vec<u32>,
    /// The index of each position at each depth.
    places: HashMap<Key, u32>,
    /// The sets of mutations that occur in the nodes. There are few different sets, and a set is large.
    sets: Vec<MutationSet>,
    /// The index of each set.
    set_places: HashMap<MutationSet, u32>,
}

/// A position of the tree.
pub(super) struct Node {
    pub board: Board,
    pub depth: u32,
    /// The number of leaf nodes below it.
    pub nodes: u64,
    children: Range<u32>,
    changes: Box<[Change<u32>]>,
    /// The set of the mutations that change something in this position or in one of the positions below.
    below: u32,
    /// The set of the mutations that change the moves or the children of this position, or of one below that is not a
    /// leaf parent.
    inner: u32,
    /// The changes of the count if only the last ply is counted with a mutation. A leaf parent has none.
    last_ply: Box<[(Mutation, i64)]>,
}

/// A change that some mutations make.
struct Change<Set> {
    mutations: Set,
    /// The change of the count of a leaf parent, or of the count of a game that ends here.
    nodes: i32,
    children: Option<Box<ChangedChildren>>,
}

/// The change of the children of a position that is not a leaf parent.
#[derive(Default)]
pub(super) struct ChangedChildren {
    pub missing: Vec<u32>,
    /// The additional children that are in the tree.
    pub added: Vec<u32>,
    /// The additional children that are not in the tree.
    pub others: Vec<Board>,
}

/// A reason why there is no tree.
pub(super) enum NoTree {
    Interrupted,
    /// There are more than [`MAX_POSITIONS`] positions.
    TooLarge,
}

impl Tree {
    /// Returns the tree down to a depth, which must not be 0, with the changes by the `wanted` mutations.
    pub fn build(root: Board, depth: u32, wanted: MutationSet, stop: &StopSignal) -> Result<Tree, NoTree> {
        let mut root = MutatedBoard { board: root, rules: Rules::new(None) };
        let mut tree = Tree { moves: root.legal_moves().to_vec(), ..Tree::default() };
        tree.add(&mut root, depth, stop)?;
        for first in (0..tree.nodes.len()).step_by(POSITIONS_BETWEEN_CHECKS) {
            if stop.is_raised() {
                return Err(NoTree::Interrupted);
            }
            let end = tree.nodes.len().min(first + POSITIONS_BETWEEN_CHECKS);
            let places = (first as u32..end as u32).into_par_iter().with_min_len(64);
            let new: Vec<_> = places.map(|place| tree.changes_at(place, wanted)).collect();
            for (place, (unmaking, changes)) in (first as u32..).zip(new) {
                tree.set_changes(place, unmaking, changes);
            }
        }
        Ok(tree)
    }

    /// Returns the index of a position. If it is new, it is added with all positions below it.
    fn add(&mut self, board: &mut MutatedBoard, depth: u32, stop: &StopSignal) -> Result<u32, NoTree> {
        let key = (board.board.packed(), depth);
        if let Some(place) = self.place(&key) {
            return Ok(place);
        }
        if stop.is_raised() {
            return Err(NoTree::Interrupted);
        }
        let mut children = Vec::new();
        if depth > 1 {
            board.try_each_child(|_, child| {
                children.push(self.add(child, depth - 1, stop)?);
                Ok(())
            })?;
        }
        let nodes = match depth {
            1 => board.count_moves(),
            _ => children.iter().map(|&child| self.node(child).nodes).sum(),
        };
        if self.nodes.len() == MAX_POSITIONS {
            return Err(NoTree::TooLarge);
        }
        let first = self.children.len() as u32;
        self.children.extend(children);
        let children = first..self.children.len() as u32;
        let place = self.nodes.len() as u32;
        let (changes, last_ply) = Default::default();
        let board = board.board;
        self.nodes.push(Node { board, depth, nodes, children, changes, below: 0, inner: 0, last_ply });
        self.places.insert(key, place);
        Ok(place)
    }

    /// Sets the changes in a position. Those in the positions below must be known.
    fn set_changes(&mut self, place: u32, unmaking: MutationSet, changes: Vec<Change<MutationSet>>) {
        let here = changes.iter().fold(MutationSet::default(), |all, change| all.union(change.mutations));
        let (mut below, mut inner) = (here.union(unmaking), MutationSet::default());
        if self.node(place).depth > 1 {
            inner = here;
        }
        for &child in self.children(place) {
            below = below.union(self.below(child));
            inner = inner.union(self.inner(child));
        }
        let of_set = |change: Change<MutationSet>| Change {
            mutations: self.set_place(change.mutations),
            nodes: change.nodes,
            children: change.children,
        };
        let changes = changes.into_iter().map(of_set).collect();
        let (below, inner) = (self.set_place(below), self.set_place(inner));
        let last_ply = self.sum_of_children(place);
        let node = &mut self.nodes[place as usize];
        (node.changes, node.below, node.inner, node.last_ply) = (changes, below, inner, last_ply);
    }

    /// Returns the index of a set, which is added if it is new.
    fn set_place(&mut self, set: MutationSet) -> u32 {
        *self.set_places.entry(set).or_insert_with(|| {
            self.sets.push(set);
            self.sets.len() as u32 - 1
        })
    }

    /// Returns the sums of the changes of the children, if only the last ply is counted with a mutation.
    fn sum_of_children(&self, place: u32) -> Box<[(Mutation, i64)]> {
        let mut sums = [0; COUNT];
        for node in self.children(place).iter().map(|&child| self.node(child)) {
            for &(mutation, nodes) in &node.last_ply {
                sums[mutation.index()] += nodes;
            }
            for change in node.changes.iter().filter(|_| node.depth == 1) {
                for mutation in self.sets[change.mutations as usize].iter() {
                    sums[mutation.index()] += i64::from(change.nodes);
                }
            }
        }
        let all = Mutation::ALL.iter().map(|&mutation| (mutation, sums[mutation.index()]));
        all.filter(|&(_, nodes)| nodes != 0).collect()
    }

    /// Returns the index of a position at a depth.
    pub fn place(&self, key: &Key) -> Option<u32> {
        self.places.get(key).copied()
    }

    /// Returns the index of the root.
    pub fn root(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }

    pub fn node(&self, place: u32) -> &Node {
        &self.nodes[place as usize]
    }

    /// Returns the indices of the children of a position. A leaf parent has none.
    pub fn children(&self, place: u32) -> &[u32] {
        let Range { start, end } = self.node(place).children;
        &self.children[start as usize..end as usize]
    }

    /// Returns the mutations that change something in a position or below.
    pub fn below(&self, place: u32) -> MutationSet {
        self.sets[self.node(place).below as usize]
    }

    /// Returns the mutations that change the children of a position or of one below.
    pub fn inner(&self, place: u32) -> MutationSet {
        self.sets[self.node(place).inner as usize]
    }

    /// Returns the change by a mutation: of the count of a leaf parent or of an end of the game, and of the children.
    pub fn change(&self, place: u32, mutation: Mutation) -> Option<(i64, Option<&ChangedChildren>)> {
        let mut changes = self.node(place).changes.iter();
        let change = changes.find(|change| self.sets[change.mutations as usize].contains(mutation))?;
        Some((change.nodes.into(), change.children.as_deref()))
    }

    /// Returns the count of a position if only the last ply is counted with a mutation.
    pub fn last_ply(&self, place: u32, mutation: Mutation) -> u64 {
        let node = self.node(place);
        let change = if node.depth == 1 {
            self.change(place, mutation).map_or(0, |(nodes, _)| nodes)
        } else {
            let place = node.last_ply.binary_search_by_key(&mutation, |&(mutation, _)| mutation);
            place.map_or(0, |index| node.last_ply[index].1)
        };
        node.nodes.wrapping_add_signed(change)
    }

    /// Returns the changes in a position, and the mutations of taking back moves that could change something.
    fn changes_at(&self, place: u32, wanted: MutationSet) -> (MutationSet, Vec<Change<MutationSet>>) {
        let node = self.node(place);
        if node.depth == 1 {
            return (MutationSet::default(), leaf_parent_changes(node, wanted));
        }
        let (right, relevant) = node.run(None);
        let relevant = relevant.intersection(wanted);
        let mut rest = relevant.without(*UNMAKING);
        let mut changes = Vec::new();
        while let Some(mutation) = rest.first() {
            let (wrong, could_change) = node.run(Some(mutation));
            let nodes = wrong.0 as i32 - right.0 as i32;
            let children = self.changed_children(place, &right.1, &wrong.1).map(Box::new);
            if nodes != 0 || children.is_some() {
                changes.push(Change { mutations: rest.without(could_change), nodes, children });
            }
            rest = rest.intersection(could_change);
        }
        (relevant.intersection(*UNMAKING), changes)
    }

    fn changed_children(&self, place: u32, right: &[Board], wrong: &[Board]) -> Option<ChangedChildren> {
        let same = right.iter().zip(wrong).take_while(|(a, b)| a == b).count();
        let (right, wrong) = (&right[same..], &wrong[same..]);
        let same_end = right.iter().rev().zip(wrong.iter().rev()).take_while(|(a, b)| a == b).count();
        let depth = self.node(place).depth - 1;
        let missing = self.children(place).get(same..same + right.len() - same_end)?;
        let mut children = ChangedChildren { missing: missing.to_vec(), ..ChangedChildren::default() };
        for board in &wrong[..wrong.len() - same_end] {
            let Some(child) = self.place(&(board.packed(), depth)) else {
                children.others.push(*board);
                continue;
            };
            match children.missing.iter().position(|&missing| missing == child) {
                Some(index) => drop(children.missing.swap_remove(index)),
                None => children.added.push(child),
            }
        }
        let ChangedChildren { missing, added, others } = &children;
        let is_changed = !missing.is_empty() || !added.is_empty() || !others.is_empty();
        is_changed.then_some(children)
    }
}

impl Node {
    /// Runs the generator in a position that is not a leaf parent. Returns whether the end of the game counts as a leaf
    /// node, the children, and the mutations that could have changed them.
    fn run(&self, mutation: Option<Mutation>) -> ((bool, Vec<Board>), MutationSet) {
        let mut board = MutatedBoard { board: self.board, rules: Rules::recorded(mutation) };
        let mut children = Vec::new();
        board.each_child(|_, child| children.push(child.board));
        let counts_end = children.is_empty() && board.counts_end();
        ((counts_end, children), board.rules.relevant)
    }
}

/// Returns the changes of the count of a leaf parent. Most mutations change the moves of one piece only, so each piece
/// is examined on its own.
fn leaf_parent_changes(node: &Node, wanted: MutationSet) -> Vec<Change<MutationSet>> {
    let board = node.board;
    let recorded = |mutation| MutatedBoard { board, rules: Rules::recorded(mutation) };
    let mut sums = [0; COUNT];
    // Adds the changes of a part of the moves. `right` is their number without a mutation.
    let mut add = |mut rest: MutationSet, right: usize, count: &dyn Fn(&mut MutatedBoard) -> usize| {
        while let Some(mutation) = rest.first() {
            let mut wrong = recorded(Some(mutation));
            let change = count(&mut wrong) as i32 - right as i32;
            if change != 0 {
                rest.without(wrong.rules.relevant)
                    .iter()
                    .for_each(|mutation| sums[mutation.index()] += change);
            }
            rest = rest.intersection(wrong.rules.relevant);
        }
    };
    let mut right = recorded(None);
    let situation = right.situation();
    let of_all_pieces = right.rules.relevant.intersection(wanted);
    add(of_all_pieces, node.nodes as usize, &|generator| generator.legal_moves().len());
    let mut add_part = |moves: &dyn Fn(&mut MutatedBoard, &mut MoveList)| {
        let count = |generator: &mut MutatedBoard| {
            let mut list = MoveList::new();
            moves(generator, &mut list);
            list.len()
        };
        let mut right = recorded(None);
        let nodes = count(&mut right);
        add(right.rules.relevant.intersection(wanted).without(of_all_pieces), nodes, &count);
    };
    if let Some(situation) = situation {
        for from in board.of_color(board.turn) {
            add_part(&|generator, list| generator.moves_from(from, &situation, list));
        }
    }
    add_part(&|generator, list| generator.castlings(list));
    if node.nodes == 0 && wanted.contains(Mutation::EndIsLeaf) {
        sums[Mutation::EndIsLeaf.index()] += 1;
    }
    let mut changes: Vec<Change<MutationSet>> = Vec::new();
    for &mutation in Mutation::ALL.iter().filter(|mutation| sums[mutation.index()] != 0) {
        let nodes = sums[mutation.index()];
        match changes.iter_mut().find(|change| change.nodes == nodes) {
            Some(change) => change.mutations.insert(mutation),
            None => {
                let mutations = [mutation].into_iter().collect();
                changes.push(Change { mutations, nodes, children: None });
            }
        }
    }
    changes
}
