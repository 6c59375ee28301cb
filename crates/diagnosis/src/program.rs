//! A program that is asked, and whose answers are judged.
//!
//! A [`Program`] owns a source. It knows how the source reads castling rights, whether a refusal is an answer, and what
//! its process was asked before. Suites, divides and recounts ask a program for a count. Hunts compare its answers with
//! correct divides, within a number of questions for each target.

use std::collections::BTreeSet;

use perft_core::internals::is_possible;
use perft_core::{CastlingNotation, Interrupted, Position, StopSignal};

use crate::chess960::{DOUBLE, Letters, is_double};
use crate::difference::{DivideDifference, Told};
use crate::models::{Misreading, Model};
use crate::source::{Abilities, Answer, CountSource, MovePath, Question, SourceError, State};

/// A source that gets the castling rights of Chess960 in the notation that it reads, and whose refusals are judged.
///
/// # Examples
/// ```
/// use perft_core::{Position, StopSignal};
/// use perft_diagnosis::Program;
/// use perft_diagnosis::source::{Question, from_fen_fn};
///
/// let count = |fen: &str, depth| Position::from_fen(fen).unwrap().perft(depth);
/// let mut program = Program::new(Box::new(from_fen_fn(count)), StopSignal::default());
/// let question = Question::new(&Position::start(), 3);
/// assert_eq!(program.ask(&question, Some(8902)).unwrap().total(), 8902);
/// ```
pub struct Program<'a> {
    pub(crate) source: Box<dyn CountSource + 'a>,
    /// The signal that ends its questions.
    pub stop: StopSignal,
    /// The letters in which it gets castling rights.
    pub(crate) letters: Letters,
    /// Whether it reads positions of double Chess960.
    knows_double: bool,
    /// What is counted for the target of a hunt.
    pub(crate) tally: Tally,
    /// Whether a right answer did not list all moves.
    pub(crate) leaves_out_moves: bool,
    /// The refusals that count as right answers, because the source may be unable to answer such questions.
    pub(crate) refusals: Vec<SourceError>,
    /// The answers about the target that were understood.
    pub(crate) told: Vec<Told>,
    /// The last position about which its process was right.
    last_right: Option<Position>,
    /// The greatest depth at which it has answered.
    deepest: u32,
    /// Whether the last question to its process was answered.
    has_answered: bool,
}

/// What a hunt counts for one target.
#[derive(Default)]
pub(crate) struct Tally {
    /// The number of questions, and their maximum.
    pub asked: u64,
    pub max_questions: u64,
    /// Whether an answer is wrong or missing.
    pub is_faulty: bool,
    /// The numbers of the findings that it shows.
    pub seen: BTreeSet<usize>,
}

impl Tally {
    /// Counts a question.
    ///
    /// # Errors
    /// The maximum number of questions was asked.
    pub fn spend(&mut self) -> Asked<()> {
        if self.asked >= self.max_questions {
            return Err(StopReason::OutOfQuestions);
        }
        self.asked += 1;
        Ok(())
    }
}

/// The reason why a target is left early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// The stop signal was raised.
    Interrupted,
    /// The maximum number of questions was asked.
    OutOfQuestions,
    /// The source does not print its state at the end of this path.
    NoState(Box<MovePath>, SourceError),
}

/// The result of questions, or the reason why no more were asked.
pub(crate) type Asked<T> = Result<T, StopReason>;

impl From<Interrupted> for StopReason {
    fn from(_: Interrupted) -> StopReason {
        StopReason::Interrupted
    }
}

