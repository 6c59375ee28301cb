//! A bug of a source: the smallest position that shows it, its kind, and its cause.
//!
//! The same position is asked about in other ways. If the answer is also wrong when the position is given as a FEN
//! instead of by moves, the source generates moves wrongly. If it is right then, playing a move leaves the position of
//! the source wrong. The start of the game is moved forward to find the shortest sequence of moves that shows this. If
//! a source counts a move wrong, but is right about the position after it, the answers contradict each other.

use std::sync::Arc;

use perft_core::{Move, Position};

use crate::budget::StopReason;
use crate::causes::Causes;
use crate::checked_source::{CheckedSource, Compared};
use crate::difference::DivideDifference;
use crate::evidence::{RightAnswer, Told};
use crate::explain::Theme;
use crate::fault::{Fault, FaultKind};
use crate::models::Model;
use crate::path::MovePath;
use crate::shrink::try_shrink;
use crate::simpler::{
    at_smallest_depth, failure_without_moves, is_contradiction, root_at_depth_2, smallest_contradiction,
    with_listed_moves, with_shortest_path,
};
use crate::source::SourceError;
use crate::verdict::Verdict;
use crate::wrong_move::{WrongMove, wrong_moves};

/// A bug of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The smallest position and the shortest path that were found to show the bug.
    pub fault: Fault,
    /// The kind of the bug.
    pub verdict: Verdict,
    /// The moves that the source lists although they are not legal, and those that its list lacks.
    pub wrong_moves: Vec<WrongMove>,
    /// The causes: the models that reproduce all answers about the position. Empty if none does.
    pub causes: Causes,
    /// The answer of a new start of the source to the same question, if the verdict is [`Verdict::NotRepeated`].
    pub other: Option<Result<DivideDifference, SourceError>>,
    /// The path on which the bug was first found.
    pub origin: MovePath,
    /// The number of times that the bug was found.
    pub times: u64,
}

