//! The changes that mutations make in the positions of a tree.
//!
//! In each position, most mutations change nothing, and many of the others make the same change. The generator records
//! which mutations could change something, so it runs once for each different change. This gives the counts of all
//! leaf parents with all mutations.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use perft_core::{Interrupted, Move, MoveList, StopSignal};
use rayon::prelude::*;

use super::MutatedBoard;
use super::board::{Board, PACKED_WORDS, Rules};
use super::catalogue::{COUNT, Mutation, MutationSet, UNMAKING};

/// The number of positions that are examined between two tests of the stop signal.
const POSITIONS_BETWEEN_CHECKS: usize = 4096;

/// The changes in all positions of a tree.
pub(super) struct Changes<'a> {
    pub tree: &'a RightTree,
    sets: DifferentSets,
    nodes: Vec<NodeChanges>,
}

/// The changes in a position.
pub(super) struct NodeChanges {
    changes: Box<[Change]>,
    /// The set of the mutations that change something in this position or in one of the positions below.
    below: u32,
    /// The set of the mutations that change the moves or the children of this position, or of one below that is no leaf
    /// parent.
    inner: u32,
    /// The changes of the count if only the last ply is counted with a mutation. A leaf parent has none.
    last_ply: Box<[(Mutation, i64)]>,
}

/// A change that some mutations make.
struct Change {
    /// The set of these mutations.
    mutations: u32,
    /// The change of the count of a leaf parent.
    nodes: i32,
    children: Option<Box<ChangedChildren>>,
}

/// The change of the children of a position that is no leaf parent.
#[derive(Default)]
pub(super) struct ChangedChildren {
    pub missing: Vec<u32>,
    /// The additional children that are in the tree.
    pub added: Vec<u32>,
    /// The additional children that are not in the tree.
    pub others: Vec<Board>,
}

/// A change with the mutations that make it.
struct NewChange {
    mutations: MutationSet,
    nodes: i32,
    children: Option<Box<ChangedChildren>>,
}

/// Sets of mutations, each stored once. There are few different sets, and a set is large.
#[derive(Default)]
struct DifferentSets {
    sets: Vec<MutationSet>,
    places: FastMap<MutationSet, u32>,
}

