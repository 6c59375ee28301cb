//! Finds the positions in which two sources disagree, without knowing the rules.
//!
//! A position is a FEN and moves as text, so the sources may play any chess variant. If the counts below a move differ,
//! the move is played and both sources are asked again, down to a position in which their moves differ. A difference is
//! reported after both sources were started again and asked again. If the sources do not play a variant, the rules of
//! chess then say which of them is right.

mod difference;
mod text;

pub use difference::{AnswerDifference, DisagreementKind};

use perft_core::{Position, StopSignal};

use crate::chess960::Letters;
use crate::difference::Told;
use crate::explain::{Explanation, explain};
use crate::program::{Asked, Program, unless_interrupted};
use crate::search::{Search, SearchOptions, SearchSummary, share_work};
use crate::source::{CountSource, Question};
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

/// The result of a comparison with a reference: a difference for each target that has one.
pub type ReferenceSummary = SearchSummary<Disagreement, ReferenceFacts>;

/// The facts that a comparison learns about the two sources.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReferenceFacts {
    /// The number of targets that neither source answered, or that one of them cannot be asked about.
    pub unanswered: usize,
}

/// Compares two sources until there are no more targets or enough differences are found.
///
/// `target` returns the target with a number, counted from 0, and `None` after the last one. `sources` creates the two
/// sources for each thread. `report` is called as in [`hunt`](crate::hunt()).
///
/// # Examples
/// Two sources agree if both allow castling out of check, and differ if only one of them does:
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
/// assert_eq!(found.findings[0].answers.only_first, ["e1g1"]);
/// ```
pub fn compare_with_reference<'a>(
    target: impl Fn(usize) -> Option<ReferenceTarget> + Sync,
    sources: impl Fn() -> [Box<dyn CountSource + 'a>; 2] + Sync,
    options: SearchOptions,
    stop: &StopSignal,
    mut report: impl FnMut(Option<&Disagreement>) + Send,
) -> ReferenceSummary {
    let search = Search::new(options, stop, |found| &mut found.times, &mut report);
    share_work(options.threads, || {
        let mut programs = sources().map(|source| Program::new(source, stop.clone()));
        // An engine knows its abilities once it runs. If it does not start, the first question says so too.
        programs.iter_mut().for_each(|program| drop(program.prepare()));
        search.note_names(&programs.each_ref());
        while !search.has_enough()
            && let Some(target) = search.next(&mut programs[0], &target)
        {
            let mut pair = SourcePair { programs: &mut programs, search: &search, is_unanswered: false };
            let ended = pair.examine(&target);
            search.end(&programs.each_ref(), ended);
        }
    });
    search.into_summary()
}

/// A question about which two sources disagree, and their answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Disagreement {
    /// The way in which they disagree.
    pub kind: DisagreementKind,
    /// The question that shows the difference.
    pub question: Question,
    /// The difference.
    pub answers: AnswerDifference,
    /// The judgement by the rules of chess. `None` if the sources play a variant, if the position is not one of chess,
    /// or if an answer is missing or was not understood.
    pub judgement: Option<Judgement>,
    /// The question with which the search for it began.
    pub origin: Question,
    /// The number of targets that it stands for: of the differences that do not repeat, only the first is kept.
    pub times: u64,
}

/// The judgement of a disagreement by the rules of chess.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judgement {
    /// The correct number of leaf nodes.
    pub nodes: u128,
    /// Which source is right, if the other one is wrong.
    pub is_right: [bool; 2],
    /// Why each disputed move is legal or not.
    pub explanations: Vec<String>,
}

impl Judgement {
    /// Returns the judgement, or `None` if the position is not one of chess or if counting was interrupted.
    fn new(question: &Question, answers: &AnswerDifference, stop: &StopSignal) -> Option<Judgement> {
        let position = question.end().ok()?;
        let nodes = position.perft_until(question.depth, stop).ok()?;
        let explained =
            |moves: &[String]| moves.iter().map(|text| explain(&position, text)).collect::<Vec<_>>();
        let [first, second] = [explained(&answers.only_first), explained(&answers.only_second)];
        let is_wrong = if answers.has_same_moves() {
            answers.totals.map(|total| total != nodes as i128)
        } else {
            let has_wrong = |own: &[Explanation], other: &[Explanation]| {
                own.iter().any(|why| !why.is_legal) || other.iter().any(|why| why.is_legal)
            };
            [has_wrong(&first, &second), has_wrong(&second, &first)]
        };
        let is_right = [!is_wrong[0] && is_wrong[1], is_wrong[0] && !is_wrong[1]];
        let explanations = first.into_iter().chain(second).map(|why| why.text).collect();
        Some(Judgement { nodes, is_right, explanations })
    }
}

/// Two programs that are asked the same questions. The questions are counted for the first one.
struct SourcePair<'p, 'a, 's> {
    programs: &'p mut [Program<'a>],
    search: &'p Search<'s, Disagreement, ReferenceFacts>,
    /// Whether neither of them has answered a question of the target, or one cannot be asked about it.
    is_unanswered: bool,
}

