//! The command line to type instead of one that is not understood.
//!
//! `instead.txt` has the words of other programs. A command line is suggested only if this program understands it.

use std::path::Path;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, Command, Error};

use crate::input::{Typed, Word, joined, split_moves};
use crate::output::CliError;
use crate::output::context::Given;
use crate::system::NAME;

/// The largest number of words of a command line that are replaced.
const MAX_REPLACED: usize = 5;

/// The words of other programs, each with the words to type instead.
static WORDS: LazyLock<Vec<Replaced>> = LazyLock::new(|| {
    let lines = include_str!("instead.txt").lines().filter(|line| !line.starts_with('#'));
    let replaced = |line: &'static str| {
        let (line, why) = line.split_once(": ").map_or((line, None), |(line, why)| (line, Some(why)));
        let (name, by) = line.split_once(' ').unwrap_or((line, ""));
        Replaced { name, by, why }
    };
    lines.map(replaced).collect()
});

/// A word of another program.
struct Replaced {
    name: &'static str,
    /// The words to type instead.
    by: &'static str,
    /// What is done without it.
    why: Option<&'static str>,
}

/// The commands that are tried for a flag that only some commands have.
const COMMANDS_OF_FLAGS: [&str; 6] = ["suite", "hunt", "divide", "bench", "estimate", "unique"];

/// A line to type instead, after the words before it in a message.
type Instead = (String, Vec<String>);

/// Returns the command line to type instead of arguments that clap refuses.
pub fn of_flags(arguments: &[String], command: &Command) -> Option<Instead> {
    let why = arguments.iter().find_map(|argument| WORDS.iter().find(|word| word.name == argument)?.why);
    let why = why.map_or("type".to_owned(), |why| format!("{why}; type"));
    let mut arguments = renamed(arguments).unwrap_or_else(|| arguments.to_vec());
    for _ in 0..MAX_REPLACED {
        let Some(error) = parsed(&arguments, command).err().filter(Error::use_stderr) else {
            return is_accepted(&arguments).then_some((why, arguments));
        };
        let others = replaced(&arguments, &error, command);
        arguments = others.iter().find(|other| is_accepted(other)).or(others.first())?.clone();
    }
    None
}

/// Returns the command line in which each option with one dash and a whole name has two; `None` if there is no such
/// option.
pub fn with_two_dashes(arguments: &[String], command: &Command) -> Option<Vec<String>> {
    let below = of_arguments(arguments, command);
    let is_long = |name: &str| {
        let is_flag = below.get_arguments().any(|argument| argument.get_long() == Some(name));
        let is_known = || WORDS.iter().any(|word| word.name.trim_start_matches('-') == name);
        name.len() > 1 && (is_flag || is_known() || command.find_subcommand(name).is_some())
    };
    let longer = |argument: &String| match argument.strip_prefix('-').filter(|name| is_long(name)) {
        Some(_) => format!("-{argument}"),
        None => argument.clone(),
    };
    let longer: Vec<String> = arguments.iter().map(longer).collect();
    let line = || of_flags(&longer, command).map_or(longer.clone(), |(_, line)| line);
    (longer != arguments).then(line)
}

/// Returns the error for a command line without arguments that a command needs, with an example of the command.
pub fn missing(error: &Error, arguments: &[String], command: &Command) -> CliError {
    let command = of_arguments(arguments, command);
    let Some(ContextValue::Strings(names)) = error.get(ContextKind::InvalidArg) else {
        return CliError::usage(error);
    };
    let example = command.get_before_help().map(ToString::to_string).unwrap_or_default();
    let example = example.lines().nth(1).unwrap_or_default().trim();
    let example = example.split("  ").next().unwrap_or_default().strip_prefix("perft ").unwrap_or_default();
    CliError::usage(format!("this is missing: {}", names.join(", "))).suggest("as in", &words(example))
}

fn of_arguments<'a>(arguments: &[String], command: &'a Command) -> &'a Command {
    arguments
        .iter()
        .try_fold(command, |command, name| command.find_subcommand(name).ok_or(command))
        .unwrap_or_else(|last| last)
}

/// Whether this program accepts a command line: clap parses it, each word means something, and the moves are legal.
pub fn is_accepted(arguments: &[String]) -> bool {
    let command = super::undescribed_command();
    match parsed(arguments, &command) {
        Ok(matches) => is_meaningful(&Given::new(&command, &matches)).unwrap_or(false),
        Err(error) => !error.use_stderr(),
    }
}

