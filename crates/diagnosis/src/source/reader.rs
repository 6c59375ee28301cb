//! Reads the output of a program line by line.

use super::Answer;
use super::line::Line;

/// The most lines that are kept because they were not understood.
const MAX_UNREAD: usize = 20;

/// What a line was to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A count of a move, or a total.
    Count,
    /// The output of a search: the program does not know the command for a perft.
    Search,
    /// Anything else.
    Other,
}

/// Reads an answer line by line, in whatever way the program writes moves and totals.
///
/// A program may print one list of moves for each depth. The last one counts.
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
    moves: Vec<(String, u128)>,
    totals: Vec<Total>,
    /// Whether there is a total behind the last move.
    has_total_behind: bool,
    /// Lines that are not understood and stand between the moves.
    unread: Vec<String>,
    /// Lines that are not understood and stand behind the last move.
    behind: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
struct Total {
    nodes: u128,
    is_labelled: bool,
}

impl AnswerReader {
    /// Returns a reader of one answer. `depth` is that of the question, if it is known.
    pub fn new(depth: Option<u32>) -> AnswerReader {
        AnswerReader { depth, ..AnswerReader::default() }
    }

    /// Reads the next line.
    pub fn read(&mut self, text: &str) -> LineKind {
        let text = text.trim();
        match Line::read(text, self.depth) {
            Line::Move(played, nodes) => self.add_move(played, nodes),
            Line::Total { nodes, is_labelled } => {
                self.behind.clear();
                self.has_total_behind = !self.moves.is_empty();
                self.totals.push(Total { nodes, is_labelled });
            }
            Line::Search => return LineKind::Search,
            Line::NoCount => {
                keep(&mut self.unread, text);
                return LineKind::Other;
            }
            Line::Other => {
                keep(&mut self.behind, text);
                return LineKind::Other;
            }
        }
        LineKind::Count
    }

    fn add_move(&mut self, played: String, nodes: u128) {
        if self.has_total_behind {
            // The list of the next depth begins.
            *self = AnswerReader::new(self.depth);
        } else if !self.moves.is_empty() {
            self.unread.append(&mut self.behind);
        }
        self.behind.clear();
        self.moves.push((played, nodes));
    }

    /// Whether there is any count.
    pub fn has_counts(&self) -> bool {
        !self.moves.is_empty() || !self.totals.is_empty()
    }

    /// Whether the answer looks complete: there is a total, and it is the sum over the moves if there are moves.
    pub fn is_complete(&self) -> bool {
        self.total().is_some_and(|total| self.moves.is_empty() || total == self.sum())
    }

    /// Returns the answer. If nothing in it was a count, all its lines are unread.
    pub fn finish(mut self) -> Answer {
        let stated_total = self.total();
        if !self.has_counts() {
            self.unread.append(&mut self.behind);
            self.unread.truncate(MAX_UNREAD);
        }
        Answer { moves: self.moves, stated_total, unread: self.unread }
    }

    fn sum(&self) -> u128 {
        self.moves.iter().map(|(_, nodes)| nodes).sum()
    }

    /// Returns the number that is the total: the sum over the moves if it is stated anywhere, otherwise the last number
    /// with a label, otherwise the last number.
    fn total(&self) -> Option<u128> {
        let is_sum = |total: &&Total| !self.moves.is_empty() && total.nodes == self.sum();
        let last_labelled = self.totals.iter().rfind(|total| total.is_labelled);
        let total = self.totals.iter().find(is_sum).or(last_labelled).or(self.totals.last())?;
        Some(total.nodes)
    }
}

/// Keeps a line that is not empty.
fn keep(lines: &mut Vec<String>, text: &str) {
    if !text.is_empty() && lines.len() < MAX_UNREAD {
        lines.push(text.to_owned());
    }
}
