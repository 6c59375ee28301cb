//! Reads the output of a program line by line.

use std::collections::HashSet;

use super::Answer;
use super::line::Line;
use super::plain::plain;
use super::table::TextTable;
use super::total::Certainty;
use crate::lines::visible;

/// The largest number of lines that are kept because they were not understood.
const MAX_UNREAD: usize = 20;

/// The largest number of counts that are read: a divide for each of twenty depths.
const MOST_COUNTS: usize = 20 * perft_core::MAX_MOVES;

/// The longest line that is read, in bytes. All moves of a position fit on one line. The time to read a line grows with
/// the square of its length.
const LONGEST_LINE: usize = 8192;

/// The kind of a line, as a reader sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A count of a move, or a total.
    Count,
    /// The output of a search. The program does not know the command for a perft.
    Search,
    /// A line without counts that begins with `error`.
    Error,
    /// Any other line.
    Other,
}

impl LineKind {
    /// Returns the kind of a line that has no count.
    fn without_count(text: &str) -> LineKind {
        if text.starts_with("error") { LineKind::Error } else { LineKind::Other }
    }
}

/// Reads an answer line by line, in any format of moves and totals.
///
/// A program may print one list of moves for each depth. The last list is used.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::{AnswerReader, LineKind};
///
/// let mut reader = AnswerReader::new(Some(2));
/// assert_eq!(reader.read("move 1: Ng1-f3 -> 20 (4.9%)"), LineKind::Count);
/// assert_eq!(reader.read("info depth 1 score cp 20 pv e2e4"), LineKind::Search);
/// assert_eq!(reader.read("Nodes searched  : 20 (12345 nps)"), LineKind::Count);
/// let answer = reader.finish();
/// assert_eq!((answer.moves, answer.stated_total), (vec![("g1f3".to_owned(), 20)], Some(20)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct AnswerReader {
    depth: Option<u32>,
    /// The columns of the table that is being read, if it has a header.
    table: Option<TextTable>,
    moves: Vec<(String, u128)>,
    totals: Vec<(u128, Certainty)>,
    /// Whether the sum over the moves is stated after the last move.
    has_sum_behind: bool,
    /// The lines between the moves that are not understood.
    unread: Vec<String>,
    /// The lines after the last move that are not understood.
    behind: Vec<String>,
}

impl AnswerReader {
    /// Returns a reader of one answer. `depth` is the depth of the question, if it is known.
    pub fn new(depth: Option<u32>) -> AnswerReader {
        AnswerReader { depth, ..AnswerReader::default() }
    }

    /// Reads the next line.
    pub fn read(&mut self, text: &str) -> LineKind {
        if text.len() > LONGEST_LINE {
            return LineKind::Other;
        }
        let text = &visible(text.trim());
        match self.line(&plain(text)) {
            Line::Search => return LineKind::Search,
            Line::Move(played, nodes) if !self.is_full() => self.add_move(played, nodes),
            Line::Total(nodes, certainty) if !self.is_full() => self.add_total(nodes, certainty),
            Line::Other => {
                keep(&mut self.behind, text);
                return LineKind::without_count(text);
            }
            Line::NoCount | Line::Move(..) | Line::Total(..) => {
                keep(&mut self.unread, text);
                return LineKind::without_count(text);
            }
        }
        LineKind::Count
    }

    fn line(&mut self, text: &str) -> Line {
        if let Some(table) = TextTable::of_header(text) {
            self.table = Some(table);
            return Line::Other;
        }
        let row = self.table.as_ref().and_then(|table| table.read(text, self.depth));
        row.unwrap_or_else(|| Line::read(text, self.depth))
    }

    /// Whether there are more counts than an answer can have.
    fn is_full(&self) -> bool {
        self.moves.len() + self.totals.len() >= MOST_COUNTS
    }

    fn add_move(&mut self, played: String, nodes: u128) {
        // Moves whose count is 0 do not change the sum, so they can also come after it.
        let is_new = |(known, _): &(String, u128)| *known != played;
        if self.has_sum_behind && (nodes > 0 || !self.moves.iter().all(is_new)) {
            // The list of the next depth begins.
            let table = self.table.take();
            *self = AnswerReader { table, ..AnswerReader::new(self.depth) };
        } else if !self.moves.is_empty() {
            self.unread.append(&mut self.behind);
        }
        self.behind.clear();
        self.moves.push((played, nodes));
    }

