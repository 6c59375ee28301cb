//! `perft completions` and `perft man`: completion scripts and the manual page.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

use super::error::CliError;

const EXAMPLES: &str = "\
Examples:
  perft completions bash > ~/.local/share/bash-completion/completions/perft
  perft completions fish > ~/.config/fish/completions/perft.fish
  perft completions powershell >> $PROFILE";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// Shell to print the script for
    shell: Shell,
}

/// Prints a completion script.
pub fn completions(
    args: CompletionsArgs,
    command: &mut Command,
    out: &mut impl Write,
) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "perft", &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page.
pub fn man(command: Command, out: &mut impl Write) -> Result<ExitCode, CliError> {
    clap_mangen::Man::new(command).render(out)?;
    Ok(ExitCode::SUCCESS)
}
