//! The tree of a position without mutations. It has each position once for each depth, with its children.
//!
//! For each position, the tree stores the mutations that could change the behaviour of the generator in the position
//! itself, and those that could change it there or anywhere below. A generator with other mutations gives the same
//! count. In most positions, few mutations matter.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use perft_core::{Interrupted, Position, StopSignal};

use super::MutatedBoard;
use super::board::{Board, PACKED_WORDS};
use super::set::MutationSet;

/// A packed board and a depth.
pub(super) type Key = ([u64; PACKED_WORDS], u32);

pub(super) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<KeyHasher>>;

/// The number of leaf parents that are counted between two tests of the stop signal.
const LEAF_PARENTS_BETWEEN_CHECKS: u32 = 1024;

/// The tree below a position without mutations.
#[derive(Debug, Default)]
pub struct RightTree {
    pub(super) nodes: Vec<Node>,
    pub(super) boards: Vec<Board>,
    children: Vec<u32>,
    /// The index of each position at each depth.
    pub(super) places: FastMap<Key, u32>,
    sets: DifferentSets,
    /// The number of leaf nodes at each depth from 0 on.
    pub counts: Vec<u64>,
}

/// A position of the tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub depth: u32,
    /// The number of leaf nodes below it.
    pub nodes: u64,
    /// The index of the set of mutations that could change the behaviour in the position itself.
    here: u32,
    /// The index of the set of mutations that could change the behaviour in the position or below.
    below: u32,
    children: Range<u32>,
}

/// Sets of mutations, each stored once. There are few different sets, and a set is large.
#[derive(Debug, Default)]
pub(super) struct DifferentSets {
    sets: Vec<MutationSet>,
    places: FastMap<MutationSet, u32>,
}

/// Tests from time to time whether the stop signal was raised.
pub(super) struct Checks<'a> {
    stop: &'a StopSignal,
    leaf_parents: u32,
}

impl RightTree {
    /// Returns the tree down to a depth.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    pub fn of(position: &Position, depth: u32, stop: &StopSignal) -> Result<RightTree, Interrupted> {
        let mut tree = RightTree { counts: vec![1], ..RightTree::default() };
        let mut checks = Checks::new(stop);
        for depth in 1..=depth {
            let root = tree.add(&mut MutatedBoard::new(position, None), depth, &mut checks)?;
            tree.counts.push(tree.nodes[root as usize].nodes);
        }
        Ok(tree)
    }

    /// Returns the index of a position. If it is new, it is added with all positions below it.
    fn add(&mut self, board: &mut MutatedBoard, depth: u32, checks: &mut Checks) -> Result<u32, Interrupted> {
        let key = (board.board.packed(), depth);
        if let Some(&place) = self.places.get(&key) {
            return Ok(place);
        }
        let outer = std::mem::take(&mut board.rules.relevant);
        let (nodes, children) = if depth == 1 {
            checks.leaf_parent()?;
            (board.count_moves(), Vec::new())
        } else {
            self.add_children(board, depth, checks)?
        };
        let here = std::mem::replace(&mut board.rules.relevant, outer);
        let all = |all: MutationSet, &child: &u32| all.union(self.below(child));
        let below = children.iter().fold(here, all);
        let (here, below) = (self.sets.place(here), self.sets.place(below));
        let first = self.children.len() as u32;
        self.children.extend(children);
        let place = self.nodes.len() as u32;
        self.nodes.push(Node { depth, nodes, here, below, children: first..self.children.len() as u32 });
        self.boards.push(board.board);
        self.places.insert(key, place);
        Ok(place)
    }

    fn add_children(
        &mut self,
        board: &mut MutatedBoard,
        depth: u32,
        checks: &mut Checks,
    ) -> Result<(u64, Vec<u32>), Interrupted> {
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
        let nodes: u64 = children.iter().map(|&child| self.nodes[child as usize].nodes).sum();
        Ok((nodes + u64::from(children.is_empty() && board.counts_end()), children))
    }

    /// Returns the indices of the children of a position.
    pub(super) fn children(&self, place: u32) -> &[u32] {
        let Range { start, end } = self.nodes[place as usize].children;
        &self.children[start as usize..end as usize]
    }

    /// Returns the mutations that could change the behaviour in the position itself.
    pub(super) fn here(&self, place: u32) -> MutationSet {
        self.sets.get(self.nodes[place as usize].here)
    }

    /// Returns the mutations that could change the behaviour in the position or below.
    pub(super) fn below(&self, place: u32) -> MutationSet {
        self.sets.get(self.nodes[place as usize].below)
    }
}

impl DifferentSets {
    pub fn get(&self, place: u32) -> MutationSet {
        self.sets[place as usize]
    }

    /// Returns the index of a set, which is added if it is new.
    pub fn place(&mut self, set: MutationSet) -> u32 {
        *self.places.entry(set).or_insert_with(|| {
            self.sets.push(set);
            self.sets.len() as u32 - 1
        })
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

/// The fast hash function of rustc.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_ne_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }

    fn finish(&self) -> u64 {
        // The hash table uses the upper and the lower bits.
        self.0 ^ self.0 >> 32
    }
}
