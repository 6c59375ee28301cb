//! `perft list`: what is built in, and what `perft.toml` adds.

pub mod positions;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use perft_diagnosis::lines::visible;
use perft_lab::generators::Generator;
use serde::Serialize;

use crate::engine::{Dialect, EngineSpec, Handshake};
use crate::input::config::Engines;
use crate::output::error::CliError;
use crate::output::{Header, JsonArgs, Report, emit, environment, folded};
use crate::system::command_line;

const EXAMPLES: &str = "\
Examples:
  perft list positions             all built-in positions and suites
  perft list positions kiwipete    a position and its known counts
  perft list engines               the ways to ask an engine";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct ListArgs {
    #[command(subcommand)]
    command: ListCommand,
}

#[derive(Debug, Subcommand)]
enum ListCommand {
    /// List the built-in positions and suites, or show one
    Positions(positions::PositionsArgs),
    /// List the ways to ask an engine, and those of perft.toml
    Engines(EnginesArgs),
    /// List the built-in move generators
    Generators(GeneratorsArgs),
}

pub fn run(args: ListArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match args.command {
        ListCommand::Positions(args) => positions::run(args, out),
        ListCommand::Engines(args) => run_engines(args, out),
        ListCommand::Generators(args) => run_generators(args, out),
    }
}

#[derive(Debug, Args)]
pub struct GeneratorsArgs {
    #[command(flatten)]
    output: JsonArgs,
}

pub fn run_generators(args: GeneratorsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let row = |generator: &Generator| GeneratorReport {
        name: generator.name(),
        about: generator.about(),
        source: generator.source(),
    };
    let generators = Generator::ALL.iter().map(row).collect();
    emit(&GeneratorsReport { header: environment::header(), generators }, args.output.format(), out)?;
    Ok(ExitCode::SUCCESS)
}

/// The built-in generators.
#[derive(Clone, Debug, Serialize)]
pub struct GeneratorsReport {
    /// The program that wrote the report, and the time.
    #[serde(flatten)]
    pub header: Header,
    /// The generators.
    pub generators: Vec<GeneratorReport>,
}

/// A generator.
#[derive(Clone, Debug, Serialize)]
pub struct GeneratorReport {
    /// The name.
    pub name: &'static str,
    /// The idea of the design.
    pub about: &'static str,
    /// The source of the design: pages of the Chess Programming Wiki, or this project.
    pub source: &'static str,
}

impl Report for GeneratorsReport {
    const NAME: &'static str = "generators";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let bold = anstyle::Style::new().bold();
        for GeneratorReport { name, about, source } in &self.generators {
            writeln!(out, "{bold}{name:<12}{bold:#}  {about:<45}  {source}")?;
        }
        writeln!(out, "\nThe sources are pages of the Chess Programming Wiki.")?;
        writeln!(out, "'--generator NAME' counts with one; 'perft hunt --generators all' compares all.")
    }
}

const ENGINES_EXAMPLES: &str = "\
Examples:
  perft list engines                        the dialects, and your own engines
  perft suite --engine mine                 an engine of perft.toml by its name
  perft hunt --engine ./x --dialect perftree";

#[derive(Debug, Args)]
#[command(before_help = ENGINES_EXAMPLES)]
pub struct EnginesArgs {
    /// Show the engines of this file instead of those of perft.toml in the current folder
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    output: JsonArgs,
}

pub fn run_engines(args: EnginesArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let engines = Engines::load(args.config.as_deref())?;
    let dialect = |dialect: Dialect| {
        let asking = dialect.asking();
        DialectReport {
            name: dialect.name(),
            about: dialect.about(),
            handshake: asking.handshake,
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
    pub handshake: Handshake,
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
