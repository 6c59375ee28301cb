//! An engine that answers questions, in any dialect.

use perft_core::StopSignal;
use perft_diagnosis::source::{Abilities, Answer, Cost, CountSource, Question, SourceError, State, Usage};

use super::ask_method::{Answers, Launch};
use super::process;
use super::session::Session;
use super::spec::EngineSpec;

/// An engine. It is started when it is first needed, and started again after it has failed.
#[derive(Debug)]
pub struct Engine {
    spec: EngineSpec,
    session: Option<Session>,
    name: Option<String>,
    /// Whether the engine lists the option for Chess960. `None` until the engine was started.
    announces_chess960: Option<bool>,
    usage: Option<Usage>,
}

impl Engine {
    /// Describes an engine without starting it.
    pub fn new(spec: EngineSpec) -> Engine {
        Engine { spec, session: None, name: None, announces_chess960: None, usage: None }
    }

    /// Returns the same engine with another spec, which must have the same handshake. A running process is kept.
    pub(super) fn asked_like(self, spec: EngineSpec) -> Engine {
        Engine { spec, ..self }
    }

    fn state_of_session(
        &mut self,
        question: &Question,
        lines: &[String],
        stop: &StopSignal,
    ) -> Result<State, SourceError> {
        let (session, spec) = self.running(stop)?;
        if question.depth == 0 {
            return session.state(spec, question.is_chess960, lines, stop);
        }
        session.ask(spec, question, stop)?;
        session.state(spec, question.is_chess960, &lines[lines.len() - 1..], stop)
    }

    /// Returns the running program and its spec. Starts it if it does not run.
    fn running(&mut self, stop: &StopSignal) -> Result<(&mut Session, &EngineSpec), SourceError> {
        self.prepare(stop)?;
        Ok((self.session.as_mut().expect("the session has just been started"), &self.spec))
    }

    /// Ends the program after an error, or if it cannot answer another question.
    fn end_unless_usable<T>(&mut self, answer: Result<T, SourceError>) -> Result<T, SourceError> {
        let has_failed = answer.as_ref().is_err_and(|error| !matches!(error, SourceError::NoState { .. }));
        let is_usable = self.session.as_ref().is_some_and(Session::is_usable);
        if has_failed || !is_usable || self.spec.asking.launch == Launch::Each {
            self.session = None;
        }
        answer
    }

    fn ask_session(
        &mut self,
        question: &Question,
        stop: &StopSignal,
    ) -> Result<(Answer, Option<Usage>), SourceError> {
        let (session, spec) = self.running(stop)?;
        let before = session.usage();
        let answer = session.ask(spec, question, stop)?;
        let usage = before.zip(session.usage()).map(|(before, after)| after.since(before));
        Ok((answer, usage))
    }
}

impl CountSource for Engine {
    /// Asks the engine. After an error, the engine is killed and started again for the next question.
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        if question.depth == 0 {
            // Some engines start a search for `go perft 0`. The answer is known anyway.
            return Ok(Answer { stated_total: Some(1), ..Answer::default() });
        }
        self.usage = None;
        let answer = match self.spec.is_run_for_each_question() {
            true => Session::run(&self.spec, question, stop),
            false => self.ask_session(question, stop),
        };
        let (answer, usage) = self.end_unless_usable(answer)?;
        self.usage = usage;
        Ok(answer)
    }

    /// Asks the engine for its FEN and its key. Failures are treated as those of a count.
    fn state(&mut self, question: &Question, stop: &StopSignal) -> Result<State, SourceError> {
        let Some(ask_state) = self.spec.ask_state.clone() else { return Ok(State::default()) };
        if question.depth > 0 && !self.spec.prints_after_count() {
            return Ok(State::default());
        }
        let lines = self.spec.state_lines(&ask_state, question)?;
        let Some(lines) = lines else { return Ok(State::default()) };
        let state = match self.spec.is_run_for_each_question() {
            true => Session::run_for_state(&self.spec, &lines, stop),
            false => self.state_of_session(question, &lines, stop),
        };
        self.end_unless_usable(state)
    }

    /// Starts the engine. For a program that is run for each question, checks that it exists.
    fn prepare(&mut self, stop: &StopSignal) -> Result<(), SourceError> {
        if self.spec.is_run_for_each_question() {
            return process::find(&self.spec.command[0], self.spec.folder.as_deref()).map(drop);
        }
        if self.session.is_none() {
            let session = Session::start(&self.spec, stop)?;
            self.name = session.name().map(str::to_owned);
            self.announces_chess960 = Some(session.announces_chess960());
            self.session = Some(session);
        }
        Ok(())
    }

    /// Ends the running program. It is started again when it is next needed.
    fn restart(&mut self) {
        self.session = None;
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            plays_moves: self.spec.plays_moves(),
            is_chess960: self.spec.is_chess960.or(self.announces_chess960).unwrap_or(false),
            max_depth: (self.spec.asking.answers == Answers::Variations).then_some(1),
        }
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn cost(&self) -> Cost {
        Cost { usage: self.usage, ..Cost::default() }
    }
}
