//! Asking a UCI engine for `go perft N`.
//!
//! A session starts with `uci` and `uciok`. Before each question, `isready` and `readyok` ensure that no output of an earlier
//! question is left. `UCI_Chess960` is set before the position, because it changes how the engine reads the position. An
//! answer ends with the total.
//!
//! An option that the engine does not list is an error. Engines ignore unknown options, so the counts would silently be made
//! with other settings.

use perft_core::StopSignal;
use perft_diagnosis::source::{Answer, OutputLine, Question, SourceError, Usage};

use super::EngineSpec;
use super::process::{Deadline, Process};

/// The most lines of an answer: one for each move, and some that are not counts.
const MAX_LINES: usize = 4 * perft_core::MAX_MOVES;

/// A running engine.
#[derive(Debug)]
pub(super) struct Session {
    process: Process,
    name: Option<String>,
    /// The names of the options that the engine lists.
    options: Vec<String>,
    is_chess960: bool,
}

/// The option that switches to the castling notation of Chess960.
const CHESS960: &str = "UCI_Chess960";

impl Session {
    /// Starts the engine, sets its options and waits until it is ready.
    pub fn start(spec: &EngineSpec, stop: &StopSignal) -> Result<Session, SourceError> {
        let process = Process::start(&spec.command, spec.folder.as_deref(), &spec.transcript)?;
        let mut session = Session { process, name: None, options: Vec::new(), is_chess960: false };
        session.process.send("uci")?;
        let deadline = Deadline::new(spec.start_limit, stop);
        loop {
            let line = session.line(&deadline)?;
            match line.as_str() {
                "uciok" => break,
                _ => session.read_introduction(&line),
            }
        }
        for (name, value) in &spec.options {
            session.set(name, value)?;
        }
        // Many engines load their tables at this point. That must not be timed with the first question.
        session.get_ready(&deadline)?;
        Ok(session)
    }

    /// Returns the name that the engine gives itself.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn read_introduction(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = Some(name.trim().to_owned());
        }
        if let Some((name, _)) = line.strip_prefix("option name ").and_then(|rest| rest.split_once(" type "))
        {
            self.options.push(name.trim().to_owned());
        }
    }

    /// Sets an option. Option names are case-insensitive.
    fn set(&mut self, name: &str, value: &str) -> Result<(), SourceError> {
        if !self.has(name) {
            return Err(SourceError::NoOption(name.to_owned(), self.options.clone()));
        }
        self.process.send(&format!("setoption name {name} value {value}"))
    }

    fn has(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// Asks for the counts below each move of a position.
    pub fn ask(
        &mut self,
        spec: &EngineSpec,
        question: &Question,
        stop: &StopSignal,
    ) -> Result<Answer, SourceError> {
        self.set_chess960(question.is_chess960)?;
        self.get_ready(&Deadline::new(spec.start_limit, stop))?;
        self.process.send(&format!("position fen {}{}", question.fen, moves_suffix(&question.moves)))?;
        self.process.send(&format!("go perft {}", question.depth))?;
        let deadline = Deadline::new(spec.answer_limit, stop);
        let mut answer = Answer::default();
        let mut last = String::new();
        for _ in 0..MAX_LINES {
            let text = match self.line(&deadline) {
                Err(SourceError::TimedOut(limit)) if !last.is_empty() => {
                    return Err(SourceError::NoTotal(limit, last));
                }
                line => line?,
            };
            match OutputLine::parse(&text) {
                Some(OutputLine::Total(total)) => {
                    answer.add(OutputLine::Total(total));
                    return Ok(answer);
                }
                Some(line) => answer.add(line),
                None if text.is_empty() => {}
                None => last = text,
            }
        }
        Err(SourceError::NoCount(format!("{MAX_LINES} lines without a total, the last '{last}'")))
    }

    /// Returns what the engine has used since it was started, or `None` where the system does not say.
    pub fn usage(&self) -> Option<Usage> {
        self.process.usage()
    }

    fn set_chess960(&mut self, is_chess960: bool) -> Result<(), SourceError> {
        if self.is_chess960 == is_chess960 || !self.has(CHESS960) {
            return Ok(());
        }
        self.is_chess960 = is_chess960;
        self.set(CHESS960, &is_chess960.to_string())
    }

    /// Waits until the engine has processed all commands and printed all its output.
    fn get_ready(&mut self, deadline: &Deadline) -> Result<(), SourceError> {
        self.process.send("isready")?;
        while self.line(deadline)? != "readyok" {}
        Ok(())
    }

    /// Returns the next line. The end of the output is an error.
    fn line(&mut self, deadline: &Deadline) -> Result<String, SourceError> {
        match self.process.line(deadline)? {
            Some(line) => Ok(line.trim().to_owned()),
            None => Err(self.process.ended()),
        }
    }
}

fn moves_suffix(moves: &[String]) -> String {
    if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) }
}
