//! Finds the positions in which two sources disagree, without knowing the rules.
//!
//! A position is a FEN and moves as text, so the sources may play any chess variant. If the counts below a move differ,
//! the move is played and both sources are asked again, down to a position in which their moves differ. Neither source
//! is called wrong here, because that would need the rules. A difference is reported after both sources were started
//! again and asked again.

use std::collections::BTreeMap;
use std::mem::discriminant;

use perft_core::{Move, Position, StopSignal};

use crate::checked_source::{Budget, StopReason, unless_interrupted};
use crate::chess960::{Chess960Fault, Chess960Source};
use crate::named_enum::kebab_name;
use crate::search::{Answers, Check, Examined, Search, SearchEvent, SearchOptions, SearchSummary, search};
use crate::source::notation::meaning;
use crate::source::{Answer, CountSource, Question, SourceError};
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

/// A question about which two sources disagree, and their answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The question that shows the difference.
    pub question: Question,
    /// The question with which the search for it began.
    pub origin: Question,
    /// The kind of the difference.
    pub kind: DisagreementKind,
    /// The number of targets that it stands for: of the differences that do not repeat, only the first is kept.
    pub times: u64,
}

impl Disagreement {
    /// Whether new starts of both sources do not show it.
    pub fn is_not_repeated(&self) -> bool {
        matches!(self.kind, DisagreementKind::NotRepeated(_))
    }
}

/// The way in which two sources disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DisagreementKind {
    /// They list different moves.
    Moves(AnswerDifference),
    /// The counts differ, and there is no move to follow.
    Counts(AnswerDifference),
    /// The counts below a move differ, but not when both are asked about the position after the move.
    Contradiction(AnswerDifference),
    /// The answers differ in this way, but not after new starts of both sources. Possible reasons: a table or a state
    /// is not reset after other questions, or the answers depend on chance.
    NotRepeated(Box<DisagreementKind>),
    /// The answers differ, and lines of an answer were not understood.
    Unread(AnswerDifference),
    /// One source gave no answer.
    NoAnswer {
        /// Whether the second source gave no answer.
        is_second: bool,
        /// The reason.
        error: SourceError,
    },
}

impl DisagreementKind {
    /// Returns the name in reports.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::{AnswerDifference, DisagreementKind};
    ///
    /// assert_eq!(DisagreementKind::Moves(AnswerDifference::default()).name(), "moves");
    /// ```
    pub const fn name(&self) -> &'static str {
        kebab_name!(self, DisagreementKind: Moves Counts Contradiction NotRepeated Unread NoAnswer)
    }

    /// Returns the answers side by side, or `None` if one is missing.
    pub fn answers(&self) -> Option<&AnswerDifference> {
        match self {
            DisagreementKind::Moves(found)
            | DisagreementKind::Counts(found)
            | DisagreementKind::Contradiction(found)
            | DisagreementKind::Unread(found) => Some(found),
            DisagreementKind::NotRepeated(kind) => kind.answers(),
            DisagreementKind::NoAnswer { .. } => None,
        }
    }

    /// Whether both sources gave an answer that was understood.
    pub fn is_understood(&self) -> bool {
        match self {
            DisagreementKind::NotRepeated(kind) => kind.is_understood(),
            kind => !matches!(kind, DisagreementKind::Unread(_) | DisagreementKind::NoAnswer { .. }),
        }
    }

    /// Returns whether the second source gave no answer, and the error. Returns `None` if both answered.
    pub fn missing_answer(&self) -> Option<(bool, &SourceError)> {
        match self {
            DisagreementKind::NotRepeated(kind) => kind.missing_answer(),
            DisagreementKind::NoAnswer { is_second, error } => Some((*is_second, error)),
            _ => None,
        }
    }

    /// Whether both are the same difference. Lines that were not understood may differ. A contradiction begins as a
    /// difference of counts.
    fn is_same_as(&self, other: &DisagreementKind) -> bool {
        match (self, other) {
            (DisagreementKind::Unread(_), DisagreementKind::Unread(_)) => true,
            (DisagreementKind::Counts(one), DisagreementKind::Contradiction(other)) => one == other,
            (DisagreementKind::NoAnswer { .. }, DisagreementKind::NoAnswer { .. }) => {
                let reason = |kind: &DisagreementKind| {
                    kind.missing_answer().map(|(is_second, error)| (is_second, discriminant(error)))
                };
                reason(self) == reason(other)
            }
            (kind, other) => kind == other,
        }
    }
}

