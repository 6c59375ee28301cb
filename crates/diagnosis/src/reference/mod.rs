//! Finds the positions in which two sources disagree, without knowing the rules.
//!
//! A position is a FEN and moves as text, so the sources may play any chess variant. Where the counts below a move differ,
//! the move is played and both are asked again, down to a position where their moves differ. Nobody is right or wrong
//! here: that needs rules. A difference is told after both were started anew and asked again.

mod difference;
mod pair;
#[cfg(test)]
mod tests;

use std::mem::discriminant;
use std::sync::Mutex;

use perft_core::StopSignal;

pub use difference::{AnswerDifference, DifferentCount};
use pair::{Asked, SourcePair};

use crate::descend::StopReason;
use crate::hunt::{HuntOptions, HuntTarget, lock, on_threads};
use crate::source::{CountSource, Question, SourceError};

/// A question in which two sources disagree, and what they answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The question that shows it.
    pub question: Question,
    /// The question from which it was found.
    pub origin: Question,
    /// What differs.
    pub kind: DifferenceKind,
}

/// How two sources disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// They list different moves.
    Moves(AnswerDifference),
    /// The counts differ, and there is no move to follow.
    Counts(AnswerDifference),
    /// The counts below a move differ, but not when both are asked about the position after the move.
    Contradiction(AnswerDifference),
    /// The answers differ in this way, but not after new starts of both sources. A table or a state is not reset after other
    /// questions, or chance decides.
    NotRepeated(Box<DifferenceKind>),
    /// The answers differ, and lines of an answer were not understood.
    Unread(AnswerDifference),
    /// One source gave no answer.
    NoAnswer {
        /// Whether it is the second source.
        is_second: bool,
        /// The reason.
        error: SourceError,
    },
}

impl DifferenceKind {
    /// Returns the name in reports.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::{AnswerDifference, DifferenceKind};
    ///
    /// assert_eq!(DifferenceKind::Moves(AnswerDifference::default()).name(), "moves");
    /// ```
    pub const fn name(&self) -> &'static str {
        match self {
            DifferenceKind::Moves(_) => "moves",
            DifferenceKind::Counts(_) => "counts",
            DifferenceKind::Contradiction(_) => "contradiction",
            DifferenceKind::NotRepeated(_) => "not-repeated",
            DifferenceKind::Unread(_) => "unread",
            DifferenceKind::NoAnswer { .. } => "no-answer",
        }
    }

    /// Returns the answers side by side, or `None` if one is missing.
    pub fn answers(&self) -> Option<&AnswerDifference> {
        match self {
            DifferenceKind::Moves(found)
            | DifferenceKind::Counts(found)
            | DifferenceKind::Contradiction(found)
            | DifferenceKind::Unread(found) => Some(found),
            DifferenceKind::NotRepeated(kind) => kind.answers(),
            DifferenceKind::NoAnswer { .. } => None,
        }
    }

    /// Whether both sources gave an answer that was understood.
    pub fn is_understood(&self) -> bool {
        match self {
            DifferenceKind::NotRepeated(kind) => kind.is_understood(),
            kind => !matches!(kind, DifferenceKind::Unread(_) | DifferenceKind::NoAnswer { .. }),
        }
    }

    /// Returns whether the second source gave no answer, and why. `None` if both answered.
    pub fn missing_answer(&self) -> Option<(bool, &SourceError)> {
        match self {
            DifferenceKind::NotRepeated(kind) => kind.missing_answer(),
            DifferenceKind::NoAnswer { is_second, error } => Some((*is_second, error)),
            _ => None,
        }
    }

    /// Whether it is the same difference. Lines that were not understood may be others. A contradiction begins as a
    /// difference of counts.
    fn is_same_as(&self, other: &DifferenceKind) -> bool {
        match (self, other) {
            (DifferenceKind::Unread(_), DifferenceKind::Unread(_)) => true,
            (DifferenceKind::Counts(one), DifferenceKind::Contradiction(other)) => one == other,
            (DifferenceKind::NoAnswer { .. }, DifferenceKind::NoAnswer { .. }) => {
                let reason = |kind: &DifferenceKind| {
                    kind.missing_answer().map(|(is_second, error)| (is_second, discriminant(error)))
                };
                reason(self) == reason(other)
            }
            (kind, other) => kind == other,
        }
    }
}

/// A question to two sources, and its depths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceTarget {
    /// The question. Its own depth does not count.
    pub question: Question,
    /// The depths in plies. They are asked in this order until the answers differ.
    pub depths: Vec<u32>,
}

