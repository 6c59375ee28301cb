//! The ways in which two sources disagree.

use std::mem::discriminant;

use super::difference::AnswerDifference;
use crate::named_enum::kebab_name;
use crate::source::{Question, SourceError};

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
    pub(super) fn is_same_as(&self, other: &DisagreementKind) -> bool {
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
