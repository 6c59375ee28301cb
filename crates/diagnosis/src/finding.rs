//! A bug of a source. Decides what kind of bug a fault is, and which wrong assumption about the position would explain
//! it.
//!
//! The same position is asked about in other ways. If the answer is also wrong when the position is given as a FEN
//! instead of by moves, the source generates moves wrongly. If it is right then, playing a move leaves the position of
//! the source wrong. The start of the game is moved forward to find the shortest sequence of moves that shows this. If
//! a source counts a move wrong, but is right about the position after it, it has not restored the position when it
//! took back an earlier move.

use perft_core::{Move, Position, perft};

use crate::budget::StopReason;
use crate::candidates::Candidates;
use crate::checked_source::{CheckedSource, Compared};
use crate::difference::{DivideDifference, WrongCount};
use crate::draws;
use crate::explain::Theme;
use crate::fault::{Fault, FaultKind};
use crate::hypotheses::{hypotheses, hypotheses_after_taking_back};
use crate::last_ply;
use crate::mutations::Mutation;
use crate::path::MovePath;
use crate::shrink::try_shrink;
use crate::simpler::{
    at_smallest_depth, failure_without_moves, is_contradiction, smallest_contradiction, with_listed_moves,
    with_shortest_path,
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
    /// The moves that are missing or not legal.
    pub wrong_moves: Vec<WrongMove>,
    /// The moves that may be missing or not legal, if the source lists no moves and several of them would explain its
    /// totals.
    pub candidates: Vec<WrongMove>,
    /// A statement about the position that is false but would make the answer right: a sentence without a full stop.
    pub hypothesis: Option<String>,
    /// The answer of a new start of the source to the same question, if the verdict is [`Verdict::NotRepeated`].
    pub other: Option<Result<DivideDifference, SourceError>>,
    /// The path on which the bug was first found.
    pub origin: MovePath,
    /// The number of times that the bug was found.
    pub times: u64,
    /// The mistake, if the verdict is [`Verdict::LastPly`].
    pub(crate) at_last_ply: Option<Mutation>,
}

