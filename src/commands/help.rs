//! The help pages, and `perft help`.
//!
//! `perft -h` fits on one screen: the commands in groups, and the options that are used most. `perft --help` is the
//! full reference. The pages of the commands begin with examples.

use std::fmt::Write as _;
use std::io::Write;

use clap::{Arg, Args, Command};

use crate::input::unknown_name;
use crate::output::CliError;
use crate::output::safe::marked;

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

/// The command to describe.
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// Command to describe [default: the whole program]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

pub fn run(args: HelpArgs, command: Command, out: &mut impl Write) -> Result<(), CliError> {
    let page = if args.command.is_empty() { Page::Short } else { Page::Long };
    let mut command = with_page(command, page);
    command.build();
    let page = match args.command.as_slice() {
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

impl Page {
    /// Returns the page to show if the command line asks for help.
    pub fn wanted() -> Page {
        if std::env::args_os().any(|argument| argument == "--help") { Page::Long } else { Page::Short }
    }
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
