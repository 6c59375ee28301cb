//! The causes of wrong counts: the models that reproduce every answer.

use std::sync::Arc;

use perft_core::suite::builtin;
use perft_core::{Interrupted, StopSignal};

use crate::budget::StopReason;
use crate::checked_source::CheckedSource;
use crate::evidence::{RightAnswer, Told};
use crate::fault::{Fault, FaultKind};
use crate::models::{Model, keep_giving, without_narrower};
use crate::offers::{Offer, best, expected_wrong};
use crate::path::MovePath;

/// The greatest depth at which the position of a fault is asked about.
const DEPTH: u32 = 3;

/// The largest right count of these questions.
const MAX_NODES: u128 = 3_000;

/// The largest number of questions that are asked to decide between models.
const QUESTIONS: usize = 16;

/// The largest number of questions that are asked to confirm them.
const CONFIRMATIONS: usize = 12;

/// The weight of wrong answers that a model must reproduce before it is told as a cause. An answer that lists its moves
/// says more than a total.
const CONVINCING: usize = 3;

/// The models that reproduce all answers about a position, and contradict no right answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    /// The models, the most general first. If there are several, it is not known which one is right.
    pub models: Vec<Model>,
    /// The number of answers about the position that each of them reproduces.
    pub reproduced: usize,
    /// The number of other answers that none of them contradicts.
    pub others: usize,
}

impl From<Interrupted> for StopReason {
    fn from(_: Interrupted) -> StopReason {
        StopReason::Interrupted
    }
}

impl From<Vec<Model>> for Causes {
    /// Returns causes that one wrong answer proves.
    fn from(models: Vec<Model>) -> Causes {
        Causes { models, reproduced: 1, others: 0 }
    }
}

impl Causes {
    /// Finds the causes of a fault. The source is asked more questions about its position, and those that decide between
    /// the models that are left. `others` are right answers about other positions.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(crate) fn of(
        source: &mut CheckedSource,
        fault: &Fault,
        others: &[Arc<RightAnswer>],
    ) -> Result<Causes, StopReason> {
        ask_about(source, &fault.path)?;
        let is_near = |told: &&Told| told.is_small() && is_about(told, &fault.path);
        let about: Vec<Told> = source.told.iter().filter(is_near).cloned().collect();
        let first = source.known(&fault.path, fault.depth).filter(|told| told.is_small() && !told.is_right());
        let Some(first) = first else { return Ok(Causes::default()) };
        let mut models = explaining(first, source.budget.stop)?;
        for told in &about {
            keep_giving(&mut models, told, source.budget.stop)?;
        }
        let is_other = |told: &&Told| told.is_small() && told.is_right() && !is_about(told, &fault.path);
        let own: Vec<&Told> = source.told.iter().filter(is_other).collect();
        for told in &own {
            keep_giving(&mut models, told, source.budget.stop)?;
        }
        for right in others.iter().filter(|right| is_other(&&right.told)) {
            if right.concerns(&models) {
                keep_giving(&mut models, &right.told, source.budget.stop)?;
            }
        }
        let others = own.len() + others.iter().filter(|right| is_other(&&right.told)).count();
        let wrong: usize = about.iter().map(weight).sum();
        let mut causes = Causes { models, reproduced: about.len(), others };
        let mut asked = Vec::new();
        causes.decide(source, &mut asked)?;
        causes.confirm(source, &asked, wrong)?;
        Ok(causes)
    }

    /// Asks questions that decide between the models.
    fn decide(
        &mut self,
        source: &mut CheckedSource,
        asked: &mut Vec<&'static Offer>,
    ) -> Result<(), StopReason> {
        for _ in 0..QUESTIONS {
            let Some(offer) = best(&self.models, offers(source, asked)) else { break };
            asked.push(offer);
            self.ask(source, offer)?;
        }
        Ok(())
    }

    /// Asks questions to which the models give wrong answers. A right answer refutes a model. `wrong` is the weight of the
    /// wrong answers that the models have reproduced. If there are too few, no model is left.
    fn confirm(
        &mut self,
        source: &mut CheckedSource,
        asked: &[&'static Offer],
        mut wrong: usize,
    ) -> Result<(), StopReason> {
        let all = expected_wrong(&self.models, offers(source, asked));
        let step = all.len().div_ceil(CONFIRMATIONS).max(1);
        let (mut given, mut other) = (0, 0);
        for offer in all.into_iter().step_by(step) {
            if self.models.is_empty() {
                return Ok(());
            }
            match self.ask(source, offer)? {
                Some(weight) if weight > 0 => (wrong, given) = (wrong + weight, given + 1),
                Some(_) => {}
                None => other += 1,
            }
        }
        // So many moves may be missing for another reason. Other long lists must end there too.
        let has_limit = self.models.iter().any(|model| matches!(model, Model::ListEnds(_)));
        if wrong < CONVINCING || (other > 0 && given <= other) || (has_limit && given < 2) {
            self.models.clear();
        }
        Ok(())
    }

    /// Asks a question and drops the models that the answer refutes. Returns the weight of the answer, or `None` if it is
    /// wrong in a way that no model gives. It may have another reason.
    fn ask(&mut self, source: &mut CheckedSource, offer: &Offer) -> Result<Option<usize>, StopReason> {
        let Some(told) = source.tell(&offer.told.path, offer.told.depth)? else { return Ok(Some(0)) };
        let mut left = self.models.clone();
        keep_giving(&mut left, &told, source.budget.stop)?;
        if left.is_empty() && !told.is_right() {
            return Ok(None);
        }
        self.models = left;
        self.others += 1;
        Ok(Some(weight(&told)))
    }

    /// Returns the models that are no narrower form of another one, and only one of those with the same name.
    pub fn named(&self) -> Vec<Model> {
        let mut named = without_narrower(&self.models);
        named.dedup_by_key(|model| model.name());
        named
    }

    /// Returns the number of models that are narrower forms of others, such as for one side only.
    pub fn narrower(&self) -> usize {
        self.models.len() - without_narrower(&self.models).len()
    }

    /// Whether a model reproduces an answer.
    pub(crate) fn give(&self, told: &Told) -> bool {
        self.models.iter().any(|model| model.gives(told) == Some(true))
    }
}

