//! How a program prints its answers, and reading them.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use regex_lite::{Match, Regex};

use super::answer::{Answer, signed};
use super::line::{Number, Part, Spelling, parts, row_without_move};
use super::notation;
use crate::lines::visible;

/// The largest number of counts of an answer: a divide for each of twenty depths.
const MOST_COUNTS: usize = 20 * perft_core::MAX_MOVES;

/// The largest number of lines that are kept because they were not understood.
const MAX_UNREAD: usize = 20;

/// The words with which programs refuse a question.
const REFUSALS: [&str; 7] = ["error", "illegal", "invalid", "fail", "cannot", "could not", "reject"];

/// Returns the words of a refusal in a line.
pub(super) fn refusals(line: &str) -> impl Iterator<Item = &'static str> {
    let line = line.to_lowercase();
    REFUSALS.into_iter().filter(move |word| line.contains(word))
}

/// How a program prints its answers: at which places the counts stand, and what the end of an answer looks like.
///
/// [`learn`](super::learn()) finds it out from answers that are known. Numbers at other places have no meaning.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::Profile;
///
/// let profile = Profile::default();
/// let mut reader = profile.reader(2);
/// for line in ["info string NNUE 3", "e2e4: 20", "d2d4: 20", "", "Nodes searched: 40"] {
///     reader.read(line);
/// }
/// let answer = reader.finish();
/// assert_eq!((answer.moves.len(), answer.stated_total), (2, Some(40)));
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Profile {
    /// The place of the total: the shape of a line, up to the number. `None` if the program states no total.
    pub total: Option<String>,
    /// The index of the number that is the depth, in the line with the total.
    pub depth: Option<usize>,
    /// The places of the counts below moves.
    #[cfg_attr(feature = "serde", serde(default))]
    pub moves: Vec<String>,
    /// How numbers and moves are written.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub spelling: Spelling,
    /// The smallest depth at which moves are listed, for a program whose total may come before them. `None` for other
    /// programs.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub lists_from: Option<u32>,
    /// Whether a list of moves for each depth is printed. The last one is read.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub repeats: bool,
    /// Whether the stated total was never the sum over the moves, so that nobody waits for more moves.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub misstates_total: bool,
    /// The words of a refusal that are also in right answers.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub harmless: Vec<String>,
    /// The end of an answer.
    #[cfg_attr(feature = "serde", serde(default))]
    pub end: End,
    /// The places that the user has given.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub patterns: Patterns,
}

#[cfg(feature = "serde")]
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The places of counts as regular expressions. They replace the places of a [`Profile`].
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    /// The total is the first group, or the whole match.
    pub total: Option<Pattern>,
    /// The move and the count are the groups `move` and `nodes`, or the first two groups.
    pub moves: Option<Pattern>,
}

/// A regular expression.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::Pattern;
///
/// assert!("Nodes: (\\d+)".parse::<Pattern>().is_ok());
/// assert!("Nodes: (".parse::<Pattern>().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        Regex::new(text).map(Pattern).map_err(|error| PatternError(error.to_string()))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

/// The reason why a text is not a regular expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(String);

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

impl Default for Profile {
    /// Returns the profile of Stockfish.
    fn default() -> Profile {
        Profile {
            total: Some("node searched : #".to_owned()),
            depth: None,
            moves: vec!["M : #".to_owned()],
            spelling: Spelling::default(),
            lists_from: None,
            repeats: false,
            misstates_total: false,
            harmless: Vec::new(),
            end: End::Ready,
            patterns: Patterns::default(),
        }
    }
}

/// A count of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Move(String, u128),
    Total(i128),
}