impl Finding {
    /// Asks about a fault in other ways and returns the kind of bug.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn of(source: &mut CheckedSource, fault: Fault) -> Result<Finding, StopReason> {
        let origin = fault.path.clone();
        let (fault, verdict) = match fault.kind {
            FaultKind::Moves(_) => {
                let fault = at_smallest_depth(source, fault)?;
                if is_right_at_depth_1(source, &fault)? {
                    (fault, Verdict::Unmake)
                } else {
                    let (fault, verdict) = with_shortest_path(source, fault)?;
                    (with_listed_moves(source, fault)?, verdict)
                }
            }
            FaultKind::Contradiction(_) => {
                let fault = smallest_contradiction(source, fault)?;
                let verdict =
                    if source.plays_moves() { Verdict::Contradiction } else { Verdict::MakeOrUnmake };
                (fault, verdict)
            }
            FaultKind::Sum(_) => (fault, Verdict::Sum),
            FaultKind::Count(_) => (fault, Verdict::Unfinished),
            FaultKind::Unread(_) => (fault, Verdict::Unread),
            FaultKind::NoAnswer(_) => (failure_without_moves(source, fault)?, Verdict::NoAnswer),
        };
        Ok(Finding { origin, ..Finding::new(fault, verdict) })
    }

    /// Returns a finding about a fault that was not examined, because the hunt ended.
    pub(super) fn unfinished(fault: Fault) -> Finding {
        let verdict = match fault.kind {
            FaultKind::Unread(_) => Verdict::Unread,
            FaultKind::NoAnswer(_) => Verdict::NoAnswer,
            _ => Verdict::Unfinished,
        };
        Finding::new(fault, verdict)
    }

    /// Returns a finding about a fault whose cause is known.
    pub(super) fn with_causes(fault: Fault, causes: Causes) -> Finding {
        let verdict = verdict_of(&causes.models, Verdict::Pattern);
        Finding { causes, ..Finding::new(fault, verdict) }
    }

    /// Returns a finding about a fault that a new start of the source does not show. `other` is the answer of the new
    /// start.
    pub(super) fn not_repeated(fault: Fault, other: Compared) -> Finding {
        Finding { other: Some(other), wrong_moves: Vec::new(), ..Finding::new(fault, Verdict::NotRepeated) }
    }

    fn new(fault: Fault, verdict: Verdict) -> Finding {
        let origin = fault.path.clone();
        let wrong_moves = named_moves(&fault);
        Finding { fault, verdict, wrong_moves, causes: Causes::default(), other: None, origin, times: 1 }
    }

    /// Whether the source counts wrong. Otherwise it gave no answer, or its answer was not understood.
    pub fn is_wrong_count(&self) -> bool {
        !matches!(self.fault.kind, FaultKind::Unread(_) | FaultKind::NoAnswer(_))
    }

    /// Returns the difference that shows the bug, or `None` if there was no answer.
    pub fn difference(&self) -> Option<&DivideDifference> {
        self.fault.kind.difference()
    }

    /// Returns the error of a missing answer, or `None` if there was an answer.
    pub fn error(&self) -> Option<&SourceError> {
        match &self.fault.kind {
            FaultKind::NoAnswer(error) => Some(error),
            _ => None,
        }
    }

    /// Returns the last move before the counts become wrong, if the answers contradict each other.
    pub fn last_right(&self) -> Option<Move> {
        let contradicts = matches!(self.verdict, Verdict::Contradiction | Verdict::Unmake);
        self.difference().filter(|_| contradicts).and_then(|difference| difference.last_right)
    }

    /// Returns the distinct themes of the wrong moves, and for each whether its move is missing.
    pub fn themes(&self) -> Vec<(Theme, bool)> {
        let mut themes: Vec<(Theme, bool)> = self.wrong_moves.iter().map(WrongMove::key).collect();
        themes.sort_unstable();
        themes.dedup();
        themes
    }

    /// Returns the kinds of mistakes that the wrong moves show. If making a move is wrong, this move is one of them.
    pub(crate) fn families(&self) -> Vec<(bool, String)> {
        let path = &self.fault.path;
        let made = path.moves.first().filter(|_| self.verdict == Verdict::Make).map(|played| {
            let is_promotion = played.kind().promotion().is_some();
            (is_promotion, if is_promotion { String::new() } else { format!("{:?}", played.kind()) })
        });
        self.wrong_moves.iter().map(|wrong| wrong.family(&path.end)).chain(made).collect()
    }

    /// Finds the cause, and whether a wrong count of depth 1 is that of the last ply. `others` are right answers about
    /// other positions.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn explain(
        &mut self,
        source: &mut CheckedSource,
        others: &[Arc<RightAnswer>],
    ) -> Result<(), StopReason> {
        if !matches!(self.fault.kind, FaultKind::Moves(_) | FaultKind::Contradiction(_)) {
            return Ok(());
        }
        if self.verdict == Verdict::Generation && self.fault.kind.lists_no_moves() {
            self.verdict = root_at_depth_2(source, &self.fault)?;
        }
        self.causes = Causes::of(source, &self.fault, others)?;
        self.verdict = verdict_of(&self.causes.models, self.verdict);
        if self.verdict == Verdict::Reading {
            // They are moves of another position.
            self.wrong_moves.clear();
        }
        Ok(())
    }

    /// Removes everything from the root position that the bug does not need. If a theme is given, the bug must still
    /// have this theme. A possible position does not become an impossible one, unless `allow_impossible` is set.
    /// `models` are those that give the wrong answer. At least one of them must still do so.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn shrink(
        &mut self,
        source: &mut CheckedSource,
        theme: Option<(Theme, bool)>,
        models: &[Model],
        allow_impossible: bool,
    ) -> Result<(), StopReason> {
        if matches!(self.verdict, Verdict::Unread) {
            return Ok(());
        }
        let (smallest, outcome) = try_shrink(&self.fault.path.root, allow_impossible, |root| {
            let Some(fault) = self.with_other_root(source, root, theme)? else { return Ok(None) };
            let told = source.known(&fault.path, fault.depth);
            let is_given = |told: &Told| models.iter().any(|model| model.gives(told) == Some(true));
            let is_same = models.is_empty() || told.is_none_or(is_given);
            Ok(Some(fault).filter(|_| is_same))
        });
        if let Some(fault) = smallest {
            self.wrong_moves = named_moves(&fault);
            self.fault = fault;
        }
        outcome
    }

    /// Returns the fault after the same moves from another root, or `None` if the bug does not show there.
    fn with_other_root(
        &self,
        source: &mut CheckedSource,
        root: &Position,
        theme: Option<(Theme, bool)>,
    ) -> Result<Option<Fault>, StopReason> {
        let Some(path) = self.fault.path.replayed_from(root) else { return Ok(None) };
        let depth = self.fault.depth;
        let answer = source.compare(&path, depth)?;
        let kind = match (&self.fault.kind, answer) {
            (FaultKind::NoAnswer(known), Err(error)) => {
                let is_same = std::mem::discriminant(known) == std::mem::discriminant(&error);
                is_same.then_some(FaultKind::NoAnswer(error))
            }
            (FaultKind::NoAnswer(_) | FaultKind::Unread(_) | FaultKind::Count(_), Ok(_)) | (_, Err(_)) => {
                None
            }
            (FaultKind::Sum(_), Ok(found)) => {
                (found.contradicts_itself && found.is_wrong()).then_some(FaultKind::Sum(found))
            }
            (FaultKind::Contradiction(_), Ok(found)) => {
                let is_same = is_contradiction(source, &path, depth, &found)?;
                is_same.then_some(FaultKind::Contradiction(found))
            }
            (FaultKind::Moves(_), Ok(found)) => {
                let is_same = self.has_same_wrong_moves(source, &path, &found, theme)?;
                is_same.then_some(FaultKind::Moves(found))
            }
        };
        Ok(kind.map(|kind| Fault { path, depth, kind }))
    }

    fn has_same_wrong_moves(
        &self,
        source: &mut CheckedSource,
        path: &MovePath,
        found: &DivideDifference,
        theme: Option<(Theme, bool)>,
    ) -> Result<bool, StopReason> {
        let has_theme = |theme| wrong_moves(&path.end, found).iter().any(|wrong| wrong.key() == theme);
        if !found.is_wrong() || !theme.is_none_or(has_theme) {
            return Ok(false);
        }
        match self.verdict {
            Verdict::Make => source.is_right(&path.without_moves(), self.fault.depth),
            Verdict::Unmake => source.is_right(path, 1),
            _ => Ok(true),
        }
    }
}

