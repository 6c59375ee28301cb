//! How two answers to the same question differ.

use std::collections::BTreeMap;
use std::mem::discriminant;

use perft_core::{Move, Position};

use crate::named_enum::named_enum;
use crate::source::notation::indices_meant;
use crate::source::{Answer, Question, SourceError};

named_enum! {
    /// The way in which two sources disagree.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum DisagreementKind {
        Moves: "the moves differ",
        Counts: "the counts differ",
        Contradiction:
            "the counts differ, but both agree when they are asked about the positions after each move",
        NotRepeated:
            "the answers differ, but not if both are asked in fresh processes: a table or a state of one is not reset after \
            other questions, or chance decides",
        Unread: "the answers differ, and some of their lines were not understood",
        NoAnswer: "one of them gives no answer",
    }
}

/// The difference between two answers to the same question. Moves are in UCI notation if the text is a legal move of
/// chess. Otherwise they are as the source writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnswerDifference {
    /// The moves that only the first answer has.
    pub only_first: Vec<String>,
    /// The moves that only the second answer has.
    pub only_second: Vec<String>,
    /// The moves with different counts in the two answers, the moves with the fewest leaf nodes first.
    pub counts: Vec<(String, [u128; 2])>,
    /// The totals of the two answers.
    pub totals: [i128; 2],
    /// Lines of the answers that were not understood.
    pub unread: Vec<String>,
    /// The reason why there is no answer, for each of the two.
    pub errors: [Option<SourceError>; 2],
    /// The moves of an answer, if the other one has only a total.
    pub(super) listed: Vec<String>,
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
    /// assert_eq!(found.counts, [("g1f3".to_owned(), [20, 21])]);
    /// ```
    pub fn new(question: &Question, first: &Answer, second: &Answer) -> AnswerDifference {
        let mut difference = AnswerDifference {
            totals: [first.total(), second.total()],
            unread: first.unread.iter().chain(&second.unread).cloned().collect(),
            ..AnswerDifference::default()
        };
        // The moves may be those of a variant.
        let board = question.end().ok();
        let read = |answer: &Answer, other: &Counts| readable(board.as_ref(), answer, other);
        let second_alone = read(second, &Counts::default());
        let first = read(first, &second_alone);
        let second = read(second, &first);
        // A total of zero means that there are no moves.
        let knows_moves = |counts: &Counts, total: i128| !counts.is_empty() || total == 0;
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
                self.counts.push((played.clone(), [nodes, other]));
            }
        }
        self.counts.sort_by_key(|(_, [first, second])| *first.min(second));
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

    /// Whether both answers were given and understood.
    pub fn is_understood(&self) -> bool {
        self.missing_answer().is_none() && self.unread.is_empty()
    }

    /// Returns the index of the source that gave no answer, and the error. Returns `None` if both answered.
    pub fn missing_answer(&self) -> Option<(usize, &SourceError)> {
        let errors = self.errors.iter().enumerate();
        errors.filter_map(|(index, error)| Some((index, error.as_ref()?))).next()
    }

    /// Whether a source cannot be asked the question. That is not an error of the source.
    pub(super) fn cannot_be_asked(&self) -> bool {
        self.errors.iter().flatten().any(|error| matches!(error, SourceError::CannotCount(_)))
    }

    pub(super) fn is_unanswered(&self) -> bool {
        self.cannot_be_asked() || self.errors.iter().all(Option::is_some)
    }

    /// Returns the way in which the answers differ, or `None` if they do not, or if there are none.
    pub(super) fn kind(&self) -> Option<DisagreementKind> {
        match self {
            _ if self.is_unanswered() => None,
            _ if self.missing_answer().is_some() => Some(DisagreementKind::NoAnswer),
            _ if self.is_same() => None,
            _ if !self.unread.is_empty() => Some(DisagreementKind::Unread),
            _ if self.has_same_moves() => Some(DisagreementKind::Counts),
            _ => Some(DisagreementKind::Moves),
        }
    }

    /// Whether both are the same difference. Lines that were not understood may differ.
    pub(super) fn repeats(&self, other: &AnswerDifference) -> bool {
        let kinds = |errors: &[Option<SourceError>; 2]| {
            errors.each_ref().map(|error| error.as_ref().map(discriminant))
        };
        match (self.kind(), other.kind()) {
            (Some(DisagreementKind::Unread), Some(DisagreementKind::Unread)) => true,
            (Some(DisagreementKind::NoAnswer), Some(DisagreementKind::NoAnswer)) => {
                kinds(&self.errors) == kinds(&other.errors)
            }
            _ => self == other,
        }
    }

    /// Returns the moves below which the answers probably differ.
    pub(super) fn moves_to_follow(&self) -> Vec<String> {
        let different = self.counts.iter().map(|(played, _)| played);
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
        let known = board.and_then(|board| {
            let notation = board.castling_notation();
            let has_same_count = |index: &&usize| other.get(&left[**index].to_uci(notation)) == Some(nodes);
            let meant = indices_meant(board, &left, text);
            let index = meant.iter().find(has_same_count).or(meant.first())?;
            Some(left.remove(*index).to_uci(notation))
        });
        let mut name = known.unwrap_or_else(|| text.clone());
        while counts.contains_key(&name) {
            name.push_str(" again");
        }
        counts.insert(name, *nodes);
    }
    counts
}
