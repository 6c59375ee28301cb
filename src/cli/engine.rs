//! The arguments that name an engine and say how to ask it.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use perft_core::StopSignal;
use perft_diagnosis::source::CountSource;

use super::args::parse_seconds;
use super::config::{EngineOverrides, Engines};
use super::error::CliError;
use crate::engine::{Dialect, Engine, EngineSpec, Transcript};

/// Which engine to ask, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// Engine to ask: a name from perft.toml, or a command with arguments, which runs without a shell
    #[arg(long, value_name = "NAME|CMD")]
    engine: Option<String>,
    /// How to ask the engine [default: uci, or the dialect in perft.toml]
    #[arg(long, value_name = "DIALECT", value_parser = dialects(), requires = "engine")]
    dialect: Option<Dialect>,
    /// Time limit for each answer in seconds [default: 60, or the timeout in perft.toml]
    #[arg(long, value_name = "S", value_parser = parse_seconds, requires = "engine")]
    engine_timeout: Option<Duration>,
    /// Record the whole conversation with the engine in this file
    #[arg(long, value_name = "FILE", requires = "engine")]
    engine_log: Option<PathBuf>,
}

impl EngineArgs {
    /// Whether an engine was named.
    pub fn is_given(&self) -> bool {
        self.engine.is_some()
    }

    /// Returns the engine that was named, if any, after a test start.
    ///
    /// # Errors
    /// `perft.toml` is wrong, the log cannot be written, or the engine does not start.
    pub fn build(&self, stop: &StopSignal) -> Result<Option<EngineSpec>, CliError> {
        let Some(engine) = &self.engine else { return Ok(None) };
        let engines = Engines::find()?;
        let overrides = EngineOverrides { dialect: self.dialect, timeout: self.engine_timeout };
        let spec = engines.resolve(engine, overrides)?;
        let transcript = match &self.engine_log {
            None => Transcript::default(),
            Some(path) => Transcript::to(File::create(path).map_err(|error| {
                CliError::usage(format!("cannot write the log '{}': {error}", path.display()))
            })?),
        };
        let spec = EngineSpec { transcript, ..spec };
        let started = Engine::new(spec.clone()).prepare(stop);
        started.map_err(|error| engines.start_error(engine, error))?;
        Ok(Some(spec))
    }
}

/// Parses the name of a dialect.
fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::ALL.map(|dialect| PossibleValue::new(dialect.name()).help(dialect.about()));
    PossibleValuesParser::new(names).map(|name| name.parse().expect("only these names are possible"))
}