/// Returns the moves that an answer lists although they are not legal, and those that its list lacks.
fn named_moves(fault: &Fault) -> Vec<WrongMove> {
    match &fault.kind {
        FaultKind::Moves(difference) => wrong_moves(&fault.path.end, difference),
        _ => Vec::new(),
    }
}

/// Whether the moves that an answer lists wrongly are right at depth 1. Then counting has changed them.
fn is_right_at_depth_1(source: &mut CheckedSource, fault: &Fault) -> Result<bool, StopReason> {
    let is_deep = fault.depth > 1 && !fault.kind.lists_no_moves();
    if !is_deep || !source.can_ask(1) {
        return Ok(false);
    }
    let answer = source.compare(&fault.path, 1)?;
    Ok(answer.is_ok_and(|found| found.is_right() && found.knows_moves()))
}

/// Returns the kind of bug that models have in common, or else the given one.
fn verdict_of(models: &[Model], otherwise: Verdict) -> Verdict {
    let kind = |model: &Model| match model {
        model if model.hides_others() => Verdict::Pattern,
        Model::Draw(_) => Verdict::Draw,
        Model::Reading(_) | Model::Chess960(_) => Verdict::Reading,
        Model::Rule(rule) if rule.is_of_last_ply() => Verdict::LastPly,
        Model::Rule(rule)
            if rule.mutation.topic() == "unmaking moves" && otherwise == Verdict::Contradiction =>
        {
            Verdict::Unmake
        }
        _ => otherwise,
    };
    let Some((first, others)) = models.split_first() else { return otherwise };
    let first = kind(first);
    if others.iter().all(|model| kind(model) == first) { first } else { otherwise }
}
