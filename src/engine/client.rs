//! An engine that answers questions, in any dialect.

use perft_core::StopSignal;
use perft_diagnosis::source::{
    Abilities, Answer, Cost, CountSource, End, Profile, Question, SourceError, State, Usage,
};

use super::ask_method::Launch;
use super::process;
use super::session::{Heard, Hearing, Session};
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

    /// Asks the engine as this spec says, which must have the same handshake. A running process is kept.
    pub(super) fn ask_like(&mut self, spec: EngineSpec) {
        self.spec = spec;
    }

    /// Whether the engine has opened the conversation once.
    pub(super) fn has_opened(&self) -> bool {
        self.announces_chess960.is_some()
    }

    pub(super) fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Asks a question, and hears the answer.
    ///
    /// # Errors
    /// The engine does not start, does not answer in time, or has failed after its last answer.
    pub(super) fn hear(
        &mut self,
        question: &Question,
        hearing: Hearing,
        stop: &StopSignal,
    ) -> Result<Heard, SourceError> {
        self.usage = None;
        if self.spec.is_run_for_each_question() {
            let heard;
            (heard, self.usage) = Session::run(&self.spec, question, stop)?;
            return Ok(heard);
        }
        let was_running = self.session.is_some();
        let (session, spec) = self.running(stop)?;
        let before = session.usage();
        let heard = session.ask(spec, question, hearing, stop);
        let usage = before.zip(session.usage()).map(|(before, after)| after.since(before));
        // Some programs end after each answer, and may do so while the next question comes.
        let is_silent = heard.as_ref().map_or(true, Heard::is_silent);
        let has_just_ended = was_running && is_silent && matches!(session.end(), Some(Ok(())));
        self.usage = usage;
        let has_ended = heard.as_ref().map_or(true, |heard| heard.has_ended);
        if has_just_ended {
            self.session = None;
            return self.hear(question, hearing, stop);
        }
        if has_ended || self.spec.asking.launch == Launch::Each {
            self.session = None;
        }
        heard
    }

    fn state_of_session(
        &mut self,
        question: &Question,
        lines: &[String],
        stop: &StopSignal,
    ) -> Result<State, SourceError> {
        if question.depth > 0 {
            self.ask(question, stop)?;
        }
        let lines = if question.depth == 0 { lines } else { &lines[lines.len() - 1..] };
        let (session, spec) = self.running(stop)?;
        let state = session.state(spec, question.is_chess960, lines, stop);
        if state.as_ref().is_err_and(|error| !matches!(error, SourceError::NoState { .. })) {
            self.session = None;
        }
        state
    }

    /// Returns the running program and its spec. Starts it if it does not run. If it has said more after its last
    /// answer, its end was missed. Then it is started again, so that these lines do not answer the next question.
    fn running(&mut self, stop: &StopSignal) -> Result<(&mut Session, &EngineSpec), SourceError> {
        if let Some(mut session) = self.session.take() {
            let end = session.end();
            if let Some(Err(error)) = end {
                return Err(error);
            }
            self.session = (end.is_none() && session.late_lines().is_empty()).then_some(session);
        }
        self.prepare(stop)?;
        Ok((self.session.as_mut().expect("the session has just been started"), &self.spec))
    }
}

impl CountSource for Engine {
    /// Asks the engine. After an error, the engine is killed and started again for the next question.
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        if question.depth == 0 {
            // Some engines start a search for `go perft 0`. The answer is known anyway.
            return Ok(Answer { stated_total: Some(1), ..Answer::default() });
        }
        let profile = self.spec.profile.clone().unwrap_or_default();
        let heard = self.hear(question, Hearing::Learned(&profile), stop)?;
        read(&profile, &heard, question, &self.spec)
    }

    /// Asks the engine for its FEN and its key. Failures are treated as those of a count.
    fn state(&mut self, question: &Question, stop: &StopSignal) -> Result<State, SourceError> {
        let Some(ask_state) = self.spec.ask_state.clone() else { return Ok(State::default()) };
        if question.depth > 0 && !self.spec.prints_after_count() {
            return Ok(State::default());
        }
        let Some(lines) = self.spec.state_lines(&ask_state, question)? else { return Ok(State::default()) };
        match self.spec.is_run_for_each_question() {
            true => Session::run_for_state(&self.spec, &lines, stop),
            false => self.state_of_session(question, &lines, stop),
        }
    }

    /// Starts the engine. For a program that is run for each question, checks that it exists.
    fn prepare(&mut self, stop: &StopSignal) -> Result<(), SourceError> {
        if self.spec.is_run_for_each_question() {
            return process::find(&self.spec.command[0], self.spec.folder.as_deref()).map(drop);
        }
        if self.session.is_none() {
            let session = Session::start(&self.spec, stop)?;
            self.name = session.name.clone();
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
            max_depth: self.spec.asking.is_search.then_some(1),
        }
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn cost(&self) -> Cost {
        Cost { usage: self.usage, ..Cost::default() }
    }
}

/// Reads what a program has said.
///
/// # Errors
/// The program has failed, or has said something else than the count.
pub(super) fn read(
    profile: &Profile,
    heard: &Heard,
    question: &Question,
    spec: &EngineSpec,
) -> Result<Answer, SourceError> {
    if let Some(crash) = &heard.crash {
        return Err(crash.clone());
    }
    let (answer, has_total) = (profile.read(&heard.lines, question.depth), profile.states_total());
    if if has_total { answer.stated_total.is_some() } else { !answer.moves.is_empty() } {
        return Ok(answer);
    }
    // A program that states no total prints nothing where there are no moves.
    if !has_total && heard.is_silent() && (heard.has_ended || profile.end == End::Ready) {
        return Ok(Answer::from(0_u32));
    }
    let (asked, last) = (spec.question_text(question), heard.last());
    Err(if last.is_empty() { SourceError::NotUnderstood { asked, last } } else { SourceError::Refused(last) })
}