impl<'a> Changes<'a> {
    /// Returns the changes by these mutations.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    pub fn record(
        tree: &'a RightTree,
        wanted: MutationSet,
        stop: &StopSignal,
    ) -> Result<Changes<'a>, Interrupted> {
        let mut changes = Changes { tree, sets: DifferentSets::default(), nodes: Vec::new() };
        for first in (0..tree.nodes.len()).step_by(POSITIONS_BETWEEN_CHECKS) {
            if stop.is_raised() {
                return Err(Interrupted);
            }
            let end = tree.nodes.len().min(first + POSITIONS_BETWEEN_CHECKS);
            let places = (first as u32..end as u32).into_par_iter().with_min_len(64);
            let new: Vec<_> = places.map(|place| tree.changes(place, wanted)).collect();
            new.into_iter().for_each(|(unmaking, new)| changes.add(unmaking, new));
        }
        Ok(changes)
    }

    /// Adds the next position.
    fn add(&mut self, unmaking: MutationSet, new: Vec<NewChange>) {
        let place = self.nodes.len() as u32;
        let here = new.iter().fold(MutationSet::default(), |all, change| all.union(change.mutations));
        let (mut below, mut inner) = (here.union(unmaking), MutationSet::default());
        if self.tree.node(place).depth > 1 {
            inner = here;
        }
        for &child in self.tree.children(place) {
            below = below.union(self.below(child));
            inner = inner.union(self.inner(child));
        }
        let sets = &mut self.sets;
        let changes = new.into_iter().map(|NewChange { mutations, nodes, children }| Change {
            mutations: sets.place(mutations),
            nodes,
            children,
        });
        let changes = changes.collect();
        let (below, inner) = (sets.place(below), sets.place(inner));
        let last_ply = self.sum_of_children(place);
        self.nodes.push(NodeChanges { changes, below, inner, last_ply });
    }

    /// Returns the sums of the changes of the children, if only the last ply is counted with a mutation.
    fn sum_of_children(&self, place: u32) -> Box<[(Mutation, i64)]> {
        let mut sums = [0; COUNT];
        for &child in self.tree.children(place) {
            let node = &self.nodes[child as usize];
            for &(mutation, nodes) in &node.last_ply {
                sums[mutation.index()] += nodes;
            }
            if self.tree.node(child).depth == 1 {
                for change in &node.changes {
                    for mutation in self.sets.get(change.mutations) {
                        sums[mutation.index()] += i64::from(change.nodes);
                    }
                }
            }
        }
        let all = Mutation::ALL.iter().map(|&mutation| (mutation, sums[mutation.index()]));
        all.filter(|&(_, nodes)| nodes != 0).collect()
    }

    /// Returns the mutations that change something in a position or below.
    pub fn below(&self, place: u32) -> MutationSet {
        self.sets.get(self.nodes[place as usize].below)
    }

    /// Returns the mutations that change the children of a position or of one below.
    pub fn inner(&self, place: u32) -> MutationSet {
        self.sets.get(self.nodes[place as usize].inner)
    }

    /// Returns the count of a position if only the last ply is counted with a mutation.
    pub fn last_ply(&self, place: u32, mutation: Mutation) -> u64 {
        let node = &self.nodes[place as usize];
        let change = if self.tree.node(place).depth == 1 {
            self.change(place, mutation).map_or(0, |change| change.nodes.into())
        } else {
            let found = node.last_ply.binary_search_by_key(&mutation, |&(mutation, _)| mutation);
            found.map_or(0, |index| node.last_ply[index].1)
        };
        self.tree.node(place).nodes.wrapping_add_signed(change)
    }

    /// Whether a mutation changes the count of a leaf parent, or the children of another position.
    pub fn is_changed(&self, place: u32, mutation: Mutation) -> bool {
        self.change(place, mutation).is_some()
    }

    fn change(&self, place: u32, mutation: Mutation) -> Option<&Change> {
        let mut changes = self.nodes[place as usize].changes.iter();
        changes.find(|change| self.sets.get(change.mutations).contains(mutation))
    }

    /// Returns the change of the children of a position by a mutation.
    pub fn children(&self, place: u32, mutation: Mutation) -> Option<&ChangedChildren> {
        self.change(place, mutation)?.children.as_deref()
    }

    /// Returns the number by which a mutation changes the count of a position, in addition to the changes of its
    /// children.
    pub fn own_nodes(&self, place: u32, mutation: Mutation) -> i64 {
        self.change(place, mutation).map_or(0, |change| change.nodes.into())
    }
}

impl RightTree {
    /// Returns the changes in a position, and the mutations of taking back moves that could change something.
    fn changes(&self, place: u32, wanted: MutationSet) -> (MutationSet, Vec<NewChange>) {
        let node = self.node(place);
        if node.depth == 1 {
            return (MutationSet::default(), leaf_parent_changes(&node.board, node.nodes, wanted));
        }
        let (right, relevant) = node.run(None);
        let relevant = relevant.intersection(wanted);
        let unmaking = relevant.intersection(*UNMAKING);
        let mut rest = relevant.intersection(UNMAKING.complement());
        let mut changes = Vec::new();
        while let Some(mutation) = rest.first() {
            let (outcome, relevant) = node.run(Some(mutation));
            let mutations = rest.intersection(relevant.complement());
            rest = rest.intersection(relevant);
            changes
                .extend(self.change(place, &right, outcome).map(|change| NewChange { mutations, ..change }));
        }
        (unmaking, changes)
    }

    /// Returns the difference of an outcome, if there is one.
    fn change(&self, place: u32, right: &Outcome, wrong: Outcome) -> Option<NewChange> {
        let nodes = wrong.nodes as i32 - right.nodes as i32;
        let children = self.changed_children(place, &right.children, &wrong.children).map(Box::new);
        let mutations = MutationSet::default();
        (nodes != 0 || children.is_some()).then_some(NewChange { mutations, nodes, children })
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
        (!children.is_empty()).then_some(children)
    }
}

impl Node {
    /// Runs the generator in a position that is no leaf parent. Returns the mutations that could have changed the outcome.
    fn run(&self, mutation: Option<Mutation>) -> (Outcome, MutationSet) {
        let mut board = MutatedBoard { board: self.board, rules: Rules::recorded(mutation) };
        let mut children = Vec::new();
        board.each_child(|_, child| children.push(child.board));
        let nodes = u64::from(children.is_empty() && board.counts_end());
        (Outcome { nodes, children }, board.rules.relevant)
    }
}

