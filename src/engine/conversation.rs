//! A conversation with a program, as a state machine.
//!
//! [`Conversation::next`] gets what was heard: a line, a silence, or the end of the output. It changes the stage of the
//! conversation and returns what to do. It does not wait, send or look at a clock: `session` does, and also ends a
//! conversation whose time is up.
//!
//! A UCI engine is opened with `uci` and `uciok`, and an XBoard engine with `protover`:
//!
//! ```text
//! Introducing -> GettingReady -+
//! Announcing ------------------+-> Idle <-> Counting, Listing, Printing
//!                                  Running
//! ```
//!
//! The protocols do not say where the answer to a perft ends. So `isready` is sent after each question. Most engines
//! reply to it after the counts, and `readyok` ends the answer. Some engines count in another thread and reply before
//! the counts. Then another `isready` is sent after the total. A program without `isready` has finished when it is
//! silent for a moment and does not use the processor. Programs that print moves on standard error do so through
//! another pipe, so their answer goes on until both pipes are silent. A program that is run for each question has
//! finished when its output ends.

mod counting;

use std::mem;
use std::time::Duration;

use counting::{Counting, Phase, Step, is_answered};
use perft_diagnosis::source::{Answer, AnswerReader, LineKind, SourceError, State, StateReader};

use super::options::UciOptions;
use super::process::{Activity, LastLines, OutputEvent};
use super::spec::EngineSpec;
use super::variations::Variations;

/// The silence after which a complete answer is over, if nothing else says so.
const AFTER_TOTAL: Duration = Duration::from_millis(25);

/// The silence after which an answer with moves, but without a total, is over.
const AFTER_MOVES: Duration = Duration::from_millis(150);

/// The silence after which a program that has printed nothing is considered not to have understood what it was sent.
const AFTER_NOTHING: Duration = Duration::from_millis(400);

/// The number of idle periods after which a program is given up.
const IDLE_PERIODS: u32 = 3;

/// The number of idle periods after which a program that does not say that it is ready has not seen the question.
const UNSEEN_PERIODS: u32 = 2;

/// The shortest and the longest period.
const PERIOD: [Duration; 2] = [Duration::from_millis(125), Duration::from_millis(500)];

/// Returns the length of a silent period for a program with this time limit for its start.
fn period(start_limit: Duration) -> Duration {
    (start_limit / 20).clamp(PERIOD[0], PERIOD[1])
}

/// Returns the time for which a program is silent and idle before it is given up.
pub(super) fn time_until_given_up(start_limit: Duration) -> Duration {
    IDLE_PERIODS * period(start_limit)
}

/// A conversation with a program.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    stage: Stage,
    sign: Sign,
    /// The length of a silent period before the program is ready, or while it runs for one count. `None` means that the
    /// program is not given up before its time limit.
    period: Option<Duration>,
    /// The number of silences in a row in which the program was idle.
    idle_periods: u32,
    /// The name that the program gives itself.
    pub name: Option<String>,
    /// The UCI options that the engine lists.
    pub options: UciOptions,
    earlier: Earlier,
    /// Whether the program has answered after it had said that it was ready. Later answers are expected then too.
    is_late: bool,
}

/// The stage of a conversation.
#[derive(Debug, Default)]
pub(super) enum Stage {
    /// `uci` was sent. The value has the names and values of the options to set.
    Introducing(Vec<(String, String)>),
    /// The options were set, and `isready` was sent.
    GettingReady,
    /// `xboard` was sent. Old engines print no features.
    Announcing,
    /// The program waits for a question.
    #[default]
    Idle,
    /// A count was asked for.
    Counting(Counting),
    /// The program was started for one count.
    Running(Run),
    /// A search was asked for, which lists the moves.
    Listing(Variations),
    /// The FEN and the key were asked for.
    Printing(Printing),
    /// The program cannot be asked anymore.
    Ended,
}