impl Profile {
    /// Returns a reader for the answer to a question of this depth.
    pub fn reader(&self, depth: u32) -> AnswerReader<'_> {
        AnswerReader {
            profile: self,
            depth,
            moves: 0,
            answer: Answer::default(),
            totals: 0,
            more: 0,
            between: Vec::new(),
        }
    }

    /// Returns the answer that these lines give to a question of this depth.
    pub fn read(&self, lines: &[String], depth: u32) -> Answer {
        let mut reader = self.reader(depth);
        lines.iter().for_each(|line| reader.read(line));
        reader.finish()
    }

    /// Whether the program states a total.
    pub fn states_total(&self) -> bool {
        self.total.is_some() || self.patterns.total.is_some()
    }

    /// Whether a line of an answer has a count.
    pub fn has_count(&self, line: &str, depth: u32) -> bool {
        !self.counts(line, depth).is_empty()
    }

    /// Returns the counts of a line. A total that belongs to another depth is left out. Something else may stand where
    /// the other lines have a move.
    fn counts(&self, line: &str, depth: u32) -> Vec<Count> {
        let counts = self.counts_of(line, &parts(line, self.spelling), depth);
        if !counts.is_empty() || self.patterns.moves.is_some() {
            return counts;
        }
        let is_row =
            |part: &Part| part.numbers().any(|number| self.moves.iter().any(|place| number.is_at(place)));
        let part = row_without_move(line, self.spelling, is_row);
        part.map(|part| self.counts_of(line, &[part], depth)).unwrap_or_default()
    }

    /// Returns the counts of a line that was split into these parts.
    pub(super) fn counts_of(&self, line: &str, parts: &[Part], depth: u32) -> Vec<Count> {
        let text = || visible(line.trim());
        let total = self.patterns.total.as_ref().and_then(|pattern| total_of(&text(), &pattern.0));
        let moved = || self.patterns.moves.as_ref().and_then(|pattern| move_of(&text(), &pattern.0));
        let learned = parts.iter().filter_map(|part| match &part.played {
            Some(played) if self.patterns.moves.is_none() => {
                let is_place = |number: &Number| self.moves.iter().any(|place| number.is_at(place));
                let number = part.numbers().find(is_place).filter(|number| !number.is_negative())?;
                Some(Count::Move(played.clone(), number.value()?))
            }
            None if self.patterns.total.is_none() => {
                let place = self.total.as_ref()?;
                let number = part.numbers().find(|number| number.is_at(place))?;
                let total = signed(number.value()?, number.is_negative());
                let is_asked = self.depth.is_none_or(|at| {
                    part.numbers().nth(at).is_some_and(|number| number.value() == Some(depth.into()))
                });
                is_asked.then_some(Count::Total(total))
            }
            _ => None,
        });
        let mut counts: Vec<Count> = learned.chain(total).collect();
        // A pattern for moves may match the line of the total too.
        if counts.is_empty() {
            counts.extend(moved());
        }
        counts
    }
}

/// Returns the move that a pattern finds in a line, and its count, unless that is negative.
fn move_of(line: &str, pattern: &Regex) -> Option<Count> {
    let found = pattern.captures(line)?;
    let group = |name, index| found.name(name).or_else(|| found.get(index));
    let written = group("move", 1)?.as_str();
    let played =
        notation::coordinate_move(written, ' ').map_or_else(|| written.to_owned(), |(_, played)| played);
    let nodes = number_at(line, group("nodes", 2)?)?;
    Some(Count::Move(played, u128::try_from(nodes).ok()?))
}

/// Returns the total that a pattern finds in a line.
fn total_of(line: &str, pattern: &Regex) -> Option<Count> {
    let found = pattern.captures(line)?;
    number_at(line, found.get(1).or(found.get(0))?).map(Count::Total)
}

/// Returns the digits of a part of a line as a number. A minus sign may stand before them, in the part or before it.
fn number_at(line: &str, found: Match) -> Option<i128> {
    let digits: String = found.as_str().chars().filter(char::is_ascii_digit).collect();
    let start = found.as_str().find(|sign: char| sign.is_ascii_digit())?;
    let before = line[..found.start() + start].strip_suffix('-');
    let is_negative = before.is_some_and(|before| !before.ends_with(|sign: char| sign.is_alphanumeric()));
    Some(signed(digits.parse().ok()?, is_negative))
}

/// Reads an answer line by line. A program may print a list of moves for each depth; the last one is used.
#[derive(Clone, Debug)]
pub struct AnswerReader<'a> {
    profile: &'a Profile,
    depth: u32,
    /// The number of moves that the list should have.
    moves: usize,
    /// The answer so far, with the lists of all depths.
    answer: Answer,
    /// The number of lines with a total.
    totals: usize,
    /// The number of lines without a count since the last total, or since the last move behind it.
    more: usize,
    /// The lines since the last move that have no count.
    between: Vec<String>,
}