impl<'a> Program<'a> {
    /// Takes a source. Nothing is asked yet.
    pub fn new(source: Box<dyn CountSource + 'a>, stop: StopSignal) -> Program<'a> {
        Program {
            source,
            stop,
            letters: Letters::Unknown,
            knows_double: true,
            tally: Tally { max_questions: u64::MAX, ..Tally::default() },
            leaves_out_moves: false,
            refusals: Vec::new(),
            told: Vec::new(),
            last_right: None,
            deepest: 0,
            has_answered: false,
        }
    }

    /// Prepares the source for the next question: an engine is started.
    ///
    /// # Errors
    /// The same as for [`CountSource::prepare`].
    pub fn prepare(&mut self) -> Result<(), SourceError> {
        self.source.prepare(&self.stop)
    }

    /// Discards the data of earlier questions: an engine is started again for the next one.
    pub fn restart(&mut self) {
        self.source.restart();
        (self.last_right, self.has_answered) = (None, false);
    }

    /// Returns the name that the source gives itself, once it is known.
    pub fn name(&self) -> Option<String> {
        self.source.name().map(str::to_owned)
    }

    /// Returns the questions that the source can be asked, as far as is known.
    pub fn abilities(&self) -> Abilities {
        let abilities = self.source.abilities();
        Abilities { is_chess960: abilities.is_chess960 && self.letters != Letters::Nothing, ..abilities }
    }

    /// Whether the source can be asked about a position. It can if the position is of standard chess, or if the source
    /// plays Chess960 and reads the castling rights of the position.
    pub fn can_read(&self, root: &Position) -> bool {
        root.castling_notation() == CastlingNotation::Standard
            || (self.abilities().is_chess960
                && (self.knows_double || !is_double(root))
                && self.letters.can_write(root))
    }

    /// Finds out how the source reads castling rights, unless that is known or the source does not play Chess960.
    /// If the source misreads them, returns an answer that is wrong after a new start too, and the way in which it misreads
    /// them.
    pub fn examine(&mut self) -> Option<(Told, Misreading)> {
        if self.letters != Letters::Unknown || !self.source.abilities().is_chess960 {
            return None;
        }
        let mut wrong_at = |letters, fen: &str| {
            self.letters = letters;
            let path = MovePath::of_known(fen, "");
            let first = self.wrong_answer(&path)?;
            self.restart();
            let again = self.wrong_answer(&path)?;
            again.difference.is_same_as(&first.difference).then_some(first)
        };
        let (letters, misread) = Letters::learn(&mut wrong_at);
        let knows_double = wrong_at(letters, DOUBLE).is_none();
        self.letters = if self.stop.is_raised() { Letters::Unknown } else { letters };
        self.knows_double = knows_double;
        misread
    }

    /// Does the same as [`Program::examine`] for a source that is asked for its states. Returns a path to a position whose
    /// castling rights it does not read.
    pub(crate) fn examine_states(&mut self) -> Option<MovePath> {
        if self.letters != Letters::Unknown || !self.source.abilities().is_chess960 {
            return None;
        }
        let (letters, unread) = Letters::learn_from_states(&mut |letters, path| {
            self.letters = letters;
            self.state(&path.question(0)).ok()
        });
        self.letters = letters;
        unread
    }

    /// Returns the answer of depth 1 about a path if it is wrong. A source that does not answer is not wrong: a missing
    /// answer says nothing about the letters.
    fn wrong_answer(&mut self, path: &MovePath) -> Option<Told> {
        let answer = self.ask(&path.question(1), None).ok()?;
        let told = Told::new(path.clone(), 1, path.end.divide(1), answer);
        Some(told).filter(|told| told.difference.is_wrong())
    }

    /// Returns a question as the source gets it.
    pub fn written(&self, question: &Question) -> Question {
        if self.letters == Letters::Files { question.with_file_letters() } else { question.clone() }
    }

    /// Asks a question. Before the first one about Chess960, finds out how the source reads castling rights.
    ///
    /// # Errors
    /// There is no answer. If the right count is `expected`, it is also an error if the source refuses the question in
    /// words and gives another count: that of an earlier question.
    pub fn ask(&mut self, question: &Question, expected: Option<u128>) -> Result<Answer, SourceError> {
        if question.is_chess960 && self.letters == Letters::Unknown {
            self.prepare()?;
            self.examine();
            if self.stop.is_raised() {
                return Err(SourceError::Interrupted);
            }
        }
        let answer = self.source.ask(&self.written(question), &self.stop)?;
        match expected {
            Some(expected) => answer.unless_refused(expected),
            None => Ok(answer),
        }
    }

    /// Asks a question after a new start of the source.
    ///
    /// # Errors
    /// The same as for [`Program::ask`].
    pub fn ask_afresh(&mut self, question: &Question, expected: Option<u128>) -> Result<Answer, SourceError> {
        self.restart();
        self.ask(question, expected)
    }

    /// Asks about the end of a path. Returns the answer with the correct divide.
    ///
    /// # Errors
    /// The same as for [`Program::ask`].
    pub fn judge(&mut self, path: &MovePath, depth: u32) -> Result<Told, SourceError> {
        let ours = path.end.divide_until(depth, &self.stop).map_err(|_| SourceError::Interrupted)?;
        let expected = ours.iter().map(|known| known.nodes).sum();
        let answer = self.ask(&path.question(depth), Some(expected))?;
        Ok(Told::new(path.clone(), depth, ours, answer))
    }

    pub(crate) fn state(&mut self, question: &Question) -> Result<State, SourceError> {
        self.source.state(&self.written(question), &self.stop)
    }
}

/// Comparing answers with correct divides.
impl Program<'_> {
    /// Begins a target of a hunt.
    pub(crate) fn begin(&mut self, tally: Tally) {
        self.tally = tally;
        self.told.clear();
    }

    /// Calls `examine` with a separate limit of questions. They are counted, but not taken from the outer limit.
    pub(crate) fn with_more_questions<T>(
        &mut self,
        max_questions: u64,
        examine: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let Tally { asked, max_questions: outer, .. } = self.tally;
        self.tally.max_questions = asked + max_questions;
        let result = examine(self);
        self.tally.max_questions = outer + self.tally.asked - asked;
        result
    }

    /// Does the same as [`compare`](Program::compare), after a new start of the source, and even if no more questions may
    /// be asked.
    ///
    /// # Errors
    /// The stop signal is raised.
    pub(crate) fn compare_afresh(&mut self, path: &MovePath, depth: u32) -> Asked<Told> {
        self.restart();
        self.tally.max_questions = self.tally.max_questions.max(self.tally.asked + 1);
        self.compare(path, depth)
    }

