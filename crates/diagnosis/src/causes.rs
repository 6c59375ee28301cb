//! The causes of wrong counts: the models that reproduce every answer.

use std::sync::{Arc, LazyLock, OnceLock};

use perft_core::internals::is_possible;
use perft_core::suite::builtin;
use perft_core::{CastlingNotation, Interrupted, StopSignal};

use crate::difference::Told;
use crate::generated::list;
use crate::models::{Adding, Model, keep_giving, without_narrower};
use crate::mutations::{MutationSet, relevant};
use crate::program::{Asked, Program};
use crate::source::{Answer, MovePath};
use crate::target::random_target;

/// The greatest depth at which the position of a fault is asked about.
const DEPTH: u32 = 3;

/// The largest right count of a question about the position of a fault.
const MAX_NODES_OF_FAULT: u128 = 3_000;

/// The largest number of questions that are asked to decide between models.
const QUESTIONS: usize = 16;

/// The largest number of questions that are asked to confirm models.
const CONFIRMATIONS: usize = 12;

/// The weight of wrong answers that a model must reproduce before it is reported as a cause. An answer that lists its
/// moves says more than a total.
const CONVINCING: usize = 3;

/// The models that reproduce all answers about a position, and contradict no right answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Causes {
    /// The models, the most general first. If there are several, it is not known which one is right.
    pub models: Vec<Model>,
    /// The number of answers about the position that each of them reproduces.
    pub reproduced: usize,
    /// The number of other answers about the position, below which a program with these mistakes can capture a king. What
    /// it counts then is not known.
    pub unknown: usize,
    /// The number of other answers that none of them contradicts.
    pub others: usize,
    /// The number of other wrong answers that belong to the same bug, and how many of these each of them gives.
    pub other_wrong: OtherWrong,
}

/// How many of the other wrong answers a model gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct OtherWrong {
    /// The number of answers that it gives.
    pub given: usize,
    /// The number of answers.
    pub of: usize,
}

/// The largest number of models that are compared with wrong answers that none of them gives.
const SHARING: usize = 40;

impl Causes {
    /// Returns the cause that one wrong answer proves.
    pub(crate) fn of_answer(model: Model) -> Causes {
        Causes { models: vec![model], reproduced: 1, ..Causes::default() }
    }