impl Finding {
    /// Asks about a fault in other ways and returns the kind of bug.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn of(source: &mut CheckedSource, fault: Fault) -> Result<Finding, StopReason> {
        let origin = fault.path.clone();
        if let Some(rule) = draws::explanation(source, &fault)? {
            return Ok(Finding::as_if(fault, Verdict::Draw, rule.to_owned()));
        }
        let (fault, verdict) = match fault.kind {
            FaultKind::Moves(_) => {
                let fault = at_smallest_depth(source, fault)?;
                let (fault, verdict) = with_shortest_path(source, fault)?;
                (with_listed_moves(source, fault)?, verdict)
            }
            FaultKind::Contradiction(_) => {
                let fault = smallest_contradiction(source, fault)?;
                if let Some(mutation) = last_ply::mistake(source, &fault)? {
                    return Ok(Finding { origin, ..Finding::at_last_ply(fault, mutation) });
                }
                let verdict = if source.plays_moves() { Verdict::Unmake } else { Verdict::MakeOrUnmake };
                (fault, verdict)
            }
            FaultKind::Sum(_) => (fault, Verdict::Sum),
            FaultKind::Count(_) => (fault, Verdict::Unfinished),
            FaultKind::Unread(_) => (fault, Verdict::Unread),
            FaultKind::NoAnswer(_) => (failure_without_moves(source, fault)?, Verdict::NoAnswer),
        };
        let mut finding = Finding { origin, ..Finding::new(fault, verdict) };
        finding.explain(source)?;
        Ok(finding)
    }

    /// Returns a finding about a fault that was not examined, because the hunt ended.
    pub(super) fn unfinished(fault: Fault) -> Finding {
        let verdict = match fault.kind {
            FaultKind::Unread(_) => Verdict::Unread,
            FaultKind::NoAnswer(_) => Verdict::NoAnswer,
            _ => Verdict::Unfinished,
        };
        let mut finding = Finding::new(fault, verdict);
        finding.name_wrong_moves();
        finding
    }

    /// Returns a finding about a mistake of the code that counts leaf nodes.
    fn at_last_ply(fault: Fault, mutation: Mutation) -> Finding {
        let about = mutation.about().trim_end_matches('.');
        let hypothesis = format!("this held at the last ply: {about}");
        let finding = Finding::as_if(fault, Verdict::LastPly, hypothesis);
        Finding { at_last_ply: Some(mutation), ..finding }
    }

    /// Returns a finding about a fault whose cause is known.
    pub(super) fn as_if(fault: Fault, verdict: Verdict, hypothesis: String) -> Finding {
        Finding { hypothesis: Some(hypothesis), ..Finding::new(fault, verdict) }
    }

    /// Returns a finding about a fault that a new start of the source does not show. `other` is the answer of the new
    /// start.
    pub(super) fn not_repeated(fault: Fault, other: Compared) -> Finding {
        Finding { other: Some(other), ..Finding::new(fault, Verdict::NotRepeated) }
    }

    fn new(fault: Fault, verdict: Verdict) -> Finding {
        let origin = fault.path.clone();
        let (wrong_moves, candidates, hypothesis, other) = (Vec::new(), Vec::new(), None, None);
        let (times, at_last_ply) = (1, None);
        Finding { fault, verdict, wrong_moves, candidates, hypothesis, other, origin, times, at_last_ply }
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

    /// Returns the last move before the counts become wrong, if the verdict is [`Verdict::Unmake`]. The bug is probably
    /// in taking it back.
    pub fn taken_back(&self) -> Option<Move> {
        let is_unmake = self.verdict == Verdict::Unmake;
        self.difference().filter(|_| is_unmake).and_then(|difference| difference.last_right)
    }

    /// Returns the distinct themes of the wrong moves, and for each whether its move is missing.
    pub fn themes(&self) -> Vec<(Theme, bool)> {
        let mut themes: Vec<(Theme, bool)> = self.wrong_moves.iter().map(WrongMove::key).collect();
        themes.sort_unstable();
        themes.dedup();
        themes
    }

    /// Whether the source lists no moves in the position of the fault.
    pub(super) fn is_without_moves(&self) -> bool {
        matches!(&self.fault.kind, FaultKind::Moves(difference) if !difference.knows_moves())
    }

    fn name_wrong_moves(&mut self) {
        if let FaultKind::Moves(difference) = &self.fault.kind {
            self.wrong_moves = wrong_moves(&self.fault.path.end, difference);
        }
    }

    /// Fills in the wrong moves, the candidates and the hypothesis.
    fn explain(&mut self, source: &mut CheckedSource) -> Result<(), StopReason> {
        self.name_wrong_moves();
        let mut totals = Vec::new();
        if self.is_without_moves() {
            let found = Candidates::find(source, &self.fault)?;
            (self.wrong_moves, self.candidates, totals) = (found.certain, found.possible, found.totals);
        }
        self.hypothesis = self.matching_hypothesis(source, &totals)?;
        Ok(())
    }

    /// Returns the text of a hypothesis that gives exactly the numbers of the source.
    fn matching_hypothesis(
        &self,
        source: &mut CheckedSource,
        totals: &[(u32, u128)],
    ) -> Result<Option<String>, StopReason> {
        let Fault { path, depth, kind } = &self.fault;
        let found = match kind {
            // The move itself says the same.
            FaultKind::Moves(_) if self.verdict == Verdict::Generation && self.wrong_moves.len() == 1 => None,
            FaultKind::Moves(difference) => {
                let mut all = hypotheses(path).into_iter();
                all.find(|idea| {
                    idea.explains_moves(difference, &path.end, *depth) || idea.explains_totals(totals)
                })
            }
            FaultKind::Contradiction(difference) if self.verdict == Verdict::MakeOrUnmake => {
                return after_wrong_moves(source, path, difference, *depth);
            }
            FaultKind::Contradiction(difference) => {
                let last = difference.last_right.into_iter();
                let taken_back = last.flat_map(|played| hypotheses_after_taking_back(path, played));
                let mut all: Vec<_> =
                    hypotheses(&path.without_moves()).into_iter().chain(taken_back).collect();
                all.retain(|idea| idea.explains_counts(difference, *depth));
                // A single count proves nothing if several hypotheses give it.
                let is_certain = difference.wrong.len() > 1 || all.len() == 1;
                all.into_iter().next().filter(|_| is_certain)
            }
            FaultKind::Sum(_) | FaultKind::Count(_) | FaultKind::Unread(_) | FaultKind::NoAnswer(_) => None,
        };
        Ok(found.map(|hypothesis| hypothesis.text))
    }

    /// Removes everything from the root position that the bug does not need. If a theme is given, the bug must still
    /// have this theme. A possible position does not become an impossible one, unless `allow_impossible` is set.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn shrink(
        &mut self,
        source: &mut CheckedSource,
        theme: Option<(Theme, bool)>,
        allow_impossible: bool,
    ) -> Result<(), StopReason> {
        if matches!(self.verdict, Verdict::Unread | Verdict::Draw) {
            return Ok(());
        }
        let theme = theme.filter(|_| !self.is_without_moves());
        let (smallest, outcome) = try_shrink(&self.fault.path.root, allow_impossible, |root| {
            self.with_other_root(source, root, theme)
        });
        let Some(fault) = smallest else { return outcome };
        self.fault = fault;
        if self.verdict == Verdict::LastPly {
            return outcome;
        }
        let explained = self.explain(source);
        outcome.and(explained)
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
                let is_same =
                    self.at_last_ply.is_none_or(|mutation| last_ply::gives(mutation, &path, &found))
                        && is_contradiction(source, &path, depth, &found)?;
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
        let is_same = match theme {
            None => found.is_wrong(),
            Some(theme) => {
                found.is_wrong() && wrong_moves(&path.end, found).iter().any(|wrong| wrong.key() == theme)
            }
        };
        Ok(is_same
            && (self.verdict != Verdict::Make || source.is_right(&path.without_moves(), self.fault.depth)?))
    }
}

/// Returns a hypothesis that explains all wrong counts. It must be the same one for the position after each of these
/// moves. A single count proves nothing, so the count one ply deeper is also asked for.
fn after_wrong_moves(
    source: &mut CheckedSource,
    path: &MovePath,
    difference: &DivideDifference,
    depth: u32,
) -> Result<Option<String>, StopReason> {
    let explaining = |wrong: &WrongCount, depth: u32| {
        let all = hypotheses(&path.played(wrong.played)).into_iter();
        let all = all.filter(|idea| perft(&idea.position, depth - 1) == wrong.theirs);
        all.map(|idea| idea.text).collect::<Vec<String>>()
    };
    let Some((first, others)) = difference.wrong.split_first() else { return Ok(None) };
    let mut found = explaining(first, depth);
    for wrong in others {
        let texts = explaining(wrong, depth);
        found.retain(|text| texts.contains(text));
    }
    if others.is_empty() && !found.is_empty() && source.can_ask(depth + 1) {
        let deeper = source.compare(path, depth + 1)?.unwrap_or_default();
        let same = deeper.wrong.iter().find(|wrong| wrong.played == first.played);
        let texts = same.map(|wrong| explaining(wrong, depth + 1)).unwrap_or_default();
        found.retain(|text| texts.contains(text));
    }
    Ok(found.first().map(|text| format!("after {}, {text}", first.played.to_uci(path.notation()))))
}