    /// Asks a question again after up to this number of new starts. Returns the first answer that differs.
    ///
    /// # Errors
    /// The stop signal is raised.
    pub(crate) fn ask_again(&mut self, fault: &Told, times: u32) -> Asked<Option<Told>> {
        for _ in 0..times {
            let first = self.known(&fault.path, fault.depth).cloned();
            let answer = self.compare_afresh(&fault.path, fault.depth)?;
            let second = self.known(&fault.path, fault.depth);
            if !fault.difference.is_same_as(&answer.difference)
                && !are_of_earlier_positions(first.as_ref(), second)
            {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Asks about the end of a path and compares the answer with the correct divide. If a right answer does not list all
    /// moves, it only counts as right if the moves are right at depth 1.
    ///
    /// # Errors
    /// No more questions may be asked, or the stop signal is raised.
    pub(crate) fn compare(&mut self, path: &MovePath, depth: u32) -> Asked<Told> {
        self.tally.spend()?;
        let mut told = self.ask_about(path, depth)?;
        if told.is_right() && !told.difference.unlisted.is_empty() {
            self.leaves_out_moves = true;
            if depth > 1 {
                self.tally.asked += 1;
                let DivideDifference { missing, unlisted, .. } = &mut told.difference;
                *missing = self.ask_about(path, 1)?.difference.missing;
                unlisted.retain(|played| !missing.contains(played));
            }
        }
        Ok(told)
    }

    /// Asks a question. If the source may be unable to answer questions of this kind, a refusal counts as a right answer.
    fn ask_about(&mut self, path: &MovePath, depth: u32) -> Asked<Told> {
        let asked = if self.abilities().plays_moves { path.clone() } else { path.without_moves() };
        let judged = unless_interrupted(self.judge(&asked, depth))?;
        let follows = std::mem::take(&mut self.has_answered);
        let told = match judged {
            Ok(told) => Told { before: self.last_right, follows, ..told },
            Err(refusal @ SourceError::Refused(_)) if self.may_refuse(&asked, depth) => {
                self.refusals.push(refusal);
                return Ok(Told::new(path.clone(), depth, Vec::new(), Answer::default()));
            }
            Err(error) => {
                self.has_answered = matches!(error, SourceError::Refused(_));
                let ours = path.end.divide_until(depth, &self.stop)?;
                let told = Told::new(path.clone(), depth, ours, Answer::default());
                let (ours, error) = (told.difference.ours, Some(error));
                let difference = DivideDifference { ours, error, ..DivideDifference::default() };
                return Ok(Told { follows, difference, ..told });
            }
        };
        if told.is_right() {
            self.last_right = Some(told.path.end);
        }
        self.deepest = self.deepest.max(depth);
        if told.difference.unread.is_empty() {
            self.has_answered = true;
            self.told.push(told.clone());
        }
        Ok(Told { path: path.clone(), ..told })
    }

    /// Whether a source may refuse a question: it has not answered one of this depth, or it may be unable to set up the
    /// position.
    fn may_refuse(&self, path: &MovePath, depth: u32) -> bool {
        let is_standard = path.notation() == CastlingNotation::Standard;
        depth > self.deepest || !is_standard || !is_possible(&path.root)
    }

    /// Asks about the end of a path and returns the answer as it was asked for, if it was understood.
    ///
    /// # Errors
    /// The same as for [`compare`](Program::compare).
    pub(crate) fn tell(&mut self, path: &MovePath, depth: u32) -> Asked<Option<Told>> {
        self.compare(path, depth)?;
        Ok(self.known(path, depth).cloned())
    }

    /// Returns the last answer about the end of a path, as it was asked for.
    pub(crate) fn known(&self, path: &MovePath, depth: u32) -> Option<&Told> {
        let plays_moves = self.abilities().plays_moves;
        let is_asked = |told: &&Told| {
            told.depth == depth && told.path.end == path.end && (!plays_moves || told.path == *path)
        };
        self.told.iter().rfind(is_asked)
    }

    /// Whether the source gives the correct answer about the end of a path.
    ///
    /// # Errors
    /// The same as for [`compare`](Program::compare).
    pub(crate) fn is_right(&mut self, path: &MovePath, depth: u32) -> Asked<bool> {
        self.compare(path, depth).map(|told| told.is_right())
    }
}

/// Whether two answers are counts of positions that were set up before: another position after a new start.
fn are_of_earlier_positions(first: Option<&Told>, second: Option<&Told>) -> bool {
    let stays = |told: &Told| Model::Reading(Misreading::PositionStays).gives(told) == Some(true);
    [first, second].into_iter().all(|told| told.is_some_and(|told| !told.is_right() && stays(told)))
}

/// Returns an answer or the reason why there is none.
///
/// # Errors
/// The question was interrupted.
pub(crate) fn unless_interrupted<T>(answer: Result<T, SourceError>) -> Asked<Result<T, SourceError>> {
    match answer {
        Err(SourceError::Interrupted) => Err(StopReason::Interrupted),
        answer => Ok(answer),
    }
}
