//! An engine that answers questions, in any dialect.

use perft_core::StopSignal;
use perft_diagnosis::source::{Answer, Cost, CountSource, Question, SourceError, Usage};

use super::{Dialect, EngineSpec, Launch, process, script, uci};

/// An engine. It is started when it is first needed, and started again after it has failed.
#[derive(Debug)]
pub struct Engine {
    spec: EngineSpec,
    session: Option<uci::Session>,
    name: Option<String>,
    usage: Option<Usage>,
}

impl Engine {
    /// Describes an engine without starting it.
    pub fn new(spec: EngineSpec) -> Engine {
        Engine { spec, session: None, name: None, usage: None }
    }

    fn ask_session(
        &mut self,
        question: &Question,
        stop: &StopSignal,
    ) -> Result<(Answer, Option<Usage>), SourceError> {
        self.prepare(stop)?;
        let Some(session) = &mut self.session else { unreachable!("the session has just been started") };
        let before = session.usage();
        let answer = session.ask(&self.spec, question, stop)?;
        let usage = before.zip(session.usage()).map(|(before, after)| after.since(before));
        Ok((answer, usage))
    }
}

impl CountSource for Engine {
    /// Asks the engine. After an error, the engine is killed and started again for the next question.
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        if question.depth == 0 {
            // Some engines start a search for `go perft 0`. The answer is known anyway.
            return Ok(Answer { moves: Vec::new(), stated_total: Some(1), ..Answer::default() });
        }
        self.usage = None;
        let answer = match self.spec.dialect {
            Dialect::Uci => self.ask_session(question, stop),
            Dialect::Perftree | Dialect::Qperft => script::ask(&self.spec, question, stop),
        };
        if answer.is_err() || self.spec.launch == Launch::Each {
            self.session = None;
        }
        let (answer, usage) = answer?;
        self.usage = usage;
        Ok(answer)
    }

    /// Starts a UCI engine. For the other dialects, checks that the program exists.
    fn prepare(&mut self, stop: &StopSignal) -> Result<(), SourceError> {
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

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn cost(&self) -> Cost {
        Cost { usage: self.usage, ..Cost::default() }
    }
}
