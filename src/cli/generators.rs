//! `perft generators`: the laboratory, in words.

use std::io::Write;
use std::process::ExitCode;

use crate::report::generators::{GeneratorReport, GeneratorsReport};
use crate::report::write_json;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use perft_lab::generators::{Design, Generator};

use super::error::CliError;

#[derive(Debug, Args)]
pub struct GeneratorsArgs {
    /// A generator, to show it alone
    #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    name: Option<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(args: GeneratorsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let generators = match &args.name {
        None => Generator::ALL.to_vec(),
        Some(name) => vec![name.parse().map_err(|error| {
            let names: Vec<&str> = Generator::ALL.iter().map(|generator| generator.name()).collect();
            CliError::usage(error).help(format!("there are: {}", names.join(", ")))
        })?],
    };
    if args.json {
        let generators = generators.into_iter().map(GeneratorReport::new).collect();
        write_json(&GeneratorsReport { generators }, false, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    for generator in &generators {
        write(*generator, out)?;
    }
    if args.name.is_none() {
        writeln!(
            out,
            "'--generator NAME' counts with one of them; 'perft agree' compares them move by move."
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Columns of a line that people read.
const WIDTH: usize = 80;

fn write(generator: Generator, out: &mut impl Write) -> std::io::Result<()> {
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

/// A text behind a label, its further lines as far to the right.
fn write_wrapped(label: &str, text: &str, out: &mut impl Write) -> std::io::Result<()> {
    let indent = " ".repeat(label.len());
    let options = textwrap::Options::new(WIDTH).initial_indent(label).subsequent_indent(&indent);
    writeln!(out, "{}", textwrap::fill(text, options))
}
