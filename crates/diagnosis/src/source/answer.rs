//! The answer of a source, and the choice that reads the answers of a program while they come.

use std::cell::OnceCell;

use super::Cost;
use super::error::SourceError;
use super::line::{Number, Part, Spelling};
use super::meaning::{is_measure, with_names_or_places};
use super::patterns::{GIVEN, Patterns};
use super::table::{Line, Table};
use super::text_facts::TextFacts;
use crate::lines::visible;

/// The largest number of lines of an answer that are read.
const MOST_LINES: usize = 50_000;

/// The largest number of lines that are kept because they were not understood.
pub(super) const MAX_UNREAD: usize = 20;

/// The words with which programs refuse a question.
const REFUSALS: [&str; 7] = ["error", "illegal", "invalid", "fail", "cannot", "could not", "reject"];

pub(super) fn refusals(line: &str) -> impl Iterator<Item = &'static str> {
    let line = line.to_lowercase();
    REFUSALS.into_iter().filter(move |word| line.contains(word))
}

/// The answer to a question: the leaf nodes below each move, the total, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The moves with the leaf nodes below each, in the order of the source. Moves that are two squares are in UCI
    /// notation, and castling may be `O-O`. Moves in standard algebraic notation are as the source writes them.
    pub moves: Vec<(String, u128)>,
    /// The total that the source states, with its sign: it is negative if a counter has overflowed.
    pub stated_total: Option<i128>,
    /// The lines that may be part of the answer but were not understood, as the source wrote them.
    pub unread: Vec<String>,
    /// What else the text has from which the answer was read. `None` for the answer of a program that was asked.
    pub text: Option<TextFacts>,
    /// The line with which the source has refused the question, if there is one. Then a wrong count may be that of
    /// another question.
    pub refusal: Option<String>,
    /// What the answer has cost, as far as the source knows.
    pub cost: Cost,
}

impl Answer {
    /// Returns the stated total, or the sum over the moves if no total is stated.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::source::Answer;
    ///
    /// let answer = Answer::parse("e2e4: 20\nd2d4: 20\n\nNodes searched: 40\n");
    /// assert_eq!((answer.moves.len(), answer.total()), (2, 40));
    /// assert_eq!(Answer::parse("e2e4 - 20\nd2d4 - 20").total(), 40);
    /// ```
    pub fn total(&self) -> i128 {
        self.stated_total.unwrap_or_else(|| signed(self.sum(), false))
    }

    /// Whether the moves are listed, and a total is stated that is their sum.
    pub fn adds_up(&self) -> bool {
        !self.moves.is_empty() && self.stated_total == Some(signed(self.sum(), false))
    }

    /// Returns the total as a count; `None` if it is negative.
    pub fn count(&self) -> Option<u128> {
        u128::try_from(self.total()).ok()
    }

    /// Whether the total or the sum over the moves is this count. A negative total is wrong, whatever the moves are.
    pub fn has_count(&self, expected: u128) -> bool {
        self.count()
            .is_some_and(|count| count == expected || !self.moves.is_empty() && self.sum() == expected)
    }

    /// Returns another number of the text of about the size of a right total, if no word says what it is: it may be the
    /// total.
    pub fn rival(&self, right: u128) -> Option<i128> {
        let numbers = &self.text.as_ref()?.numbers;
        let may_be_total = |nodes: &i128| has_size_of(*nodes, right) && u128::try_from(*nodes) != Ok(right);
        numbers.iter().copied().find(may_be_total).filter(|_| self.has_count(right))
    }

    /// Returns the answer, unless the source has refused the question and the total is not `expected`.
    ///
    /// # Errors
    /// Returns [`SourceError::Refused`] in this case.
    pub fn unless_refused(self, expected: u128) -> Result<Answer, SourceError> {
        match self.refusal.clone() {
            Some(said) if self.count() != Some(expected) => Err(SourceError::Refused(said)),
            _ => Ok(self),
        }
    }

    /// Returns the sum over the moves, or [`u128::MAX`] if it does not fit.
    pub fn sum(&self) -> u128 {
        self.moves.iter().fold(0, |sum, (_, nodes)| sum.saturating_add(*nodes))
    }

