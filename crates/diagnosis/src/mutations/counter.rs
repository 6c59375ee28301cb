//! A fast count with a mutation. It gives the same numbers as the plain count. The tests compare both.
//!
//! The count uses the tree without mutations where the mutation changes nothing. Equal positions with the same depth are
//! counted once, even with other mutations that do the same.

use perft_core::{Interrupted, Move, StopSignal};

use super::active::Rules;
use super::catalogue::Mutation;
use super::changes::Changes;
use super::hash::FastMap;
use super::models::Scope;
use super::rules::Rule;
use super::set::MutationSet;
use super::tree::{Checks, Key};
use super::{Board, MutatedBoard};
use crate::path::MovePath;

/// The answer of a program: its divide and its total.
pub(super) type Answer = (Vec<(Move, u64)>, u64);

/// The counts of positions that are not in the tree, each for a set of mutations.
pub(super) type Elsewhere = FastMap<Key, Vec<(MutationSet, u64)>>;

/// A count with a mutation.
pub(super) struct Counter<'a> {
    changes: &'a Changes<'a>,
    mutation: Mutation,
    /// The counts of positions that are not in the tree, with this mutation and with similar ones.
    elsewhere: &'a mut Elsewhere,
    /// The counts of positions of the tree.
    in_tree: FastMap<u32, u64>,
    /// Whether the counts are also used for other mutations.
    shares: bool,
    /// Whether taking back a move always restores the board.
    restores: bool,
    checks: Checks<'a>,
}

