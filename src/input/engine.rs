//! The arguments that name an engine and say how to ask it.

use std::path::Path;

use clap::{Args, ValueHint};
use perft_core::StopSignal;
use perft_diagnosis::source::{CountSource, Question, SourceError};

use super::config::Engines;
use super::how_to_ask::{HowToAsk, check_parts};
use super::words::Word;
use super::words::joined;
use crate::engine::{self, CUSTOM, Engine, EngineSpec, Exam, Handshake, Probed, Transcript};
use crate::output::{CliError, CliErrorKind, Context, OutputFile, WaitNote, note};
use crate::system::command_line::to_type;
use crate::system::files;

/// Which engine to ask, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// Engine to ask: a name from perft.toml, a program, or a command with arguments, which runs without a shell.
    /// Quotes keep spaces in a word together. With {depth}, {fen} or {moves} in the command, it is run once for each
    /// question
    #[arg(long, value_name = "NAME|CMD", value_hint = ValueHint::FilePath)]
    engine: Option<String>,
    #[command(flatten)]
    how: HowToAsk,
    /// Record the whole conversation with the engine in this file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    engine_log: Option<OutputFile>,
}

/// An engine that was named on the command line, before its first question.
#[derive(Clone, Debug)]
pub struct NamedEngine {
    /// The way to run the engine and to ask it.
    pub spec: EngineSpec,
    /// The engines of `perft.toml`.
    pub engines: Engines,
    /// The value of `--engine`.
    pub text: String,
}

impl EngineArgs {
    pub fn text(&self) -> Option<&str> {
        self.engine.as_deref()
    }

    pub fn config(&self) -> Option<&Path> {
        self.how.config.as_deref()
    }

    /// Takes the word that names the engine out of the words of a command line, wherever it is.
    ///
    /// # Errors
    /// Two engines are named, a word is a program on the PATH, or `perft.toml` is wrong.
    pub fn take_from(&mut self, words: &mut Vec<String>, context: &Context) -> Result<(), CliError> {
        for text in joined(&std::mem::take(words)) {
            match (Word::of(&text, self.config())?, &self.engine) {
                (Word::Engine, None) => self.engine = Some(text),
                (Word::Engine, Some(first)) => {
                    let line = [hunt_of(first), vec!["--reference".to_owned(), text.clone()]].concat();
                    return Err(CliError::usage(format!("two engines were given: '{first}' and '{text}'"))
                        .suggest("to compare two", &line));
                }
                (Word::Program, _) => return Err(Word::Program.refusal(&text, "an engine", context)),
                _ => words.push(text),
            }
        }
        Ok(())
    }

    /// Returns the engine of `--engine`, if any, and makes sure that it understands the way to ask it.
    ///
    /// # Errors
    /// `perft.toml` is wrong, the log cannot be written, the engine does not start, or no way to ask it is found. It is
    /// also an error if there is an option for an engine, but no engine.
    pub fn build(&self, context: &Context) -> Result<Option<EngineSpec>, CliError> {
        let Some(text) = &self.engine else { return refuse_options("an engine", context).map(|()| None) };
        let (spec, _) = self.load(text)?.probe(&[], &context.stop)?;
        match self.how.options.first().filter(|_| spec.asking.handshake != Handshake::Uci) {
            Some((name, _)) => {
                Err(CliError::usage(format!("'{text}' is no UCI engine, so it has no option {name}")))
            }
            None => Ok(Some(spec)),
        }
    }

    /// Returns two engines to compare. The dialect of the second one comes from `perft.toml` or from a probe. An option
    /// that only one of them has is set only for that one.
    ///
    /// # Errors
    /// The same as for [`EngineArgs::build`], or neither engine has one of the options.
    pub fn build_pair(&self, names: [&str; 2], stop: &StopSignal) -> Result<[EngineSpec; 2], CliError> {
        let HowToAsk { options, engine_timeout, .. } = self.how.clone();
        let how = HowToAsk { options, engine_timeout, ..HowToAsk::default() };
        let second = NamedEngine::new(names[1], &how, Engines::load(self.config())?)?;
        let (first, missing) = self.load(names[0])?.probe(&how.options, stop)?;
        let (second, also_missing) = second.probe(&how.options, stop)?;
        if let Some(name) = missing.iter().find(|name| also_missing.contains(name)) {
            return Err(CliError::usage(format!(
                "neither {} nor {} has an option {name}",
                names[0], names[1]
            )));
        }
        for (engine, missing) in [(names[0], missing), (names[1], also_missing)] {
            missing
                .iter()
                .for_each(|name| note(format!("{engine} has no option {name}: it is asked without it")));
        }
        Ok([first, second])
    }

    /// Reads what `perft.toml` says about an engine, and creates the log. The engine is not started.
    ///
    /// # Errors
    /// `perft.toml` is wrong, or the log cannot be written.
    pub fn load(&self, text: &str) -> Result<NamedEngine, CliError> {
        let mut named = NamedEngine::new(text, &self.how, Engines::load(self.config())?)?;
        if let Some(path) = &self.engine_log {
            named.spec.transcript =
                Transcript::to(files::create(path).map_err(CliError::file("write the log", path))?);
        }
        Ok(named)
    }
}

impl NamedEngine {
    /// Returns the engine with this name or command.
    ///
    /// # Errors
    /// The command is wrong, or contradicts `perft.toml`.
    pub fn new(text: &str, how: &HowToAsk, engines: Engines) -> Result<NamedEngine, CliError> {
        let spec = match engines.get(text, how)? {
            Some(spec) => spec.clone(),
            None => EngineSpec::parse(text, None)?,
        };
        spec.command.iter().try_for_each(|word| check_parts(word)).map_err(CliError::usage)?;
        Ok(NamedEngine { spec: how.applied_to(spec), engines, text: text.to_owned() })
    }

