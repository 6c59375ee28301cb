//! An engine that answers questions, in any dialect.

use perft_core::StopSignal;
use perft_diagnosis::Program;
use perft_diagnosis::source::{
    Abilities, Answer, Cost, CountSource, End, Profile, Question, SourceError, State, Usage,
};

use super::dialect::Launch;
use super::instructions::{InstructionCounter, RunningCounter};
use super::session::{Heard, Hearing, Session};
use super::spec::{EngineSpec, find};

/// An engine. It is started when it is first needed, and started again after it has failed.
#[derive(Debug, Default)]
pub struct Engine {
    /// How it is run and asked. It may be replaced by a spec with the same handshake: a running process is kept.
    pub(super) spec: EngineSpec,
    session: Option<Session>,
    name: Option<String>,
    /// Whether the engine lists the option for Chess960. `None` until the engine has opened a conversation.
    pub(super) announces_chess960: Option<bool>,
    /// Whether [`Answer::cost`] says what the processes of the engine have used. Asking the system for it takes
    /// longer than a small answer.
    measures_usage: bool,
    /// How the instructions of a program that is run for each question are counted.
    counter: Option<InstructionCounter>,
}

impl EngineSpec {
    /// Returns the engine as a program that is asked until the stop signal is raised. It is not started yet.
    pub fn program(&self, stop: &StopSignal) -> Program<'static> {
        Program::new(Box::new(Engine::new(self.clone())), stop.clone())
    }
}

impl Engine {
    /// Describes an engine without starting it.
    pub fn new(spec: EngineSpec) -> Engine {
        Engine { spec, ..Engine::default() }
    }

    /// Makes the cost of an answer say what the processes of the engine have used for it. With a counter, it says how
    /// many instructions a program has executed that is run for each question.
    pub fn measuring_usage(self, counter: Option<InstructionCounter>) -> Engine {
        Engine { measures_usage: true, counter, ..self }
    }

    /// Asks a question, and hears the answer.
    ///
    /// # Errors
    /// The engine does not start, does not answer in time, or has failed after its last answer.
    pub(super) fn hear(
        &mut self,
        question: &Question,
        mut hearing: Hearing,
        stop: &StopSignal,
    ) -> Result<Heard, SourceError> {
        let (command, lines) = (self.spec.command_for(question)?, self.spec.lines_for(question)?);
        self.exchange(&command, &lines, question.is_chess960, &mut hearing, stop)
    }

    /// Sends lines to the engine, which `command` starts if it is not running. Hears the answer.
    fn exchange(
        &mut self,
        command: &[String],
        lines: &[String],
        is_chess960: bool,
        hearing: &mut Hearing,
        stop: &StopSignal,
    ) -> Result<Heard, SourceError> {
        let is_for_one = self.spec.is_run_for_each_question();
        let was_running = self.session.is_some();
        let mut started = command.to_vec();
        let counter = self.counter.as_ref().filter(|_| is_for_one);
        let counting = counter.map(|counter| counter.begin(&mut started)).transpose()?;
        let mut session = self.running(&started, stop)?;
        let usage = |session: &Session| if self.measures_usage { session.usage() } else { None };
        let before = if is_for_one { Some(Usage::default()) } else { usage(&session) };
        let heard = session.ask(&self.spec, lines, is_chess960, hearing, stop);
        let usage = before.zip(usage(&session)).map(|(before, after)| after.since(before));
        let cost = Cost { usage, instructions: counting.and_then(RunningCounter::end), ..Cost::default() };
        let heard = heard.map(|heard| Heard { cost, ..heard });
        // Some programs end after each answer, and may do so while the next question is sent.
        let is_silent = heard.as_ref().map_or(true, Heard::is_silent);
        if was_running && is_silent && matches!(session.end(), Some(Ok(()))) {
            return self.exchange(command, lines, is_chess960, hearing, stop);
        }
        let is_over = is_for_one || self.spec.asking.launch == Launch::Each;
        self.session =
            Some(session).filter(|_| !is_over && heard.as_ref().is_ok_and(|heard| !heard.has_ended));
        heard
    }

