//! Answers of sources.

use super::SourceError;

/// The answer to a question: the leaf nodes below each move, the total, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The moves with the leaf nodes below each, in the order of the source. Moves that are two squares are in UCI
    /// notation, and castling may be `O-O`. Moves in standard algebraic notation are as the source writes them.
    pub moves: Vec<(String, u128)>,
    /// The total that the source states.
    pub stated_total: Option<u128>,
    /// Whether the stated total has a minus sign, because its counter has overflowed.
    pub is_negative: bool,
    /// The lines that may be part of the answer but were not understood, as the source wrote them.
    pub unread: Vec<String>,
    /// The line with which the source has refused the question, if there is one. Then a wrong count may be that of
    /// another question.
    pub refusal: Option<String>,
}

impl Answer {
    /// Returns the stated total without its sign, or the sum over the moves if no total is stated.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::source::Answer;
    ///
    /// let answer = Answer::parse("e2e4: 20\nd2d4: 20\n\nNodes searched: 40\n");
    /// assert_eq!((answer.moves.len(), answer.total()), (2, 40));
    /// assert_eq!(Answer::parse("e2e4 - 20\nd2d4 - 20").total(), 40);
    /// ```
    pub fn total(&self) -> u128 {
        self.stated_total.unwrap_or_else(|| self.sum())
    }

    /// Returns the total with its sign.
    pub fn signed_total(&self) -> i128 {
        let total = i128::try_from(self.total()).unwrap_or(i128::MAX);
        if self.is_negative { -total } else { total }
    }

    /// Returns the answer, unless the source has refused the question and the total is not this one.
    ///
    /// # Errors
    /// The source has refused the question.
    pub fn unless_refused(self, expected: u128) -> Result<Answer, SourceError> {
        match self.refusal.clone() {
            Some(said) if self.total() != expected => Err(SourceError::Refused(said)),
            _ => Ok(self),
        }
    }

    /// Returns the sum over the moves, or [`u128::MAX`] if it does not fit.
    pub fn sum(&self) -> u128 {
        self.moves.iter().fold(0, |sum, (_, nodes)| sum.saturating_add(*nodes))
    }

    /// Whether the stated total differs from the sum over the moves.
    pub fn contradicts_itself(&self) -> bool {
        !self.moves.is_empty()
            && self.stated_total.is_some_and(|total| self.is_negative || total != self.sum())
    }

    /// Whether there are neither moves nor a total.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.stated_total.is_none()
    }
}

impl From<u128> for Answer {
    /// Returns an answer that has only a total.
    fn from(total: u128) -> Answer {
        Answer { stated_total: Some(total), ..Answer::default() }
    }
}

impl From<u64> for Answer {
    /// Returns an answer that has only a total.
    fn from(total: u64) -> Answer {
        u128::from(total).into()
    }
}

impl From<u32> for Answer {
    /// Returns an answer that has only a total.
    fn from(total: u32) -> Answer {
        u128::from(total).into()
    }
}

impl<M: Into<String>, N: Into<u128>> From<Vec<(M, N)>> for Answer {
    /// Returns an answer with the leaf nodes below each move.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::source::Answer;
    ///
    /// let divide: Vec<(&str, u64)> = vec![("e2e4", 20), ("d2d4", 20)];
    /// assert_eq!(Answer::from(divide), Answer::parse("e2e4: 20\nd2d4: 20"));
    /// ```
    fn from(divide: Vec<(M, N)>) -> Answer {
        let moves = divide.into_iter().map(|(played, nodes)| (played.into(), nodes.into())).collect();
        Answer { moves, ..Answer::default() }
    }
}