/// The way in which a program says that it has finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sign {
    /// `isready` is answered with `readyok`.
    Readyok,
    /// `ping N` is answered with `pong N`. The number is that of the last `ping`.
    Pong(u32),
    /// It only falls silent.
    #[default]
    Silence,
    /// It ends.
    End,
}

/// The counts that the earlier answers of a program had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Earlier {
    /// There is no earlier answer.
    #[default]
    Nothing,
    Totals,
    Moves,
}

/// The reaction to an event.
#[derive(Debug)]
pub(super) enum Action {
    /// Wait for the next event.
    Wait,
    /// Send these lines.
    Send(String),
    /// Send an empty line, and each later line when the program has read the one before.
    SendOneByOne,
    /// The program has done what it was asked for.
    Finish(Reply),
    /// The program has not done what it was asked for.
    Fail(Failure),
}

/// The reply of a program. A part that it was not asked for is empty.
#[derive(Debug, Default)]
pub(super) struct Reply {
    pub answer: Answer,
    pub state: State,
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Reply {
        Reply { answer, ..Reply::default() }
    }
}

/// The reason why a program does not reply.
#[derive(Debug)]
pub(super) enum Failure {
    /// It has ended.
    Ended,
    /// It prints no counts. The last lines are those of the answer, if they are known, and otherwise those of the
    /// conversation.
    NotUnderstood {
        asked: String,
        last: Option<String>,
    },
    /// It prints no state.
    NoState {
        asked: String,
    },
    Other(SourceError),
}

type Next = (Stage, Action);

fn wait(stage: Stage) -> Next {
    (stage, Action::Wait)
}

fn finish(reply: Reply) -> Next {
    (Stage::Idle, Action::Finish(reply))
}

fn fail(failure: Failure) -> Next {
    (Stage::Ended, Action::Fail(failure))
}

impl Conversation {
    /// Begins a conversation. `sign` says how the end of an answer is recognised. In a trial, a program that is silent
    /// and idle is given up.
    pub fn new(sign: Sign, spec: &EngineSpec) -> Conversation {
        let period = spec.is_trial.then(|| period(spec.start_limit));
        Conversation { sign, period, ..Conversation::default() }
    }

    pub fn begin(&mut self, stage: Stage) {
        (self.stage, self.idle_periods) = (stage, 0);
    }

    pub fn is_idle(&self) -> bool {
        matches!(self.stage, Stage::Idle)
    }

    /// Returns the silence that ends the wait for the next line, or `None` if only another event can.
    pub fn patience(&self) -> Option<Duration> {
        match &self.stage {
            Stage::Introducing(_) | Stage::Running(_) => self.period,
            Stage::GettingReady => Some(AFTER_MOVES),
            Stage::Announcing => Some(AFTER_NOTHING / 2),
            Stage::Counting(counting) => counting.patience(),
            Stage::Printing(printing) => printing.patience(self.sign),
            Stage::Idle | Stage::Listing(_) | Stage::Ended => None,
        }
    }