    /// Finds the causes of a fault. Asks the source more questions about the position of the fault, and then questions
    /// that decide between the models that are left. `others` are right answers about other positions.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(crate) fn find(program: &mut Program, fault: &Told, others: &[Arc<RightCount>]) -> Asked<Causes> {
        let stop = &program.stop.clone();
        let is_about = |told: &Told| is_about(told, &fault.path);
        let is_other = |told: &&Told| told.is_small() && told.is_right() && !is_about(told);
        let first =
            program.known(&fault.path, fault.depth).filter(|told| told.is_small() && !told.is_right());
        let models = first.map(|first| explaining(Model::all().collect(), first, stop)).transpose()?;
        let mut models = models.unwrap_or_default();
        if models.is_empty() {
            return Ok(Causes::default());
        }
        ask_about(program, &fault.path)?;
        let about = program.told.iter().filter(|told| told.is_small() && is_about(told));
        let own = program.told.iter().filter(is_other);
        let mut unknown = 0;
        for told in about.clone().chain(own.clone()) {
            unknown += usize::from(!keep_or_unknown(&mut models, told, stop)?);
        }
        let others = others.iter().filter(|right| is_other(&&right.told));
        for right in others.clone() {
            if right.concerns(&models) {
                keep_giving(&mut models, &right.told, stop)?;
            }
        }
        let wrong = about.clone().map(weight).sum();
        let (reproduced, others) = (about.count() - unknown, own.count() + others.count());
        let mut causes = Causes { models, reproduced, unknown, others, other_wrong: OtherWrong::default() };
        let mut asked = Vec::new();
        for _ in 0..QUESTIONS {
            let Some(offer) = best(&causes.models, new_offers(program, &asked)) else { break };
            asked.push(offer);
            causes.ask(program, offer)?;
        }
        causes.confirm(program, &asked, wrong)?;
        Ok(causes)
    }

    /// Asks questions to which the models give wrong answers. A right answer refutes a model. `wrong` is the weight of
    /// the wrong answers that were reproduced so far. All models are dropped if it stays too small.
    fn confirm(&mut self, program: &mut Program, asked: &[&'static RightCount], wrong: usize) -> Asked<()> {
        let all = expected_wrong(&self.models, new_offers(program, asked));
        let step = all.len().div_ceil(CONFIRMATIONS).max(1);
        let (mut wrong, mut given, mut other) = (wrong, 0, 0);
        for offer in all.into_iter().step_by(step) {
            if self.models.is_empty() {
                return Ok(());
            }
            match self.ask(program, offer)? {
                Some(weight) if weight > 0 => (wrong, given) = (wrong + weight, given + 1),
                Some(_) => {}
                None => other += 1,
            }
        }
        // One list may end early for another reason. Other long lists must end at the same number.
        let has_limit = self.models.iter().any(|model| matches!(model, Model::ListEnds(_)));
        if wrong < CONVINCING || (other > 0 && given <= other) || (has_limit && given < 2) {
            self.models.clear();
        }
        if other > 0 {
            self.other_wrong = OtherWrong { given, of: given + other };
        }
        Ok(())
    }

    /// Keeps the models that give other wrong answers of the same bug: all of them or, if no model does, most of them.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    pub(crate) fn keep_sharing(&mut self, wrong: &[Told], stop: &StopSignal) -> Result<(), Interrupted> {
        let mut models = self.models.clone();
        for told in wrong.iter().filter(|told| told.is_small()) {
            keep_giving(&mut models, told, stop)?;
        }
        if models.is_empty() && self.models.len() <= SHARING {
            let compared = |model: &Model| {
                let is_judged =
                    |told: &&Told| told.difference.ours <= MAX_NODES_OF_FAULT && !model.captures_king(told);
                let judged: Vec<&Told> = wrong.iter().filter(is_judged).collect();
                let given = judged.iter().filter(|told| model.gives(told) == Some(true)).count();
                (*model, OtherWrong { given, of: judged.len() })
            };
            let compared: Vec<(Model, OtherWrong)> = self.models.iter().map(compared).collect();
            let least = compared.iter().map(|(_, other)| other.of - other.given).min().unwrap_or_default();
            let is_kept =
                |(_, other): &&(Model, OtherWrong)| other.of - other.given == least && least <= other.given;
            models = compared.iter().filter(is_kept).map(|(model, _)| *model).collect();
            let kept = compared.iter().find(is_kept).filter(|_| least > 0);
            if let Some((_, OtherWrong { given, of })) = kept {
                self.other_wrong =
                    OtherWrong { given: self.other_wrong.given + given, of: self.other_wrong.of + of };
            }
        }
        self.models = models;
        Ok(())
    }

    /// Asks a question and drops the models that the answer refutes. Returns the weight of the answer, or `None` if it
    /// is wrong in a way that no model gives. Another bug may be the reason.
    fn ask(&mut self, program: &mut Program, offer: &RightCount) -> Asked<Option<usize>> {
        let Some(told) = program.tell(&offer.told.path, offer.told.depth)? else {
            return Ok(Some(0));
        };
        let mut left = self.models.clone();
        if !keep_or_unknown(&mut left, &told, &program.stop)? {
            return Ok(Some(0));
        }
        if left.is_empty() && !told.is_right() {
            return Ok(None);
        }
        self.models = left;
        self.others += 1;
        Ok(Some(weight(&told)))
    }

    pub(crate) fn give(&self, told: &Told) -> bool {
        told.is_small() && self.models.iter().any(|model| model.gives(told) == Some(true))
    }

    /// Returns the models that are not a narrower form of another one, and only one of those with the same name.
    pub fn named(&self) -> Vec<Model> {
        let mut named = without_narrower(&self.models);
        named.dedup_by_key(|model| model.name());
        named
    }

    /// Returns the number of models that are narrower forms of others, such as for one side only.
    pub fn narrower(&self) -> usize {
        self.models.len() - without_narrower(&self.models).len()
    }
}

/// Keeps the models that give an answer. If no broken rule does, and the answer is wrong, it may be because a king can be
/// captured: then these models stay. Returns whether the answer says something about the models.
fn keep_or_unknown(models: &mut Vec<Model>, told: &Told, stop: &StopSignal) -> Result<bool, Interrupted> {
    let before = models.clone();
    keep_giving(models, told, stop)?;
    let is_explained = models.iter().any(|model| matches!(model, Model::Rule(_)));
    if is_explained || told.is_right() || told.difference.ours > MAX_NODES_OF_FAULT {
        return Ok(true);
    }
    let kept = models.len();
    models.extend(before.into_iter().filter(|model| model.captures_king(told)));
    Ok(models.len() == kept)
}

