//! Explains what is wrong with one answer, without asking further questions.

use perft_core::RootMove;

use crate::difference::DivideDifference;
use crate::hypotheses::hypotheses;
use crate::path::MovePath;
use crate::source::Answer;
use crate::wrong_move::{WrongMove, wrong_moves};

/// The largest number of leaf nodes for which hypotheses are tried. The position is counted again for each of them.
const MAX_NODES: u128 = 5_000_000;

/// An answer that was compared with the correct divide and explained.
///
/// A [`hunt`](crate::hunt()) asks the program more questions, so it can say more: whether moves are generated wrongly,
/// or whether the position is wrong after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedAnswer {
    /// The difference from the correct divide.
    pub difference: DivideDifference,
    /// The moves that are missing or not legal, with the reason. The list is empty if the answer lists no moves.
    pub wrong_moves: Vec<WrongMove>,
    /// A statement about the position that is false but would make the answer right: a sentence without a full stop. It
    /// is only searched for if moves are missing or not legal, and if the correct count is at most five million.
    pub hypothesis: Option<String>,
}

impl ExplainedAnswer {
    /// Compares the answer about the end of a path with `ours`, the correct divide to `depth` plies.
    ///
    /// # Examples
    /// ```
    /// use perft_core::{Position, divide};
    /// use perft_diagnosis::source::Answer;
    /// use perft_diagnosis::{ExplainedAnswer, MovePath};
    ///
    /// // Black can capture en passant on e3. This answer lists the six other moves.
    /// let position = Position::from_fen("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1").unwrap();
    /// let ours = divide(&position, 1);
    /// let answer = Answer::parse("d4d3: 1\ne8d7: 1\ne8d8: 1\ne8e7: 1\ne8f7: 1\ne8f8: 1");
    ///
    /// let found = ExplainedAnswer::of(&MovePath::new(position), 1, &ours, &answer);
    /// assert_eq!(found.wrong_moves[0].text, "d4e3");
    /// assert_eq!(found.hypothesis.unwrap(), "no pawn can be captured en passant on e3");
    /// ```
    pub fn of(path: &MovePath, depth: u32, ours: &[RootMove], answer: &Answer) -> ExplainedAnswer {
        let difference = DivideDifference::of(&path.end, ours, answer);
        let wrong_moves = wrong_moves(&path.end, &difference);
        let is_tried = difference.ours <= MAX_NODES && !wrong_moves.is_empty();
        let mut ideas = is_tried.then(|| hypotheses(path)).into_iter().flatten();
        let found = ideas.find(|idea| idea.explains_moves(&difference, &path.end, depth));
        ExplainedAnswer { difference, wrong_moves, hypothesis: found.map(|idea| idea.text) }
    }
}
