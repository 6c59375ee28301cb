//! `perft list`: what is built in, and what `perft.toml` adds.

mod positions;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use perft_diagnosis::lines::visible;
use perft_lab::generators::Generator;
use serde::Serialize;
use serde_json::{Value, json};

use crate::engine::{Dialect, EngineSpec};
use crate::input::config::Engines;
use crate::output::environment::header;
use crate::output::error::CliError;
use crate::output::{Header, JsonArgs, Report, emit, folded};
use crate::system::command_line;

/// A list: the fields of its JSON, and its text.
#[derive(Debug, Serialize)]
struct List<T> {
    #[serde(flatten)]
    header: Header,
    #[serde(flatten)]
    content: T,
    #[serde(skip)]
    text: String,
}

/// The content of a list, and the name of its report.
trait Content: Serialize {
    const NAME: &'static str;
}

impl<T: Content> Report for List<T> {
    const NAME: &'static str = T::NAME;

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(self.text.as_bytes())
    }
}

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

#[derive(Debug, Serialize)]
struct Generators {
    generators: Vec<Value>,
}

impl Content for Generators {
    const NAME: &'static str = "generators";
}

fn run_generators(args: GeneratorsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let bold = anstyle::Style::new().bold();
    let mut text = String::new();
    let mut generators: Vec<Value> = Vec::new();
    for generator in Generator::ALL {
        let (name, about, source) = (generator.name(), generator.about(), generator.source());
        generators.push(json!({ "name": name, "about": about, "source": source }));
        let _ = writeln!(text, "{bold}{name:<12}{bold:#}  {about:<45}  {source}");
    }
    text += "\nThe sources are pages of the Chess Programming Wiki.\n\
             '--generator NAME' counts with one; 'perft hunt --generators all' compares all.\n";
    emit(&List { header: header(), content: Generators { generators }, text }, args.output.format(), out)?;
    Ok(ExitCode::SUCCESS)
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

#[derive(Debug, Serialize)]
struct OwnEngines {
    dialects: Vec<Value>,
    engines: Vec<Value>,
}

impl Content for OwnEngines {
    const NAME: &'static str = "engines";
}

fn run_engines(args: EnginesArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let engines = Engines::load(args.config.as_deref())?;
    let bold = anstyle::Style::new().bold();
    let mut text = format!("{bold}Dialects{bold:#}, in the order in which they are tried:\n");
    let mut dialects: Vec<Value> = Vec::new();
    for dialect in Dialect::all() {
        let (name, about, asking) = (dialect.name(), dialect.about(), dialect.asking());
        dialects.push(json!({
            "name": name,
            "about": about,
            "handshake": asking.handshake,
            "ask": asking.lines,
            "arguments": asking.arguments,
        }));
        let _ = writeln!(text, "  {bold}{name}{bold:#}\n      {}", folded(about, 6));
    }
    let own: Vec<(&str, &EngineSpec)> = engines.specs().collect();
    text += &match own.is_empty() {
        true => "\nNo engines in perft.toml; perft probe ./my-engine --save NAME adds one.\n".to_owned(),
        false => format!("\n{bold}Engines{bold:#} of {}:\n", visible(&engines.path().display().to_string())),
    };
    let engine = |(name, spec): (&str, &EngineSpec)| {
        let command = command_line::join(&spec.command);
        let _ = writeln!(text, "  {name:<16} {command} ({})", spec.dialect);
        json!({ "name": name, "command": command, "dialect": spec.dialect })
    };
    let engines = own.into_iter().map(engine).collect();
    let content = OwnEngines { dialects, engines };
    emit(&List { header: header(), content, text }, args.output.format(), out)?;
    Ok(ExitCode::SUCCESS)
}
