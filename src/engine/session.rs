//! A running program: it is opened, asked, and heard.
//!
//! The protocols do not say where the answer to a perft ends. While a program is [examined](super::exam), an answer
//! goes on until the program has been silent for a second. The exam learns what the end looks like, and from then on an
//! answer ends there. The module `heard` says when that is believed.
//!
//! `UCI_Chess960` is set before the position, because it changes how the engine reads the position.

use std::time::{Duration, Instant};

use perft_core::StopSignal;
use perft_diagnosis::source::{AnswerReader, End, SourceError, Usage};

use super::dialect::{self, Handshake};
use super::heard::{Cue, Heard, is_long_search, is_search};
use super::process::{Deadline, OutputEvent, Process};
use super::spec::{EngineSpec, busy};

/// The option that switches to the castling notation of Chess960.
const CHESS960: &str = "UCI_Chess960";

/// The length of a pause, in which a program prints nothing.
const PAUSE: Duration = Duration::from_millis(250);

/// The length of a pause after the end of an answer.
const PAUSE_AT_END: Duration = Duration::from_millis(60);

/// The silence after which an answer is over, if nothing else says so.
const SILENCE: Duration = Duration::from_secs(1);

/// The time that a slow program needs for a leaf node.
const SLOW: Duration = Duration::from_micros(50);

/// A running program.
#[derive(Debug)]
pub(super) struct Session {
    process: Process,
    /// The protocol in which it says that it is ready.
    sign: Handshake,
    /// How often the program was asked whether it is ready, and how often it has not answered yet.
    asked: u32,
    unanswered: u32,
    is_chess960: bool,
    /// The name that the program gives itself.
    pub name: Option<String>,
    /// The UCI options that the engine lists.
    options: UciOptions,
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
    /// Gives all lines of an answer to the reader.
    fn given(&mut self, heard: Heard) -> Heard {
        if let Hearing::Learned(reader) = self {
            heard.lines.iter().for_each(|line| reader.read(line));
        }
        heard
    }
}

impl Session {
    /// Starts the program, sets its options and waits until it is ready. A program that is run for each question is
    /// only started.
    pub fn start(spec: &EngineSpec, command: &[String], stop: &StopSignal) -> Result<Session, SourceError> {
        let mut session = Session {
            process: Process::start(command, spec.folder.as_deref(), &spec.transcript)?,
            sign: Handshake::None,
            asked: 0,
            unanswered: 0,
            is_chess960: false,
            name: None,
            options: UciOptions::default(),
        };
        let deadline = Deadline::new(spec.start_limit, stop);
        match spec.asking.handshake {
            _ if spec.is_run_for_each_question() => {}
            Handshake::Uci => session.introduce(spec, &deadline)?,
            Handshake::Cecp => session.announce(&deadline)?,
            Handshake::None => {}
        }
        Ok(session)
    }

    /// Opens a conversation with a UCI engine. Many engines load their tables at `isready`. That must not be timed with
    /// the first question. Some engines need `ucinewgame`.
    fn introduce(&mut self, spec: &EngineSpec, deadline: &Deadline) -> Result<(), SourceError> {
        self.process.send("uci")?;
        let mut is_open = false;
        let is_opening = |line: &str| line.trim() == "uciok";
        let is_busy_for = busy() * 3 * SILENCE;
        let heard = self.hear(Some(PAUSE), deadline, &is_opening, &mut |cue, heard| {
            is_open |= matches!(cue, Cue::Line(line) if is_opening(line));
            is_open || spec.is_trial && (heard.idle >= 2 * PAUSE || heard.read >= is_busy_for)
        });
        let heard = match heard {
            Err(SourceError::TimedOut(limit, last)) if spec.is_trial && !self.process.has_read_all() => {
                return Err(SourceError::NotRead(limit, last));
            }
            heard => heard?,
        };
        if !is_open {
            return Err(match heard.has_ended {
                true => self.process.ended(),
                false => SourceError::NotUnderstood { asked: "uci".to_owned(), last: heard.last() },
            });
        }
        for line in heard.lines.iter().map(|line| line.trim()) {
            self.name = line.strip_prefix("id name ").map(|name| name.trim().to_owned()).or(self.name.take());
            self.options.read(line);
        }
        let variations = spec.asking.is_search.then_some((dialect::OPTION, dialect::MOST));
        let settings =
            spec.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(variations);
        let lines =
            settings.map(|(name, value)| self.options.line(name, value)).collect::<Result<Vec<_>, _>>()?;
        self.sign = Handshake::Uci;
        self.send_with_sign(&[lines, vec!["ucinewgame".to_owned()]].concat())?;
        let heard = self.hear(Some(PAUSE), deadline, &|_| false, &mut |_, heard| heard.ready.is_some())?;
        if heard.has_ended { Err(self.process.ended()) } else { Ok(()) }
    }

    /// Opens a conversation with an XBoard engine. Old engines print no features.
    fn announce(&mut self, deadline: &Deadline) -> Result<(), SourceError> {
        self.process.send("xboard\nprotover 2")?;
        let heard = self.hear(Some(PAUSE), deadline, &|_| false, &mut |cue, heard| {
            !heard.idle.is_zero()
                || heard.read >= SILENCE
                || matches!(cue, Cue::Line(line) if line.contains("done=1"))
        })?;
        for line in &heard.lines {
            if line.contains("ping=1") {
                self.sign = Handshake::Cecp;
            }
            if let Some((_, rest)) = line.split_once("myname=\"") {
                self.name = rest.split('"').next().map(str::to_owned);
            }
        }
        self.process.send("force")
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
    fn send_with_sign(&mut self, lines: &[String]) -> Result<(), SourceError> {
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
    fn hear(
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

    fn option(&self, name: &str) -> Option<&(String, Vec<String>)> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Returns the line that sets an option.
    ///
    /// # Errors
    /// The engine has no such option, or the option cannot have this value. Engines ignore unknown options, so the
    /// counts would silently be made with other settings.
    fn line(&self, name: &str, value: &str) -> Result<String, SourceError> {
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
