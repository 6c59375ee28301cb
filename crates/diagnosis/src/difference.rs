//! The difference between an answer of a source and a correct divide.

use perft_core::{Move, Position, RootMove};

use crate::source::Answer;
use crate::source::notation::meaning;

/// The difference between an answer and the correct divide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DivideDifference {
    /// The legal moves that are not in the answer and that explain why it is wrong.
    pub missing: Vec<Move>,
    /// Other legal moves that are not in the answer. Either their count is 0, or the rest of the answer is right,
    /// including its total. Some programs do not print all moves. That is not a bug.
    pub unlisted: Vec<Move>,
    /// The moves of the answer that are not legal or that it lists a second time, as the answer writes them.
    pub extra: Vec<String>,
    /// The legal moves with a wrong count, in the order of the answer.
    pub wrong: Vec<WrongCount>,
    /// The last move with a correct count before the first one with a wrong count.
    pub last_right: Option<Move>,
    /// The correct number of leaf nodes.
    pub ours: u128,
    /// The number of leaf nodes in the answer, without a minus sign.
    pub theirs: u128,
    /// Whether the total of the answer has a minus sign.
    pub is_negative: bool,
    /// Whether the answer lists moves. A total alone says nothing about moves.
    pub lists_moves: bool,
    /// Whether the stated total differs from the sum over the moves of the answer, and moves that are not listed do not
    /// explain this difference.
    pub contradicts_itself: bool,
    /// The lines of the answer that were not understood, if they are probably the reason for the difference. Otherwise
    /// empty.
    pub unread: Vec<String>,
}

/// A legal move with a wrong count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongCount {
    /// The move.
    pub played: Move,
    /// The correct number of leaf nodes below the move.
    pub ours: u128,
    /// The number of leaf nodes in the answer.
    pub theirs: u128,
}

impl DivideDifference {
    /// Compares an answer about a position with `ours`, the correct divide.
    ///
    /// Moves may be written in any notation. Some programs, such as qperft, print four promotions without their letter.
    /// Such lines are assigned to the four promotions so that as many counts as possible agree.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::DivideDifference;
    /// use perft_diagnosis::source::Answer;
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    /// let ours = position.divide(1);
    /// assert!(DivideDifference::of(&position, &ours, &Answer::parse("15")).is_right());
    ///
    /// let found = DivideDifference::of(&position, &ours, &Answer::parse("e1g1: 1\na2a3: 1"));
    /// assert_eq!((found.missing.len(), found.extra), (14, vec!["a2a3".to_owned()]));
    /// ```
    pub fn of(position: &Position, ours: &[RootMove], answer: &Answer) -> DivideDifference {
        let mut difference = DivideDifference {
            ours: ours.iter().map(|known| known.nodes).sum(),
            theirs: answer.total(),
            is_negative: answer.is_negative,
            lists_moves: !answer.moves.is_empty(),
            contradicts_itself: answer.contradicts_itself(),
            ..DivideDifference::default()
        };
        if difference.lists_moves || difference.theirs == 0 {
            difference.compare_moves(position, ours, answer);
        }
        if answer.unread.is_empty() && difference.has_right_counts(answer) {
            difference.unlisted.append(&mut difference.missing);
            difference.extra.clear();
            difference.contradicts_itself = false;
        }
        if !difference.is_right() && difference.is_misread(answer) {
            difference.unread.clone_from(&answer.unread);
        }
        difference
    }

    /// Whether lines that were not understood probably explain the difference. There are three cases: the stated total
    /// is right, it does not fit the moves that were read, or there is no total and the missing moves may be on these
    /// lines.
    fn is_misread(&self, answer: &Answer) -> bool {
        let unread = answer.unread.len();
        match answer.stated_total {
            _ if unread == 0 => false,
            Some(total) => total == self.ours || self.contradicts_itself,
            None => self.extra.is_empty() && (1..=unread).contains(&self.missing.len()),
        }
    }

