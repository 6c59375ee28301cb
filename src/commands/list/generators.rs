//! `perft list generators`: describes the built-in move generators.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use perft_lab::generators::{Design, Generator};
use serde::Serialize;

use crate::input::generators;
use crate::output::error::CliError;
use crate::output::{Header, Report, environment, write_json};

/// The width of the text in columns.
const WIDTH: usize = 80;

#[derive(Debug, Args)]
pub struct GeneratorsArgs {
    /// Describe only this generator
    #[arg(value_name = "NAME", value_parser = generators(), hide_possible_values = true)]
    name: Option<Generator>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: GeneratorsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let generators = args.name.map_or(Generator::ALL.to_vec(), |generator| vec![generator]);
    if args.json {
        let generators = generators.into_iter().map(GeneratorReport::new).collect();
        write_json(&GeneratorsReport { header: environment::header(), generators }, false, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    for generator in &generators {
        write_design(*generator, out)?;
    }
    if args.name.is_none() {
        writeln!(out, "'--generator NAME' counts with one of them; 'perft agree' compares their moves.")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_design(generator: Generator, out: &mut impl Write) -> std::io::Result<()> {
    let Design { about, board, sliders, legality, playing, moves, counting, source } = generator.design();
    let bold = anstyle::Style::new().bold();
    writeln!(out, "{bold}{generator}{bold:#}")?;
    write_wrapped("  ", about, out)?;
    for (name, text) in [
        ("board", board),
        ("sliders", sliders),
        ("legality", legality),
        ("playing", playing),
        ("moves", moves),
        ("counting", counting),
        ("source", source),
    ] {
        write_wrapped(&format!("    {name:<9} "), text, out)?;
    }
    writeln!(out)
}

/// Writes a text after a label and aligns its further lines with the first.
fn write_wrapped(label: &str, text: &str, out: &mut impl Write) -> std::io::Result<()> {
    let indent = " ".repeat(label.len());
    let options = textwrap::Options::new(WIDTH).initial_indent(label).subsequent_indent(&indent);
    writeln!(out, "{}", textwrap::fill(text, options))
}

/// Some or all of the built-in generators.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GeneratorsReport {
    /// Who wrote the report.
    #[serde(flatten)]
    pub header: Header,
    /// The generators.
    pub generators: Vec<GeneratorReport>,
}

/// A generator, with the fields of its [`Design`].
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct GeneratorReport {
    pub name: &'static str,
    pub about: &'static str,
    pub board: &'static str,
    pub sliders: &'static str,
    pub legality: &'static str,
    pub playing: &'static str,
    pub move_format: &'static str,
    pub counting: &'static str,
    pub source: &'static str,
}

impl Report for GeneratorsReport {
    const NAME: &'static str = "generators";
}

impl GeneratorReport {
    /// Describes a generator.
    pub fn new(generator: Generator) -> GeneratorReport {
        let Design { about, board, sliders, legality, playing, moves: move_format, counting, source } =
            generator.design();
        let name = generator.name();
        GeneratorReport { name, about, board, sliders, legality, playing, move_format, counting, source }
    }
}