/// The difference between two answers to the same question. Moves are in UCI notation if the text is a legal move of
/// chess. Otherwise they are as the source writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerDifference {
    /// The moves that only the first answer has.
    pub only_first: Vec<String>,
    /// The moves that only the second answer has.
    pub only_second: Vec<String>,
    /// The moves with different counts, the moves with the fewest leaf nodes first.
    pub counts: Vec<DifferentCount>,
    /// The totals of the two answers.
    pub totals: [u128; 2],
    /// Lines of the answers that were not understood.
    pub unread: Vec<String>,
    /// The moves of an answer, if the other one has only a total.
    listed: Vec<String>,
}

/// A move with different counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferentCount {
    /// The move.
    pub played: String,
    /// The leaf nodes in the first answer.
    pub first: u128,
    /// The leaf nodes in the second answer.
    pub second: u128,
}

impl AnswerDifference {
    /// Compares two answers. An answer with only a total says nothing about moves.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::AnswerDifference;
    /// use perft_diagnosis::source::{Answer, Question};
    ///
    /// let question = Question::new(&Position::start(), 2);
    /// let [first, second] = ["e2e4: 20\ng1f3: 20", "e4 20\nNf3 21\nd4 20"].map(Answer::parse);
    /// let found = AnswerDifference::new(&question, &first, &second);
    /// assert_eq!((found.only_second, found.totals), (vec!["d2d4".to_owned()], [40, 61]));
    /// assert_eq!((found.counts[0].played.as_str(), found.counts[0].second), ("g1f3", 21));
    /// ```
    pub fn new(question: &Question, first: &Answer, second: &Answer) -> AnswerDifference {
        let mut difference = AnswerDifference {
            totals: [first.total(), second.total()],
            unread: first.unread.iter().chain(&second.unread).cloned().collect(),
            ..AnswerDifference::default()
        };
        // The moves may not be those of chess.
        let board = question.end().ok();
        let read = |answer: &Answer, other: &Counts| readable(board.as_ref(), answer, other);
        let second_alone = read(second, &Counts::default());
        let first = read(first, &second_alone);
        let second = read(second, &first);
        // A total of zero means that there are no moves.
        let knows_moves = |counts: &Counts, total: u128| !counts.is_empty() || total == 0;
        match knows_moves(&first, difference.totals[0]) && knows_moves(&second, difference.totals[1]) {
            true => difference.compare_moves(&first, &second, question.depth),
            false => difference.listed = first.into_keys().chain(second.into_keys()).collect(),
        }
        difference
    }

    /// Compares the moves of both answers. Some programs do not print all moves although their totals include them, or
    /// do not print moves with the count 0. That is not a difference.
    fn compare_moves(&mut self, first: &Counts, second: &Counts, depth: u32) {
        let only = |one: &Counts, other: &Counts| -> Vec<String> {
            let is_printed = |nodes: u128| nodes > 0 || depth == 1;
            let only =
                one.iter().filter(|(played, nodes)| is_printed(**nodes) && !other.contains_key(*played));
            only.map(|(played, _)| played.clone()).collect()
        };
        self.only_first = only(first, second);
        self.only_second = only(second, first);
        for (played, &nodes) in first {
            if let Some(&other) = second.get(played).filter(|&&other| other != nodes) {
                self.counts.push(DifferentCount { played: played.clone(), first: nodes, second: other });
            }
        }
        self.counts.sort_by_key(|count| count.first.min(count.second));
        let lists_fewer = self.only_first.is_empty() || self.only_second.is_empty();
        if self.totals[0] == self.totals[1] && self.counts.is_empty() && lists_fewer {
            self.only_first.clear();
            self.only_second.clear();
        }
    }

    /// Whether there is no difference.
    pub fn is_same(&self) -> bool {
        self.totals[0] == self.totals[1] && self.has_same_moves() && self.counts.is_empty()
    }

    /// Whether the answers list the same moves. An answer without a list of moves passes.
    pub fn has_same_moves(&self) -> bool {
        self.only_first.is_empty() && self.only_second.is_empty()
    }

    /// Returns the moves below which the answers probably differ.
    fn moves_to_follow(&self) -> Vec<String> {
        let different = self.counts.iter().map(|count| &count.played);
        different.chain(&self.listed).cloned().collect()
    }
}

