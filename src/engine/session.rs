//! A running program: it is opened, asked, and heard.
//!
//! The protocols do not say where the answer to a perft ends. While a program is [examined](super::exam), an answer goes
//! on until the program has been silent and has waited for input for a second. The exam learns what the end looks like,
//! and from then on an answer ends there.
//!
//! `UCI_Chess960` is set before the position, because it changes how the engine reads the position.

use std::time::Duration;

use perft_core::StopSignal;
use perft_diagnosis::source::{Profile, Question, SourceError, State, StateReader, Usage};

use super::ask_method::Handshake;
use super::dialect;
use super::process::{Deadline, OutputEvent, Process};
use super::spec::{EngineSpec, UciOptions};

/// The option that switches to the castling notation of Chess960.
const CHESS960: &str = "UCI_Chess960";

/// A pause: the time for which a program waits for input. A single one shows that it has not understood.
const PAUSE: Duration = Duration::from_millis(250);

/// The number of pauses after which an answer is over, if nothing else says so.
const PAUSES: u32 = 4;

/// A running program.
#[derive(Debug)]
pub(super) struct Session {
    process: Process,
    sign: Sign,
    /// The number of times that the program was asked whether it is ready, and of those that it has not answered yet.
    asked: u32,
    unanswered: u32,
    is_chess960: bool,
    /// The name that the program gives itself.
    pub name: Option<String>,
    /// The UCI options that the engine lists.
    options: UciOptions,
}

/// The way in which a program says that it is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// `isready` is answered with `readyok`.
    Readyok,
    /// `ping N` is answered with `pong N`.
    Pong,
    /// It does not.
    None,
}

impl Sign {
    /// Returns the text before the sign, if a line ends with it. The text is not empty if the program does not end its
    /// last line before the sign.
    fn text_before(self, line: &str) -> Option<&str> {
        match self {
            Sign::Readyok => line.strip_suffix("readyok"),
            Sign::Pong => line.trim_end_matches(|digit: char| digit.is_ascii_digit()).strip_suffix("pong "),
            Sign::None => None,
        }
    }
}

/// What a program has said until its answer was over.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub lines: Vec<String>,
    /// The number of lines before it said that it was ready.
    pub ready: Option<usize>,
    /// Whether it has ended.
    pub has_ended: bool,
    /// The error with which it has ended, if it has failed.
    pub crash: Option<SourceError>,
}

