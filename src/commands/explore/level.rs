//! One position of the tree: its moves, our counts below them, and the counts of an engine.
//!
//! Our counts arrive one by one and the engine's answer arrives as a whole; either may come first. A move that only the
//! engine has gets a row too. Rows are sorted by their text, as in every divide.

use perft_core::{CastlingNotation, Move, Position};
use perft_diagnosis::source::Answer;

/// A row of the list: one move with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The move in UCI notation.
    pub text: String,
    /// The move; `None` if only the engine has it, so that it is not legal.
    pub played: Option<Move>,
    /// Our count of the leaf nodes below it.
    pub ours: Option<u128>,
    /// The engine's count.
    pub theirs: Option<u128>,
    /// Whether the engine lists exactly this move, once.
    pub is_listed_once: bool,
}

impl Row {
    /// Returns the row of a move that only the engine has.
    fn foreign(text: String, nodes: u128) -> Row {
        Row { text, played: None, ours: None, theirs: Some(nodes), is_listed_once: false }
    }
}

/// The state of the engine's answer about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// There is no answer yet.
    Awaited,
    /// The engine has answered. Its counts are in the rows.
    Given {
        /// The total.
        total: u128,
        /// Whether the total differs from the sum over its own moves.
        contradicts_itself: bool,
    },
    /// There is no answer, for this reason.
    Failed(String),
}

/// The result of comparing the two counts of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowStatus {
    /// A count is not known yet.
    Pending,
    /// The counts are equal.
    Equal,
    /// The counts differ.
    Different,
    /// The engine does not have the move.
    OnlyOurs,
    /// The engine has the move, but it is not legal.
    OnlyTheirs,
}

impl RowStatus {
    pub fn is_difference(self) -> bool {
        matches!(self, RowStatus::Different | RowStatus::OnlyOurs | RowStatus::OnlyTheirs)
    }
}

/// A position and its divide.
#[derive(Clone, Debug)]
pub struct Level {
    /// The position.
    pub position: Position,
    /// The move that led here; `None` at the root.
    pub played: Option<String>,
    /// The depth in plies of the divide.
    pub depth: u32,
    /// The moves, sorted as text.
    pub rows: Vec<Row>,
    /// The index of the selected row.
    pub selected: usize,
    /// The engine's answer.
    pub reply: Reply,
    /// The engine's counts of promotions without a piece letter, until our counts show which promotion each belongs
    /// to.
    unlettered: Vec<(String, u128)>,
}

impl Level {
    pub fn new(position: Position, played: Option<String>, depth: u32, notation: CastlingNotation) -> Level {
        let row = |&played: &Move| Row {
            text: played.to_uci(notation),
            played: Some(played),
            ours: None,
            theirs: None,
            is_listed_once: false,
        };
        let mut rows: Vec<Row> = position.legal_moves().iter().map(row).collect();
        rows.sort_by(|a, b| a.text.cmp(&b.text));
        Level { position, played, depth, rows, selected: 0, reply: Reply::Awaited, unlettered: Vec::new() }
    }

    /// Returns the selected row; `None` if there are no moves.
    pub fn selected_row(&self) -> Option<&Row> {
        self.rows.get(self.selected)
    }

    /// Sets another depth. This removes all counts, and the moves that only the engine has.
    pub fn set_depth(&mut self, depth: u32) {
        let selected = self.selected_row().map(|row| row.text.clone());
        self.depth = depth;
        self.reply = Reply::Awaited;
        self.unlettered.clear();
        self.rows.retain(|row| row.played.is_some());
        for row in &mut self.rows {
            (row.ours, row.theirs, row.is_listed_once) = (None, None, false);
        }
        self.select(selected.as_deref());
    }

