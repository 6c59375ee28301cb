//! `perft generate`: files for other programs.

pub mod completions;
pub mod man;

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Command, Subcommand};

use crate::output::error::CliError;

const EXAMPLES: &str = "\
Examples:
  perft generate completions fish > ~/.config/fish/completions/perft.fish
  perft generate man hunt | man -l -";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct GenerateArgs {
    #[command(subcommand)]
    command: GenerateCommand,
}

#[derive(Debug, Subcommand)]
enum GenerateCommand {
    /// Print the completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page of the program or of a command
    Man(man::ManArgs),
}

/// Runs the command. `command` is the whole command line.
pub fn run(args: GenerateArgs, command: Command, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match args.command {
        GenerateCommand::Completions(args) => completions::run(args, command, out),
        GenerateCommand::Man(args) => man::run(args, command, out),
    }
}
