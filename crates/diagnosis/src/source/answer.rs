//! What a source returns: counts, its state, errors, and the time and memory that it used.

use std::io::ErrorKind;
use std::time::Duration;

use perft_core::internals::grouped;

use super::line::fen;

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

/// Returns a number with its sign.
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

/// What a text has beside the counts of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TextFacts {
    /// The name of the column that was read, if the text has several columns of counts.
    pub column: Option<String>,
    /// The other columns of counts, and totals that stand beside the one that was read.
    pub others: Vec<OtherCounts>,
    /// The number of columns that are not counts of this depth.
    pub left_out: usize,
    /// The lines below the rows whose number may be a total, although no known word says so.
    pub unclear: Vec<String>,
    /// The numbers of a text without rows of which no word says what they are.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub numbers: Vec<i128>,
    /// Whether the total is the only number of its size, and no word says that it is one.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub is_unnamed: bool,
}

/// The sentence about a total that no word names.
const UNNAMED: &str = "no word says what this number is: it is about as large as the right one";

impl TextFacts {
    /// Returns sentences about what the text has beside the counts that were read, without a full stop.
    pub fn sentences(&self) -> Vec<String> {
        let compared = self.column.iter().map(|name| format!("the counts of \"{name}\" are compared"));
        let others = self.others.iter().map(|OtherCounts { name, wrong, missing, counts, total }| {
            let lacks = match missing {
                0 => String::new(),
                1 => " and lacks 1 move".to_owned(),
                missing => format!(" and lacks {missing} moves"),
            };
            let sign = if total.is_some_and(|nodes| nodes < 0) { "-" } else { "" };
            let total =
                total.map(|nodes| format!(" {sign}{}", grouped(nodes.unsigned_abs()))).unwrap_or_default();
            let name = if name.is_empty() { "the other number".to_owned() } else { format!("\"{name}\"") };
            let name = name + &total;
            match (wrong, counts) {
                (0, 1) => format!("{name} is right{lacks}"),
                (_, 1) => format!("{name} is wrong{lacks}"),
                (0, rows) => format!("{name} is right in all {rows} rows{lacks}"),
                (wrong, rows) => format!("{name} is wrong in {wrong} of {rows} rows{lacks}"),
            }
        });
        let left_out = match self.left_out {
            0 => None,
            1 => Some("1 column of other numbers is not compared".to_owned()),
            columns => Some(format!("{columns} columns of other numbers are not compared")),
        };
        let unclear = self.unclear.iter().map(|line| format!("the number in \"{line}\" is not compared"));
        let unnamed = self.is_unnamed.then(|| UNNAMED.to_owned());
        compared.chain(others).chain(left_out).chain(unclear).chain(unnamed).collect()
    }
}

/// Counts of a text beside those that were read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OtherCounts {
    /// The name of the column or of the total.
    pub name: String,
    /// The number of counts that are not right.
    pub wrong: usize,
    /// The number of legal moves that are not among them.
    pub missing: usize,
    /// The number of counts.
    pub counts: usize,
    /// The count, if it is a total.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub total: Option<i128>,
}

impl OtherCounts {
    /// Returns a total that stands beside another one, compared with the right count.
    pub fn of_total(name: String, nodes: i128, right: u128) -> OtherCounts {
        let wrong = usize::from(u128::try_from(nodes) != Ok(right));
        OtherCounts { name, wrong, missing: 0, counts: 1, total: Some(nodes) }
    }
}

/// The FEN and the key that a program prints for its position.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::State;
///
/// let state = State::parse("Fen: 8/8/8/8/8/8/8/K1k5 w - - 4 20\nKey: 8F8F01D4562F59FB\nCheckers:");
/// assert_eq!(state.fen.as_deref(), Some("8/8/8/8/8/8/8/K1k5 w - - 4 20"));
/// assert_eq!(state.key.as_deref(), Some("8F8F01D4562F59FB"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The FEN, with four to six fields.
    pub fen: Option<String>,
    /// The key, as the program writes it.
    pub key: Option<String>,
}