    /// Whether the stated total differs from the sum over the moves.
    pub fn contradicts_itself(&self) -> bool {
        !self.moves.is_empty() && self.stated_total.is_some_and(|total| total != signed(self.sum(), false))
    }

    /// Whether there are neither moves nor a total.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.stated_total.is_none()
    }
}

impl From<u128> for Answer {
    /// Returns an answer that has only a total.
    fn from(total: u128) -> Answer {
        Answer { stated_total: Some(signed(total, false)), ..Answer::default() }
    }
}

impl From<i128> for Answer {
    /// Returns an answer that has only a total, which may be negative.
    fn from(total: i128) -> Answer {
        Answer { stated_total: Some(total), ..Answer::default() }
    }
}

impl From<u64> for Answer {
    /// Returns an answer that has only a total.
    fn from(total: u64) -> Answer {
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

pub(super) fn signed(size: u128, is_negative: bool) -> i128 {
    let size = i128::try_from(size).unwrap_or(i128::MAX);
    if is_negative { -size } else { size }
}

/// Beside a right count below this, only a number of nearly the same size may be the total: small numbers are often
/// something else.
const SMALL: u128 = 1000;

/// Whether a number is of about the size of a count.
pub fn has_size_of(nodes: i128, right: u128) -> bool {
    let times = if right < SMALL { 2 } else { 16 };
    u128::try_from(nodes).is_ok_and(|nodes| right / times <= nodes && nodes / times <= right)
}

/// How a program prints its answers: which numbers are the counts, and what the end of an answer looks like.
///
/// An answer is read by its structure, as any text is. [`learn`](super::learn()) chooses its column of counts and its
/// total from answers that are known. A column or a total is named by the words beside it. Without words it is `#1`,
/// `#2`, and so on: its place among the numbers without words. The signs before a total belong to it, as in `= #1`.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::Profile;
///
/// let profile = Profile::of_stockfish();
/// let mut reader = profile.reader(2, 20);
/// for line in ["info string NNUE 3", "e2e4: 20", "d2d4: 20", "", "Nodes searched: 40"] {
///     reader.read(line);
/// }
/// let answer = reader.finish();
/// assert_eq!((answer.moves.len(), answer.stated_total), (2, Some(40)));
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Profile {
    /// The name of the total. `None` if the program states no total.
    pub total: Option<String>,
    /// The name of the depth, in the line with the total.
    pub depth: Option<String>,
    /// The name of the column of counts. `None` if the program lists no moves.
    pub column: Option<String>,
    /// How numbers and moves are written.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub spelling: Spelling,
    /// The smallest depth at which moves are listed, for a program whose total may come before them. `None` for other
    /// programs.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub lists_from: Option<u32>,
    /// Whether the stated total was never the sum over the moves, so that nobody waits for more moves.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub misstates_total: bool,
    /// The words of a refusal that are also in right answers.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub harmless: Vec<String>,
    /// The end of an answer.
    #[cfg_attr(feature = "serde", serde(default))]
    pub end: End,
    /// What the user has said about the places of the counts.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub patterns: Patterns,
}

#[cfg(feature = "serde")]
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The end of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum End {
    /// The reply to `isready` or `ping`.
    #[default]
    Ready,
    /// Some lines after the total.
    Total {
        /// The number of lines with a total, or `None` if there is one for each depth up to the one that was asked for.
        times: Option<usize>,
        /// The number of further lines, or of those after the last move if moves follow. Empty lines do not count.
        more: usize,
    },
    /// The program waits for input, or ends.
    Silence,
}

impl Profile {
    /// Returns the profile of Stockfish.
    pub fn of_stockfish() -> Profile {
        let (total, column) = (Some("node searched".to_owned()), Some("#1".to_owned()));
        Profile { total, column, ..Profile::default() }
    }

    /// Returns the profile with what a user says about the places of the counts.
    pub fn with_patterns(self, patterns: Patterns) -> Profile {
        let total = patterns.total.as_ref().map(|_| GIVEN.to_owned());
        let column = patterns.moves.as_ref().map(|_| "#1".to_owned());
        let depth = self.depth.filter(|_| total.is_none());
        Profile { depth, total: total.or(self.total), column: column.or(self.column), patterns, ..self }
    }

    /// Returns a reader for the answer to a question of this depth, about a position with this number of legal moves. A
    /// list that may come after the total ends when it has so many moves.
    pub fn reader(&self, depth: u32, moves: usize) -> AnswerReader<'_> {
        AnswerReader {
            profile: self,
            depth,
            moves,
            lines: Vec::new(),
            totals: 0,
            more: 0,
            has_rows_behind: false,
            refusal: None,
            answer: OnceCell::new(),
        }
    }

    /// Returns the answer that these lines give to a question of this depth.
    pub fn read(&self, lines: &[String], depth: u32) -> Answer {
        let mut reader = self.reader(depth, 0);
        lines.iter().for_each(|line| reader.read(line));
        reader.finish()
    }

    /// Whether a line of an answer has a count.
    pub fn has_count(&self, line: &str, depth: u32) -> bool {
        let line = self.line(line);
        self.has_row(&line) || self.has_total(&line, depth)
    }

    fn has_row(&self, line: &Line) -> bool {
        self.column.is_some() && line.rows().next().is_some()
    }

    pub(super) fn line(&self, text: &str) -> Line {
        Line::new(&self.patterns.applied(text), self.spelling)
    }

    fn has_total(&self, line: &Line, depth: u32) -> bool {
        line.parts.iter().any(|part| self.total(part, depth).is_some())
    }

    /// Returns the total of a part without a move, unless it belongs to another depth.
    fn total(&self, part: &Part, depth: u32) -> Option<i128> {
        let name = self.total.as_ref().filter(|_| part.played.is_none())?;
        let value = |name: &String| {
            let number: Number = with_names_or_places(part.numbers()).find(|(own, _)| own == name)?.1;
            Some(signed(number.value?, number.is_negative))
        };
        let is_asked = self.depth.as_ref().is_none_or(|name| value(name) == Some(depth.into()));
        value(name).filter(|_| is_asked)
    }

    pub(super) fn answer_of(&self, table: &Table, depth: u32) -> Answer {
        let is_column = |label: &String| self.column.as_ref() == Some(label);
        let column = table.columns.iter().rfind(|column| is_column(&column.label));
        let moves = column.map(|column| column.counts.clone()).unwrap_or_default();
        let others = table.others().filter_map(|part| self.total(part, depth));
        let stated_total = others.last();
        let mut unread = column.map(|column| table.between(column.block)).unwrap_or_default();
        if let (Some(column), Some(total)) = (column, stated_total) {
            unread.extend(self.unread_rows(table, column.block, depth, total - signed(column.sum(), false)));
        }
        unread.truncate(MAX_UNREAD);
        Answer { moves, stated_total, unread, ..Answer::default() }
    }

    /// Returns the lines directly above and below the rows whose last numbers are what the rows lack of the total: rows with
    /// moves that are not understood.
    fn unread_rows(&self, table: &Table, block: usize, depth: u32, lacking: i128) -> Vec<String> {
        let (lines, (first, last)) = (table.lines, table.blocks[block]);
        let count = |line: &Line| -> Option<i128> {
            let [part] = &line.parts[..] else { return None };
            let number = part.numbers().next_back().filter(|number| !is_measure(*number))?;
            i128::try_from(number.value?).ok().filter(|_| part.played.is_none())
        };
        let rows = |lines: &mut dyn Iterator<Item = &Line>| -> Vec<(String, i128)> {
            lines.map_while(|line| Some((visible(line.text.trim()), count(line)?))).collect()
        };
        let below = last + 1..lines.len();
        let below = below.take_while(|&at| !self.has_total(&lines[at], depth)).map(|at| &lines[at]);
        let rows = [rows(&mut lines[..first].iter().rev()), rows(&mut below.into_iter())].concat();
        let is_lacking = lacking > 0 && rows.iter().map(|(_, nodes)| nodes).sum::<i128>() == lacking;
        rows.into_iter().filter(|_| is_lacking).map(|(text, _)| text).collect()
    }

    fn refuses(&self, line: &str) -> bool {
        refusals(line).any(|word| !self.harmless.iter().any(|known| known == word))
    }
}

/// Reads an answer line by line. A program may print a list of moves for each depth; the last one is used.
#[derive(Clone, Debug)]
pub struct AnswerReader<'a> {
    /// How the program prints its answers.
    pub profile: &'a Profile,
    /// The depth in plies.
    pub depth: u32,
    /// The number of legal moves.
    pub moves: usize,
    /// The lines so far that are not empty.
    lines: Vec<Line>,
    /// The number of lines with a total.
    pub(super) totals: usize,
    /// The number of lines without a count since the last total, or since the last row behind it.
    pub(super) more: usize,
    /// Whether a row came after the last total.
    pub(super) has_rows_behind: bool,
    refusal: Option<String>,
    /// The answer that the lines so far give.
    answer: OnceCell<Answer>,
}