    /// Takes the next event. Returns what to do.
    pub fn next(&mut self, event: OutputEvent) -> Action {
        if let OutputEvent::Silence(activity) = event {
            self.idle_periods = if activity == Activity::Idle { self.idle_periods + 1 } else { 0 };
        }
        let is_end = matches!(event, OutputEvent::End { .. });
        let (stage, action) = match mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Introducing(settings) => self.introduce(settings, event),
            Stage::GettingReady => self.get_ready(event),
            Stage::Announcing => self.announce(event),
            Stage::Counting(counting) => self.count(counting, event),
            Stage::Running(run) => self.run(run, event),
            Stage::Listing(variations) => list(variations, event),
            Stage::Printing(printing) => self.print(printing, event),
            stage @ (Stage::Idle | Stage::Ended) => wait(stage),
        };
        self.stage = if is_end { Stage::Ended } else { stage };
        action
    }

    /// Returns a text, followed by a command that makes the program say that it has finished.
    pub fn with_barrier(&mut self, text: &str) -> String {
        match &mut self.sign {
            Sign::Readyok => format!("{text}\nisready"),
            Sign::Pong(number) => {
                *number += 1;
                format!("{text}\nping {number}")
            }
            Sign::Silence | Sign::End => text.to_owned(),
        }
    }

    fn introduce(&mut self, settings: Vec<(String, String)>, event: OutputEvent) -> Next {
        match event {
            OutputEvent::Line(line) if line.trim() == "uciok" => match self.settings(&settings) {
                Ok(lines) => {
                    (self.sign, self.idle_periods) = (Sign::Readyok, 0);
                    (Stage::GettingReady, Action::Send(lines))
                }
                Err(error) => fail(Failure::Other(error)),
            },
            OutputEvent::Line(line) => {
                if let Some(name) = line.trim().strip_prefix("id name ") {
                    self.name = Some(name.trim().to_owned());
                }
                self.options.read(line.trim());
                wait(Stage::Introducing(settings))
            }
            OutputEvent::Silence(_) if self.idle_periods == IDLE_PERIODS => {
                fail(Failure::NotUnderstood { asked: "uci".to_owned(), last: None })
            }
            OutputEvent::Silence(_) => wait(Stage::Introducing(settings)),
            OutputEvent::End { .. } => fail(Failure::Ended),
        }
    }

    /// Returns the lines that set the options. Many engines load their tables at `isready`. That must not be timed with
    /// the first question. Some engines need `ucinewgame`.
    fn settings(&self, settings: &[(String, String)]) -> Result<String, SourceError> {
        let lines = settings.iter().map(|(name, value)| self.options.line(name, value));
        let lines = lines.collect::<Result<Vec<_>, _>>()?;
        Ok([lines, vec!["ucinewgame\nisready".to_owned()]].concat().join("\n"))
    }

    /// Waits for `readyok`. If the engine becomes idle without it, the engine has taken several lines at once and sees
    /// only the first one. An empty line makes it see the others.
    fn get_ready(&self, event: OutputEvent) -> Next {
        match event {
            OutputEvent::Line(line) if line.trim() == "readyok" => finish(Reply::default()),
            OutputEvent::Silence(_) if self.idle_periods == UNSEEN_PERIODS => {
                (Stage::GettingReady, Action::SendOneByOne)
            }
            OutputEvent::Line(_) | OutputEvent::Silence(_) => wait(Stage::GettingReady),
            OutputEvent::End { .. } => fail(Failure::Ended),
        }
    }

    fn announce(&mut self, event: OutputEvent) -> Next {
        let OutputEvent::Line(line) = event else { return finish(Reply::default()) };
        if line.contains("ping=1") {
            self.sign = Sign::Pong(0);
        }
        if let Some((_, rest)) = line.split_once("myname=\"") {
            self.name = rest.split('"').next().map(str::to_owned);
        }
        if line.contains("done=1") { finish(Reply::default()) } else { wait(Stage::Announcing) }
    }

    fn count(&mut self, mut counting: Counting, event: OutputEvent) -> Next {
        match counting.next(event, self.sign) {
            Step::More => wait(Stage::Counting(counting)),
            Step::AskAgain => (Stage::Counting(counting), Action::Send(self.with_barrier(""))),
            Step::Over => {
                self.is_late |= counting.phase == Phase::Late;
                let has_moves = counting.reader.has_moves();
                self.earlier = self.earlier.max(if has_moves { Earlier::Moves } else { Earlier::Totals });
                finish(Reply::from(counting.reader.finish()))
            }
            Step::Failed(failure) => fail(failure),
        }
    }

    fn run(&self, mut run: Run, event: OutputEvent) -> Next {
        match event {
            OutputEvent::Line(line) => {
                run.has_searched |= run.reader.read(&line) == LineKind::Search;
                wait(Stage::Running(run))
            }
            OutputEvent::Silence(_) if self.idle_periods < IDLE_PERIODS => wait(Stage::Running(run)),
            OutputEvent::End { has_failed } if is_answered(&run.reader, has_failed) => {
                finish(Reply::from(run.reader.finish()))
            }
            OutputEvent::End { has_failed: true } => fail(Failure::Ended),
            OutputEvent::End { .. } if run.has_searched => {
                fail(Failure::Other(SourceError::Searched(run.asked)))
            }
            OutputEvent::Silence(_) | OutputEvent::End { .. } => {
                fail(Failure::NotUnderstood { asked: run.asked, last: None })
            }
        }
    }

    fn print(&mut self, mut printing: Printing, event: OutputEvent) -> Next {
        let is_end = matches!(event, OutputEvent::End { .. });
        if !printing.is_over(event, self.sign) {
            return wait(Stage::Printing(printing));
        }
        self.earlier = self.earlier.max(Earlier::Totals);
        let Printing { reader, asked } = printing;
        if !reader.state.is_empty() {
            finish(Reply { state: reader.state, ..Reply::default() })
        } else if is_end && self.sign != Sign::End {
            fail(Failure::Ended)
        } else {
            // Without a sign, the state may still come.
            let stage = if self.sign.is_asked_for() { Stage::Idle } else { Stage::Ended };
            (stage, Action::Fail(Failure::NoState { asked }))
        }
    }
}

