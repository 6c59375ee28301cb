//! A source whose answers are compared with correct counts, and the number of questions that it may be asked.

use perft_core::internals::is_possible;
use perft_core::{CastlingNotation, Position, RootMove, StopSignal};

use crate::difference::{DivideDifference, Told};
use crate::search::Seen;
use crate::source::{Abilities, Answer, CountSource, MovePath, Question, SourceError};

/// A source whose answers are compared with correct counts.
pub(crate) struct CheckedSource<'a> {
    pub source: &'a mut dyn CountSource,
    pub abilities: Abilities,
    pub budget: Budget<'a>,
    /// Whether a right answer did not list all moves.
    pub leaves_out_moves: bool,
    /// The refusals that count as right answers, because the source may be unable to answer such questions.
    pub refusals: Vec<SourceError>,
    /// The answers so far that were understood.
    pub told: Vec<Told>,
    /// What is known about the process.
    pub process: Process,
    /// The findings that its target shows.
    pub seen: Seen,
}

/// What is known about the process of a source.
#[derive(Clone, Copy, Default)]
pub(crate) struct Process {
    /// The last position about which it was right.
    pub last_right: Option<Position>,
    /// The greatest depth at which it has answered.
    pub deepest: u32,
    /// Whether the last question to it was answered.
    has_answered: bool,
}

