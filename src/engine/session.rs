//! A running program: carries out what a [`Conversation`] decides.
//!
//! `UCI_Chess960` is set before the position, because it changes how the engine reads the position.

use perft_core::StopSignal;
use perft_diagnosis::source::{Answer, Question, SourceError, State, Usage};

use super::ask_method::{Answers, Handshake};
use super::conversation::{Action, Conversation, Failure, Printing, Reply, Run, Sign, Stage};
use super::process::{Deadline, Process};
use super::spec::EngineSpec;
use super::variations::{self, Variations};

/// The option that switches to the castling notation of Chess960.
const CHESS960: &str = "UCI_Chess960";

/// A running program.
#[derive(Debug)]
pub(super) struct Session {
    process: Process,
    conversation: Conversation,
    is_chess960: bool,
}

impl Session {
    /// Starts the program, sets its options and waits until it is ready.
    pub fn start(spec: &EngineSpec, stop: &StopSignal) -> Result<Session, SourceError> {
        let mut session = Session::of(spec, &spec.command, Sign::Silence)?;
        let deadline = Deadline::new(spec.start_limit, stop);
        match spec.asking.handshake {
            Handshake::Uci => {
                let mut settings = spec.options.clone();
                if spec.asking.answers == Answers::Variations {
                    settings.push((variations::OPTION.to_owned(), variations::MOST.to_owned()));
                }
                session.reply(Stage::Introducing(settings), "uci", &deadline)?;
            }
            Handshake::Cecp => {
                session.process.send_one_by_one();
                session.reply(Stage::Announcing, "xboard\nprotover 2", &deadline)?;
                session.process.send("force")?;
            }
            Handshake::None => session.process.send_one_by_one(),
        }
        Ok(session)
    }

    fn of(spec: &EngineSpec, command: &[String], sign: Sign) -> Result<Session, SourceError> {
        let process = Process::start(command, spec.folder.as_deref(), &spec.transcript)?;
        Ok(Session { process, conversation: Conversation::new(sign, spec), is_chess960: false })
    }

    /// Runs the program for one question, which is in its arguments or on its standard input. Returns its answer and
    /// what it has used.
    pub fn run(
        spec: &EngineSpec,
        question: &Question,
        stop: &StopSignal,
    ) -> Result<(Answer, Option<Usage>), SourceError> {
        let command = spec.command_for(question)?;
        let lines = spec.lines_for(question)?;
        let asked = if lines.is_empty() { command[1..].join(" ") } else { lines.join(", ") };
        let mut session = Session::of(spec, &command, Sign::End)?;
        let run = Stage::Running(Run::new(question.depth, asked));
        let answer = session.reply_to_all(run, &lines, &Deadline::new(spec.answer_limit, stop))?.answer;
        Ok((answer, session.usage()))
    }

    /// Runs the program and sends it lines that make it print its state.
    pub fn run_for_state(
        spec: &EngineSpec,
        lines: &[String],
        stop: &StopSignal,
    ) -> Result<State, SourceError> {
        let mut session = Session::of(spec, &spec.command, Sign::End)?;
        let printing = Stage::Printing(Printing::new(last(lines)));
        Ok(session.reply_to_all(printing, lines, &Deadline::new(spec.answer_limit, stop))?.state)
    }

    /// Sends all input of the program, and waits for what it prints until it ends.
    fn reply_to_all(
        &mut self,
        stage: Stage,
        lines: &[String],
        deadline: &Deadline,
    ) -> Result<Reply, SourceError> {
        self.process.send_one_by_one();
        if !lines.is_empty() {
            self.process.send(&lines.join("\n"))?;
        }
        self.process.close_input();
        self.process.expect_answer();
        self.conversation.begin(stage);
        self.watch();
        self.listen(deadline)
    }

    pub fn name(&self) -> Option<&str> {
        self.conversation.name.as_deref()
    }

    pub fn announces_chess960(&self) -> bool {
        self.conversation.options.has(CHESS960)
    }

    pub fn is_usable(&self) -> bool {
        self.conversation.is_idle()
    }

    /// Asks for the counts below each move of a position.
    pub fn ask(
        &mut self,
        spec: &EngineSpec,
        question: &Question,
        stop: &StopSignal,
    ) -> Result<Answer, SourceError> {
        let lines = spec.lines_for(question)?;
        self.begin_answer(question.is_chess960)?;
        let deadline = Deadline::new(spec.answer_limit, stop);
        let text = lines.join("\n");
        if spec.asking.answers == Answers::Variations {
            return Ok(self.reply(Stage::Listing(Variations::default()), &text, &deadline)?.answer);
        }
        let uses_errors = self.process.answers_on_errors();
        let stage = self.conversation.counting(spec, question.depth, last(&lines), uses_errors);
        let text = self.conversation.with_barrier(&text);
        Ok(self.reply(stage, &text, &deadline)?.answer)
    }

    /// Sends lines that make the program print its state, and reads it.
    pub fn state(
        &mut self,
        spec: &EngineSpec,
        is_chess960: bool,
        lines: &[String],
        stop: &StopSignal,
    ) -> Result<State, SourceError> {
        self.begin_answer(is_chess960)?;
        let text = self.conversation.with_barrier(&lines.join("\n"));
        let printing = Stage::Printing(Printing::new(last(lines)));
        Ok(self.reply(printing, &text, &Deadline::new(spec.answer_limit, stop))?.state)
    }

    /// Prepares for an answer, in Chess960 or not. Output that has not been read belongs to no answer and is discarded.
    fn begin_answer(&mut self, is_chess960: bool) -> Result<(), SourceError> {
        if self.is_chess960 != is_chess960 && self.announces_chess960() {
            self.is_chess960 = is_chess960;
            let line = self.conversation.options.line(CHESS960, &is_chess960.to_string())?;
            self.process.send(&line)?;
        }
        self.process.forget();
        self.process.expect_answer();
        Ok(())
    }

    fn reply(&mut self, stage: Stage, text: &str, deadline: &Deadline) -> Result<Reply, SourceError> {
        self.conversation.begin(stage);
        self.send(text)?;
        self.listen(deadline)
    }

    fn listen(&mut self, deadline: &Deadline) -> Result<Reply, SourceError> {
        loop {
            let event = self.process.hear(self.conversation.patience(), deadline)?;
            match self.conversation.next(event) {
                Action::Wait => {}
                Action::Send(text) => self.send(&text)?,
                Action::SendOneByOne => {
                    self.process.send_one_by_one();
                    self.process.send("")?;
                }
                Action::Finish(reply) => return Ok(reply),
                Action::Fail(failure) => return Err(self.error(failure)),
            }
        }
    }

    fn send(&mut self, text: &str) -> Result<(), SourceError> {
        self.watch();
        self.process.send(text)
    }

    /// Begins to watch what the program does, if a silence can mean something.
    fn watch(&mut self) {
        if self.conversation.patience().is_some() {
            self.process.look();
        }
    }

    fn error(&mut self, failure: Failure) -> SourceError {
        let last = self.process.last_lines();
        match failure {
            Failure::Ended => self.process.ended(),
            Failure::NotUnderstood { asked, last: of_answer } => {
                SourceError::NotUnderstood { asked, last: of_answer.unwrap_or(last) }
            }
            Failure::NoState { asked } => SourceError::NoState { asked, last },
            Failure::Other(error) => error,
        }
    }

    /// Returns what the engine has used since it was started, or `None` where the system does not say.
    pub fn usage(&self) -> Option<Usage> {
        self.process.usage()
    }
}

fn last(lines: &[String]) -> String {
    lines.last().cloned().unwrap_or_default()
}
