//! A running program: it is opened, asked, and heard.
//!
//! The protocols do not say where the answer to a perft ends. While a program is [examined](super::exam), an answer
//! goes on until the program has been silent and has waited for input for a second. The exam learns what the end looks
//! like, and from then on an answer ends there.
//!
//! `UCI_Chess960` is set before the position, because it changes how the engine reads the position.

use std::time::Duration;

use perft_core::StopSignal;
use perft_diagnosis::source::{Profile, SourceError, Usage};

use super::dialect::{self, Handshake};
use super::process::{Deadline, OutputEvent, Process};
use super::spec::EngineSpec;

/// The option that switches to the castling notation of Chess960.
const CHESS960: &str = "UCI_Chess960";

/// The length of a pause, in which a program prints nothing and waits for input.
const PAUSE: Duration = Duration::from_millis(250);

/// The number of pauses after which an answer is over, if nothing else says so.
const PAUSES: u32 = 4;

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

/// What a program has said until its answer was over.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub lines: Vec<String>,
    /// The number of lines before it said that it was ready.
    pub ready: Option<usize>,
    /// The number of pauses in a row during which it has waited for input.
    pauses: u32,
    /// Whether it has ended.
    pub has_ended: bool,
    /// Whether it has used both standard output and standard error.
    pub uses_two_pipes: bool,
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

