//! A running program that answers many questions.
//!
//! A UCI engine is opened with `uci` and `uciok`. `UCI_Chess960` is set before the position, because it changes how the
//! engine reads the position. An option that the engine does not list is an error: engines ignore unknown options, so
//! the counts would silently be made with other settings.
//!
//! The protocol does not say where the answer to a perft ends. So `isready` is sent after each question. Most
//! engines reply to it after the counts, and `readyok` ends the answer. Some engines count in another thread and
//! reply before the counts. Then another `isready` is sent after the total. A program without `isready` has
//! finished when it is silent for a moment and does not use the processor. Programs that print moves on standard
//! error do so through another pipe, so their answer goes on until both pipes are silent.

use std::time::Duration;

use perft_core::StopSignal;
use perft_diagnosis::source::{Answer, Question, SourceError, Usage};
use perft_diagnosis::state::{State, StateReader};

use super::answer_progress::{AFTER_MOVES, AFTER_NOTHING, AFTER_TOTAL, AnswerProgress, Ready, Step};
use super::ask_method::{Answers, Handshake};
use super::idle;
use super::idle::Idle;
use super::process::{Deadline, OutputEvent, Process};
use super::{EngineSpec, variations};

/// The longest time for which a program that has just been started may be silent and idle before its first answer.
const START_PATIENCE: Duration = Duration::from_millis(2500);

/// The option that switches to the castling notation of Chess960.
const CHESS960: &str = "UCI_Chess960";

/// An option that an engine lists.
#[derive(Debug)]
pub(super) struct UciOption {
    name: String,
    /// The values that it can have. Empty if it can have any text.
    values: Vec<String>,
}

impl UciOption {
    /// Reads a line such as `option name UCI_Variant type combo default chess var chess var atomic`. Returns `None` for
    /// any other line.
    pub fn of_line(line: &str) -> Option<UciOption> {
        let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
        let values = rest.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect();
        Some(UciOption { name: name.trim().to_owned(), values })
    }
}

/// A running program.
#[derive(Debug)]
pub(super) struct Session {
    process: Process,
    name: Option<String>,
    /// The UCI options that the engine lists.
    options: Vec<UciOption>,
    is_chess960: bool,
    ready: Ready,
    /// Whether the program has answered after it had said that it was ready. Then later answers are expected at
    /// that point too.
    is_late: bool,
    has_answered: bool,
    has_listed_moves: bool,
    /// Whether the program has closed its output, so that it cannot answer another question.
    pub has_ended: bool,
}

impl Session {
    /// Starts the program, sets its options and waits until it is ready.
    pub fn start(spec: &EngineSpec, stop: &StopSignal) -> Result<Session, SourceError> {
        let process = Process::start(&spec.command, spec.folder.as_deref(), &spec.transcript)?;
        let ready = Ready::Never;
        let mut session = Session {
            process,
            name: None,
            options: Vec::new(),
            is_chess960: false,
            ready,
            is_late: false,
            has_answered: false,
            has_listed_moves: false,
            has_ended: false,
        };
        let deadline = Deadline::new(spec.start_limit, stop);
        if spec.asking.handshake != Handshake::Uci {
            session.process.send_one_by_one();
        }
        match spec.asking.handshake {
            Handshake::Uci => session.open_uci(spec, &deadline)?,
            Handshake::Cecp => session.open_cecp(&deadline)?,
            Handshake::None => {}
        }
        Ok(session)
    }

    fn open_uci(&mut self, spec: &EngineSpec, deadline: &Deadline) -> Result<(), SourceError> {
        self.process.send("uci")?;
        self.read_introduction(spec, deadline)?;
        for (name, value) in &spec.options {
            self.set(name, value)?;
        }
        if spec.asking.answers == Answers::Variations {
            self.set(variations::OPTION, variations::MOST)?;
        }
        // Many engines load their tables at this point. That must not be timed with the first question. Some
        // engines need `ucinewgame`.
        self.ready = Ready::Asked;
        self.process.send("ucinewgame\nisready")?;
        self.wait_until_ready(deadline)
    }

