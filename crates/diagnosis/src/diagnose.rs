//! Explains wrong numbers without the program that counted them.

use std::collections::HashSet;

use perft_core::{CastlingNotation, Interrupted, Position, StopSignal};

use crate::causes::{RightCount, explaining};
use crate::difference::{DivideDifference, Told};
use crate::models::{Model, keep_giving, without_narrower};
use crate::mutations::RuleModel;

/// The largest right count that is counted with every model. This takes a minute or two for one number.
const MAX_NODES: u128 = 60_000_000;

/// The largest right count that is counted with the few models that smaller numbers have left.
const MAX_NODES_OF_FEW: u128 = 200_000_000;

/// The largest right count whose captures, castling moves and promotions are counted with the models that are left.
pub const MAX_NODES_OF_KINDS: u128 = 500_000;

/// The largest number of models that counts as few.
const FEW: usize = 12;

/// The largest number of causes of one answer that lists no wrong move.
const MAX_OF_ONE: usize = 3;

/// The largest number of models that are distinguished.
const MAX_MODELS: usize = 24;

/// The largest number of counts that are proposed to distinguish models.
const MAX_COUNTS: usize = 6;

/// The result of a diagnosis.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Diagnosis {
    /// The answers.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub answers: Vec<Told>,
    /// The models that reproduce all answers, the most general first.
    pub causes: Vec<Model>,
    /// The number of narrower forms of the causes, for one side or some moves only, that reproduce all answers, too.
    pub narrower: usize,
    /// For each answer, the models that were compared with it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub tried: Vec<Tried>,
    /// Whether the search came to its end. Otherwise the stop signal was raised.
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
    /// Counts that distinguish the causes. Each has a number for each cause.
    pub telling: Vec<TellingCount>,
}

/// The models that were compared with an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tried {
    /// The number of models. Earlier answers had ruled out the others.
    pub models: usize,
    /// Whether models of all kinds were among them. If the right count is too large, only ways of adding up are tried.
    pub with_rules: bool,
}

/// A model that reproduces all answers but one. A second bug may have changed that one.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct AllButOne {
    /// The model.
    pub model: Model,
    /// The index of the answer that it does not reproduce.
    pub answer: usize,
    /// The total that it gives there.
    pub total: u64,
}

/// A count for which programs with different mistakes give different numbers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TellingCount {
    /// The name of the position in the built-in suites.
    pub name: &'static str,
    /// The position and the depth, with the right count and without an answer.
    pub question: Told,
    /// The number that a program with each cause gives, if it is known.
    pub totals: Vec<Option<i128>>,
}

/// Finds the models that reproduce all answers of a program. There are none if all answers are right.
///
/// `on_progress` is called before each answer with the number of models that are left. The search ends early, without
/// causes, when the stop signal is raised. Models are tried on the threads of the current rayon pool.
///
/// # Examples
/// ```
/// use perft_core::{Position, StopSignal};
/// use perft_diagnosis::source::Answer;
/// use perft_diagnosis::{MovePath, Told, diagnose};
///
/// // perft(3) of this position is 97862.
/// let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// let kiwipete = Position::from_fen(fen).unwrap();
/// let told = Told::new(MovePath::new(kiwipete), 3, kiwipete.divide(3), Answer::from(97_766_u64));
/// let diagnosis = diagnose(vec![told], &StopSignal::default(), &|_| {});
/// assert_eq!(diagnosis.causes[0].name(), "no-en-passant");
/// assert!(!diagnosis.telling.is_empty());
/// ```
pub fn diagnose(answers: Vec<Told>, stop: &StopSignal, on_progress: &dyn Fn(usize)) -> Diagnosis {
    let mut diagnosis =
        Diagnosis { tried: vec![Tried::default(); answers.len()], answers, ..Diagnosis::default() };
    if diagnosis.answers.iter().all(Told::is_right) {
        return Diagnosis { is_complete: true, ..diagnosis };
    }
    let Ok(causes) = diagnosis.search(stop, on_progress) else { return diagnosis };
    let is_chess960 = |told: &Told| told.path.notation() == CastlingNotation::Chess960;
    let with_chess960 = diagnosis.answers.iter().any(is_chess960);
    let all = causes.len();
    let causes = without_narrower(&causes);
    let narrower = all - causes.len();
    let telling = distinguishing_counts(&causes[..causes.len().min(MAX_MODELS)], with_chess960);
    Diagnosis { causes, narrower, telling, is_complete: true, ..diagnosis }
}

/// The largest right count for which [`causes_of`] searches for causes. For larger ones, it would take minutes.
pub const MAX_NODES_OF_CAUSES: u128 = 5_000_000;

/// Returns the causes of one wrong answer, if it says enough: it lists wrong moves, or few models reproduce it. They
/// also reproduce the answers of `more`. There are none if the right count is above [`MAX_NODES_OF_CAUSES`].
pub fn causes_of(told: &Told, more: impl IntoIterator<Item = Told>, stop: &StopSignal) -> Vec<Model> {
    let DivideDifference { is_excerpt, ours, .. } = told.difference;
    if !told.difference.is_wrong() || is_excerpt || ours > MAX_NODES_OF_CAUSES {
        return Vec::new();
    }
    let answers = [told.clone()].into_iter().chain(more).collect();
    let causes = diagnose(answers, stop, &|_| {}).causes;
    let says_enough = causes.len() <= MAX_OF_ONE || !told.difference.has_right_moves();
    if says_enough { causes } else { Vec::new() }
}

