//! Models: definite wrong programs, each with one mutation in a part of its code. [`matching`] finds those that give
//! the answer to a question.
//!
//! A bug may be in all of a program, or only in the code that counts the last ply, or only below the root. A
//! [`RuleModel`] is a mutation with such a [`Scope`], so it gives a definite answer to every question.
//!
//! The fast count with a mutation uses the tree without mutations where the mutation changes nothing. Equal positions
//! of the same depth are counted once for all mutations with the same effect. The tests compare both counts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use perft_core::{Interrupted, LeafStatistics, Move, MoveList, StopSignal};
use rayon::prelude::*;

use super::MutatedBoard;
use super::board::{Board, Rules};
use super::catalogue::{Mutation, MutationSet};
use super::rules::Rule;
use super::tree::{Key, NoTree, Tree};
use crate::source::MovePath;

/// The part of a program that has a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// The bug is in the code for all plies.
    Everywhere,
    /// The moves of the root are generated and made correctly. The bug is in the code for all plies below.
    BelowRoot,
    /// Moves are generated and made correctly. Only the code that counts the moves of the last ply has the bug.
    LastPly,
    /// Like [`Scope::LastPly`], but a question at depth 1 is answered correctly.
    LastPlyBelowRoot,
}

impl Scope {
    /// All scopes in their order, each with the ends of the name and of the description of a model.
    const ALL: [(Scope, &str, &str); 4] = [
        (Scope::Everywhere, "", "."),
        (Scope::BelowRoot, "-below-root", ", but only below the root."),
        (Scope::LastPly, "-at-last-ply", ", but only where the moves of the last ply are counted."),
        (
            Scope::LastPlyBelowRoot,
            "-at-last-ply-below-root",
            ", but only where the moves of the last ply are counted, and not at depth 1.",
        ),
    ];
}

/// A definite wrong program: a mutation, and the part of the program that has it.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::MovePath;
/// use perft_diagnosis::mutations::{Mutation, RuleModel, Scope};
///
/// let model = RuleModel { mutation: Mutation::NoDoubleStep, scope: Scope::LastPly };
/// let start = MovePath::new(Position::start());
/// assert_eq!(model.name(), "no-double-step-at-last-ply");
/// assert_eq!((model.divide(&start, 1).len(), model.count(&start, 1)), (20, 12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleModel {
    /// The rule that is changed.
    pub mutation: Mutation,
    /// The part of the program in which it is changed.
    pub scope: Scope,
}

static MODELS: LazyLock<Vec<RuleModel>> = LazyLock::new(|| {
    let of_scope = |(scope, ..): (Scope, &str, &str)| {
        let models = Mutation::ALL.iter().map(move |&mutation| RuleModel { mutation, scope });
        models.filter(|model| model.is_sensible())
    };
    Scope::ALL.into_iter().flat_map(of_scope).collect()
});

