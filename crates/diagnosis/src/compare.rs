//! A divide of ours beside the answer of another program.

use crate::source::Answer;
use perft_core::Position;
use perft_core::RootMove;
use perft_core::{CastlingNotation, Move};

/// In what an answer differs from the truth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DivideDifference {
    /// Legal moves that the answer lacks.
    pub missing: Vec<Move>,
    /// Moves that the answer has and that are not legal, as it writes them; or legal, but for the second time.
    pub extra: Vec<String>,
    /// Legal moves with another count, in the order of the answer.
    pub wrong: Vec<WrongCount>,
    /// The last move whose count is right before the first that has another.
    pub last_right: Option<Move>,
    /// The leaf nodes.
    pub ours: u128,
    /// Those of the answer.
    pub theirs: u128,
    /// True if the answer lists moves; a bare total says nothing of them.
    pub lists_moves: bool,
    /// True if the total of the answer is not the sum over its own moves.
    pub contradicts_itself: bool,
}

/// A move with another count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongCount {
    /// The move.
    pub played: Move,
    /// The leaf nodes below it.
    pub ours: u128,
    /// Those of the answer.
    pub theirs: u128,
}

impl DivideDifference {
    /// Compares an answer about a position with the truth.
    ///
    /// Castling is understood in both notations. A program that leaves out the letter of a promotion, as qperft does, has
    /// four lines that look alike: they are taken for the four promotions, as well as the counts fit.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Answer;
    /// use perft_diagnosis::DivideDifference;
    /// use perft_core::{Perft, Progress};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    /// let ours = Perft::new().divide(&position, 1, &Progress::default()).unwrap();
    /// let mut answer = Answer { moves: Vec::new(), stated_total: Some(ours.len() as u128) };
    /// assert!(DivideDifference::of(&position, &ours, &answer).is_right());
    /// answer.moves = vec![("e1g1".to_owned(), 1), ("a2a3".to_owned(), 1)];
    /// let found = DivideDifference::of(&position, &ours, &answer);
    /// assert_eq!((found.missing.len(), found.extra), (14, vec!["a2a3".to_owned()]));
    /// ```
    pub fn of(position: &Position, ours: &[RootMove], answer: &Answer) -> DivideDifference {
        let mut comparison = DivideDifference {
            ours: ours.iter().map(|known| known.nodes).sum(),
            theirs: answer.total(),
            lists_moves: !answer.moves.is_empty(),
            contradicts_itself: answer.contradicts_itself(),
            ..DivideDifference::default()
        };
        if comparison.lists_moves || comparison.theirs == 0 {
            comparison.compare_moves(position, ours, answer);
        }
        comparison
    }

    fn compare_moves(&mut self, position: &Position, ours: &[RootMove], answer: &Answer) {
        let mut left: Vec<RootMove> = ours.to_vec();
        let mut last = None;
        for (text, theirs) in &answer.moves {
            let Some(index) = best_match(position, &left, text, *theirs) else {
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
        self.missing = left.iter().map(|known| known.played).collect();
        self.last_right = last.filter(|_| !self.wrong.is_empty());
    }

    /// True if there is no difference.
    pub fn is_right(&self) -> bool {
        self.ours == self.theirs
            && self.has_right_moves()
            && self.wrong.is_empty()
            && !self.contradicts_itself
    }

    /// True if no move is missing and none too many, as far as the answer tells.
    pub fn has_right_moves(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }
}

/// Which of these moves a text means; of promotions that it does not tell apart, one with the same count.
fn best_match(position: &Position, left: &[RootMove], text: &str, nodes: u128) -> Option<usize> {
    let named = |notation| left.iter().position(|known| known.played.to_uci(notation) == text);
    let exact = match position.castling_notation() {
        CastlingNotation::Standard => {
            named(CastlingNotation::Standard).or_else(|| named(CastlingNotation::Chess960))
        }
        CastlingNotation::Chess960 => {
            named(CastlingNotation::Chess960).or_else(|| named(CastlingNotation::Standard))
        }
    };
    exact.or_else(|| {
        let could_be = |known: &RootMove| {
            known.played.kind().promotion().is_some()
                && format!("{}{}", known.played.from(), known.played.to()) == text
        };
        let fits = left.iter().position(|known| could_be(known) && known.nodes == nodes);
        fits.or_else(|| left.iter().position(could_be))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_core::{Perft, Progress};

    fn compare(fen: &str, depth: u32, change: impl Fn(&mut Answer)) -> DivideDifference {
        let position = Position::from_fen(fen).unwrap();
        let ours = Perft::new().divide(&position, depth, &Progress::default()).unwrap();
        let moves = ours.iter().map(|known| (known.played.to_uci(position.castling_notation()), known.nodes));
        let mut answer = Answer { moves: moves.collect(), stated_total: None };
        change(&mut answer);
        DivideDifference::of(&position, &ours, &answer)
    }

    const START: &str = perft_core::START_FEN;

    #[test]
    fn a_right_answer_has_no_difference() {
        assert!(compare(START, 3, |_| {}).is_right());
        assert!(compare(START, 3, |answer| answer.moves.reverse()).is_right());
        assert!(compare(START, 3, |answer| *answer = Answer::parse("Nodes searched: 8902")).is_right());
    }

    #[test]
    fn moves_are_missing_extra_twice_or_counted_wrong() {
        let found = compare(START, 2, |answer| {
            let taken = answer.moves.remove(0);
            answer.moves.push(("e1e3".to_owned(), 7));
            let second = answer.moves[0].clone();
            answer.moves.push(second);
            answer.moves[4].1 += 1;
            assert_ne!(taken.0, "e1e3");
        });
        assert_eq!((found.missing.len(), found.extra.len(), found.wrong.len()), (1, 2, 1));
        assert_eq!((found.wrong[0].ours, found.wrong[0].theirs), (20, 21));
        assert!(found.last_right.is_some());
        assert!(!found.is_right());
    }

    #[test]
    fn a_bare_total_says_nothing_of_moves() {
        let found = compare(START, 2, |answer| *answer = Answer::parse("401"));
        assert!(found.has_right_moves() && !found.is_right() && !found.lists_moves);
    }

    #[test]
    fn a_total_of_nothing_lacks_every_move() {
        let found = compare(START, 1, |answer| *answer = Answer::parse("0"));
        assert_eq!(found.missing.len(), 20);
    }

    #[test]
    fn totals_that_are_not_the_sum_are_seen() {
        let found = compare(START, 1, |answer| answer.stated_total = Some(21));
        assert!(found.contradicts_itself && found.has_right_moves() && !found.is_right());
    }

    #[test]
    fn promotions_without_a_letter_are_told_apart_by_their_counts() {
        let promotions = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";
        let found = compare(promotions, 3, |answer| {
            for (text, _) in &mut answer.moves {
                text.truncate(4);
            }
        });
        assert!(found.is_right(), "{found:?}");
    }

    #[test]
    fn castling_is_known_in_both_notations() {
        for (theirs, fen) in
            [("e1h1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"), ("b1c1", "4k3/8/8/8/8/8/8/RK6 w A - 0 1")]
        {
            let found = compare(fen, 1, |answer| {
                let own = answer.moves.iter().position(|(text, _)| ["e1g1", "b1a1"].contains(&text.as_str()));
                if theirs == "e1h1" {
                    answer.moves[own.unwrap()].0 = theirs.to_owned();
                }
            });
            assert!(found.is_right(), "{found:?}");
        }
    }
}