/// The smallest number of digits of a key. Shorter numbers are counts, sizes or clocks.
const MIN_DIGITS: usize = 8;

/// The largest number of words of a label that are read, counted backwards from the key.
const LABEL_WORDS: usize = 2;

impl State {
    /// Reads the output of a program. The last FEN and the last key are used, but a FEN with a label takes precedence
    /// over one without.
    pub fn parse(text: &str) -> State {
        let (mut state, mut is_labelled) = (State::default(), false);
        for line in text.lines() {
            if let Some((fen, has_label)) = fen_in(line)
                && (has_label || !is_labelled)
            {
                (state.fen, is_labelled) = (Some(fen), has_label);
            }
            state.key = key_in(line).or(state.key);
        }
        state
    }

    /// Whether there is neither a FEN nor a key.
    pub fn is_empty(&self) -> bool {
        self.fen.is_none() && self.key.is_none()
    }
}

/// Returns the FEN of a line, at any place in it, and whether a label says that it is a FEN.
fn fen_in(line: &str) -> Option<(String, bool)> {
    let (place, fields) =
        fen(line).filter(|(_, fields)| fields.len() >= 4 && fields[0].matches('/').count() == 7)?;
    let before = line[..place.start].to_ascii_lowercase();
    let is_border = |sign: char| sign.is_whitespace() || "\"'`=:,;|()<>{}".contains(sign);
    let mut labels = before.rsplit(is_border).filter(|word| !word.is_empty());
    match (labels.next(), labels.next()) {
        // The FEN of shogi may have the board of chess.
        (Some("sfen"), _) => None,
        // The program repeats the text that it was sent.
        (Some("fen"), Some("position")) => Some((fields.join(" "), false)),
        (label, _) => Some((fields.join(" "), label.is_some_and(|label| label.ends_with("fen")))),
    }
}

/// Returns the key of a line: a long number after a word such as `key` or `hash`.
fn key_in(line: &str) -> Option<String> {
    let is_mark = |letter: char| letter.is_whitespace() || "\"'=:,;()[]".contains(letter);
    let mut label: Vec<String> = Vec::new();
    for word in line.split(is_mark).filter(|word| !word.is_empty()) {
        if !is_number(word) {
            label.push(word.to_ascii_lowercase());
        } else if names_key(&label) {
            return Some(word.to_owned());
        } else {
            label.clear();
        }
    }
    None
}

/// Whether a word is a number that is long enough for a key: hexadecimal, with or without `0x`, or decimal.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix("0x").or(word.strip_prefix("0X")).unwrap_or(word);
    digits.len() >= MIN_DIGITS && digits.chars().all(|digit| digit.is_ascii_hexdigit())
}

/// Whether a label says that the key of the position follows, and not a key of its pawns or its material.
fn names_key(label: &[String]) -> bool {
    let is_other = |word: &String| {
        ["pawn", "material", "minor", "major", "table", "size"].iter().any(|other| word.contains(other))
    };
    let is_key = |word: &String| ["key", "hash", "zobrist"].iter().any(|end| word.ends_with(end));
    !label.iter().any(is_other) && label.iter().rev().take(LABEL_WORDS).any(is_key)
}

