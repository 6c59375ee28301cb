//! `perft generate`: files for other programs.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, Args, Command, Subcommand, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::commands::help::described;
use crate::output::error::CliError;
use crate::system::files::AtomicFile;

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
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of a command
    Man(ManArgs),
}

/// Runs the command. `command` is the whole command line.
pub fn run(args: GenerateArgs, command: Command, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match args.command {
        GenerateCommand::Completions(args) => run_completions(args, command, out),
        GenerateCommand::Man(args) => run_man(args, command, out),
    }
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  perft generate completions bash > ~/.local/share/bash-completion/completions/perft
  perft generate completions zsh > ~/.zfunc/_perft
  perft generate completions fish > ~/.config/fish/completions/perft.fish
  perft generate completions powershell >> $PROFILE";

#[derive(Debug, Args)]
#[command(before_help = COMPLETIONS_EXAMPLES)]
pub struct CompletionsArgs {
    /// Shell to print the script for
    shell: Shell,
}

/// Runs the command. `command` is the whole command line.
pub fn run_completions(
    args: CompletionsArgs,
    command: Command,
    out: &mut impl Write,
) -> Result<ExitCode, CliError> {
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

const MAN_EXAMPLES: &str = "\
Examples:
  perft generate man | man -l -                      read the page of the program
  perft generate man hunt | man -l -                 read the page of a command
  perft generate man --folder ~/.local/share/man     install all pages: man perft-hunt";

#[derive(Debug, Args)]
#[command(before_help = MAN_EXAMPLES)]
pub struct ManArgs {
    /// Command to describe [default: the whole program]
    #[arg(value_name = "COMMAND", conflicts_with = "folder")]
    command: Vec<String>,
    /// Write the pages of the program and of all commands to the subfolder man1 of this folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub fn run_man(args: ManArgs, mut command: Command, out: &mut impl Write) -> Result<ExitCode, CliError> {
    command.build();
    if let Some(folder) = args.folder {
        write_all(&command, folder.join("man1"), out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let described = described(&mut command, &args.command)?;
    out.write_all(&page(described)?)?;
    Ok(ExitCode::SUCCESS)
}

fn write_all(command: &Command, folder: PathBuf, out: &mut impl Write) -> Result<(), CliError> {
    let failed = |error| CliError::usage(format!("cannot write to '{}': {error}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let all = with_subcommands(command);
    for &described in &all {
        let path = folder.join(Man::new(described.clone()).get_filename());
        let text = page(described)?;
        AtomicFile::prepare(&path).and_then(|file| file.write(|out| out.write_all(&text))).map_err(failed)?;
    }
    writeln!(out, "{} pages in {}", all.len(), folder.display())?;
    Ok(())
}

fn with_subcommands(command: &Command) -> Vec<&Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(with_subcommands)).collect()
}

/// Returns the manual page of a command. The examples of the help are in a section of their own.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    // Otherwise, an option that is hidden from the short help would have no text.
    let complete = command.clone().mut_args(|argument| argument.hide_short_help(false));
    let man = Man::new(complete).manual("Commands of perft");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    examples(command).to_writer(&mut page)?;
    if command.get_arguments().next().is_some() {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if command.get_after_help().is_some() {
        man.render_extra_section(&mut page)?;
    }
    if command.get_version().is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// Returns the section with the examples from the help of a command.
fn examples(command: &Command) -> Roff {
    let mut section = Roff::new();
    let text = command.get_before_help().map(ToString::to_string).unwrap_or_default();
    let lines: Vec<&str> = text.lines().skip(1).collect();
    if lines.is_empty() {
        return section;
    }
    section.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in lines {
        section.text([roman(line)]);
    }
    section.control("fi", []);
    section
}
