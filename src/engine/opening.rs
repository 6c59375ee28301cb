//! How a conversation with a program begins: it is started, says its name, and gets its options.

use perft_core::StopSignal;
use perft_diagnosis::source::SourceError;

use super::dialect::{self, Handshake};
use super::process::{Deadline, Process};
use super::session::{Cue, PAUSE, SILENCE, Session};
use super::spec::{EngineSpec, busy};

impl Session {
    /// Starts the program, sets its options and waits until it is ready. A program that is run for each question is
    /// only started.
    pub fn start(spec: &EngineSpec, command: &[String], stop: &StopSignal) -> Result<Session, SourceError> {
        let mut session = Session::new(Process::start(command, spec.folder.as_deref(), &spec.transcript)?);
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
}