impl CheckedSource<'_> {
    /// Calls `examine` with a separate limit of questions. They are counted, but not taken from the outer limit.
    pub fn with_more_questions<T>(
        &mut self,
        max_questions: u64,
        examine: impl FnOnce(&mut CheckedSource) -> T,
    ) -> T {
        let outer = self.budget;
        self.budget = Budget { max_questions: outer.asked + max_questions, ..outer };
        let result = examine(self);
        let asked = self.budget.asked - outer.asked;
        self.budget.max_questions = outer.max_questions + asked;
        result
    }

    /// Asks about the end of a path and compares the answer with the correct divide.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub fn compare(&mut self, path: &MovePath, depth: u32) -> Asked<Told> {
        self.budget.spend()?;
        self.compare_without_limit(path, depth)
    }

    /// Does the same as [`compare`](CheckedSource::compare), after a new start of the source, and even if no more
    /// questions may be asked.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    pub fn compare_afresh(&mut self, path: &MovePath, depth: u32) -> Asked<Told> {
        self.source.restart();
        (self.process.last_right, self.process.has_answered) = (None, false);
        self.budget.asked += 1;
        self.compare_without_limit(path, depth)
    }

    /// Compares the answer. If a right answer does not list all moves, it only counts as right if the moves are right
    /// at depth 1.
    fn compare_without_limit(&mut self, path: &MovePath, depth: u32) -> Asked<Told> {
        let mut told = self.ask(path, depth)?;
        if told.is_right() && !told.difference.unlisted.is_empty() {
            self.leaves_out_moves = true;
            if depth > 1 {
                self.budget.asked += 1;
                let DivideDifference { missing, unlisted, .. } = &mut told.difference;
                *missing = self.ask(path, 1)?.difference.missing;
                unlisted.retain(|played| !missing.contains(played));
            }
        }
        Ok(told)
    }

    /// Asks a question. If the source may be unable to answer questions of this kind, a refusal counts as a right answer.
    fn ask(&mut self, path: &MovePath, depth: u32) -> Asked<Told> {
        let asked = if self.abilities.plays_moves { path.clone() } else { path.without_moves() };
        let (ours, answer) = self.answer(&asked, asked.question(depth))?;
        let expected = ours.iter().map(|known| known.nodes).sum();
        let follows = std::mem::take(&mut self.process.has_answered);
        let told = match answer.and_then(|answer| answer.unless_refused(expected)) {
            Ok(answer) => {
                Told { before: self.process.last_right, follows, ..Told::new(asked, depth, ours, answer) }
            }
            Err(refusal @ SourceError::Refused(_)) if self.may_refuse(&asked, depth) => {
                self.refusals.push(refusal);
                return Ok(Told::new(path.clone(), depth, Vec::new(), Answer::default()));
            }
            Err(error) => {
                self.process.has_answered = matches!(error, SourceError::Refused(_));
                return Ok(Told { follows, ..Told::missing(path.clone(), depth, ours, error) });
            }
        };
        if told.is_right() {
            self.process.last_right = Some(told.path.end);
        }
        self.process.deepest = self.process.deepest.max(depth);
        if told.difference.unread.is_empty() {
            self.process.has_answered = true;
            self.told.push(told.clone());
        }
        Ok(Told { path: path.clone(), ..told })
    }

    /// Whether a source may refuse a question: it has not answered one of this depth, or it may be unable to set up the
    /// position.
    fn may_refuse(&self, path: &MovePath, depth: u32) -> bool {
        let is_standard = path.notation() == CastlingNotation::Standard;
        depth > self.process.deepest || !is_standard || !is_possible(&path.root)
    }

    /// Returns the correct divide of the end of a path, and the answer to a question about it.
    fn answer(
        &mut self,
        path: &MovePath,
        question: Question,
    ) -> Asked<(Vec<RootMove>, Result<Answer, SourceError>)> {
        let stop = self.budget.stop;
        let ours = path.end.divide_until(question.depth, stop).map_err(|_| StopReason::Interrupted)?;
        Ok((ours, unless_interrupted(self.source.ask(&question, stop))?))
    }

    /// Asks about the end of a path, given as this FEN. Returns whether the answer is wrong.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`compare`](CheckedSource::compare).
    pub fn is_wrong_about(&mut self, fen: String, path: &MovePath, depth: u32) -> Asked<bool> {
        self.budget.spend()?;
        let question = Question { fen, ..path.without_moves().question(depth) };
        let (ours, answer) = self.answer(path, question)?;
        Ok(answer.is_ok_and(|answer| {
            answer.refusal.is_none() && DivideDifference::new(&path.end, &ours, &answer).is_wrong()
        }))
    }

    /// Asks about the end of a path and returns the answer, if it was understood.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`compare`](CheckedSource::compare).
    pub fn tell(&mut self, path: &MovePath, depth: u32) -> Asked<Option<Told>> {
        self.compare(path, depth)?;
        Ok(self.known(path, depth).cloned())
    }

    /// Returns the last answer about the end of a path.
    pub fn known(&self, path: &MovePath, depth: u32) -> Option<&Told> {
        let is_asked = |told: &&Told| {
            told.depth == depth
                && told.path.end == path.end
                && (!self.abilities.plays_moves || told.path == *path)
        };
        self.told.iter().rfind(is_asked)
    }

    /// Whether the source gives the correct answer about the end of a path.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`compare`](CheckedSource::compare).
    pub fn is_right(&mut self, path: &MovePath, depth: u32) -> Asked<bool> {
        self.compare(path, depth).map(|told| told.is_right())
    }
}

/// The reason why a target is left early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// The stop signal was raised.
    Interrupted,
    /// The maximum number of questions was asked.
    OutOfQuestions,
}

/// The result of questions, or the reason why no more were asked.
pub(crate) type Asked<T> = Result<T, StopReason>;

/// The questions about one target: how many were asked and how many may be asked, and the signal that ends all of them.
#[derive(Clone, Copy)]
pub(crate) struct Budget<'a> {
    pub max_questions: u64,
    pub asked: u64,
    pub stop: &'a StopSignal,
}

impl Budget<'_> {
    /// Counts a question.
    ///
    /// # Errors
    /// Returns an error if the maximum number of questions was asked.
    pub fn spend(&mut self) -> Asked<()> {
        if self.asked >= self.max_questions {
            return Err(StopReason::OutOfQuestions);
        }
        self.asked += 1;
        Ok(())
    }
}

/// Returns an answer or the reason why there is none.
///
/// # Errors
/// Returns an error if the question was interrupted.
pub(crate) fn unless_interrupted<T>(answer: Result<T, SourceError>) -> Asked<Result<T, SourceError>> {
    match answer {
        Err(SourceError::Interrupted) => Err(StopReason::Interrupted),
        answer => Ok(answer),
    }
}
