//! Two sources that are asked the same questions.

use perft_core::StopSignal;

use super::difference::AnswerDifference;
use super::disagreement::DisagreementKind;
use crate::descend::StopReason;
use crate::source::{Answer, CountSource, Question, SourceError};

/// Two sources that are asked the same questions.
pub(super) struct SourcePair<'a> {
    sources: [&'a mut dyn CountSource; 2],
    max_questions: u64,
    asked: u64,
    stop: &'a StopSignal,
}

/// The outcome of a question.
pub(super) enum Asked {
    Same,
    Differs(DisagreementKind),
    /// Neither source has answered, or one of them cannot be asked this. The error is that of one source.
    Unanswered(SourceError),
}

impl<'a> SourcePair<'a> {
    /// Returns two sources that are asked at most `max_questions` questions each.
    pub fn new(
        sources: [&'a mut dyn CountSource; 2],
        max_questions: u64,
        stop: &'a StopSignal,
    ) -> SourcePair<'a> {
        SourcePair { sources, max_questions, asked: 0, stop }
    }

    /// Returns the number of questions so far.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// Returns the names that the sources give themselves.
    pub fn names(&self) -> [Option<String>; 2] {
        [0, 1].map(|index| self.sources[index].name().map(str::to_owned))
    }

    /// Asks both sources.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub fn ask(&mut self, question: &Question) -> Result<Asked, StopReason> {
        if self.asked >= self.max_questions {
            return Err(StopReason::OutOfQuestions);
        }
        self.ask_without_limit(question)
    }

    /// Asks both sources after new starts, even if no more questions may be asked.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    pub fn ask_afresh(&mut self, question: &Question) -> Result<Asked, StopReason> {
        self.sources.iter_mut().for_each(|source| source.restart());
        self.ask_without_limit(question)
    }

    /// Whether both sources disagree in the same way after new starts.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    pub fn repeats(&mut self, question: &Question, kind: &DisagreementKind) -> Result<bool, StopReason> {
        let again = self.ask_afresh(question)?;
        Ok(matches!(again, Asked::Differs(again) if again.is_same_as(kind)))
    }

    fn ask_without_limit(&mut self, question: &Question) -> Result<Asked, StopReason> {
        self.asked += 1;
        let first = self.ask_one(0, question)?;
        let second = self.ask_one(1, question)?;
        Ok(match (first, second) {
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

    fn ask_one(
        &mut self,
        index: usize,
        question: &Question,
    ) -> Result<Result<Answer, SourceError>, StopReason> {
        match self.sources[index].ask(question, self.stop) {
            Err(SourceError::Interrupted) => Err(StopReason::Interrupted),
            answer => Ok(answer),
        }
    }
}

fn compared(question: &Question, first: &Answer, second: &Answer) -> Asked {
    let found = AnswerDifference::of(question, first, second);
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