/// Returns the offers that a source can be asked and has not been asked.
fn offers<'a>(
    source: &'a CheckedSource,
    asked: &'a [&'static Offer],
) -> impl Iterator<Item = &'static Offer> + Clone + 'a {
    let is_new = |offer: &&'static Offer| {
        source.can_ask(offer.told.depth) && !asked.iter().any(|other| std::ptr::eq(*other, *offer))
    };
    Offer::all(source.is_chess960(), source.asks_impossible).filter(is_new)
}

/// The questions that show whether all counts are wrong in the same way.
const SURVEY: [(&str, u32); 4] = [("start", 3), ("endgame", 2), ("kiwipete", 2), ("promotion", 2)];

/// The smallest number of these answers that must be wrong.
const MIN_WRONG: usize = 2;

/// Returns the first wrong answer and the models that make all counts wrong, if one reproduces the answers of a survey.
/// Counters that overflow show in the first wrong answer, if it is large. Without `asks`, only this is tested.
///
/// # Errors
/// Returns an error if no more questions may be asked, or if the stop signal is raised.
pub(crate) fn hiding_others(
    source: &mut CheckedSource,
    first: &Told,
    asks: bool,
) -> Result<Option<(Fault, Causes)>, StopReason> {
    let is_overflow = |model: &Model| model.is_overflow() && model.gives(first) == Some(true);
    let overflow: Vec<Model> = Model::all().filter(is_overflow).take(1).collect();
    if !overflow.is_empty() || !asks {
        return Ok((!overflow.is_empty()).then(|| (fault_of(first), Causes::from(overflow))));
    }
    let mut models: Vec<Model> = Model::all().filter(|model| model.hides_others()).collect();
    let mut answers = Vec::new();
    for (name, deepest) in SURVEY {
        let position = builtin::position(name).expect("the position is built in").position;
        for depth in (1..=deepest).filter(|&depth| source.can_ask(depth)).collect::<Vec<_>>() {
            let Some(told) = source.tell(&MovePath::new(position), depth)? else { return Ok(None) };
            keep_giving(&mut models, &told, source.budget.stop)?;
            answers.push(told);
        }
    }
    keep_giving(&mut models, first, source.budget.stop)?;
    let wrong = answers.iter().filter(|told| !told.is_right());
    models.retain(|model| wrong.clone().filter(|told| model.gives(told) == Some(true)).count() >= MIN_WRONG);
    let Some(shown) = answers.iter().find(|told| !told.is_right()) else { return Ok(None) };
    let causes = Causes { models, reproduced: answers.len(), others: 0 };
    Ok((!causes.models.is_empty()).then(|| (fault_of(shown), causes)))
}

/// Returns the fault that a wrong answer is.
fn fault_of(told: &Told) -> Fault {
    Fault { path: told.path.clone(), depth: told.depth, kind: FaultKind::Count(told.difference.clone()) }
}

/// Returns the models that give a wrong answer.
///
/// # Errors
/// Returns an error if the stop signal is raised.
pub(crate) fn explaining(wrong: &Told, stop: &StopSignal) -> Result<Vec<Model>, Interrupted> {
    explaining_among(Model::all().collect(), wrong, stop)
}

/// Returns those of some models that give a wrong answer, and a list that ends too early if that gives it.
///
/// # Errors
/// Returns an error if the stop signal is raised.
pub(crate) fn explaining_among(
    mut models: Vec<Model>,
    wrong: &Told,
    stop: &StopSignal,
) -> Result<Vec<Model>, Interrupted> {
    if wrong.depth == 1 && wrong.theirs > 0 && wrong.theirs < wrong.ours.len() as i128 {
        models.push(Model::ListEnds(wrong.theirs as u32));
    }
    models.retain(|model| matches!(model, Model::Rule(_)) || model.gives(wrong) == Some(true));
    keep_giving(&mut models, wrong, stop)?;
    Ok(models)
}

/// Asks about a position at small depths.
fn ask_about(source: &mut CheckedSource, path: &MovePath) -> Result<(), StopReason> {
    for depth in 1..=DEPTH {
        if source.known(path, depth).is_none() && source.can_ask(depth) && path.end.perft(depth) <= MAX_NODES
        {
            let _ = source.compare(path, depth)?;
        }
    }
    Ok(())
}

/// Whether an answer is about the end of a path, or about a position below it.
fn is_about(told: &Told, path: &MovePath) -> bool {
    *told.position() == path.end || (told.path.root == path.root && told.path.moves.starts_with(&path.moves))
}

/// Returns the weight of an answer as a proof.
fn weight(told: &Told) -> usize {
    match told.is_right() {
        true => 0,
        false => 1 + usize::from(told.difference.lists_moves),
    }
}
