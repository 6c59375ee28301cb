//! What was heard of an answer, and whether it is over.
//!
//! Programs that count for long may also print what they have counted so far, in lines that look like the end. So an
//! end is believed only if the program then says that it is ready, if all legal moves are listed and add up, or if the
//! answer is as short as those of the exam. Otherwise the program must be silent: for a moment if its processor time
//! shows that it has counted and is now idle, or if the system says that it only waits for input, and else for longer than
//! it was silent before. It may be a relay, such as `ssh`, or look for input all the time.

use std::time::Duration;

use perft_diagnosis::source::{AnswerReader, SourceError};

/// The silence after which an answer is over, of a program that may still count although it seems to be idle. Many print
/// a line each second.
const LONG_SILENCE: Duration = Duration::from_millis(1300);

/// The time and the count up to which an answer is as short as those that were heard out in the exam.
const SHORT: (Duration, u128) = (Duration::from_millis(100), 9_000);

/// What a program has said until its answer was over.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub lines: Vec<String>,
    /// The number of lines before it said that it was ready.
    pub ready: Option<usize>,
    /// The time until its last line.
    pub took: Duration,
    /// The time since its last line, and the parts of it since the program has read its input, and is idle.
    pub silence: Duration,
    pub read: Duration,
    pub idle: Duration,
    /// Whether its processor time shows that it has counted.
    pub has_worked: bool,
    /// Whether it is known to print nothing before it gets more input.
    pub only_reads: bool,
    /// The length of the next pause that is heard.
    pub patience: Option<Duration>,
    /// Whether it has ended.
    pub has_ended: bool,
    /// Whether it has used both standard output and standard error.
    pub uses_two_pipes: bool,
    /// The error with which it has ended, if it has failed.
    pub crash: Option<SourceError>,
}

impl Heard {
    /// Whether the program has been silent for longer than it was silent before.
    pub fn is_long_silent(&self) -> bool {
        self.silence >= LONG_SILENCE.max(self.took * 3 / 2)
    }

    /// Whether an answer that has come to its learned end does not go on.
    pub fn confirms(&self, reader: &AnswerReader, cue: &Cue) -> bool {
        let (short, few) = SHORT;
        match cue {
            Cue::Ready => true,
            Cue::Line(_) => {
                let is_few = || reader.answer().count().is_some_and(|count| count <= few);
                reader.is_whole() || self.took <= short && is_few()
            }
            Cue::Pause => !self.idle.is_zero() && self.has_worked || self.is_long_silent(),
        }
    }

    /// Notes a pause that ends at this time after the question.
    pub fn pause(&mut self, time: Duration, has_read: bool, is_idle: bool) {
        let pause = self.patience.unwrap_or_default();
        self.silence = time.saturating_sub(self.took);
        self.read = if has_read { self.read + pause } else { Duration::ZERO };
        self.idle = if is_idle { self.idle + pause } else { Duration::ZERO };
    }

    pub fn is_silent(&self) -> bool {
        self.lines.iter().all(|line| line.trim().is_empty())
    }

    /// Returns the last lines, for an error message.
    pub fn last(&self) -> String {
        let said: Vec<&str> =
            self.lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
        said[said.len().saturating_sub(3)..].join("; ")
    }
}

/// What is heard next.
pub(super) enum Cue<'a> {
    Line(&'a str),
    /// The program has said that it is ready.
    Ready,
    /// The program has made a pause.
    Pause,
}

/// Whether a line is the output of a search: the program may not know the command for a perft.
pub(super) fn is_search(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("bestmove") => true,
        Some("info") => {
            words.next() != Some("string") && words.any(|word| ["pv", "score", "currmove"].contains(&word))
        }
        _ => false,
    }
}

/// Whether a line is the output of a search that looks deeper than one ply, or has ended.
pub(super) fn is_long_search(line: &str) -> bool {
    let depth = line.split_once(" depth ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<u32>().ok());
    is_search(line) && depth.is_none_or(|depth| depth > 1) && !line.contains("currmove")
}