impl Diagnosis {
    /// Whether all answers are right.
    pub fn is_right(&self) -> bool {
        self.answers.iter().all(Told::is_right)
    }

    fn search(&mut self, stop: &StopSignal, on_progress: &dyn Fn(usize)) -> Result<Vec<Model>, Interrupted> {
        let mut models: Vec<Model> = Model::all().collect();
        for (number, index) in self.by_cost().into_iter().enumerate() {
            let told = &self.answers[index];
            let ours = told.difference.ours;
            let with_rules = ours <= MAX_NODES || (models.len() <= FEW && ours <= MAX_NODES_OF_FEW);
            let is_tried = |model: &Model| with_rules || matches!(model, Model::Adding(_));
            let (mut tried, untried): (Vec<_>, Vec<_>) = models.into_iter().partition(is_tried);
            on_progress(tried.len());
            self.tried[index] = Tried { models: tried.len(), with_rules };
            if number == 0 {
                // Models that were never compared with an answer are not causes.
                models = explaining(tried, told, stop)?;
            } else {
                keep_giving(&mut tried, told, stop)?;
                tried.extend(untried);
                models = tried;
            }
        }
        // Any short answer ends somewhere. Only two lists that end at the same number say something.
        let wrong = self.answers.iter().filter(|told| told.depth == 1 && !told.is_right());
        let boards: HashSet<&Position> = wrong.map(Told::position).collect();
        models.retain(|model| !matches!(model, Model::ListEnds(_)) || boards.len() > 1);
        for told in self.answers.iter().filter(|told| told.difference.ours <= MAX_NODES_OF_KINDS) {
            models.retain(|model| stop.is_raised() || model.gives_kinds(told));
        }
        if stop.is_raised() { Err(Interrupted) } else { Ok(models) }
    }

    /// Returns the indices of the answers, those that are cheapest to compare first. Wrong ones rule out the most models.
    fn by_cost(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.answers.len()).collect();
        order.sort_by_key(|&index| (self.answers[index].is_right(), self.answers[index].difference.ours));
        order
    }

    /// Returns the broken rules that give all answers but a wrong one, if at least two others are wrong. There are none
    /// if the second cheapest answer is too large to be compared with all models.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    pub fn all_but_one(
        &self,
        stop: &StopSignal,
        on_progress: &dyn Fn(usize),
    ) -> Result<Vec<AllButOne>, Interrupted> {
        let order = self.by_cost();
        let is_wrong = |index: usize| !self.answers[index].is_right();
        // Two answers are compared with all models.
        if order.len() < 3
            || !is_wrong(order[2])
            || self.answers[order[1]].difference.ours > MAX_NODES_OF_CAUSES
        {
            return Ok(Vec::new());
        }
        let mut models: Vec<(Model, Option<usize>)> =
            RuleModel::all().iter().map(|&rule| (Model::Rule(rule), None)).collect();
        for index in order {
            on_progress(models.len());
            let mut giving: Vec<Model> = models.iter().map(|(model, _)| *model).collect();
            keep_giving(&mut giving, &self.answers[index], stop)?;
            models.retain_mut(|(model, missed)| {
                let may_miss = missed.is_none() && is_wrong(index);
                let gives = giving.contains(model);
                *missed = missed.or((!gives).then_some(index));
                gives || may_miss
            });
        }
        let found: Vec<Model> = models.iter().map(|(model, _)| *model).collect();
        let general = without_narrower(&found);
        models.retain(|(model, _)| general.contains(model));
        let told = |(model, missed): (Model, Option<usize>)| {
            let (Model::Rule(rule), Some(answer)) = (model, missed) else { return None };
            let Told { path, depth, .. } = &self.answers[answer];
            Some(AllButOne { model, answer, total: rule.count(path, *depth) })
        };
        Ok(models.into_iter().filter_map(told).collect())
    }
}

/// Returns counts that together distinguish as many of the models as possible, the most useful first.
fn distinguishing_counts(models: &[Model], with_chess960: bool) -> Vec<TellingCount> {
    let offers = RightCount::of_suites(with_chess960).take_while(|_| models.len() > 1);
    let offers = offers.map(|offer| (offer, offer.totals(models).collect::<Vec<_>>()));
    let offers: Vec<_> = offers.collect();
    let mut chosen: Vec<TellingCount> = Vec::new();
    // The number of models that can be distinguished: they give different numbers for one of the counts.
    let mut distinguished = 1;
    while chosen.len() < MAX_COUNTS {
        let number_with = |totals: &[Option<i128>]| {
            let of_model = |model: usize| {
                let chosen = chosen.iter().map(|count| count.totals[model]);
                chosen.chain([totals[model]]).collect::<Vec<_>>()
            };
            (0..models.len()).map(of_model).collect::<HashSet<_>>().len()
        };
        // The first of the best offers is chosen, because the offers are sorted by effort.
        let with_numbers = offers.iter().map(|(offer, totals)| (number_with(totals), offer, totals));
        let best = with_numbers.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((number, offer, totals)) = best.filter(|best| best.0 > distinguished) else { break };
        distinguished = number;
        let (name, question, totals) = (offer.name.unwrap_or_default(), offer.told.clone(), totals.clone());
        chosen.push(TellingCount { name, question, totals });
    }
    chosen
}
