//! Finds the positions in which two sources disagree, without knowing the rules.
//!
//! A position is a FEN and moves as text, so the sources may play any chess variant. If the counts below a move differ,
//! the move is played and both sources are asked again, down to a position in which their moves differ. Neither source
//! is called wrong here, because that would need the rules. A difference is reported after both sources were started
//! again and asked again.

mod difference;
mod disagreement;
mod pair;

use perft_core::{Position, StopSignal};

pub use difference::{AnswerDifference, DifferentCount};
pub use disagreement::{Disagreement, DisagreementKind};
use pair::{Asked, SourcePair};

use crate::budget::StopReason;
use crate::chess960::{Chess960Fault, Chess960Source};
use crate::search::{Answers, Check, Examined, Search, SearchEvent, SearchOptions, SearchSummary, search};
use crate::source::{CountSource, Question, SourceError};
use crate::target::HuntTarget;

/// A question to two sources, and its depths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceTarget {
    /// The question. Its depth is not used.
    pub question: Question,
    /// The depths in plies. They are asked in this order until the answers differ.
    pub depths: Vec<u32>,
}

impl From<HuntTarget> for ReferenceTarget {
    fn from(target: HuntTarget) -> ReferenceTarget {
        ReferenceTarget { question: target.path.question(1), depths: target.depths }
    }
}

/// The result of a comparison with a reference: a difference for each target that has one, and the names that the two
/// sources give themselves.
pub type ReferenceSummary = SearchSummary<Disagreement, [Option<String>; 2]>;

/// Compares two sources until there are no more targets or enough differences are found.
///
/// `target` returns the target with a number, counted from 0, and `None` after the last one. `sources` creates the two
/// sources for each thread. `report` is called from all of these threads. Only three of the options are used: the
/// number of threads, the questions for a target and the number of findings.
///
/// # Examples
/// Two sources that both allow castling out of check agree, although they are wrong. One that does not is found:
///
/// ```
/// use perft_core::{Position, StopSignal};
/// use perft_diagnosis::mutations::{MutatedBoard, Mutation};
/// use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
/// use perft_diagnosis::{SearchOptions, MovePath, HuntTarget, compare_with_reference};
///
/// struct Rules(Option<Mutation>);
///
/// impl CountSource for Rules {
///     fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
///         let position = question.end()?;
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
/// let compare = |first, second| {
///     let sources = || -> [Box<dyn CountSource>; 2] { [Box::new(Rules(first)), Box::new(Rules(second))] };
///     compare_with_reference(target, sources, SearchOptions::default(), &StopSignal::default(), |_| {})
/// };
/// let wrong = Some(Mutation::CastlingOutOfCheck);
/// assert!(compare(wrong, wrong).findings.is_empty());
///
/// let found = compare(wrong, None);
/// assert_eq!(found.findings[0].kind.answers().unwrap().only_first, ["e1g1"]);
/// ```
pub fn compare_with_reference<'a>(
    target: impl Fn(usize) -> Option<ReferenceTarget> + Sync,
    sources: impl Fn() -> [Box<dyn CountSource + 'a>; 2] + Sync,
    options: SearchOptions,
    stop: &StopSignal,
    report: impl Fn(SearchEvent<Disagreement>) + Sync,
) -> ReferenceSummary {
    search(&ReferenceCheck(&sources), target, options, stop, &report)
}

/// Compares the answers of two sources, which it creates for each thread. Each of them gets the castling rights of
/// Chess960 in the notation that it reads.
struct ReferenceCheck<'c, 'a>(&'c (dyn Fn() -> [Box<dyn CountSource + 'a>; 2] + Sync));

impl<'a> Check for ReferenceCheck<'_, 'a> {
    type Target = ReferenceTarget;
    type Sources = [Chess960Source<dyn CountSource + 'a>; 2];
    type Finding = Disagreement;
    type Facts = [Option<String>; 2];

    fn start(search: &Search<Self>) -> Option<Self::Sources> {
        let mut sources = search.check.0().map(Chess960Source::new);
        for source in &mut sources {
            // An engine knows its abilities once it runs. If it does not start, the first question says so.
            let _ = source.prepare(search.stop);
        }
        Some(sources)
    }

    fn examine(
        _: usize,
        target: ReferenceTarget,
        sources: &mut Self::Sources,
        search: &Search<Self>,
    ) -> Option<Examined> {
        if target.question.is_chess960 && !can_read(&target.question, sources, search) {
            return None;
        }
        let [first, second] = sources;
        let mut pair = SourcePair::new([first, second], search.budget());
        let outcome = find_difference(&mut pair, &target);
        let questions = pair.budget.asked();
        search.summary().source = pair.names();
        let stopped = outcome.as_ref().err().copied();
        let (answers, found) = outcome.unwrap_or((Answers::Right, None));
        if let Some(found) = found {
            let is_kept = !found.is_not_repeated();
            search.add(found, |known| !is_kept && known.is_not_repeated());
        }
        Some(Examined { questions, answers, stopped })
    }

    fn times(difference: &mut Disagreement) -> &mut u64 {
        &mut difference.times
    }
}

