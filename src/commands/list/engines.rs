//! `perft list engines`: lists the ways to ask an engine, and the engines of `perft.toml`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use perft_diagnosis::lines::visible;
use serde::Serialize;

use crate::engine::{Dialect, EngineSpec};
use crate::input::config::Engines;
use crate::output::error::CliError;
use crate::output::{Header, JsonArgs, Report, emit, environment, folded};
use crate::system::command_line;

const EXAMPLES: &str = "\
Examples:
  perft list engines                        the dialects, and your own engines
  perft suite --engine mine                 an engine of perft.toml by its name
  perft hunt --engine ./x --dialect perftree";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct EnginesArgs {
    /// Show the engines of this file instead of those of perft.toml in the current folder
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    output: JsonArgs,
}

pub fn run(args: EnginesArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let engines = Engines::load(args.config.as_deref())?;
    let dialect = |dialect: Dialect| {
        let asking = dialect.asking();
        DialectReport {
            name: dialect.name(),
            about: dialect.about(),
            handshake: asking.handshake.name(),
            ask: asking.lines.clone(),
            arguments: asking.arguments.clone(),
        }
    };
    let own = |(name, spec): (&str, &EngineSpec)| EngineReport {
        name: name.to_owned(),
        command: command_line::join(&spec.command),
        dialect: spec.dialect,
    };
    let report = EnginesReport {
        header: environment::header(),
        dialects: Dialect::all().map(dialect).collect(),
        engines: engines.specs().map(own).collect(),
        file: engines.path().to_owned(),
    };
    emit(&report, args.output.format(), out)?;
    Ok(ExitCode::SUCCESS)
}

/// A way to ask an engine.
#[derive(Debug, Serialize)]
pub struct DialectReport {
    /// The name for `--dialect`.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The handshake that opens the conversation.
    pub handshake: &'static str,
    /// The lines that ask a question.
    pub ask: Vec<String>,
    /// The arguments that ask a question.
    pub arguments: Vec<String>,
}

/// An engine of `perft.toml`.
#[derive(Debug, Serialize)]
pub struct EngineReport {
    /// Its name there.
    pub name: String,
    /// Its command line.
    pub command: String,
    /// The dialect in which it is asked.
    pub dialect: &'static str,
}

/// The report of `perft list engines`.
#[derive(Debug, Serialize)]
pub struct EnginesReport {
    /// The program that wrote the report, and the time.
    #[serde(flatten)]
    pub header: Header,
    /// The ways to ask an engine.
    pub dialects: Vec<DialectReport>,
    /// The engines of `perft.toml`.
    pub engines: Vec<EngineReport>,
    /// The file with these engines.
    #[serde(skip)]
    file: PathBuf,
}

impl Report for EnginesReport {
    const NAME: &'static str = "engines";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let bold = anstyle::Style::new().bold();
        writeln!(out, "{bold}Dialects{bold:#}, in the order in which they are tried:")?;
        for dialect in &self.dialects {
            writeln!(out, "  {bold}{}{bold:#}", dialect.name)?;
            writeln!(out, "      {}", folded(dialect.about, 6))?;
        }
        match self.engines.as_slice() {
            [] => writeln!(out, "\nNo engines in perft.toml; perft probe ./my-engine --save NAME adds one.")?,
            all => {
                let file = visible(&self.file.display().to_string());
                writeln!(out, "\n{bold}Engines{bold:#} of {file}:")?;
                for engine in all {
                    writeln!(out, "  {:<16} {} ({})", engine.name, engine.command, engine.dialect)?;
                }
            }
        }
        Ok(())
    }
}
