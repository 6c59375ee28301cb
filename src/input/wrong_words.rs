//! What is said about a word that makes no sense where it stands, and the names that the user may have meant by a word
//! that means nothing.

use std::path::Path;

use perft_core::suite::{builtin, named};

use super::words::{Typed, Word, is_number};
use crate::output::{CliError, Context};
use crate::system::command_line::{self, again, is_missing, is_text, to_run, to_type};

impl Word {
    /// Returns the error for a word in a place where it makes no sense. `wanted` is what could stand there.
    pub fn refusal(self, text: &str, wanted: &str, context: &Context) -> CliError {
        let is = |what: &str| CliError::usage(format!("'{text}' is {what}, not {wanted}"));
        match self {
            Word::Suite => is("a suite").suggest("check it with", &["suite", text]),
            Word::Position | Word::Fen => is("a position").suggest("count it with", &[text, "5"]),
            Word::Number => {
                let depth = again(&[(text, &["--max-depth", text])]);
                is("a number")
                    .suggest("a suite has the depths of its known counts; to leave out deeper ones", &depth)
            }
            Word::Engine if !is_missing(text) => {
                is("a program").suggest("find its bugs with", &["hunt", text])
            }
            Word::Engine | Word::Missing => CliError::usage(format!("there is no file '{text}'")).help(
                "give the path of a file that exists; 'perft list positions' lists the names of positions",
            ),
            Word::Program => program(text, context),
            Word::Folder => is("a folder").help(format!("give {wanted}")),
            Word::File if !is_text(Path::new(text)) => is("a file without text").help(format!(
                "if it is a program, make it executable: chmod +x {}",
                command_line::quoted(text)
            )),
            Word::File => is("a file").help(of_file(text)),
            Word::Move | Word::Keyword | Word::Line if Path::new(text).is_file() => {
                is("a word of this program")
                    .suggest("to name the file, type", &again(&[(text, &[&format!("./{text}")])]))
            }
            Word::Input | Word::Unknown | Word::Move | Word::Keyword | Word::Line => {
                unknown_name(text, &format!("neither {wanted} nor a file"), &context.given.commands)
            }
        }
    }
}

impl Typed {
    /// Refuses words that are no part of a position, and two positions.
    ///
    /// # Errors
    /// There are such words.
    pub fn refuse_others(&self, context: &Context) -> Result<(), CliError> {
        if let [first, second, ..] = self.positions.as_slice() {
            return Err(CliError::usage(format!("two positions were given: '{first}' and '{second}'"))
                .help("leave out one of them"));
        }
        let Some(first) = self.others.first() else { return Ok(()) };
        if self.begins_with_other {
            return Err(misplaced(first, context));
        }
        if self.depths.is_empty() {
            return Err(no_depth(first));
        }
        let edits: Vec<(&str, &[&str])> = self.others.iter().map(|word| (word.as_str(), &[][..])).collect();
        Err(CliError::usage(format!("'{}' is neither a move nor a depth", self.others.join(" ")))
            .suggest("leave it out", &again(&edits)))
    }
}

/// Returns the error for a word that is no depth. Depths may be written as in EPD: `D4`.
pub fn no_depth(text: &str) -> CliError {
    let depth = text.strip_prefix(['d', 'D']).filter(|depth| is_number(depth)).unwrap_or("5");
    CliError::usage(format!("'{text}' is not a depth"))
        .suggest("give a number of plies, as in", &again(&[(text, &[depth])]))
}

/// Returns the error for a word where a position is needed.
fn misplaced(text: &str, context: &Context) -> CliError {
    let name = text.trim_end_matches(|digit: char| digit.is_ascii_digit());
    if builtin::position(name).is_some() {
        let depth = &text[name.len()..];
        return CliError::usage(format!("there is no blank between '{name}' and '{depth}'"))
            .suggest("put it there", &again(&[(text, &[name, depth])]));
    }
    let word = Word::of(text, None).unwrap_or(Word::Unknown);
    word.refusal(text, "a position", context)
}