impl<'a> Counter<'a> {
    pub fn new(
        changes: &'a Changes<'a>,
        mutation: Mutation,
        elsewhere: &'a mut Elsewhere,
        shares: bool,
        stop: &'a StopSignal,
    ) -> Counter<'a> {
        let restores = !mutation.breaks_any(Rule::is_of_unmaking);
        let in_tree = FastMap::default();
        Counter { changes, mutation, elsewhere, in_tree, shares, restores, checks: Checks::new(stop) }
    }

    /// Returns the answer of the program with the mutation in a scope.
    pub fn answer(&mut self, scope: Scope, path: &MovePath, depth: u32) -> Result<Answer, Interrupted> {
        let (tree, root) = (self.changes.tree, self.changes.tree.root());
        match scope {
            Scope::Everywhere => return self.everywhere(path, depth),
            Scope::LastPly if depth == 1 => {
                let moves = tree.moves.iter().map(|&played| (played, 1)).collect();
                return Ok((moves, self.changes.last_ply(root, self.mutation)));
            }
            _ if depth == 1 => return Ok(right_answer(self.changes)),
            _ => {}
        }
        let mut divide = Vec::new();
        for (&played, &child) in tree.moves.iter().zip(tree.children(root)) {
            let nodes = match scope {
                Scope::BelowRoot if self.restores => self.in_tree(child)?,
                Scope::BelowRoot => self.count(&mut self.board(tree.node(child).board), depth - 1)?,
                _ => self.changes.last_ply(child, self.mutation),
            };
            divide.push((played, nodes));
        }
        let total = divide.iter().map(|(_, nodes)| nodes).sum();
        Ok((divide, total))
    }

    fn everywhere(&mut self, path: &MovePath, depth: u32) -> Result<Answer, Interrupted> {
        let mut root = MutatedBoard::after(path, self.rules());
        let place = self.changes.tree.root();
        let is_right = root.board == self.changes.tree.node(place).board;
        if self.restores && is_right && !self.changes.is_changed(place, self.mutation) {
            return self.answer(Scope::BelowRoot, path, depth);
        }
        let (mut divide, mut total) = (Vec::new(), 0);
        let mut result = Ok(());
        root.each_child(|played, child| match self.count(child, depth - 1) {
            Ok(nodes) => divide.push((played, nodes)),
            Err(error) => result = Err(error),
        });
        result?;
        total += divide.iter().map(|(_, nodes)| nodes).sum::<u64>();
        total += u64::from(divide.is_empty() && root.counts_end());
        Ok((divide, total))
    }

    fn rules(&self) -> Rules {
        if self.shares { Rules::recorded(Some(self.mutation)) } else { Rules::new(Some(self.mutation)) }
    }

    fn board(&self, board: Board) -> MutatedBoard {
        MutatedBoard { board, rules: self.rules() }
    }

    /// Counts a position of the tree with a mutation that restores the board.
    fn in_tree(&mut self, place: u32) -> Result<u64, Interrupted> {
        let (changes, tree) = (self.changes, self.changes.tree);
        if !changes.inner(place).contains(self.mutation) {
            return Ok(changes.last_ply(place, self.mutation));
        }
        if let Some(&nodes) = self.in_tree.get(&place) {
            return Ok(nodes);
        }
        let depth = tree.node(place).depth;
        let mut nodes = if depth == 2 { changes.last_ply(place, self.mutation) } else { 0 };
        if depth > 2 {
            for &child in tree.children(place) {
                nodes += self.in_tree(child)?;
            }
        }
        nodes = nodes.wrapping_add_signed(changes.own_nodes(place, self.mutation));
        if let Some(changed) = changes.children(place, self.mutation) {
            for &child in &changed.added {
                nodes += self.in_tree(child)?;
            }
            for &board in &changed.others {
                nodes += self.count(&mut self.board(board), depth - 1)?;
            }
            for &child in &changed.missing {
                nodes -= self.in_tree(child)?;
            }
        }
        self.in_tree.insert(place, nodes);
        Ok(nodes)
    }

    fn count(&mut self, board: &mut MutatedBoard, depth: u32) -> Result<u64, Interrupted> {
        if depth == 0 {
            return Ok(1);
        }
        let key = (board.board.packed(), depth);
        if let Some(place) = self.changes.tree.place(&key) {
            let below = self.changes.below(place);
            if !below.contains(self.mutation) {
                board.rules.relevant = board.rules.relevant.union(below);
                return Ok(self.changes.tree.node(place).nodes);
            }
            if self.restores {
                // Other mutations may change this count in another way.
                board.rules.relevant = MutationSet::default().complement();
                return self.in_tree(place);
            }
        }
        self.count_elsewhere(board, key)
    }

    fn count_elsewhere(&mut self, board: &mut MutatedBoard, key: Key) -> Result<u64, Interrupted> {
        let known = self.elsewhere.get(&key).into_iter().flatten();
        if let Some((same, nodes)) = known.copied().find(|(same, _)| same.contains(self.mutation)) {
            board.rules.relevant = board.rules.relevant.union(same.complement());
            return Ok(nodes);
        }
        let outer = std::mem::take(&mut board.rules.relevant);
        let before = board.board;
        let nodes = self.count_below(board, key.1)?;
        let here = board.rules.relevant;
        board.rules.relevant = outer.union(here);
        // A mutation of taking back moves changes the board. Then the next position does not depend only on this count.
        if self.restores || board.board == before {
            self.elsewhere.entry(key).or_default().push((here.complement(), nodes));
        }
        Ok(nodes)
    }

    fn count_below(&mut self, board: &mut MutatedBoard, depth: u32) -> Result<u64, Interrupted> {
        if depth == 1 {
            self.checks.leaf_parent()?;
            return Ok(board.count_moves());
        }
        let (mut sum, mut has_child) = (Ok(0), false);
        board.each_child(|_, child| {
            has_child = true;
            if let Ok(nodes) = sum {
                sum = self.count(child, depth - 1).map(|more| nodes + more);
            }
        });
        Ok(sum? + u64::from(!has_child && board.counts_end()))
    }
}

/// Returns the answer of a right program.
pub(super) fn right_answer(changes: &Changes) -> Answer {
    let tree = changes.tree;
    let children = tree.children(tree.root());
    let nodes = |index: usize| children.get(index).map_or(1, |&child| tree.node(child).nodes);
    let divide = tree.moves.iter().enumerate().map(|(index, &played)| (played, nodes(index)));
    (divide.collect(), tree.node(tree.root()).nodes)
}
