//! Two sources that are asked the same questions.

use super::difference::AnswerDifference;
use super::disagreement::DisagreementKind;
use crate::budget::{Budget, StopReason, unless_interrupted};
use crate::source::{Answer, CountSource, Question, SourceError};

/// Two sources that are asked the same questions.
pub(super) struct SourcePair<'a> {
    sources: [&'a mut dyn CountSource; 2],
    pub budget: Budget<'a>,
}

/// The outcome of a question.
pub(super) enum Asked {
    Same,
    Differs(DisagreementKind),
    /// Neither source has answered, or one of them cannot be asked this. The error is that of one source.
    Unanswered(SourceError),
}

impl<'a> SourcePair<'a> {
    /// Returns two sources that are each asked the questions of a budget.
    pub fn new(sources: [&'a mut dyn CountSource; 2], budget: Budget<'a>) -> SourcePair<'a> {
        SourcePair { sources, budget }
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
        self.budget.require_question()?;
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
