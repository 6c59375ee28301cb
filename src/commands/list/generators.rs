//! `perft list generators`: describes the built-in move generators.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use perft_lab::generators::{Design, Generator};
use serde::Serialize;

use crate::input::generators;
use crate::output::error::CliError;
use crate::output::{Header, JsonArgs, Report, emit, environment, folded};

#[derive(Debug, Args)]
pub struct GeneratorsArgs {
    /// Describe only this generator
    #[arg(value_name = "NAME", value_parser = generators(), hide_possible_values = true)]
    name: Option<Generator>,
    #[command(flatten)]
    output: JsonArgs,
}

/// Runs the command.
pub fn run(args: GeneratorsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let generators = args.name.map_or(Generator::ALL.to_vec(), |generator| vec![generator]);
    let report = GeneratorsReport {
        header: environment::header(),
        generators: generators.into_iter().map(GeneratorReport::new).collect(),
        is_all: args.name.is_none(),
    };
    emit(&report, args.output.format(), out)?;
    Ok(ExitCode::SUCCESS)
}

fn write_generator(generator: &GeneratorReport, out: &mut impl Write) -> io::Result<()> {
    let GeneratorReport { name, about, board, sliders, legality, playing, move_format, counting, source } =
        generator;
    let bold = anstyle::Style::new().bold();
    writeln!(out, "{bold}{name}{bold:#}")?;
    writeln!(out, "  {}", folded(about, 2))?;
    for (name, text) in [
        ("board", board),
        ("sliders", sliders),
        ("legality", legality),
        ("playing", playing),
        ("moves", move_format),
        ("counting", counting),
        ("source", source),
    ] {
        writeln!(out, "    {name:<9} {}", folded(text, 14))?;
    }
    writeln!(out)
}

/// Some or all of the built-in generators.
#[derive(Clone, Debug, Serialize)]
pub struct GeneratorsReport {
    /// The program that wrote the report, and the time.
    #[serde(flatten)]
    pub header: Header,
    /// The generators.
    pub generators: Vec<GeneratorReport>,
    /// Whether these are all generators.
    #[serde(skip)]
    is_all: bool,
}

/// A generator, with the fields of its [`Design`].
#[derive(Clone, Debug, Serialize)]
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

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        self.generators.iter().try_for_each(|generator| write_generator(generator, out))?;
        if self.is_all {
            writeln!(out, "'--generator NAME' counts with one; 'perft hunt --generators all' compares all.")?;
        }
        Ok(())
    }
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