impl Sign {
    fn is_asked_for(self) -> bool {
        matches!(self, Sign::Readyok | Sign::Pong(_))
    }

    /// Returns the text before the sign that the program is ready, if a line ends with this sign. The text is not empty
    /// if the program does not end its last line before the sign.
    fn text_before(self, line: &str) -> Option<&str> {
        match self {
            Sign::Readyok => line.strip_suffix("readyok"),
            Sign::Pong(number) => line.strip_suffix(&format!("pong {number}")),
            Sign::Silence | Sign::End => None,
        }
    }
}

fn list(mut variations: Variations, event: OutputEvent) -> Next {
    match event {
        OutputEvent::Line(line) if variations.read(&line) => finish(Reply::from(variations.finish())),
        OutputEvent::Line(_) | OutputEvent::Silence(_) => wait(Stage::Listing(variations)),
        OutputEvent::End { .. } => fail(Failure::Ended),
    }
}

/// The output of a program that was started for one count.
#[derive(Debug)]
pub(super) struct Run {
    reader: AnswerReader,
    asked: String,
    has_searched: bool,
}

impl Run {
    /// Begins to read the output of a program that was asked with these words.
    pub fn new(depth: u32, asked: String) -> Run {
        Run { reader: AnswerReader::new(Some(depth)), asked, has_searched: false }
    }
}

/// A printed state that is being read.
#[derive(Debug)]
pub(super) struct Printing {
    reader: StateReader,
    asked: String,
}

impl Printing {
    /// Begins to read the state of a program that was sent `asked`.
    pub fn new(asked: String) -> Printing {
        Printing { reader: StateReader::default(), asked }
    }

    fn patience(&self, sign: Sign) -> Option<Duration> {
        let silence = if self.reader.state.is_empty() { AFTER_NOTHING } else { AFTER_TOTAL };
        (sign == Sign::Silence).then_some(silence)
    }

    /// Reads what was heard. Returns whether nothing else belongs to the state.
    fn is_over(&mut self, event: OutputEvent, sign: Sign) -> bool {
        match event {
            OutputEvent::Line(line) => {
                let before_sign = sign.text_before(line.trim());
                self.reader.read(before_sign.unwrap_or(&line));
                before_sign.is_some()
            }
            OutputEvent::Silence(activity) => activity != Activity::Busy,
            OutputEvent::End { .. } => true,
        }
    }
}

#[cfg(test)]
mod tests;