/// Returns what can be done with a file that is no position.
fn of_file(text: &str) -> String {
    let suite = to_type(&["suite", text]).map(|line| format!("{line} checks its known counts"));
    let lines = to_type(&again(&[(text, &["-"])]));
    let lines =
        lines.map(|line| format!("{line} < {} reads a position from each line", command_line::quoted(text)));
    suite.into_iter().chain(lines).collect::<Vec<_>>().join("; ")
}

/// Returns the error for a program that is not started, because its name alone does not say that it is meant.
fn program(text: &str, context: &Context) -> CliError {
    if let Some(command) = to_run(text) {
        return CliError::usage(format!("the file '{text}' does not run under this name"))
            .suggest("to run this file, type", &again(&[(text, &[&command])]));
    }
    let flagged = ["--against", "--engine"].map(|flag| again(&[(text, &[flag, text])]));
    let hunt = ["hunt", "--engine", text].map(str::to_owned).to_vec();
    let line = flagged.into_iter().chain([hunt]).find_map(|line| to_type(&line)).unwrap_or_default();
    let meant = meant(text, &context.given.commands)
        .map(|meant| if meant.ends_with('?') { meant + " " } else { meant + "; " });
    CliError::usage(format!("'{text}' is a program on the PATH"))
        .help(format!("{}to run it, type: {line}", meant.unwrap_or_default()))
}

/// Returns the error for a text that means nothing. `what` says what it is not. It suggests the most similar name: after
/// `perft` alone also that of one of these commands.
pub fn unknown_name(text: &str, what: &str, commands: &[String]) -> CliError {
    let is_typed = !again(&[(text, &[text])]).is_empty();
    let error = match commands.is_empty() || !is_typed {
        true => CliError::usage(format!("'{text}' is {what}")),
        false => CliError::usage(format!("no command or position called '{text}'")),
    };
    if text.starts_with("960:") {
        return error.help("the number of a Chess960 start position is 0 to 959, as in 960:518");
    }
    error.help(meant(text, commands).unwrap_or_else(|| {
        "'perft help' lists the commands, 'perft list positions' the positions; a FEN has '/' between its ranks"
            .to_owned()
    }))
}

/// Returns the question for a name that the user may have meant, with the line to type then.
fn meant(text: &str, commands: &[String]) -> Option<String> {
    let positions = named().cases.iter().map(|case| case.name());
    let suites = builtin::suites().iter().map(|suite| suite.name);
    let names = commands.iter().map(String::as_str).chain(positions).chain(suites);
    let name = *most_similar(text, names, 1).first()?;
    let line = to_type(&again(&[(text, &[name])])).map(|line| format!(" type: {line}"));
    Some(format!("did you mean '{name}'?{}", line.unwrap_or_default()))
}

/// Returns the names that the user may have meant by `text`, the most similar first.
///
/// A name is included if it begins with the text, or if a few letters are wrong, missing, superfluous or exchanged: one
/// in a word of up to five letters, three in a long word. A name with another number of digits is not included, unless
/// it begins with the text.
pub fn most_similar<'a>(text: &str, names: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let text = text.to_lowercase();
    let digits = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
    let allowed = match text.len() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    let distance = |name: &str| {
        let lower = name.to_lowercase();
        if text.len() > 2 && lower.starts_with(&text) {
            return Some(0);
        }
        let wrong = strsim::osa_distance(&text, &lower);
        (wrong <= allowed && digits(&text) == digits(&lower)).then_some(wrong)
    };
    let mut similar: Vec<(usize, &str)> = names.filter_map(|name| Some((distance(name)?, name))).collect();
    similar.sort_by_key(|(wrong, _)| *wrong);
    similar.into_iter().take(count).map(|(_, name)| name).collect()
}