    fn add_total(&mut self, nodes: u128, certainty: Certainty) {
        self.behind.clear();
        self.has_sum_behind |= !self.moves.is_empty() && nodes == sum(self.list());
        self.totals.push((nodes, certainty));
    }

    /// Whether there is any count.
    pub fn has_counts(&self) -> bool {
        !self.moves.is_empty() || !self.totals.is_empty()
    }

    /// Whether there is any count of a move.
    pub fn has_moves(&self) -> bool {
        !self.moves.is_empty()
    }

    /// Whether the answer looks complete. It must have a total. If there are moves, the total must be the sum over
    /// them.
    pub fn is_complete(&self) -> bool {
        !self.totals.is_empty() && (self.moves.is_empty() || self.total() == Some(sum(self.list())))
    }

    /// Returns the answer. If it has no count at all, all its lines are unread.
    pub fn finish(mut self) -> Answer {
        let stated_total = self.total();
        if !self.has_counts() {
            self.unread.append(&mut self.behind);
            self.unread.truncate(MAX_UNREAD);
        }
        let moves = self.list().to_vec();
        Answer { moves, stated_total, unread: self.unread }
    }

    /// Returns the list that is used: the last one, or all moves if the sum over all of them is stated.
    fn list(&self) -> &[(String, u128)] {
        let is_stated = |nodes: u128| self.totals.iter().any(|(total, _)| *total == nodes);
        let has_lists = self.depth.is_none_or(|depth| depth > 1) && !is_stated(sum(&self.moves));
        &self.moves[if has_lists { last_list(&self.moves) } else { 0 }..]
    }

    /// Returns the total. If the sum over the moves is stated anywhere, this is the total. Otherwise it is the last of
    /// the most certain numbers.
    fn total(&self) -> Option<u128> {
        let list = self.list();
        let is_sum = |(nodes, _): &&(u128, Certainty)| !list.is_empty() && *nodes == sum(list);
        let most_certain = self.totals.iter().max_by_key(|(_, certainty)| *certainty);
        self.totals.iter().find(is_sum).or(most_certain).map(|(nodes, _)| *nodes)
    }
}

impl Answer {
    /// Reads the output of a perft command, in any format of moves and totals.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::source::Answer;
    ///
    /// let answer = Answer::parse("e2-e4 20 nodes\nNg1-f3 20 nodes\nTime: 3 ms, nodes: 40");
    /// assert_eq!(answer.moves, [("e2e4".to_owned(), 20), ("g1f3".to_owned(), 20)]);
    /// assert_eq!(answer.stated_total, Some(40));
    /// ```
    pub fn parse(text: &str) -> Answer {
        let mut reader = AnswerReader::default();
        for line in text.lines() {
            reader.read(line);
        }
        reader.finish()
    }
}

fn sum(moves: &[(String, u128)]) -> u128 {
    moves.iter().map(|(_, nodes)| nodes).sum()
}

/// Returns the index at which the last of several lists of the same moves begins. The last list must have most of the
/// moves before it, and no others. A single list in which a wrong generator has found a move twice is one list.
fn last_list(moves: &[(String, u128)]) -> usize {
    let names: Vec<&str> = moves.iter().map(|(played, _)| played.as_str()).collect();
    let times = |name: &str| names.iter().filter(|&&other| other == name).count();
    let is_once = |name: &&&str| !may_be_promotion(name);
    let lists = names.iter().filter(is_once).map(|name| times(name)).max().unwrap_or(1);
    let stands_for_four = |name: &str| may_be_promotion(name) && times(name) == 4 * lists;
    let mut list = HashSet::new();
    let from_end = names.iter().copied().rev();
    let count = from_end.take_while(|name| list.insert(*name) || stands_for_four(name)).count();
    let start = names.len() - count;
    let before: HashSet<&str> = names[..start].iter().copied().collect();
    if list.is_subset(&before) && 2 * list.len() > before.len() { start } else { 0 }
}

/// Whether a move can be a promotion. Without the letter of the piece, four promotions look the same.
fn may_be_promotion(played: &str) -> bool {
    matches!(played.as_bytes(), [_, b'7', _, b'8'] | [_, b'2', _, b'1'])
}

/// Keeps a line that is not empty.
fn keep(lines: &mut Vec<String>, text: &str) {
    if !text.is_empty() && lines.len() < MAX_UNREAD {
        lines.push(text.to_owned());
    }
}
