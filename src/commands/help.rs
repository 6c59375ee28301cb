//! The help pages, and `perft help`.
//!
//! `perft -h` fits on one screen: the commands in groups, and the options that are used most. `perft --help` is the
//! full reference. The pages of the commands begin with examples.
//!
//! `perft generate` makes the same for shells and for `man`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Arg, Command, Subcommand, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::input::unknown_name;
use crate::output::CliError;
use crate::output::safe::marked;
use crate::system::files;

/// The layout of the help page of a command.
const TEMPLATE: &str = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// The usage of the program, without the heading.
const USAGE: &str = "perft [POSITION] [DEPTH] [OPTIONS]   for example: perft kiwipete 5
       perft COMMAND [OPTIONS]              for example: perft divide kiwipete 3";

/// The options on the short page.
const MOST_USED: [&str; 6] = ["depth", "moves", "threads", "hash", "exact", "json"];

/// The groups of commands in the order of the help: the purpose of the commands in one word, and their names.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Count", &["divide", "stats", "unique", "estimate", "explore"]),
    ("Bugs", &["suite", "hunt", "diagnose", "explain", "probe"]),
    ("Speed", &["bench"]),
    ("Large", &["campaign"]),
    ("Other", &["list", "uci", "generate"]),
];

/// Prints the page of a command, or of the program if the path is empty.
pub fn run(path: &[String], command: Command, out: &mut impl Write) -> Result<(), CliError> {
    let mut command = with_page(command, if path.is_empty() { Page::Short } else { Page::Long });
    command.build();
    let page = match path {
        [] => command.render_help(),
        path => described(&mut command, path)?.render_long_help(),
    };
    write!(out, "{}", marked(&page.ansi().to_string()))?;
    Ok(())
}

/// Returns the command with a path such as `campaign plan`.
///
/// # Errors
/// There is no such command.
pub fn described<'a>(command: &'a mut Command, path: &[String]) -> Result<&'a mut Command, CliError> {
    path.iter().try_fold(command, |command, name| {
        if command.find_subcommand(name).is_none() {
            return Err(unknown_command(name, command));
        }
        Ok(command.find_subcommand_mut(name).expect("it was found just now"))
    })
}

pub fn unknown_command(text: &str, command: &Command) -> CliError {
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    unknown_name(text, "no command", &names)
}

/// Gives a command with this path and all its subcommands the common layout.
pub fn with_examples_first(command: Command, path: &str) -> Command {
    let more = command.get_before_help().map_or_else(String::new, |more| format!("\n\n{more}"));
    let command = match examples(path) {
        Some(examples) => command.before_help(format!("Examples:\n{examples}{more}")),
        None => command,
    };
    command.help_template(TEMPLATE).mut_subcommands(|below| {
        let path = format!("{path} {}", below.get_name());
        with_examples_first(below, path.trim_start_matches("perft "))
    })
}

fn examples(path: &str) -> Option<&'static str> {
    let (_, text) = include_str!("examples.txt").split_once(&format!("\n[{path}]\n"))?;
    Some(text.split("\n[").next().unwrap_or_default().trim_end())
}

/// A help page of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The page of `-h`: one screen.
    Short,
    /// The page of `--help`: the full reference.
    Long,
}

/// Gives the program its own help page.
///
/// clap lists all subcommands in one block. Here they are hidden from that block and listed in groups in the layout.
/// The short page has only the most used options. Completions and the manual page use a command without this change,
/// because they leave hidden subcommands out.
pub fn with_page(command: Command, page: Page) -> Command {
    let (header, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let usage = format!("{header}Usage:{header:#} {USAGE}\n\n{}", groups(&command));
    let command = command.override_usage(USAGE).mut_subcommands(|subcommand| subcommand.hide(true));
    match page {
        Page::Long => {
            command.help_template(format!("{{about}}\n\n{{before-help}}{usage}\n{{all-args}}{{after-help}}"))
        }
        Page::Short => command.mut_args(shown_if_most_used).help_template(format!(
            "{{about}}\n\n{usage}\n{{all-args}}\n\n{literal}perft --help{literal:#} is the full reference. \
             {literal}perft help COMMAND{literal:#} describes a command.\n"
        )),
    }
}

fn shown_if_most_used(argument: Arg) -> Arg {
    let is_shown = MOST_USED.contains(&argument.get_id().as_str());
    let takes_value = argument.get_action().takes_values();
    argument.hide_short_help(!is_shown).hide_default_value(takes_value).help_heading(None)
}

fn groups(command: &Command) -> String {
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let mut text = String::new();
    for (title, names) in &GROUPS {
        // In a build without the explorer, the command `explore` does not exist.
        let commands = names.iter().filter_map(|name| command.find_subcommand(name));
        for (index, command) in commands.enumerate() {
            let title = if index == 0 { *title } else { "" };
            let name = command.get_name();
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let line = format!("{header}{title:<6}{header:#} {literal}{name:<11}{literal:#}  {about}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    text
}

#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
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

/// Writes what is wanted. `command` is the whole command line.
pub fn generate(wanted: GenerateCommand, mut command: Command, out: &mut impl Write) -> Result<(), CliError> {
    match wanted {
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
    let failed = |error| CliError::file("write to", folder)(error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    let all = with_subcommands(command);
    for &described in &all {
        let path = folder.join(Man::new(described.clone()).get_filename());
        files::write(&path, |out| write_page(described, out)).map_err(failed)?;
    }
    writeln!(out, "{} pages in {}", all.len(), folder.display())?;
    Ok(())
}

fn with_subcommands(command: &Command) -> Vec<&Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(with_subcommands)).collect()
}

/// The examples of the help are in a section of their own.
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