    /// Finds a way to ask the engine that it understands, unless one was saved: such an engine is only started. If that
    /// takes long, the user is told what the program is doing. Those of the options `optional` that the engine does not
    /// have are left out. Also returns their names.
    ///
    /// # Errors
    /// The engine does not start, or does not understand.
    pub fn probe(
        mut self,
        optional: &[(String, String)],
        stop: &StopSignal,
    ) -> Result<(EngineSpec, Vec<String>), CliError> {
        let mut missing = Vec::new();
        let is_known = self.spec.profile.is_some();
        let patience = (!is_known).then(|| WaitNote::with(format!("finding out how to ask {}", self.text)));
        let probed = loop {
            let probed = match is_known {
                true => Engine::new(self.spec.clone()).prepare(stop).map(|()| None),
                false => engine::probe(&self.spec, false, stop, &|_| {}).map(Some),
            };
            match probed {
                Err(SourceError::NoOption(name, _)) if optional.iter().any(|(known, _)| *known == name) => {
                    self.spec.options.retain(|(known, _)| *known != name);
                    missing.push(name);
                }
                probed => break probed.map_err(|error| self.engines.start_error(&self.text, error))?,
            }
        };
        drop(patience);
        let spec = probed.map_or_else(|| Ok(self.spec.clone()), |probed| self.accept(probed))?;
        if spec.asking.handshake != Handshake::Uci {
            missing = optional.iter().map(|(name, _)| name.clone()).collect();
        }
        Ok((spec, missing))
    }

    /// Takes the way to ask that was found, and notes what is unusual about the engine.
    fn accept(&self, probed: Probed) -> Result<EngineSpec, CliError> {
        let Some(Exam { spec, ignores_moves, crash, .. }) = probed.exam else {
            let tried = if self.spec.has_words { 0 } else { probed.attempts.len() };
            return Err(not_understood(probed.reason, tried));
        };
        if let Some(crash) = crash {
            return Err(CliError::engine(format!("the engine fails after an answer: {crash}")));
        }
        let text = &self.text;
        if spec.dialect != self.spec.dialect && spec.dialect != CUSTOM {
            let more = to_type(&about_engine("probe", text)).map(|line| format!("; for more, type: {line}"));
            note(format!("asking {text} in the dialect {}{}", spec.dialect, more.unwrap_or_default()));
        }
        if ignores_moves {
            note(format!("{text} does not play the moves of a question: it gets each position as a FEN"));
        }
        Ok(spec)
    }
}

/// Why flags for our own counts are refused.
pub const NO_EFFECT: &str = "has no effect on an engine and cannot be used with --engine";

/// Returns the line of this program with these words, which asks an engine in the same way as this run.
pub fn command(words: impl IntoIterator<Item = impl Into<String>>, context: &Context) -> Option<String> {
    let words: Vec<String> =
        words.into_iter().map(Into::into).chain(context.given.flags_of::<HowToAsk>()).collect();
    to_type(&words)
}

/// Returns the words of a hunt for the bugs of an engine.
pub fn hunt_of(engine: &str) -> Vec<String> {
    about_engine("hunt", engine)
}

/// A bare name on the PATH stands behind its flag.
fn about_engine(command: &str, engine: &str) -> Vec<String> {
    let flag = (Word::of_system(engine) == Word::Program).then_some("--engine");
    [command].into_iter().chain(flag).chain([engine]).map(str::to_owned).collect()
}

/// Returns the words of the command that answers a question: a divide, or a count at depth 0. With an engine, the
/// command compares its answer with that of the engine.
pub fn comparison(question: &Question, engine: Option<&str>) -> Vec<String> {
    let (moves, depth) = (question.moves.join(","), question.depth.to_string());
    let verb = (question.depth > 0).then_some("divide");
    let mut words: Vec<&str> = verb.into_iter().chain(["--fen", &question.fen]).collect();
    words.extend(if moves.is_empty() { vec![] } else { vec!["--moves", &moves] });
    words.extend(["--depth", &depth]);
    words.extend(engine.into_iter().flat_map(|engine| ["--against", engine]));
    words.into_iter().map(str::to_owned).collect()
}

/// Refuses options that have no effect without an engine. `needed` is what is missing.
///
/// # Errors
/// Such an option was given.
pub fn refuse_options(needed: &str, context: &Context) -> Result<(), CliError> {
    let typed = [context.given.flags_of::<HowToAsk>(), context.given.flags(&["engine_log"])].concat();
    match typed.first() {
        Some(option) => Err(CliError::usage(format!("{option} needs {needed}"))),
        None => Ok(()),
    }
}

/// Returns the error for an engine for which no way to ask was found. `tried` is the number of dialects that were
/// tried; 0 if the user has chosen one.
pub fn not_understood(reason: Option<SourceError>, tried: usize) -> CliError {
    let tried = match tried {
        0 => String::new(),
        many => format!("; {many} ways to ask it for a perft were tried (\"perft probe -v\" shows them)"),
    };
    let more_time = match &reason {
        Some(SourceError::TimedOut(..)) => "if it needs more time: --engine-timeout SECONDS; ",
        _ => "",
    };
    let reason = reason.map_or_else(|| "the engine is not understood".to_owned(), |error| error.to_string());
    CliError::failed(CliErrorKind::Engine, format!("{reason}{tried}"))
        .help(format!("{more_time}{HOW_TO_ASK}"))
}

/// The help for an engine that is not understood.
pub const HOW_TO_ASK: &str = "say how to ask with --ask 'LINE', or put {depth} and {fen} into the command; say where the counts stand with --total 'REGEX' and --move 'REGEX'";
