//! A running program is asked, and its answer is heard.
//!
//! The protocols do not say where the answer to a perft ends. While a program is [examined](super::exam), an answer
//! goes on until the program has been silent for a second. The exam learns what the end looks like, and from then on an
//! answer ends there.
//!
//! Programs that count for long may also print what they have counted so far, in lines that look like the end. So an
//! end is believed only if the program then says that it is ready, if all legal moves are listed and add up, or if the
//! answer is as short as those of the exam. Otherwise the program must be silent: for a moment if its processor time
//! shows that it has counted and is now idle, or if the system says that it only waits for input, and else for longer than
//! it was silent before. It may be a relay, such as `ssh`, or look for input all the time.
//!
//! `UCI_Chess960` is set before the position, because it changes how the engine reads the position.

use std::time::{Duration, Instant};

use perft_core::StopSignal;
use perft_diagnosis::source::{AnswerReader, Cost, End, SourceError, Usage};

use super::dialect::{self, Handshake};
use super::process::{Deadline, OutputEvent, Process};
use super::spec::EngineSpec;

/// The option that switches to the castling notation of Chess960.
const CHESS960: &str = "UCI_Chess960";

/// The length of a pause, in which a program prints nothing.
pub(super) const PAUSE: Duration = Duration::from_millis(250);

/// The length of a pause after the end of an answer.
const PAUSE_AT_END: Duration = Duration::from_millis(60);

/// The silence after which an answer is over, if nothing else says so.
pub(super) const SILENCE: Duration = Duration::from_secs(1);

/// The time that a slow program needs for a leaf node.
const SLOW: Duration = Duration::from_micros(50);

/// The silence after which an answer is over, of a program that may still count although it seems to be idle. Many print
/// a line each second.
const LONG_SILENCE: Duration = Duration::from_millis(1300);

/// The time and the count up to which an answer is as short as those that were heard out in the exam.
const SHORT: (Duration, u128) = (Duration::from_millis(100), 9_000);

/// A running program.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) process: Process,
    /// The protocol in which it says that it is ready.
    pub(super) sign: Handshake,
    /// How often the program was asked whether it is ready, and how often it has not answered yet.
    asked: u32,
    unanswered: u32,
    is_chess960: bool,
    /// The name that the program gives itself.
    pub name: Option<String>,
    pub(super) options: UciOptions,
}

/// How the end of an answer is recognised.
pub(super) enum Hearing<'a, 'p> {
    /// As it was learned. The reader gets the lines.
    Learned(&'a mut AnswerReader<'p>),
    /// The answer is heard out: in a trial, only if `shows` finds the right count in its lines.
    Full { shows: &'a dyn Fn(&[String]) -> bool, is_trial: bool },
    /// The program prints its state and is then ready.
    State,
}

impl Hearing<'_, '_> {
    fn given(&mut self, heard: Heard) -> Heard {
        if let Hearing::Learned(reader) = self {
            heard.lines.iter().for_each(|line| reader.read(line));
        }
        heard
    }
}

impl Session {
    pub(super) fn new(process: Process) -> Session {
        let (sign, options) = (Handshake::None, UciOptions::default());
        Session { process, sign, asked: 0, unanswered: 0, is_chess960: false, name: None, options }
    }

    pub fn announces_chess960(&self) -> bool {
        self.options.option(CHESS960).is_some()
    }