/// Returns the changes of the count of a leaf parent. Most mutations change the moves of one piece only, so each piece is
/// examined on its own.
fn leaf_parent_changes(board: &Board, nodes: u64, wanted: MutationSet) -> Vec<NewChange> {
    let mut differences = Differences { of_each: [0; COUNT], changed: MutationSet::default() };
    let mut right = MutatedBoard { board: *board, rules: Rules::recorded(None) };
    let situation = right.situation();
    let of_all_pieces = right.rules.relevant.intersection(wanted);
    differences.add_of(nodes, of_all_pieces, |generator| generator.legal_moves().len(), board);
    let of_one_piece = wanted.intersection(of_all_pieces.complement());
    if let Some(situation) = situation {
        for from in board.of_color(board.turn) {
            let count = |generator: &mut MutatedBoard| {
                let mut moves = MoveList::new();
                generator.moves_from(from, &situation, &mut moves);
                moves.len()
            };
            differences.add_part(of_one_piece, count, board);
        }
    }
    let count = |generator: &mut MutatedBoard| {
        let mut moves = MoveList::new();
        generator.castlings(&mut moves);
        moves.len()
    };
    differences.add_part(of_one_piece, count, board);
    if nodes == 0 && wanted.contains(Mutation::EndIsLeaf) {
        differences.add([Mutation::EndIsLeaf].into_iter().collect(), 1);
    }
    differences.changes()
}

/// The differences that mutations make in the number of moves of a position.
struct Differences {
    of_each: [i32; COUNT],
    /// The mutations with a difference.
    changed: MutationSet,
}

impl Differences {
    /// Adds the differences that mutations make in a part of the moves, such as those of a piece.
    fn add_part(&mut self, wanted: MutationSet, count: impl Fn(&mut MutatedBoard) -> usize, board: &Board) {
        let mut right = MutatedBoard { board: *board, rules: Rules::recorded(None) };
        let nodes = count(&mut right) as u64;
        self.add_of(nodes, right.rules.relevant.intersection(wanted), count, board);
    }

    /// Adds the differences that these mutations make. `right` is the number of moves without a mutation.
    fn add_of(
        &mut self,
        right: u64,
        mut mutations: MutationSet,
        count: impl Fn(&mut MutatedBoard) -> usize,
        board: &Board,
    ) {
        while let Some(mutation) = mutations.first() {
            let mut wrong = MutatedBoard { board: *board, rules: Rules::recorded(Some(mutation)) };
            let difference = count(&mut wrong) as i32 - right as i32;
            let same = mutations.intersection(wrong.rules.relevant.complement());
            mutations = mutations.intersection(wrong.rules.relevant);
            if difference != 0 {
                self.add(same, difference);
            }
        }
    }

    fn add(&mut self, mutations: MutationSet, difference: i32) {
        self.changed = self.changed.union(mutations);
        for mutation in mutations {
            self.of_each[mutation.index()] += difference;
        }
    }

    /// Returns the changes, each with all mutations that make it.
    fn changes(&self) -> Vec<NewChange> {
        let mut changes: Vec<NewChange> = Vec::new();
        for mutation in self.changed {
            let nodes = self.of_each[mutation.index()];
            match changes.iter_mut().find(|change| change.nodes == nodes) {
                Some(change) => change.mutations.insert(mutation),
                None if nodes != 0 => {
                    changes.push(NewChange {
                        mutations: [mutation].into_iter().collect(),
                        nodes,
                        children: None,
                    });
                }
                None => {}
            }
        }
        changes
    }
}

/// The behaviour of a generator in a position that is no leaf parent.
struct Outcome {
    /// 1 if the end of the game counts as a leaf node, and otherwise 0.
    nodes: u64,
    children: Vec<Board>,
}

impl ChangedChildren {
    fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.added.is_empty() && self.others.is_empty()
    }
}

impl DifferentSets {
    fn get(&self, place: u32) -> MutationSet {
        self.sets[place as usize]
    }

