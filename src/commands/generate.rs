//! `perft generate`: files for other programs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Arg, Args, Command, Subcommand, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::commands::help::described;
use crate::output::CliError;
use crate::system::files::AtomicFile;

#[derive(Debug, Args)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub struct GenerateArgs {
    #[command(subcommand)]
    command: GenerateCommand,
}

#[derive(Debug, Subcommand)]
enum GenerateCommand {
    /// Print the completion script for a shell
    Completions {
        /// Shell to print the script for
        shell: Shell,
    },
    /// Print the manual page of the program or of a command
    Man {
        /// Command to describe [default: the whole program]
        #[arg(value_name = "COMMAND", conflicts_with = "folder")]
        command: Vec<String>,
        /// Write the pages of the program and of all commands to the subfolder man1 of this folder
        #[arg(long, value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

/// Runs the command. `command` is the whole command line.
pub fn run(args: GenerateArgs, mut command: Command, out: &mut impl Write) -> Result<(), CliError> {
    match args.command {
        GenerateCommand::Completions { shell } => out.write_all(&completions(shell, &command))?,
        GenerateCommand::Man { command: path, folder } => {
            command.build();
            match folder {
                Some(folder) => write_pages(&command, &folder.join("man1"), out)?,
                None => write_page(described(&mut command, &path)?, out)?,
            }
        }
    }
    Ok(())
}

fn completions(shell: Shell, command: &Command) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut without_words(command), "perft", &mut script);
    if shell == Shell::Zsh {
        corrected_for_zsh(&String::from_utf8_lossy(&script)).into_bytes()
    } else {
        script
    }
}

/// Corrects two mistakes of clap_complete in the script for zsh. After a command, the script offers the options of the
/// plain count (`-A` prevents that), and after a position no options at all (because of `*::`).
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

fn write_pages(command: &Command, folder: &Path, out: &mut impl Write) -> Result<(), CliError> {
    let failed = |error| CliError::usage(format!("cannot write to '{}': {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let all = with_subcommands(command);
    for &described in &all {
        let path = folder.join(Man::new(described.clone()).get_filename());
        AtomicFile::prepare(&path)
            .and_then(|file| file.write(|out| write_page(described, out)))
            .map_err(failed)?;
    }
    writeln!(out, "{} pages in {}", all.len(), folder.display())?;
    Ok(())
}

fn with_subcommands(command: &Command) -> Vec<&Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(with_subcommands)).collect()
}

/// Writes the manual page of a command. The examples of the help are in a section of their own.
fn write_page(command: &Command, out: &mut dyn Write) -> io::Result<()> {
    // Otherwise, an option that is hidden from the short help would have no text.
    let complete = command.clone().mut_args(|argument| argument.hide_short_help(false));
    Man::new(complete).manual("Commands of perft").render(out)?;
    let mut examples = Roff::new();
    let text = command.get_before_help().map(ToString::to_string).unwrap_or_default();
    if let Some((_, lines)) = text.split_once('\n') {
        examples.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in lines.lines() {
            examples.text([roman(line)]);
        }
        examples.control("fi", []);
    }
    examples.to_writer(out)
}
