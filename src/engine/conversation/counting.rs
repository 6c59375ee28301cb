//! The stage of a conversation in which an answer with counts is read.

use std::mem;
use std::time::Duration;

use perft_diagnosis::source::{AnswerReader, LineKind, SourceError};

use super::{
    AFTER_MOVES, AFTER_NOTHING, AFTER_TOTAL, Activity, Conversation, Earlier, Failure, LastLines,
    OutputEvent, Sign, Stage,
};
use crate::engine::ask_method::Answers;
use crate::engine::spec::EngineSpec;

/// The silence after which a program that has said that it is ready, or has printed something other than counts, is
/// considered not to have understood what it was sent.
pub(super) const AFTER_OTHER: Duration = Duration::from_millis(60);

/// The same for a program whose earlier counts came after it had said that it was ready.
pub(super) const AFTER_EARLY_SIGN: Duration = Duration::from_millis(3200);

/// The longest time for which a program that has just been started may be silent and idle before its first answer.
const START_PATIENCE: Duration = Duration::from_millis(2500);

/// The silence for which a program counts as busy where the system does not say what it does.
const BUSY_IF_UNKNOWN: Duration = Duration::from_secs(3);

/// An answer with counts that is being read.
#[derive(Debug)]
pub struct Counting {
    pub(super) reader: AnswerReader,
    asked: String,
    pub(super) phase: Phase,
    /// The last lines without counts.
    others: LastLines,
    ends_with_total: bool,
    patience: Patience,
    /// The silence in which the system did not say what the program does.
    unknown: Duration,
}

/// How far an answer with counts has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The program does not say when it has finished.
    NeverReady,
    /// The program has not said that it is ready. It may have been asked once more, because it had not answered.
    NotReady { is_repeated: bool },
    /// The program has said that it is ready, but its answer may go on.
    Ready { is_repeated: bool },
    /// The program counts in another thread: the total came after the sign. It prints the lines that follow the total
    /// before it says once more that it is ready.
    Late,
}

/// The silences that mean something in an answer with counts.
#[derive(Debug)]
struct Patience {
    /// The shortest silence after which a program that has printed nothing is considered not to have understood.
    at_first: Duration,
    /// The same for a program that has said that it is ready.
    after_sign: Duration,
    /// The silence after which a program that is idle and has not said that it is ready is considered not to have
    /// understood. `None` means that there is no such limit.
    for_sign: Option<Duration>,
    /// The silence after which a total without moves is the whole answer. `None` means that it is the answer at once.
    /// Standard error comes through another pipe than standard output, so moves there can come after the total and
    /// after the sign that the program is ready.
    for_moves: Option<Duration>,
}

/// The meaning of an event for an answer with counts.
pub(super) enum Step {
    /// More lines are expected.
    More,
    /// The answer is over.
    Over,
    /// The program must be asked once more whether it is ready.
    AskAgain,
    Failed(Failure),
}

impl Conversation {
    /// Begins to read the answer of a program that was sent `asked`. `uses_errors` says whether it has printed on
    /// standard error since its first question.
    pub fn counting(&self, spec: &EngineSpec, depth: u32, asked: String, uses_errors: bool) -> Stage {
        let is_asked_for = self.sign.is_asked_for();
        // The start of the program is part of the first answer, and may be slow.
        let is_start = self.earlier == Earlier::Nothing && !is_asked_for;
        let start = (spec.start_limit / 4).clamp(AFTER_NOTHING, START_PATIENCE);
        Stage::Counting(Counting {
            reader: AnswerReader::new(Some(depth)),
            asked,
            phase: if is_asked_for { Phase::NotReady { is_repeated: false } } else { Phase::NeverReady },
            others: LastLines::default(),
            ends_with_total: spec.asking.answers == Answers::CountsToTotal,
            patience: Patience {
                at_first: if is_start { start } else { AFTER_NOTHING },
                after_sign: if self.is_late { AFTER_EARLY_SIGN } else { AFTER_OTHER },
                for_sign: spec.is_trial.then_some(spec.start_limit / 4),
                for_moves: match (self.earlier, uses_errors) {
                    // The first answer shows whether the program uses standard error.
                    (Earlier::Nothing, _) | (Earlier::Moves, true) => Some(AFTER_MOVES),
                    (Earlier::Totals, true) => Some(AFTER_TOTAL),
                    (_, false) => None,
                },
            },
            unknown: Duration::ZERO,
        })
    }
}

