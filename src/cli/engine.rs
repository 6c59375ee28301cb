//! The arguments that say which foreign program is asked, and how.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use crate::engine::{Dialect, Engine, EngineSpec, Transcript};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use perft_core::StopSignal;

use super::config::{Asked, Engines};
use super::error::CliError;

/// Which foreign program.
#[derive(Debug, Args)]
#[command(next_help_heading = "Another program")]
pub struct EngineArgs {
    /// Ask this program: the name of an entry of perft.toml, or a command with arguments, run without a shell
    #[arg(long, value_name = "NAME|CMD")]
    engine: Option<String>,
    /// How it is asked [default: uci, or what perft.toml says]
    #[arg(long, value_name = "DIALECT", value_parser = dialects(), requires = "engine")]
    dialect: Option<Dialect>,
    /// Seconds that an answer may take [default: 60, or what perft.toml says]
    #[arg(long, value_name = "S", value_parser = parse_seconds, requires = "engine")]
    engine_timeout: Option<Duration>,
    /// Write down all that is said, with the process it is said to or by
    #[arg(long, value_name = "FILE", requires = "engine")]
    engine_log: Option<PathBuf>,
}

impl EngineArgs {
    /// True if another program is to be asked.
    pub fn is_given(&self) -> bool {
        self.engine.is_some()
    }

    /// The program, if one is to be asked, and if it can be started.
    pub fn build(&self, stop: &StopSignal) -> Result<Option<EngineSpec>, CliError> {
        let Some(engine) = &self.engine else { return Ok(None) };
        let engines = Engines::find()?;
        let spec = engines.resolve(engine, Asked { dialect: self.dialect, timeout: self.engine_timeout })?;
        let transcript = match &self.engine_log {
            None => Transcript::default(),
            Some(path) => Transcript::to(File::create(path).map_err(|error| {
                CliError::usage(format!("cannot write the log '{}': {error}", path.display()))
            })?),
        };
        let spec = EngineSpec { transcript, ..spec };
        let started = Engine::new(spec.clone()).start(stop);
        started.map_err(|error| engines.failure(engine, error))?;
        Ok(Some(spec))
    }
}

/// Turns the name of a dialect into the dialect; the help lists them all.
fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::ALL.map(|dialect| PossibleValue::new(dialect.name()).help(dialect.about()));
    PossibleValuesParser::new(names).map(|name| name.parse().expect("only these names are possible"))
}

/// A time to wait.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "a number of seconds above 0".to_owned())
}