/// How the end of an answer is recognised.
#[derive(Clone, Copy)]
pub(super) enum Hearing<'a> {
    /// As it was learned, for this depth and number of legal moves.
    Learned { profile: &'a Profile, depth: u32, moves: usize },
    /// The answer is heard out: in a trial, only if `shows` finds the right count in its lines.
    Full { shows: &'a dyn Fn(&[String]) -> bool, is_trial: bool },
    /// The program prints its state and is then ready.
    State,
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
        let heard = self.hear(spec.is_trial, deadline, &|_| false, &mut |line, heard| {
            is_open |= line.is_some_and(|line| line.trim() == "uciok");
            is_open || heard.pauses >= 2
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
        self.sign = Handshake::Uci;
        self.send_with_sign(&[lines, vec!["ucinewgame".to_owned()]].concat())?;
        let heard = self.hear(false, deadline, &|_| false, &mut |_, heard| heard.ready.is_some())?;
        if heard.has_ended { Err(self.process.ended()) } else { Ok(()) }
    }

    /// Opens a conversation with an XBoard engine. Old engines print no features.
    fn announce(&mut self, deadline: &Deadline) -> Result<(), SourceError> {
        self.process.send("xboard\nprotover 2")?;
        let heard = self.hear(true, deadline, &|_| false, &mut |line, heard| {
            heard.pauses > 0 || line.is_some_and(|line| line.contains("done=1"))
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
        hearing: Hearing,
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
            return self.hear(spec.is_trial, &deadline, &no_count, &mut |_, heard| heard.pauses >= PAUSES);
        }
        if spec.asking.is_search && !matches!(hearing, Hearing::State) {
            self.process.send(&lines.join("\n"))?;
            let mut is_end =
                |line: Option<&str>, _: &_| line.is_some_and(|line| line.starts_with("bestmove"));
            let heard = self.hear(false, &deadline, &no_count, &mut is_end)?;
            let lines = dialect::moves(&heard.lines);
            return Ok(Heard { ready: Some(lines.len()), lines, ..heard });
        }
        self.send_with_sign(lines)?;
        let has_sign = self.sign != Handshake::None;
        match hearing {
            // The answer ends at its learned end when the program is ready. If nothing says where it ends, or if the
            // program has said something else, it ends when the program waits for input.
            Hearing::Learned { profile, depth, moves } => {
                let mut reader = profile.reader(depth).with_moves(moves);
                let has_count = |line: &str| profile.has_count(line, depth);
                self.hear(true, &deadline, &has_count, &mut |line, heard| {
                    let is_ready = !has_sign || heard.ready.is_some();
                    if heard.pauses > 0 {
                        let is_answered = is_ready && (has_sign || !heard.is_silent());
                        return heard.pauses >= PAUSES && (is_answered || spec.is_trial);
                    }
                    line.into_iter().for_each(|line| reader.read(line));
                    is_ready && reader.is_over()
                })
            }
            Hearing::Full { shows, is_trial } => {
                let last = lines.last().cloned().unwrap_or_default();
                self.hear_out(spec, shows, is_trial, &deadline)?.ok_or(SourceError::Searched(last))
            }
            Hearing::State => self.hear(!has_sign, &deadline, &no_count, &mut |_, heard| {
                heard.ready.is_some() || heard.pauses > 0
            }),
        }
    }

    /// Hears an answer until the program has waited for input for some time. The program must also have said that it is
    /// ready, unless it is only tried. Returns `None` if it has begun to search.
    fn hear_out(
        &mut self,
        spec: &EngineSpec,
        shows: &dyn Fn(&[String]) -> bool,
        is_trial: bool,
        deadline: &Deadline,
    ) -> Result<Option<Heard>, SourceError> {
        let has_sign = self.sign != Handshake::None;
        let is_known = |heard: &Heard| !is_trial || shows(&heard.lines);
        let (mut has_searched, mut quiet) = (false, 0);
        let has_count = |line: &str| shows(&[line.to_owned()]);
        let heard = self.hear(true, deadline, &has_count, &mut |line, heard| {
            // Some programs play a move after the counts.
            has_searched = line.is_some_and(is_search) && !is_known(heard);
            if heard.pauses == 0 {
                return has_searched;
            }
            let is_missing = has_sign && heard.ready.is_none();
            quiet += 1;
            // After the first pause, a program that is ready is asked again.
            let is_enough = if is_missing || is_known(heard) {
                heard.pauses >= PAUSES
            } else {
                quiet > u32::from(has_sign)
            };
            is_enough && (!is_missing || spec.is_trial)
        })?;
        Ok((!has_searched).then_some(heard))
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

    /// Returns the text before `readyok` or `pong N`, if a line ends with it. The text is not empty if the program does
    /// not end its last line before the sign.
    fn text_before_sign<'a>(&self, line: &'a str) -> Option<&'a str> {
        match self.sign {
            Handshake::Uci => line.strip_suffix("readyok"),
            Handshake::Cecp => {
                line.trim_end_matches(|digit: char| digit.is_ascii_digit()).strip_suffix("pong ")
            }
            Handshake::None => None,
        }
    }

    /// Returns what the program has printed since the end of its last answer.
    pub fn late_lines(&mut self) -> Vec<String> {
        let mut lines = self.process.late_lines();
        lines.retain(|line| {
            let is_sign = self.text_before_sign(line.trim()) == Some("");
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

    /// Hears the program until `is_over` says so, or until its output ends. `is_over` gets each line, and `None` when
    /// the program is ready or has made a pause. Pauses are heard only if asked for, because looking at all processes
    /// of the system takes a millisecond. If the program waits after the beginning of a line, and this part has a
    /// count, it is taken as a line.
    ///
    /// Some programs hold their output back until they print something else. So a program that is ready, and waits
    /// without an answer, is asked once more whether it is ready.
    fn hear(
        &mut self,
        with_pauses: bool,
        deadline: &Deadline,
        has_count: &dyn Fn(&str) -> bool,
        is_over: &mut dyn FnMut(Option<&str>, &Heard) -> bool,
    ) -> Result<Heard, SourceError> {
        let (mut heard, mut pauses, mut is_asked_again) = (Heard::default(), 0, false);
        loop {
            let event = self.process.hear(with_pauses.then_some(PAUSE), deadline)?;
            heard.pauses = 0;
            pauses = if event == OutputEvent::Waiting { pauses + 1 } else { 0 };
            let is_end = match event {
                OutputEvent::Waiting => match self.process.take_unfinished(has_count) {
                    Some(line) => {
                        heard.lines.push(line.clone());
                        is_over(Some(&line), &heard)
                    }
                    None => {
                        heard.pauses = pauses;
                        let is_end = is_over(None, &heard);
                        if !is_end && heard.ready.is_some() && !is_asked_again {
                            is_asked_again = true;
                            self.send_with_sign(&[])?;
                        }
                        is_end
                    }
                },
                OutputEvent::End { has_failed } => {
                    heard.has_ended = true;
                    heard.crash = has_failed.then(|| self.process.ended());
                    true
                }
                OutputEvent::Line(line) => {
                    let before_sign = self.text_before_sign(line.trim());
                    let text = before_sign.map_or(line.as_str(), str::trim);
                    let mut is_end = false;
                    if before_sign != Some("") {
                        heard.lines.push(text.to_owned());
                        is_end = is_over(Some(text), &heard);
                    }
                    if before_sign.is_some() {
                        self.unanswered = self.unanswered.saturating_sub(1);
                        if self.unanswered == 0 {
                            heard.ready.get_or_insert(heard.lines.len());
                            is_end |= is_over(None, &heard);
                        }
                    }
                    is_end
                }
            };
            if is_end {
                heard.uses_two_pipes = self.process.uses_two_pipes();
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
