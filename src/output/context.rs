//! The values that every command receives in addition to its own arguments, and the files that commands write: completely or
//! not at all. [`OutputFile::check`] checks whether a file can be written before a long run starts.

use std::any::TypeId;
use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, ValueEnum};
use perft_core::StopSignal;

use super::error::{CliError, set_verbosity};
use crate::system::NAME;
use crate::system::files;

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
    /// Makes `--color` the choice of everything that writes through `anstream`, and `--quiet` and `--verbose` that of all
    /// notes and details.
    pub fn apply(&self) {
        set_verbosity(self.quiet, self.verbose);
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

/// The command that was typed, and its arguments.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The name of the command, and of the program for a plain count.
    pub command: String,
    /// The names of the commands that the user may have meant by a word. Empty after a command.
    pub commands: Vec<String>,
    pub arguments: Vec<GivenArgument>,
}

/// An argument that was typed.
#[derive(Clone, Debug)]
pub struct GivenArgument {
    /// The name of the field.
    pub id: String,
    /// The flag, such as `--hash`; `None` for words.
    pub flag: Option<String>,
    pub values: Vec<String>,
    /// Whether it names a file to write.
    pub is_output: bool,
}

impl Given {
    /// Reads what was typed.
    pub fn new(command: &Command, matches: &ArgMatches) -> Given {
        if let Some((name, below)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            return Given { commands: Vec::new(), ..Given::new(command, below) };
        }
        let typed = command.get_arguments().filter(|argument| is_typed(argument, matches));
        Given {
            command: command.get_name().to_owned(),
            commands: command.get_subcommands().map(|command| command.get_name().to_owned()).collect(),
            arguments: typed.map(|argument| GivenArgument::new(argument, matches)).collect(),
        }
    }

    /// Returns the values of these arguments.
    pub fn values(&self, ids: &[&str]) -> Vec<String> {
        self.of(ids).flat_map(|argument| argument.values.clone()).collect()
    }

    /// Returns those of these flags that were typed, with their values.
    pub fn flags(&self, ids: &[&str]) -> Vec<String> {
        self.of(ids).flat_map(GivenArgument::words).collect()
    }

    fn of(&self, ids: &[&str]) -> impl Iterator<Item = &GivenArgument> {
        ids.iter().flat_map(|id| self.arguments.iter().filter(move |argument| argument.id == *id))
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

impl GivenArgument {
    fn new(argument: &Arg, matches: &ArgMatches) -> GivenArgument {
        let id = argument.get_id().as_str();
        let values = matches.get_raw(id).filter(|_| argument.get_action().takes_values());
        GivenArgument {
            id: id.to_owned(),
            flag: argument.get_long().map(|name| format!("--{name}")),
            values: values.into_iter().flatten().map(|value| value.to_string_lossy().into_owned()).collect(),
            is_output: argument.get_value_parser().type_id() == TypeId::of::<OutputFile>(),
        }
    }

    /// Returns a flag with its values; nothing for an argument that is not a flag.
    fn words(&self) -> Vec<String> {
        let flag = self.flag.iter().cloned();
        match self.values.is_empty() {
            true => flag.collect(),
            false => flag
                .flat_map(|flag| self.values.iter().flat_map(move |value| [flag.clone(), value.clone()]))
                .collect(),
        }
    }
}

/// The value of an option that names a file to write. Before a command starts, all values of this type are compared with
/// the files that it reads.
#[derive(Clone, Debug)]
pub struct OutputFile(PathBuf);

impl From<OsString> for OutputFile {
    fn from(path: OsString) -> OutputFile {
        OutputFile(path.into())
    }
}

impl Deref for OutputFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl OutputFile {
    /// Checks that the file can be written. It is not changed.
    ///
    /// # Errors
    /// A usage error if the file cannot be written.
    pub fn check(&self) -> Result<(), CliError> {
        files::check_writable(self).map_err(|error| {
            CliError::file("write", self)(error).help("give a file in a folder that exists and is writable")
        })
    }

    /// Writes the file: calls `write` with a buffer, then puts the complete file in place.
    ///
    /// # Errors
    /// A usage error if writing fails. An existing file is then unchanged.
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
        files::write(self, write).map_err(CliError::file("write", self))
    }
}