impl From<HuntTarget> for ReferenceTarget {
    fn from(target: HuntTarget) -> ReferenceTarget {
        ReferenceTarget { question: target.path.question(1), depths: target.depths }
    }
}

/// What a comparison with a reference reports while it runs.
#[derive(Clone, Copy, Debug)]
pub enum ReferenceEvent<'a> {
    /// A difference was found.
    Found(&'a Difference),
    /// A target is done, or was left out.
    TargetDone,
}

/// The result of a comparison with a reference.
#[derive(Clone, Debug, Default)]
pub struct ReferenceSummary {
    /// A difference for each target that has one. Of those that do not repeat, only the first.
    pub differences: Vec<Difference>,
    /// The number of targets with a difference that does not repeat.
    pub not_repeated: usize,
    /// The number of targets that were asked about.
    pub positions: usize,
    /// The number of questions to each source.
    pub questions: u64,
    /// The number of targets that neither source answered.
    pub unanswered: usize,
    /// The number of Chess960 targets that were left out, because a source does not play Chess960.
    pub left_out_chess960: usize,
    /// The names that the two sources give themselves.
    pub names: [Option<String>; 2],
    /// Whether the stop signal is raised.
    pub is_interrupted: bool,
}

/// Compares two sources until there are no more targets or enough differences are found.
///
/// `target` returns the target with a number, counted from 0, and `None` after the last one. `sources` creates the two
/// sources for each thread. `report` is called from all of these threads. Of the options, the number of threads, the
/// questions for a target and the number of findings count.
///
/// # Examples
/// Two sources that both allow castling out of check agree, although they are wrong. One that does not is found:
///
/// ```
/// use perft_core::{Position, StopSignal, find_move};
/// use perft_diagnosis::mutations::{MutatedBoard, Mutation, Mutations};
/// use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
/// use perft_diagnosis::{HuntOptions, MovePath, HuntTarget, compare_with_reference};
///
/// struct Rules(Mutations);
///
/// impl CountSource for Rules {
///     fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
///         let mut position = Position::from_fen(&question.fen).expect("a question has a legal position");
///         for text in &question.moves {
///             let played = find_move(&position, text).expect("only legal moves are played here");
///             position = position.play_unchecked(played);
///         }
///         let (notation, mut moves) = (position.castling_notation(), Vec::new());
///         MutatedBoard::new(&position, self.0).each_child(|played, child| {
///             moves.push((played.to_uci(notation), child.count(question.depth - 1).into()));
///         });
///         Ok(Answer { moves, ..Answer::default() })
///     }
/// }
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1").unwrap();
/// let target = |number| {
///     (number == 0).then(|| HuntTarget { path: MovePath::new(position), depths: vec![1] }.into())
/// };
/// let compare = |first: Mutations, second: Mutations| {
///     let sources = || -> [Box<dyn CountSource>; 2] { [Box::new(Rules(first)), Box::new(Rules(second))] };
///     compare_with_reference(target, sources, HuntOptions::default(), &StopSignal::default(), |_| {})
/// };
/// let wrong: Mutations = Mutation::CastlingOutOfCheck.into();
/// assert!(compare(wrong, wrong).differences.is_empty());
///
/// let found = compare(wrong, Mutations::NONE);
/// assert_eq!(found.differences[0].kind.answers().unwrap().only_first, ["e1g1"]);
/// ```
pub fn compare_with_reference<'a>(
    target: impl Fn(usize) -> Option<ReferenceTarget> + Sync,
    sources: impl Fn() -> [Box<dyn CountSource + 'a>; 2] + Sync,
    options: HuntOptions,
    stop: &StopSignal,
    report: impl Fn(ReferenceEvent) + Sync,
) -> ReferenceSummary {
    let summary = Mutex::new(ReferenceSummary::default());
    on_threads(options.threads, target, |targets| {
        let mut sources = sources();
        for source in &mut sources {
            // An engine knows its abilities once it runs. If it does not start, the first question says so.
            let _ = source.prepare(stop);
        }
        while let Some(target) = targets.next()
            && !stop.is_raised()
            && lock(&summary).differences.len() < options.findings
        {
            compare_one(&target, &mut sources, options, stop, &summary, &report);
            report(ReferenceEvent::TargetDone);
        }
    });
    let mut summary = summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    summary.is_interrupted = stop.is_raised();
    summary
}