fn new_offers(program: &Program, asked: &[&'static RightCount]) -> Vec<&'static RightCount> {
    let abilities = program.abilities();
    let is_new = |offer: &&RightCount| {
        abilities.can_ask(offer.told.depth) && !asked.iter().any(|other| std::ptr::eq(*other, *offer))
    };
    RightCount::offers(abilities.is_chess960).filter(is_new).collect()
}

/// The questions that show whether all counts are wrong in the same way.
const SURVEY: [(&str, u32); 4] = [("start", 3), ("endgame", 2), ("kiwipete", 2), ("promotion", 2)];

/// The smallest number of wrong answers to the survey that a model must reproduce.
const MIN_WRONG: usize = 2;

/// Returns the models that hide other mistakes and reproduce the answers to [`SURVEY`], with a wrong answer that shows
/// them. Overflow is tested first, because `first` alone can show it. Without `asks`, only overflow is tested.
///
/// # Errors
/// Returns an error if no more questions may be asked, or if the stop signal is raised.
pub(crate) fn find_pattern(program: &mut Program, first: &Told, asks: bool) -> Asked<Option<(Told, Causes)>> {
    let is_overflow = |model: &Model| {
        matches!(model, Model::Adding(Adding::Bits(_) | Adding::SignedBits(_)))
            && model.gives(first) == Some(true)
    };
    let overflow = Model::all().find(is_overflow);
    if overflow.is_some() || !asks {
        return Ok(overflow.map(|model| (first.clone(), Causes::of_answer(model))));
    }
    let mut models: Vec<Model> = Model::all().filter(|model| model.hides_others()).collect();
    let mut answers = Vec::new();
    let abilities = program.abilities();
    for (name, deepest) in SURVEY {
        let position = builtin::position(name).expect("the position is built in").position;
        for depth in (1..=deepest).filter(|&depth| abilities.can_ask(depth)) {
            let Some(told) = program.tell(&MovePath::new(position), depth)? else { return Ok(None) };
            keep_giving(&mut models, &told, &program.stop)?;
            answers.push(told);
        }
    }
    keep_giving(&mut models, first, &program.stop)?;
    let wrong = answers.iter().filter(|told| !told.is_right());
    models.retain(|model| wrong.clone().filter(|told| model.gives(told) == Some(true)).count() >= MIN_WRONG);
    let Some(shown) = answers.iter().find(|told| !told.is_right()) else { return Ok(None) };
    let reproduced = answers.iter().filter(|told| is_about(told, &shown.path)).count();
    let others = answers.len() - reproduced;
    let causes = Causes { models, reproduced, others, ..Causes::default() };
    Ok((!causes.models.is_empty()).then(|| (shown.clone(), causes)))
}

/// Returns the models that give a wrong answer, and [`Model::ListEnds`] if it gives this answer too.
///
/// # Errors
/// Returns an error if the stop signal is raised.
pub(crate) fn explaining(
    mut models: Vec<Model>,
    wrong: &Told,
    stop: &StopSignal,
) -> Result<Vec<Model>, Interrupted> {
    let theirs = wrong.difference.theirs;
    if wrong.depth == 1 && theirs > 0 && theirs < wrong.ours.len() as i128 {
        models.push(Model::ListEnds(theirs as u32));
    }
    models.retain(|model| matches!(model, Model::Rule(_)) || model.gives(wrong) == Some(true));
    keep_giving(&mut models, wrong, stop)?;
    Ok(models)
}

fn ask_about(program: &mut Program, path: &MovePath) -> Asked<()> {
    for depth in 1..=DEPTH {
        if program.known(path, depth).is_none()
            && program.abilities().can_ask(depth)
            && path.end.perft(depth) <= MAX_NODES_OF_FAULT
        {
            program.compare(path, depth)?;
        }
    }
    Ok(())
}

fn is_about(told: &Told, path: &MovePath) -> bool {
    *told.position() == path.end || (told.path.root == path.root && told.path.moves.starts_with(&path.moves))
}

fn weight(told: &Told) -> usize {
    if told.is_right() { 0 } else { 1 + usize::from(told.difference.lists_moves) }
}

/// The largest right count of a question.
const MAX_NODES: u128 = 600;

/// The largest right count of a question about one of the generated positions.
const MAX_NODES_OF_MORE: u128 = 1_500;

/// The greatest depth of a question.
const MAX_DEPTH: u32 = 3;

/// The number of random positions.
const RANDOM: u64 = 200;

/// The offers about positions of the built-in suites, the smallest first. A diagnosis without a program needs no others, so
/// the page does without the code for random positions.
static OF_SUITES: LazyLock<Vec<RightCount>> = LazyLock::new(|| {
    let cases = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    offers(cases.map(|case| (MovePath::new(case.position), Some(case.name()))), MAX_NODES)
});

/// The other offers: about generated positions and about random ones.
static OTHERS: LazyLock<Vec<RightCount>> = LazyLock::new(|| {
    let more = list("offer").map(|(fen, _)| (MovePath::of_known(fen, ""), None));
    let random = (0..RANDOM).map(|number| (random_target(0, number, 1).path.without_moves(), None));
    [offers(more, MAX_NODES_OF_MORE), offers(random, MAX_NODES)].into_iter().flatten().collect()
});

/// Returns the questions about positions whose right count is not too large, the smallest first.
fn offers(paths: impl Iterator<Item = (MovePath, Option<&'static str>)>, max_nodes: u128) -> Vec<RightCount> {
    let of_path = |(path, name): (MovePath, Option<&'static str>)| {
        let of_depth = move |depth| RightCount::offer(&path, name, depth, max_nodes);
        (1..=MAX_DEPTH).map_while(of_depth)
    };
    let mut offers: Vec<RightCount> = paths.flat_map(of_path).collect();
    offers.sort_by_key(|offer| (offer.told.depth, offer.right_total()));
    offers
}

/// The largest count of the right answers that are kept to test causes. Each is counted once to see which mistakes would
/// change it.
pub(crate) const RIGHT_NODES: u128 = 2_000;

/// A question with its right count. It was answered rightly, or it is an *offer*: it was not asked yet. A right answer
/// refutes the models that make the count wrong.
#[derive(Debug)]
pub(crate) struct RightCount {
    /// The answer. That of an offer has only the right divide.
    pub told: Told,
    /// The name of the position, for an offer from the built-in suites.
    pub name: Option<&'static str>,
    /// The mutations that can change the count, computed at the first use.
    relevant: OnceLock<MutationSet>,
}

impl RightCount {
    pub fn new(told: Told) -> RightCount {
        RightCount { told, name: None, relevant: OnceLock::new() }
    }

    /// Returns an offer, unless its right count is too large. A program may refuse positions that no game reaches.
    fn offer(path: &MovePath, name: Option<&'static str>, depth: u32, max_nodes: u128) -> Option<RightCount> {
        if path.end.perft(depth) > max_nodes || !is_possible(&path.end) {
            return None;
        }
        let told = Told::new(path.clone(), depth, path.end.divide(depth), Answer::default());
        Some(RightCount { name, ..RightCount::new(told) })
    }

    /// Returns all offers.
    fn offers(with_chess960: bool) -> impl Iterator<Item = &'static RightCount> {
        RightCount::of_suites(with_chess960)
            .chain(OTHERS.iter().filter(move |offer| offer.is_for(with_chess960)))
    }

    /// Returns the offers about positions of the built-in suites, the smallest first.
    pub fn of_suites(with_chess960: bool) -> impl Iterator<Item = &'static RightCount> {
        OF_SUITES.iter().filter(move |offer| offer.is_for(with_chess960))
    }

    fn is_for(&self, with_chess960: bool) -> bool {
        with_chess960 || self.told.path.notation() == CastlingNotation::Standard
    }

    /// Whether it can refute one of the models.
    pub fn concerns(&self, models: &[Model]) -> bool {
        let relevant = || self.relevant.get_or_init(|| relevant(&self.told.path, self.told.depth));
        models.iter().any(|model| match model {
            Model::Rule(rule) => relevant().contains(rule.mutation),
            _ => true,
        })
    }

    /// Returns the totals that some models give, if they are known.
    pub fn totals(&self, models: &[Model]) -> impl Iterator<Item = Option<i128>> {
        models.iter().map(|&model| match self.concerns(&[model]) {
            true => model.total(&self.told),
            false => Some(self.right_total()),
        })
    }

    fn right_total(&self) -> i128 {
        self.told.difference.ours as i128
    }
}

/// Returns the offer that splits the models best: in the worst case, the fewest models are left after the answer.
fn best(models: &[Model], offers: Vec<&'static RightCount>) -> Option<&'static RightCount> {
    let mut best: Option<(usize, &RightCount)> = None;
    for offer in offers.into_iter().take_while(|_| models.len() > 1) {
        let most = largest_class(&offer.totals(models).collect::<Vec<_>>());
        if most < best.map_or(models.len(), |(most, _)| most) {
            best = Some((most, offer));
        }
        if 2 * most <= models.len() + 1 {
            break;
        }
    }
    best.map(|(_, offer)| offer)
}

fn expected_wrong(models: &[Model], mut offers: Vec<&'static RightCount>) -> Vec<&'static RightCount> {
    offers.retain(|offer| {
        let is_wrong = |total: Option<i128>| total.is_some_and(|total| total != offer.right_total());
        !models.is_empty() && offer.totals(models).all(is_wrong)
    });
    offers
}

/// Returns the largest number of models that are left after one of the answers. A model whose total is not known is
/// always left.
fn largest_class(totals: &[Option<i128>]) -> usize {
    let left =
        |total: &Option<i128>| totals.iter().filter(|other| other.is_none() || *other == total).count();
    totals.iter().map(left).max().unwrap_or_default()
}