fn is_meaningful(given: &Given) -> Result<bool, CliError> {
    let config = given.values(&["config"]);
    let all = joined(&given.values(&["fen", "words", "names", "suites", "command"]));
    let kinds = all.iter().map(|text| Word::of(text, config.first().map(Path::new)));
    let kinds = kinds.collect::<Result<Vec<Word>, CliError>>()?;
    let others = all.iter().zip(&kinds).filter(|(_, kind)| **kind != Word::Engine);
    let others: Vec<String> = others.map(|(text, _)| text.clone()).collect();
    let engines = all.len() - others.len() + given.values(&["engine", "engines"]).len();
    let has = |kinds_of: &[Word]| kinds.iter().any(|kind| kinds_of.contains(kind));
    let mut typed = Typed::of(&others);
    let flagged = split_moves(&given.values(&["moves"]));
    let is_one_line = typed.moves.is_empty() || flagged.is_empty();
    typed.moves.extend(flagged);
    let has_depth = !typed.depths.is_empty() || !given.values(&["depth"]).is_empty();
    let has_position = typed.holds() && is_one_line;
    Ok(match given.command.as_str() {
        _ if has(&[Word::Unknown, Word::Program, Word::Missing]) && given.command != "verify" => false,
        "suite" => engines < 2 && !has(&[Word::Number, Word::Fen, Word::Move, Word::Line]),
        "probe" => engines == 1 && others.is_empty(),
        "hunt" if !given.values(&["random"]).is_empty() => engines == 1 && others.is_empty(),
        "hunt" if typed.positions.is_empty() => engines == 1 && !has_depth,
        "hunt" => engines == 1 && (has_position || !has_depth && !has(&[Word::Move])),
        "bench" => !has(&[Word::Move, Word::Line]),
        "explore" => engines < 2 && has_position,
        "divide" => engines < 2 && has_depth && has_position,
        NAME | "stats" | "unique" | "estimate" | "plan" => engines == 0 && has_depth && has_position,
        _ => true,
    })
}

/// Replaces the first argument if it is a command of another program. Otherwise returns `None`.
pub fn renamed(arguments: &[String]) -> Option<Vec<String>> {
    let (first, rest) = arguments.split_first()?;
    let is_it = |word: &&Replaced| word.name == first.to_lowercase() && !word.name.starts_with('-');
    let renamed = WORDS.iter().filter(is_it).map(|word| with_rest(word.by, rest));
    let renamed: Vec<Vec<String>> = renamed.collect();
    renamed.iter().find(|other| is_accepted(other)).or(renamed.first()).cloned()
}

/// Returns words before others. A star among them stands for the first of the others.
fn with_rest(by: &str, rest: &[String]) -> Vec<String> {
    let (mut words, mut rest) = (words(by), rest.to_vec());
    if let Some(star) = words.iter().position(|word| word == "*").filter(|_| !rest.is_empty()) {
        words[star] = rest.remove(0);
    }
    [words, rest].concat()
}

pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn parsed(arguments: &[String], command: &Command) -> Result<ArgMatches, Error> {
    let all = [NAME].into_iter().chain(arguments.iter().map(String::as_str));
    command.clone().try_get_matches_from(all)
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
    let place = arguments.iter().position(is_named);
    let Some(place) = place else { return Vec::new() };
    let (before, argument, after) = (&arguments[..place], &arguments[place], &arguments[place + 1..]);
    let with = |words: Vec<String>| [before, &words, after].concat();
    let (flag, value) = match (argument.split_once('='), argument.split_at_checked(2)) {
        (Some((flag, value)), _) => (flag, Some(value.to_owned())),
        (None, Some((flag, value))) if flag.starts_with('-') && flag != "--" => {
            (flag, Some(value.to_owned()).filter(|value| !value.is_empty()))
        }
        _ => (argument.as_str(), None),
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
    for Replaced { by, .. } in WORDS.iter().filter(|word| word.name == flag && flag.starts_with('-')) {
        others.push(with(words(by).into_iter().chain(value.clone()).collect()));
    }
    let name = flag.trim_start_matches('-');
    let known = WORDS.iter().find(|word| word.name == name).map(|word| word.by);
    let own = || command.find_subcommand(name).map(|_| name);
    // After a command, a flag does not mean another command.
    if before == ["list"] && matches!(Word::of_ours(argument), Some(Word::Position | Word::Suite)) {
        others.push(with(vec!["positions".to_owned(), argument.clone()]));
    }
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