    /// Returns the running program. Starts it if it does not run. If it has printed more after its last answer, the end
    /// of that answer was missed. Then it is started again, so that these lines do not answer the next question.
    fn running(&mut self, command: &[String], stop: &StopSignal) -> Result<Session, SourceError> {
        if let Some(mut session) = self.session.take() {
            match session.end() {
                Some(Err(error)) => return Err(error),
                None if session.late_lines().is_empty() => return Ok(session),
                _ => {}
            }
        }
        let session = Session::start(&self.spec, command, stop)?;
        if !self.spec.is_run_for_each_question() {
            self.name = session.name.clone();
            self.announces_chess960 = Some(session.announces_chess960());
        }
        Ok(session)
    }
}

impl CountSource for Engine {
    /// After an error, the engine is killed and started again for the next question.
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        if question.depth == 0 {
            // Some engines start a search for `go perft 0`. The answer is known anyway.
            return Ok(Answer::from(1_u64));
        }
        let profile = self.spec.profile.clone().unwrap_or_else(Profile::of_stockfish);
        // A variant may have other legal moves.
        let moves = question.end().map_or(0, |position| position.legal_moves().len());
        let mut reader = profile.reader(question.depth, moves);
        let heard = self.hear(question, Hearing::Learned(&mut reader), stop)?;
        let answer = checked(reader.finish(), &profile, &heard, question, &self.spec);
        if answer.is_err() && heard.is_silent() {
            // What comes late would answer the next question.
            self.restart();
        }
        answer.map(|answer| Answer { cost: heard.cost, ..answer })
    }

    /// Failures are treated as those of a count.
    fn state(&mut self, question: &Question, stop: &StopSignal) -> Result<State, SourceError> {
        if question.depth > 0 && !self.spec.prints_after_count() {
            return Ok(State::default());
        }
        let Some(mut lines) = self.spec.state_lines(question)? else {
            return Ok(State::default());
        };
        if question.depth > 0 {
            self.ask(question, stop)?;
            lines.drain(..lines.len() - 1);
        }
        let command = self.spec.command.clone();
        let heard = self.exchange(&command, &lines, question.is_chess960, &mut Hearing::State, stop)?;
        let state = State::parse(&heard.lines.join("\n"));
        match heard.crash {
            _ if !state.is_empty() => Ok(state),
            Some(error) => Err(error),
            None => Err(SourceError::NoState { asked: lines.pop().unwrap_or_default(), last: heard.last() }),
        }
    }

    /// Starts the engine. For a program that is run for each question, checks that it exists.
    fn prepare(&mut self, stop: &StopSignal) -> Result<(), SourceError> {
        if self.spec.is_run_for_each_question() {
            return find(&self.spec.command[0], self.spec.folder.as_deref()).map(drop);
        }
        if self.session.is_none() {
            let command = self.spec.command.clone();
            self.session = Some(self.running(&command, stop)?);
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
}

/// Returns the answer that was read from what a program has said.
///
/// # Errors
/// The program has failed, or has said something else than the count.
pub(super) fn checked(
    answer: Answer,
    profile: &Profile,
    heard: &Heard,
    question: &Question,
    spec: &EngineSpec,
) -> Result<Answer, SourceError> {
    if let Some(crash) = &heard.crash {
        return Err(crash.clone());
    }
    let has_total = profile.total.is_some();
    if if has_total { answer.stated_total.is_some() } else { !answer.moves.is_empty() } {
        return Ok(answer);
    }
    // A program that states no total prints nothing where there are no moves.
    let has_no_moves = || question.end().is_ok_and(|position| position.legal_moves().is_empty());
    let is_end = || heard.has_ended || profile.end == End::Ready || has_no_moves();
    if !has_total && heard.is_silent() && is_end() {
        return Ok(Answer::from(0_u64));
    }
    let (asked, last) = (spec.question_text(question), heard.last());
    Err(if last.is_empty() { SourceError::NotUnderstood { asked, last } } else { SourceError::Refused(last) })
}
