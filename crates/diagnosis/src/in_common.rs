//! What wrong answers have in common: the property that separates them from right ones.
//!
//! Each answer, or each move, has a [`PropertySet`] and is wrong or right. The property that separates wrong from right
//! ones best is told with its figures, the ones that it covers are taken away, and the next one is looked for. How well a
//! property separates is the logarithm of a ratio of likelihoods: how much more likely the answers are if there is one
//! rate of wrong answers with the property and another without it, than if there is one rate for all. No model of a bug
//! is needed, so the result is a fact about the answers, whatever the bug is.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use crate::properties::{PROPERTIES, Property, PropertySet};

/// How well a property must separate to be told. With wrong answers put at random, one in a hundred runs reaches it:
/// the tests measure that.
const LIMIT: f64 = 12.5;

/// A property of all wrong answers is told first if it separates this part as well as the best property. It leads to the
/// reason better than a part of it.
const SHARED: f64 = 0.8;

/// How well a property must separate among the answers that are as deep as the wrong ones. Deep trees have many properties,
/// and only deep answers can be wrong for some reasons.
const LIMIT_OF_DEEP: f64 = 8.5;

/// How well a property must separate wrong from right moves within the wrong answers.
const LIMIT_OF_MOVES: f64 = 8.5;

/// The largest number of properties that are told of one set of answers.
const MOST: usize = 8;

/// A property of wrong answers, or two that hold together, with the numbers of answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InCommon {
    /// The properties. An answer is *with* them if it has all.
    pub properties: Vec<Property>,
    /// The number of wrong answers with them.
    pub wrong_with: usize,
    /// The number of answers with them.
    pub with: usize,
    /// The number of wrong answers without them.
    pub wrong_without: usize,
    /// The number of answers without them.
    pub without: usize,
}

impl InCommon {
    pub(crate) fn score(&self) -> f64 {
        let (wrong, all) = (self.wrong_with + self.wrong_without, self.with + self.without);
        gain(self.wrong_with, self.with, wrong, all)
    }

    /// Whether a fact about moves may be told. The moves of one answer have much in common, so it is no proof that many
    /// of them are wrong: the properties must separate wrong from right moves within the wrong answers, or wrong from
    /// right answers. Each move comes with the number of its answer, and whether it is wrong.
    pub(crate) fn separates_moves(&self, moves: &[(usize, &PropertySet, bool)]) -> bool {
        let mut answers: BTreeMap<usize, [bool; 2]> = BTreeMap::new();
        for (answer, set, is_wrong) in moves {
            let [holds, has_wrong] = answers.entry(*answer).or_default();
            (*holds, *has_wrong) = (*holds || self.holds(set), *has_wrong || *is_wrong);
        }
        let of_wrong = moves.iter().filter(|(answer, ..)| answers[answer][1]);
        score(of_wrong.map(|(_, set, is_wrong)| (self.holds(set), *is_wrong))) >= LIMIT_OF_MOVES
            || score(answers.values().map(|&[holds, is_wrong]| (holds, is_wrong))) >= LIMIT
    }

    /// Whether an answer, or a move, has the properties.
    pub fn holds(&self, set: &PropertySet) -> bool {
        self.properties.iter().all(|&property| set.contains(property))
    }
}

impl Display for InCommon {
    /// Writes the properties: `a check by a knight, and a capture`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.properties.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join(" and "))
    }
}

/// Returns what wrong answers have in common, the first one first. Each item is about the answers that those before it
/// do not cover: wrong answers with one of their properties are not counted any more. Returns nothing if chance could be
/// the reason.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::{MovePath, PropertySet, in_common};
/// use perft_diagnosis::random_target;
///
/// // The program is wrong about each question with a castling move.
/// let castles = |position: &Position| {
///     position.legal_moves().iter().any(|played| played.kind() == perft_core::MoveKind::Castling)
/// };
/// let answers: Vec<(PropertySet, bool)> = (0..300)
///     .map(|number| random_target(1, number, 1).path.without_moves())
///     .map(|path| (PropertySet::of_question(&path, 1, path.end.perft(1), None), castles(&path.end)))
///     .collect();
/// let found = in_common(answers.iter().map(|(set, is_wrong)| (set, *is_wrong)).collect());
/// assert_eq!(found[0].to_string(), "castling");
/// assert_eq!((found[0].wrong_with, found[0].wrong_without), (found[0].with, 0));
/// ```
pub fn in_common(mut answers: Vec<(&PropertySet, bool)>) -> Vec<InCommon> {
    let mut found = Vec::new();
    while found.len() < MOST
        && let Some(next) = best(&answers)
    {
        answers.retain(|(set, is_wrong)| !(*is_wrong && next.holds(set)));
        found.push(next);
    }
    found
}

/// The properties of an answer, and whether it is wrong.
type Judged<'a> = (&'a PropertySet, bool);

