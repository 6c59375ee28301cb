//! Models: definite wrong programs, each with one mutation in a part of its code. [`matching`] finds those that give
//! the answer to a question.
//!
//! A bug may be in all of a program, or only in the code that counts the last ply, or only below the root. A
//! [`RuleModel`] is a mutation with such a [`Scope`], so it gives a definite answer to every question.
//!
//! Small trees are counted with all mutations at once ([`counts`](super::counts)). The tests compare both counts.

use std::sync::LazyLock;

use perft_core::{Interrupted, LeafStatistics, Move, MoveList, StopSignal};

use super::MutatedBoard;
use super::board::{Board, Rules};
use super::catalogue::{Mutation, MutationSet};
use super::counts::Counter;
use super::rules::Rule;
use super::try_map;
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
            root.each_child(|played, child| counts.push((played, self.nodes(child, 1, depth - 1))));
        }
        counts
    }

    /// Returns the number of leaf nodes at a depth that the program gives.
    ///
    /// This is the sum of [`RuleModel::divide`], unless the program counts the moves of the root without listing them,
    /// or counts the end of a game as a leaf node.
    pub fn count(self, path: &MovePath, depth: u32) -> u64 {
        self.nodes(&mut self.root(path), 0, depth)
    }

    /// Counts below a board that is this number of plies below the root.
    fn nodes(self, board: &mut MutatedBoard, ply: u32, depth: u32) -> u64 {
        let mut nodes = u64::from(depth == 0);
        self.visit(board, ply, depth, &mut |board, depth| {
            nodes += match depth {
                1 => board.count_moves(),
                _ => u64::from(board.counts_end() && board.legal_moves().is_empty()),
            };
            false
        });
        nodes
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

    /// What the program counts after the capture of a king is not known.
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
        let mut mutated = MutatedBoard::on(board.board, self.mutation);
        let board = if begins_here { &mut mutated } else { board };
        let mut is_over = depth > 0 && visit(board, depth);
        if depth > 1 {
            board.each_child(|_, child| is_over = is_over || self.visit(child, ply + 1, depth - 1, visit));
        }
        is_over
    }

    fn root(self, path: &MovePath) -> MutatedBoard {
        let mutation = Some(self.mutation).filter(|_| self.scope == Scope::Everywhere);
        MutatedBoard::after(path, Rules::new(mutation))
    }
}

impl MutatedBoard {
    pub(super) fn after(path: &MovePath, rules: Rules) -> MutatedBoard {
        let mut board = MutatedBoard::read(&path.root, rules);
        path.moves.iter().for_each(|&played| board.play(played));
        board
    }

    fn on(board: Board, mutation: Mutation) -> MutatedBoard {
        MutatedBoard { board, rules: Rules::new(Some(mutation)) }
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
    let mut root = MutatedBoard::after(path, Rules::recorded(None));
    let wanted = models.iter().map(|model| model.mutation).collect();
    let counter = Counter::new(root.board, depth, wanted, stop)?;
    let whole = counter.count(&root.board, depth, wanted)?;
    let mut children = Vec::new();
    root.try_each_child(|played, child| {
        children.push((played, child.board, counter.count(&child.board, depth - 1, wanted)?));
        Ok(())
    })?;
    let relevant = children.iter().fold(whole.changing(), |all, (.., below)| all.union(below.changing()));
    let relevant = relevant.union(root.rules.relevant);
    let divide: Vec<(Move, u64)> = children.iter().map(|(played, _, below)| (*played, below.nodes)).collect();
    let is_right = is_confirmed(&divide, whole.nodes);
    let gives = |RuleModel { mutation, scope }: RuleModel| {
        let mut divide = Vec::new();
        if scope == Scope::Everywhere {
            let mut root = MutatedBoard::after(path, Rules::new(Some(mutation)));
            root.try_each_child(|played, child| {
                divide.push((played, counter.below(child, depth - 1, mutation)?));
                Ok(())
            })?;
            let end = u64::from(divide.is_empty() && root.counts_end());
            return Ok(is_confirmed(&divide, sum(&divide) + end));
        }
        for (played, board, below) in &children {
            let nodes = match scope {
                Scope::BelowRoot => {
                    counter.below(&mut MutatedBoard::on(*board, mutation), depth - 1, mutation)?
                }
                _ => below.last_ply(mutation),
            };
            divide.push((*played, nodes));
        }
        let counts_root = scope == Scope::LastPly && depth == 1;
        let total = if counts_root { whole.last_ply(mutation) } else { sum(&divide) };
        Ok(is_confirmed(&divide, total))
    };
    let keeps = |model: RuleModel| {
        let gives = if relevant.contains(model.mutation) { gives(model) } else { Ok(is_right) };
        gives.map(|gives| gives.then_some(model))
    };
    Ok(try_map(models, keeps)?.into_iter().flatten().collect())
}

fn sum(divide: &[(Move, u64)]) -> u64 {
    divide.iter().map(|(_, nodes)| nodes).sum()
}

/// Returns the mutations that could change the answer to a question.
pub(crate) fn relevant(path: &MovePath, depth: u32) -> MutationSet {
    let mut board = MutatedBoard::after(path, Rules::recorded(None));
    board.count(depth);
    board.rules.relevant
}
