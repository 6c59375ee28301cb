//! `perft positions`: what is built in.

use std::io::Write;
use std::process::ExitCode;

use crate::report::grouped;
use clap::Args;
use perft_core::suite::Case;
use perft_core::suite::builtin::{self, BuiltIn};

use super::error::CliError;

#[derive(Debug, Args)]
pub struct PositionsArgs {
    /// A position, to show it with its known counts; a suite, to print it as EPD; or invalid, for lines that must be
    /// refused
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Runs the verb.
pub fn run(args: PositionsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match args.name.as_deref() {
        None => list(out)?,
        Some("invalid") => write!(out, "{}", builtin::INVALID)?,
        Some(name) => match (builtin::suite(name), find_case(name)) {
            (Some(built_in), _) => write!(out, "{}", built_in.text)?,
            (None, Some(case)) => show(case, out)?,
            (None, None) => return Err(unknown(name)),
        },
    }
    Ok(ExitCode::SUCCESS)
}

fn find_case(name: &str) -> Option<&'static Case> {
    let all = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    builtin::position(name).or_else(|| all.into_iter().find(|case| case.name() == name))
}

fn unknown(name: &str) -> CliError {
    CliError::usage(format!("nothing built in is called '{name}'"))
        .help("'perft positions' lists what there is")
}

fn list(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "Positions, for --fen NAME:")?;
    for case in builtin::named() {
        let depth = case.expected.last().map_or(0, |known| known.depth);
        writeln!(out, "  {:<12} known to depth {depth:>2}  {}", case.name(), case.fen)?;
    }
    writeln!(out, "\nSuites, for perft suite NAME:")?;
    for BuiltIn { name, about, .. } in builtin::suites() {
        let count = builtin::suite(name).map_or(0, |built_in| built_in.suite().cases.len());
        writeln!(out, "  {name:<12} {count:>3} positions: {about}")?;
    }
    writeln!(out, "\n'perft positions NAME' shows a position, or prints a suite as EPD.")
}

fn show(case: &Case, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}\n{}", case.name(), case.comment.as_deref().unwrap_or(""))?;
    writeln!(out, "\n{}\n{}\n", case.position.diagram(), case.fen)?;
    for known in &case.expected {
        writeln!(out, "perft({:2})= {:>33}", known.depth, grouped(known.nodes))?;
    }
    Ok(())
}