/// Whether both sources can be asked about a position of Chess960. Before the first one, finds out how each of them
/// reads castling rights.
fn can_read(
    question: &Question,
    sources: &mut [Chess960Source<dyn CountSource + '_>; 2],
    search: &Search<ReferenceCheck>,
) -> bool {
    if sources.iter().all(|source| source.abilities().is_chess960) {
        let faults: Vec<_> = sources.iter_mut().filter_map(|source| source.examine(search.stop)).collect();
        faults.iter().for_each(|fault| add_misread(fault, sources, search));
    }
    let root = Position::from_fen(&question.fen);
    root.is_ok_and(|root| sources.iter().all(|source| source.can_read(&root)))
}

/// Adds the difference about a position whose castling rights one source misreads. It is the only one with this reason:
/// later questions to that source have rights that it reads.
fn add_misread(
    fault: &Chess960Fault,
    sources: &mut [Chess960Source<dyn CountSource + '_>; 2],
    search: &Search<ReferenceCheck>,
) {
    let target = ReferenceTarget { question: fault.fault.path.question(1), depths: vec![1] };
    let [first, second] = sources;
    let mut pair = SourcePair::new([first.inner(), second.inner()], search.budget());
    if let Ok((answers, Some(found))) = find_difference(&mut pair, &target) {
        search.count(Some(Examined { questions: pair.budget.asked(), answers, stopped: None }));
        search.add(found, |known| known.origin.fen == target.question.fen);
    }
}

/// Asks at all depths until the answers differ, and follows the difference.
fn find_difference(
    pair: &mut SourcePair,
    target: &ReferenceTarget,
) -> Result<(Answers, Option<Disagreement>), StopReason> {
    for &depth in &target.depths {
        let origin = Question { depth, ..target.question.clone() };
        let first = match pair.ask(&origin)? {
            Asked::Same => continue,
            Asked::Unanswered(_) => return Ok((Answers::Missing, None)),
            Asked::Differs(kind) => kind,
        };
        let (question, kind) = match pair.ask_afresh(&origin)? {
            Asked::Differs(again) if again.is_same_as(&first) => followed(pair, &origin, first),
            Asked::Same if matches!(first, DisagreementKind::Unread(_)) => continue,
            Asked::Differs(again) if pair.repeats(&origin, &again)? => followed(pair, &origin, again),
            _ => (origin.clone(), DisagreementKind::NotRepeated(Box::new(first))),
        };
        return Ok((Answers::Wrong, Some(Disagreement { question, origin, kind, times: 1 })));
    }
    Ok((Answers::Right, None))
}

/// Follows a difference that repeats. The difference that is found in this way must repeat too.
fn followed(
    pair: &mut SourcePair,
    origin: &Question,
    kind: DisagreementKind,
) -> (Question, DisagreementKind) {
    let (question, end) = follow(pair, origin.clone(), kind.clone());
    let is_shown = (&question, &end) == (origin, &kind) || pair.repeats(&question, &end).unwrap_or(false);
    if is_shown { (question, end) } else { (origin.clone(), kind) }
}

/// Plays moves with different counts until the moves differ, or nothing more can be followed.
fn follow(
    pair: &mut SourcePair,
    mut question: Question,
    mut kind: DisagreementKind,
) -> (Question, DisagreementKind) {
    while let DisagreementKind::Counts(found) = &kind
        && question.depth > 1
        // The known difference is reported even if no more questions may be asked.
        && let Ok(Some(next)) = below(pair, &question, found)
    {
        (question, kind) = next;
    }
    (question, kind)
}

/// Asks about the position after each move with different counts until the answers differ. If they agree about all of
/// these positions, the difference is a contradiction. Returns `None` if there are no moves, or if a source cannot be
/// asked about one of the positions.
fn below(
    pair: &mut SourcePair,
    question: &Question,
    found: &AnswerDifference,
) -> Result<Option<(Question, DisagreementKind)>, StopReason> {
    let moves = found.moves_to_follow();
    for played in &moves {
        let child = question.after(played);
        match pair.ask(&child)? {
            Asked::Differs(kind) => return Ok(Some((child, kind))),
            Asked::Unanswered(SourceError::CannotCount(_)) => return Ok(None),
            Asked::Same | Asked::Unanswered(_) => {}
        }
    }
    let contradiction = || (question.clone(), DisagreementKind::Contradiction(found.clone()));
    Ok((!moves.is_empty()).then(contradiction))
}