impl SourcePair<'_, '_, '_> {
    /// Looks for a difference about a target. Returns `None` if it is of Chess960 and one of the two cannot be asked about it.
    fn examine(&mut self, target: &ReferenceTarget) -> Option<Asked<()>> {
        if target.question.is_chess960 && !self.can_read(&target.question) {
            return None;
        }
        self.is_unanswered = false;
        let outcome = self.find_difference(target);
        self.search.summary().source.unanswered += usize::from(self.is_unanswered);
        Some(outcome.map(|found| {
            let Some(found) = found else { return };
            let is_repeated = found.kind != DisagreementKind::NotRepeated;
            self.add(found, |known| !is_repeated && known.kind == DisagreementKind::NotRepeated);
        }))
    }

    fn add(&mut self, found: Disagreement, is_same: impl Fn(&Disagreement) -> bool) {
        let tally = &mut self.programs[0].tally;
        tally.is_faulty = true;
        self.search.add_and_report(tally, found, is_same);
    }

    /// Whether both can be asked about a position of Chess960. Before the first one, finds out how each of them reads
    /// castling rights.
    fn can_read(&mut self, question: &Question) -> bool {
        if self.programs.iter().all(|program| program.abilities().is_chess960) {
            let faults: Vec<_> = self.programs.iter_mut().map(Program::examine).collect();
            faults.iter().flatten().for_each(|(fault, _)| self.add_misread(fault));
        }
        let root = Position::from_fen(&question.fen);
        root.is_ok_and(|root| self.programs.iter().all(|program| program.can_read(&root)))
    }

    /// Adds the difference about a position whose castling rights one program misreads. It is the only one with this
    /// reason: later questions to that program have rights that it reads.
    fn add_misread(&mut self, fault: &Told) {
        let target = ReferenceTarget { question: fault.path.question(1), depths: vec![1] };
        let letters: Vec<Letters> = self.programs.iter().map(|program| program.letters).collect();
        self.programs.iter_mut().for_each(|program| program.letters = Letters::Sides);
        let of_target = std::mem::replace(&mut self.programs[0].tally, self.search.tally());
        if let Ok(Some(found)) = self.find_difference(&target) {
            self.add(found, |known| known.origin.fen == target.question.fen);
            self.search.count(&self.programs[0].tally, Some(Ok(())));
        }
        self.programs[0].tally = of_target;
        self.programs.iter_mut().zip(letters).for_each(|(program, letters)| program.letters = letters);
    }

    /// Asks at all depths until the answers differ, and follows the difference.
    fn find_difference(&mut self, target: &ReferenceTarget) -> Asked<Option<Disagreement>> {
        for &depth in &target.depths {
            let origin = Question { depth, ..target.question.clone() };
            let first = self.ask(&origin)?;
            if first.is_unanswered() {
                self.is_unanswered = true;
                return Ok(None);
            }
            let Some(kind) = first.kind() else { continue };
            let again = self.ask_afresh(&origin)?;
            let found = |kind, answers| {
                let (question, origin) = (origin.clone(), origin.clone());
                Disagreement { kind, question, answers, judgement: None, origin, times: 1 }
            };
            let mut found = match again.kind() {
                Some(_) if again.repeats(&first) => self.followed(found(kind, first)),
                Some(other) if self.repeats(&origin, &again)? => self.followed(found(other, again)),
                None if kind == DisagreementKind::Unread && !again.is_unanswered() => continue,
                _ => found(DisagreementKind::NotRepeated, first),
            };
            if !self.search.options.is_variant && found.answers.is_understood() {
                found.judgement = Judgement::new(&found.question, &found.answers, &self.programs[0].stop);
            }
            return Ok(Some(found));
        }
        Ok(None)
    }

    /// Plays moves with different counts until the moves differ, or nothing more can be followed. The difference that
    /// is found in this way must repeat, too.
    fn followed(&mut self, first: Disagreement) -> Disagreement {
        let mut found = first.clone();
        while found.kind == DisagreementKind::Counts
            && found.question.depth > 1
            // The known difference is reported even if no more questions may be asked.
            && let Ok(Some(next)) = self.below(&found)
        {
            found = next;
        }
        let is_shown = found == first || self.repeats(&found.question, &found.answers).unwrap_or(false);
        if is_shown { found } else { first }
    }

    /// Asks about the position after each move with different counts until the answers differ. If they agree about all
    /// of these positions, the difference is a contradiction. Returns `None` if there are no moves, or if a source
    /// cannot be asked about one of the positions.
    fn below(&mut self, found: &Disagreement) -> Asked<Option<Disagreement>> {
        let moves = found.answers.moves_to_follow();
        for played in &moves {
            let question = found.question.after(played);
            let answers = self.ask(&question)?;
            if let Some(kind) = answers.kind() {
                return Ok(Some(Disagreement { kind, question, answers, ..found.clone() }));
            }
            if answers.cannot_be_asked() {
                return Ok(None);
            }
        }
        let kind = DisagreementKind::Contradiction;
        Ok((!moves.is_empty()).then(|| Disagreement { kind, ..found.clone() }))
    }

    /// Asks both sources.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    fn ask(&mut self, question: &Question) -> Asked<AnswerDifference> {
        self.programs[0].tally.spend()?;
        self.ask_without_limit(question)
    }

    /// Asks both sources after new starts, even if no more questions may be asked.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    fn ask_afresh(&mut self, question: &Question) -> Asked<AnswerDifference> {
        self.programs.iter_mut().for_each(Program::restart);
        self.programs[0].tally.asked += 1;
        self.ask_without_limit(question)
    }

    /// Whether both sources disagree in the same way after new starts.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    fn repeats(&mut self, question: &Question, answers: &AnswerDifference) -> Asked<bool> {
        Ok(self.ask_afresh(question)?.repeats(answers))
    }

    fn ask_without_limit(&mut self, question: &Question) -> Asked<AnswerDifference> {
        let mut ask = |index: usize| unless_interrupted(self.programs[index].ask(question, None));
        Ok(match (ask(0)?, ask(1)?) {
            (Ok(first), Ok(second)) => AnswerDifference::new(question, &first, &second),
            (first, second) => {
                AnswerDifference { errors: [first.err(), second.err()], ..AnswerDifference::default() }
            }
        })
    }
}