fn compare_one(
    target: &ReferenceTarget,
    sources: &mut [Box<dyn CountSource + '_>; 2],
    options: HuntOptions,
    stop: &StopSignal,
    summary: &Mutex<ReferenceSummary>,
    report: &(impl Fn(ReferenceEvent) + Sync),
) {
    if target.question.is_chess960 && sources.iter().any(|source| !source.abilities().is_chess960) {
        lock(summary).left_out_chess960 += 1;
        return;
    }
    let [first, second] = sources;
    let mut pair = SourcePair::new([first.as_mut(), second.as_mut()], options.questions, stop);
    let outcome = find_difference(&mut pair, target);
    let (asked, names) = (pair.asked(), pair.names());
    let found = {
        let mut summary = lock(summary);
        summary.questions += asked;
        summary.names = names;
        summary.positions += usize::from(outcome != Err(StopReason::Interrupted));
        match outcome {
            Ok(Outcome::Unanswered) => {
                summary.unanswered += 1;
                return;
            }
            Ok(Outcome::Differs(found)) if !is_known(&found, &mut summary) => found,
            _ => return,
        }
    };
    // Whoever receives a report may take its time.
    report(ReferenceEvent::Found(&found));
    lock(summary).differences.push(*found);
}

/// Whether a difference does not repeat, and is not the first such one. Counts it.
fn is_known(found: &Difference, summary: &mut ReferenceSummary) -> bool {
    let is_not_repeated = matches!(found.kind, DifferenceKind::NotRepeated(_));
    summary.not_repeated += usize::from(is_not_repeated);
    is_not_repeated && summary.not_repeated > 1
}

/// What came of a target.
#[derive(PartialEq)]
enum Outcome {
    Same,
    Unanswered,
    Differs(Box<Difference>),
}

/// Asks at all depths until the answers differ, and follows the difference.
fn find_difference(pair: &mut SourcePair, target: &ReferenceTarget) -> Result<Outcome, StopReason> {
    for &depth in &target.depths {
        let origin = Question { depth, ..target.question.clone() };
        let first = match pair.ask(&origin)? {
            Asked::Same => continue,
            Asked::Unanswered(_) => return Ok(Outcome::Unanswered),
            Asked::Differs(kind) => kind,
        };
        let found = match pair.ask_afresh(&origin)? {
            Asked::Differs(again) if again.is_same_as(&first) => followed(pair, origin, first),
            Asked::Same if matches!(first, DifferenceKind::Unread(_)) => continue,
            Asked::Differs(again) if pair.repeats(&origin, &again)? => followed(pair, origin, again),
            _ => {
                let kind = DifferenceKind::NotRepeated(Box::new(first));
                Difference { question: origin.clone(), origin, kind }
            }
        };
        return Ok(Outcome::Differs(Box::new(found)));
    }
    Ok(Outcome::Same)
}

/// Follows a difference that repeats. What it leads to must repeat too.
fn followed(pair: &mut SourcePair, origin: Question, kind: DifferenceKind) -> Difference {
    let (question, end) = follow(pair, origin.clone(), kind.clone());
    if (&question, &end) == (&origin, &kind) || pair.repeats(&question, &end).unwrap_or(false) {
        return Difference { question, origin, kind: end };
    }
    Difference { question: origin.clone(), origin, kind }
}

/// Plays moves with different counts until the moves differ, or nothing can be followed any more.
fn follow(
    pair: &mut SourcePair,
    mut question: Question,
    mut kind: DifferenceKind,
) -> (Question, DifferenceKind) {
    while let DifferenceKind::Counts(found) = &kind
        && question.depth > 1
    {
        // The difference that is known is reported, even if no more questions may be asked.
        match differing_child(pair, &question, &found.moves_to_follow()).unwrap_or(Child::CannotAsk) {
            Child::Found(found) => (question, kind) = *found,
            Child::AllAgree => kind = DifferenceKind::Contradiction(found.clone()),
            Child::CannotAsk => break,
        }
    }
    (question, kind)
}

/// What is known about the positions after some moves.
enum Child {
    Found(Box<(Question, DifferenceKind)>),
    AllAgree,
    /// There are no moves, or a source cannot be asked about the position after one.
    CannotAsk,
}

/// Asks about the position after each move until the answers differ.
fn differing_child(
    pair: &mut SourcePair,
    question: &Question,
    moves: &[String],
) -> Result<Child, StopReason> {
    let mut result = Child::CannotAsk;
    for played in moves {
        let child = question.after(played);
        match pair.ask(&child)? {
            Asked::Differs(kind) => return Ok(Child::Found(Box::new((child, kind)))),
            Asked::Unanswered(SourceError::CannotCount(_)) => return Ok(Child::CannotAsk),
            Asked::Same | Asked::Unanswered(_) => result = Child::AllAgree,
        }
    }
    Ok(result)
}
