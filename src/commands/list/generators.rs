//! `perft list generators`: lists the built-in move generators.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use perft_lab::generators::Generator;
use serde::Serialize;

use crate::output::error::CliError;
use crate::output::{Header, JsonArgs, Report, emit, environment};

#[derive(Debug, Args)]
pub struct GeneratorsArgs {
    #[command(flatten)]
    output: JsonArgs,
}

pub fn run(args: GeneratorsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
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