    /// Sends the lines of a question, and hears the answer. A program that is run for each question gets no more input,
    /// and is heard until it ends.
    pub fn ask(
        &mut self,
        spec: &EngineSpec,
        lines: &[String],
        is_chess960: bool,
        hearing: &mut Hearing,
        stop: &StopSignal,
    ) -> Result<Heard, SourceError> {
        if self.is_chess960 != is_chess960 && self.announces_chess960() {
            self.is_chess960 = is_chess960;
            self.process.send(&self.options.line(CHESS960, &is_chess960.to_string())?)?;
        }
        self.process.expect_answer();
        let deadline = Deadline::new(spec.answer_limit, stop);
        let no_count = |_: &str| false;
        if spec.is_run_for_each_question() {
            if !lines.is_empty() {
                self.process.send(&lines.join("\n"))?;
            }
            self.process.close_input();
            let heard = self.hear(Some(PAUSE), &deadline, &no_count, &mut |_, heard| {
                spec.is_trial && heard.idle >= SILENCE
            })?;
            return Ok(hearing.given(heard));
        }
        if spec.asking.is_search && !matches!(hearing, Hearing::State) {
            self.process.send(&lines.join("\n"))?;
            let mut is_end =
                |cue: Cue, _: &mut _| matches!(cue, Cue::Line(line) if line.starts_with("bestmove"));
            let heard = self.hear(None, &deadline, &no_count, &mut is_end)?;
            let lines = dialect::moves(&heard.lines);
            return Ok(hearing.given(Heard { ready: Some(lines.len()), lines, ..heard }));
        }
        self.send_with_sign(lines)?;
        let has_sign = self.sign != Handshake::None;
        match hearing {
            Hearing::Learned(reader) => {
                let AnswerReader { profile, depth, moves, .. } = **reader;
                let has_count = |line: &str| profile.has_count(line, depth);
                let size = u32::try_from(moves).unwrap_or(u32::MAX).saturating_pow(depth);
                let may_count_for = if spec.is_trial { Duration::ZERO } else { SLOW * size };
                self.hear(Some(PAUSE), &deadline, &has_count, &mut |cue, heard| {
                    if let Cue::Line(line) = cue {
                        reader.read(line);
                    }
                    let is_ready = !has_sign || heard.ready.is_some();
                    // A wrong answer may lack most moves.
                    let adds_up = reader.has_total() && reader.answer().adds_up();
                    heard.patience = Some(if reader.is_over() || adds_up { PAUSE_AT_END } else { PAUSE });
                    if reader.is_over() {
                        return if is_ready {
                            heard.confirms(reader, &cue)
                        } else {
                            spec.is_trial && heard.idle >= SILENCE
                        };
                    }
                    // If nothing says where the answer ends, or if the program has said something else, it ends when
                    // the program waits for input.
                    let is_said = !heard.is_silent() || heard.silence >= may_count_for;
                    let is_answered =
                        spec.is_trial || is_ready && is_said && (has_sign || !heard.is_silent());
                    let has_total = profile.end == End::Silence && reader.has_total();
                    let is_idle = heard.idle >= SILENCE && (heard.has_worked || heard.is_long_silent());
                    is_idle && is_answered
                        || adds_up && is_ready && heard.only_reads
                        || heard.is_long_silent() && is_ready && (has_total || reader.is_whole())
                })
            }
            Hearing::Full { shows, is_trial } => {
                let last = lines.last().cloned().unwrap_or_default();
                self.hear_out(spec, *shows, *is_trial, &deadline)?.ok_or(SourceError::Searched(last))
            }
            Hearing::State => {
                let is_silent =
                    |heard: &Heard| !heard.idle.is_zero() || !heard.silence.is_zero() && !heard.is_silent();
                self.hear(Some(PAUSE), &deadline, &no_count, &mut |_, heard| {
                    heard.ready.is_some() || !has_sign && is_silent(heard)
                })
            }
        }
    }

    /// Hears an answer until the program has been silent for some time. The program must also have said that it is
    /// ready, unless it is only tried. Returns `None` if it has begun to search.
    fn hear_out(
        &mut self,
        spec: &EngineSpec,
        shows: &dyn Fn(&[String]) -> bool,
        is_trial: bool,
        deadline: &Deadline,
    ) -> Result<Option<Heard>, SourceError> {
        let has_sign = self.sign != Handshake::None;
        let (mut has_searched, mut pauses) = (false, 0);
        let has_count = |line: &str| shows(&[line.to_owned()]);
        let heard = self.hear(Some(PAUSE), deadline, &has_count, &mut |cue, heard| {
            match cue {
                Cue::Line(line) => {
                    has_searched |= is_search(line);
                    return is_trial && is_long_search(line) && !shows(&heard.lines);
                }
                Cue::Ready => return false,
                Cue::Pause => pauses += 1,
            }
            let is_missing = has_sign && heard.ready.is_none();
            // A program that looks for input all the time is never idle.
            let is_silent = |time| {
                heard.idle >= time
                    || heard.silence >= time && shows(&heard.lines)
                    || is_trial && heard.read >= SILENCE
            };
            // After the first pause, a program that is ready is asked again.
            let is_enough = if is_missing || !is_trial || shows(&heard.lines) {
                is_silent(SILENCE)
            } else {
                is_silent(PAUSE) && pauses > u32::from(has_sign)
            };
            is_enough && (!is_missing || spec.is_trial)
        })?;
        let is_search = is_trial && has_searched && !shows(&heard.lines);
        Ok((!is_search).then_some(heard))
    }

    /// Sends lines, and asks the program whether it is ready.
    pub(super) fn send_with_sign(&mut self, lines: &[String]) -> Result<(), SourceError> {
        self.asked += 1;
        let sign = match self.sign {
            Handshake::Uci => Some("isready".to_owned()),
            Handshake::Cecp => Some(format!("ping {}", self.asked)),
            Handshake::None => None,
        };
        self.unanswered += u32::from(sign.is_some());
        self.process.send(&lines.iter().cloned().chain(sign).collect::<Vec<_>>().join("\n"))
    }

    /// Returns what the program has printed since the end of its last answer.
    pub fn late_lines(&mut self) -> Vec<String> {
        let mut lines = self.process.late_lines();
        lines.retain(|line| {
            let is_sign = self.sign.split_at_sign(line) == Some(("", ""));
            self.unanswered -= u32::from(is_sign).min(self.unanswered);
            !is_sign && !self.sign.is_echo(line) && !line.trim().is_empty()
        });
        lines
    }

    /// Returns how the program has ended since its last answer, if it has.
    pub fn end(&mut self) -> Option<Result<(), SourceError>> {
        let has_ended = self.process.has_ended();
        has_ended.then(|| match self.process.wait_briefly() {
            Some(status) if status.success() => Ok(()),
            _ => Err(self.process.ended()),
        })
    }

