//! Models: definite wrong programs, each with one mutation in a part of its code.
//!
//! A bug may be in all of a program, or only in the code that counts the last ply, or only below the root. A
//! [`RuleModel`] is a mutation with such a [`Scope`], so it gives a definite answer to every question.

use std::sync::LazyLock;

use perft_core::Move;

use super::active::Rules;
use super::{MutatedBoard, Mutation};
use crate::path::MovePath;

/// The part of a program that has a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The bug is in the code for all plies.
    Everywhere,
    /// The moves of the root are generated and made rightly. The bug is in the code for all plies below.
    BelowRoot,
    /// Moves are generated and made rightly. Only the code that counts the moves of the last ply has the bug.
    LastPly,
    /// As [`Scope::LastPly`], but a question at depth 1 is answered rightly.
    LastPlyBelowRoot,
}

impl Scope {
    const ALL: [Scope; 4] = [Scope::Everywhere, Scope::BelowRoot, Scope::LastPly, Scope::LastPlyBelowRoot];

    /// Returns the end of the name of a model.
    const fn slug(self) -> &'static str {
        match self {
            Scope::Everywhere => "",
            Scope::BelowRoot => "-below-root",
            Scope::LastPly => "-at-last-ply",
            Scope::LastPlyBelowRoot => "-at-last-ply-below-root",
        }
    }

    /// Returns the end of the description of a model.
    const fn about(self) -> &'static str {
        match self {
            Scope::Everywhere => ".",
            Scope::BelowRoot => ", but only below the root.",
            Scope::LastPly => ", but only where the moves of the last ply are counted.",
            Scope::LastPlyBelowRoot => {
                ", but only where the moves of the last ply are counted, and not at depth 1."
            }
        }
    }
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

/// The name and the description of each mutation in each scope.
static TEXTS: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| {
    let text = |mutation: &Mutation, scope: Scope| {
        let about = mutation.about().trim_end_matches('.');
        [mutation.name().to_owned() + scope.slug(), about.to_owned() + scope.about()]
    };
    let of_each = |mutation| Scope::ALL.map(|scope| text(mutation, scope));
    Mutation::ALL.iter().flat_map(of_each).collect()
});

static MODELS: LazyLock<Vec<RuleModel>> = LazyLock::new(|| {
    let of_scope = |scope| {
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
    pub fn name(self) -> &'static str {
        &TEXTS[self.index()][0]
    }

    /// Returns the behaviour of the program: one sentence.
    pub fn about(self) -> &'static str {
        &TEXTS[self.index()][1]
    }

    fn index(self) -> usize {
        self.mutation.index() * Scope::ALL.len() + self.scope as usize
    }

    /// Whether only the code that counts the last ply has the bug.
    pub(crate) fn is_of_last_ply(self) -> bool {
        matches!(self.scope, Scope::LastPly | Scope::LastPlyBelowRoot)
    }

    /// Whether it is another model in a smaller part of the program, or for fewer moves.
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
            Scope::BelowRoot => self.mutation.breaks_any(|rule| !rule.is_of_reading()),
            Scope::LastPly | Scope::LastPlyBelowRoot => !self.mutation.breaks_any(|rule| !rule.is_of_lists()),
        }
    }

    /// Returns the counts below each move of the end of a path. Some models list a move twice.
    ///
    /// The path is played from its root in the way of the model. A model whose root is right plays it rightly.
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
