//! Models of wrong programs: each counts wrongly in one definite way.
//!
//! A cause of wrong counts is told only if a model reproduces every answer. So a model says exactly what a program with
//! its mistake answers, or that it does not know.

mod adding;
mod draws;
mod reading;

pub use adding::Adding;
pub use draws::Draw;
pub use reading::Misreading;

use perft_core::{Interrupted, Move, StopSignal};

use crate::chess960::Chess960Reading;
use crate::evidence::Told;
use crate::mutations::{self, MutatedBoard, Mutation, RuleModel, Scope};

/// A program that counts wrongly in one definite way.
///
/// # Examples
/// ```
/// use perft_diagnosis::Model;
///
/// let model = Model::all().find(|model| model.name() == "no-en-passant-at-last-ply").unwrap();
/// assert_eq!(model.topic(), "en passant");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Model {
    /// Counts are added up wrongly.
    Adding(Adding),
    /// Drawn games end.
    Draw(Draw),
    /// Another question is answered.
    Reading(Misreading),
    /// A rule is broken.
    Rule(RuleModel),
    /// The moves that are listed need not be legal.
    RootUnchecked,
    /// The list of moves ends at this number.
    ListEnds(u32),
    /// The castling rights of Chess960 are misread.
    Chess960(Chess960Reading),
}

impl Model {
    /// Returns all models that need no more than their name: all but [`Model::ListEnds`] and [`Model::Chess960`].
    pub fn all() -> impl Iterator<Item = Model> {
        let adding = Adding::ALL.into_iter().map(Model::Adding);
        let reading = Misreading::ALL.iter().copied().map(Model::Reading);
        let rules = RuleModel::all().iter().copied().map(Model::Rule);
        adding.chain(Draw::all().map(Model::Draw)).chain(reading).chain([Model::RootUnchecked]).chain(rules)
    }

    /// Returns the name, such as `no-en-passant`.
    pub fn name(self) -> String {
        match self {
            Model::Adding(adding) => adding.name(),
            Model::Draw(draw) => draw.name().to_owned(),
            Model::Reading(reading) => reading.name().to_owned(),
            Model::Rule(rule) => rule.name().to_owned(),
            Model::RootUnchecked => "root-unchecked".to_owned(),
            Model::ListEnds(length) => format!("list-ends-at-{length}"),
            Model::Chess960(reading) => reading.name().to_owned(),
        }
    }

    /// Returns what a program with this mistake does: one sentence.
    pub fn about(self) -> String {
        match self {
            Model::Adding(adding) => adding.about(),
            Model::Draw(draw) => draw.about().to_owned(),
            Model::Reading(reading) => format!("{}.", reading.about()),
            Model::Rule(rule) => rule.about().to_owned(),
            Model::RootUnchecked => {
                "The moves that are listed need not be legal: those that leave the king in check are listed too."
                    .to_owned()
            }
            Model::ListEnds(length) => match length {
                1 => "The list of moves ends after the first move.".to_owned(),
                _ => format!("The list of moves ends at {length} moves."),
            },
            Model::Chess960(reading) => format!("{}.", reading.about()),
        }
    }

