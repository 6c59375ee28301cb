//! Finds the models that give the answer to a question.

use perft_core::{Interrupted, Move, StopSignal};
use rayon::prelude::*;

use super::MutatedBoard;
use super::active::Rules;
use super::changes::Changes;
use super::counter::{Answer, Counter, Elsewhere, right_answer};
use super::models::RuleModel;
use super::set::MutationSet;
use super::tree::{NoTree, RightTree};
use crate::path::MovePath;

/// Whether a divide and a total are the answer that was told.
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
/// let is_told = |_: &[_], total| total == 144;
/// let models = matching(RuleModel::all().to_vec(), &start, 2, &StopSignal::default(), &is_told);
/// assert!(models.unwrap().iter().any(|model| model.name() == "no-double-step"));
/// ```
pub fn matching(
    models: Vec<RuleModel>,
    path: &MovePath,
    depth: u32,
    stop: &StopSignal,
    is_told: IsTold,
) -> Result<Vec<RuleModel>, Interrupted> {
    if depth == 0 {
        return Ok(if is_told(&[], 1) { models } else { Vec::new() });
    }
    let root = MutatedBoard::after(path, Rules::recorded(None));
    let tree = match RightTree::of(root.board, depth, stop) {
        Ok(tree) => tree,
        Err(NoTree::Interrupted) => return Err(Interrupted),
        Err(NoTree::TooLarge) => return plainly_matching(models, path, depth, stop, is_told),
    };
    let wanted = models.iter().map(|model| model.mutation).collect();
    let changes = Changes::of(&tree, wanted, stop)?;
    let relevant = root.rules.relevant.union(changes.below(tree.root()));
    let question = Question { path, depth, stop, is_told, changes: &changes, relevant };
    question.matching(models)
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
    is_told: IsTold,
) -> Result<Vec<RuleModel>, Interrupted> {
    let keeps = |model: RuleModel| {
        if stop.is_raised() {
            return Some(Err(Interrupted));
        }
        is_told(&model.divide(path, depth), model.count(path, depth)).then_some(Ok(model))
    };
    models.into_par_iter().with_max_len(1).filter_map(keeps).collect()
}

struct Question<'a> {
    path: &'a MovePath,
    depth: u32,
    stop: &'a StopSignal,
    is_told: IsTold<'a>,
    changes: &'a Changes<'a>,
    /// The mutations that can change the answer.
    relevant: MutationSet,
}

impl Question<'_> {
    fn matching(&self, mut models: Vec<RuleModel>) -> Result<Vec<RuleModel>, Interrupted> {
        let right = right_answer(self.changes);
        let is_right = (self.is_told)(&right.0, right.1);
        models.retain(|model| is_right || self.relevant.contains(model.mutation));
        let mut by_mutation: Vec<&RuleModel> =
            models.iter().filter(|model| self.relevant.contains(model.mutation)).collect();
        by_mutation.sort_by_key(|model| model.mutation);
        let rows: Vec<&[&RuleModel]> =
            by_mutation.chunk_by(|a, b| a.mutation.row() == b.mutation.row()).collect();
        let wrong = rows.par_iter().with_max_len(1).map(|row| self.not_matching(row));
        let wrong: Vec<Vec<RuleModel>> = wrong.collect::<Result<_, _>>()?;
        let mut wrong = wrong.concat();
        wrong.sort_unstable();
        models.retain(|model| wrong.binary_search(model).is_err());
        Ok(models)
    }

    /// Returns the models of a row of the catalogue that do not give the answer.
    fn not_matching(&self, row: &[&RuleModel]) -> Result<Vec<RuleModel>, Interrupted> {
        let mut elsewhere = Elsewhere::default();
        let mut wrong = Vec::new();
        let shares = row.first().map(|model| model.mutation) != row.last().map(|model| model.mutation);
        for models in row.chunk_by(|a, b| a.mutation == b.mutation) {
            let mut counter =
                Counter::new(self.changes, models[0].mutation, &mut elsewhere, shares, self.stop);
            for &&model in models {
                let (divide, total): Answer = counter.answer(model.scope, self.path, self.depth)?;
                if !(self.is_told)(&divide, total) {
                    wrong.push(model);
                }
            }
        }
        Ok(wrong)
    }
}
