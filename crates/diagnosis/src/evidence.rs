//! The answers of a program, which decide between models of wrong programs.

use std::sync::OnceLock;

use perft_core::{Move, Position, RootMove};

use crate::difference::DivideDifference;
use crate::models::Model;
use crate::mutations::{MutationSet, relevant};
use crate::path::MovePath;
use crate::source::Answer;

/// The largest right count that is counted with many models.
const MAX_NODES: u128 = 20_000;

/// The largest right count for which the count of the next depth is also counted.
const MAX_NODES_BEFORE_NEXT: u128 = 200_000;

/// An answer of a program, right or wrong.
#[derive(Clone, Debug)]
pub struct Told {
    /// The position that was asked about, as it was given to the program.
    pub path: MovePath,
    /// The depth of the question in plies.
    pub depth: u32,
    /// The correct divide. For a number without moves it may be empty.
    pub ours: Vec<RootMove>,
    /// The correct counts at the depths from 0 on, as far as they are known.
    pub counts: Vec<u128>,
    /// The total of the answer. Counters that overflow may print a negative one.
    pub theirs: i128,
    /// The answer.
    pub answer: Answer,
    /// Its difference from the correct divide.
    pub difference: DivideDifference,
    /// The last position about which the same process was right before, if there is one.
    pub before: Option<Position>,
}

/// A right answer. Models that make it wrong are refuted.
#[derive(Debug)]
pub(crate) struct RightAnswer {
    pub told: Told,
    /// The mutations that can change the count, once they are needed.
    relevant: OnceLock<MutationSet>,
}

impl RightAnswer {
    pub fn new(told: Told) -> RightAnswer {
        RightAnswer { told, relevant: OnceLock::new() }
    }

    /// Whether the answer can refute one of the models.
    pub fn concerns(&self, models: &[Model]) -> bool {
        let relevant = || self.relevant.get_or_init(|| relevant(&self.told.path, self.told.depth));
        models.iter().any(|model| match model {
            Model::Rule(rule) => relevant().contains(rule.mutation),
            _ => true,
        })
    }
}

impl Told {
    /// Returns an answer about the end of a path, whose correct divide is `ours`.
    pub fn new(path: MovePath, depth: u32, ours: Vec<RootMove>, answer: Answer) -> Told {
        let mut difference = DivideDifference::of(&path.end, &ours, &answer);
        if depth == 0 {
            difference.ours = 1;
        }
        let theirs = difference.their_total();
        Told { path, depth, ours, counts: Vec::new(), theirs, answer, difference, before: None }
    }

    /// Returns the position that was asked about.
    pub fn position(&self) -> &Position {
        &self.path.end
    }

    /// Whether the position is small enough to be counted with many models.
    pub fn is_small(&self) -> bool {
        self.difference.ours <= MAX_NODES
    }

    /// Whether the answer is right.
    pub fn is_right(&self) -> bool {
        self.difference.is_right()
    }

    /// Returns the correct number of leaf nodes at a depth, unless it takes long to count.
    pub fn count(&self, depth: u32) -> Option<u128> {
        let is_small = depth <= self.depth || self.difference.ours <= MAX_NODES_BEFORE_NEXT;
        let counted = || is_small.then(|| self.position().perft(depth));
        self.counts.get(depth as usize).copied().or_else(counted)
    }

    /// Whether the answer has exactly these counts below moves and this total. Moves that nobody counts need not be listed.
    pub fn has(&self, moves: &[(Move, u128)], total: i128) -> bool {
        self.has_of(self.position(), moves, total)
    }

    /// Whether the answer has exactly these counts below the moves of another position, and this total.
    pub fn has_of(&self, position: &Position, moves: &[(Move, u128)], total: i128) -> bool {
        if total != self.theirs || self.answer.moves.is_empty() {
            return total == self.theirs;
        }
        let predicted: Vec<RootMove> =
            moves.iter().map(|&(played, nodes)| RootMove { played, nodes }).collect();
        let difference = DivideDifference::of(position, &predicted, &self.answer);
        difference.has_right_moves() && difference.wrong.is_empty()
    }
}
