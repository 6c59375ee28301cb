//! Decides which lines of a program belong to an answer, and when the answer is over. This module does not wait
//! or send: `session` does.

use std::time::{Duration, Instant};

use perft_diagnosis::source::{AnswerReader, LineKind};

/// The number of lines without counts that are kept for error messages.
const KEPT_LINES: usize = 3;

/// The silence after which a complete answer is over, if nothing else says so.
pub(super) const AFTER_TOTAL: Duration = Duration::from_millis(25);

/// The silence after which an answer with moves, but without a total, is over.
pub(super) const AFTER_MOVES: Duration = Duration::from_millis(150);

/// The silence after which a program that has printed nothing is considered not to have understood what it was
/// sent.
pub(super) const AFTER_NOTHING: Duration = Duration::from_millis(400);

/// The same for a program that has said that it is ready, or has printed something else.
const AFTER_OTHER: Duration = Duration::from_millis(60);

/// The way in which a program says that it has finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ready {
    /// `isready` is answered with `readyok`.
    Asked,
    /// `ping N` is answered with `pong N`. The number is that of the last `ping`.
    Ping(u32),
    Never,
}

impl Ready {
    /// Returns the text before the sign that the program is ready, if a line ends with this sign. The text is not
    /// empty if the program does not end its last line before the sign.
    pub fn before_sign(self, text: &str) -> Option<&str> {
        match self {
            Ready::Asked => text.strip_suffix("readyok"),
            Ready::Ping(number) => text.strip_suffix(&format!("pong {number}")),
            Ready::Never => None,
        }
    }
}

/// The meaning of a line for the conversation.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// More lines are expected.
    More,
    /// The answer is over.
    Over,
    /// The program counts in another thread. It must be asked once more whether it is ready. It will print the
    /// lines that follow the total before it answers.
    AskAgain,
    /// The program searches.
    Searched,
    /// There is no answer, for this reason.
    NoCount(String),
}

/// The state of reading one answer.
pub(super) struct AnswerProgress {
    pub reader: AnswerReader,
    pub asked: String,
    pub begin: Instant,
    /// The last lines without counts.
    others: Vec<String>,
    /// Whether the program will say, or has said, that it has finished.
    pub has_barrier: bool,
    pub is_ready: bool,
    /// Whether the counts came after the program had said that it was ready.
    is_late: bool,
    /// Whether earlier answers of the program were late, too.
    pub is_known_late: bool,
    /// The shortest silence after which a program that has printed nothing is considered not to have understood.
    pub patience_at_first: Duration,
    /// Whether the program was asked a second time whether it is ready, because it had not answered.
    pub was_asked_again: bool,
    ends_with_total: bool,
    /// The silence after which a total without moves is the whole answer. Standard error comes through another pipe
    /// than standard output, so moves there can come after the total and after the sign that the program is ready.
    pub patience_for_moves: Option<Duration>,
    /// The silence after which a program that is idle and has not said that it is ready is considered not to have
    /// understood. `None` means that there is no such limit.
    pub patience_for_sign: Option<Duration>,
    pub processor_time: Option<Duration>,
}

impl AnswerProgress {
    pub fn new(depth: u32, ready: Ready, ends_with_total: bool, asked: String) -> AnswerProgress {
        AnswerProgress {
            reader: AnswerReader::new(Some(depth)),
            asked,
            begin: Instant::now(),
            others: Vec::new(),
            has_barrier: ready != Ready::Never,
            is_ready: false,
            is_late: false,
            is_known_late: false,
            patience_at_first: AFTER_NOTHING,
            was_asked_again: false,
            ends_with_total,
            patience_for_moves: None,
            patience_for_sign: None,
            processor_time: None,
        }
    }

    /// Reads the next line. `ready` is the way in which the program says that it has finished.
    pub fn read(&mut self, text: &str, ready: Ready) -> Step {
        if let Some(rest) = ready.before_sign(text) {
            self.reader.read(rest);
            // The processor time is read only at the first silence, because looking at all processes of the
            // system takes a millisecond.
            self.is_ready = true;
            return if self.is_late || self.is_certain() { Step::Over } else { Step::More };
        }
        match self.reader.read(text) {
            // Some programs play a move after the counts.
            LineKind::Search if self.reader.has_moves() && self.reader.is_complete() => Step::More,
            LineKind::Search => Step::Searched,
            LineKind::Count if self.ends_with_total && self.reader.is_complete() => Step::Over,
            LineKind::Count if self.ends_with_total => Step::More,
            LineKind::Count if self.is_ready && self.reader.is_complete() && !self.is_late => {
                self.is_late = true;
                self.is_ready = false;
                Step::AskAgain
            }
            LineKind::Error if self.ends_with_total => Step::NoCount(text.to_owned()),
            LineKind::Other | LineKind::Error | LineKind::Count => {
                self.keep(text);
                Step::More
            }
        }
    }

    /// Whether the answer is complete: the total is known, and no more moves can come.
    fn is_certain(&self) -> bool {
        self.reader.is_complete() && (self.reader.has_moves() || self.patience_for_moves.is_none())
    }

    /// Returns the silence that ends the wait for the next line, or `None` if only another line can.
    pub fn patience(&self) -> Option<Duration> {
        if self.has_barrier && !self.is_ready {
            self.patience_for_sign
        } else if self.reader.has_counts() {
            let silence = match self.reader.is_complete() {
                true if self.reader.has_moves() => AFTER_TOTAL,
                true => self.patience_for_moves.unwrap_or(AFTER_TOTAL),
                false => AFTER_MOVES,
            };
            (!self.ends_with_total).then_some(silence)
        } else if self.is_known_late {
            Some(8 * AFTER_NOTHING)
        } else if self.is_ready || !self.others.is_empty() {
            Some(if self.was_asked_again { 2 * AFTER_OTHER } else { AFTER_OTHER })
        } else {
            Some(self.patience_at_first)
        }
    }

    fn keep(&mut self, text: &str) {
        if !text.is_empty() {
            self.others.drain(..self.others.len().saturating_sub(KEPT_LINES - 1));
            self.others.push(text.to_owned());
        }
    }

    pub fn last_lines(&self) -> String {
        self.others.join("; ")
    }
}