impl AnswerReader<'_> {
    /// Reads the next line.
    pub fn read(&mut self, line: &str) {
        if line.trim().is_empty() || self.lines.len() >= MOST_LINES {
            return;
        }
        let line = self.profile.line(line);
        if self.profile.has_total(&line, self.depth) {
            (self.totals, self.more, self.has_rows_behind) = (self.totals + 1, 0, false);
        } else if self.profile.has_row(&line) {
            (self.more, self.has_rows_behind) = (0, self.totals > 0);
        } else {
            self.more += usize::from(self.totals > 0);
            if self.refusal.is_none() && self.profile.refuses(&line.text) {
                self.refusal = Some(visible(line.text.trim()));
            }
        }
        self.lines.push(line);
        self.answer.take();
    }

    /// Whether the learned end was read. The caller must also wait until the program is ready. An answer without most of
    /// the moves, or whose total is not the sum over them, is not over: the moves may come later, through another pipe.
    pub fn is_over(&self) -> bool {
        let is_end = match self.profile.end {
            // Some programs count in another thread, and are ready before they have finished.
            End::Ready => self.totals > 0 || self.profile.total.is_none(),
            End::Total { times, more } => {
                self.totals >= times.unwrap_or(self.depth as usize) && self.more >= more
            }
            End::Silence => false,
        };
        let lists_moves = self.depth > 1 && self.profile.column.is_some()
            || self.profile.lists_from.is_some_and(|from| self.depth >= from);
        let has_most = || !lists_moves || 2 * self.answer().moves.len() >= self.moves;
        is_end && has_most() && (self.answer().moves.is_empty() || self.has_sum())
    }

    /// Whether all legal moves are listed, and add up to the total if one is stated. Nothing can follow then.
    pub fn is_whole(&self) -> bool {
        self.moves > 0 && self.answer().moves.len() >= self.moves && self.has_sum()
    }

    /// Returns the answer so far.
    pub fn answer(&self) -> &Answer {
        self.answer.get_or_init(|| {
            let table = Table::read(&self.lines, self.profile.spelling);
            let answer = self.profile.answer_of(&table, self.depth);
            Answer { refusal: self.refusal.clone(), ..answer }
        })
    }

    /// Whether a total was read.
    pub fn has_total(&self) -> bool {
        self.totals > 0
    }

    /// Whether the counts of the moves add up to the total, or may do so with rows that are not understood.
    fn has_sum(&self) -> bool {
        let answer = self.answer();
        let has_odd_rows = !answer.unread.is_empty() && answer.moves.len() >= self.moves;
        let is_sum = |total: i128, sum: i128| total == sum || has_odd_rows && total > sum;
        self.profile.misstates_total
            || answer.stated_total.is_none_or(|total| is_sum(total, signed(answer.sum(), false)))
    }

    /// Returns the answer. It is empty if no line had a count.
    pub fn finish(self) -> Answer {
        self.answer();
        self.answer.into_inner().unwrap_or_default()
    }
}