    /// Returns the part of a program that has the mistake, such as `castling`.
    pub fn topic(self) -> &'static str {
        match self {
            Model::Adding(_) => "adding up",
            Model::Draw(_) => "draws",
            Model::Reading(_) | Model::Chess960(_) => "reading the question",
            Model::Rule(rule) => rule.mutation.topic(),
            Model::RootUnchecked => "check",
            Model::ListEnds(_) => "move list",
        }
    }

    /// Whether it is no special case of another model, such as the same mistake of one side only.
    pub fn is_general(self) -> bool {
        match self {
            Model::Rule(rule) => rule.scope == Scope::Everywhere && rule.mutation.general().is_none(),
            _ => true,
        }
    }

    /// Whether it is a special case of another model: the same mistake for one side or some moves only, or not at the root.
    pub(crate) fn is_narrower_than(self, other: Model) -> bool {
        match (self, other) {
            (Model::Rule(rule), Model::Rule(other)) => rule.is_narrower_than(other),
            _ => false,
        }
    }

    /// Whether it makes nearly all counts wrong, so that it hides all other mistakes.
    pub(crate) fn hides_others(self) -> bool {
        match self {
            Model::Adding(_) | Model::RootUnchecked => true,
            Model::Reading(reading) => !reading.is_local(),
            Model::Rule(rule) => matches!(rule.mutation.name(), "pseudo-legal" | "moves-not-made"),
            _ => false,
        }
    }

    /// Whether it is a counter that overflows.
    pub(crate) fn is_overflow(self) -> bool {
        matches!(self, Model::Adding(Adding::Bits(_) | Adding::SignedBits(_)))
    }

    /// Whether a program with this mistake gives an answer. Returns `None` if that is not known.
    pub(crate) fn gives(self, told: &Told) -> Option<bool> {
        match self {
            Model::Adding(adding) => adding.gives(told),
            _ if told.depth == 0 => Some(told.is_right()),
            Model::Draw(draw) => draw.gives(told),
            Model::Reading(reading) => reading.gives(told),
            Model::Rule(rule) => Some(has_rule_counts(
                told,
                &rule.divide(&told.path, told.depth),
                rule.count(&told.path, told.depth),
            )),
            Model::RootUnchecked => Some(lists_unchecked(told)),
            Model::ListEnds(length) => list_ends(told, length as usize),
            Model::Chess960(_) => None,
        }
    }

    /// Returns the total of a program with this mistake, or `None` if it is not known. The answer is not used.
    pub(crate) fn total(self, told: &Told) -> Option<i128> {
        match self {
            Model::Adding(adding) => adding.total(told),
            Model::Draw(draw) => {
                let moves = draw.divide(&told.path, told.depth).into_iter();
                i128::try_from(moves.map(|(_, nodes)| nodes).sum::<u128>()).ok()
            }
            Model::Reading(reading) if reading.is_local() => None,
            Model::Reading(reading) => i128::try_from(reading.position(told)?.perft(told.depth)).ok(),
            Model::Rule(rule) => Some(rule.count(&told.path, told.depth).into()),
            Model::ListEnds(length) if told.depth == 1 => {
                Some(told.difference.ours.min(length.into()) as i128)
            }
            Model::RootUnchecked | Model::ListEnds(_) | Model::Chess960(_) => None,
        }
    }
}

/// Returns the models that are no narrower form of another one.
pub(crate) fn without_narrower(models: &[Model]) -> Vec<Model> {
    let is_broadest = |model: &Model| !models.iter().any(|&other| model.is_narrower_than(other));
    models.iter().copied().filter(is_broadest).collect()
}

/// Keeps the models that give an answer, and those of which it is not known.
///
/// # Errors
/// Returns an error if the stop signal is raised.
pub(crate) fn keep_giving(
    models: &mut Vec<Model>,
    told: &Told,
    stop: &StopSignal,
) -> Result<(), Interrupted> {
    let rule = |model: &Model| match model {
        Model::Rule(rule) => Some(*rule),
        _ => None,
    };
    let rules: Vec<RuleModel> = models.iter().filter_map(rule).collect();
    let is_told = |moves: &[(Move, u64)], total| has_rule_counts(told, moves, total);
    let rules = mutations::matching(rules, &told.path, told.depth, stop, &is_told)?;
    models.retain(|model| match model {
        Model::Rule(rule) => rules.contains(rule),
        model => model.gives(told) != Some(false),
    });
    Ok(())
}

/// Whether an answer has the counts of a rule model. A program that lists moves adds up what it lists.
fn has_rule_counts(told: &Told, moves: &[(Move, u64)], total: u64) -> bool {
    if told.answer.moves.is_empty() && told.answer.stated_total.is_some() {
        return told.theirs == i128::from(total);
    }
    let moves: Vec<(Move, u128)> = moves.iter().map(|&(played, nodes)| (played, nodes.into())).collect();
    told.has(&moves, moves.iter().map(|(_, nodes)| *nodes as i128).sum())
}

/// Whether an answer lists the legal moves with right counts, all moves that leave the king in check, and no others.
fn lists_unchecked(told: &Told) -> bool {
    let position = told.position();
    let legal = position.legal_moves();
    let mut unchecked = MutatedBoard::new(position, Mutation::PseudoLegal.into()).legal_moves().to_vec();
    unchecked.retain(|played| !legal.contains(played));
    let difference = &told.difference;
    if difference.is_right() {
        // The count below the other moves may be 0.
        return unchecked.is_empty() || told.answer.moves.len() >= legal.len() + unchecked.len();
    }
    let is_listed = difference.lists_moves && difference.missing.is_empty() && difference.wrong.is_empty();
    is_listed && difference.has_extra(position, unchecked)
}

/// Whether an answer lists only so many of the legal moves. Below depth 1, it is not known which ones.
fn list_ends(told: &Told, length: usize) -> Option<bool> {
    let difference = &told.difference;
    let legal = told.ours.len();
    if legal <= length {
        return (told.depth == 1).then_some(difference.is_right());
    }
    let is_shorter = difference.extra.is_empty() && difference.missing.len() == legal - length;
    match (told.depth, difference.lists_moves) {
        (1, false) => Some(told.theirs == length as i128),
        (_, false) => None,
        (_, true) => Some(is_shorter),
    }
}