    /// Hears the program until `is_over` says so, or until its output ends. Pauses are heard only with a patience,
    /// because looking at all processes of the system takes a millisecond. If the program waits after the beginning of
    /// a line, and this part has a count or says that the program is ready, it is taken as a line.
    ///
    /// Some programs hold their output back until they print something else. So a program that is ready, and waits
    /// without an answer, is asked once more whether it is ready.
    pub(super) fn hear(
        &mut self,
        patience: Option<Duration>,
        deadline: &Deadline,
        has_count: &dyn Fn(&str) -> bool,
        is_over: &mut dyn FnMut(Cue, &mut Heard) -> bool,
    ) -> Result<Heard, SourceError> {
        let begin = Instant::now();
        let (mut heard, mut is_asked_again) = (Heard { patience, ..Heard::default() }, false);
        loop {
            let event = self.process.hear(heard.patience, deadline)?;
            let line = match event {
                OutputEvent::Silent { has_read, is_idle } => {
                    let sign = self.sign;
                    let is_line =
                        |line: &str| is_idle && has_count(line) || sign.split_at_sign(line).is_some();
                    match self.process.take_unfinished(&is_line) {
                        Some(line) => line,
                        None => {
                            heard.pause(begin.elapsed(), has_read, is_idle);
                            heard.has_worked = self.process.has_worked(heard.took);
                            heard.only_reads = is_idle && self.process.only_reads();
                            if is_over(Cue::Pause, &mut heard) {
                                break;
                            }
                            if is_idle && heard.ready.is_some() && !is_asked_again {
                                is_asked_again = true;
                                self.send_with_sign(&[])?;
                            }
                            continue;
                        }
                    }
                }
                OutputEvent::End { has_failed } => {
                    heard.has_ended = true;
                    heard.crash = has_failed.then(|| self.process.ended());
                    break;
                }
                OutputEvent::Line(line) => line,
            };
            heard.took = begin.elapsed();
            [heard.silence, heard.read, heard.idle] = [Duration::ZERO; 3];
            heard.only_reads = false;
            if self.hear_line(&line, &mut heard, is_over) {
                break;
            }
        }
        heard.uses_two_pipes = self.process.uses_two_pipes();
        Ok(heard)
    }

    /// Hears a line. It may have `readyok` before or after other text, if the program does not end its lines.
    fn hear_line(
        &mut self,
        line: &str,
        heard: &mut Heard,
        is_over: &mut dyn FnMut(Cue, &mut Heard) -> bool,
    ) -> bool {
        if self.sign.is_echo(line) {
            return false;
        }
        let Some((before, after)) = self.sign.split_at_sign(line) else {
            heard.lines.push(line.to_owned());
            return is_over(Cue::Line(line), heard);
        };
        let mut is_end = !before.is_empty() && self.hear_line(before, heard, is_over);
        self.unanswered = self.unanswered.saturating_sub(1);
        // A program that is asked again while it counts may be ready again.
        if self.unanswered == 0 && heard.ready.is_none() {
            heard.ready = Some(heard.lines.len());
            is_end |= is_over(Cue::Ready, heard);
        }
        is_end | (!after.is_empty() && self.hear_line(after, heard, is_over))
    }

    /// Returns what the engine has used since it was started, or `None` where the system does not say.
    pub fn usage(&self) -> Option<Usage> {
        self.process.usage()
    }
}

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
    pub has_ended: bool,
    /// Whether it has used both standard output and standard error.
    pub uses_two_pipes: bool,
    /// The error with which it has ended, if it has failed.
    pub crash: Option<SourceError>,
    /// What its processes have used.
    pub cost: Cost,
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

/// The options that an engine lists: their names, which are case-insensitive, and the values of options of the type
/// `combo`.
#[derive(Debug, Default)]
pub(super) struct UciOptions(Vec<(String, Vec<String>)>);

impl UciOptions {
    /// Reads a line such as `option name UCI_Variant type combo default chess var chess var atomic`. Any other line is
    /// ignored.
    pub fn read(&mut self, line: &str) {
        let option = line.strip_prefix("option name ").and_then(|option| option.split_once(" type "));
        self.0.extend(option.map(|(name, rest)| {
            let values = rest.split(" var ").skip(1).map(|value| value.trim().to_owned());
            (name.trim().to_owned(), values.collect())
        }));
    }

    pub fn option(&self, name: &str) -> Option<&(String, Vec<String>)> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Returns the line that sets an option.
    ///
    /// # Errors
    /// The engine has no such option, or the option cannot have this value. Engines ignore unknown options, so the
    /// counts would silently be made with other settings.
    pub fn line(&self, name: &str, value: &str) -> Result<String, SourceError> {
        let Some((_, values)) = self.option(name) else {
            let known = self.0.iter().map(|(known, _)| known.clone()).collect();
            return Err(SourceError::NoOption(name.to_owned(), known));
        };
        if !values.is_empty() && !values.iter().any(|known| known.eq_ignore_ascii_case(value)) {
            return Err(SourceError::NoOptionValue(name.to_owned(), value.to_owned(), values.clone()));
        }
        Ok(format!("setoption name {name} value {value}"))
    }
}