impl RuleModel {
    /// Returns all models.
    pub fn all() -> &'static [RuleModel] {
        &MODELS
    }

    /// Returns the name, such as `no-castling-at-last-ply`.
    pub fn name(self) -> String {
        self.mutation.name().to_owned() + Scope::ALL[self.scope as usize].1
    }

    /// Returns the behaviour of the program: one sentence.
    pub fn about(self) -> String {
        self.mutation.about().trim_end_matches('.').to_owned() + Scope::ALL[self.scope as usize].2
    }

    /// Whether only the code that counts the last ply has the bug.
    pub(crate) fn is_of_last_ply(self) -> bool {
        matches!(self.scope, Scope::LastPly | Scope::LastPlyBelowRoot)
    }

    /// Whether this is the other model in a smaller part of the program, or for fewer moves.
    pub(crate) fn is_narrower_than(self, other: RuleModel) -> bool {
        let is_within = self.scope == other.scope
            || (self.scope == Scope::BelowRoot && other.scope == Scope::Everywhere)
            || (self.scope == Scope::LastPlyBelowRoot && other.scope == Scope::LastPly);
        let is_same = self.mutation == other.mutation;
        is_within && self != other && (is_same || self.mutation.is_variant_of(other.mutation))
    }

    /// Whether the mutation can change a count in this scope.
    fn is_sensible(self) -> bool {
        match self.scope {
            Scope::Everywhere => true,
            Scope::BelowRoot => self.mutation.breaks_any(|rule| rule != Rule::EnPassantUnread),
            Scope::LastPly | Scope::LastPlyBelowRoot => !self.mutation.breaks_any(|rule| !rule.is_of_lists()),
        }
    }

    /// Returns the counts below each move of the end of a path. Some models list a move twice.
    ///
    /// The moves of the path are made with the mutation if the scope is [`Scope::Everywhere`], and otherwise correctly.
    pub fn divide(self, path: &MovePath, depth: u32) -> Vec<(Move, u64)> {
        let mut counts = Vec::new();
        if depth > 0 {
            let mut root = self.root(path);
            root.each_child(|played, child| counts.push((played, self.count_child(child, depth - 1))));
        }
        counts
    }

    /// Returns the number of leaf nodes at a depth that the program gives.
    ///
    /// This is the sum of [`RuleModel::divide`], unless the program counts the moves of the root without listing them,
    /// or counts the end of a game as a leaf node.
    pub fn count(self, path: &MovePath, depth: u32) -> u64 {
        match (self.scope, depth) {
            (_, 0) => 1,
            (Scope::Everywhere, _) => self.root(path).count(depth),
            (Scope::LastPly, 1) => self.root(path).with(self.mutation).count(1),
            _ => self.divide(path, depth).iter().map(|(_, nodes)| nodes).sum(),
        }
    }

    /// Returns the leaf nodes that the program counts, by the kind of their last move. Checks and mates are not counted:
    /// how a program recognises them is not known.
    pub fn leaf_statistics(self, path: &MovePath, depth: u32) -> LeafStatistics {
        let mut leaves = LeafStatistics::default();
        let mut add = |board: &mut MutatedBoard, depth| {
            let moves = if depth == 1 { board.legal_moves() } else { MoveList::new() };
            moves.iter().for_each(|&played| board.board.add_leaf(played, &mut leaves));
            false
        };
        self.visit(&mut self.root(path), 0, depth, &mut add);
        leaves
    }

    /// Whether the program can capture a king. What it counts then is not known.
    pub(crate) fn captures_king(self, path: &MovePath, depth: u32) -> bool {
        let mut takes_king = |board: &mut MutatedBoard, _| {
            let king = board.board.king(!board.board.turn);
            board.legal_moves().iter().any(|played| Some(played.to()) == king)
        };
        self.visit(&mut self.root(path), 0, depth, &mut takes_king)
    }

    /// Visits the positions of the tree with the depth below each, until a visit returns `true`. Returns whether one did.
    fn visit(
        self,
        board: &mut MutatedBoard,
        ply: u32,
        depth: u32,
        visit: &mut dyn FnMut(&mut MutatedBoard, u32) -> bool,
    ) -> bool {
        let begins_here = match self.scope {
            Scope::Everywhere => false,
            Scope::BelowRoot => ply == 1,
            Scope::LastPly => depth == 1,
            Scope::LastPlyBelowRoot => depth == 1 && ply > 0,
        };
        let mut mutated = board.with(self.mutation);
        let board = if begins_here { &mut mutated } else { board };
        let mut is_over = depth > 0 && visit(board, depth);
        if depth > 1 {
            board.each_child(|_, child| is_over = is_over || self.visit(child, ply + 1, depth - 1, visit));
        }
        is_over
    }

    /// Returns the board at the end of a path.
    fn root(self, path: &MovePath) -> MutatedBoard {
        let mutation = Some(self.mutation).filter(|_| self.scope == Scope::Everywhere);
        MutatedBoard::after(path, Rules::new(mutation))
    }

    /// Counts below a move of the root.
    fn count_child(self, child: &mut MutatedBoard, depth: u32) -> u64 {
        match self.scope {
            Scope::Everywhere => child.count(depth),
            Scope::BelowRoot => child.with(self.mutation).count(depth),
            Scope::LastPly | Scope::LastPlyBelowRoot => child.count_last_ply(depth, self.mutation),
        }
    }
}

impl MutatedBoard {
    /// Returns the board at the end of a path.
    pub(super) fn after(path: &MovePath, rules: Rules) -> MutatedBoard {
        let mut board = MutatedBoard::read(&path.root, rules);
        path.moves.iter().for_each(|&played| board.play(played));
        board
    }

    /// Returns the same board, for a generator with a mutation.
    fn with(&self, mutation: Mutation) -> MutatedBoard {
        MutatedBoard { board: self.board, rules: Rules::new(Some(mutation)) }
    }

    /// Counts the leaf nodes. Only the moves of the last ply are counted with a mutation.
    fn count_last_ply(&mut self, depth: u32, mutation: Mutation) -> u64 {
        if depth < 2 {
            return self.with(mutation).count(depth);
        }
        let mut nodes = 0;
        self.each_child(|_, child| nodes += child.count_last_ply(depth - 1, mutation));
        nodes
    }
}

/// The answer of a program: its divide and its total.
pub(super) type Answer = (Vec<(Move, u64)>, u64);

/// The counts of positions that are not in the tree, each for a set of mutations.
type Elsewhere = HashMap<Key, Vec<(MutationSet, u64)>>;