    /// Waits for `readyok`. If the engine becomes idle without it, the engine has taken several lines at once and
    /// sees only the first one. An empty line makes it see the others. After that, each line is sent when the
    /// engine has read the line before it.
    fn wait_until_ready(&mut self, deadline: &Deadline) -> Result<(), SourceError> {
        let mut idle = None;
        loop {
            match self.process.hear(Some(AFTER_MOVES), deadline)? {
                OutputEvent::Line(line) if line.trim() == "readyok" => return Ok(()),
                OutputEvent::Line(_) => {}
                OutputEvent::End => return Err(self.process.ended()),
                OutputEvent::Silence => {
                    if idle.get_or_insert_with(|| Idle::of(&self.process)).periods(&self.process) == 2 {
                        self.process.send_one_by_one();
                        self.process.send("")?;
                    }
                }
            }
        }
    }

    /// Opens a conversation with an XBoard engine. Old ones do not know `protover` and print no features.
    fn open_cecp(&mut self, deadline: &Deadline) -> Result<(), SourceError> {
        self.process.send("xboard\nprotover 2")?;
        while let OutputEvent::Line(line) = self.process.hear(Some(AFTER_NOTHING / 2), deadline)? {
            if line.contains("ping=1") {
                self.ready = Ready::Ping(0);
            }
            if let Some((_, rest)) = line.split_once("myname=\"") {
                self.name = rest.split('"').next().map(str::to_owned);
            }
            if line.contains("done=1") {
                break;
            }
        }
        self.process.send("force")
    }

    /// Returns the name that the engine gives itself.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether the engine lists the option for Chess960.
    pub fn announces_chess960(&self) -> bool {
        self.has(CHESS960)
    }

    /// Whether the engine lists an option with this name. Option names are case-insensitive.
    pub fn has(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    fn option(&self, name: &str) -> Option<&UciOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Reads what the engine says about itself. A program that is silent and idle, or never stops printing, is
    /// not a UCI engine.
    fn read_introduction(&mut self, spec: &EngineSpec, deadline: &Deadline) -> Result<(), SourceError> {
        let mut idle = Idle::of(&self.process);
        loop {
            let line = match self.process.hear(Some(idle::period(spec.start_limit)), deadline)? {
                OutputEvent::Line(line) => line.trim().to_owned(),
                OutputEvent::End => return Err(self.process.ended()),
                OutputEvent::Silence if idle.periods(&self.process) == idle::PERIODS => {
                    let last = self.process.last_lines();
                    return Err(SourceError::NotUnderstood { asked: "uci".to_owned(), last });
                }
                OutputEvent::Silence => continue,
            };
            if line == "uciok" {
                return Ok(());
            }
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = Some(name.trim().to_owned());
            }
            self.options.extend(UciOption::of_line(&line));
        }
    }

    /// Prepares for an answer. Output that has not been read belongs to no answer and is discarded.
    fn begin_answer(&mut self) {
        self.process.forget();
        self.process.expect_answer();
    }

    /// Sets an option.
    fn set(&mut self, name: &str, value: &str) -> Result<(), SourceError> {
        let Some(option) = self.option(name) else {
            let known = self.options.iter().map(|option| option.name.clone()).collect();
            return Err(SourceError::NoOption(name.to_owned(), known));
        };
        if !option.values.is_empty() && !option.values.iter().any(|known| known.eq_ignore_ascii_case(value)) {
            let (name, value) = (name.to_owned(), value.to_owned());
            return Err(SourceError::NoOptionValue(name, value, option.values.clone()));
        }
        self.process.send(&format!("setoption name {name} value {value}"))
    }

    fn set_chess960(&mut self, is_chess960: bool) -> Result<(), SourceError> {
        if self.is_chess960 == is_chess960 || !self.has(CHESS960) {
            return Ok(());
        }
        self.is_chess960 = is_chess960;
        self.set(CHESS960, &is_chess960.to_string())
    }

