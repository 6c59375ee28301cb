//! `perft list engines`: lists the ways to ask an engine, and the engines of `perft.toml`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use perft_diagnosis::lines::visible;

use crate::commands::probe::report::{DialectReport, EngineReport, EnginesReport};
use crate::engine::Dialect;
use crate::input::config::Engines;
use crate::output::error::CliError;
use crate::output::{environment, write_json};

const EXAMPLES: &str = "\
Examples:
  perft list engines                             the dialects, and your own engines
  perft suite --engine mine                 an engine of perft.toml by its name
  perft hunt --engine ./x --dialect perftree";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct EnginesArgs {
    /// Show the engines of this file instead of those of the nearest perft.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: EnginesArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let engines = Engines::load(args.config.as_deref())?;
    let own = engines.specs().map(|(name, spec)| EngineReport::new(name, spec)).collect();
    let dialects = Dialect::all().map(DialectReport::new).collect();
    let report = EnginesReport { header: environment::header(), dialects, engines: own };
    if args.json {
        write_json(&report, false, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let bold = anstyle::Style::new().bold();
    writeln!(out, "{bold}Dialects{bold:#}, in the order in which they are tried:")?;
    for dialect in &report.dialects {
        writeln!(out, "  {bold}{}{bold:#}", dialect.name)?;
        let options = textwrap::Options::new(80).initial_indent("      ").subsequent_indent("      ");
        writeln!(out, "{}", textwrap::fill(dialect.about, options))?;
    }
    match report.engines.as_slice() {
        [] => writeln!(out, "\nNo engines in perft.toml; perft probe ./my-engine --save NAME adds one.")?,
        all => {
            let file = visible(&engines.path().display().to_string());
            writeln!(out, "\n{bold}Engines{bold:#} of {file}:")?;
            for engine in all {
                writeln!(out, "  {:<16} {} ({})", engine.name, engine.command, engine.dialect)?;
            }
            if let Some(doubt) = engines.doubt() {
                writeln!(out, "The file is used only if it is named with --config: {doubt}.")?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