impl AnswerReader<'_> {
    /// Sets the number of legal moves. A list that may come after the total ends when it has this many moves.
    pub fn with_moves(self, moves: usize) -> Self {
        AnswerReader { moves, ..self }
    }

    /// Reads the next line.
    pub fn read(&mut self, line: &str) {
        let (profile, depth) = (self.profile, self.depth);
        self.add(line, || profile.counts(line, depth));
    }

    /// Adds the counts of the next line.
    pub(super) fn add(&mut self, line: &str, counts: impl FnOnce() -> Vec<Count>) {
        if line.trim().is_empty() || self.answer.moves.len() + self.totals >= MOST_COUNTS {
            return;
        }
        let counts = counts();
        if counts.is_empty() {
            self.more += usize::from(self.totals > 0);
            let is_harmless = |word: &str| self.profile.harmless.iter().any(|known| known == word);
            if self.answer.refusal.is_none() && refusals(line).any(|word| !is_harmless(word)) {
                self.answer.refusal = Some(visible(line.trim()));
            }
            if self.between.len() < MAX_UNREAD {
                self.between.push(visible(line.trim()));
            }
        }
        for count in counts {
            match count {
                Count::Move(played, nodes) => {
                    let between = std::mem::take(&mut self.between);
                    if !self.answer.moves.is_empty() {
                        self.answer.unread.extend(between);
                        self.answer.unread.truncate(MAX_UNREAD);
                    }
                    self.answer.moves.push((played, nodes));
                    self.more = 0;
                }
                Count::Total(total) => {
                    self.answer.stated_total = Some(total);
                    (self.totals, self.more) = (self.totals + 1, 0);
                    self.between.clear();
                }
            }
        }
    }

    /// Whether the learned end was read. The caller must also wait until the program is ready. An answer whose total is
    /// not the sum over its moves is not over: the moves may come later, through another pipe.
    pub fn is_over(&self) -> bool {
        let is_end = match self.profile.end {
            // Some programs count in another thread, and are ready before they have finished.
            End::Ready => self.answer.stated_total.is_some() || !self.profile.states_total(),
            End::Total { times, more } => {
                self.totals >= times.unwrap_or(self.depth as usize) && self.more >= more
            }
            End::Silence => false,
        };
        is_end
            && match self.profile.lists_from {
                Some(from) if self.depth >= from => self.has_sum() && self.list().len() >= self.moves,
                _ => self.answer.moves.is_empty() || self.has_sum(),
            }
    }

    /// Whether all legal moves are listed, and add up to the total if one is stated. Nothing can follow then.
    pub fn is_whole(&self) -> bool {
        self.moves > 0 && self.list().len() >= self.moves && self.has_sum()
    }

    /// Whether most of the legal moves are listed, if the program lists moves at this depth at all.
    pub fn has_most_moves(&self) -> bool {
        let lists_moves =
            self.depth > 1 && (!self.profile.moves.is_empty() || self.profile.patterns.moves.is_some());
        !lists_moves || 2 * self.answer.moves.len() >= self.moves
    }

    /// Returns the answer so far, with the lists of all depths.
    pub fn so_far(&self) -> &Answer {
        &self.answer
    }

    fn has_sum(&self) -> bool {
        let sum = self.list().iter().fold(0_u128, |sum, (_, nodes)| sum.saturating_add(*nodes));
        self.profile.misstates_total
            || self.answer.stated_total.is_none_or(|total| total == signed(sum, false))
    }

    fn list(&self) -> &[(String, u128)] {
        &self.answer.moves[if self.profile.repeats { last_list(names(&self.answer.moves)) } else { 0 }..]
    }

    /// Returns the answer. It is empty if no line had a count.
    pub fn finish(self) -> Answer {
        let moves = self.list().to_vec();
        Answer { moves, ..self.answer }
    }
}

/// Returns the moves of a list without their counts.
pub(super) fn names(moves: &[(String, u128)]) -> impl Iterator<Item = &str> {
    moves.iter().map(|(played, _)| played.as_str())
}

/// Returns the index at which the last of several lists of the same moves begins. The last list must have most of the
/// earlier moves, and no others. A single list in which a wrong generator has found a move twice is one list.
pub(super) fn last_list<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    let names: Vec<&str> = names.collect();
    let mut times: HashMap<&str, usize> = HashMap::new();
    names.iter().for_each(|&name| *times.entry(name).or_default() += 1);
    let once = times.iter().filter(|(name, _)| !may_be_promotion(name));
    let lists = once.map(|(_, times)| *times).max().unwrap_or(1);
    let stands_for_four = |name: &str| may_be_promotion(name) && times[name] == 4 * lists;
    let mut list = HashSet::new();
    let from_end = names.iter().copied().rev();
    let count = from_end.take_while(|name| list.insert(*name) || stands_for_four(name)).count();
    let start = names.len() - count;
    let before: HashSet<&str> = names[..start].iter().copied().collect();
    if list.is_subset(&before) && 2 * list.len() > before.len() { start } else { 0 }
}

/// Whether a move can be a promotion. Without the promotion piece, four promotions look the same.
pub(super) fn may_be_promotion(played: &str) -> bool {
    matches!(played.as_bytes(), [_, b'7', _, b'8'] | [_, b'2', _, b'1'])
}
