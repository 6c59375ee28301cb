//! The values that every command receives in addition to its own arguments.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, ValueEnum};
use perft_core::StopSignal;

use super::error::{CliError, be_quiet};
use crate::system::NAME;

/// The values that every command receives in addition to its own arguments.
pub struct Context {
    /// The flags that every command accepts.
    pub global: GlobalArgs,
    /// The flags that were typed.
    pub given: Given,
    /// The signal that Ctrl-C raises.
    pub stop: StopSignal,
    /// A signal that a command raises before it computes a report that takes time. After Ctrl-C, the program then waits
    /// longer.
    pub reporting: StopSignal,
}

/// Flags that every command accepts.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Display")]
pub struct GlobalArgs {
    /// Print neither progress nor warnings nor notes
    #[arg(short, long, global = true, hide_short_help = true)]
    pub quiet: bool,
    /// Print to standard error how the count is made
    #[arg(short, long, global = true, conflicts_with = "quiet", hide_short_help = true)]
    pub verbose: bool,
    /// Use colors; NO_COLOR is honored
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub color: When,
    /// Show progress on standard error: a bar on a terminal, lines of text elsewhere
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub progress: When,
}

/// When to use colors, or to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl GlobalArgs {
    /// Makes `--color` the choice of everything that writes through `anstream`, and `--quiet` that of all messages.
    pub fn apply(&self) {
        if self.quiet {
            be_quiet();
        }
        match self.color {
            When::Auto => anstream::ColorChoice::Auto,
            When::Always => anstream::ColorChoice::Always,
            When::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }

    pub fn hides_progress(&self) -> bool {
        self.quiet || self.progress == When::Never
    }
}

/// The command that was typed, for commands that the user may type next.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The names of the commands that the user may have meant by a word. Empty after a command.
    pub commands: Vec<String>,
    /// The flags that were typed, by the names of their arguments.
    typed: Vec<(String, Vec<String>)>,
}

impl Given {
    /// Reads what was typed.
    pub fn new(command: &Command, matches: &ArgMatches) -> Given {
        if let Some((name, below)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            return Given { commands: Vec::new(), ..Given::new(command, below) };
        }
        let typed_arguments = command.get_arguments().filter(|argument| is_typed(argument, matches));
        let flags = typed_arguments.filter_map(|argument| words(argument, matches));
        let commands = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        Given { commands, typed: flags.collect() }
    }

    /// Returns those of these flags that were typed, with their values.
    pub fn flags(&self, names: &[&str]) -> Vec<String> {
        let typed = names.iter().flat_map(|name| self.typed.iter().filter(move |(typed, _)| typed == name));
        typed.flat_map(|(_, words)| words.clone()).collect()
    }

    /// Returns those of the flags of `A` that were typed, with their values.
    pub fn flags_of<A: Args>(&self) -> Vec<String> {
        self.flags_except::<A>(&[])
    }

    fn flags_except<A: Args>(&self, except: &[&str]) -> Vec<String> {
        let command = A::augment_args(Command::new(NAME));
        let names = command.get_arguments().map(|argument| argument.get_id().as_str());
        self.flags(&names.filter(|name| !except.contains(name)).collect::<Vec<_>>())
    }

    /// Refuses the flags of `A` that were typed, except these.
    ///
    /// # Errors
    /// Such a flag was typed.
    pub fn refuse<A: Args>(&self, except: &[&str], because: &str) -> Result<(), CliError> {
        match self.flags_except::<A>(except).first() {
            None => Ok(()),
            Some(flag) => Err(CliError::usage(format!("{flag} {because}")).help(format!("leave out {flag}"))),
        }
    }
}

pub fn is_typed(argument: &Arg, matches: &ArgMatches) -> bool {
    matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
}

/// Returns a flag with its values; `None` for an argument that is not a flag.
fn words(argument: &Arg, matches: &ArgMatches) -> Option<(String, Vec<String>)> {
    let (name, flag) = (argument.get_id().as_str(), format!("--{}", argument.get_long()?));
    let values = matches.get_raw(name).filter(|_| argument.get_action().takes_values());
    let words = match values {
        Some(values) => {
            values.flat_map(|value| [flag.clone(), value.to_string_lossy().into_owned()]).collect()
        }
        None => vec![flag],
    };
    Some((name.to_owned(), words))
}
