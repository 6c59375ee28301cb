//! `perft list`: what is built in, and what `perft.toml` adds.

pub mod engines;
pub mod generators;
pub mod positions;

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::output::error::CliError;

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
    Engines(engines::EnginesArgs),
    /// List the built-in move generators
    Generators(generators::GeneratorsArgs),
}

pub fn run(args: ListArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match args.command {
        ListCommand::Positions(args) => positions::run(args, out),
        ListCommand::Engines(args) => engines::run(args, out),
        ListCommand::Generators(args) => generators::run(args, out),
    }
}
