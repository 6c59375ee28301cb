//! `perft completions` and `perft man`: for the shell and the manual.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

use super::error::CliError;

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Writes a completion script.
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

/// Writes the manual page.
pub fn man(command: Command, out: &mut impl Write) -> Result<ExitCode, CliError> {
    clap_mangen::Man::new(command).render(out)?;
    Ok(ExitCode::SUCCESS)
}