/// Returns what separates some answers best, unless chance could be the reason.
fn best(answers: &[Judged]) -> Option<InCommon> {
    let numbers = Numbers::of(answers);
    let one = numbers.best().filter(|one| numbers.score(*one) >= LIMIT)?;
    let is_shared = |depth: &Property| {
        answers.iter().all(|(set, is_wrong)| !is_wrong || !set.contains(one) || set.contains(*depth))
    };
    if let Some(depth) = Property::depths().find(is_shared).filter(|depth| *depth != one) {
        let deep: Vec<Judged> = answers.iter().copied().filter(|(set, _)| set.contains(depth)).collect();
        Some(one).filter(|one| Numbers::of(&deep).score(*one) >= LIMIT_OF_DEEP)?;
    }
    let single = numbers.in_common(answers, vec![one]);
    // Two properties are told if the second one separates those with the first one.
    let with: Vec<Judged> = answers.iter().copied().filter(|(set, _)| set.contains(one)).collect();
    let narrower = Numbers::of(&with);
    let other = narrower.best().filter(|other| narrower.score(*other) >= LIMIT);
    let both = other.map(|other| numbers.in_common(answers, vec![one, other]));
    Some(both.filter(|both| both.score() >= single.score() + LIMIT).unwrap_or(single))
}

/// The numbers of answers with each property.
struct Numbers {
    all: usize,
    wrong: usize,
    with: Vec<u32>,
    wrong_with: Vec<u32>,
}

impl Numbers {
    fn of(answers: &[Judged]) -> Numbers {
        let (mut with, mut wrong_with) = (vec![0; PROPERTIES], vec![0; PROPERTIES]);
        for (set, is_wrong) in answers {
            set.iter().for_each(|property| with[property.index()] += 1);
            if *is_wrong {
                set.iter().for_each(|property| wrong_with[property.index()] += 1);
            }
        }
        let wrong = answers.iter().filter(|(_, is_wrong)| *is_wrong).count();
        Numbers { all: answers.len(), wrong, with, wrong_with }
    }

    fn score(&self, property: Property) -> f64 {
        let [with, wrong] = [&self.with, &self.wrong_with].map(|numbers| numbers[property.index()] as usize);
        gain(wrong, with, self.wrong, self.all)
    }

    /// Returns the property that separates best. Of several that separate equally well, the
    /// most general one.
    fn best(&self) -> Option<Property> {
        let is_of_wrong = |property: &Property| self.wrong_with[property.index()] > 0;
        let is_shared = |property: &Property| self.wrong_with[property.index()] as usize == self.wrong;
        let all = (0..PROPERTIES).map(Property::from_index).filter(is_of_wrong);
        let best = self.highest(all.clone())?;
        let shared = self
            .highest(all.filter(is_shared))
            .filter(|shared| self.score(*shared) >= SHARED * self.score(best));
        Some(shared.unwrap_or(best))
    }

    fn highest(&self, properties: impl Iterator<Item = Property> + Clone) -> Option<Property> {
        let highest = properties.clone().map(|property| self.score(property)).reduce(f64::max)?;
        let is_highest = |property: &Property| self.score(*property) >= highest - 1e-6;
        properties.filter(is_highest).min_by_key(|property| property.rank())
    }

    fn in_common(&self, answers: &[Judged], properties: Vec<Property>) -> InCommon {
        let mut found = InCommon { properties, wrong_with: 0, with: 0, wrong_without: 0, without: 0 };
        for (set, is_wrong) in answers {
            if found.holds(set) {
                (found.with, found.wrong_with) = (found.with + 1, found.wrong_with + usize::from(*is_wrong));
            }
        }
        found.wrong_without = self.wrong - found.wrong_with;
        found.without = self.all - found.with;
        found
    }
}

/// Returns how well a property separates. Each item says whether it has the property, and whether it is wrong.
fn score(items: impl Iterator<Item = (bool, bool)>) -> f64 {
    let mut numbers = [[0; 2]; 2];
    items.for_each(|(holds, is_wrong)| numbers[usize::from(holds)][usize::from(is_wrong)] += 1);
    let [[right, wrong], [right_with, wrong_with]] = numbers;
    gain(wrong_with, right_with + wrong_with, wrong + wrong_with, right + wrong + right_with + wrong_with)
}

/// Returns the logarithm of how much more likely the answers are with two rates, with and without a property, than with
/// one. It is 0 if the rate is not higher with the property.
fn gain(wrong_with: usize, with: usize, wrong: usize, all: usize) -> f64 {
    let (without, wrong_without) = (all - with, wrong - wrong_with);
    if wrong_with * without <= wrong_without * with {
        return 0.0;
    }
    log_likelihood(wrong_with, with) + log_likelihood(wrong_without, without) - log_likelihood(wrong, all)
}

/// Returns the logarithm of the greatest likelihood of this number of wrong answers.
fn log_likelihood(wrong: usize, all: usize) -> f64 {
    let part =
        |number: usize| if number == 0 { 0.0 } else { number as f64 * (number as f64 / all as f64).ln() };
    part(wrong) + part(all - wrong)
}