    /// Asks for the counts below each move of a position.
    pub fn ask(
        &mut self,
        spec: &EngineSpec,
        question: &Question,
        stop: &StopSignal,
    ) -> Result<Answer, SourceError> {
        self.set_chess960(question.is_chess960)?;
        let lines = spec.asking.lines_for(&spec.command, question)?;
        let asked = lines.last().cloned().unwrap_or_default();
        let deadline = Deadline::new(spec.answer_limit, stop);
        self.begin_answer();
        if spec.asking.answers == Answers::Variations {
            self.process.send(&lines.join("\n"))?;
            return variations::read(&mut self.process, &deadline);
        }
        let ends_with_total = spec.asking.answers == Answers::CountsToTotal;
        let mut answer_progress = AnswerProgress::new(question.depth, self.ready, ends_with_total, asked);
        answer_progress.is_known_late = self.is_late;
        answer_progress.patience_for_moves = self.patience_for_moves();
        if !self.has_answered && !answer_progress.has_barrier {
            // The start of the program is part of the first answer, and may be slow.
            answer_progress.patience_at_first = (spec.start_limit / 4).clamp(AFTER_NOTHING, START_PATIENCE);
        }
        if spec.is_trial {
            answer_progress.patience_for_sign = Some(spec.start_limit / 4);
        }
        if !answer_progress.has_barrier || spec.is_trial {
            answer_progress.processor_time = self.process.processor_time();
        }
        self.send_with_barrier(&lines.join("\n"))?;
        while !self.is_over(&mut answer_progress, &deadline)? {}
        self.has_answered = true;
        self.has_listed_moves |= answer_progress.reader.has_moves();
        Ok(answer_progress.reader.finish())
    }

    /// Returns the silence after which a total without moves is the whole answer, or `None` if a total completes
    /// the answer at once. The first answer shows whether the program uses standard error.
    fn patience_for_moves(&self) -> Option<Duration> {
        match (self.has_answered, self.process.answers_on_errors()) {
            (false, _) => Some(AFTER_MOVES),
            (true, true) if self.has_listed_moves => Some(AFTER_MOVES),
            (true, true) => Some(AFTER_TOTAL),
            (true, false) => None,
        }
    }

    /// Sends lines that make the program print its state, and reads it.
    pub fn state(
        &mut self,
        spec: &EngineSpec,
        is_chess960: bool,
        lines: &[String],
        stop: &StopSignal,
    ) -> Result<State, SourceError> {
        self.set_chess960(is_chess960)?;
        let deadline = Deadline::new(spec.answer_limit, stop);
        self.begin_answer();
        // Only the answer of a program that never says when it has finished ends with a silence. The processor
        // time is not read for the others, because looking at all processes of the system takes a millisecond.
        let ends_with_silence = matches!(self.ready, Ready::Never);
        let mut processor_time = if ends_with_silence { self.process.processor_time() } else { None };
        self.send_with_barrier(&lines.join("\n"))?;
        let mut reader = StateReader::default();
        loop {
            let patience = match (self.ready, reader.state.is_empty()) {
                (Ready::Never, true) => Some(AFTER_NOTHING),
                (Ready::Never, false) => Some(AFTER_TOTAL),
                _ => None,
            };
            let text = match self.process.hear(patience, &deadline)? {
                OutputEvent::Line(text) => text,
                OutputEvent::Silence if self.has_worked(&mut processor_time) => continue,
                OutputEvent::Silence => break,
                OutputEvent::End => {
                    self.has_ended = true;
                    break;
                }
            };
            if let Some(rest) = self.ready.before_sign(text.trim()) {
                reader.read(rest);
                break;
            }
            reader.read(&text);
        }
        self.has_answered = true;
        if reader.state.is_empty() && self.has_ended {
            return Err(self.process.ended());
        }
        self.known(reader.state, lines)
    }

    /// Whether the program works now, or has used the processor since its processor time was `before`.
    fn has_worked(&self, before: &mut Option<Duration>) -> bool {
        let now = self.process.processor_time();
        now != std::mem::replace(before, now) || self.process.is_running()
    }

