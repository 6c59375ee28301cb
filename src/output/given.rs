//! The flags of this run as they were typed, for the commands that continue it.

use std::sync::OnceLock;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

/// The flags that were typed, by the names of their arguments.
#[derive(Clone, Debug, Default)]
pub struct Given {
    typed: Vec<(String, Vec<String>)>,
    /// The dialect that was found out, so that the next command need not look for it.
    dialect: OnceLock<&'static str>,
}

impl Given {
    /// Returns the flags of the command that was typed.
    pub fn new(command: &Command, matches: &ArgMatches) -> Given {
        if let Some((name, below)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            return Given::new(command, below);
        }
        let is_typed = |argument: &&Arg| {
            matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
        };
        let flags = command.get_arguments().filter(is_typed).filter_map(|argument| words(argument, matches));
        Given { typed: flags.collect(), dialect: OnceLock::new() }
    }

    /// Returns those of these flags that were typed, with their values.
    pub fn flags(&self, names: &[&str]) -> Vec<String> {
        let typed = names.iter().flat_map(|name| self.typed.iter().filter(move |(typed, _)| typed == name));
        typed.flat_map(|(_, words)| words.clone()).collect()
    }

    /// Remembers the dialect of an engine that was found out.
    pub fn found_dialect(&self, dialect: &'static str) {
        let _ = self.dialect.set(dialect);
    }

    /// Returns the flag for the dialect that was found out, if one was.
    pub fn dialect(&self) -> Vec<String> {
        let dialect = self.dialect.get();
        dialect.map_or_else(Vec::new, |dialect| vec!["--dialect".to_owned(), (*dialect).to_owned()])
    }
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
