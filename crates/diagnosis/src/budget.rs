//! The number of questions that may be asked about one target.

use perft_core::StopSignal;

use crate::source::SourceError;

/// The reason why a target is left early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// The stop signal was raised.
    Interrupted,
    /// The maximum number of questions was asked.
    OutOfQuestions,
}

/// The questions about one target: how many were asked and how many may be asked, and the signal that ends all of them.
pub(crate) struct Budget<'a> {
    max_questions: u64,
    asked: u64,
    pub stop: &'a StopSignal,
}

impl<'a> Budget<'a> {
    /// Returns a budget of `max_questions` questions.
    pub fn new(max_questions: u64, stop: &'a StopSignal) -> Budget<'a> {
        Budget { max_questions, asked: 0, stop }
    }

    /// Returns the number of questions asked so far.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// Counts questions of a separate limit.
    pub fn add(&mut self, asked: u64) {
        self.asked += asked;
        self.max_questions += asked;
    }

    /// Tests that another question may be asked.
    ///
    /// # Errors
    /// Returns an error if the maximum number of questions was asked.
    pub fn require_question(&self) -> Result<(), StopReason> {
        if self.asked < self.max_questions { Ok(()) } else { Err(StopReason::OutOfQuestions) }
    }

    /// Counts a question, even if no more questions may be asked.
    pub fn count_question(&mut self) {
        self.asked += 1;
    }
}

/// Returns an answer or the reason why there is none.
///
/// # Errors
/// Returns an error if the question was interrupted.
pub(crate) fn unless_interrupted<T>(
    answer: Result<T, SourceError>,
) -> Result<Result<T, SourceError>, StopReason> {
    match answer {
        Err(SourceError::Interrupted) => Err(StopReason::Interrupted),
        answer => Ok(answer),
    }
}