    /// Returns the state, or an error if it is empty.
    fn known(&self, state: State, lines: &[String]) -> Result<State, SourceError> {
        if !state.is_empty() {
            return Ok(state);
        }
        let asked = lines.last().cloned().unwrap_or_default();
        Err(SourceError::NoState { asked, last: self.process.last_lines() })
    }

    /// Sends a text, followed by a command that makes the program say that it has finished.
    fn send_with_barrier(&mut self, text: &str) -> Result<(), SourceError> {
        match &mut self.ready {
            Ready::Asked => self.process.send(&format!("{text}\nisready")),
            Ready::Ping(number) => {
                *number += 1;
                let ping = format!("{text}\nping {number}");
                self.process.send(&ping)
            }
            Ready::Never => self.process.send(text),
        }
    }

    /// Waits for one more line. Returns whether the answer is over.
    fn is_over(
        &mut self,
        answer_progress: &mut AnswerProgress,
        deadline: &Deadline,
    ) -> Result<bool, SourceError> {
        match self.process.hear(answer_progress.patience(), deadline)? {
            OutputEvent::Line(text) => self.read(text.trim(), answer_progress),
            OutputEvent::Silence if self.is_busy(answer_progress) => Ok(false),
            OutputEvent::Silence if answer_progress.has_barrier && !answer_progress.is_ready => {
                let asked = std::mem::take(&mut answer_progress.asked);
                Err(SourceError::NotUnderstood { asked, last: self.process.last_lines() })
            }
            OutputEvent::Silence
                if answer_progress.is_ready
                    && !answer_progress.was_asked_again
                    && !answer_progress.reader.has_counts() =>
            {
                // Some programs hold their output back until they print something else.
                answer_progress.was_asked_again = true;
                answer_progress.is_ready = false;
                self.send_with_barrier("")?;
                Ok(false)
            }
            OutputEvent::Silence if answer_progress.reader.has_counts() => Ok(true),
            OutputEvent::Silence => {
                let asked = std::mem::take(&mut answer_progress.asked);
                Err(SourceError::NotUnderstood { asked, last: answer_progress.last_lines() })
            }
            OutputEvent::End => {
                self.has_ended = true;
                if answer_progress.reader.is_complete() {
                    return Ok(true);
                }
                let has_failed = self.process.wait_briefly().is_none_or(|status| !status.success());
                if has_failed || !answer_progress.reader.has_counts() {
                    Err(self.process.ended())
                } else {
                    Ok(true)
                }
            }
        }
    }

    fn read(&mut self, text: &str, answer_progress: &mut AnswerProgress) -> Result<bool, SourceError> {
        match answer_progress.read(text, self.ready) {
            Step::More => Ok(false),
            Step::Over => Ok(true),
            Step::AskAgain => {
                self.is_late = true;
                self.send_with_barrier("")?;
                Ok(false)
            }
            Step::Searched => {
                let _ = self.process.send("stop");
                Err(SourceError::Searched(std::mem::take(&mut answer_progress.asked)))
            }
            Step::NoCount(why) => Err(SourceError::NoCount(why)),
        }
    }

    /// Whether the program has used the processor since the last call. Where the system does not report processor
    /// times, a program counts as busy for some seconds.
    fn is_busy(&self, answer_progress: &mut AnswerProgress) -> bool {
        if answer_progress.reader.is_complete() {
            return false;
        }
        let now = self.process.processor_time();
        let before = std::mem::replace(&mut answer_progress.processor_time, now);
        match (before, now) {
            (Some(before), Some(now)) => now > before || self.process.is_running(),
            (None, Some(_)) => true,
            _ => answer_progress.begin.elapsed() < Duration::from_secs(3),
        }
    }

    /// Returns what the engine has used since it was started, or `None` where the system does not say.
    pub fn usage(&self) -> Option<Usage> {
        self.process.usage()
    }
}
