//! A foreign program that is asked.

use perft_diagnosis::source::CountSource;

use super::{Answer, Dialect, EngineSpec, Launch, Question, SourceError, Spent, process, script, uci};
use perft_core::StopSignal;

/// A foreign program: started when it is first asked, and again after it has failed.
#[derive(Debug)]
pub struct Engine {
    spec: EngineSpec,
    session: Option<uci::Session>,
    name: Option<String>,
    spent: Option<Spent>,
}

impl Engine {
    /// A program that is not started yet.
    pub fn new(spec: EngineSpec) -> Engine {
        Engine { spec, session: None, name: None, spent: None }
    }

    /// What the program calls itself, once it has been asked something and said it.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What the program has used for its last answer; `None` if the system does not say. Its memory is the peak of its life.
    pub fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// Starts the program, if its dialect has sessions, and looks whether it is there otherwise, so that one that cannot
    /// be started is known at once.
    ///
    /// # Errors
    /// It does not start, does not get ready in time, or has no such options.
    pub fn start(&mut self, stop: &StopSignal) -> Result<(), SourceError> {
        if self.spec.dialect != Dialect::Uci {
            return process::find(&self.spec.command[0], self.spec.folder.as_deref());
        }
        if self.session.is_none() {
            let session = uci::Session::start(&self.spec, stop)?;
            self.name = session.name().map(str::to_owned);
            self.session = Some(session);
        }
        Ok(())
    }

    /// Asks for the counts below a position.
    ///
    /// # Errors
    /// The program gives no answer. It is killed, and started anew for the next question.
    pub fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        if question.depth == 0 {
            // `go perft 0` starts a search in some programs; there is nothing to ask.
            return Ok(Answer { moves: Vec::new(), stated_total: Some(1) });
        }
        self.spent = None;
        let answer = match self.spec.dialect {
            Dialect::Uci => self.ask_session(question, stop),
            Dialect::Perftree | Dialect::Qperft => script::ask(&self.spec, question, stop),
        };
        if answer.is_err() || self.spec.launch == Launch::Each {
            self.session = None;
        }
        let (answer, spent) = answer?;
        self.spent = spent;
        Ok(answer)
    }

    fn ask_session(
        &mut self,
        question: &Question,
        stop: &StopSignal,
    ) -> Result<(Answer, Option<Spent>), SourceError> {
        self.start(stop)?;
        let Some(session) = &mut self.session else { unreachable!("the session has just been started") };
        let before = session.spent();
        let answer = session.ask(&self.spec, question, stop)?;
        let spent = before.zip(session.spent()).map(|(before, after)| after.since(before));
        Ok((answer, spent))
    }
}

impl CountSource for Engine {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        Engine::ask(self, question, stop)
    }

    fn name(&self) -> Option<&str> {
        Engine::name(self)
    }
}
