//! Asking a UCI engine for `go perft N`.
//!
//! `uci` and `uciok` open the session. Before every question `isready` and `readyok` make sure that whatever the engine
//! still says of an earlier one is past; `UCI_Chess960` is set before the position, since it changes how the position is
//! read. An answer ends with the total. An option that the engine has not named is refused: it would pass it over, and count
//! as if nothing had been asked.

use super::process::{Patience, Process};
use super::{Answer, EngineSpec, Question, SourceError, Spent};
use perft_core::StopSignal;
use perft_diagnosis::source::OutputLine;

/// The most moves that an answer is expected to have, and as many lines again that say nothing.
const MAX_LINES: usize = 4 * perft_core::MAX_MOVES;

/// A conversation with a running engine.
#[derive(Debug)]
pub(super) struct Session {
    process: Process,
    name: Option<String>,
    /// The names of its options.
    options: Vec<String>,
    is_chess960: bool,
}

/// The option that changes how castling is read and written.
const CHESS960: &str = "UCI_Chess960";

impl Session {
    /// Starts the engine, shakes hands, sets its options and waits until it is ready.
    pub fn start(spec: &EngineSpec, stop: &StopSignal) -> Result<Session, SourceError> {
        let process = Process::start(&spec.command, spec.folder.as_deref(), &spec.transcript)?;
        let mut session = Session { process, name: None, options: Vec::new(), is_chess960: false };
        session.process.send("uci")?;
        let patience = Patience::new(spec.start_limit, stop);
        loop {
            let line = session.line(&patience)?;
            match line.as_str() {
                "uciok" => break,
                _ => session.note(&line),
            }
        }
        for (name, value) in &spec.options {
            session.set(name, value)?;
        }
        // Many load their tables only now; whoever times a question must not time that.
        session.get_ready(&patience)?;
        Ok(session)
    }

    /// What the engine calls itself.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn note(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = Some(name.trim().to_owned());
        }
        if let Some((name, _)) = line.strip_prefix("option name ").and_then(|rest| rest.split_once(" type "))
        {
            self.options.push(name.trim().to_owned());
        }
    }

    /// Sets an option that the engine has; case is of no account in names.
    fn set(&mut self, name: &str, value: &str) -> Result<(), SourceError> {
        if !self.has(name) {
            return Err(SourceError::NoOption(name.to_owned(), self.options.clone()));
        }
        self.process.send(&format!("setoption name {name} value {value}"))
    }

    fn has(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// The counts below each move of a position.
    pub fn ask(
        &mut self,
        spec: &EngineSpec,
        question: &Question,
        stop: &StopSignal,
    ) -> Result<Answer, SourceError> {
        self.set_chess960(question.is_chess960)?;
        self.get_ready(&Patience::new(spec.start_limit, stop))?;
        self.process.send(&format!("position fen {}{}", question.fen, moves_suffix(&question.moves)))?;
        self.process.send(&format!("go perft {}", question.depth))?;
        let patience = Patience::new(spec.answer_limit, stop);
        let mut answer = Answer::default();
        let mut last = String::new();
        for _ in 0..MAX_LINES {
            let text = match self.line(&patience) {
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

    /// What the engine has used since it was started; `None` where the system does not say.
    pub fn spent(&self) -> Option<Spent> {
        self.process.spent()
    }

    fn set_chess960(&mut self, is_chess960: bool) -> Result<(), SourceError> {
        if self.is_chess960 == is_chess960 || !self.has(CHESS960) {
            return Ok(());
        }
        self.is_chess960 = is_chess960;
        self.set(CHESS960, &is_chess960.to_string())
    }

    /// Until the engine has said all that it had to say.
    fn get_ready(&mut self, patience: &Patience) -> Result<(), SourceError> {
        self.process.send("isready")?;
        while self.line(patience)? != "readyok" {}
        Ok(())
    }

    /// The next line; the end of the output is the end of the engine.
    fn line(&mut self, patience: &Patience) -> Result<String, SourceError> {
        match self.process.line(patience)? {
            Some(line) => Ok(line.trim().to_owned()),
            None => Err(self.process.ended()),
        }
    }
}

fn moves_suffix(moves: &[String]) -> String {
    if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) }
}