    /// Returns the index of a set, which is added if it is new.
    fn place(&mut self, set: MutationSet) -> u32 {
        *self.places.entry(set).or_insert_with(|| {
            self.sets.push(set);
            self.sets.len() as u32 - 1
        })
    }
}

/// A packed board and a depth.
pub(super) type Key = ([u64; PACKED_WORDS], u32);

/// The number of leaf parents that are counted between two tests of the stop signal.
const LEAF_PARENTS_BETWEEN_CHECKS: u32 = 1024;

/// The largest number of positions of a tree. They need about 1 GiB.
const MAX_POSITIONS: usize = 4_000_000;

/// The tree below a position without mutations, down to the leaf parents.
#[derive(Debug, Default)]
pub(super) struct RightTree {
    /// The positions. Each stands behind its children. The root is the last one.
    pub nodes: Vec<Node>,
    /// The moves of the root.
    pub moves: Vec<Move>,
    children: Vec<u32>,
    /// The index of each position at each depth.
    places: FastMap<Key, u32>,
}

/// A position of the tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub board: Board,
    pub depth: u32,
    /// The number of leaf nodes below it.
    pub nodes: u64,
    children: Range<u32>,
}

/// A reason why there is no tree.
pub(super) enum NoTree {
    Interrupted,
    /// There are more than [`MAX_POSITIONS`] positions.
    TooLarge,
}

/// Tests from time to time whether the stop signal was raised.
pub(super) struct Checks<'a> {
    stop: &'a StopSignal,
    leaf_parents: u32,
}

impl RightTree {
    /// Returns the tree down to a depth, which is not 0.
    pub fn build(root: Board, depth: u32, stop: &StopSignal) -> Result<RightTree, NoTree> {
        let mut tree = RightTree::default();
        let mut root = MutatedBoard { board: root, rules: Rules::new(None) };
        tree.moves = root.legal_moves().to_vec();
        tree.add(&mut root, depth, &mut Checks::new(stop))?;
        Ok(tree)
    }

    /// Returns the index of a position. If it is new, it is added with all positions below it.
    fn add(&mut self, board: &mut MutatedBoard, depth: u32, checks: &mut Checks) -> Result<u32, NoTree> {
        let key = (board.board.packed(), depth);
        if let Some(place) = self.place(&key) {
            return Ok(place);
        }
        let (nodes, children) = if depth == 1 {
            checks.leaf_parent().map_err(|Interrupted| NoTree::Interrupted)?;
            (board.count_moves(), Vec::new())
        } else {
            self.add_children(board, depth, checks)?
        };
        if self.nodes.len() == MAX_POSITIONS {
            return Err(NoTree::TooLarge);
        }
        let first = self.children.len() as u32;
        self.children.extend(children);
        let place = self.nodes.len() as u32;
        let children = first..self.children.len() as u32;
        self.nodes.push(Node { board: board.board, depth, nodes, children });
        self.places.insert(key, place);
        Ok(place)
    }

    fn add_children(
        &mut self,
        board: &mut MutatedBoard,
        depth: u32,
        checks: &mut Checks,
    ) -> Result<(u64, Vec<u32>), NoTree> {
        let mut children = Ok(Vec::new());
        board.each_child(|_, child| {
            if let Ok(places) = &mut children {
                match self.add(child, depth - 1, checks) {
                    Ok(place) => places.push(place),
                    Err(error) => children = Err(error),
                }
            }
        });
        let children = children?;
        let nodes = children.iter().map(|&child| self.nodes[child as usize].nodes).sum();
        Ok((nodes, children))
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
}

impl<'a> Checks<'a> {
    pub fn new(stop: &'a StopSignal) -> Checks<'a> {
        Checks { stop, leaf_parents: 0 }
    }

    /// Records that a leaf parent is counted.
    pub fn leaf_parent(&mut self) -> Result<(), Interrupted> {
        self.leaf_parents += 1;
        let is_due = self.leaf_parents.is_multiple_of(LEAF_PARENTS_BETWEEN_CHECKS);
        if is_due && self.stop.is_raised() { Err(Interrupted) } else { Ok(()) }
    }
}

pub(super) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<KeyHasher>>;

/// The fast hash function of rustc.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_ne_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        // The hash table uses the upper and the lower bits.
        self.0 ^ self.0 >> 32
    }
}