/// The reason why a source gave no answer.
///
/// An error says nothing about the moves that the source generates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The command line has no program, or has an unclosed quote.
    #[error("the engine's command is empty or has an unclosed quote")]
    NoCommand,
    /// The program could not be started: its name, the kind of the reason, and the reason in the words of the system.
    #[error("cannot start '{0}': {why}", why = start_failure(.1, .2))]
    NotStarted(String, ErrorKind, String),
    /// The engine failed, or closed its output.
    #[error("the engine ended ({status}){}", suffix(last))]
    Ended {
        /// The way in which the process ended.
        status: String,
        /// The last lines that the engine printed.
        last: String,
    },
    /// The engine has no UCI option with this name. The second field lists the options that it has.
    #[error("the engine has no option '{0}'; it has: {names}", names = .1.join(", "))]
    NoOption(String, Vec<String>),
    /// A UCI option of the engine cannot have this value: the option, the value, and the values that it can have.
    #[error("the option '{0}' cannot be '{1}'; it can be: {values}", values = .2.join(", "))]
    NoOptionValue(String, String, Vec<String>),
    /// The engine did not answer within this time. The second field has the last lines that it printed.
    #[error("the engine did not answer within {} s{}", .0.as_secs_f64(), suffix(.1))]
    TimedOut(Duration, String),
    /// The engine has not read its input within this time. The second field has the last lines that it printed.
    #[error("the engine does not read what it is sent: it has read nothing within {} s{}", .0.as_secs_f64(), suffix(.1))]
    NotRead(Duration, String),
    /// The answer of the engine has no count at a known place.
    #[error("the engine's answer to '{asked}' is not understood{}", suffix(last))]
    NotUnderstood {
        /// The text that the engine was sent.
        asked: String,
        /// The last lines that the engine printed.
        last: String,
    },
    /// The engine printed something other than a count.
    #[error("the engine's answer has no count that can be read: {0}")]
    Refused(String),
    /// The engine printed neither its FEN nor its key.
    #[error("the engine does not answer '{asked}' with its position or its key{}", suffix(last))]
    NoState {
        /// The text that the engine was sent.
        asked: String,
        /// The last lines that the engine printed.
        last: String,
    },
    /// The engine began to search when it was sent this text.
    #[error("the engine began to search when it was sent '{0}'")]
    Searched(String),
    /// The output of the engine is not text, or has a line that is too long.
    #[error("cannot read the engine's output: {0}")]
    Unreadable(String),
    /// The engine answered, but not with a count.
    #[error("the engine's answer is not a count: {0}")]
    NoCount(String),
    /// The source cannot count, for this reason.
    #[error("{0}")]
    CannotCount(String),
    /// The function that counts panicked with this message.
    #[error("the function panicked: {0}")]
    Panicked(String),
    /// The stop signal was raised.
    #[error("interrupted")]
    Interrupted,
}

fn start_failure<'a>(kind: &ErrorKind, reason: &'a str) -> &'a str {
    match kind {
        ErrorKind::NotFound => "there is no such program",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::WouldBlock => "the system starts no more processes or threads",
        _ => reason,
    }
}

fn suffix(last: &str) -> String {
    if last.is_empty() { "; it printed nothing".to_owned() } else { format!("; it last printed: {last}") }
}

/// The cost of an answer. Values that the source does not know are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The time that the source itself measured for the count, or `None` if the caller must measure it.
    pub elapsed: Option<Duration>,
    /// The CPU time of the count alone, on all threads, or `None` if it is unknown.
    pub processor_time: Option<Duration>,
    /// The resources that the process of the source used for the answer, or `None` if they are unknown.
    pub usage: Option<Usage>,
    /// The instructions that the process of the source executed for the answer, or `None` if they were not counted.
    pub instructions: Option<u64>,
}

/// The CPU time and memory that a process has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The CPU time in the program, on all threads.
    pub user: Duration,
    /// The CPU time in the operating system on behalf of the program.
    pub system: Duration,
    /// The peak memory of the process since its start, in bytes, or `None` if it is unknown.
    pub peak_memory_bytes: Option<u64>,
}

impl Usage {
    /// Returns the sum of the CPU times in the program and in the operating system.
    pub fn processor_time(&self) -> Duration {
        self.user + self.system
    }

    /// Returns the usage since an earlier measurement. The peak memory is still that of the whole life of the process.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::source::Usage;
    /// use std::time::Duration;
    /// let at = |seconds, peak| Usage {
    ///     user: Duration::from_secs(seconds),
    ///     system: Duration::ZERO,
    ///     peak_memory_bytes: Some(peak),
    /// };
    /// assert_eq!(at(5, 900).since(at(2, 700)), at(3, 900));
    /// ```
    pub fn since(self, earlier: Usage) -> Usage {
        Usage {
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
            ..self
        }
    }
}
