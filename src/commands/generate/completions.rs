//! `perft generate completions`: the script with which a shell completes commands, options and their values.

use std::io::Write;
use std::process::ExitCode;

use clap::{Arg, Args, Command, ValueHint};
use clap_complete::Shell;

use crate::output::error::CliError;

const EXAMPLES: &str = "\
Examples:
  perft generate completions bash > ~/.local/share/bash-completion/completions/perft
  perft generate completions zsh > ~/.zfunc/_perft
  perft generate completions fish > ~/.config/fish/completions/perft.fish
  perft generate completions powershell >> $PROFILE";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// Shell to print the script for
    shell: Shell,
}

/// Runs the command. `command` is the whole command line.
pub fn run(args: CompletionsArgs, command: Command, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut without_words(&command), "perft", &mut script);
    if args.shell == Shell::Zsh {
        script = corrected_for_zsh(&String::from_utf8_lossy(&script)).into_bytes();
    }
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Corrects two mistakes of clap_complete in the script for zsh. After a command, it offers the options of the plain count
/// (`-A` prevents that), and after a position no options at all (because of `*::`).
fn corrected_for_zsh(script: &str) -> String {
    let arguments = "_arguments \"${_arguments_options[@]}\"";
    script.replacen(arguments, &format!("{arguments} -A '-*'"), 1).replace("\n'*::", "\n'*:")
}

/// Returns the command line as the scripts need it. It has no words of the plain count: with them, the script for zsh
/// would offer commands only as the second word.
fn without_words(command: &Command) -> Command {
    let options = command.get_arguments().filter(|argument| !argument.is_positional()).cloned();
    let command = Command::new("perft").subcommands(command.get_subcommands().cloned());
    with_safe_hints(command.args(options).version(env!("CARGO_PKG_VERSION")).disable_help_subcommand(true))
}

/// Gives each argument a hint that makes its completion safe. Without one, and with the hint that clap gives to paths,
/// the script for bash inserts names of files without quotes.
fn with_safe_hints(command: Command) -> Command {
    command.mut_args(with_safe_hint).mut_subcommands(with_safe_hints)
}

fn with_safe_hint(argument: Arg) -> Arg {
    let is_free = argument.get_action().takes_values() && argument.get_possible_values().is_empty();
    match argument.get_value_hint() {
        ValueHint::AnyPath => argument.value_hint(ValueHint::FilePath),
        ValueHint::Unknown if is_free && argument.is_positional() => argument.value_hint(ValueHint::FilePath),
        ValueHint::Unknown if is_free => argument.value_hint(ValueHint::Other),
        _ => argument,
    }
}
