//! The command line to type instead of one that is not understood.
//!
//! `instead.txt` has the words of other programs. A command line is suggested only if this program understands it.

use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue};
use clap::{Command, Error};

use super::help::{Page, with_page};
use crate::system::NAME;
use crate::system::command_line::join;

/// The largest number of words of a command line that are replaced.
const MAX_REPLACED: usize = 5;

/// The words of other programs, each with the words to type instead.
static WORDS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let lines = include_str!("instead.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').unwrap_or((line, ""))).collect()
});

/// The commands that are tried for a flag that only some commands have.
const COMMANDS_OF_FLAGS: [&str; 6] = ["suite", "hunt", "divide", "bench", "estimate", "unique"];

/// Returns the command line to type instead of arguments that clap refuses.
pub fn of_flags(arguments: &[String], command: &Command) -> Option<String> {
    let mut arguments = renamed(arguments).unwrap_or_else(|| arguments.to_vec());
    for _ in 0..MAX_REPLACED {
        let Some(error) = refusal(&arguments, command) else { return Some(line(&arguments)) };
        let others = replaced(&arguments, &error, command);
        let is_understood = |other: &&Vec<String>| refusal(other, command).is_none();
        arguments = others.iter().find(is_understood).or(others.first())?.clone();
    }
    None
}

/// Returns the command line to type instead of one that begins with a command of another program.
pub fn of_command(arguments: &[String], command: &Command) -> Option<String> {
    renamed(arguments).and_then(|other| of_flags(&other, command))
}

/// Replaces the first argument if it is a command of another program. Otherwise returns `None`.
fn renamed(arguments: &[String]) -> Option<Vec<String>> {
    let (first, rest) = arguments.split_first()?;
    let (_, instead) =
        WORDS.iter().find(|(name, _)| *name == first.to_lowercase() && !name.starts_with('-'))?;
    Some([words(instead), rest.to_vec()].concat())
}

fn line(arguments: &[String]) -> String {
    join([NAME].into_iter().chain(arguments.iter().map(String::as_str)))
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Returns the error of clap for a command line; `None` if it is understood.
fn refusal(arguments: &[String], command: &Command) -> Option<Error> {
    let all = [NAME].into_iter().chain(arguments.iter().map(String::as_str));
    with_page(command.clone(), Page::Short).try_get_matches_from(all).err().filter(Error::use_stderr)
}

/// Returns the command lines in which the word that clap refuses is replaced.
fn replaced(arguments: &[String], error: &Error, command: &Command) -> Vec<Vec<String>> {
    let named = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg].into_iter().find_map(|kind| {
        let Some(ContextValue::String(text)) = error.get(kind) else { return None };
        text.split(' ').next().map(str::to_owned)
    });
    let is_named = |argument: &String| {
        let is_short = |name: &String| name.len() == 2 && argument.starts_with(name.as_str());
        named.as_ref().is_some_and(|name| {
            argument == name || is_short(name) || argument.starts_with(&format!("{name}="))
        })
    };
    let is_single_dash = |argument: &String| {
        argument.starts_with('-')
            && argument.len() > 2
            && argument[1..].bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            && !argument.starts_with("--")
    };
    let place = arguments.iter().position(is_single_dash).or_else(|| arguments.iter().position(is_named));
    let Some(place) = place else { return Vec::new() };
    let (before, argument, after) = (&arguments[..place], &arguments[place], &arguments[place + 1..]);
    let with = |words: Vec<String>| [before, &words, after].concat();
    if is_single_dash(argument) {
        return vec![with(vec![format!("-{argument}")])];
    }
    let (flag, value) = match argument.split_once('=') {
        Some((flag, value)) => (flag, Some(value.to_owned())),
        None if argument.starts_with("--") || !argument.starts_with('-') => (argument.as_str(), None),
        None => (&argument[..2], Some(argument[2..].to_owned()).filter(|value| !value.is_empty())),
    };
    let has_command = arguments.first().is_some_and(|first| command.find_subcommand(first).is_some());
    let mut others = Vec::new();
    if flag == "-H" {
        let bits = value.as_ref().or(after.first()).and_then(|bits| bits.parse().ok());
        let taken = usize::from(value.is_none());
        others.extend(
            bits.map(|bits| [before, &words(&table(bits)), &after[taken.min(after.len())..]].concat()),
        );
    }
    for (_, instead) in WORDS.iter().filter(|(name, _)| *name == flag && flag.starts_with('-')) {
        others.push(with(words(instead).into_iter().chain(value.clone()).collect()));
    }
    let name = flag.trim_start_matches('-');
    let known = WORDS.iter().find(|(other, _)| *other == name).map(|(_, instead)| *instead);
    let own = || command.find_subcommand(name).map(|_| name);
    // After a command, a flag does not mean another command.
    if let Some(instead) = known.or_else(own)
        && !(has_command && argument.starts_with('-'))
    {
        let rest = [before, value.as_slice(), after].concat();
        match before {
            // A command in a group, such as `list suites`.
            [_] if !argument.starts_with('-') => {
                others.push(with(words(instead.rsplit(' ').next().unwrap_or_default())));
            }
            _ => others.push([words(instead), rest].concat()),
        }
    }
    if !has_command {
        let has_flag = |name: &&&str| {
            let arguments = command.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
            arguments.into_iter().any(|argument| argument.get_long() == flag.strip_prefix("--"))
        };
        let of_flag = COMMANDS_OF_FLAGS.iter().filter(has_flag);
        others.extend(of_flag.map(|name| [&[(*name).to_owned()], arguments].concat()));
    }
    others
}

/// Returns the flag for a table of qperft with this number of bits: each of its entries has 16 bytes.
fn table(bits: u32) -> String {
    format!("--hash {}M", 1_u64 << bits.clamp(16, 40) >> 16)
}