impl Heard {
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

/// Something that a program says while it is heard.
enum Said<'a> {
    Line(&'a str),
    Ready,
    /// The program waits for input behind the beginning of a line. The line counts as finished if it has a count.
    Unfinished(&'a str),
    /// It has waited for input during this many pauses in a row.
    Pauses(u32),
}

/// How the end of an answer is recognised.
#[derive(Clone, Copy)]
pub(super) enum Hearing<'a> {
    /// As it was learned.
    Learned(&'a Profile),
    /// The answer is heard out, unless a `trial` does not show a right count. `shows` says whether lines show it.
    Full { shows: &'a dyn Fn(&[String]) -> bool, is_trial: bool },
}

impl Session {
    /// Starts the program, sets its options and waits until it is ready.
    pub fn start(spec: &EngineSpec, stop: &StopSignal) -> Result<Session, SourceError> {
        let mut session = Session::of(spec, &spec.command)?;
        let deadline = Deadline::new(spec.start_limit, stop);
        match spec.asking.handshake {
            Handshake::Uci => session.introduce(spec, &deadline)?,
            Handshake::Cecp => session.announce(&deadline)?,
            Handshake::None => {}
        }
        Ok(session)
    }

    fn of(spec: &EngineSpec, command: &[String]) -> Result<Session, SourceError> {
        let process = Process::start(command, spec.folder.as_deref(), &spec.transcript)?;
        Ok(Session {
            process,
            sign: Sign::None,
            asked: 0,
            unanswered: 0,
            is_chess960: false,
            name: None,
            options: UciOptions::default(),
        })
    }

    /// Opens a conversation with a UCI engine. Many engines load their tables at `isready`. That must not be timed with
    /// the first question. Some engines need `ucinewgame`.
    fn introduce(&mut self, spec: &EngineSpec, deadline: &Deadline) -> Result<(), SourceError> {
        self.process.send("uci")?;
        let mut is_open = false;
        let heard = self.hear(spec.is_trial, deadline, &mut |said, _| {
            is_open |= matches!(said, Said::Line(line) if line.trim() == "uciok");
            is_open || matches!(said, Said::Pauses(2..))
        })?;
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
        self.sign = Sign::Readyok;
        self.send_with_sign([lines, vec!["ucinewgame".to_owned()]].concat())?;
        let heard = self.hear(false, deadline, &mut |said, _| matches!(said, Said::Ready))?;
        if heard.has_ended { Err(self.process.ended()) } else { Ok(()) }
    }

    /// Opens a conversation with an XBoard engine. Old engines print no features.
    fn announce(&mut self, deadline: &Deadline) -> Result<(), SourceError> {
        self.process.send("xboard\nprotover 2")?;
        let heard = self.hear(true, deadline, &mut |said, _| match said {
            Said::Line(line) => line.contains("done=1"),
            Said::Unfinished(_) => false,
            Said::Ready | Said::Pauses(_) => true,
        })?;
        for line in &heard.lines {
            if line.contains("ping=1") {
                self.sign = Sign::Pong;
            }
            if let Some((_, rest)) = line.split_once("myname=\"") {
                self.name = rest.split('"').next().map(str::to_owned);
            }
        }
        self.process.send("force")
    }

    /// Runs the program for one question, which is in its arguments or on its standard input. Returns what it has said
    /// and used.
    pub fn run(
        spec: &EngineSpec,
        question: &Question,
        stop: &StopSignal,
    ) -> Result<(Heard, Option<Usage>), SourceError> {
        let (session, heard) =
            Session::hear_all(spec, &spec.command_for(question)?, &spec.lines_for(question)?, stop)?;
        Ok((heard, session.usage()))
    }

    /// Runs the program and sends it lines that make it print its state.
    pub fn run_for_state(
        spec: &EngineSpec,
        lines: &[String],
        stop: &StopSignal,
    ) -> Result<State, SourceError> {
        let (mut session, heard) = Session::hear_all(spec, &spec.command, lines, stop)?;
        session.state_in(heard, lines)
    }

    /// Runs a command, sends it all its input, and hears it until it ends.
    fn hear_all(
        spec: &EngineSpec,
        command: &[String],
        lines: &[String],
        stop: &StopSignal,
    ) -> Result<(Session, Heard), SourceError> {
        let mut session = Session::of(spec, command)?;
        if !lines.is_empty() {
            session.process.send(&lines.join("\n"))?;
        }
        session.process.close_input();
        session.process.expect_answer();
        let deadline = Deadline::new(spec.answer_limit, stop);
        let mut is_over = |said: Said, _: &_| matches!(said, Said::Pauses(PAUSES..));
        let heard = session.hear(spec.is_trial, &deadline, &mut is_over)?;
        Ok((session, heard))
    }

    pub fn announces_chess960(&self) -> bool {
        self.options.has(CHESS960)
    }

    /// Asks a question, and hears the answer.
    pub fn ask(
        &mut self,
        spec: &EngineSpec,
        question: &Question,
        hearing: Hearing,
        stop: &StopSignal,
    ) -> Result<Heard, SourceError> {
        let lines = spec.lines_for(question)?;
        self.begin_answer(question.is_chess960)?;
        let deadline = Deadline::new(spec.answer_limit, stop);
        if spec.asking.is_search {
            self.process.send(&lines.join("\n"))?;
            let mut is_end =
                |said: Said, _: &_| matches!(said, Said::Line(line) if line.starts_with("bestmove"));
            let heard = self.hear(false, &deadline, &mut is_end)?;
            let lines = dialect::moves(&heard.lines);
            return Ok(Heard { ready: Some(lines.len()), lines, ..heard });
        }
        self.send_with_sign(lines)?;
        match hearing {
            Hearing::Learned(profile) => self.hear_learned(spec, profile, question.depth, &deadline),
            Hearing::Full { shows, is_trial } => self.hear_out(spec, question, shows, is_trial, &deadline),
        }
    }

    /// Hears an answer until its learned end, and until the program is ready. If nothing says where it ends, or if the
    /// program has said something else, it ends when the program waits for input.
    fn hear_learned(
        &mut self,
        spec: &EngineSpec,
        profile: &Profile,
        depth: u32,
        deadline: &Deadline,
    ) -> Result<Heard, SourceError> {
        let mut reader = profile.reader(depth);
        let mut is_ready = self.sign == Sign::None;
        let can_be_silent = is_ready;
        self.hear(true, deadline, &mut |said, heard| {
            match said {
                Said::Line(line) => reader.read(line),
                Said::Ready => is_ready = true,
                Said::Unfinished(line) => return reader.is_count(line),
                Said::Pauses(pauses) => {
                    let is_answered = is_ready && !(can_be_silent && heard.is_silent());
                    return pauses >= PAUSES && (is_answered || spec.is_trial);
                }
            }
            is_ready && reader.is_over()
        })
    }

    /// Hears an answer until the program has waited for input for some time. The program must also have said that it is
    /// ready, unless it is only tried.
    fn hear_out(
        &mut self,
        spec: &EngineSpec,
        question: &Question,
        shows: &dyn Fn(&[String]) -> bool,
        is_trial: bool,
        deadline: &Deadline,
    ) -> Result<Heard, SourceError> {
        let has_sign = self.sign != Sign::None;
        let is_known = |heard: &Heard| !is_trial || shows(&heard.lines);
        let (mut has_searched, mut quiet) = (false, 0);
        let heard = self.hear(true, deadline, &mut |said, heard| match said {
            // Some programs play a move after the counts.
            Said::Line(line) if is_search(line) => {
                has_searched = !is_known(heard);
                has_searched
            }
            Said::Line(_) | Said::Ready => false,
            Said::Unfinished(line) => shows(&[line.to_owned()]),
            Said::Pauses(pauses) => {
                let is_missing = has_sign && heard.ready.is_none();
                quiet += 1;
                // After the first pause, a program that is ready is asked again.
                let is_enough = if is_missing || is_known(heard) {
                    pauses >= PAUSES
                } else {
                    quiet > u32::from(has_sign)
                };
                is_enough && (!is_missing || spec.is_trial)
            }
        })?;
        if has_searched { Err(SourceError::Searched(spec.question_text(question))) } else { Ok(heard) }
    }

    /// Sends lines that make the program print its state, and reads it.
    pub fn state(
        &mut self,
        spec: &EngineSpec,
        is_chess960: bool,
        lines: &[String],
        stop: &StopSignal,
    ) -> Result<State, SourceError> {
        self.begin_answer(is_chess960)?;
        self.send_with_sign(lines.to_vec())?;
        let deadline = Deadline::new(spec.answer_limit, stop);
        let has_sign = self.sign != Sign::None;
        let mut is_over = |said: Said, _: &_| matches!(said, Said::Ready | Said::Pauses(_));
        let heard = self.hear(!has_sign, &deadline, &mut is_over)?;
        self.state_in(heard, lines)
    }

    fn state_in(&mut self, heard: Heard, lines: &[String]) -> Result<State, SourceError> {
        let mut reader = StateReader::default();
        heard.lines.iter().for_each(|line| reader.read(line));
        match reader.state.is_empty() {
            false => Ok(reader.state),
            true if heard.crash.is_some() => Err(self.process.ended()),
            true => Err(SourceError::NoState {
                asked: lines.last().cloned().unwrap_or_default(),
                last: heard.last(),
            }),
        }
    }

    /// Prepares for an answer, in Chess960 or not.
    fn begin_answer(&mut self, is_chess960: bool) -> Result<(), SourceError> {
        if self.is_chess960 != is_chess960 && self.announces_chess960() {
            self.is_chess960 = is_chess960;
            self.process.send(&self.options.line(CHESS960, &is_chess960.to_string())?)?;
        }
        self.process.expect_answer();
        Ok(())
    }

    /// Sends lines, and asks the program whether it is ready.
    fn send_with_sign(&mut self, mut lines: Vec<String>) -> Result<(), SourceError> {
        self.asked += 1;
        match self.sign {
            Sign::Readyok => lines.push("isready".to_owned()),
            Sign::Pong => lines.push(format!("ping {}", self.asked)),
            Sign::None => {}
        }
        self.unanswered += u32::from(self.sign != Sign::None);
        self.process.send(&lines.join("\n"))
    }

    /// Returns what the program has printed since the end of its last answer.
    pub fn late_lines(&mut self) -> Vec<String> {
        let mut lines = self.process.late_lines();
        lines.retain(|line| {
            let is_sign = self.sign.text_before(line.trim()) == Some("");
            self.unanswered -= u32::from(is_sign).min(self.unanswered);
            !is_sign && !line.trim().is_empty()
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

    /// Hears the program until `is_over` says so, or until its output ends. Pauses are heard only if asked for, because
    /// looking at all processes of the system takes a millisecond.
    ///
    /// Some programs hold their output back until they print something else. So a program that is ready, and waits
    /// without an answer, is asked once more whether it is ready.
    fn hear(
        &mut self,
        with_pauses: bool,
        deadline: &Deadline,
        is_over: &mut dyn FnMut(Said, &Heard) -> bool,
    ) -> Result<Heard, SourceError> {
        let (mut heard, mut pauses, mut is_asked_again) = (Heard::default(), 0, false);
        loop {
            let event = self.process.hear(with_pauses.then_some(PAUSE), deadline)?;
            pauses = if event == OutputEvent::Waiting { pauses + 1 } else { 0 };
            let is_end = match event {
                OutputEvent::Waiting => {
                    let unfinished = self.process.unfinished();
                    if !unfinished.is_empty() && is_over(Said::Unfinished(&unfinished), &heard) {
                        heard.lines.push(self.process.take_unfinished());
                        is_over(Said::Line(&unfinished), &heard)
                    } else if is_over(Said::Pauses(pauses), &heard) {
                        true
                    } else {
                        if heard.ready.is_some() && !is_asked_again {
                            is_asked_again = true;
                            self.send_with_sign(Vec::new())?;
                        }
                        false
                    }
                }
                OutputEvent::End { has_failed } => {
                    heard.has_ended = true;
                    heard.crash = has_failed.then(|| self.process.ended());
                    true
                }
                OutputEvent::Line(line) => {
                    let before_sign = self.sign.text_before(line.trim());
                    let text = before_sign.map_or(line.as_str(), str::trim);
                    let mut is_end = false;
                    if before_sign != Some("") {
                        heard.lines.push(text.to_owned());
                        is_end = is_over(Said::Line(text), &heard);
                    }
                    if before_sign.is_some() {
                        self.unanswered = self.unanswered.saturating_sub(1);
                        if self.unanswered == 0 {
                            heard.ready.get_or_insert(heard.lines.len());
                            is_end |= is_over(Said::Ready, &heard);
                        }
                    }
                    is_end
                }
            };
            if is_end {
                return Ok(heard);
            }
        }
    }

    /// Returns what the engine has used since it was started, or `None` where the system does not say.
    pub fn usage(&self) -> Option<Usage> {
        self.process.usage()
    }
}

/// Whether a line is the output of a search: the program does not know the command for a perft.
fn is_search(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("bestmove") => true,
        Some("info") => {
            words.next() != Some("string") && words.any(|word| ["pv", "score", "currmove"].contains(&word))
        }
        _ => false,
    }
}