/// The moves of an answer with their counts.
type Counts = BTreeMap<String, u128>;

/// Returns the moves of an answer. If a text can mean several moves, a move with the same count in the `other` answer
/// is preferred. A move that is listed twice gets a separate name.
fn readable(board: Option<&Position>, answer: &Answer, other: &Counts) -> Counts {
    let mut left: Vec<Move> =
        board.map(|board| board.legal_moves().into_iter().collect()).unwrap_or_default();
    let mut counts = Counts::default();
    for (text, nodes) in &answer.moves {
        let known = board.and_then(|board| meant(board, &mut left, text, *nodes, other));
        let mut name = known.unwrap_or_else(|| text.clone());
        while counts.contains_key(&name) {
            name.push_str(" again");
        }
        counts.insert(name, *nodes);
    }
    counts
}

/// Returns the legal move that a text means, in UCI notation, and removes it from the remaining moves.
fn meant(board: &Position, left: &mut Vec<Move>, text: &str, nodes: u128, other: &Counts) -> Option<String> {
    let notation = board.castling_notation();
    let has_same_count = |index: usize| other.get(&left[index].to_uci(notation)) == Some(&nodes);
    let index = meaning(board, left, text, has_same_count)?;
    Some(left.remove(index).to_uci(notation))
}

/// Two sources that are asked the same questions.
struct SourcePair<'a> {
    sources: [&'a mut dyn CountSource; 2],
    budget: Budget<'a>,
}

/// The outcome of a question.
enum Asked {
    Same,
    Differs(DisagreementKind),
    /// Neither source has answered, or one of them cannot be asked this. The error is that of one source.
    Unanswered(SourceError),
}

impl<'a> SourcePair<'a> {
    /// Returns two sources that are each asked the questions of a budget.
    fn new(sources: [&'a mut dyn CountSource; 2], budget: Budget<'a>) -> SourcePair<'a> {
        SourcePair { sources, budget }
    }

    /// Returns the names that the sources give themselves.
    fn names(&self) -> [Option<String>; 2] {
        [0, 1].map(|index| self.sources[index].name().map(str::to_owned))
    }

    /// Asks both sources.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    fn ask(&mut self, question: &Question) -> Result<Asked, StopReason> {
        self.budget.require_question()?;
        self.ask_without_limit(question)
    }

    /// Asks both sources after new starts, even if no more questions may be asked.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    fn ask_afresh(&mut self, question: &Question) -> Result<Asked, StopReason> {
        self.sources.iter_mut().for_each(|source| source.restart());
        self.ask_without_limit(question)
    }

    /// Whether both sources disagree in the same way after new starts.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    fn repeats(&mut self, question: &Question, kind: &DisagreementKind) -> Result<bool, StopReason> {
        let again = self.ask_afresh(question)?;
        Ok(matches!(again, Asked::Differs(again) if again.is_same_as(kind)))
    }

    fn ask_without_limit(&mut self, question: &Question) -> Result<Asked, StopReason> {
        self.budget.count_question();
        let mut ask = |index: usize| unless_interrupted(self.sources[index].ask(question, self.budget.stop));
        Ok(match (ask(0)?, ask(1)?) {
            // It is not an error of a source if its way of asking does not allow the question.
            (Err(error @ SourceError::CannotCount(_)), _) | (_, Err(error @ SourceError::CannotCount(_))) => {
                Asked::Unanswered(error)
            }
            (Err(error), Err(_)) => Asked::Unanswered(error),
            (Err(error), Ok(_)) => Asked::Differs(DisagreementKind::NoAnswer { is_second: false, error }),
            (Ok(_), Err(error)) => Asked::Differs(DisagreementKind::NoAnswer { is_second: true, error }),
            (Ok(first), Ok(second)) => compared(question, &first, &second),
        })
    }
}

fn compared(question: &Question, first: &Answer, second: &Answer) -> Asked {
    let found = AnswerDifference::new(question, first, second);
    if found.is_same() {
        return Asked::Same;
    }
    Asked::Differs(if !found.unread.is_empty() {
        DisagreementKind::Unread(found)
    } else if found.has_same_moves() {
        DisagreementKind::Counts(found)
    } else {
        DisagreementKind::Moves(found)
    })
}