    /// Whether the total and the counts below all listed moves are right. Some programs list illegal moves with the
    /// count 0.
    fn has_right_counts(&self, answer: &Answer) -> bool {
        let is_counted =
            |text: &String| answer.moves.iter().any(|(listed, nodes)| listed == text && *nodes > 0);
        self.their_total() == self.ours as i128 && self.wrong.is_empty() && !self.extra.iter().any(is_counted)
    }

    fn compare_moves(&mut self, position: &Position, ours: &[RootMove], answer: &Answer) {
        let mut left: Vec<RootMove> = ours.to_vec();
        let mut last = None;
        for (text, theirs) in &answer.moves {
            let moves: Vec<Move> = left.iter().map(|known| known.played).collect();
            let has_same_count = |index: usize| left[index].nodes == *theirs;
            let Some(index) = meaning(position, &moves, text, has_same_count) else {
                self.extra.push(text.clone());
                continue;
            };
            let RootMove { played, nodes } = left.remove(index);
            if nodes == *theirs {
                last = Some(played).filter(|_| self.wrong.is_empty()).or(last);
            } else {
                self.wrong.push(WrongCount { played, ours: nodes, theirs: *theirs });
            }
        }
        for RootMove { played, nodes } in left {
            if nodes == 0 { self.unlisted.push(played) } else { self.missing.push(played) }
        }
        self.last_right = last.filter(|_| !self.wrong.is_empty());
    }

    /// Returns the total of the answer with its sign.
    pub fn their_total(&self) -> i128 {
        let total = i128::try_from(self.theirs).unwrap_or(i128::MAX);
        if self.is_negative { -total } else { total }
    }

    /// Whether the answer is correct.
    pub fn is_right(&self) -> bool {
        self.their_total() == self.ours as i128
            && self.has_right_moves()
            && self.wrong.is_empty()
            && !self.contradicts_itself
    }

    /// Whether the source gave a wrong answer, and the answer was understood.
    pub fn is_wrong(&self) -> bool {
        !self.is_right() && self.unread.is_empty()
    }

    /// Whether another answer to the same question is wrong in the same way. Programs with several threads list the
    /// moves in a different order each time.
    pub(crate) fn is_same_as(&self, other: &DivideDifference) -> bool {
        let extra = |of: &DivideDifference| {
            let mut extra = of.extra.clone();
            extra.sort_unstable();
            extra
        };
        let is_in_other = |wrong: &WrongCount| other.wrong.contains(wrong);
        (self.their_total(), &self.missing, self.lists_moves)
            == (other.their_total(), &other.missing, other.lists_moves)
            && self.unread.is_empty() == other.unread.is_empty()
            && extra(self) == extra(other)
            && self.wrong.len() == other.wrong.len()
            && self.wrong.iter().all(is_in_other)
    }

    /// Returns the leaf nodes below a legal move in the answer. `right` counts them correctly.
    pub(crate) fn theirs_below(&self, played: Move, right: impl FnOnce() -> u128) -> u128 {
        match self.wrong.iter().find(|wrong| wrong.played == played) {
            Some(wrong) => wrong.theirs,
            None if self.missing.contains(&played) => 0,
            None => right(),
        }
    }

    /// Whether the texts in `extra` mean exactly these moves, each once.
    pub(crate) fn has_extra(&self, position: &Position, mut moves: Vec<Move>) -> bool {
        let mut takes = |text: &String| {
            let place = meaning(position, &moves, text, |_| false);
            place.map(|place| moves.swap_remove(place)).is_some()
        };
        self.extra.iter().all(&mut takes) && moves.is_empty()
    }

    /// Whether the answer says which moves there are. It either lists them, or says that there are none.
    pub fn knows_moves(&self) -> bool {
        self.lists_moves || self.theirs == 0
    }

    /// Whether the answer has all legal moves and no others. An answer without a list of moves passes.
    pub fn has_right_moves(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }
}
