//! `perft positions`: lists the built-in positions and suites.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use perft_core::suite::builtin::{self, BuiltIn};
use perft_core::suite::{Case, named};

use super::error::CliError;
use super::fold::folded;
use crate::report::grouped;

const EXAMPLES: &str = "\
Examples:
  perft positions                      list all names
  perft positions kiwipete             show a position and its known counts
  perft positions standard > my.epd    print a suite as EPD";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct PositionsArgs {
    /// A position to show with its known counts, a suite to print as EPD, or "invalid" to print lines that every FEN
    /// parser should reject
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Runs the command.
pub fn run(args: PositionsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match args.name.as_deref() {
        None => list(out)?,
        Some("invalid") => write!(out, "{}", builtin::INVALID)?,
        Some(name) => match (builtin::suite(name), find_case(name)) {
            (Some(built_in), _) => write!(out, "{}", built_in.text)?,
            (None, Some(case)) => show(case, out)?,
            (None, None) => {
                return Err(CliError::usage(format!("there is no built-in position or suite '{name}'"))
                    .help("'perft positions' lists all names"));
            }
        },
    }
    Ok(ExitCode::SUCCESS)
}

fn find_case(name: &str) -> Option<&'static Case> {
    let all = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    builtin::position(name).or_else(|| all.into_iter().find(|case| case.name() == name))
}

fn list(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "Positions, as in perft NAME DEPTH:")?;
    for case in &named().cases {
        let depth = case.expected.last().map_or(0, |known| known.depth);
        writeln!(out, "  {:<12} known to depth {depth:>2}\n    {}", case.name(), case.fen)?;
    }
    writeln!(out, "\nSuites, for perft suite NAME:")?;
    for BuiltIn { name, about, .. } in builtin::suites() {
        let count = builtin::suite(name).map_or(0, |built_in| built_in.suite().cases.len());
        let line = format!("  {name:<12} {count:>3} positions: {about}");
        writeln!(out, "{}", folded(&line, 30))?;
    }
    writeln!(out, "\n'perft positions NAME' shows a position or prints a suite as EPD.")
}

fn show(case: &Case, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}\n{}", case.name(), folded(case.comment.as_deref().unwrap_or(""), 0))?;
    writeln!(out, "\n{}\n{}\n", case.position.diagram(), case.fen)?;
    for known in &case.expected {
        writeln!(out, "perft({:2})= {:>33}", known.depth, grouped(known.nodes))?;
    }
    Ok(())
}