impl Counting {
    /// Returns the silence that means something, or `None` if no silence does.
    pub(super) fn patience(&self) -> Option<Duration> {
        match self.phase {
            Phase::NotReady { .. } | Phase::Late => self.patience.for_sign,
            _ if self.reader.has_counts() => (!self.ends_with_total).then(|| self.patience_for_counts()),
            Phase::Ready { is_repeated } => Some((1 + u32::from(is_repeated)) * self.patience.after_sign),
            Phase::NeverReady if self.others.is_empty() => Some(self.patience.at_first),
            Phase::NeverReady => Some(AFTER_OTHER),
        }
    }

    /// Returns the silence after which these counts are the answer.
    fn patience_for_counts(&self) -> Duration {
        match self.reader.is_complete() {
            true if self.reader.has_moves() => AFTER_TOTAL,
            true => self.patience.for_moves.unwrap_or(AFTER_TOTAL),
            false => AFTER_MOVES,
        }
    }

    pub(super) fn next(&mut self, event: OutputEvent, sign: Sign) -> Step {
        match event {
            OutputEvent::Line(line) => match sign.text_before(line.trim()) {
                Some(rest) => self.read_sign(rest),
                None => self.read(line.trim()),
            },
            OutputEvent::Silence(activity) if self.is_busy(activity) => Step::More,
            OutputEvent::Silence(_) => self.rest(),
            OutputEvent::End { has_failed } if is_answered(&self.reader, has_failed) => Step::Over,
            OutputEvent::End { .. } => Step::Failed(Failure::Ended),
        }
    }

    /// Reads the sign that the program is ready, and the text before it.
    fn read_sign(&mut self, rest: &str) -> Step {
        self.reader.read(rest);
        // The total is known, and no more moves can come.
        let is_certain =
            self.reader.is_complete() && (self.reader.has_moves() || self.patience.for_moves.is_none());
        match self.phase {
            Phase::Late => return Step::Over,
            _ if is_certain => return Step::Over,
            Phase::NotReady { is_repeated } => self.phase = Phase::Ready { is_repeated },
            Phase::Ready { .. } | Phase::NeverReady => {}
        }
        Step::More
    }

    fn read(&mut self, text: &str) -> Step {
        let kind = self.reader.read(text);
        let is_complete = self.reader.is_complete();
        match kind {
            // Some programs play a move after the counts.
            LineKind::Search if self.reader.has_moves() && is_complete => Step::More,
            LineKind::Search => {
                Step::Failed(Failure::Other(SourceError::Searched(mem::take(&mut self.asked))))
            }
            LineKind::Count if is_complete && self.ends_with_total => Step::Over,
            LineKind::Count if is_complete && matches!(self.phase, Phase::Ready { .. }) => {
                self.phase = Phase::Late;
                Step::AskAgain
            }
            LineKind::Error if self.ends_with_total => {
                Step::Failed(Failure::Other(SourceError::NoCount(text.to_owned())))
            }
            LineKind::Other | LineKind::Error | LineKind::Count => {
                self.others.keep(text);
                Step::More
            }
        }
    }

    /// Whether a silent program is busy. A complete answer does not go on.
    fn is_busy(&mut self, activity: Activity) -> bool {
        let is_busy = match activity {
            Activity::Busy => true,
            Activity::Idle => false,
            Activity::Unknown => {
                self.unknown += self.patience().unwrap_or_default();
                self.unknown < BUSY_IF_UNKNOWN
            }
        };
        is_busy && !self.reader.is_complete()
    }

    /// Decides what the silence of an idle program means.
    fn rest(&mut self) -> Step {
        match self.phase {
            Phase::NotReady { .. } | Phase::Late => self.not_understood(None),
            _ if self.reader.has_counts() => Step::Over,
            Phase::Ready { is_repeated: false } => {
                // Some programs hold their output back until they print something else.
                self.phase = Phase::NotReady { is_repeated: true };
                Step::AskAgain
            }
            _ => self.not_understood(Some(self.others.text())),
        }
    }

    fn not_understood(&mut self, last: Option<String>) -> Step {
        Step::Failed(Failure::NotUnderstood { asked: mem::take(&mut self.asked), last })
    }
}

/// Whether the counts of a program that has ended are its answer.
pub(super) fn is_answered(reader: &AnswerReader, has_failed: bool) -> bool {
    reader.is_complete() || (reader.has_counts() && !has_failed)
}
