//! The tree of a position without mutations. It has each position once for each depth, with its children.

use std::ops::Range;

use perft_core::{Interrupted, Move, StopSignal};

use super::MutatedBoard;
use super::active::Rules;
use super::board::{Board, PACKED_WORDS};
use super::hash::FastMap;

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
    pub fn of(root: Board, depth: u32, stop: &StopSignal) -> Result<RightTree, NoTree> {
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