/// A count with a mutation.
struct Counter<'a> {
    tree: &'a Tree,
    mutation: Mutation,
    /// The counts of positions that are not in the tree, with this mutation and with similar ones.
    elsewhere: &'a mut Elsewhere,
    /// The counts of positions of the tree.
    in_tree: HashMap<u32, u64>,
    /// Whether the counts are also used for other mutations.
    shares: bool,
    /// Whether taking back a move always restores the board.
    restores: bool,
    stop: &'a StopSignal,
}

impl Counter<'_> {
    /// Returns the answer of the program with the mutation in a scope.
    fn answer(&mut self, scope: Scope, path: &MovePath, depth: u32) -> Result<Answer, Interrupted> {
        if scope == Scope::Everywhere {
            return self.everywhere(path, depth);
        }
        let (tree, root) = (self.tree, self.tree.root());
        let mut divide = Vec::new();
        for (index, &played) in tree.moves.iter().enumerate() {
            let nodes = match tree.children(root).get(index) {
                None => 1,
                Some(&child) if scope != Scope::BelowRoot => tree.last_ply(child, self.mutation),
                Some(&child) if self.restores => self.in_tree(child)?,
                Some(&child) => self.count(&mut self.board(tree.node(child).board), depth - 1)?,
            };
            divide.push((played, nodes));
        }
        let total = match (scope, depth) {
            (Scope::LastPly, 1) => tree.last_ply(root, self.mutation),
            _ => divide.iter().map(|(_, nodes)| nodes).sum(),
        };
        Ok((divide, total))
    }

    fn everywhere(&mut self, path: &MovePath, depth: u32) -> Result<Answer, Interrupted> {
        let mut root = MutatedBoard::after(path, self.rules());
        let place = self.tree.root();
        let is_right = root.board == self.tree.node(place).board;
        if self.restores && is_right && self.tree.change(place, self.mutation).is_none() {
            return self.answer(Scope::BelowRoot, path, depth);
        }
        let mut divide = Vec::new();
        root.try_each_child(|played, child| {
            divide.push((played, self.count(child, depth - 1)?));
            Ok(())
        })?;
        let total = divide.iter().map(|(_, nodes)| nodes).sum::<u64>();
        let end = u64::from(divide.is_empty() && root.counts_end());
        Ok((divide, total + end))
    }

    fn rules(&self) -> Rules {
        if self.shares { Rules::recorded(Some(self.mutation)) } else { Rules::new(Some(self.mutation)) }
    }

    fn board(&self, board: Board) -> MutatedBoard {
        MutatedBoard { board, rules: self.rules() }
    }

    /// Counts a position of the tree with a mutation that restores the board.
    fn in_tree(&mut self, place: u32) -> Result<u64, Interrupted> {
        let tree = self.tree;
        if !tree.inner(place).contains(self.mutation) {
            return Ok(tree.last_ply(place, self.mutation));
        }
        if let Some(&nodes) = self.in_tree.get(&place) {
            return Ok(nodes);
        }
        let depth = tree.node(place).depth;
        let mut nodes = if depth == 2 { tree.last_ply(place, self.mutation) } else { 0 };
        if depth > 2 {
            for &child in tree.children(place) {
                nodes += self.in_tree(child)?;
            }
        }
        if let Some((own, changed)) = tree.change(place, self.mutation) {
            nodes = nodes.wrapping_add_signed(own);
            for &child in changed.iter().flat_map(|changed| &changed.added) {
                nodes += self.in_tree(child)?;
            }
            for &board in changed.iter().flat_map(|changed| &changed.others) {
                nodes += self.count(&mut self.board(board), depth - 1)?;
            }
            for &child in changed.iter().flat_map(|changed| &changed.missing) {
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
        if let Some(place) = self.tree.place(&key) {
            let below = self.tree.below(place);
            if !below.contains(self.mutation) {
                board.rules.relevant = board.rules.relevant.union(below);
                return Ok(self.tree.node(place).nodes);
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
        // A count that leaves the board changed is not stored: a stored count would not change the board.
        if self.restores || board.board == before {
            self.elsewhere.entry(key).or_default().push((here.complement(), nodes));
        }
        Ok(nodes)
    }

    fn count_below(&mut self, board: &mut MutatedBoard, depth: u32) -> Result<u64, Interrupted> {
        if self.stop.is_raised() {
            return Err(Interrupted);
        }
        if depth == 1 {
            return Ok(board.count_moves());
        }
        let (mut nodes, mut has_child) = (0, false);
        board.try_each_child(|_, child| {
            has_child = true;
            nodes += self.count(child, depth - 1)?;
            Ok(())
        })?;
        Ok(nodes + u64::from(!has_child && board.counts_end()))
    }
}

/// Whether a divide and a total are the answer to explain.
type IsTold<'a> = &'a (dyn Fn(&[(Move, u64)], u64) -> bool + Sync);

/// Returns the models whose answer to a question passes a test. The test gets the divide and the total.
///
/// # Errors
/// Returns an error if the stop signal is raised.
///
/// # Examples
/// ```
/// use perft_core::{Position, StopSignal};
/// use perft_diagnosis::MovePath;
/// use perft_diagnosis::mutations::{RuleModel, matching};
///
/// let start = MovePath::new(Position::start());
/// let is_confirmed = |_: &[_], total| total == 144;
/// let models = matching(RuleModel::all().to_vec(), &start, 2, &StopSignal::default(), &is_confirmed);
/// assert!(models.unwrap().iter().any(|model| model.name() == "no-double-step"));
/// ```
pub fn matching(
    mut models: Vec<RuleModel>,
    path: &MovePath,
    depth: u32,
    stop: &StopSignal,
    is_confirmed: IsTold,
) -> Result<Vec<RuleModel>, Interrupted> {
    if models.is_empty() || depth == 0 {
        models.retain(|_| is_confirmed(&[], 1));
        return Ok(models);
    }
    let root = MutatedBoard::after(path, Rules::recorded(None));
    let wanted = models.iter().map(|model| model.mutation).collect();
    let tree = match Tree::build(root.board, depth, wanted, stop) {
        Ok(tree) => tree,
        Err(NoTree::Interrupted) => return Err(Interrupted),
        Err(NoTree::TooLarge) => return plainly_matching(models, path, depth, stop, is_confirmed),
    };
    let relevant = root.rules.relevant.union(tree.below(tree.root()));
    let mut rows: BTreeMap<usize, Vec<RuleModel>> = BTreeMap::new();
    for &model in models.iter().filter(|model| relevant.contains(model.mutation)) {
        rows.entry(model.mutation.row()).or_default().push(model);
    }
    // The mutations of a row are similar, so they share counts.
    let of_row = |mut row: Vec<RuleModel>| {
        row.sort_by_key(|model| model.mutation);
        let shares = row[0].mutation != row[row.len() - 1].mutation;
        let (mut elsewhere, mut matching) = (Elsewhere::default(), Vec::new());
        for models in row.chunk_by(|a, b| a.mutation == b.mutation) {
            let mutation = models[0].mutation;
            let restores = !mutation.breaks_any(Rule::is_of_unmaking);
            let (elsewhere, in_tree) = (&mut elsewhere, HashMap::default());
            let mut counter = Counter { tree: &tree, mutation, elsewhere, in_tree, shares, restores, stop };
            for &model in models {
                let (divide, total) = counter.answer(model.scope, path, depth)?;
                matching.extend(is_confirmed(&divide, total).then_some(model));
            }
        }
        Ok(matching)
    };
    let rows: Vec<Vec<RuleModel>> = rows.into_values().collect();
    let of_rows = rows.into_par_iter().with_max_len(1).map(of_row).collect::<Result<Vec<_>, _>>()?;
    let matching: HashSet<RuleModel> = of_rows.into_iter().flatten().collect();
    let (divide, total) = right_answer(&tree);
    let is_right = is_confirmed(&divide, total);
    models.retain(|model| match relevant.contains(model.mutation) {
        true => matching.contains(model),
        false => is_right,
    });
    Ok(models)
}

/// Returns the answer of a right program.
fn right_answer(tree: &Tree) -> Answer {
    let children = tree.children(tree.root());
    let nodes = |index: usize| children.get(index).map_or(1, |&child| tree.node(child).nodes);
    let divide = tree.moves.iter().enumerate().map(|(index, &played)| (played, nodes(index)));
    (divide.collect(), tree.node(tree.root()).nodes)
}

/// Returns the mutations that could change the answer to a question.
pub(crate) fn relevant(path: &MovePath, depth: u32) -> MutationSet {
    let mut board = MutatedBoard::after(path, Rules::recorded(None));
    board.count(depth);
    board.rules.relevant
}

/// Counts without a tree. This is for large counts and few models.
fn plainly_matching(
    models: Vec<RuleModel>,
    path: &MovePath,
    depth: u32,
    stop: &StopSignal,
    is_confirmed: IsTold,
) -> Result<Vec<RuleModel>, Interrupted> {
    let keeps = |model: RuleModel| {
        if stop.is_raised() {
            return Some(Err(Interrupted));
        }
        is_confirmed(&model.divide(path, depth), model.count(path, depth)).then_some(Ok(model))
    };
    models.into_par_iter().with_max_len(1).filter_map(keeps).collect()
}