    pub fn note_count(&mut self, played: Move, nodes: u128) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.played == Some(played)) {
            row.ours = Some(nodes);
        }
        self.tell_promotions_apart();
    }

    /// Stores the engine's counts. A move that it lists twice gets the sum, so that it shows as a difference.
    pub fn note_answer(&mut self, answer: &Answer) {
        let selected = self.selected_row().map(|row| row.text.clone());
        for (text, nodes) in &answer.moves {
            match self.row_of(text) {
                Some(index) => {
                    let row = &mut self.rows[index];
                    row.is_listed_once = row.theirs.is_none();
                    *row.theirs.get_or_insert(0) += nodes;
                }
                None if self.promotions(text).next().is_some() => {
                    self.unlettered.push((text.clone(), *nodes))
                }
                None => self.rows.push(Row::foreign(text.clone(), *nodes)),
            }
        }
        self.reply = Reply::Given { total: answer.total(), contradicts_itself: answer.contradicts_itself() };
        self.rows.sort_by(|a, b| a.text.cmp(&b.text));
        self.tell_promotions_apart();
        self.select(selected.as_deref());
    }

    /// Returns the row of a move in the text of the engine, with castling in either notation.
    fn row_of(&self, text: &str) -> Option<usize> {
        let index = self.rows.iter().position(|row| row.text == text);
        index.or_else(|| {
            let played = self.position.find_move(text).ok()?;
            self.rows.iter().position(|row| row.played == Some(played))
        })
    }

    /// Returns the rows of the promotions that a move without a piece letter may mean.
    fn promotions<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        let is_meant = move |row: &Row| {
            row.text.len() == text.len() + 1 && row.text.starts_with(text) && row.played.is_some()
        };
        (0..self.rows.len()).filter(move |&index| is_meant(&self.rows[index]))
    }

    /// Assigns the engine's counts of promotions without a piece letter to the rows, once our counts are complete.
    ///
    /// qperft prints the four promotions of a pawn with the same text. Each row first takes a count that equals our
    /// own; the rows that are left take the other counts.
    fn tell_promotions_apart(&mut self) {
        if self.unlettered.is_empty() || !self.is_counted() {
            return;
        }
        let mut left = std::mem::take(&mut self.unlettered);
        for wants_equal in [true, false] {
            for row in self.rows.iter_mut().filter(|row| row.played.is_some() && row.theirs.is_none()) {
                let fits = |(text, nodes): &(String, u128)| {
                    row.text.len() > text.len()
                        && row.text.starts_with(text)
                        && (!wants_equal || row.ours == Some(*nodes))
                };
                row.theirs = left.iter().position(fits).map(|index| left.swap_remove(index).1);
            }
        }
        self.rows.extend(left.into_iter().map(|(text, nodes)| Row::foreign(text, nodes)));
        self.rows.sort_by(|a, b| a.text.cmp(&b.text));
    }

    /// Selects the move with this text. Without such a move the selection stays in place, within the list.
    fn select(&mut self, text: Option<&str>) {
        let found = self.rows.iter().position(|row| Some(row.text.as_str()) == text);
        self.selected = found.unwrap_or(self.selected).min(self.rows.len().saturating_sub(1));
    }

    /// Returns the legal moves that are not counted yet, in the order of the list.
    pub fn uncounted(&self) -> Vec<Move> {
        self.rows.iter().filter(|row| row.ours.is_none()).filter_map(|row| row.played).collect()
    }

    pub fn is_counted(&self) -> bool {
        self.rows.iter().all(|row| row.played.is_none() || row.ours.is_some())
    }

    /// Returns the number of counted legal moves, and the number of all legal moves.
    pub fn counted(&self) -> (usize, usize) {
        let legal = self.rows.iter().filter(|row| row.played.is_some());
        (legal.clone().filter(|row| row.ours.is_some()).count(), legal.count())
    }

    /// Returns the number of leaf nodes that we have counted so far.
    pub fn our_total(&self) -> u128 {
        self.rows.iter().filter_map(|row| row.ours).sum()
    }

    /// Returns the engine's total, once it is known.
    pub fn their_total(&self) -> Option<u128> {
        match self.reply {
            Reply::Given { total, .. } => Some(total),
            _ => None,
        }
    }

    pub fn status(&self, row: &Row) -> RowStatus {
        let has_answer = matches!(self.reply, Reply::Given { .. }) && self.unlettered.is_empty();
        // A program that only states a total says nothing about single moves.
        let lists_moves = self.their_total() == Some(0) || self.rows.iter().any(|row| row.theirs.is_some());
        match (row.played, row.ours, row.theirs) {
            (None, _, _) => RowStatus::OnlyTheirs,
            (Some(_), _, None) if has_answer && lists_moves => RowStatus::OnlyOurs,
            (Some(_), Some(ours), Some(theirs)) if ours == theirs => RowStatus::Equal,
            (Some(_), Some(_), Some(_)) => RowStatus::Different,
            _ => RowStatus::Pending,
        }
    }

    pub fn differences(&self) -> usize {
        self.rows.iter().filter(|row| self.status(row).is_difference()).count()
    }

    /// Whether the engine has answered and all its counts are right.
    pub fn is_right(&self) -> bool {
        let right = Reply::Given { total: self.our_total(), contradicts_itself: false };
        self.is_counted() && self.reply == right && self.differences() == 0
    }

    /// Returns the next row with a difference after the selected one. The search wraps around at the end.
    pub fn next_difference(&self) -> Option<usize> {
        let count = self.rows.len();
        let after = (1..=count).map(|step| (self.selected + step) % count);
        after.into_iter().find(|&index| self.status(&self.rows[index]).is_difference())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(fen: &str) -> Level {
        let position = Position::from_fen(fen).unwrap();
        Level::new(position, None, 1, position.castling_notation())
    }

    fn count_all(level: &mut Level, nodes: u128) {
        level.uncounted().into_iter().for_each(|played| level.note_count(played, nodes));
    }

    #[test]
    fn castling_is_read_in_either_notation() {
        let mut level = level("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        level.note_answer(&Answer::parse("e1h1: 15"));
        let row = level.rows.iter().find(|row| row.text == "e1g1").unwrap();
        assert_eq!(row.theirs, Some(15));
        assert!(level.rows.iter().all(|row| row.played.is_some()));
    }

    #[test]
    fn a_move_that_is_listed_twice_counts_twice() {
        let mut level = level("7k/8/8/8/8/8/8/K7 w - - 0 1");
        count_all(&mut level, 1);
        level.note_answer(&Answer::parse("a1a2: 1\na1b1: 1\na1b2: 1\na1b2: 1"));
        assert_eq!(level.status(&level.rows[2]), RowStatus::Different);
    }

    #[test]
    fn a_total_alone_is_compared_as_a_total() {
        let mut level = level("7k/8/8/8/8/8/8/K7 w - - 0 1");
        count_all(&mut level, 1);
        level.note_answer(&Answer::parse("Nodes searched: 4"));
        assert_eq!((level.differences(), level.their_total()), (0, Some(4)));
    }

    #[test]
    fn promotions_without_letters_wait_for_our_counts() {
        let mut level = level("8/P7/8/8/8/8/8/k1K5 w - - 0 1");
        level.note_answer(&Answer::parse("a7a8 3\na7a8 1\na7a8 2\na7a8 9\nc1c2 1\nc1d1 1\nc1d2 1"));
        assert_eq!(level.differences(), 0);
        let nodes = [("a7a8b", 1), ("a7a8n", 2), ("a7a8q", 3), ("a7a8r", 4)];
        for row in level.rows.clone() {
            let known = nodes.iter().find(|(text, _)| *text == row.text).map_or(1, |(_, nodes)| *nodes);
            level.note_count(row.played.unwrap(), known);
        }
        let differing: Vec<&str> = (level.rows.iter())
            .filter(|row| level.status(row).is_difference())
            .map(|row| row.text.as_str())
            .collect();
        assert_eq!(differing, ["a7a8r"], "{:?}", level.rows);
    }

    #[test]
    fn another_depth_removes_counts_and_illegal_moves() {
        let mut level = level("7k/8/8/8/8/8/8/K7 w - - 0 1");
        level.note_answer(&Answer::parse("a1a9: 1\na1h8: 1"));
        count_all(&mut level, 1);
        level.selected = 3;
        level.set_depth(2);
        assert_eq!((level.depth, level.counted(), level.selected), (2, (0, 3), 2));
        assert_eq!(level.reply, Reply::Awaited);
    }
}
